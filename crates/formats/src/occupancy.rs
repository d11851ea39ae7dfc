//! F-ROS: from the pixels of a picture to the classes and probabilities of cells.
//!
//! ```text
//! x = mean of the channels, 0..255        p = (255 - x) / 255, or x / 255 with negate
//! trinary: p > occupied_thresh: occupied; p < free_thresh: free; else unknown
//! scale:   the same at the ends; between them (p - free) / (occupied - free) is the probability
//! raw:     x from 0 to 100 is a percentage; anything else is unknown
//! ```
//!
//! The mean depends only on the sum of a pixel's samples, so each rule becomes a table over that sum. In
//! trinary mode alpha is averaged in with the colours, as both ROS map servers do (`image_loader.cpp` of
//! `map_server`, `map_io.cpp` of `nav2_map_server`); in scale mode an alpha below full means unknown; in raw
//! mode it is not looked at. Departure: in scale mode the ROS 1 server looks at alpha only between the
//! thresholds; here, as in navigation2, alpha comes first.

use model::{CellClass, Finding, Grid, Level};

use crate::picture::{Picture, Samples};
use crate::{Alpha, ReadOptions, Scale, Treat205};

/// `occupied_thresh` where nobody gives one: that of the ROS map savers.
pub(crate) const DEFAULT_OCCUPIED_THRESH: f64 = 0.65;
/// `free_thresh` where nobody gives one: that of ROS 1, with which grey 205 is unknown.
pub(crate) const DEFAULT_FREE_THRESH: f64 = 0.196;
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
    pub treat_205: Treat205,
    pub alpha: Alpha,
    pub scale: Scale,
}

impl Rule {
    /// The rule of a picture without a YAML.
    pub fn of_options(options: &ReadOptions) -> Self {
        Self {
            mode: Mode::Trinary,
            occupied_thresh: options.occupied_thresh.unwrap_or(DEFAULT_OCCUPIED_THRESH),
            free_thresh: options.free_thresh.unwrap_or(DEFAULT_FREE_THRESH),
            negate: options.negate.unwrap_or(false),
            treat_205: options.treat_205_as_unknown,
            alpha: options.alpha,
            scale: options.scale,
        }
    }

    /// The probability of a grey.
    fn probability(&self, x: f64) -> f64 {
        if self.negate { x / 255.0 } else { (255.0 - x) / 255.0 }
    }

    /// Class and probability of a grey.
    fn cell(&self, x: f64) -> (CellClass, f64) {
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
    const fn unknown_grey(&self) -> u8 {
        if self.negate { 255 - UNKNOWN_GREY } else { UNKNOWN_GREY }
    }

    /// True if the thresholds turn the savers' unknown into free.
    fn is_trap(&self) -> bool {
        let p = self.probability(f64::from(self.unknown_grey()));
        self.mode != Mode::Raw && p < self.free_thresh
    }
}

/// The cells of a picture.
pub(crate) struct Occupancy {
    pub classes: Vec<CellClass>,
    /// In scale and raw mode.
    pub probabilities: Option<Vec<f64>>,
    pub findings: Vec<Finding>,
}

/// Reads the pixels of a picture by a rule.
pub(crate) fn classify(picture: &Picture<'_>, rule: &Rule) -> Occupancy {
    if let Samples::Eight(samples) = &picture.samples
        && picture.channels.count() == 1
        && rule.mode == Mode::Trinary
    {
        return classify_grey(samples, picture.max_value, rule);
    }
    let mut tally = Tally::default();
    let (classes, probabilities) = match &picture.samples {
        Samples::Eight(samples) => classify_pixels(samples, picture, rule, &mut tally),
        Samples::Sixteen(samples) => classify_pixels(samples, picture, rule, &mut tally),
    };
    let probabilities = (rule.mode != Mode::Trinary).then_some(probabilities);
    Occupancy { classes, probabilities, findings: tally.findings(rule) }
}

/// Class and probability for each sum of samples.
struct Table {
    classes: Vec<CellClass>,
    probabilities: Vec<f64>,
    /// The sum that is exactly the savers' unknown grey, if there is one.
    unknown_sum: Option<usize>,
    /// True if treating that grey as unknown changed its class.
    cures: bool,
}

impl Table {
    /// The table for pixels of `channels` samples from 0 to `max_value`.
    fn new(rule: &Rule, channels: usize, max_value: u16) -> Self {
        let full = channels * usize::from(max_value);
        let (mut classes, mut probabilities): (Vec<_>, Vec<_>) =
            (0..=full).map(|sum| rule.cell(sum as f64 * 255.0 / full as f64)).unzip();
        let scaled = usize::from(rule.unknown_grey()) * full;
        let unknown_sum = (scaled.is_multiple_of(255) && rule.mode != Mode::Raw).then_some(scaled / 255);
        let mut cures = false;
        if let Some(sum) = unknown_sum.filter(|_| rule.treat_205 == Treat205::AsUnknown) {
            cures = classes[sum] != CellClass::Unknown;
            (classes[sum], probabilities[sum]) = (CellClass::Unknown, 0.5);
        }
        Self { classes, probabilities, unknown_sum, cures }
    }
}

/// What was counted on the way.
#[derive(Default)]
struct Tally {
    /// Cells of the savers' unknown grey.
    unknown_grey: u64,
    /// Of these, treated as unknown against the thresholds.
    cured: u64,
    /// Cells whose alpha is not full.
    translucent: u64,
    /// Cells whose class alpha changed.
    changed_by_alpha: u64,
}

fn classify_grey(samples: &[u8], max_value: u16, rule: &Rule) -> Occupancy {
    let table = Table::new(rule, 1, max_value);
    let mut lookup = [CellClass::Unknown; 256];
    lookup[..table.classes.len()].copy_from_slice(&table.classes);
    let classes = samples.iter().map(|&sample| lookup[usize::from(sample)]).collect();
    let mut tally = Tally::default();
    if let Some(grey) = table.unknown_sum.filter(|_| table.cures || rule.is_trap()) {
        tally.unknown_grey = samples.iter().filter(|&&sample| usize::from(sample) == grey).count() as u64;
        tally.cured = if table.cures { tally.unknown_grey } else { 0 };
    }
    Occupancy { classes, probabilities: None, findings: tally.findings(rule) }
}

fn classify_pixels<S: Copy + Into<u32>>(
    samples: &[S],
    picture: &Picture<'_>,
    rule: &Rule,
    tally: &mut Tally,
) -> (Vec<CellClass>, Vec<f64>) {
    let channels = picture.channels.count();
    let colours = channels - usize::from(picture.channels.has_alpha());
    let sees_alpha = picture.channels.has_alpha() && rule.alpha == Alpha::Average;
    let averages_alpha = sees_alpha && rule.mode == Mode::Trinary;
    let by_colours = Table::new(rule, colours, picture.max_value);
    let by_all = averages_alpha.then(|| Table::new(rule, channels, picture.max_value));
    let table = by_all.as_ref().unwrap_or(&by_colours);
    let full = u32::from(picture.max_value);
    let pixels = samples.len() / channels;
    let mut classes = Vec::with_capacity(pixels);
    let mut probabilities = Vec::with_capacity(if rule.mode == Mode::Trinary { 0 } else { pixels });
    for pixel in samples.chunks_exact(channels) {
        let colour_sum: u32 = pixel[..colours].iter().map(|&s| s.into()).sum();
        let alpha: u32 = if sees_alpha { pixel[colours].into() } else { full };
        tally.translucent += u64::from(alpha != full);
        let sum = (colour_sum + if averages_alpha { alpha } else { 0 }) as usize;
        let mut cell = (table.classes[sum], table.probabilities[sum]);
        if averages_alpha {
            tally.changed_by_alpha += u64::from(cell.0 != by_colours.classes[colour_sum as usize]);
        }
        if rule.mode == Mode::Scale && alpha != full {
            cell = (CellClass::Unknown, 0.5);
        } else if table.unknown_sum == Some(sum) {
            tally.unknown_grey += 1;
            tally.cured += u64::from(table.cures);
        }
        classes.push(cell.0);
        if rule.mode != Mode::Trinary {
            probabilities.push(cell.1);
        }
    }
    (classes, probabilities)
}

impl Tally {
    fn findings(&self, rule: &Rule) -> Vec<Finding> {
        [self.unknown_finding(rule), self.alpha_finding(rule)].into_iter().flatten().collect()
    }

    fn unknown_finding(&self, rule: &Rule) -> Option<Finding> {
        let grey = rule.unknown_grey();
        if self.cured > 0 {
            let message = format!("{} cells of grey {grey} were taken as unknown", self.cured);
            return Some(Finding::new(Level::Info, "TREATED_205_AS_UNKNOWN", message));
        }
        if self.unknown_grey == 0 || rule.treat_205 == Treat205::AsUnknown || !rule.is_trap() {
            return None;
        }
        let message = format!(
            "{} cells of grey {grey}, which map savers write for unknown, read as free: free_thresh is {}, \
             and their p is 0.196078",
            self.unknown_grey, rule.free_thresh
        );
        Some(
            Finding::warning("UNKNOWN_MAY_READ_AS_FREE", message)
                .hint("set free_thresh to 0.196 in the file, or use the option treat_205_as_unknown"),
        )
    }

    fn alpha_finding(&self, rule: &Rule) -> Option<Finding> {
        if self.translucent == 0 && self.changed_by_alpha == 0 {
            return None;
        }
        match rule.mode {
            Mode::Trinary => {
                let message = format!(
                    "alpha was averaged in with the colours, as the ROS map servers do: {} cells are not \
                     opaque, {} cells have another class than by their colours",
                    self.translucent, self.changed_by_alpha
                );
                let hint = "save the picture without alpha, or use the option alpha = ignore";
                Some(Finding::warning("ALPHA_AVERAGED", message).hint(hint))
            }
            Mode::Scale => {
                let message =
                    format!("{} cells are not opaque and read as unknown (mode scale)", self.translucent);
                Some(Finding::new(Level::Info, "ALPHA_MEANS_UNKNOWN", message))
            }
            Mode::Raw => None,
        }
    }
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::picture::Channels;
    use CellClass::{Free, Occupied, Unknown};

    fn rule(mode: Mode, occupied_thresh: f64, free_thresh: f64) -> Rule {
        Rule { mode, occupied_thresh, free_thresh, ..Rule::of_options(&ReadOptions::default()) }
    }

    fn picture(channels: Channels, samples: &[u8]) -> Picture<'_> {
        let width = samples.len() / channels.count();
        Picture {
            width,
            height: 1,
            channels,
            max_value: 255,
            samples: Samples::Eight(Cow::Borrowed(samples)),
        }
    }

    fn codes(occupancy: &Occupancy) -> Vec<&str> {
        occupancy.findings.iter().map(|finding| finding.code.as_ref()).collect()
    }

    #[test]
    fn f_ros_worked_examples_of_trinary_mode() {
        let samples = [0, 89, 90, 205, 206, 254, 255];
        let read = classify(&picture(Channels::Grey, &samples), &rule(Mode::Trinary, 0.65, 0.196));
        assert_eq!(read.classes, [Occupied, Occupied, Unknown, Unknown, Free, Free, Free]);
        assert!(read.findings.is_empty() && read.probabilities.is_none());
    }

    #[test]
    fn f_ros_the_205_trap_is_kept_to_counted_and_curable() {
        let grey = picture(Channels::Grey, &[205, 0, 205, 254]);
        let mut rule = rule(Mode::Trinary, 0.65, 0.25);
        let read = classify(&grey, &rule);
        assert_eq!(read.classes, [Free, Occupied, Free, Free]);
        assert_eq!(codes(&read), ["UNKNOWN_MAY_READ_AS_FREE"]);
        assert!(read.findings[0].message.starts_with("2 cells of grey 205"));
        rule.treat_205 = Treat205::AsUnknown;
        let cured = classify(&grey, &rule);
        assert_eq!(cured.classes, [Unknown, Occupied, Unknown, Free]);
        assert_eq!(codes(&cured), ["TREATED_205_AS_UNKNOWN"]);
        assert!(cured.findings[0].message.starts_with("2 cells"));
    }

    #[test]
    fn the_trap_needs_the_grey_itself_and_a_threshold_above_it() {
        let near = picture(Channels::Grey, &[204, 206]);
        assert!(classify(&near, &rule(Mode::Trinary, 0.65, 0.25)).findings.is_empty());
        let grey = picture(Channels::Grey, &[205]);
        assert!(classify(&grey, &rule(Mode::Trinary, 0.65, 50.0 / 255.0)).findings.is_empty());
        assert_eq!(classify(&grey, &rule(Mode::Trinary, 0.65, 0.1961)).findings.len(), 1);
    }

    #[test]
    fn with_negate_the_trap_sits_at_50() {
        let negated = Rule { negate: true, ..rule(Mode::Trinary, 0.65, 0.25) };
        let read = classify(&picture(Channels::Grey, &[50, 205, 0, 255]), &negated);
        assert_eq!(read.classes, [Free, Occupied, Free, Occupied]);
        assert!(read.findings[0].message.starts_with("1 cells of grey 50"));
    }

    #[test]
    fn f_ros_worked_examples_of_scale_mode() {
        let grey = picture(Channels::Grey, &[90, 205, 0, 255]);
        let scale = rule(Mode::Scale, 0.65, 0.196);
        let read = classify(&grey, &scale);
        let p = read.probabilities.unwrap();
        assert!((p[0] - 0.993522).abs() < 1e-6 && (p[1] - 0.000173).abs() < 1e-6);
        assert_eq!((p[2], p[3]), (1.0, 0.0));
        assert_eq!(read.classes, [Occupied, Free, Occupied, Free]);
        // 1 + 98 * 0.993522 = 98.365 and 1 + 98 * 0.000173 = 1.017, cut; 99.35 and 0.017, rounded.
        let published = |scale_form| {
            classify(&grey, &Rule { scale: scale_form, ..scale }).probabilities.unwrap()[..2].to_vec()
        };
        assert_eq!(published(Scale::Ros1), [0.98, 0.01]);
        assert_eq!(published(Scale::Nav2), [0.99, 0.0]);
    }

    #[test]
    fn scale_mode_reads_translucent_pixels_as_unknown_unless_told_otherwise() {
        let pixels = picture(Channels::GreyAlpha, &[0, 255, 0, 254]);
        let scale = rule(Mode::Scale, 0.65, 0.196);
        let read = classify(&pixels, &scale);
        assert_eq!(read.classes, [Occupied, Unknown]);
        assert_eq!(read.probabilities.as_deref(), Some(&[1.0, 0.5][..]));
        assert_eq!(codes(&read), ["ALPHA_MEANS_UNKNOWN"]);
        let ignoring = classify(&pixels, &Rule { alpha: Alpha::Ignore, ..scale });
        assert_eq!(ignoring.classes, [Occupied, Occupied]);
        assert!(ignoring.findings.is_empty());
    }

    #[test]
    fn raw_mode_reads_percentages_and_nothing_above_one_hundred() {
        let read =
            classify(&picture(Channels::Grey, &[0, 50, 51, 100, 101, 205]), &rule(Mode::Raw, 0.65, 0.25));
        assert_eq!(read.classes, [Free, Unknown, Occupied, Occupied, Unknown, Unknown]);
        assert_eq!(read.probabilities.as_deref(), Some(&[0.0, 0.5, 0.51, 1.0, 0.5, 0.5][..]));
        assert!(read.findings.is_empty());
    }

    #[test]
    fn trinary_mode_averages_alpha_in_and_says_what_that_changed() {
        // (205 * 3 + 255) / 4 = 217.5: p = 0.147, free; black and opaque: 63.75, p = 0.75, still occupied.
        let pixels = picture(Channels::Rgba, &[205, 205, 205, 255, 0, 0, 0, 255]);
        let read = classify(&pixels, &rule(Mode::Trinary, 0.65, 0.196));
        assert_eq!(read.classes, [Free, Occupied]);
        assert_eq!(codes(&read), ["ALPHA_AVERAGED"]);
        assert!(read.findings[0].message.contains("0 cells are not opaque, 1 cells have another class"));
        let ignoring = Rule { alpha: Alpha::Ignore, ..rule(Mode::Trinary, 0.65, 0.196) };
        assert_eq!(classify(&pixels, &ignoring).classes, [Unknown, Occupied]);
    }

    #[test]
    fn an_opaque_picture_that_alpha_does_not_change_raises_nothing() {
        let pixels = picture(Channels::Rgba, &[254, 254, 254, 255, 0, 0, 0, 255]);
        assert!(classify(&pixels, &rule(Mode::Trinary, 0.65, 0.196)).findings.is_empty());
    }

    #[test]
    fn colours_count_by_their_mean() {
        // (255 + 0 + 12) / 3 = 89: occupied; (255 + 0 + 15) / 3 = 90: unknown.
        let pixels = picture(Channels::Rgb, &[255, 0, 12, 255, 0, 15]);
        assert_eq!(classify(&pixels, &rule(Mode::Trinary, 0.65, 0.196)).classes, [Occupied, Unknown]);
    }

    #[test]
    fn sixteen_bits_keep_their_precision() {
        // p = (65535 - s) / 65535 falls below 0.196 at s = 52690.14.
        let samples = Samples::Sixteen(vec![52690, 52691, 205 * 257]);
        let wide = Picture { width: 3, height: 1, channels: Channels::Grey, max_value: 65535, samples };
        assert_eq!(classify(&wide, &rule(Mode::Trinary, 0.65, 0.196)).classes, [Unknown, Free, Unknown]);
        assert_eq!(codes(&classify(&wide, &rule(Mode::Trinary, 0.65, 0.25))), ["UNKNOWN_MAY_READ_AS_FREE"]);
    }

    proptest! {
        #[test]
        fn a_grey_means_the_same_in_every_kind_of_picture(
            samples in prop::collection::vec(any::<u8>(), 1..50),
            free in 0.0..0.5f64,
            negate: bool,
        ) {
            let rule = Rule { negate, alpha: Alpha::Ignore, ..rule(Mode::Trinary, 0.65, free) };
            let grey = classify(&picture(Channels::Grey, &samples), &rule);
            let rgba: Vec<u8> = samples.iter().flat_map(|&s| [s, s, s, 7]).collect();
            let wide = Samples::Sixteen(samples.iter().map(|&s| u16::from(s) * 257).collect());
            let coloured = classify(&picture(Channels::Rgba, &rgba), &rule);
            let wide = Picture { max_value: 65535, samples: wide, ..picture(Channels::Grey, &samples) };
            prop_assert_eq!(&grey.classes, &coloured.classes);
            prop_assert_eq!(&grey.classes, &classify(&wide, &rule).classes);
            prop_assert_eq!(&grey.findings, &coloured.findings);
        }

        #[test]
        fn the_table_is_the_rule(sample: u8, occupied in 0.5..1.0f64, free in 0.0..0.5f64) {
            let rule = rule(Mode::Trinary, occupied, free);
            let p = (255.0 - f64::from(sample)) / 255.0;
            let class = if p > occupied { Occupied } else if p < free { Free } else { Unknown };
            prop_assert_eq!(classify(&picture(Channels::Grey, &[sample]), &rule).classes, vec![class]);
        }
    }
}
