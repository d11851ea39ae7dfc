//! A mapper at work: takes scans one by one, and keeps the figures of its steps.

use std::sync::Arc;
use std::time::Instant;

use mapper::{
    BeamCounts, Hindsight, JumpDetector, LogCounts, Mapper, OdometryJump, OdometrySource, Scan, SelfCheck,
    Step,
};
use metrics::plausibility::double_walls::DoubleWalls;
use metrics::{AlignedGrids, Case, Metric};
use model::{Finding, Grid, Pose2, SensorLog};
use serde_json::Value;

use super::findings;
use super::outputs::{corrected, filled, trajectory};
use super::settings::parameters;
use super::{MAP_SCHEMA, MapError, MapPlan, MapReport, MapResult, StepTimes};
use crate::playback::FrameRecorder;
use crate::{JobError, Snapshots};

/// A mapper with what it did so far.
pub(super) struct MappingRun<'p> {
    plan: &'p MapPlan,
    pub mapper: Box<dyn Mapper>,
    params: Value,
    steps: Vec<StepRecord>,
    detector: JumpDetector,
    jumps: Vec<OdometryJump>,
    self_check: SelfCheck,
    frames: FrameRecorder,
    snapshots: Option<Snapshots>,
    /// Why a snapshot was not written; there are none after it.
    failure: Option<JobError>,
    /// Time after the last scan, seconds.
    finish_s: f64,
}

/// What one step published (L-PF).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRecord {
    /// Timestamp of the scan, seconds.
    pub time_s: f64,
    /// As it was known then.
    pub map_from_robot: Pose2,
    /// What the mapper knows about the pose.
    pub step: Step,
    /// Computing time, milliseconds.
    pub took_ms: f64,
}

impl<'p> MappingRun<'p> {
    /// A mapper that has seen nothing.
    ///
    /// # Errors
    /// A parameter is unknown or out of range.
    pub fn new(plan: &'p MapPlan) -> Result<Self, MapError> {
        let mapper = plan.settings.mapper(plan.mapper, plan.seed)?;
        let params = parameters(plan.mapper, &plan.settings, plan.seed)?;
        let params = params.into_iter().map(|parameter| (parameter.name, parameter.value)).collect();
        Ok(Self {
            plan,
            mapper,
            params: Value::Object(params),
            steps: Vec::new(),
            detector: JumpDetector::default(),
            jumps: Vec::new(),
            self_check: SelfCheck::default(),
            frames: FrameRecorder::default(),
            snapshots: None,
            failure: None,
            finish_s: 0.0,
        })
    }

    /// Takes the next scan, with the odometry at its time where the log has any. Over a step that no robot can drive the
    /// odometry is not believed.
    pub fn step(&mut self, scan: &Scan, odom_from_robot: Pose2, source: OdometrySource) {
        let start = Instant::now();
        let (step, jump) = self.detector.step(self.mapper.as_mut(), scan, odom_from_robot, source);
        self.jumps.extend(jump);
        let took_ms = start.elapsed().as_secs_f64() * 1e3;
        let map_from_robot = self.mapper.pose();
        self.steps.push(StepRecord { time_s: scan.time_s, map_from_robot, step, took_ms });
        self.self_check.take(scan, &step, map_from_robot);
        self.frames.take(scan);
        self.publish(scan.time_s, map_from_robot);
    }

    /// The same, with map and pose written while scans come.
    pub fn with_snapshots(self, snapshots: Option<Snapshots>) -> Self {
        Self { snapshots, ..self }
    }

    /// Why a snapshot could not be written.
    pub fn take_failure(&mut self) -> Result<(), JobError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn publish(&mut self, time_s: f64, map_from_robot: Pose2) {
        let Some(snapshots) = &mut self.snapshots else { return };
        let mapper = &self.mapper;
        if let Err(error) = snapshots.offer(time_s, map_from_robot, &|| mapper.map()) {
            self.failure = Some(error);
            self.snapshots = None;
        }
    }

    /// Does what is left to do after the last scan.
    pub fn finish(&mut self) {
        let start = Instant::now();
        if self.plan.hindsight == Hindsight::Final {
            self.mapper.finish();
        }
        self.finish_s = start.elapsed().as_secs_f64();
    }

    /// What came out of the scans of a log.
    ///
    /// # Errors
    /// No scan had a return.
    pub fn into_result(
        self,
        log: &SensorLog,
        counts: LogCounts,
        mut findings: Vec<Finding>,
    ) -> Result<MapResult, MapError> {
        let Some(map) = self.mapper.map() else {
            let BeamCounts { beams, hits, .. } = counts.beams;
            return Err(MapError::NoMap { scans: counts.scans, hits, beams });
        };
        let plan = self.plan;
        let poses = self.mapper.trajectory(plan.hindsight);
        let graph = self.mapper.pose_graph();
        let matched = poses.iter().filter(|pose| pose.is_matched).count();
        findings.extend(findings::about(&counts, matched, &self.jumps));
        if !self.detector.has_moved() {
            findings.extend(findings::standing(&counts, matched));
        }
        let self_check = self.self_check.finish(&poses, graph.as_ref());
        findings.extend(findings::soundness(&self_check));
        let report = MapReport {
            schema: MAP_SCHEMA,
            log: String::new(),
            mapper: plan.mapper,
            ms_per_scan: step_times(&self.steps),
            params: self.params,
            trajectory: if plan.hindsight == Hindsight::Final { "final" } else { "online" },
            scans: counts.scans,
            matched,
            loops: self.mapper.loops(),
            keyframes: graph.as_ref().map(|graph| graph.vertices.len()),
            finish_s: self.finish_s,
            double_walls: double_walls(&map),
            self_check,
            counts,
            files: Vec::new(),
            findings,
        };
        Ok(MapResult {
            map,
            trajectory: trajectory(&poses),
            corrected: corrected(log, &poses, plan.robot_from_laser),
            filled: filled(log, &poses, plan.settings.fill),
            graph,
            frames: self.frames.frames(&poses),
            loop_closures: self.mapper.loop_closures(),
            steps: self.steps,
            report,
        })
    }
}

/// The metric of this name on a map alone.
fn double_walls(map: &Grid) -> Option<f64> {
    let map = Arc::new(map.clone());
    let grids = AlignedGrids { truth: Arc::clone(&map), map, outside_free: 0, outside_occupied: 0 };
    DoubleWalls::default().evaluate(&Case::new(grids)).ok().map(|score| score.value)
}

/// Median and 99th percentile; none without a step.
fn step_times(steps: &[StepRecord]) -> Option<StepTimes> {
    let mut times_ms: Vec<f64> = steps.iter().map(|step| step.took_ms).collect();
    times_ms.sort_by(f64::total_cmp);
    let at = |share: f64| times_ms.get((share * (times_ms.len() as f64 - 1.0)).round() as usize).copied();
    Some(StepTimes { p50: at(0.5)?, p99: at(0.99)? })
}
