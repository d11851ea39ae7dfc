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
//! When no further part is found, stretches that fit the motion of a part still join it. Motions are looked for near the map's place
//! and near those of parts that were found: slips add up. While more than a fifth of the walls is left, they are looked for three
//! times as far away. Where one lies beyond the first reach, all steps are done again near them.
//!
//! A plain count of inliers would prefer a compromise motion that half fits two parts; all inliers at once would steal
//! walls of other parts that happen to run along the translation.

mod claimed;
mod field;
mod fit_around;
mod parts;
mod rigid_motion;
mod scattered;
mod search;
mod stretch;
mod tiles;

use model::{Cell, CellClass, Grid, GridGeometry};
use raster::city_block::city_block_transform;

use field::WallField;
pub use parts::{Part, Parts};
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
/// Motions that part by more than this many τ are different, for those walls.
const APART_PER_TAU: f64 = 1.5;
/// A stretch is no more of an earlier part if a larger share of it fits its own motion alone.
const MIN_ALONE_SHARE: f64 = 0.1;
/// A part takes walls of its neighbours that fit its motion too; in the end it has this many times the cells of the smallest part.
const KEPT_PER_MIN_PART: f64 = 1.2;
/// With a larger share of the walls left, parts are looked for farther away.
const MAX_LEFT_SHARE: f64 = 0.2;
/// Smaller pieces fit anywhere.
const MIN_PIECE_CELLS: usize = 5;
/// Fewer unregistered cells that touch are specks, and no piece of a wall.
const MIN_WALL_CELLS: usize = 20;

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
        near: Vec::new(),
        left,
    };
    let mut alone = stretches(&pieces.left, geometry.width(), pieces.gap);
    alone.retain(|piece| (MIN_PIECE_CELLS..pieces.min_part_cells).contains(&piece.len()));
    pieces.alone = alone.clone();
    let search = Search::over(params, shift_max, geometry);
    pieces.take_all(&search, params.stop_fraction, walls);
    // A part beyond the first reach may have been taken for others before: now its motion is known.
    if pieces.found.iter().any(|(motion, _)| search.is_beyond(motion)) {
        pieces.near = std::mem::take(&mut pieces.found).into_iter().map(|(motion, _)| motion).collect();
        pieces.alone = alone;
        pieces.left.clone_from(&all);
        pieces.take_all(&search, params.stop_fraction, walls);
    }
    pieces.take_scattered(&search, &all);
    pieces.dissolve_explained();
    pieces.drop_small();
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
    /// Motions near which parts are looked for too.
    near: Vec<RigidMotion>,
    /// Walls that belong to no part yet, in image order.
    left: Vec<usize>,
}

impl Pieces<'_> {
    /// Takes parts out of what is left until little is left or no further part is found.
    fn take_all(&mut self, search: &Search, stop_fraction: f64, walls: usize) {
        let left_share = |pieces: &Self| pieces.left.len() as f64 / walls as f64;
        self.take_near(search, stop_fraction, walls);
        if left_share(self) > MAX_LEFT_SHARE {
            let known = self.near.len();
            self.near.extend(search.around_reach());
            self.take_near(search, stop_fraction, walls);
            self.near.truncate(known);
        }
        if left_share(self) > stop_fraction {
            self.join_leftovers();
        }
    }

    /// The same near the map's place and the known motions.
    fn take_near(&mut self, search: &Search, stop_fraction: f64, walls: usize) {
        let is_done = |pieces: &Self| pieces.left.len() as f64 <= stop_fraction * walls as f64;
        while !is_done(self)
            && let Some(part) = self.take_one(search)
        {
            if !is_done(self) {
                self.take_pieces(part);
            }
        }
    }

    /// Steps 1 to 3: takes one stretch out of what is left; the part it went to, none if nothing can be taken.
    fn take_one(&mut self, search: &Search) -> Option<usize> {
        let Finding { motion, starts } =
            search.best_motion(&self.field, &self.places(&self.left), self.motions());
        let stretch = self.stretch_under(&motion);
        if stretch.len() < self.join_cells {
            return None;
        }
        let motion = search.refit(&self.field, &self.places(&stretch), &starts, motion);
        let (stretch, motion) = self.not_between(search, &starts, stretch, motion);
        let points = self.places(&stretch);
        let fits = |(known, _): &(RigidMotion, Vec<usize>)| {
            share_within(&self.field, known, &points, self.tau + 1) >= 0.8
                && (stretch.len() < self.min_part_cells || !self.is_apart(&stretch, &motion, known))
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

    /// Whether another motion moves most of some cells away from where their own brings them, and enough of them fit their own alone.
    fn is_apart(&self, cells: &[usize], own: &RigidMotion, other: &RigidMotion) -> bool {
        let apart_cells = APART_PER_TAU * f64::from(self.tau);
        let (own, other) = (own.of_cells(), other.of_cells());
        let (mut moved, mut alone) = (0, 0);
        for &cell in cells {
            let place = self.place(cell);
            let (here, there) = (own.apply(place), other.apply(place));
            moved += usize::from((here.0 - there.0).hypot(here.1 - there.1) > apart_cells);
            let fits_own = self.field.distance(here) <= self.tau;
            alone += usize::from(fits_own && self.field.distance(there) > self.tau + 1);
        }
        2 * moved > cells.len() && alone as f64 > MIN_ALONE_SHARE * cells.len() as f64
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

    /// Motions near which parts are looked for: those of the parts found so far, and of an earlier pass.
    fn motions(&self) -> impl Iterator<Item = RigidMotion> {
        self.found.iter().map(|(motion, _)| *motion).chain(self.near.iter().copied())
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

    /// Parts that gave so much to others that too little is left are none; what they hold fits nowhere.
    fn drop_small(&mut self) {
        let min_cells = KEPT_PER_MIN_PART * self.min_part_cells as f64;
        let (kept, small): (Vec<_>, Vec<_>) = std::mem::take(&mut self.found)
            .into_iter()
            .partition(|(_, cells)| cells.len() as f64 >= min_cells);
        self.found = kept;
        self.left.extend(small.into_iter().flat_map(|(_, cells)| cells));
        self.left.sort_unstable();
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
