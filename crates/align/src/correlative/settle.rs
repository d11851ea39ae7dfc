//! Last step: the winner settles in the middle of what its walls fit.
//!
//! The score has a pointed peak: walls that coincide count most. Where a wall is one cell thick in one map and two in the
//! other, every place between the two is as good, and the jags of a turned wall decide: the top lies half a cell beside the
//! true place, and may be turned by a third of a degree. A nearness that falls with the square of the distance has
//! its top in the middle, but for walls along the axes, between whose cells it is interpolated linearly. It is used with a narrow tolerance, and only where the first score says that both are as good.

use super::refine::{Pattern, refine};
use crate::candidate::Candidate;
use crate::levels::Levels;

/// Tolerance of the round score in cells of the fine images. Chosen on three generated floors, where 3 is as good.
const TOL_CELLS: f64 = 1.5;
/// First and last step, the same.
const STEPS_CELLS: [f64; 2] = [1.0, 0.02];
/// Walls of each map that are looked at.
const WALLS: usize = 4_000;
/// The first score may fall by this: candidates so near are as good.
const AS_GOOD: f64 = 0.03;

/// A candidate at the top of the round score nearby; itself where that is clearly worse by the score that found it.
pub(crate) fn settled(levels: &Levels, candidate: &Candidate) -> Candidate {
    let fine = levels.fine(WALLS);
    let cell = fine.truth.pooled.factor as f64;
    let round = fine.clone().rounded(TOL_CELLS * cell);
    let [first_cells, last_cells] = STEPS_CELLS.map(|step| step * cell);
    let scale_range = (candidate.scale, candidate.scale);
    let half_side_cells = levels.sizes.half_side_cells;
    let pattern = Pattern { first_cells, last_cells, half_side_cells, scale_range };
    let (_, top) = refine(&round, *candidate, &pattern);
    if fine.score(&top) >= fine.score(candidate) - AS_GOOD { top } else { *candidate }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Allowance;

    /// A room of 40 x 28 cells with walls of one cell, and the same with walls of two: the extra cell to the right and below. All
    /// places up to a cell to the left and above are as good.
    #[test]
    fn a_thin_wall_settles_within_a_thick_one() {
        let room = |thickness: usize| {
            let rows: Vec<String> = (0..40)
                .map(|row: usize| {
                    let is_wall = |at: usize, wall: usize| (wall..wall + thickness).contains(&at);
                    let cell = |column: usize| {
                        let inside =
                            (5..45 + thickness).contains(&column) && (5..33 + thickness).contains(&row);
                        let wall = [5, 45, 20].iter().any(|&wall| is_wall(column, wall))
                            || [5, 33, 14].iter().any(|&wall| is_wall(row, wall));
                        if inside && wall { '#' } else { '.' }
                    };
                    (0..56).map(cell).collect()
                })
                .collect();
            testkit::grid(rows)
        };
        let (thin, thick) = (room(1), room(2));
        let levels =
            Levels::new(&Allowance { tol_m: Some(6.0), ..Allowance::default() }, &thin, &thick).unwrap();
        let at = [levels.pivot[0] - 1.9, levels.pivot[1] + 0.9];
        let start = Candidate { at, theta_rad: 0.004, scale: 1.0 };
        let found = settled(&levels, &start);
        let moved = [found.at[0] - levels.pivot[0], found.at[1] - levels.pivot[1]];
        assert!(moved.iter().all(|moved| (-1.0..=0.0).contains(moved)), "{moved:?}");
        // Less than half a cell at the ends of the room.
        assert!(found.theta_rad.abs() * 20.0 < 0.5, "{}", found.theta_rad);
    }
}
