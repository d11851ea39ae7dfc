//! `robbie`: the particle filter of the paper, one common count grid (L-TIME, L-ICP, L-PF).
//!
//! Paper: Pellenz 2008, III-A and III-B. One step is: resample, drift, measure, normalise, map update.
//!
//! Ambiguity: "since the last mapping step" of the resample gate is read as since the gate last opened, so that a slow
//! robot with a fast scanner is resampled too.

mod choosy;
mod drift;
mod measure;
mod params;
mod resample;

use model::{Grid, Pose2, wrap};

use crate::dice::Dice;
use crate::hit_grid::{Counting, Growth, HitGrid, Misses};
use crate::icp::{Reference, displacement};
use crate::{Hindsight, MappedPose, Mapper, Scan, Step};
use choosy::{Choosy, thinned};
use drift::{Drift, Motion};
use measure::weigh;
pub use measure::{Hits, weigh_in_cells};
pub use params::{Resampler, RobbieParams};
pub use resample::systematic;

/// The filter.
pub struct Robbie {
    params: RobbieParams,
    grid: HitGrid,
    particles: Vec<Pose2>,
    weights: Vec<f64>,
    dice: Vec<Dice>,
    before: Option<Before>,
    /// Way and turn since the gate last opened.
    moved_m: f64,
    turned_rad: f64,
    pose: Pose2,
    trajectory: Vec<MappedPose>,
}

/// How the robot moved since the scan before.
#[derive(Clone, Copy)]
struct Moved {
    by_odometry: Pose2,
    /// By ICP where it was accepted, else by odometry.
    best: Pose2,
    is_matched: bool,
    /// Turn over time, radians per second; 0 where no time has passed.
    turn_radps: f64,
}

impl Moved {
    const NOT: Self =
        Self { by_odometry: Pose2::IDENTITY, best: Pose2::IDENTITY, is_matched: false, turn_radps: 0.0 };
}

/// The scan before.
struct Before {
    time_s: f64,
    odom_from_robot: Pose2,
    reference: Reference,
}

impl Robbie {
    /// A filter at the origin that has seen nothing.
    #[must_use]
    pub fn new(params: RobbieParams) -> Self {
        Self::starting_at(params, Pose2::IDENTITY)
    }

    /// A filter at a pose that has seen nothing.
    #[must_use]
    pub fn starting_at(params: RobbieParams, start: Pose2) -> Self {
        let count = params.particles.max(1);
        let growth = if params.grow { Growth::ByTiles } else { Growth::None };
        let counting = Counting { hit_weight: params.hit_weight, growth };
        Self {
            grid: HitGrid::new(params.cell_size_m, params.side_cells).counting(counting),
            particles: vec![start; count],
            weights: vec![1.0 / count as f64; count],
            dice: (0..count as u64).map(|stream| Dice::new(params.seed, stream)).collect(),
            before: None,
            moved_m: 0.0,
            turned_rad: 0.0,
            pose: start,
            trajectory: Vec::new(),
            params,
        }
    }

    /// The count grid.
    #[must_use]
    pub const fn grid(&self) -> &HitGrid {
        &self.grid
    }

    /// The motion since the scan before.
    fn moved(&self, scan: &Scan, odom_from_robot: Pose2) -> Moved {
        let Some(before) = &self.before else { return Moved::NOT };
        let by_odometry = before.odom_from_robot.inverse() * odom_from_robot;
        let matched = displacement(self.params.icp, &before.reference, &scan.hits_in_robot, by_odometry);
        let best = matched.unwrap_or(by_odometry);
        let time_s = scan.time_s - before.time_s;
        let turn_radps = if time_s > 0.0 { best.theta_rad.abs() / time_s } else { 0.0 };
        Moved { by_odometry, best, is_matched: matched.is_some(), turn_radps }
    }

    fn resample_if_moved(&mut self, motion: Pose2) {
        self.moved_m += motion.x_m.hypot(motion.y_m);
        self.turned_rad += motion.theta_rad.abs();
        if !resample::is_due(self.moved_m, self.turned_rad, &self.params) {
            return;
        }
        (self.moved_m, self.turned_rad) = (0.0, 0.0);
        let count = self.particles.len();
        let picked = match self.params.resampler {
            Resampler::Sorted => resample::sorted(&self.weights, count),
            Resampler::Systematic => systematic(&self.weights, count),
            Resampler::RoundedUp => resample::rounded_up(&self.weights, count, &mut self.dice[0]),
        };
        self.particles = picked.iter().map(|&index| self.particles[index]).collect();
        self.weights.fill(1.0 / count as f64);
    }

    fn drift(&mut self, moved: &Moved) {
        let drift = Drift::of(Motion::of(moved.best), moved.best.theta_rad, &self.params);
        let first = self.particles[0] * moved.by_odometry;
        for (particle, dice) in self.particles.iter_mut().zip(&mut self.dice) {
            *particle = drift.applied(*particle, dice);
        }
        if self.params.first_by_odometry {
            self.particles[0] = first;
        }
    }

    fn measure(&mut self, scan: &Scan) {
        let thinned =
            (self.params.thin_ends_m > 0.0).then(|| thinned(&scan.hits_in_robot, self.params.thin_ends_m));
        let hits = thinned.as_deref().unwrap_or(&scan.hits_in_robot);
        match Choosy::of(&self.params) {
            Some(choosy) => choosy.weigh(&self.grid, &self.particles, scan, hits, &mut self.weights),
            None => weigh(&self.grid, &self.particles, hits, &mut self.weights),
        }
        if self.params.weight_exponent != 1.0 {
            self.weights.iter_mut().for_each(|weight| *weight = weight.powf(self.params.weight_exponent));
        }
        measure::normalise(&mut self.weights);
    }

    /// The mean of the heaviest particles is the pose; their covariance.
    fn settle(&mut self) -> [f64; 6] {
        let top = resample::heaviest(&self.weights, self.params.top_share);
        let chosen: Vec<Pose2> = top.iter().map(|&index| self.particles[index]).collect();
        let (pose, covariance) = measure::mean(&chosen);
        self.pose = pose;
        covariance
    }

    /// Draws the scan into the map, unless the robot turns too fast.
    fn draw(&mut self, scan: &Scan, turn_radps: f64) {
        if self.params.pause_turn_radps > 0.0 && turn_radps > self.params.pause_turn_radps {
            return;
        }
        let misses = if self.params.max_range_clears { Misses::Clear } else { Misses::Ignored };
        self.grid.stamp(scan, self.pose, misses);
    }
}

impl Mapper for Robbie {
    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        let is_first = self.before.is_none();
        let moved = self.moved(scan, odom_from_robot);
        if !is_first {
            self.resample_if_moved(moved.best);
            self.drift(&moved);
            // No beams: drift only, the weights stay.
            if !scan.hits_in_robot.is_empty() {
                self.measure(scan);
            }
        }
        let covariance = self.settle();
        self.draw(scan, moved.turn_radps);
        let reference = Reference::new(&scan.hits_in_robot, scan.laser_in_robot);
        self.before = Some(Before { time_s: scan.time_s, odom_from_robot, reference });
        let is_matched = is_first || moved.is_matched || !scan.hits_in_robot.is_empty();
        self.trajectory.push(MappedPose { time_s: scan.time_s, map_from_robot: self.pose, is_matched });
        let squares: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        Step {
            is_matched,
            spread_m: Some((covariance[0] + covariance[3]).sqrt()),
            covariance: Some(covariance),
            effective_particles: Some(1.0 / squares.max(f64::MIN_POSITIVE)),
        }
    }

    fn pose(&self) -> Pose2 {
        self.pose
    }

    fn map(&self) -> Option<Grid> {
        self.grid.to_grid()
    }

    fn trajectory(&self, _hindsight: Hindsight) -> Vec<MappedPose> {
        self.trajectory.clone()
    }
}

/// Mean of angles: the direction of the sum of their unit vectors.
fn circular_mean(angles_rad: impl Iterator<Item = f64>) -> f64 {
    let (sin, cos) = angles_rad.fold((0.0, 0.0), |(sin, cos), a| (sin + a.sin(), cos + a.cos()));
    wrap(sin.atan2(cos))
}

#[cfg(test)]
mod tests;
