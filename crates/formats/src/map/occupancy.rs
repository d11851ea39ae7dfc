//! F-ROS: from the pixels of an image to the classes and probabilities of cells.
//!
//! ```text
//! x = mean of the channels, 0..255        p = (255 - x) / 255, or x / 255 with negate
//! trinary: p > occupied_thresh: occupied; p < free_thresh: free; else unknown
//! scale:   the same at the ends; between them (p - free) / (occupied - free) is the probability
//! raw:     x from 0 to 100 is a percentage; anything else is unknown
//! ```
//!
//! In trinary mode alpha is averaged in with the colours, as both ROS map servers do (`image_loader.cpp` of
//! `map_server`, `map_io.cpp` of `nav2_map_server`); in scale mode an alpha below full means unknown; in raw
//! mode it is not looked at. Departure: in scale mode the ROS 1 server looks at alpha only between the
//! thresholds; here, as in navigation2, alpha comes first.

use model::{CellClass, Grid};

use crate::{ReadOptions, Scale};

/// `occupied_thresh` where none is given: that of the ROS map savers.
pub const DEFAULT_OCCUPIED_THRESH: f64 = 0.65;
/// `free_thresh` where none is given: that of ROS 1, with which grey 205 is unknown.
pub const DEFAULT_FREE_THRESH: f64 = 0.196;
/// The grey that savers write for unknown cells.
pub(crate) const UNKNOWN_GREY: u8 = 205;

/// The `mode` of a ROS map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Trinary,
    Scale,
    Raw,
}

/// How pixels are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    pub mode: Mode,
    pub occupied_thresh: f64,
    pub free_thresh: f64,
    pub negate: bool,
    pub treat_205_as_unknown: bool,
    pub ignore_alpha: bool,
    pub scale: Scale,
}

impl Rule {
    /// The rule of an image without a YAML.
    pub fn of_options(options: &ReadOptions) -> Self {
        Self {
            mode: Mode::Trinary,
            occupied_thresh: options.occupied_thresh.unwrap_or(DEFAULT_OCCUPIED_THRESH),
            free_thresh: options.free_thresh.unwrap_or(DEFAULT_FREE_THRESH),
            negate: options.negate.unwrap_or(false),
            treat_205_as_unknown: options.treat_205_as_unknown,
            ignore_alpha: options.ignore_alpha,
            scale: options.scale,
        }
    }

    /// The probability of a grey.
    fn probability(&self, x: f64) -> f64 {
        if self.negate { x / 255.0 } else { (255.0 - x) / 255.0 }
    }

    /// Class and probability of a grey.
    pub fn cell(&self, x: f64) -> (CellClass, f64) {
        if self.mode == Mode::Raw {
            let p = if x <= 100.0 { x / 100.0 } else { 0.5 };
            return (CellClass::of_probability(p), p);
        }
        let p = self.probability(x);
        if p > self.occupied_thresh {
            (CellClass::Occupied, 1.0)
        } else if p < self.free_thresh {
            (CellClass::Free, 0.0)
        } else if self.mode == Mode::Trinary {
            (CellClass::Unknown, 0.5)
        } else {
            let p = self.between(p);
            (CellClass::of_probability(p), p)
        }
    }

    /// Scale mode between the thresholds.
    fn between(&self, p: f64) -> f64 {
        let width = self.occupied_thresh - self.free_thresh;
        // Equal thresholds leave one value between them, which no side claims.
        let ratio = if width > 0.0 { (p - self.free_thresh) / width } else { 0.5 };
        match self.scale {
            Scale::Ratio => ratio,
            Scale::Ros1 => (1.0 + 98.0 * ratio).trunc() / 100.0,
            Scale::Nav2 => (100.0 * ratio).round_ties_even() / 100.0,
        }
    }

    /// The grey that means unknown to savers: 205, or the one of equal probability with `negate`.
    pub const fn unknown_grey(&self) -> u8 {
        if self.negate { 255 - UNKNOWN_GREY } else { UNKNOWN_GREY }
    }

    /// True if the thresholds turn the savers' unknown into free.
    pub fn is_trap(&self) -> bool {
        let p = self.probability(f64::from(self.unknown_grey()));
        self.mode != Mode::Raw && p < self.free_thresh
    }
}

/// The classes of the greys 0 to 255 of an image without a YAML, as these options read it.
#[must_use]
pub fn grey_classes(options: &ReadOptions) -> [CellClass; 256] {
    let rule = Rule::of_options(options);
    let class = |grey: usize| match rule.cell(grey as f64).0 {
        _ if rule.treat_205_as_unknown && grey == usize::from(rule.unknown_grey()) => CellClass::Unknown,
        class => class,
    };
    std::array::from_fn(class)
}

/// The greys that map savers write for the classes of a grid, top row first.
pub(crate) fn greys_of(grid: &Grid) -> Vec<u8> {
    let grey = |class: &CellClass| match class {
        CellClass::Occupied => 0,
        CellClass::Free => 254,
        CellClass::Unknown => UNKNOWN_GREY,
    };
    grid.classes().iter().map(grey).collect()
}
