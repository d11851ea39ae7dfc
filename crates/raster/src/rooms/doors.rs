//! Rooms by their doors: gaps in walls are closed as a person would, and what is left is divided at narrow passes.
//!
//! 1. straight cuts across gaps in walls ([`super::gaps`]);
//! 2. all of them are drawn; from the longest to the shortest each must still be a gap where the others are walls: behind a
//!    row of closed doors a corridor is no gap any more;
//! 3. cuts with the same part on both sides go: a fire door does not divide a corridor that leads around a block;
//! 4. [`super::watershed`] with the cuts as walls, in which a pass that is long for its width, a corridor, divides rooms only
//!    if it is narrower than `corridor_ratio`.
//!
//! Basins alone need doors that are narrow beside both rooms; a cut needs a wall that ends, and finds cubicles whose door
//! takes three quarters of their front, and doors as wide as their corridor. Ours.

use model::Grid;

use super::gaps::{Gap, GapRules, distinct, gaps};
use super::obstacles::{OPEN, UnknownCells, blocked_plane};
use super::watershed::{Flooded, Watershed};
use super::Rooms;
use crate::components::{Connectivity, label};
use crate::neighbours::beside;

/// Parameters of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doors {
    /// Longer gaps are no doors, metres. Default 5, ours; 4 and 8 make hardly a difference.
    pub max_gap_m: f64,
    /// How far the wall at each side of a gap reaches at least, as a share of the gap. Default 0.15, ours.
    pub reach: f64,
    /// The same where only one side has a wall in the direction of the gap: the other one meets a wall across. Default
    /// 0.25, ours.
    pub single_reach: f64,
    /// How the parts between the cuts are divided. `corridor_ratio` defaults to 0.5, ours.
    pub basins: Watershed,
}

impl Default for Doors {
    fn default() -> Self {
        let basins = Watershed { corridor_ratio: 0.5, ..Watershed::default() };
        Self { max_gap_m: 5.0, reach: 0.15, single_reach: 0.25, basins }
    }
}

/// Finds the rooms of a map; none if it is too long for exact distances (46340 cells along its diagonal).
pub fn door_rooms(grid: &Grid, params: &Doors) -> Option<Rooms> {
    let (width, cell_size_m) = (grid.geometry().width(), grid.geometry().cell_size_m());
    let blocked = blocked_plane(grid, UnknownCells::Block, params.basins.ignored(cell_size_m));
    let rules = GapRules {
        max_cells: params.max_gap_m / cell_size_m,
        reach: params.reach,
        single_reach: params.single_reach,
    };
    let cuts = dividing(standing(distinct(gaps(&blocked, width, &rules)), &blocked, width, &rules), &blocked, width);
    Some(Flooded::divided(blocked, &cuts, width, cell_size_m, &params.basins)?.merged(&params.basins))
}

/// The gaps that are gaps still when the others are closed. Each that goes makes more space for the shorter ones, so one
/// round is enough.
fn standing(mut gaps: Vec<Gap>, blocked: &[u8], width: usize, rules: &GapRules) -> Vec<Gap> {
    gaps.sort_by(|a, b| b.length_cells.total_cmp(&a.length_cells));
    // Number of walls and cuts in each cell.
    let mut closed: Vec<u32> = blocked.iter().map(|&cell| u32::from(cell != OPEN)).collect();
    gaps.iter().flat_map(|gap| &gap.cells).for_each(|&cell| closed[cell] += 1);
    gaps.retain(|gap| {
        gap.cells.iter().for_each(|&cell| closed[cell] -= 1);
        let is_wall = |[x, y]: [f64; 2]| {
            let is_inside = x >= 0.0 && y >= 0.0 && x < width as f64;
            !is_inside || closed.get(y as usize * width + x as usize).is_none_or(|&walls| walls > 0)
        };
        let stands = gap.is_gap(rules, is_wall);
        if stands {
            gap.cells.iter().for_each(|&cell| closed[cell] += 1);
        }
        stands
    });
    gaps
}

/// Cells of the cuts that have different parts of the map at their sides.
fn dividing(gaps: Vec<Gap>, blocked: &[u8], width: usize) -> Vec<usize> {
    let mut open: Vec<u8> = blocked.iter().map(|&cell| u8::from(cell == OPEN)).collect();
    gaps.iter().flat_map(|gap| &gap.cells).for_each(|&cell| open[cell] = 0);
    let parts = label(&open, width, open.len() / width.max(1), Connectivity::Four).labels;
    let divides = |gap: &Gap| {
        let around = gap.cells.iter().flat_map(|&cell| beside(cell, width, parts.len()));
        let mut sides = around.map(|cell| parts[cell]).filter(|&part| part != 0);
        let first = sides.next();
        sides.any(|part| Some(part) != first)
    };
    gaps.into_iter().filter(divides).flat_map(|gap| gap.cells).collect()
}
