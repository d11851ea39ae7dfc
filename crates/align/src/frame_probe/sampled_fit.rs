//! The two-sided wall score of one transform from a sample of the walls, without any field: some hundredths of a
//! millisecond.
//!
//! The definition is that of `wall_score.rs`; distances are those between centres of cells.

use model::{Grid, Similarity2};

use super::probed_truth::ProbedTruth;
use super::wall_sample::sampled;
use crate::candidate::{Candidate, Motion2};

/// Distance at which a wall counts as missed, metres.
const TOL_M: f64 = 0.3;
/// The same in cells, at least and at most.
const TOL_CELLS: (f64, f64) = (1.5, 30.0);
/// Occupied cells that each map must have.
const MIN_WALLS: usize = 50;
/// Walls of each map that are looked at, at most.
pub(super) const MAX_WALLS: usize = 192;
/// Cells that are looked at for all walls of a map together.
const MAX_LOOKS: usize = 60_000;
const UNKNOWN: u8 = 1;
const OCCUPIED: u8 = 2;

/// The two-sided wall score of a transform from a sample of the walls, 0 to 1; none if one of the maps has too few walls to
/// say where it lies.
#[must_use]
pub fn sampled_fit(truth: &ProbedTruth, map: &Grid, truth_from_map: Similarity2) -> Option<f64> {
    fit_of(truth, map, truth_from_map, MIN_WALLS)
}

fn fit_of(truth: &ProbedTruth, map: &Grid, truth_from_map: Similarity2, min_walls: usize) -> Option<f64> {
    let of_truth = truth.walls().filter(|(_, count)| *count >= min_walls)?;
    let of_map = sampled(map.class_bytes(), MAX_WALLS).filter(|(_, count)| *count >= min_walls)?;
    let truth = truth.grid();
    let motion = Candidate::of(truth_from_map, truth, map, [0.0, 0.0]).motion([0.0, 0.0]);
    let tol_m = TOL_M.max(TOL_CELLS.0 * truth.geometry().cell_size_m());
    let of_map = one_side((map, &of_map), truth, &motion, tol_m);
    let of_truth = one_side((truth, of_truth), map, &motion.inverse(), tol_m);
    // Walls of the map outside of the truth are charged, walls of the truth that the map never saw are not.
    let charged = of_map.walls + of_truth.seen;
    Some((of_map.hits + of_truth.seen_hits) / charged)
}

/// Sums over the walls of one map, scaled from the sample to all of them.
struct Sums {
    walls: f64,
    hits: f64,
    /// The same of walls that lie where the other map knows something.
    seen: f64,
    seen_hits: f64,
}

fn one_side(
    (from, (walls, count)): (&Grid, &(Vec<usize>, usize)),
    onto: &Grid,
    onto_from: &Motion2,
    tol_m: f64,
) -> Sums {
    let width = from.geometry().width();
    let offsets = offsets((tol_m / onto.geometry().cell_size_m()).min(TOL_CELLS.1));
    let reach = offsets.iter().map(|&(right, _, _)| right).max().unwrap_or(0);
    let max_walls = (MAX_LOOKS / offsets.len().max(1)).max(1);
    let (mut sampled, mut hits, mut seen, mut seen_hits) = (0.0, 0.0, 0.0, 0.0);
    let (other, wide) = (onto.class_bytes(), onto.geometry().width() as i64);
    let high = onto.geometry().height() as i64;
    let class_at = |column: i64, row: i64| {
        let inside = column >= 0 && row >= 0 && column < wide && row < high;
        if inside { other[(row * wide + column) as usize] } else { UNKNOWN }
    };
    for index in walls.iter().step_by(walls.len().div_ceil(max_walls).max(1)) {
        sampled += 1.0;
        let there = onto_from.apply([(index % width) as f64 + 0.5, (index / width) as f64 + 0.5]);
        // Far outside, where a transform of huge numbers puts it, no cell can be told.
        if !there.iter().all(|place| place.abs() < 1e9) {
            continue;
        }
        let (column, row) = (there[0].floor() as i64, there[1].floor() as i64);
        let reaches_out = column < reach || row < reach || column >= wide - reach || row >= high - reach;
        let nearest = if reaches_out {
            offsets.iter().find(|&&(right, down, _)| class_at(column + right, row + down) == OCCUPIED)
        } else {
            let here = row * wide + column;
            offsets.iter().find(|&&(right, down, _)| other[(here + down * wide + right) as usize] == OCCUPIED)
        };
        let hit = nearest.map_or(0.0, |&(_, _, nearness)| nearness);
        hits += hit;
        if class_at(column, row) != UNKNOWN {
            seen += 1.0;
            seen_hits += hit;
        }
    }
    let (count, each) = (*count as f64, *count as f64 / sampled);
    Sums { walls: count, hits: hits * each, seen: seen * each, seen_hits: seen_hits * each }
}

/// Cells within the tolerance, the nearest first, with k of their distance.
fn offsets(tol_cells: f64) -> Vec<(i64, i64, f64)> {
    let reach = tol_cells.ceil() as i64;
    let around = (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |right| (right, down)));
    let with_nearness = around.map(|(right, down)| {
        let distance = ((right * right + down * down) as f64).sqrt();
        (right, down, 1.0 - distance / tol_cells)
    });
    let mut offsets: Vec<_> = with_nearness.filter(|&(_, _, nearness)| nearness > 0.0).collect();
    offsets.sort_by(|a, b| b.2.total_cmp(&a.2));
    offsets
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use testkit::{grid, grid_at};

    use super::*;

    fn fit(truth: &[&str], map: &[&str], x_m: f64) -> Option<f64> {
        let truth = grid_at(truth, 0.1, model::Pose2::IDENTITY);
        let map = grid_at(map, 0.1, model::Pose2::IDENTITY);
        fit_of(&ProbedTruth::new(Arc::new(truth)), &map, Similarity2::new(x_m, 0.0, 0.0, 1.0), 1)
    }

    #[test]
    fn a_wall_one_cell_off_by_hand() {
        // Tolerance 3 cells: k(1) = 2/3, from both sides.
        let (truth, map) = ([".#...", ".#..."], ["..#..", "..#.."]);
        assert_eq!(fit(&truth, &truth, 0.0), Some(1.0));
        assert!((fit(&truth, &map, 0.0).unwrap() - 2.0 / 3.0).abs() < 1e-9);
        assert!((fit(&truth, &map, -0.1).unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn maps_without_walls_have_no_fit_and_disjoint_ones_a_fit_of_zero() {
        assert_eq!(fit(&[".."], &["#."], 0.0), None);
        assert_eq!(fit(&["#."], &["??"], 0.0), None);
        assert_eq!(
            sampled_fit(&ProbedTruth::new(Arc::new(grid(["#."]))), &grid(["#."]), Similarity2::IDENTITY),
            None,
            "one wall says nothing"
        );
        assert_eq!(fit(&["#."], &["#."], 50.0), Some(0.0));
        assert_eq!(fit(&["#."], &["#."], 1e300), Some(0.0));
    }
}
