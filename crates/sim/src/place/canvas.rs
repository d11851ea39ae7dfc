//! Painting of walls and furniture on a grid, in whole cells counted from the lower-left corner.
//!
//! Everything is integer arithmetic, so that no rounding can differ between machines.

use model::{Cell, CellClass, Grid, GridGeometry};

use crate::SimError;

/// A rectangle of cells: columns `left..right`, rows `bottom..top`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub left: i64,
    pub bottom: i64,
    pub right: i64,
    pub top: i64,
}

impl Rect {
    pub(super) const fn new(left: i64, bottom: i64, right: i64, top: i64) -> Self {
        Self { left, bottom, right, top }
    }

    pub(super) const fn width(self) -> i64 {
        self.right - self.left
    }

    pub(super) const fn height(self) -> i64 {
        self.top - self.bottom
    }

    pub(super) const fn area_cells(self) -> i64 {
        self.width() * self.height()
    }

    /// The rectangle with `x` more columns on the left and right and `y` more rows above and below.
    pub(super) const fn grown(self, x: i64, y: i64) -> Self {
        Self::new(self.left - x, self.bottom - y, self.right + x, self.top + y)
    }

    /// The smallest rectangle around both.
    pub(super) fn union(self, other: Self) -> Self {
        Self::new(
            self.left.min(other.left),
            self.bottom.min(other.bottom),
            self.right.max(other.right),
            self.top.max(other.top),
        )
    }

    pub(super) const fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.bottom < other.top
            && other.bottom < self.top
    }

    pub(super) const fn contains(self, other: Self) -> bool {
        self.left <= other.left
            && self.bottom <= other.bottom
            && other.right <= self.right
            && other.top <= self.top
    }
}

/// A grid in the making.
pub(super) struct Canvas {
    geometry: GridGeometry,
    classes: Vec<CellClass>,
}

impl Canvas {
    /// A canvas where nothing is known.
    pub(super) fn unknown(geometry: GridGeometry) -> Self {
        Self { geometry, classes: vec![CellClass::Unknown; geometry.cells()] }
    }

    /// Gives every cell of a rectangle one class; cells beyond the grid are left out.
    pub(super) fn fill(&mut self, rect: Rect, class: CellClass) {
        let (left, right) = (rect.left.max(0), rect.right.min(self.geometry.width() as i64));
        if left >= right {
            return;
        }
        for j in rect.bottom.max(0)..rect.top.min(self.geometry.height() as i64) {
            let start = self.geometry.index_of(Cell { i: left as usize, j: j as usize });
            self.classes[start..start + (right - left) as usize].fill(class);
        }
    }

    /// A solid box: one cell of it is seen from outside, what lies behind stays unknown.
    pub(super) fn solid_box(&mut self, rect: Rect) {
        self.fill(rect, CellClass::Occupied);
        self.fill(rect.grown(-1, -1), CellClass::Unknown);
    }

    /// The solid disc that fits into a square (its side is the smaller side of the rectangle).
    pub(super) fn solid_disc(&mut self, square: Rect) {
        let diameter = square.width().min(square.height());
        // Twice the distance from the centre, so that even and odd diameters stay whole numbers.
        let inside = |x: i64, y: i64| {
            let (dx, dy) = (2 * x + 1 - diameter, 2 * y + 1 - diameter);
            dx * dx + dy * dy <= diameter * diameter
        };
        for y in 0..diameter {
            for x in (0..diameter).filter(|&x| inside(x, y)) {
                let hidden = (-1..=1).all(|dy| (-1..=1).all(|dx| inside(x + dx, y + dy)));
                let class = if hidden { CellClass::Unknown } else { CellClass::Occupied };
                let (left, bottom) = (square.left + x, square.bottom + y);
                self.fill(Rect::new(left, bottom, left + 1, bottom + 1), class);
            }
        }
    }

    pub(super) fn into_grid(self) -> Result<Grid, SimError> {
        Ok(Grid::new(self.geometry, self.classes)?)
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn painted(width: usize, height: usize, paint: impl Fn(&mut Canvas)) -> Vec<String> {
        let geometry = GridGeometry::new(width, height, 1.0, Pose2::IDENTITY).unwrap();
        let mut canvas = Canvas::unknown(geometry);
        canvas.fill(Rect::new(0, 0, 99, 99), CellClass::Free);
        paint(&mut canvas);
        testkit::rows(&canvas.into_grid().unwrap())
    }

    #[test]
    fn rows_count_from_the_bottom() {
        let rows = painted(3, 2, |c| c.fill(Rect::new(1, 0, 2, 1), CellClass::Occupied));
        assert_eq!(rows, ["...", ".#."]);
    }

    #[test]
    fn parts_beyond_the_grid_are_left_out() {
        let rows = painted(3, 2, |c| c.fill(Rect::new(-5, 1, 1, 9), CellClass::Occupied));
        assert_eq!(rows, ["#..", "..."]);
        assert_eq!(painted(2, 1, |c| c.fill(Rect::new(5, 0, 9, 1), CellClass::Occupied)), [".."]);
    }

    #[test]
    fn boxes_hide_their_inside() {
        let rows = painted(5, 4, |c| c.solid_box(Rect::new(1, 0, 5, 3)));
        assert_eq!(rows, [".....", ".####", ".#??#", ".####"]);
    }

    #[test]
    fn discs_are_round_and_hide_their_inside() {
        let rows = painted(6, 6, |c| c.solid_disc(Rect::new(0, 0, 6, 6)));
        assert_eq!(rows, [".####.", "##??##", "#????#", "#????#", "##??##", ".####."]);
        assert_eq!(painted(3, 3, |c| c.solid_disc(Rect::new(0, 0, 1, 1))), ["...", "...", "#.."]);
    }

    #[test]
    fn touching_rectangles_do_not_overlap() {
        let a = Rect::new(0, 0, 2, 2);
        assert!(!a.overlaps(Rect::new(2, 0, 4, 2)));
        assert!(a.overlaps(Rect::new(1, 1, 4, 2)));
        assert!(a.grown(1, 1).contains(a) && !a.contains(a.grown(1, 0)));
    }
}
