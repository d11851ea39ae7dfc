//! A mapper at work: takes scans one by one, and keeps the figures of its steps.

use std::fmt::Write;
use std::time::Instant;

use mapper::{
    DeadReckoning, DeadReckoningParams, Graph, GraphParams, Hindsight, Mapper, RangeLimits, Robbie,
    RobbieParams, Scan, Step,
};
use model::Pose2;
use serde_json::Value;

use super::{MapperName, Settings, StepTimes, settings};
use crate::JobError;

/// A mapper with what it did so far.
pub(crate) struct MappingRun {
    /// The mapper.
    pub mapper: Box<dyn Mapper>,
    /// Which ranges it takes.
    pub limits: RangeLimits,
    /// How far above or below the scanner it takes them, metres; 0 does not look at the tilt.
    pub tilt_gate_m: f64,
    /// Its parameters as the report shows them.
    pub params: Value,
    steps: Vec<StepRecord>,
    /// Time after the last scan, seconds.
    pub finish_s: f64,
}

/// What one step published (L-PF).
struct StepRecord {
    time_s: f64,
    pose: Pose2,
    step: Step,
    took_ms: f64,
}

impl MappingRun {
    /// A mapper that has seen nothing.
    ///
    /// # Errors
    /// A parameter is unknown or out of range.
    pub fn new(name: MapperName, given: &Settings, seed: u64) -> Result<Self, JobError> {
        let (mapper, limits, params) = mapper_of(name, given, seed)?;
        let tilt_gate_m = params["tilt_gate_m"].as_f64().unwrap_or(0.0);
        Ok(Self { mapper, limits, tilt_gate_m, params, steps: Vec::new(), finish_s: 0.0 })
    }

    /// Takes the next scan.
    pub fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) {
        let start = Instant::now();
        let step = self.mapper.step(scan, odom_from_robot);
        let took_ms = start.elapsed().as_secs_f64() * 1e3;
        self.steps.push(StepRecord { time_s: scan.time_s, pose: self.mapper.pose(), step, took_ms });
    }

    /// Does what is left to do after the last scan.
    pub fn finish(&mut self, hindsight: Hindsight) {
        let start = Instant::now();
        if hindsight == Hindsight::Final {
            self.mapper.finish();
        }
        self.finish_s = start.elapsed().as_secs_f64();
    }

    /// Times of the steps; none without one.
    pub fn times(&self) -> Option<StepTimes> {
        let mut times_ms: Vec<f64> = self.steps.iter().map(|step| step.took_ms).collect();
        times_ms.sort_by(f64::total_cmp);
        let at = |share: f64| times_ms.get((share * (times_ms.len() as f64 - 1.0)).round() as usize).copied();
        Some(StepTimes { p50: at(0.5)?, p99: at(0.99)? })
    }

    /// What each step published: the pose as it was known then, its covariance, the effective number of particles and the
    /// time it took. Columns that the mapper does not know are empty.
    pub fn steps_csv(&self) -> String {
        let mut text = String::from(
            "time_s,x_m,y_m,theta_rad,matched,spread_m,xx_m2,xy_m2,xt_mrad,yy_m2,yt_mrad,tt_rad2,\
             effective_particles,step_ms\n",
        );
        let known = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:?}"));
        for StepRecord { time_s, pose: Pose2 { x_m, y_m, theta_rad }, step, took_ms } in &self.steps {
            let matched = u8::from(step.is_matched);
            let covariance: Vec<String> =
                (0..6).map(|at| known(step.covariance.map(|numbers| numbers[at]))).collect();
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "{time_s:?},{x_m:?},{y_m:?},{theta_rad:?},{matched},{},{},{},{took_ms:.4}",
                known(step.spread_m),
                covariance.join(","),
                known(step.effective_particles)
            );
        }
        text
    }
}

/// A mapper with its parameters, which ranges it takes, and the parameters as the report shows them.
fn mapper_of(
    name: MapperName,
    given: &Settings,
    seed: u64,
) -> Result<(Box<dyn Mapper>, RangeLimits, Value), JobError> {
    let limits = |min_m: f64, max_m: f64| RangeLimits { min_m, max_m };
    match name {
        MapperName::Robbie => {
            let (params, shown) = given.over(&RobbieParams { seed, ..RobbieParams::PAPER })?;
            check_robbie(&params)?;
            let limits = limits(params.range_min_m, params.range_max_m);
            Ok((Box::new(Robbie::new(params)), limits, shown))
        }
        MapperName::Graph => {
            let (params, shown) = given.over(&GraphParams::default())?;
            settings::check("cell_size_m", params.cell_size_m, 0.005, 10.0)?;
            settings::check("tilt_gate_m", params.tilt_gate_m, 0.0, 100.0)?;
            settings::check("submap_way_m", params.submap_way_m, 0.5, 1000.0)?;
            let limits = limits(params.range_min_m, params.range_max_m);
            Ok((Box::new(Graph::new(params)), limits, shown))
        }
        MapperName::Odometry => {
            let (params, shown) = given.over(&DeadReckoningParams::default())?;
            settings::check("cell_size_m", params.cell_size_m, 0.005, 10.0)?;
            let limits = limits(params.range_min_m, params.range_max_m);
            Ok((Box::new(DeadReckoning::new(&params)), limits, shown))
        }
    }
}

fn check_robbie(params: &RobbieParams) -> Result<(), JobError> {
    settings::check("cell_size_m", params.cell_size_m, 0.005, 10.0)?;
    settings::check("particles", params.particles as f64, 1.0, 100_000.0)?;
    settings::check("top_share", params.top_share, 0.0, 1.0)?;
    settings::check("tilt_gate_m", params.tilt_gate_m, 0.0, 100.0)?;
    settings::check("p_unseen", params.p_unseen, 0.0, 1.0)?;
    settings::check("thin_ends_m", params.thin_ends_m, 0.0, 100.0)?;
    settings::check("back_side_m", params.back_side_m, 0.0, 100.0)?;
    settings::check("hit_weight", f64::from(params.hit_weight), 1.0, 1000.0)?;
    settings::check("weight_exponent", params.weight_exponent, 0.0, 100.0)?;
    settings::check("pause_turn_radps", params.pause_turn_radps, 0.0, 1000.0)
}
