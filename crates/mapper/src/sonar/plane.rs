//! The cells of a sonar map: a plane that grows by tiles, and the cells that a cone covers.

use model::{CellClass, Grid, GridGeometry, Point2, Pose2};

use super::Cone;

/// The plane grows by whole tiles of this many cells along a side.
const TILE_CELLS: i64 = 64;
/// No more cells than this are taken.
const MAX_CELLS: i64 = 1 << 24;
/// Cells further out than this are not told apart; they are never inside.
const MAX_CELL: f64 = 1e12;

/// Values by cell; cell (0, 0) has its lower-left corner at the origin.
#[derive(Clone, Debug)]
pub(super) struct Plane<T> {
    cell_size_m: f64,
    first: (i64, i64),
    width: i64,
    height: i64,
    cells: Vec<T>,
}

/// A cell of a cone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ConeCell {
    /// Index into the plane.
    pub index: usize,
    /// Distance of its middle from the transducer.
    pub range_m: f64,
    /// Angle off the axis as a share of half of the opening, 0 to 1.
    pub off_axis: f64,
}

impl<T: Clone + Default> Plane<T> {
    pub(super) const fn new(cell_size_m: f64) -> Self {
        Self { cell_size_m, first: (0, 0), width: 0, height: 0, cells: Vec::new() }
    }

    pub(super) const fn cell_size_m(&self) -> f64 {
        self.cell_size_m
    }

    pub(super) const fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn at(&mut self, index: usize) -> &mut T {
        &mut self.cells[index]
    }

    pub(super) fn get(&self, index: usize) -> &T {
        &self.cells[index]
    }

    fn cell_at(&self, place: Point2) -> (i64, i64) {
        let at = |metres: f64| (metres / self.cell_size_m).floor().clamp(-MAX_CELL, MAX_CELL) as i64;
        (at(place.x_m), at(place.y_m))
    }

    /// Corners of the cells that a cone may touch up to a range.
    fn bounds(&self, map_from_transducer: Pose2, reach_m: f64) -> ((i64, i64), (i64, i64)) {
        let Pose2 { x_m, y_m, .. } = map_from_transducer;
        (
            self.cell_at(Point2::new(x_m - reach_m, y_m - reach_m)),
            self.cell_at(Point2::new(x_m + reach_m, y_m + reach_m)),
        )
    }

    /// Makes room for a cone up to a range; false, and nothing changes, if that takes too many cells.
    pub(super) fn make_room(&mut self, map_from_transducer: Pose2, reach_m: f64) -> bool {
        let (low, high) = self.bounds(map_from_transducer, reach_m);
        let tile = |cell: i64| cell.div_euclid(TILE_CELLS) * TILE_CELLS;
        let is_new = self.cells.is_empty();
        let join = |old: i64, new: i64, pick: fn(i64, i64) -> i64| if is_new { new } else { pick(old, new) };
        let first = (join(self.first.0, tile(low.0), i64::min), join(self.first.1, tile(low.1), i64::min));
        let end = (
            join(self.first.0 + self.width, tile(high.0) + TILE_CELLS, i64::max),
            join(self.first.1 + self.height, tile(high.1) + TILE_CELLS, i64::max),
        );
        let (width, height) = (end.0 - first.0, end.1 - first.1);
        if (first, width, height) == (self.first, self.width, self.height) {
            return true;
        }
        if width.checked_mul(height).is_none_or(|cells| cells > MAX_CELLS) {
            return false;
        }
        let mut cells = vec![T::default(); (width * height) as usize];
        for row in 0..self.height {
            let from = (row * self.width) as usize..((row + 1) * self.width) as usize;
            let to = ((row + self.first.1 - first.1) * width + self.first.0 - first.0) as usize;
            cells[to..to + from.len()].clone_from_slice(&self.cells[from]);
        }
        (self.first, self.width, self.height, self.cells) = (first, width, height, cells);
        true
    }

    /// The cells of a cone whose middles are nearer than `reach_m`, row by row; those of the transducer's own cell too.
    pub(super) fn cells_of(&self, map_from_transducer: Pose2, cone: &Cone, reach_m: f64) -> Vec<ConeCell> {
        let (low, high) = self.bounds(map_from_transducer, reach_m);
        let (sin, cos) = map_from_transducer.theta_rad.sin_cos();
        let half_rad = (cone.opening_rad / 2.0).max(f64::MIN_POSITIVE);
        // Most cells of the box lie outside: this sees it without an arc tangent. A hair wider than the cone.
        let widest = if half_rad < 1.5 { half_rad.tan() * (1.0 + 1e-9) } else { f64::INFINITY };
        let inside = |v: i64, first: i64, side: i64| v.clamp(first, first + side);
        let columns = inside(low.0, self.first.0, self.width)..inside(high.0 + 1, self.first.0, self.width);
        let rows = inside(low.1, self.first.1, self.height)..inside(high.1 + 1, self.first.1, self.height);
        let mut found = Vec::new();
        for row in rows {
            for column in columns.clone() {
                let middle = |cell: i64| (cell as f64 + 0.5) * self.cell_size_m;
                let (dx, dy) =
                    (middle(column) - map_from_transducer.x_m, middle(row) - map_from_transducer.y_m);
                let (ahead_m, aside_m) = (dx * cos + dy * sin, dy * cos - dx * sin);
                if widest.is_finite() && aside_m.abs() > widest * ahead_m.max(0.0) {
                    continue;
                }
                let (range_m, off_rad) = (dx.hypot(dy), aside_m.atan2(ahead_m).abs());
                if range_m <= reach_m && off_rad <= half_rad {
                    let index = ((row - self.first.1) * self.width + column - self.first.0) as usize;
                    found.push(ConeCell { index, range_m, off_axis: off_rad / half_rad });
                }
            }
        }
        found
    }

    /// The cells that have a probability, as a map; none if no cell has one.
    pub(super) fn to_grid(&self, probability: impl Fn(usize, &T) -> Option<f64>) -> Option<Grid> {
        let known: Vec<(i64, i64, f64)> = self
            .cells
            .iter()
            .enumerate()
            .filter_map(|(index, value)| {
                let p = probability(index, value)?;
                Some((index as i64 % self.width + self.first.0, index as i64 / self.width + self.first.1, p))
            })
            .collect();
        let (left, bottom, right, top) = known.iter().fold(
            (i64::MAX, i64::MAX, i64::MIN, i64::MIN),
            |(left, bottom, right, top), &(column, row, _)| {
                (left.min(column), bottom.min(row), right.max(column), top.max(row))
            },
        );
        if known.is_empty() {
            return None;
        }
        let origin = Pose2::new(left as f64 * self.cell_size_m, bottom as f64 * self.cell_size_m, 0.0);
        let (width, height) = ((right - left + 1) as usize, (top - bottom + 1) as usize);
        let geometry = GridGeometry::new(width, height, self.cell_size_m, origin).ok()?;
        let mut probabilities = vec![0.5; geometry.cells()];
        for (column, row, p) in known {
            let cell = model::Cell { i: (column - left) as usize, j: (row - bottom) as usize };
            probabilities[geometry.index_of(cell)] = p;
        }
        let classes = probabilities.iter().map(|&p| CellClass::of_probability(p)).collect();
        Grid::new(geometry, classes).ok()?.with_probabilities(probabilities).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cone(opening_deg: f64) -> Cone {
        Cone { opening_rad: opening_deg.to_radians(), ..Cone::default() }
    }

    #[test]
    fn a_cone_holds_the_cells_between_its_edges() {
        let mut plane = Plane::<u8>::new(1.0);
        // Middles at x = 0.5, 1.5, 2.5 ahead of a transducer at (0, 0.5).
        let ahead = Pose2::new(0.0, 0.5, 0.0);
        assert!(plane.make_room(ahead, 3.0));
        let ranges = |opening_deg: f64| {
            let mut cells = plane.cells_of(ahead, &cone(opening_deg), 3.0);
            cells.sort_by(|a, b| a.range_m.total_cmp(&b.range_m));
            cells.iter().map(|cell| (cell.range_m * 100.0).round() as i64).collect::<Vec<_>>()
        };
        assert_eq!(ranges(20.0), [50, 150, 250]);
        // At 60 degrees the cells beside the axis at x = 2.5 come in (21.8 degrees), those at 1.5 do not (33.7).
        assert_eq!(ranges(60.0), [50, 150, 250, 269, 269]);
    }

    #[test]
    fn the_plane_grows_and_keeps_its_values_and_refuses_the_moon() {
        let mut plane = Plane::<u8>::new(0.1);
        plane.make_room(Pose2::IDENTITY, 1.0);
        let cell = plane.cells_of(Pose2::IDENTITY, &cone(10.0), 1.0)[0];
        *plane.at(cell.index) = 7;
        assert!(plane.make_room(Pose2::new(-30.0, 20.0, 0.0), 1.0));
        let again = plane.cells_of(Pose2::IDENTITY, &cone(10.0), 1.0)[0];
        assert_eq!((*plane.get(again.index), again.range_m), (7, cell.range_m));
        let cells = plane.len();
        assert!(!plane.make_room(Pose2::new(1e9, 0.0, 0.0), 1.0) && plane.len() == cells);
        let known = plane.to_grid(|_, value| (*value == 7).then_some(1.0)).unwrap();
        assert_eq!((known.geometry().width(), known.classes()), (1, &[CellClass::Occupied][..]));
        assert!(plane.to_grid(|_, _| None).is_none());
    }
}
