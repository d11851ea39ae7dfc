//! `robbie`: the particle filter of the paper, one common count grid (L-TIME, L-ICP, L-PF).
//!
//! Paper: Pellenz 2008, III-A and III-B. One step is: resample, drift, measure, normalise, map update.
//!
//! Ambiguity: "since the last mapping step" of the resample gate is read as since the gate last opened, so that a slow
//! robot with a fast scanner is resampled too. The gate (20 mm, 5 degrees), the grid of 800 cells, the noise of the last
//! rotation (5 degrees per metre) and the weight of a cell never seen (0; the paper is silent) are constants beside the
//! code that uses them.

mod drift;
mod measure;
mod params;
mod resample;
mod selective;

use model::{Grid, Pose2, SeededRng, wrap};

use crate::hit_grid::{HitGrid, Misses};
use crate::icp::{Reference, displacement};
use crate::{Deadline, Hindsight, InputRules, ListedMapper, MappedPose, Mapper, RangeLimits, Scan, Step};

use drift::{Drift, Motion};
use measure::weigh;
pub use measure::{Hits, weigh_in_cells};
use params::Rules;
pub use params::{Resampler, RobbieParams, Variant};
pub use resample::systematic;
use selective::{SelectiveWeights, thinned};

/// Side of the grid at first, cells. Paper: 800, which is 40 m.
pub const SIDE_CELLS: usize = 800;

/// Particles that are weighed between two looks at the clock, where there is a deadline.
const BLOCK: usize = 512;

pub struct Robbie {
    params: RobbieParams,
    rules: Rules,
    grid: HitGrid,
    particles: Vec<Pose2>,
    weights: Vec<f64>,
    /// One stream per particle, so that the result does not depend on the number of threads.
    rngs: Vec<SeededRng>,
    before: Option<Before>,
    /// Distance and turn since the gate last opened.
    moved_m: f64,
    turned_rad: f64,
    pose: Pose2,
    trajectory: Vec<MappedPose>,
    deadline: Deadline,
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

struct Before {
    time_s: f64,
    /// None where there was none.
    odom_from_robot: Option<Pose2>,
    /// How the robot moved up to here.
    moved: Pose2,
    reference: Reference,
}

impl ListedMapper for Robbie {
    const NAME: &'static str = "robbie";
    const SUMMARY: &'static str =
        "The particle filter of Pellenz 2008; its settings tell where the paper is silent";
    type Params = RobbieParams;

    fn with_params(params: RobbieParams) -> Self {
        let rules = Rules::from(params.variant);
        Self::with_rules(params, rules)
    }
}

impl Robbie {
    fn with_rules(params: RobbieParams, rules: Rules) -> Self {
        let count = params.particles.max(1);
        let stream = |particle: u64| SeededRng::new(params.seed).stream(particle);
        Self {
            grid: HitGrid::new(params.cell_size_m, SIDE_CELLS).hit_weight(rules.hit_weight),
            particles: vec![Pose2::IDENTITY; count],
            weights: vec![1.0 / count as f64; count],
            rngs: (0..count as u64).map(stream).collect(),
            before: None,
            moved_m: 0.0,
            turned_rad: 0.0,
            pose: Pose2::IDENTITY,
            trajectory: Vec::new(),
            deadline: Deadline::NEVER,
            params,
            rules,
        }
    }

    /// The same filter at another pose, before the first scan.
    #[must_use]
    pub fn starting_at(mut self, start: Pose2) -> Self {
        self.particles.fill(start);
        self.pose = start;
        self
    }

    #[must_use]
    pub const fn grid(&self) -> &HitGrid {
        &self.grid
    }

    /// The motion since the scan before. Without odometry it is expected to be that of the step before.
    fn moved(&self, scan: &Scan, odom_from_robot: Option<Pose2>) -> Moved {
        let Some(before) = &self.before else { return Moved::NOT };
        let by_odometry = match (before.odom_from_robot, odom_from_robot) {
            (Some(before), Some(now)) => before.inverse() * now,
            _ => before.moved,
        };
        let matched = displacement(self.params.icp, &before.reference, &scan.hits_in_robot, by_odometry);
        let best = matched.unwrap_or(by_odometry);
        let time_s = scan.time_s - before.time_s;
        let turn_radps = if time_s > 0.0 { best.theta_rad.abs() / time_s } else { 0.0 };
        Moved { by_odometry, best, is_matched: matched.is_some(), turn_radps }
    }

    fn resample_if_moved(&mut self, motion: Pose2) {
        self.moved_m += motion.x_m.hypot(motion.y_m);
        self.turned_rad += motion.theta_rad.abs();
        if !resample::is_due(self.moved_m, self.turned_rad) {
            return;
        }
        (self.moved_m, self.turned_rad) = (0.0, 0.0);
        let count = self.particles.len();
        let picked = match self.params.resampler {
            Resampler::Sorted => resample::sorted(&self.weights, count),
            Resampler::Systematic => systematic(&self.weights, count),
            Resampler::RoundedUp => resample::rounded_up(&self.weights, count, &mut self.rngs[0]),
        };
        self.particles = picked.iter().map(|&index| self.particles[index]).collect();
        self.weights.fill(1.0 / count as f64);
    }

    fn drift(&mut self, moved: &Moved) {
        let drift = Drift::of(Motion::of(moved.best), moved.best.theta_rad, &self.params);
        let first = self.particles[0] * moved.by_odometry;
        for (particle, rng) in self.particles.iter_mut().zip(&mut self.rngs) {
            *particle = drift.applied(*particle, rng);
        }
        if self.rules.first_by_odometry {
            self.particles[0] = first;
        }
    }

    /// Weighs the particles; their weights stay if the deadline passes meanwhile.
    fn measure(&mut self, scan: &Scan) {
        let thinned =
            (self.rules.thin_ends_m > 0.0).then(|| thinned(&scan.hits_in_robot, self.rules.thin_ends_m));
        let hits = thinned.as_deref().unwrap_or(&scan.hits_in_robot);
        let selective = SelectiveWeights::of(&self.rules);
        let per_block = if self.deadline.is_set() { BLOCK } else { self.particles.len().max(1) };
        let mut weights = self.weights.clone();
        for (particles, weights) in self.particles.chunks(per_block).zip(weights.chunks_mut(per_block)) {
            if self.deadline.is_over() {
                return;
            }
            match &selective {
                Some(selective) => selective.weigh(&self.grid, particles, scan, hits, weights),
                None => weigh(&self.grid, particles, hits, weights),
            }
        }
        self.weights = weights;
        measure::normalise(&mut self.weights);
    }

    /// The mean of the heaviest particles is the pose; their covariance.
    fn settle(&mut self) -> [f64; 6] {
        let top = resample::heaviest(&self.weights, self.params.top_ratio);
        let chosen: Vec<Pose2> = top.iter().map(|&index| self.particles[index]).collect();
        let (pose, covariance) = measure::mean(&chosen);
        self.pose = pose;
        covariance
    }

    /// Draws the scan into the map, unless the robot turns too fast.
    fn draw(&mut self, scan: &Scan, turn_radps: f64) {
        if self.rules.pause_turn_radps > 0.0 && turn_radps > self.rules.pause_turn_radps {
            return;
        }
        let misses = if self.params.max_range_clears { Misses::Clear } else { Misses::Ignored };
        self.grid.stamp(scan, self.pose, misses);
    }

    /// One step of the filter: resample, drift, measure, draw.
    fn take(&mut self, scan: &Scan, odom_from_robot: Option<Pose2>) -> Step {
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
        // A robot that no scan and no odometry moved is expected to stand.
        let is_known = moved.is_matched || odom_from_robot.is_some();
        let expected = if is_known { moved.best } else { Pose2::IDENTITY };
        self.before = Some(Before { time_s: scan.time_s, odom_from_robot, moved: expected, reference });
        // Without odometry, particles that merely drift are no match.
        let is_weighed = odom_from_robot.is_some() && !scan.hits_in_robot.is_empty();
        let is_matched = is_first || moved.is_matched || is_weighed;
        self.trajectory.push(MappedPose { time_s: scan.time_s, map_from_robot: self.pose, is_matched });
        let squares: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        Step {
            is_matched,
            on_surface: None,
            spread_m: Some((covariance[0] + covariance[3]).sqrt()),
            covariance: Some(covariance),
            effective_particles: Some(1.0 / squares.max(f64::MIN_POSITIVE)),
        }
    }
}

impl Mapper for Robbie {
    fn input_rules(&self) -> InputRules {
        let limits = RangeLimits { min_m: self.params.range_min_m, max_m: self.params.range_max_m };
        InputRules { limits, tilt_gate_m: self.params.tilt_gate_m, ..InputRules::default() }
    }

    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        self.take(scan, Some(odom_from_robot))
    }

    fn step_without_odometry(&mut self, scan: &Scan) -> Step {
        self.take(scan, None)
    }

    fn end_by(&mut self, deadline: Deadline) {
        self.deadline = deadline;
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
