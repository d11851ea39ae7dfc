//! Where each tile of the truth appears in a map: a rigid motion of its own, followed from tile to tile.
//!
//! A bent map fits the truth nowhere as a whole, and everywhere in the small:
//!
//! 1. the walls of the truth fall into square tiles; each is registered together with the walls half a tile around it;
//! 2. tiles that fit under a motion that is known already, such as that of a part of [`super::piecewise`], start from it;
//! 3. the tile that fits best is settled, and its neighbours start from its motion: along a bend the next tile lies nearly
//!    where the last one says, and each cell of distance from there must be worth it. Of several starts a tile keeps the one that led
//!    to the better fit.
//!
//! The fit of a tile is Σ max(0, 1 - d / (τ + 1)) over its walls, as for parts, from the truth's walls to those of the map:
//! walls that only the map has cost nothing. A tile of which less than half has a wall of the map within τ has no motion.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use model::{Cell, Grid, GridGeometry, Point2, Pose2};

use super::field::WallField;
use super::rigid_motion::RigidMotion;
use super::search::Search;
use super::{share_within, walls_of};

/// Parameters; lengths in metres become whole cells of the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiles {
    /// Side of a tile, metres. Default 2: a room has corners in most tiles, and a bend hardly shows within one.
    pub tile_m: f64,
    /// Walls this near count as found, metres. Default 0.1, at least one cell.
    pub tau_m: f64,
}

impl Default for Tiles {
    fn default() -> Self {
        Self { tile_m: 2.0, tau_m: 0.1 }
    }
}

/// A tile of the truth, and where the map has it.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMotion {
    /// The motion, in the frame of the truth.
    pub map_from_truth: Pose2,
    /// The middle of its walls.
    pub middle: Point2,
    /// Its walls that have a wall of the map within τ under the motion: cells of the truth in image order.
    pub found: Vec<usize>,
}

/// The tiles that were found.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalMotions {
    /// Row by row from below.
    pub tiles: Vec<TileMotion>,
    /// Wall cells of the truth, but for those deep inside of solid areas.
    pub walls: usize,
}

/// A tile is registered by at least so many walls, its own and those around it.
const MIN_CELLS: usize = 20;
/// Walls that are looked at per tile.
const MAX_CELLS: usize = 400;
/// A start that is known fits this share of a tile.
const START_SHARE: f64 = 0.8;
/// A tile that is found fits this share.
const FOUND_SHARE: f64 = 0.5;
/// Neighbours whose motions a tile tries.
const TRIES: u8 = 3;
/// First steps with the wide and with the narrow tolerance, cells.
const WIDE_STEP_CELLS: f64 = 2.0;
const NARROW_STEP_CELLS: f64 = 0.5;
const LAST_STEP_CELLS: f64 = 0.125;
/// What each cell of distance from the start costs: a straight wall must not slide along itself for the sake of a speck.
const COST_PER_CELL: f64 = 0.02;
/// Sums of worths so near to what is needed are finished.
const ROUNDING: f64 = 1e-6;
/// The wide tolerance by the narrow one.
const WIDER: u32 = 3;

/// Looks for the tiles of the truth in the map, from motions that some of them may have. Both maps lie on the same cells.
///
/// None if either has no wall.
pub fn local_motions(truth: &Grid, map: &Grid, starts: &[Pose2], params: &Tiles) -> Option<LocalMotions> {
    let geometry = truth.geometry();
    let is_wall = walls_of(truth);
    let walls: Vec<usize> = (0..is_wall.len()).filter(|&index| is_wall[index]).collect();
    let whole_cells = |length_m: f64| (length_m / geometry.cell_size_m() + 1e-9).floor().max(1.0) as u32;
    let tau = whole_cells(params.tau_m);
    let side = whole_cells(params.tile_m).max(4) as usize;
    let narrow = WallField::of(&walls_of(map), geometry, tau, None)?;
    let wide = narrow.with_tolerance(WIDER * tau);
    let mut follow =
        Follow { geometry, narrow, wide, tau, tiles: tiles(&walls, side, geometry), open: BinaryHeap::new() };
    for start in starts {
        follow.start_from(*start);
    }
    follow.follow();
    (!walls.is_empty()).then(|| LocalMotions { tiles: follow.found(), walls: walls.len() })
}

/// A tile in the work.
struct Tile {
    column: usize,
    row: usize,
    cells: Vec<usize>,
    /// Its walls and those around it, column and row from below; not more than are looked at.
    window: Vec<(f64, f64)>,
    /// The best motion so far, about the middle of the window, and its fit in millionths.
    best: Option<(u64, RigidMotion)>,
    tries: u8,
    is_settled: bool,
}

struct Follow<'a> {
    geometry: &'a GridGeometry,
    narrow: WallField,
    wide: WallField,
    tau: u32,
    /// Row by row from below.
    tiles: Vec<Tile>,
    /// Tiles with a motion by their fit; of equals the first.
    open: BinaryHeap<(u64, Reverse<usize>)>,
}

impl Follow<'_> {
    /// Step 2: tiles that fit under a known motion.
    fn start_from(&mut self, map_from_truth: Pose2) {
        for index in 0..self.tiles.len() {
            let tile = &self.tiles[index];
            let motion = RigidMotion::of_world(map_from_truth, self.geometry, middle(&tile.window));
            if share_within(&self.narrow, &motion, &tile.window, self.tau) >= START_SHARE {
                self.offer(index, motion);
            }
        }
    }

    /// Step 3.
    fn follow(&mut self) {
        while let Some((fit, Reverse(index))) = self.open.pop() {
            let tile = &mut self.tiles[index];
            let Some((best, motion)) = tile.best else { continue };
            if tile.is_settled || best != fit {
                continue;
            }
            tile.is_settled = true;
            let (column, row) = (tile.column, tile.row);
            for (column, row) in beside(column, row) {
                let Some(next) = self.tile_at(column, row) else { continue };
                let tile = &mut self.tiles[next];
                if tile.is_settled || tile.tries == TRIES {
                    continue;
                }
                tile.tries += 1;
                let start = motion.about(middle(&tile.window));
                self.offer(next, start);
            }
        }
    }

    /// Tiles stand row by row; those without walls are left out.
    fn tile_at(&self, column: usize, row: usize) -> Option<usize> {
        self.tiles.binary_search_by_key(&(row, column), |tile| (tile.row, tile.column)).ok()
    }

    /// A tile climbs from a start, and keeps what it reaches if that is better than what it has.
    fn offer(&mut self, index: usize, start: RigidMotion) {
        let window = &self.tiles[index].window;
        let near = climbed(&self.wide, WIDER * self.tau, window, start, WIDE_STEP_CELLS);
        let motion = climbed(&self.narrow, self.tau, window, near, NARROW_STEP_CELLS);
        let fit = (fit(&self.narrow, self.tau, window, &motion, 0) * 1e6) as u64;
        let is_found = share_within(&self.narrow, &motion, window, self.tau) >= FOUND_SHARE;
        let tile = &mut self.tiles[index];
        if is_found && tile.best.is_none_or(|(best, _)| fit > best) {
            tile.best = Some((fit, motion));
            self.open.push((fit, Reverse(index)));
        }
    }

    fn found(&self) -> Vec<TileMotion> {
        let found = |tile: &Tile| {
            let (_, motion) = tile.best?;
            let of_cells = motion.of_cells();
            let is_near =
                |&cell: &usize| self.narrow.distance(of_cells.apply(place(self.geometry, cell))) <= self.tau;
            let found: Vec<usize> = tile.cells.iter().copied().filter(is_near).collect();
            let (x, y) =
                middle(&tile.cells.iter().map(|&cell| place(self.geometry, cell)).collect::<Vec<_>>());
            let middle = self.geometry.world_of_grid_point(x + 0.5, y + 0.5);
            Some(TileMotion { map_from_truth: motion.in_world(self.geometry), middle, found })
        };
        self.tiles.iter().filter_map(found).filter(|tile| !tile.found.is_empty()).collect()
    }
}

/// Pattern search for the best fit less the cost of the distance from the start: the best single move while one helps, then half the step.
fn climbed(
    field: &WallField,
    tau: u32,
    points: &[(f64, f64)],
    start: RigidMotion,
    first_step_cells: f64,
) -> RigidMotion {
    let search = Search::about(start.center, half_side(points));
    // Of a motion that is worth no more than the best one, nobody asks what it is worth.
    let worth = |motion: &RigidMotion, best: f64| {
        let (dx, dy) =
            (motion.translation.0 - start.translation.0, motion.translation.1 - start.translation.1);
        let cost = COST_PER_CELL * dx.hypot(dy);
        let above = (best + cost) * f64::from(tau + 1) * points.len() as f64 - ROUNDING;
        fit(field, tau, points, motion, above.max(0.0) as u64) - cost
    };
    let (mut best, mut motion) = (worth(&start, f64::NEG_INFINITY), start);
    let mut step = first_step_cells;
    while step >= LAST_STEP_CELLS {
        let moves = search.moves(motion, step).map(|moved| (worth(&moved, best), moved));
        match moves.into_iter().filter(|moved| moved.0 > best).max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some(better) => (best, motion) = better,
            None => step /= 2.0,
        }
    }
    motion
}

/// Mean of max(0, 1 - d / (tau + 1)); exact if the sum of tau + 1 - d exceeds `above`, else any number up to it.
fn fit(field: &WallField, tau: u32, points: &[(f64, f64)], motion: &RigidMotion, above: u64) -> f64 {
    field.worth(motion, points, above) as f64 / (f64::from(tau + 1) * points.len().max(1) as f64)
}

/// Step 1: the tiles with walls, and enough of them around, row by row from below.
fn tiles(walls: &[usize], side: usize, geometry: &GridGeometry) -> Vec<Tile> {
    let (columns, rows) = (geometry.width().div_ceil(side), geometry.height().div_ceil(side));
    let mut cells = vec![Vec::new(); columns * rows];
    let mut windows = vec![Vec::new(); columns * rows];
    let half = side / 2;
    for &wall in walls {
        let Cell { i, j } = geometry.cell_of(wall);
        cells[j / side * columns + i / side].push(wall);
        // The tiles that reach so far.
        let reached =
            |at: usize, count: usize| at.saturating_sub(half) / side..=((at + half) / side).min(count - 1);
        for row in reached(j, rows) {
            for column in reached(i, columns) {
                windows[row * columns + column].push((i as f64, j as f64));
            }
        }
    }
    let mut tiles = Vec::new();
    for (index, (cells, window)) in cells.into_iter().zip(windows).enumerate() {
        let step = window.len().div_ceil(MAX_CELLS).max(1);
        let window: Vec<(f64, f64)> = window.into_iter().step_by(step).collect();
        if !cells.is_empty() && window.len() >= MIN_CELLS {
            let (column, row) = (index % columns, index / columns);
            tiles.push(Tile { column, row, cells, window, best: None, tries: 0, is_settled: false });
        }
    }
    tiles
}

/// The places around one, as far as there are any.
fn beside(column: usize, row: usize) -> impl Iterator<Item = (usize, usize)> {
    let around = |at: usize| at.saturating_sub(1)..=at + 1;
    around(row).flat_map(move |other_row| {
        let places = around(column).map(move |other_column| (other_column, other_row));
        places.filter(move |place| *place != (column, row))
    })
}

/// Column and row from below of a cell.
fn place(geometry: &GridGeometry, index: usize) -> (f64, f64) {
    let Cell { i, j } = geometry.cell_of(index);
    (i as f64, j as f64)
}

fn middle(points: &[(f64, f64)]) -> (f64, f64) {
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let count = points.len().max(1) as f64;
    (sum.0 / count, sum.1 / count)
}

/// Half the longer side of the box around points, at least one cell.
fn half_side(points: &[(f64, f64)]) -> f64 {
    let span = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = points.iter().map(of).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    (span(|point| point.0).max(span(|point| point.1)) / 2.0).max(1.0)
}
