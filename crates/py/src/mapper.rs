//! A mapper that is fed scan by scan.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ::mapper::Hindsight;
use mapjudge::mapping::{MapPlan, Settings, StepRecord, StepwiseMapper, find_mapper};
use mapjudge::{JobError, Map, Stop, files};
use model::{BeamModel, LaserScan, LogRecord, Odometry, Pose2};
use pyo3::prelude::*;

use crate::errors;
use crate::grid::Grid;
use crate::pool::without_lock;
use crate::poses::Poses;

/// Time, pose, whether the scan was matched, and the covariance as xx, xy, xt, yy, yt, tt.
type PyStep = (f64, (f64, f64, f64), bool, Option<[f64; 6]>);

/// Takes odometry and scans, gives poses and a map.
#[pyclass(frozen, module = "mapjudge._core")]
pub struct Mapper(Arc<Mutex<StepwiseMapper>>);

#[pymethods]
impl Mapper {
    #[new]
    #[pyo3(signature = (mapper="graph", settings=Vec::new(), seed=mapjudge::DEFAULT_SEED))]
    fn new(py: Python<'_>, mapper: &str, settings: Vec<(String, String)>, seed: u64) -> PyResult<Self> {
        let made = || {
            let mut plan = MapPlan::new(find_mapper(mapper)?, seed);
            let mut own = Settings::default();
            for (name, value) in &settings {
                own.set_text(name, value)?;
            }
            plan.settings = own;
            StepwiseMapper::new(&plan).map_err(|error| match error {
                mapjudge::mapping::MapError::Settings(error) => JobError::from(error),
                other => JobError::NoMap { path: String::new(), why: other.to_string() },
            })
        };
        let made = made().map_err(|error: JobError| errors::job(py, error))?;
        Ok(Self(Arc::new(Mutex::new(made))))
    }

    /// Takes a reading of the odometry; the steps that became ready.
    fn add_odometry(&self, py: Python<'_>, time_s: f64, x: f64, y: f64, theta: f64) -> PyResult<Vec<PyStep>> {
        let odom_from_robot = Pose2::new(x, y, theta);
        self.push(
            py,
            LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None }),
        )
    }

    /// Takes a scan; the steps that became ready.
    #[pyo3(signature = (time_s, ranges, first_rad, step_rad, max_range=f64::INFINITY))]
    fn add_scan(
        &self,
        py: Python<'_>,
        time_s: f64,
        ranges: Vec<f32>,
        first_rad: f64,
        step_rad: f64,
        max_range: f64,
    ) -> PyResult<Vec<PyStep>> {
        let beams = BeamModel { first_rad, step_rad, max_range_m: max_range, is_guessed: false };
        let scan = LaserScan {
            time_s,
            beams,
            ranges_m: ranges,
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: String::new(),
        };
        self.push(py, LogRecord::Scan(scan))
    }

    /// Takes all records of a log, as they come.
    fn add_log(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<PyStep>> {
        let log = self.work(py, move |mapper| {
            let log = files::Loader::default().log(&path)?.value;
            Ok::<_, JobError>(log.records.iter().flat_map(|record| mapper.push(record)).collect::<Vec<_>>())
        })?;
        Ok(log.map_err(|error| errors::job(py, error))?.into_iter().map(step).collect())
    }

    /// The steps of the scans that are left.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<PyStep>> {
        Ok(self.work(py, StepwiseMapper::finish)?.into_iter().map(step).collect())
    }

    /// Where the robot is: metres, metres, radians.
    #[getter]
    fn pose(&self, py: Python<'_>) -> PyResult<(f64, f64, f64)> {
        let Pose2 { x_m, y_m, theta_rad } = self.work(py, |mapper| mapper.pose())?;
        Ok((x_m, y_m, theta_rad))
    }

    /// The map so far; none before the first return.
    fn map(&self, py: Python<'_>) -> PyResult<Option<Grid>> {
        let grid = self.work(py, |mapper| mapper.map())?;
        Ok(grid.map(|grid| Grid::of_map(Map::new(grid))))
    }

    /// A pose per scan: as it was known then (`online`), or as it is known now (`final`).
    fn trajectory(&self, py: Python<'_>, which: &str) -> PyResult<Poses> {
        let hindsight = if which == "online" { Hindsight::Online } else { Hindsight::Final };
        Ok(Poses::of_trajectory(self.work(py, move |mapper| mapper.trajectory(hindsight))?))
    }
}

impl Mapper {
    fn push(&self, py: Python<'_>, record: LogRecord) -> PyResult<Vec<PyStep>> {
        Ok(self.work(py, move |mapper| mapper.push(&record))?.into_iter().map(step).collect())
    }

    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut StepwiseMapper) -> T + Send + 'static,
    ) -> PyResult<T> {
        let mapper = Arc::clone(&self.0);
        let stop = Stop::default();
        without_lock(py, 0, &stop, move || {
            let mut mapper = mapper.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut mapper)
        })
    }
}

fn step(record: StepRecord) -> PyStep {
    let Pose2 { x_m, y_m, theta_rad } = record.map_from_robot;
    (record.time_s, (x_m, y_m, theta_rad), record.step.is_matched, record.step.covariance)
}
