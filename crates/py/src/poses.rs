//! Poses over time in memory.

use std::path::PathBuf;

use formats::{Content, settle_stamps, write_tum};
use mapjudge::files::{HeldValue, Loader};
use mapjudge::{Loaded, Provenance, Stop};
use model::{Dimension, Finding, Pose2, Pose3, PoseSource, StampedPose, TimeBase, Trajectory};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::{self, PyFinding};
use crate::grid::Held;
use crate::pool::without_lock;
use crate::writing::write_content;

/// Poses over time.
#[pyclass(frozen, module = "mapjudge._core")]
pub struct Poses {
    trajectory: Trajectory,
    findings: Vec<Finding>,
    file: Option<Provenance>,
}

#[pymethods]
impl Poses {
    /// Rows of `t x y theta`, or of `t x y z qx qy qz qw` as TUM files have them.
    #[staticmethod]
    #[pyo3(signature = (rows, time_base="seconds"))]
    fn of_rows(py: Python<'_>, rows: PyReadonlyArray2<'_, f64>, time_base: &str) -> PyResult<Self> {
        let view = rows.as_array();
        let is_planar = view.dim().1 == 4;
        let dimension = if is_planar { Dimension::Planar } else { Dimension::Spatial };
        let mut poses = Vec::with_capacity(view.dim().0);
        for (index, row) in view.rows().into_iter().enumerate() {
            let row: Vec<f64> = row.iter().copied().collect();
            let pose = if row.iter().all(|number| number.is_finite()) { pose_of(&row) } else { None };
            let Some(pose) = pose else {
                let message = format!(
                    "row {index} of the trajectory is {row:?}: expected finite numbers and a quaternion that is not 0"
                );
                return Err(errors::input(py, "TRAJECTORY_ROW", &message, None));
            };
            poses.push(pose);
        }
        let time_base = if time_base == "index" { TimeBase::Index } else { TimeBase::Seconds };
        let findings = if time_base == TimeBase::Seconds { settle_stamps(&mut poses) } else { Vec::new() };
        Ok(Self { trajectory: Trajectory { time_base, dimension, poses }, findings, file: None })
    }

    /// Reads a trajectory, or the poses of a log or graph.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let stop = Stop::default();
        let loaded = without_lock(py, 0, &stop, move || Loader::default().trajectory(&path))?;
        let Loaded { value, provenance, findings } = loaded.map_err(|error| errors::job(py, error))?;
        Ok(Self { trajectory: value, findings, file: Some(provenance) })
    }

    /// Writes the poses in the format that the ending names; the files written.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<Vec<PathBuf>> {
        let content = Content::Trajectory(self.trajectory.clone());
        write_content(py, 1, path, overwrite, move || content)
    }

    fn __len__(&self) -> usize {
        self.trajectory.poses.len()
    }

    /// Whether the poses have three degrees of freedom.
    #[getter]
    fn planar(&self) -> bool {
        self.trajectory.dimension == Dimension::Planar
    }

    /// What the stamps mean: `seconds` or `index`.
    #[getter]
    fn time_base(&self) -> &'static str {
        if self.trajectory.time_base == TimeBase::Index { "index" } else { "seconds" }
    }

    /// What was noticed: code, level, message and hint.
    #[getter]
    fn findings(&self) -> Vec<PyFinding> {
        errors::findings(&self.findings)
    }

    /// A fresh array of `t x y theta` for planar poses, else of `t x y z qx qy qz qw`.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = if self.planar() { 4 } else { 8 };
        let mut numbers = Vec::with_capacity(columns * self.trajectory.poses.len());
        for pose in &self.trajectory.poses {
            numbers.push(pose.time_s);
            if self.planar() {
                let Pose2 { x_m, y_m, theta_rad } = pose.world_from_robot.planar();
                numbers.extend([x_m, y_m, theta_rad]);
            } else {
                numbers.extend(pose.world_from_robot.position_m);
                numbers.extend(pose.world_from_robot.rotation_xyzw);
            }
        }
        PyArray1::from_vec(py, numbers).reshape([self.trajectory.poses.len(), columns])
    }

    /// The poses as the text of a TUM file.
    fn tum(&self) -> String {
        write_tum(&self.trajectory)
    }

    /// Keeps the poses under a name that stands for a path.
    fn hold(&self, label: &str) -> Held {
        let own = || Provenance::of_trajectory(label, &self.trajectory);
        let provenance = self.file.clone().unwrap_or_else(own);
        let findings = self.findings.clone();
        let value = Loaded { value: self.trajectory.clone(), provenance, findings };
        Held::new(label, HeldValue::Trajectory(value))
    }
}

impl Poses {
    pub fn of_trajectory(trajectory: Trajectory) -> Self {
        Self { trajectory, findings: Vec::new(), file: None }
    }
}

/// A row as a pose; none for a quaternion without direction or another number of columns.
fn pose_of(row: &[f64]) -> Option<StampedPose> {
    let (time_s, world_from_robot) = match *row {
        [time_s, x_m, y_m, theta_rad] => (time_s, Pose3::from(Pose2::new(x_m, y_m, theta_rad))),
        [time_s, x, y, z, qx, qy, qz, qw] => (time_s, Pose3::new([x, y, z], [qx, qy, qz, qw])?),
        _ => return None,
    };
    Some(StampedPose { time_s, world_from_robot, source: PoseSource::Measured })
}
