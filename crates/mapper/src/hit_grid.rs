//! The count grid of a mapper (F-CNT): p = occ / seen, with the centroid of the hits in each cell; it grows as the robot
//! goes on.

use model::{CellClass, Grid, GridGeometry, Point2, Pose2};

use crate::Scan;
use crate::ray_cells::ray_cells;

/// The grid grows by whole tiles of this many cells along a side (L-PF).
const TILE_CELLS: i64 = 256;
/// No more cells than this are taken: 2^26 cells of 24 bytes are 1.6 GB.
const MAX_CELLS: usize = 1 << 26;

/// Cells further out than this are not told apart; they are never inside.
const MAX_CELL: f64 = 1e12;
/// Longer rays are not followed.
const MAX_RAY_CELLS: i64 = 1 << 16;

/// What beams without a return say about the cells they cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misses {
    /// Nothing. The paper does not speak of them.
    Ignored,
    /// The cells up to the largest range are free.
    Clear,
}

/// Counts of one cell.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    seen: u32,
    occupied: u32,
    /// Number of hits and sum of their positions in the cell, in cells from its lower-left corner.
    hits: u32,
    hit_x: f32,
    hit_y: f32,
    /// The last scan that touched the cell, and whether it hit it.
    last_scan: u32,
    is_hit: bool,
}

/// How often cells were seen, and seen occupied.
#[derive(Clone, Debug)]
pub struct HitGrid {
    cell_size_m: f64,
    /// What a scan that hits a cell adds to its `occ`, which is never above `seen`. Paper: 1.
    hit_weight: u32,
    /// Cell of the world that is the first of the grid; cell (0, 0) has its lower-left corner at the origin.
    first: (i64, i64),
    width: i64,
    height: i64,
    cells: Vec<Counts>,
    /// p = occ / seen; 0 where nothing was seen, which is what the filter asks for.
    probabilities: Vec<f32>,
    scans: u32,
    /// Cells that could not be counted because the grid would have become too large.
    lost: u64,
}

impl HitGrid {
    /// An empty grid of so many cells along a side, its middle at the origin.
    #[must_use]
    pub fn new(cell_size_m: f64, side_cells: usize) -> Self {
        let side = (side_cells as i64).clamp(1, 1 << 12);
        let cells = (side * side) as usize;
        Self {
            cell_size_m,
            hit_weight: 1,
            first: (-side / 2, -side / 2),
            width: side,
            height: side,
            cells: vec![Counts::default(); cells],
            probabilities: vec![0.0; cells],
            scans: 0,
            lost: 0,
        }
    }

    /// The same grid with heavier hits.
    #[must_use]
    pub const fn hit_weight(mut self, hit_weight: u32) -> Self {
        self.hit_weight = hit_weight;
        self
    }

    /// Edge of a cell in metres.
    #[must_use]
    pub const fn cell_size_m(&self) -> f64 {
        self.cell_size_m
    }

    /// Cells that could not be counted because the grid would have become too large.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }

    /// p = occ / seen of the cell at a place; 0 where nothing was seen and outside.
    #[must_use]
    pub fn probability_at(&self, place: Point2) -> f64 {
        self.index(self.cell_at(place)).map_or(0.0, |index| f64::from(self.probabilities[index]))
    }

    /// (occupied, seen) of a cell; cell (0, 0) has its lower-left corner at the origin.
    #[must_use]
    pub fn counts(&self, cell: (i64, i64)) -> (u32, u32) {
        self.index(cell).map_or((0, 0), |index| (self.cells[index].occupied, self.cells[index].seen))
    }

    /// Centroid of the hits in a cell.
    #[must_use]
    pub fn centroid(&self, cell: (i64, i64)) -> Option<Point2> {
        let counts = self.cells[self.index(cell)?];
        let at = |corner: i64, sum: f32| {
            (corner as f64 + f64::from(sum) / f64::from(counts.hits)) * self.cell_size_m
        };
        (counts.hits > 0).then(|| Point2::new(at(cell.0, counts.hit_x), at(cell.1, counts.hit_y)))
    }

    /// Probabilities row by row from below, the number of columns, and the cell of the first.
    pub(crate) fn plane(&self) -> (&[f32], i64, i64, (i64, i64)) {
        (&self.probabilities, self.width, self.height, self.first)
    }

    pub(crate) fn cell_at(&self, place: Point2) -> (i64, i64) {
        let at = |metres: f64| (metres / self.cell_size_m).floor().clamp(-MAX_CELL, MAX_CELL) as i64;
        (at(place.x_m), at(place.y_m))
    }

    fn index(&self, cell: (i64, i64)) -> Option<usize> {
        let (column, row) = (cell.0 - self.first.0, cell.1 - self.first.1);
        let is_inside = (0..self.width).contains(&column) && (0..self.height).contains(&row);
        is_inside.then(|| (row * self.width + column) as usize)
    }

    /// Counts a scan taken at a pose: cells on the rays are free, end cells occupied; within one scan occupied wins over
    /// free whatever the order of the beams, and each cell counts once (L-PF 5).
    pub fn stamp(&mut self, scan: &Scan, map_from_robot: Pose2, misses: Misses) {
        if !map_from_robot.is_finite() {
            return;
        }
        self.scans += 1;
        let laser = map_from_robot * scan.laser_in_robot;
        let clearing = if misses == Misses::Clear { scan.misses_in_robot.as_slice() } else { &[] };
        let ends = scan.hits_in_robot.iter().chain(clearing).map(|end| map_from_robot * *end);
        self.make_room(ends.chain([laser]).collect::<Vec<_>>().as_slice());
        let from = self.cell_at(laser);
        for &hit in &scan.hits_in_robot {
            let end = map_from_robot * hit;
            let to = self.cell_at(end);
            self.clear(from, to);
            self.touch(to, Some(end));
        }
        for &miss in clearing {
            self.clear(from, self.cell_at(map_from_robot * miss));
        }
    }

    /// Touches the cells of a ray but the last.
    fn clear(&mut self, from: (i64, i64), to: (i64, i64)) {
        if (to.0 - from.0).abs().max((to.1 - from.1).abs()) > MAX_RAY_CELLS {
            self.lost += 1;
            return;
        }
        ray_cells(from, to, |cell| {
            if cell != to {
                self.touch(cell, None);
            }
        });
    }

    fn touch(&mut self, cell: (i64, i64), hit: Option<Point2>) {
        let Some(index) = self.index(cell) else {
            self.lost += 1;
            return;
        };
        let counts = &mut self.cells[index];
        if counts.last_scan != self.scans {
            (counts.last_scan, counts.is_hit) = (self.scans, false);
            counts.seen += 1;
        }
        if let Some(place) = hit {
            counts.hits += 1;
            counts.hit_x += (place.x_m / self.cell_size_m - cell.0 as f64) as f32;
            counts.hit_y += (place.y_m / self.cell_size_m - cell.1 as f64) as f32;
            if !std::mem::replace(&mut counts.is_hit, true) {
                counts.occupied = (counts.occupied + self.hit_weight).min(counts.seen);
            }
        }
        self.probabilities[index] = counts.occupied as f32 / counts.seen as f32;
    }

    /// Grows by whole tiles until the places are inside, unless that takes too many cells.
    fn make_room(&mut self, places: &[Point2]) {
        let (mut low, mut high) =
            (self.first, (self.first.0 + self.width - 1, self.first.1 + self.height - 1));
        for &place in places {
            let cell = self.cell_at(place);
            low = (low.0.min(cell.0), low.1.min(cell.1));
            high = (high.0.max(cell.0), high.1.max(cell.1));
        }
        let tiles = |cells: i64| (cells + TILE_CELLS - 1).div_euclid(TILE_CELLS) * TILE_CELLS;
        let first = (self.first.0 - tiles(self.first.0 - low.0), self.first.1 - tiles(self.first.1 - low.1));
        let end = |first: i64, side: i64, high: i64| first + side + tiles(high + 1 - first - side);
        let width = end(self.first.0, self.width, high.0) - first.0;
        let height = end(self.first.1, self.height, high.1) - first.1;
        let is_small = width.checked_mul(height).is_some_and(|cells| cells <= MAX_CELLS as i64);
        if (width, height) == (self.width, self.height) || !is_small {
            return;
        }
        let mut cells = vec![Counts::default(); (width * height) as usize];
        let mut probabilities = vec![0.0; cells.len()];
        for row in 0..self.height {
            let from = (row * self.width) as usize..((row + 1) * self.width) as usize;
            let to = ((row + self.first.1 - first.1) * width + self.first.0 - first.0) as usize;
            cells[to..to + from.len()].copy_from_slice(&self.cells[from.clone()]);
            probabilities[to..to + from.len()].copy_from_slice(&self.probabilities[from]);
        }
        (self.first, self.width, self.height) = (first, width, height);
        (self.cells, self.probabilities) = (cells, probabilities);
    }

    /// The cells that were seen as a map with classes and probabilities; none if nothing was seen.
    #[must_use]
    pub fn to_grid(&self) -> Option<Grid> {
        let seen = |column: i64, row: i64| self.cells[(row * self.width + column) as usize].seen > 0;
        let rows: Vec<i64> = (0..self.height).filter(|&row| (0..self.width).any(|c| seen(c, row))).collect();
        let (&bottom, &top) = rows.first().zip(rows.last())?;
        let is_used = |column: &i64| (bottom..=top).any(|row| seen(*column, row));
        let (left, right) = ((0..self.width).find(is_used)?, (0..self.width).rev().find(is_used)?);
        let corner = |first: i64, at: i64| (first + at) as f64 * self.cell_size_m;
        let origin = Pose2::new(corner(self.first.0, left), corner(self.first.1, bottom), 0.0);
        let (width, height) = ((right - left + 1) as usize, (top - bottom + 1) as usize);
        let geometry = GridGeometry::new(width, height, self.cell_size_m, origin).ok()?;
        let mut probabilities = vec![0.5; geometry.cells()];
        for row in bottom..=top {
            for column in left..=right {
                let counts = self.cells[(row * self.width + column) as usize];
                let cell = model::Cell { i: (column - left) as usize, j: (row - bottom) as usize };
                if counts.seen > 0 {
                    probabilities[geometry.index_of(cell)] =
                        f64::from(counts.occupied) / f64::from(counts.seen);
                }
            }
        }
        let classes = probabilities.iter().map(|&p| CellClass::of_probability(p)).collect();
        Grid::new(geometry, classes).ok()?.with_probabilities(probabilities).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(beams: &[(f64, f64)]) -> Scan {
        let point = |&(direction_deg, range_m): &(f64, f64)| {
            let direction_rad = direction_deg.to_radians();
            Point2::new(range_m * direction_rad.cos(), range_m * direction_rad.sin())
        };
        Scan { hits_in_robot: beams.iter().map(point).collect(), ..Scan::default() }
    }

    const ROBOT: Pose2 = Pose2::new(0.025, 0.025, 0.0);

    #[test]
    fn spec_09_e6_two_beams_touch_32_cells() {
        let mut grid = HitGrid::new(0.05, 800);
        grid.stamp(&scan(&[(0.0, 1.0), (2.0, 1.0)]), ROBOT, Misses::Ignored);
        assert_eq!(grid.cells.iter().filter(|cell| cell.seen == 1).count(), 32);
        // (420, 400) and (420, 401) counted from the lower-left corner at (-20, -20).
        assert_eq!((grid.counts((20, 0)), grid.counts((20, 1))), ((1, 1), (1, 1)));
        assert_eq!(grid.cells.iter().filter(|cell| cell.occupied > 0).count(), 2);
    }

    #[test]
    fn spec_09_e6_probabilities() {
        let mut grid = HitGrid::new(0.05, 800);
        for range_m in [1.0, 1.0, 1.0, 1.5] {
            grid.stamp(&scan(&[(0.0, range_m)]), ROBOT, Misses::Ignored);
        }
        assert_eq!(grid.counts((20, 0)), (3, 4));
        let at = |x_m: f64| grid.probability_at(Point2::new(x_m, 0.025));
        assert_eq!((at(1.025), at(0.525), at(1.525), at(3.0)), (0.75, 0.0, 1.0, 0.0));
    }

    #[test]
    fn spec_09_e7_occupied_wins_in_either_order() {
        for beams in [[(0.0, 1.0), (0.0, 0.5)], [(0.0, 0.5), (0.0, 1.0)]] {
            let mut grid = HitGrid::new(0.05, 800);
            grid.stamp(&scan(&beams), ROBOT, Misses::Ignored);
            assert_eq!(grid.counts((10, 0)), (1, 1), "{beams:?}");
        }
    }

    #[test]
    fn the_grid_grows_and_keeps_what_it_knows() {
        let mut grid = HitGrid::new(0.05, 8);
        grid.stamp(&scan(&[(0.0, 1.0)]), ROBOT, Misses::Ignored);
        grid.stamp(&scan(&[(180.0, 30.0), (90.0, 20.0)]), ROBOT, Misses::Ignored);
        assert_eq!((grid.counts((20, 0)), grid.counts((-600, 0)).0), ((1, 1), 1));
        let map = grid.to_grid().unwrap();
        assert_eq!((map.geometry().width(), map.geometry().height()), (621, 401));
        assert_eq!(grid.lost(), 0);
    }

    #[test]
    fn a_heavy_hit_counts_at_most_as_often_as_the_cell_was_seen() {
        let mut grid = HitGrid::new(0.05, 80).hit_weight(4);
        // Crossed twice, then hit twice: 0/2, 3/3, 4/4.
        for (range_m, expected) in [(1.5, (0, 1)), (1.5, (0, 2)), (1.0, (3, 3)), (1.0, (4, 4))] {
            grid.stamp(&scan(&[(0.0, range_m)]), ROBOT, Misses::Ignored);
            assert_eq!(grid.counts((20, 0)), expected);
        }
    }

    #[test]
    fn nothing_seen_is_no_map_and_far_away_is_lost_not_taken() {
        let mut grid = HitGrid::new(0.05, 8);
        assert!(grid.to_grid().is_none());
        grid.stamp(&scan(&[(0.0, 1e7)]), ROBOT, Misses::Ignored);
        assert!(grid.lost() > 0 && grid.width < 1000);
        grid.stamp(&scan(&[(0.0, 1.0)]), Pose2::new(f64::NAN, 0.0, 0.0), Misses::Ignored);
    }

    #[test]
    fn centroids_lie_where_the_hits_were() {
        let mut grid = HitGrid::new(0.1, 80);
        grid.stamp(&scan(&[(0.0, 1.01), (0.5, 1.01)]), Pose2::IDENTITY, Misses::Ignored);
        let centroid = grid.centroid((10, 0)).unwrap();
        assert!((centroid.x_m - 1.01).abs() < 1e-4 && centroid.y_m > 0.0);
        assert_eq!(grid.centroid((11, 0)), None);
    }
}
