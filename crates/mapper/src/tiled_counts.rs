//! The counts of a map that is drawn once, in tiles that are made where a ray passes: a map of a campus is mostly empty.
//!
//! The same counts as [`crate::HitGrid`] has for hits of weight 1: cells on the rays are seen free, end cells occupied; within one scan
//! occupied wins over free, and each cell counts once (F-CNT, L-PF 5).

use std::collections::HashMap;

use model::{CellClass, Grid, GridGeometry, Point2, Pose2};

use crate::Scan;
use crate::ray_cells::ray_cells;

/// Cells along the side of a tile.
const TILE: i64 = 64;
const CELLS_PER_TILE: usize = (TILE * TILE) as usize;
/// No map has more cells than this, empty ones too: 2^26 cells of 9 bytes are 0.6 GB.
const MAX_CELLS: i64 = 1 << 26;
/// Longer rays are not followed, and places further away are not told apart, cells.
const MAX_RAY_CELLS: i64 = 1 << 16;
const MAX_CELL: f64 = 1e9;

#[derive(Clone, Copy, Default)]
struct Counts {
    seen: u16,
    occupied: u16,
    /// The last scan that touched the cell, twice its number, and one more if it hit it.
    last_scan: u32,
}

struct Tile {
    place: (i64, i64),
    counts: Box<[Counts]>,
}

/// How often cells were seen, and seen occupied.
pub(crate) struct TiledCounts {
    cell_size_m: f64,
    /// Where a tile is in the list, by its place.
    directory: HashMap<(i64, i64), usize>,
    tiles: Vec<Tile>,
    /// Cells from here to there may be counted: the map would be too large otherwise.
    low: (i64, i64),
    high: (i64, i64),
    scans: u32,
}

impl TiledCounts {
    pub fn new(cell_size_m: f64) -> Self {
        let (directory, tiles) = (HashMap::new(), Vec::new());
        Self { cell_size_m, directory, tiles, low: (0, 0), high: (0, 0), scans: 0 }
    }

    fn cell_at(&self, place: Point2) -> (i64, i64) {
        let at = |metres: f64| (metres / self.cell_size_m).floor().clamp(-MAX_CELL, MAX_CELL) as i64;
        (at(place.x_m), at(place.y_m))
    }

    /// Counts a scan taken at a pose.
    pub fn stamp(&mut self, scan: &Scan, map_from_robot: Pose2) {
        if !map_from_robot.is_finite() {
            return;
        }
        self.scans += 1;
        let from = self.cell_at(map_from_robot * scan.laser_in_robot);
        for &hit in &scan.hits_in_robot {
            let to = self.cell_at(map_from_robot * hit);
            let is_short = (to.0 - from.0).abs().max((to.1 - from.1).abs()) <= MAX_RAY_CELLS;
            if !(is_short && self.make_room(from) && self.make_room(to)) {
                continue;
            }
            self.draw(from, to);
        }
    }

    /// Whether a cell is inside, or can be without the map becoming too large.
    fn make_room(&mut self, cell: (i64, i64)) -> bool {
        let low = (self.low.0.min(cell.0), self.low.1.min(cell.1));
        let high = (self.high.0.max(cell.0), self.high.1.max(cell.1));
        let is_small = (high.0 - low.0 + 1).saturating_mul(high.1 - low.1 + 1) <= MAX_CELLS;
        if is_small {
            (self.low, self.high) = (low, high);
        }
        is_small
    }

    /// The cells of a ray are free but for the last, which is occupied.
    fn draw(&mut self, from: (i64, i64), to: (i64, i64)) {
        let scan = 2 * self.scans;
        // One look-up per tile that the ray crosses.
        let mut known: Option<((i64, i64), usize)> = None;
        ray_cells(from, to, |cell| {
            let place = (cell.0.div_euclid(TILE), cell.1.div_euclid(TILE));
            let tile = match known.filter(|(at, _)| *at == place) {
                Some((_, tile)) => tile,
                None => self.tile(place),
            };
            known = Some((place, tile));
            let within = cell.1.rem_euclid(TILE) * TILE + cell.0.rem_euclid(TILE);
            self.tiles[tile].counts[within as usize].touch(scan, cell == to);
        });
    }

    /// Where the tile of a place is in the list; it is made if it is not there.
    fn tile(&mut self, place: (i64, i64)) -> usize {
        let next = self.tiles.len();
        let tile = *self.directory.entry(place).or_insert(next);
        if tile == next {
            let counts = vec![Counts::default(); CELLS_PER_TILE].into_boxed_slice();
            self.tiles.push(Tile { place, counts });
        }
        tile
    }

    /// The cells that were seen as a map with classes and probabilities; none if nothing was seen.
    pub fn to_grid(&self) -> Option<Grid> {
        let seen = self.tiles.iter().flat_map(|Tile { place, counts }| {
            let of_cell = |(within, counts): (usize, &Counts)| (place_of(*place, within), *counts);
            counts.iter().enumerate().filter(|(_, counts)| counts.seen > 0).map(of_cell)
        });
        let (low, high) = seen.clone().fold(None, |bounds, (cell, _)| {
            let (low, high) = bounds.unwrap_or((cell, cell));
            let low = (cell.0.min(low.0), cell.1.min(low.1));
            Some((low, (cell.0.max(high.0), cell.1.max(high.1))))
        })?;
        let corner = |at: i64| at as f64 * self.cell_size_m;
        let origin = Pose2::new(corner(low.0), corner(low.1), 0.0);
        let (width, height) = ((high.0 - low.0 + 1) as usize, (high.1 - low.1 + 1) as usize);
        let geometry = GridGeometry::new(width, height, self.cell_size_m, origin).ok()?;
        let mut probabilities = vec![0.5; geometry.cells()];
        let mut classes = vec![CellClass::of_probability(0.5); geometry.cells()];
        for (cell, counts) in seen {
            let cell = model::Cell { i: (cell.0 - low.0) as usize, j: (cell.1 - low.1) as usize };
            let index = geometry.index_of(cell);
            probabilities[index] = f64::from(counts.occupied) / f64::from(counts.seen);
            classes[index] = CellClass::of_probability(probabilities[index]);
        }
        Grid::new(geometry, classes).ok()?.with_probabilities(probabilities).ok()
    }
}

/// The cell of a place within a tile.
fn place_of(tile: (i64, i64), within: usize) -> (i64, i64) {
    (tile.0 * TILE + within as i64 % TILE, tile.1 * TILE + within as i64 / TILE)
}

impl Counts {
    fn touch(&mut self, scan: u32, is_hit: bool) {
        if self.last_scan & !1 != scan {
            self.last_scan = scan;
            if self.seen == u16::MAX {
                (self.seen, self.occupied) = (self.seen / 2, self.occupied / 2);
            }
            self.seen += 1;
        }
        if is_hit && self.last_scan & 1 == 0 {
            self.last_scan |= 1;
            self.occupied += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HitGrid, Misses};

    #[test]
    fn the_map_is_that_of_a_whole_grid() {
        let mut random = model::SeededRng::new(5);
        let (mut tiled, mut whole) = (TiledCounts::new(0.05), HitGrid::new(0.05, 64));
        for _ in 0..40 {
            let mut place = |reach: f64| reach * (2.0 * random.uniform() - 1.0);
            let pose = Pose2::new(place(6.0), place(6.0), place(3.0));
            let hits = (0..60).map(|_| Point2::new(place(9.0), place(9.0))).collect();
            let scan = Scan { hits_in_robot: hits, laser_in_robot: Point2::new(0.1, 0.0), ..Scan::default() };
            tiled.stamp(&scan, pose);
            whole.stamp(&scan, pose, Misses::Ignored);
        }
        let (tiled, whole) = (tiled.to_grid().unwrap(), whole.to_grid().unwrap());
        assert_eq!(tiled.geometry(), whole.geometry());
        assert!(tiled.probabilities() == whole.probabilities() && tiled.classes() == whole.classes());
    }

    #[test]
    fn nothing_seen_is_no_map_and_what_is_too_far_away_is_left_out() {
        let mut counts = TiledCounts::new(0.05);
        assert!(counts.to_grid().is_none());
        let scan = |x_m: f64| Scan { hits_in_robot: vec![Point2::new(x_m, 0.0)], ..Scan::default() };
        counts.stamp(&scan(1e7), Pose2::IDENTITY);
        counts.stamp(&scan(1.0), Pose2::new(f64::NAN, 0.0, 0.0));
        assert!(counts.to_grid().is_none());
        counts.stamp(&scan(1.0), Pose2::IDENTITY);
        // Two thousand cells to the right fit; as many up and as wide as ten million do not.
        counts.stamp(&scan(1.0), Pose2::new(100.0, 0.0, 0.0));
        counts.stamp(&scan(1.0), Pose2::new(0.0, 4e3, 0.0));
        let map = counts.to_grid().unwrap();
        assert_eq!((map.geometry().width(), map.geometry().height()), (2021, 1));
    }

    #[test]
    fn a_cell_that_is_seen_very_often_keeps_its_ratio() {
        let mut counts = Counts::default();
        (1..=200_000_u32).for_each(|scan| counts.touch(2 * scan, scan.is_multiple_of(4)));
        let ratio = f64::from(counts.occupied) / f64::from(counts.seen);
        assert!((ratio - 0.25).abs() < 1e-3, "{ratio}");
    }
}
