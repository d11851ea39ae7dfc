//! Registration piece by piece (M-BROKEN): the parts of a map that each fit the truth by a motion of their own.
//!
//! After Birk, as Schwertfeger et al. 2010 describe it in section 5: find what fits, cut it out, register the rest.
//! Repeat until little is left:
//!
//! 1. the motion with the largest score Σ max(0, 1 - d / (τ + 1)) over the walls that are left, d their city-block
//!    distance to the truth's walls: all rotations and translations on a grid, the five best refined by pattern search;
//! 2. of the walls with d ≤ τ the largest stretch without gaps;
//! 3. the motion of that stretch alone; it joins an earlier part whose motion fits it, or is a new part. Pieces of wall
//!    that stand alone, too small to be parts (columns, short walls), join with it if they fit that motion as a whole.
//!
//! When no further part is found, stretches that fit the motion of a part still join it.
//!
//! A plain count of inliers would prefer a compromise motion that half fits two parts; all inliers at once would steal
//! walls of other parts that happen to run along the translation.

mod field;
mod rigid_motion;
mod scattered;
mod search;
mod stretch;
mod tiles;

use model::{Cell, CellClass, Grid, GridGeometry, Pose2};
use raster::city_block::city_block_transform;

use field::WallField;
use rigid_motion::RigidMotion;
use search::{Finding, Search};
use stretch::{largest_stretch, stretches};
pub use tiles::{LocalMotions, TileMotion, Tiles, local_motions};

/// Parameters; lengths in metres become whole cells of the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piecewise {
    /// Walls this near count as registered, metres. Default 0.1, at least one cell.
    pub tau_m: f64,
    /// Largest rotation tried, degrees. Default 20.
    pub theta_max_deg: f64,
    /// Step of the rotation, degrees. Default 1.
    pub theta_step_deg: f64,
    /// Largest shift tried along each axis, metres. Default 2.
    pub shift_max_m: f64,
    /// Walls farther apart than this are different stretches, metres. Default 0.3.
    pub gap_m: f64,
    /// A stretch of fewer cells ends the search. Default: the larger of 20 and 0.5 % of the map's walls.
    pub join_cells: Option<usize>,
    /// A part of its own has at least so many cells. Default: the larger of 20 and 5 % of the map's walls.
    pub min_part_cells: Option<usize>,
    /// The search ends when at most this share of the walls is left. Default 0.05.
    pub stop_fraction: f64,
}

impl Default for Piecewise {
    fn default() -> Self {
        Self {
            tau_m: 0.1,
            theta_max_deg: 20.0,
            theta_step_deg: 1.0,
            shift_max_m: 2.0,
            gap_m: 0.3,
            join_cells: None,
            min_part_cells: None,
            stop_fraction: 0.05,
        }
    }
}

/// Translations are searched up to this many cells, whatever that is in metres: memory and time grow with its square.
/// The default of 2 m is reached down to cells of 5 mm.
const MAX_SHIFT_CELLS: u32 = 400;

/// Occupied cells farther from an open one lie inside of a solid area.
const MAX_DEPTH_M: f64 = 0.5;
const MIN_DEPTH_CELLS: u32 = 3;
/// A piece that stands alone joins a part if this share of it fits.
const MIN_PIECE_SHARE: f64 = 0.8;
/// A stretch of which this share lies within half of τ is no compromise between two parts.
const CLOSE_SHARE: f64 = 0.9;
/// Smaller pieces fit anywhere.
const MIN_PIECE_CELLS: usize = 5;
/// Fewer unregistered cells that touch are specks, and no piece of a wall.
const MIN_WALL_CELLS: usize = 20;

/// A part of the map that one rigid motion brings onto the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The motion, in the frame of the truth.
    pub truth_from_part: Pose2,
    /// Its cells, in image order of the common grid.
    pub cells: Vec<usize>,
    /// Mean city-block distance of its cells to the truth's walls after the motion, cells; those that it sends out of the
    /// window are left out.
    pub mean_distance_cells: f64,
}

/// The map taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// In the order in which they were found.
    pub parts: Vec<Part>,
    /// Occupied cells that fit nowhere, in image order.
    pub unregistered: Vec<usize>,
    /// How many of them stand in pieces of wall of at least 20 cells: specks of noise are none.
    pub unregistered_wall_cells: usize,
    /// Whether a part lies on both sides of another.
    pub is_one_around_another: bool,
    /// Occupied cells of the map but for those deep inside of solid areas.
    pub walls: usize,
    /// Walls this near count as registered, cells.
    pub tau_cells: u32,
}

impl Parts {
    /// Share of the walls in the largest part.
    pub fn largest_share(&self) -> f64 {
        let largest = self.parts.iter().map(|part| part.cells.len()).max().unwrap_or(0);
        largest as f64 / self.walls.max(1) as f64
    }

    /// Share of the walls that stand in pieces of wall which fit nowhere.
    pub fn unregistered_wall_share(&self) -> f64 {
        self.unregistered_wall_cells as f64 / self.walls.max(1) as f64
    }

    /// Share of the walls that fit nowhere.
    pub fn unregistered_share(&self) -> f64 {
        self.unregistered.len() as f64 / self.walls.max(1) as f64
    }
}

/// Takes a map apart. Both maps lie on the same cells.
///
/// None if either has no occupied cell.
pub fn piecewise(truth: &Grid, map: &Grid, params: &Piecewise) -> Option<Parts> {
    let geometry = truth.geometry();
    let is_wall = walls_of(map);
    let left: Vec<usize> = (0..is_wall.len()).filter(|&index| is_wall[index]).collect();
    let all = left.clone();
    let walls = left.len();
    let whole_cells = |length_m: f64| (length_m / geometry.cell_size_m() + 1e-9).floor().max(0.0) as u32;
    let tau = if params.tau_m > 0.0 { whole_cells(params.tau_m).max(1) } else { 0 };
    let shift_max = whole_cells(params.shift_max_m).min(MAX_SHIFT_CELLS) as usize;
    let field = WallField::of(&walls_of(truth), geometry, tau, Some(shift_max)).filter(|_| walls > 0)?;
    let mut pieces = Pieces {
        sharp: field.with_tolerance(half_of(tau)),
        field,
        geometry,
        tau,
        gap: whole_cells(params.gap_m) as usize,
        join_cells: params.join_cells.unwrap_or_else(|| (walls / 200).max(20)),
        min_part_cells: params.min_part_cells.unwrap_or_else(|| (walls / 20).max(20)),
        alone: Vec::new(),
        found: Vec::new(),
        left,
    };
    let mut alone = stretches(&pieces.left, geometry.width(), pieces.gap);
    alone.retain(|piece| (MIN_PIECE_CELLS..pieces.min_part_cells).contains(&piece.len()));
    pieces.alone = alone;
    let search = Search::over(params, shift_max, geometry);
    let is_done = |pieces: &Pieces| pieces.left.len() as f64 <= params.stop_fraction * walls as f64;
    while !is_done(&pieces)
        && let Some(part) = pieces.take_one(&search)
    {
        if !is_done(&pieces) {
            pieces.take_pieces(part);
        }
    }
    if !is_done(&pieces) {
        pieces.join_leftovers();
    }
    pieces.take_scattered(&search, &all);
    pieces.dissolve_explained();
    Some(pieces.into_parts(walls))
}

/// The work in progress.
struct Pieces<'a> {
    field: WallField,
    /// The same with half the tolerance.
    sharp: WallField,
    geometry: &'a GridGeometry,
    tau: u32,
    gap: usize,
    join_cells: usize,
    min_part_cells: usize,
    /// Pieces of wall that stand alone, too small to be parts, and were not given to one yet.
    alone: Vec<Vec<usize>>,
    /// Motions and cells of the parts found so far.
    found: Vec<(RigidMotion, Vec<usize>)>,
    /// Walls that belong to no part yet, in image order.
    left: Vec<usize>,
}

impl Pieces<'_> {
    /// Steps 1 to 3: takes one stretch out of what is left; the part it went to, none if nothing can be taken.
    fn take_one(&mut self, search: &Search) -> Option<usize> {
        let Finding { motion, starts } = search.best_motion(&self.field, &self.places(&self.left));
        let stretch = self.stretch_under(&motion);
        if stretch.len() < self.join_cells {
            return None;
        }
        let motion = search.refit(&self.field, &self.places(&stretch), &starts, motion);
        let (stretch, motion) = self.not_between(search, &starts, stretch, motion);
        let points = self.places(&stretch);
        let fits = |(motion, _): &(RigidMotion, Vec<usize>)| {
            share_within(&self.field, motion, &points, self.tau + 1) >= 0.8
        };
        let part = match self.found.iter().position(fits) {
            Some(part) => part,
            None if stretch.len() >= self.min_part_cells => {
                self.found.push((motion, Vec::new()));
                self.found.len() - 1
            }
            None => return None,
        };
        self.give(part, &stretch);
        Some(part)
    }

    /// A motion halfway between those of two parts may bring the walls of both within τ. With half the tolerance that of one of
    /// them wins; where it leaves out enough walls for a part of their own, it is taken with what it fits.
    fn not_between(
        &self,
        search: &Search,
        starts: &[RigidMotion],
        stretch: Vec<usize>,
        motion: RigidMotion,
    ) -> (Vec<usize>, RigidMotion) {
        let points = self.places(&stretch);
        if share_within(&self.field, &motion, &points, half_of(self.tau)) >= CLOSE_SHARE {
            return (stretch, motion);
        }
        let sharp = search.refit(&self.sharp, &points, starts, motion);
        let left_out = 1.0 - share_within(&self.field, &sharp, &points, self.tau);
        if left_out < self.min_part_cells as f64 / points.len() as f64 {
            return (stretch, motion);
        }
        let closer = self.stretch_under(&sharp);
        if closer.len() < self.min_part_cells { (stretch, motion) } else { (closer, sharp) }
    }

    /// Pieces that stand alone and fit the motion of a part as a whole join it.
    fn take_pieces(&mut self, part: usize) {
        let motion = self.found[part].0;
        let (fitting, alone): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.alone).into_iter().partition(|piece| {
                share_within(&self.field, &motion, &self.places(piece), self.tau) >= MIN_PIECE_SHARE
            });
        self.alone = alone;
        let mut cells: Vec<usize> = fitting.into_iter().flatten().collect();
        cells.sort_unstable();
        cells.retain(|cell| self.left.binary_search(cell).is_ok());
        self.give(part, &cells);
    }

    /// What is left is offered to the parts once more: the best motion of a small rest alone may be a compromise that
    /// misses walls which fit the motion of a part.
    fn join_leftovers(&mut self) {
        for part in 0..self.found.len() {
            loop {
                let stretch = self.stretch_under(&self.found[part].0);
                if stretch.len() < self.join_cells {
                    break;
                }
                self.give(part, &stretch);
            }
        }
    }

    /// The largest stretch of the walls that are left and fit under a motion.
    fn stretch_under(&self, motion: &RigidMotion) -> Vec<usize> {
        let motion = motion.of_cells();
        let fits = |&index: &usize| self.field.distance(motion.apply(self.place(index))) <= self.tau;
        let inliers: Vec<usize> = self.left.iter().copied().filter(fits).collect();
        largest_stretch(&inliers, self.geometry.width(), self.gap)
    }

    /// Gives sorted cells to a part.
    fn give(&mut self, part: usize, stretch: &[usize]) {
        self.left.retain(|index| stretch.binary_search(index).is_err());
        self.found[part].1.extend_from_slice(stretch);
    }

    /// Column and row from below of a cell.
    fn place(&self, index: usize) -> (f64, f64) {
        let Cell { i, j } = self.geometry.cell_of(index);
        (i as f64, j as f64)
    }

    fn places(&self, cells: &[usize]) -> Vec<(f64, f64)> {
        cells.iter().map(|&index| self.place(index)).collect()
    }

    fn into_parts(mut self, walls: usize) -> Parts {
        let is_one_around_another = self.is_one_around_another();
        let found = std::mem::take(&mut self.found);
        let part = |(motion, mut cells): (RigidMotion, Vec<usize>)| {
            cells.sort_unstable();
            let places = self.places(&cells);
            // Cells that the motion sends out of the window have no distance.
            let distances: Vec<f64> = motion
                .apply_all(&places)
                .map(|place| self.field.distance(place))
                .filter(|&distance| distance != u32::MAX)
                .map(f64::from)
                .collect();
            let mean_distance_cells = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
            Part { truth_from_part: motion.in_world(self.geometry), cells, mean_distance_cells }
        };
        let parts = found.into_iter().map(part).collect();
        let pieces = stretches(&self.left, self.geometry.width(), 1);
        let unregistered_wall_cells =
            pieces.iter().map(Vec::len).filter(|&cells| cells >= MIN_WALL_CELLS).sum();
        Parts {
            parts,
            unregistered: self.left,
            unregistered_wall_cells,
            is_one_around_another,
            walls,
            tau_cells: self.tau,
        }
    }
}

/// Which cells are walls: occupied, and not deep inside of a solid area, which no robot sees. The search for an alignment
/// keeps their faces alone.
pub fn walls_of(grid: &Grid) -> Vec<bool> {
    let geometry = grid.geometry();
    let depth = ((MAX_DEPTH_M / geometry.cell_size_m()).ceil() as u32).max(MIN_DEPTH_CELLS);
    let open: Vec<u8> = grid.classes().iter().map(|class| u8::from(*class != CellClass::Occupied)).collect();
    match city_block_transform(&open, 1, geometry.width(), geometry.height()) {
        Some(depths) => depths.into_iter().map(|found| (1..=depth).contains(&found)).collect(),
        // All is occupied.
        None => vec![false; open.len()],
    }
}

/// Half of a tolerance, at least one cell: nothing is sharper.
fn half_of(tau: u32) -> u32 {
    (tau / 2).max(1)
}

/// Share of the points that lie within a distance of the truth's walls under a motion.
fn share_within(field: &WallField, motion: &RigidMotion, points: &[(f64, f64)], distance_cells: u32) -> f64 {
    let near = motion.apply_all(points).filter(|&place| field.distance(place) <= distance_cells).count();
    near as f64 / points.len().max(1) as f64
}

#[cfg(test)]
mod tests;
