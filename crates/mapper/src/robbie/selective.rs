//! Weights as the team's later code computes them: cells that count once, and no hits from behind a wall.

use std::collections::HashSet;

use model::{Point2, Pose2};
use rayon::prelude::*;

use super::Rules;
use crate::{HitGrid, Scan};

/// A cell is a wall from here on.
const WALL: f64 = 0.5;

/// How beams count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SelectiveWeights {
    cells_once: bool,
    back_side_m: f64,
}

impl SelectiveWeights {
    /// None where the rules weigh as the paper does.
    pub fn of(rules: &Rules) -> Option<Self> {
        let Rules { cells_once, back_side_m, .. } = *rules;
        (cells_once || back_side_m > 0.0).then_some(Self { cells_once, back_side_m })
    }

    /// Weighs particles; each one alone, so the result does not depend on the number of threads.
    pub fn weigh(
        &self,
        grid: &HitGrid,
        particles: &[Pose2],
        scan: &Scan,
        hits: &[Point2],
        weights: &mut [f64],
    ) {
        particles
            .par_iter()
            .zip(weights)
            .for_each(|(particle, weight)| *weight = self.weight(grid, *particle, scan.laser_in_robot, hits));
    }

    fn weight(&self, grid: &HitGrid, particle: Pose2, laser_in_robot: Point2, hits: &[Point2]) -> f64 {
        let mut counted = HashSet::new();
        let mut sum = 0.0;
        for &hit in hits {
            let end = particle * hit;
            let cell = grid.cell_at(end);
            let (occupied, seen) = grid.counts(cell);
            if seen == 0 || (self.cells_once && !counted.insert(cell)) {
                continue;
            }
            if !self.is_from_behind(grid, particle * laser_in_robot, end) {
                sum += f64::from(occupied) / f64::from(seen);
            }
        }
        sum
    }

    /// Whether the place in front of a hit is a wall, or was never seen: the laser would look at the wall's back.
    fn is_from_behind(&self, grid: &HitGrid, laser: Point2, end: Point2) -> bool {
        let range_m = (end.x_m - laser.x_m).hypot(end.y_m - laser.y_m);
        if self.back_side_m <= 0.0 || range_m <= self.back_side_m {
            return false;
        }
        let share = 1.0 - self.back_side_m / range_m;
        let front =
            Point2::new(laser.x_m + share * (end.x_m - laser.x_m), laser.y_m + share * (end.y_m - laser.y_m));
        let (occupied, seen) = grid.counts(grid.cell_at(front));
        seen == 0 || f64::from(occupied) >= WALL * f64::from(seen)
    }
}

/// End points of which each lies at least so far from the last one that was kept; all of them for 0.
pub(super) fn thinned(hits: &[Point2], distance_m: f64) -> Vec<Point2> {
    let mut kept: Vec<Point2> = Vec::with_capacity(hits.len());
    for &hit in hits {
        let is_far =
            kept.last().is_none_or(|last| (hit.x_m - last.x_m).hypot(hit.y_m - last.y_m) >= distance_m);
        if is_far {
            kept.push(hit);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hit_grid::Misses;

    const ROBOT: Pose2 = Pose2::new(0.025, 0.025, 0.0);

    fn ahead(range_m: f64) -> Scan {
        Scan { hits_in_robot: vec![Point2::new(range_m, 0.0)], ..Scan::default() }
    }

    /// The grid of spec 09-E6: p = 0.75 at 1.025 m, 1 at 1.525 m.
    fn grid() -> HitGrid {
        let mut grid = HitGrid::new(0.05, 800);
        [1.0, 1.0, 1.0, 1.5]
            .into_iter()
            .for_each(|range_m| grid.stamp(&ahead(range_m), ROBOT, Misses::Ignored));
        grid
    }

    fn weight(rules: &Rules, pose: Pose2, hits: &[Point2]) -> f64 {
        let mut weights = [0.0];
        SelectiveWeights::of(rules).unwrap().weigh(&grid(), &[pose], &Scan::default(), hits, &mut weights);
        weights[0]
    }

    #[test]
    fn the_paper_takes_every_hit() {
        assert_eq!(SelectiveWeights::of(&Rules::PAPER), None);
    }

    #[test]
    fn a_cell_counts_once_per_scan_and_unseen_ones_not_at_all() {
        let rules = Rules { cells_once: true, ..Rules::PAPER };
        let hits = [Point2::new(1.0, 0.0), Point2::new(1.01, 0.0), Point2::new(0.0, 3.0)];
        assert_eq!(weight(&rules, ROBOT, &hits), 0.75);
    }

    #[test]
    fn a_wall_seen_from_behind_does_not_count() {
        let rules = Rules { back_side_m: 0.1, ..Rules::PAPER };
        let hits = [Point2::new(1.0, 0.0)];
        assert_eq!(weight(&rules, ROBOT, &hits), 0.75, "in front lies free space");
        // From the other side the place in front was never seen.
        let behind = Pose2::new(2.525, 0.025, std::f64::consts::PI);
        assert_eq!(weight(&rules, behind, &hits), 0.0);
        assert_eq!(weight(&Rules { cells_once: true, ..Rules::PAPER }, behind, &hits), 1.0);
    }

    #[test]
    fn thinning_keeps_the_first_and_what_is_far_enough() {
        let hits: Vec<Point2> = (0..5).map(|k| Point2::new(1.0, f64::from(k) * 0.06)).collect();
        assert_eq!(thinned(&hits, 0.1), [hits[0], hits[2], hits[4]]);
        assert_eq!(thinned(&hits, 0.0), hits);
        assert!(thinned(&[], 0.1).is_empty());
    }
}
