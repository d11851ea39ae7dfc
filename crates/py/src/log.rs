//! A log of scans and odometry in memory.

use std::path::PathBuf;

use formats::{Content, ReadOptions};
use mapjudge::files::Loader;
use mapjudge::{Loaded, Stop};
use model::{Attitude, BeamModel, Finding, LaserScan, LogRecord, Odometry, Pose2, SensorLog, SonarSweep};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::{self, PyFinding};
use crate::pool::without_lock;
use crate::writing::write_content;

/// Records in the order of the file.
#[pyclass(frozen, module = "mapjudge._core")]
pub struct Log {
    log: SensorLog,
    findings: Vec<Finding>,
}

/// Time, ranges, direction of the first beam, angle between beams, max. range, sensor.
type PyScan<'py> = (f64, Bound<'py, PyArray1<f32>>, f64, f64, f64, String);

/// Kind, numbers, ranges, intensities and sensor of a record, for pickling. An absent number is NaN.
pub type State = (u8, Vec<f64>, Vec<f32>, Vec<f32>, String);

#[pymethods]
impl Log {
    /// Reads a log; of a bag the scans and odometry of a topic.
    #[staticmethod]
    #[pyo3(signature = (path, topic=None))]
    fn read(py: Python<'_>, path: PathBuf, topic: Option<String>) -> PyResult<Self> {
        let reading = ReadOptions { topic, ..ReadOptions::default() };
        let stop = Stop::default();
        let loaded = without_lock(py, 0, &stop, move || Loader::new(reading).log(&path))?;
        let Loaded { value: log, findings, .. } = loaded.map_err(|error| errors::job(py, error))?;
        Ok(Self { log, findings })
    }

    /// Writes the log in the format that the ending names; the files written.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<Vec<PathBuf>> {
        let content = Content::Log(self.log.clone());
        write_content(py, 1, path, overwrite, move || content)
    }

    fn __len__(&self) -> usize {
        self.log.records.len()
    }

    /// What was noticed while reading: code, level, message and hint.
    #[getter]
    fn findings(&self) -> Vec<PyFinding> {
        errors::findings(&self.findings)
    }

    /// Every scan with a fresh array of its ranges.
    fn scans<'py>(&self, py: Python<'py>) -> Vec<PyScan<'py>> {
        let scan = |scan: &LaserScan| {
            let BeamModel { first_rad, step_rad, max_range_m, .. } = scan.beams;
            let ranges = PyArray1::from_slice(py, &scan.ranges_m);
            (scan.time_s, ranges, first_rad, step_rad, max_range_m, scan.sensor.clone())
        };
        self.log.scans().map(scan).collect()
    }

    /// A fresh array of `t x y theta`.
    fn odometry<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        poses(py, self.log.odometry().map(|one| (one.time_s, one.odom_from_robot)))
    }

    /// A fresh array of `t x y theta` of the poses that a simulator told.
    fn true_poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = |record: &LogRecord| match record {
            LogRecord::TruePose { time_s, world_from_robot } => Some((*time_s, *world_from_robot)),
            _ => None,
        };
        poses(py, self.log.records.iter().filter_map(pose))
    }

    /// Whether the records are the same.
    fn equals(&self, other: &Self) -> bool {
        self.log == other.log
    }

    /// Everything but the findings, for pickling.
    fn state(&self) -> (Vec<State>, Vec<(String, usize)>) {
        (self.log.records.iter().map(state).collect(), self.log.skipped.clone())
    }

    /// A log out of its state.
    #[staticmethod]
    fn of_state(py: Python<'_>, records: Vec<State>, skipped: Vec<(String, usize)>) -> PyResult<Self> {
        let records: Option<Vec<LogRecord>> = records.into_iter().map(record).collect();
        let broken = || errors::input(py, "LOG_STATE", "the state of a log is damaged", None);
        let log = SensorLog { records: records.ok_or_else(broken)?, skipped };
        Ok(Self { log, findings: Vec::new() })
    }
}

impl Log {
    pub fn records(&self) -> &[LogRecord] {
        &self.log.records
    }
}

fn poses<'py>(
    py: Python<'py>,
    poses: impl Iterator<Item = (f64, Pose2)>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let numbers: Vec<f64> =
        poses.flat_map(|(time_s, pose)| [time_s, pose.x_m, pose.y_m, pose.theta_rad]).collect();
    let rows = numbers.len() / 4;
    PyArray1::from_vec(py, numbers).reshape([rows, 4])
}

fn numbers_of(pose: Option<Pose2>) -> [f64; 3] {
    pose.map_or([f64::NAN; 3], |pose| [pose.x_m, pose.y_m, pose.theta_rad])
}

pub fn state(record: &LogRecord) -> State {
    let plain = |kind: u8, numbers: Vec<f64>| (kind, numbers, Vec::new(), Vec::new(), String::new());
    match record {
        LogRecord::Scan(scan) => {
            let BeamModel { first_rad, step_rad, max_range_m, is_guessed } = scan.beams;
            let mut numbers =
                vec![scan.time_s, first_rad, step_rad, max_range_m, f64::from(u8::from(is_guessed))];
            numbers.extend(numbers_of(scan.world_from_laser));
            numbers.extend(numbers_of(scan.world_from_robot));
            (0, numbers, scan.ranges_m.clone(), scan.remissions.clone(), scan.sensor.clone())
        }
        LogRecord::Sonar(sweep) => {
            let mut numbers = vec![sweep.time_s, sweep.cone_rad, sweep.max_range_m];
            numbers.extend(sweep.robot_from_transducers.iter().flat_map(|pose| numbers_of(Some(*pose))));
            (1, numbers, sweep.ranges_m.clone(), Vec::new(), String::new())
        }
        LogRecord::Odometry(one) => {
            let Pose2 { x_m, y_m, theta_rad } = one.odom_from_robot;
            let [speed, turn] = [one.speed_mps, one.turn_rate_radps].map(|rate| rate.unwrap_or(f64::NAN));
            plain(2, vec![one.time_s, x_m, y_m, theta_rad, speed, turn])
        }
        LogRecord::Attitude(one) => {
            let [roll, pitch, yaw] = one.roll_pitch_yaw_rad;
            (3, vec![one.time_s, roll, pitch, yaw], Vec::new(), Vec::new(), one.sensor.clone())
        }
        LogRecord::TruePose { time_s, world_from_robot: Pose2 { x_m, y_m, theta_rad } } => {
            plain(4, vec![*time_s, *x_m, *y_m, *theta_rad])
        }
    }
}

fn pose_of(numbers: &[f64]) -> Option<Pose2> {
    match *numbers {
        [x_m, y_m, theta_rad] if !x_m.is_nan() => Some(Pose2 { x_m, y_m, theta_rad }),
        _ => None,
    }
}

pub fn record((kind, numbers, ranges_m, remissions, sensor): State) -> Option<LogRecord> {
    let known = |number: f64| (!number.is_nan()).then_some(number);
    Some(match (kind, numbers.as_slice()) {
        (0, [time_s, first_rad, step_rad, max_range_m, is_guessed, places @ ..]) if places.len() == 6 => {
            let beams = BeamModel {
                first_rad: *first_rad,
                step_rad: *step_rad,
                max_range_m: *max_range_m,
                is_guessed: *is_guessed != 0.0,
            };
            let (laser, robot) = places.split_at(3);
            let (world_from_laser, world_from_robot) = (pose_of(laser), pose_of(robot));
            let time_s = *time_s;
            LogRecord::Scan(LaserScan {
                time_s,
                beams,
                ranges_m,
                remissions,
                world_from_laser,
                world_from_robot,
                sensor,
            })
        }
        (1, [time_s, cone_rad, max_range_m, places @ ..]) => {
            let robot_from_transducers = places.chunks(3).map(pose_of).collect::<Option<Vec<_>>>()?;
            let (time_s, cone_rad, max_range_m) = (*time_s, *cone_rad, *max_range_m);
            LogRecord::Sonar(SonarSweep { time_s, cone_rad, max_range_m, robot_from_transducers, ranges_m })
        }
        (2, [time_s, x_m, y_m, theta_rad, speed, turn]) => LogRecord::Odometry(Odometry {
            time_s: *time_s,
            odom_from_robot: Pose2 { x_m: *x_m, y_m: *y_m, theta_rad: *theta_rad },
            speed_mps: known(*speed),
            turn_rate_radps: known(*turn),
        }),
        (3, [time_s, angles @ ..]) => LogRecord::Attitude(Attitude {
            time_s: *time_s,
            sensor,
            roll_pitch_yaw_rad: angles.try_into().ok()?,
        }),
        (4, [time_s, pose @ ..]) => LogRecord::TruePose { time_s: *time_s, world_from_robot: pose_of(pose)? },
        _ => return None,
    })
}
