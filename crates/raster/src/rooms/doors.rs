//! Rooms by their doors: gaps in walls are closed as a person would, and what is left is divided at narrow passes.
//!
//! 1. straight cuts across gaps in walls (`gaps`);
//! 2. all of them are drawn; from the longest to the shortest each must still be a gap where the others are walls: behind a
//!    row of closed doors a corridor is no gap any more;
//! 3. cuts with the same part on both sides go: a fire door does not divide a corridor that leads around a block;
//! 4. [`super::watershed`] with the cuts as walls, in which a pass that is long for its width, a corridor, divides rooms only
//!    if it is narrower than `corridor_ratio`.
//!
//! Basins alone need doors that are narrow beside both rooms; a cut needs a wall that ends, and finds cubicles whose door
//! takes three quarters of their front, and doors as wide as their corridor. Ours.

use model::Grid;

use super::Rooms;
use super::gaps::{Gap, GapRules, distinct, gaps};
use super::obstacles::{OPEN, UnknownCells, blocked_plane};
use super::watershed::{Flooded, Watershed};
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
    let cuts =
        dividing(standing(distinct(gaps(&blocked, width, &rules)), &blocked, width, &rules), &blocked, width);
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

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::grid_at;

    use super::super::watershed::watershed_rooms;
    use super::*;

    /// A solid block of cells with open rectangles: left, top, right and bottom (exclusive).
    fn carved(width: usize, height: usize, rectangles: &[[usize; 4]]) -> Grid {
        let is_open = |x: usize, y: usize| {
            rectangles
                .iter()
                .any(|&[left, top, right, bottom]| (left..right).contains(&x) && (top..bottom).contains(&y))
        };
        let row = |y: usize| (0..width).map(|x| if is_open(x, y) { '.' } else { '#' }).collect::<String>();
        grid_at((0..height).map(row).collect::<Vec<_>>(), 0.1, Pose2::IDENTITY)
    }

    fn count(grid: &Grid) -> u32 {
        door_rooms(grid, &Doors::default()).unwrap().count
    }

    /// Three cubicles of 20 x 14 cells at a corridor; their doors take 15 cells of their front.
    fn cubicles() -> Vec<[usize; 4]> {
        let cubicle = |left: usize| [[left, 2, left + 20, 16], [left + 5, 16, left + 20, 18]];
        let mut open: Vec<[usize; 4]> = [2, 23, 44].into_iter().flat_map(cubicle).collect();
        open.push([2, 18, 64, 36]);
        open
    }

    #[test]
    fn a_door_may_take_three_quarters_of_the_front() {
        let plan = carved(66, 38, &cubicles());
        assert_eq!(count(&plan), 4);
        assert!(watershed_rooms(&plan, &Watershed::default()).unwrap().count < 4, "passes alone do not");
    }

    #[test]
    fn a_plan_on_its_side_has_the_same_rooms() {
        let turned: Vec<[usize; 4]> = cubicles().into_iter().map(|[l, t, r, b]| [t, l, b, r]).collect();
        assert_eq!(count(&carved(38, 66, &turned)), 4);
    }

    #[test]
    fn a_fire_door_does_not_divide_a_corridor_around_a_block() {
        // A ring 8 cells wide; a wall of one cell across its upper side has a gap of 4.
        let ring = [[2, 2, 50, 10], [2, 30, 50, 38], [2, 2, 10, 38], [42, 2, 50, 38]];
        let upper = [[2, 2, 25, 10], [26, 2, 50, 10], [25, 4, 26, 8]];
        let with_door: Vec<[usize; 4]> = upper.into_iter().chain(ring[1..].iter().copied()).collect();
        assert_eq!(count(&carved(52, 40, &ring)), 1);
        assert_eq!(count(&carved(52, 40, &with_door)), 1);
        // The lower side closed, the door is the only connection between two rooms.
        let apart: Vec<[usize; 4]> = with_door
            .iter()
            .map(|&[l, t, r, b]| if t == 30 { [l, t, 24, b] } else { [l, t, r, b] })
            .collect();
        assert_eq!(count(&carved(52, 40, &apart)), 2);
    }

    #[test]
    fn maps_without_walls_and_without_free_cells() {
        assert_eq!(count(&testkit::grid(["##", "??"])), 0);
        assert_eq!(count(&testkit::grid(["......"])), 1);
    }
}
