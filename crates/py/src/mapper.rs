//! A mapper that is fed scan by scan.

use std::sync::{Arc, Mutex, PoisonError};

use ::mapper::Hindsight;
use mapjudge::mapping::{MapPlan, Settings, StepRecord, StepwiseMapper, find_mapper};
use mapjudge::{JobError, Map, Stop};
use model::{BeamModel, LaserScan, LogRecord, Odometry, Pose2};
use pyo3::prelude::*;

use crate::errors;
use crate::grid::Grid;
use crate::log::{self, Log};
use crate::pool::without_lock;
use crate::poses::Poses;

/// Time, pose, whether the scan was matched, and the covariance as xx, xy, xt, yy, yt, tt.
type PyStep = (f64, (f64, f64, f64), bool, Option<[f64; 6]>);

/// Name, settings and seed: what a mapper is made by.
type Made = (String, Vec<(String, String)>, u64);

/// Takes odometry and scans, gives poses and a map.
#[pyclass(frozen, module = "mapjudge._core")]
pub struct Mapper {
    made: Made,
    work: Arc<Mutex<Fed>>,
}

/// A mapper with what it was fed, which is what is pickled of it: 4 bytes per beam.
struct Fed {
    mapper: StepwiseMapper,
    records: Vec<LogRecord>,
    /// How many records were there each time it was told that no more come.
    finished: Vec<usize>,
}

impl Fed {
    fn push(&mut self, record: LogRecord) -> Vec<StepRecord> {
        let steps = self.mapper.push(&record);
        self.records.push(record);
        steps
    }

    fn finish(&mut self) -> Vec<StepRecord> {
        self.finished.push(self.records.len());
        self.mapper.finish()
    }
}

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
        let mapper_made = made().map_err(|error: JobError| errors::job(py, error))?;
        let fed = Fed { mapper: mapper_made, records: Vec::new(), finished: Vec::new() };
        Ok(Self { made: (mapper.to_owned(), settings, seed), work: Arc::new(Mutex::new(fed)) })
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
    fn add_log(&self, py: Python<'_>, log: Py<Log>) -> PyResult<Vec<PyStep>> {
        let steps = self.work(py, move |mapper| {
            log.get().records().iter().flat_map(|record| mapper.push(record.clone())).collect::<Vec<_>>()
        })?;
        Ok(steps.into_iter().map(step).collect())
    }

    /// The steps of the scans that are left.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<PyStep>> {
        Ok(self.work(py, Fed::finish)?.into_iter().map(step).collect())
    }

    /// Where the robot is: metres, metres, radians.
    #[getter]
    fn pose(&self, py: Python<'_>) -> PyResult<(f64, f64, f64)> {
        let Pose2 { x_m, y_m, theta_rad } = self.work(py, |fed| fed.mapper.pose())?;
        Ok((x_m, y_m, theta_rad))
    }

    /// The map so far; none before the first return.
    fn map(&self, py: Python<'_>) -> PyResult<Option<Grid>> {
        let grid = self.work(py, |fed| fed.mapper.map())?;
        Ok(grid.map(|grid| Grid::of_map(Map::new(grid))))
    }

    /// A pose per scan: as it was known then (`online`), or as it is known now (`final`).
    fn trajectory(&self, py: Python<'_>, which: &str) -> PyResult<Poses> {
        let hindsight = if which == "online" { Hindsight::Online } else { Hindsight::Final };
        Ok(Poses::of_trajectory(self.work(py, move |fed| fed.mapper.trajectory(hindsight))?))
    }

    /// What it is made by and what it was fed, for pickling.
    fn state(&self, py: Python<'_>) -> PyResult<(Made, Vec<log::State>, Vec<usize>)> {
        let (records, finished) =
            self.work(py, |fed| (fed.records.iter().map(log::state).collect(), fed.finished.clone()))?;
        Ok((self.made.clone(), records, finished))
    }

    /// A mapper out of its state: the same records give the same map.
    #[staticmethod]
    fn of_state(
        py: Python<'_>,
        made: Made,
        records: Vec<log::State>,
        finished: Vec<usize>,
    ) -> PyResult<Self> {
        let broken = || errors::input(py, "MAPPER_STATE", "the state of a mapper is damaged", None);
        let records: Option<Vec<LogRecord>> = records.into_iter().map(log::record).collect();
        let records = records.ok_or_else(broken)?;
        let again = Self::new(py, &made.0, made.1, made.2)?;
        again.work(py, move |fed| {
            let mut finished = finished.into_iter().peekable();
            for (index, record) in records.into_iter().enumerate() {
                while finished.next_if_eq(&index).is_some() {
                    fed.finish();
                }
                fed.push(record);
            }
            finished.for_each(|_| drop(fed.finish()));
        })?;
        Ok(again)
    }
}

impl Mapper {
    fn push(&self, py: Python<'_>, record: LogRecord) -> PyResult<Vec<PyStep>> {
        Ok(self.work(py, move |fed| fed.push(record))?.into_iter().map(step).collect())
    }

    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Fed) -> T + Send + 'static,
    ) -> PyResult<T> {
        let fed = Arc::clone(&self.work);
        let stop = Stop::default();
        without_lock(py, 0, &stop, move || {
            let mut fed = fed.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut fed)
        })
    }
}

fn step(record: StepRecord) -> PyStep {
    let Pose2 { x_m, y_m, theta_rad } = record.map_from_robot;
    (record.time_s, (x_m, y_m, theta_rad), record.step.is_matched, record.step.covariance)
}
