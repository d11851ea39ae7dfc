//! `robbie`: the particle filter of the paper, one common count grid (L-TIME, L-ICP, L-PF).
//!
//! Paper: Pellenz 2008, III-A and III-B. One step is: resample, drift, measure, normalise, map update.
//!
//! Ambiguity: "since the last mapping step" of the resample gate is read as since the gate last opened, so that a slow
//! robot with a fast scanner is resampled too.

mod drift;
mod measure;
mod resample;

use model::{Grid, Pose2, PoseGraph, wrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dice::Dice;
use crate::hit_grid::{HitGrid, Misses};
use crate::icp::{IcpKind, Reference, displacement};
use crate::{Hindsight, MappedPose, Mapper, Scan, Step};
use drift::{Drift, Motion};
use measure::weigh;
pub use measure::{Hits, weigh_in_cells};
pub use resample::systematic;

/// How particles are drawn by their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resampler {
    /// Copies by the rounded weight, heaviest first (our reading of the paper).
    #[default]
    Sorted,
    /// Evenly spaced marks on the running sum.
    Systematic,
}

/// Parameters of [`Robbie`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RobbieParams {
    /// Number of particles. Paper: 300.
    pub particles: usize,
    /// Edge of a cell in metres. Paper: 0.05; 0.1 for noisy or tilted data.
    pub cell_size_m: f64,
    /// Side of the grid at first, in cells. Paper: 800. It grows.
    pub side_cells: usize,
    /// Shorter ranges are no measurements, metres. Paper: 0.02.
    pub range_min_m: f64,
    /// Ranges from here on are no returns, metres. Paper: 4.
    pub range_max_m: f64,
    /// Scan matching before the filter. Paper: ICP of the last two scans; of which kind it does not say.
    pub icp: IcpKind,
    /// Resampling waits for this way, metres. Paper: 0.02.
    pub resample_way_m: f64,
    /// Or for this turn, radians. Paper: 5 degrees.
    pub resample_turn_rad: f64,
    /// Sigma of the first rotation as a share of the reported rotation. Paper: 0.05.
    pub drift_rotation_share: f64,
    /// Sigma of the distance as a share of it. Paper: 0.15.
    pub drift_distance_share: f64,
    /// Sigma of the second rotation, radians per metre. Paper: 5 degrees.
    pub drift_rotation_rad_per_m: f64,
    /// Share of the heaviest particles whose mean is the pose. Paper: 0.05.
    pub top_share: f64,
    /// How particles are drawn. The paper only says that the number of copies depends on the weight.
    pub resampler: Resampler,
    /// Weights are raised to this power. Paper: 1.
    pub weight_exponent: f64,
    /// Beams without a return clear the cells up to the largest range. Paper: no.
    pub max_range_clears: bool,
    /// Seed of the drift.
    pub seed: u64,
}

impl RobbieParams {
    /// The published values.
    pub const PAPER: Self = Self {
        particles: 300,
        cell_size_m: 0.05,
        side_cells: 800,
        range_min_m: 0.02,
        range_max_m: 4.0,
        icp: IcpKind::Line,
        resample_way_m: 0.02,
        resample_turn_rad: 5.0 * std::f64::consts::PI / 180.0,
        drift_rotation_share: 0.05,
        drift_distance_share: 0.15,
        drift_rotation_rad_per_m: 5.0 * std::f64::consts::PI / 180.0,
        top_share: 0.05,
        resampler: Resampler::Sorted,
        weight_exponent: 1.0,
        max_range_clears: false,
        seed: 1,
    };
}

impl Default for RobbieParams {
    fn default() -> Self {
        Self::PAPER
    }
}

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

/// The scan before.
struct Before {
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
        Self {
            grid: HitGrid::new(params.cell_size_m, params.side_cells),
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

    /// The motion since the scan before, by ICP where it is accepted; and whether it was.
    fn motion(&self, scan: &Scan, odom_from_robot: Pose2) -> (Pose2, bool) {
        let Some(before) = &self.before else { return (Pose2::IDENTITY, false) };
        let by_odometry = before.odom_from_robot.inverse() * odom_from_robot;
        match displacement(self.params.icp, &before.reference, &scan.hits_in_robot, by_odometry) {
            Some(matched) => (matched, true),
            None => (by_odometry, false),
        }
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
        };
        self.particles = picked.iter().map(|&index| self.particles[index]).collect();
        self.weights.fill(1.0 / count as f64);
    }

    fn drift(&mut self, motion: Pose2) {
        let drift = Drift::of(Motion::of(motion), motion.theta_rad, &self.params);
        for (particle, dice) in self.particles.iter_mut().zip(&mut self.dice) {
            *particle = drift.applied(*particle, dice);
        }
    }

    fn measure(&mut self, scan: &Scan) {
        weigh(&self.grid, &self.particles, &scan.hits_in_robot, &mut self.weights);
        if self.params.weight_exponent != 1.0 {
            self.weights.iter_mut().for_each(|weight| *weight = weight.powf(self.params.weight_exponent));
        }
        measure::normalise(&mut self.weights);
    }

    fn settle(&mut self, scan: &Scan) -> Option<f64> {
        let top = resample::heaviest(&self.weights, self.params.top_share);
        let chosen: Vec<Pose2> = top.iter().map(|&index| self.particles[index]).collect();
        let (pose, spread_m) = measure::mean(&chosen);
        self.pose = pose;
        let misses = if self.params.max_range_clears { Misses::Clear } else { Misses::Ignored };
        self.grid.stamp(scan, pose, misses);
        Some(spread_m)
    }
}

impl Mapper for Robbie {
    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        let is_first = self.before.is_none();
        let (motion, by_icp) = self.motion(scan, odom_from_robot);
        if !is_first {
            self.resample_if_moved(motion);
            self.drift(motion);
            // No beams: drift only, the weights stay.
            if !scan.hits_in_robot.is_empty() {
                self.measure(scan);
            }
        }
        let spread_m = self.settle(scan);
        let reference = Reference::new(&scan.hits_in_robot, scan.laser_in_robot);
        self.before = Some(Before { odom_from_robot, reference });
        let is_matched = is_first || by_icp || !scan.hits_in_robot.is_empty();
        self.trajectory.push(MappedPose { time_s: scan.time_s, map_from_robot: self.pose, is_matched });
        let squares: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        Step { is_matched, spread_m, effective_particles: Some(1.0 / squares.max(f64::MIN_POSITIVE)) }
    }

    fn finish(&mut self) {}

    fn pose(&self) -> Pose2 {
        self.pose
    }

    fn map(&self) -> Option<Grid> {
        self.grid.to_grid()
    }

    fn trajectory(&self, _hindsight: Hindsight) -> Vec<MappedPose> {
        self.trajectory.clone()
    }

    fn loops(&self) -> usize {
        0
    }

    fn pose_graph(&self) -> Option<PoseGraph> {
        None
    }
}

/// Mean of angles: the direction of the sum of their unit vectors.
fn circular_mean(angles_rad: impl Iterator<Item = f64>) -> f64 {
    let (sin, cos) = angles_rad.fold((0.0, 0.0), |(sin, cos), a| (sin + a.sin(), cos + a.cos()));
    wrap(sin.atan2(cos))
}

#[cfg(test)]
mod tests;
