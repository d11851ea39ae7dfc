//! Mapping scan by scan, for programs that have scans and odometry in memory: the queue behind live mapping, without a
//! server.

use mapper::{Hindsight, JumpDetector, MapperError, RangeDevice, ScanQueue};
use model::{Grid, LaserScan, LogRecord, Odometry, Pose2, Trajectory};

use super::outputs::trajectory;
use super::{MapError, MapPlan, StepRecord};

/// A mapper that takes records as they come.
pub struct StepwiseMapper {
    mapper: Box<dyn mapper::Mapper>,
    queue: ScanQueue,
    detector: JumpDetector,
}

impl StepwiseMapper {
    /// A mapper that has seen nothing.
    ///
    /// # Errors
    /// A parameter is unknown or out of range, or the mapper takes no laser.
    pub fn new(plan: &MapPlan) -> Result<Self, MapError> {
        let mapper = plan.settings.mapper(plan.mapper, plan.seed)?;
        let rules = mapper.input_rules();
        if rules.device == RangeDevice::Sonar {
            let why = format!("the mapper {} takes sonar, and is fed with logs", plan.mapper.name);
            return Err(MapperError::Value(why).into());
        }
        let queue = ScanQueue::new(rules.limits).levelling(rules.tilt_gate_m);
        Ok(Self { mapper, queue, detector: JumpDetector::default() })
    }

    /// Takes a reading of the odometry; the steps of the scans that waited for it.
    pub fn add_odometry(&mut self, reading: Odometry) -> Vec<StepRecord> {
        self.push(&LogRecord::Odometry(reading))
    }

    /// Takes a scan; the steps of the scans that are ready now, which wait for the odometry after them.
    pub fn add_scan(&mut self, scan: LaserScan) -> Vec<StepRecord> {
        self.push(&LogRecord::Scan(scan))
    }

    /// Takes a record of a log.
    pub fn push(&mut self, record: &LogRecord) -> Vec<StepRecord> {
        let ready = self.queue.push(record);
        self.steps(ready)
    }

    /// The steps of the scans that are left, and what the mapper does after the last one.
    pub fn finish(&mut self) -> Vec<StepRecord> {
        let left = self.queue.finish();
        let steps = self.steps(left);
        self.mapper.finish();
        steps
    }

    fn steps(&mut self, scans: Vec<(mapper::Scan, Pose2)>) -> Vec<StepRecord> {
        let source = self.queue.counts().odometry;
        let step = |(scan, odom_from_robot): (mapper::Scan, Pose2)| {
            let start = std::time::Instant::now();
            let (step, _) = self.detector.step(self.mapper.as_mut(), &scan, odom_from_robot, source);
            let took_ms = start.elapsed().as_secs_f64() * 1e3;
            StepRecord { time_s: scan.time_s, map_from_robot: self.mapper.pose(), step, took_ms }
        };
        scans.into_iter().map(step).collect()
    }

    /// Where the robot is.
    #[must_use]
    pub fn pose(&self) -> Pose2 {
        self.mapper.pose()
    }

    /// The map so far; none before the first return.
    #[must_use]
    pub fn map(&self) -> Option<Grid> {
        self.mapper.map()
    }

    /// A pose per scan.
    #[must_use]
    pub fn trajectory(&self, hindsight: Hindsight) -> Trajectory {
        trajectory(&self.mapper.trajectory(hindsight))
    }
}
