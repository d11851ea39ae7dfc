//! Circles and arcs in a map: the outlines of barrels (spec D-HOUGH and D-VERIFY).
//!
//! [`outlines`] finds what a person would call a barrel: few entries, ranked, fit to be shown. [`hough`] is the plain
//! transform for arcs of one radius: it misses nothing and finds far too much, which is what an assignment to known
//! places wants.
//!
//! Places are in cells as in an image: x to the right, y **down**, the middle of the first cell at (0.5, 0.5). Angles
//! are counter-clockwise as seen in the image, 0 to the right.

mod around;
mod edges;
mod ellipse;
mod glance;
pub mod hough;
pub mod outlines;
mod padded;
pub mod part;
mod rays;
mod refine;
mod shrunk;
mod straight;
mod support;
mod votes;

use model::CellClass;
use padded::Padded;

/// The smallest radius, in cells, at which an arc can be told from a corner.
pub const MIN_RADIUS_CELLS: f64 = 2.0;
/// The largest radius, in cells, that is looked for.
pub const MAX_RADIUS_CELLS: f64 = 1000.0;

/// A visible part of a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Where it begins, counter-clockwise, in [0, 2 pi).
    pub start_rad: f64,
    /// How far it reaches from there; 2 pi for the whole circle.
    pub opening_rad: f64,
}

/// A circle that was found, whole or in part.
#[derive(Clone, Debug, PartialEq)]
pub struct Circle {
    /// Column of the centre, in cells.
    pub x_cells: f64,
    /// Row of the centre, in cells, downwards.
    pub y_cells: f64,
    /// Radius of the middle of the outline, in cells.
    pub radius_cells: f64,
    /// The visible parts, longest first; never empty.
    pub arcs: Vec<Arc>,
    /// Number of occupied cells on the outline.
    pub support: usize,
    /// Root mean square distance of the outline from the circle, in cells.
    pub rms_cells: f64,
    /// How much it is a barrel: 2.5 for a perfect whole circle, 0.9 for a perfect half; 0 where it was not computed.
    pub quality: f64,
}

impl Circle {
    /// The longest visible part.
    pub fn main_arc(&self) -> Arc {
        self.arcs.first().copied().unwrap_or(Arc { start_rad: 0.0, opening_rad: 0.0 })
    }

    /// Share of Unknown and of Free cells within the disc, without its outline. A barrel hides what is in it, but
    /// some can be seen through.
    pub fn inside_shares(&self, plane: &[u8], width: usize) -> [f64; 2] {
        let inner = (self.radius_cells - 1.0).max(0.5);
        let mut counts = [0_usize; 3];
        let height = plane.len() / width;
        let span = |middle: f64, side: usize| {
            (middle - inner).max(0.0) as usize..((middle + inner).max(0.0) as usize + 1).min(side)
        };
        for y in span(self.y_cells, height) {
            for x in span(self.x_cells, width) {
                let away = (x as f64 + 0.5 - self.x_cells).hypot(y as f64 + 0.5 - self.y_cells);
                if away <= inner {
                    counts[usize::from(plane[y * width + x]).min(2)] += 1;
                }
            }
        }
        let all = counts.iter().sum::<usize>().max(1) as f64;
        [CellClass::Unknown, CellClass::Free].map(|class| counts[class as usize] as f64 / all)
    }
}

/// A search that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The radius is too small, too large or not a number.
    #[error("radius of {0} cells: expected {MIN_RADIUS_CELLS} to {MAX_RADIUS_CELLS}")]
    Radius(f64),
    /// The range of radii is empty or too wide.
    #[error("radii from {0} to {1} cells: expected a range upwards of at most {MAX_RANGE_CELLS} cells")]
    Range(f64, f64),
}

impl SearchError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Radius(_) => "CIRCLE_RADIUS",
            Self::Range(..) => "CIRCLE_RANGE",
        }
    }
}

/// The widest range of radii that is searched at once.
pub const MAX_RANGE_CELLS: f64 = 48.0;

fn check_radius(radius_cells: f64) -> Result<f64, SearchError> {
    let is_sensible = (MIN_RADIUS_CELLS..=MAX_RADIUS_CELLS).contains(&radius_cells);
    if is_sensible { Ok(radius_cells) } else { Err(SearchError::Radius(radius_cells)) }
}

#[cfg(test)]
mod tests;
