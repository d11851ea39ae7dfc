//! Looks up, for each cell of the damaged map, where it came from.
//!
//! Four points per cell are looked up, a quarter cell off its middle. One occupied point makes the cell
//! occupied, so that a wall of one cell cannot vanish; it may become one cell thicker. Where nothing is
//! occupied, free needs more points than unknown.

use model::{Cell, CellClass, Grid, GridGeometry, Point2, Pose2};
use rayon::prelude::*;

use super::motion::{Rectangle, Step};
use crate::SimError;

/// Where the middle of a cell of the damaged map came from, in cells from the truth's lower-left corner, and how
/// that point moves when one goes one cell to the right or up in the damaged map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    /// The point in the truth: (right, up).
    pub point: (f64, f64),
    /// Its move per cell to the right.
    pub per_right: (f64, f64),
    /// Its move per cell upwards.
    pub per_up: (f64, f64),
}

impl Source {
    /// The point a part of a cell away from the middle. Exact for a rigid transform; for a bend of radius R cells
    /// off by about 0.06 / R cells.
    fn beside(&self, right: f64, up: f64) -> (f64, f64) {
        (
            self.point.0 + right * self.per_right.0 + up * self.per_up.0,
            self.point.1 + right * self.per_right.1 + up * self.per_up.1,
        )
    }
}

/// Cells that a damaged map has beyond the truth, so that nothing moves out of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Padding {
    left: usize,
    right: usize,
    bottom: usize,
    top: usize,
}

impl Padding {
    /// Room for the known cells of a truth after a step, with a cell to spare. A bend is taken at the border of the known
    /// part, where a motion without folds is farthest out.
    pub(super) fn for_step(truth: &Grid, step: &Step) -> Self {
        const PARTS: usize = 64;
        let Some(known) = Extent::of_known(truth) else { return Self::default() };
        let (geometry, cell_size_m) = (truth.geometry(), truth.geometry().cell_size_m());
        let (width, height) = (geometry.width() as f64, geometry.height() as f64);
        let mut padding = Self::default();
        let along = |low: usize, high: usize, part: usize| {
            low as f64 + (high - low) as f64 * part as f64 / PARTS as f64
        };
        for part in 0..=PARTS {
            let (right, up) = (along(known.left, known.right, part), along(known.bottom, known.top, part));
            let sides = [(right, known.bottom as f64), (right, known.top as f64)];
            for (x, y) in sides.into_iter().chain([(known.left as f64, up), (known.right as f64, up)]) {
                let Some((x, y)) = step.moved((x * cell_size_m, y * cell_size_m)) else { continue };
                padding.reach((x / cell_size_m, y / cell_size_m), (width, height));
            }
        }
        if let Step::Rectangle(rectangle, transform) = step {
            let clamped = |value: f64, low: usize, high: usize| {
                value.clamp(low as f64 * cell_size_m, high as f64 * cell_size_m)
            };
            for (x, y) in rectangle.corners() {
                let corner =
                    Point2::new(clamped(x, known.left, known.right), clamped(y, known.bottom, known.top));
                let moved = *transform * corner;
                padding.reach((moved.x_m / cell_size_m, moved.y_m / cell_size_m), (width, height));
            }
        }
        padding
    }

    fn reach(&mut self, (right, up): (f64, f64), (width, height): (f64, f64)) {
        // A number of cells; a cast of what is not finite gives a bound that the geometry refuses.
        let beyond = |cells: f64| if cells > 0.0 { cells.ceil() as usize + 1 } else { 0 };
        self.left = self.left.max(beyond(-right));
        self.bottom = self.bottom.max(beyond(-up));
        self.right = self.right.max(beyond(right - width));
        self.top = self.top.max(beyond(up - height));
    }

    fn grown(self, geometry: &GridGeometry) -> Result<GridGeometry, SimError> {
        if self == Self::default() {
            return Ok(*geometry);
        }
        let cell_size_m = geometry.cell_size_m();
        let corner = Pose2::new(-(self.left as f64) * cell_size_m, -(self.bottom as f64) * cell_size_m, 0.0);
        let width = geometry.width().saturating_add(self.left).saturating_add(self.right);
        let height = geometry.height().saturating_add(self.bottom).saturating_add(self.top);
        Ok(GridGeometry::new(width, height, cell_size_m, geometry.origin() * corner)?)
    }
}

/// The columns and rows of a grid that hold known cells; the high ends are exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub left: usize,
    pub right: usize,
    pub bottom: usize,
    pub top: usize,
}

impl Extent {
    /// None where nothing is known.
    pub(super) fn of_known(grid: &Grid) -> Option<Self> {
        let (width, height) = (grid.geometry().width(), grid.geometry().height());
        let is_known = |class: &CellClass| *class != CellClass::Unknown;
        let mut extent: Option<Self> = None;
        for (row, classes) in grid.classes().chunks(width).enumerate() {
            let Some(left) = classes.iter().position(is_known) else { continue };
            let right = classes.iter().rposition(is_known).unwrap_or(left) + 1;
            let (bottom, top) = (height - 1 - row, height - row);
            let seen = extent.get_or_insert(Self { left, right, bottom, top });
            (seen.left, seen.right, seen.bottom) = (seen.left.min(left), seen.right.max(right), bottom);
        }
        extent
    }

    /// The same in metres, in the frame of the grid.
    pub(super) fn in_metres(&self, cell_size_m: f64) -> Rectangle {
        let metres = |cells: usize| cells as f64 * cell_size_m;
        Rectangle {
            low: (metres(self.left), metres(self.bottom)),
            high: (metres(self.right), metres(self.top)),
        }
    }
}

/// The truth seen through a transform: the function gives the source of a point of the damaged map, which is
/// counted in cells from the lower-left corner of the truth: (right, up).
pub(super) fn resample(
    truth: &Grid,
    source_of: impl Fn(f64, f64) -> Source + Sync,
) -> Result<Grid, SimError> {
    resample_onto(truth, Padding::default(), source_of)
}

/// As [`resample`], onto a grid that is larger than the truth.
pub(super) fn resample_onto(
    truth: &Grid,
    padding: Padding,
    source_of: impl Fn(f64, f64) -> Source + Sync,
) -> Result<Grid, SimError> {
    let geometry = *truth.geometry();
    fill(truth, padding, |right, up| {
        let source = source_of(right, up);
        vote(|right, up| class_at(truth, &geometry, source.beside(right, up)))
    })
}

/// A map on the cells of the truth and around it: the function gives the class of the cell whose middle lies so many cells
/// right and up of the truth's lower-left corner.
pub(super) fn fill(
    truth: &Grid,
    padding: Padding,
    class_of: impl Fn(f64, f64) -> CellClass + Sync,
) -> Result<Grid, SimError> {
    let geometry = padding.grown(truth.geometry())?;
    let (width, height) = (geometry.width(), geometry.height());
    let mut classes = vec![CellClass::Unknown; geometry.cells()];
    classes.par_chunks_mut(width).enumerate().for_each(|(row, classes)| {
        let up = (height - 1 - row) as f64 - padding.bottom as f64 + 0.5;
        for (column, class) in classes.iter_mut().enumerate() {
            *class = class_of(column as f64 - padding.left as f64 + 0.5, up);
        }
    });
    Ok(Grid::new(geometry, classes)?)
}

/// The class of a cell from four points in it, a quarter cell off its middle.
pub(super) fn vote(class_beside: impl Fn(f64, f64) -> CellClass) -> CellClass {
    let mut free = 0;
    for (right, up) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
        match class_beside(right, up) {
            CellClass::Occupied => return CellClass::Occupied,
            CellClass::Free => free += 1,
            CellClass::Unknown => {}
        }
    }
    if free > 2 { CellClass::Free } else { CellClass::Unknown }
}

/// Nothing is known beyond the grid.
#[inline]
pub(super) fn class_at(truth: &Grid, geometry: &GridGeometry, (right, up): (f64, f64)) -> CellClass {
    let inside =
        right >= 0.0 && up >= 0.0 && right < geometry.width() as f64 && up < geometry.height() as f64;
    if !inside {
        return CellClass::Unknown;
    }
    truth.classes()[geometry.index_of(Cell { i: right as usize, j: up as usize })]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(right: f64, up: f64) -> Source {
        Source { point: (right, up), per_right: (1.0, 0.0), per_up: (0.0, 1.0) }
    }

    #[test]
    fn the_identity_changes_nothing() {
        let truth = testkit::grid(["#.?", "..#"]);
        assert_eq!(resample(&truth, from).unwrap(), truth);
    }

    #[test]
    fn whole_cells_move_and_unknown_follows_from_beyond() {
        let truth = testkit::grid(["#..", "..#"]);
        let moved = resample(&truth, |right, up| from(right - 1.0, up)).unwrap();
        assert_eq!(testkit::rows(&moved), ["?#.", "?.."]);
    }

    #[test]
    fn a_wall_between_two_cells_fills_both() {
        let truth = testkit::grid(["..#.."]);
        let moved = resample(&truth, |right, up| from(right - 0.5, up)).unwrap();
        assert_eq!(testkit::rows(&moved), ["?.##."]);
    }
}
