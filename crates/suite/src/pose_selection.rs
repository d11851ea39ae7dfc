//! Which poses of trajectories are compared: a time range, fewer of them, in a plane.

use std::borrow::Cow;

use align::trajectory::{Plane, after_motion, downsampled, in_time_range};
use model::{TimeBase, Trajectory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::JobError;

/// Which poses are compared. The default takes all as they are. Steps are in the order of the fields, as in evo.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PoseSelection {
    /// At most so many poses of each trajectory, evenly spaced by their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub downsample: Option<usize>,
    /// Metres of path and degrees of rotation; a pose is kept when either was reached since the last kept one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion_filter: Option<[f64; 2]>,
    /// Truth before this timestamp is left out, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_start_s: Option<f64>,
    /// Truth behind this timestamp is left out, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t_end_s: Option<f64>,
    /// Poses are compared in this plane, after the fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<Plane>,
}

impl PoseSelection {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn check(&self) -> Result<(), JobError> {
        let range = |name, value: f64, holds: bool, expected| {
            if holds { Ok(()) } else { Err(JobError::Range { name, value, expected }) }
        };
        if let Some(count) = self.downsample {
            range("downsample", count as f64, count > 1, "a number of poses, at least 2")?;
        }
        for value in self.motion_filter.into_iter().flatten() {
            let holds = value.is_finite() && value >= 0.0;
            range(
                "motion_filter",
                value,
                holds,
                "a distance in metres and an angle in degrees, not negative",
            )?;
        }
        for (name, time_s) in [("t_start_s", self.t_start_s), ("t_end_s", self.t_end_s)] {
            range(name, time_s.unwrap_or(0.0), time_s.is_none_or(f64::is_finite), "a finite time")?;
        }
        let (start_s, end_s) = (self.t_start_s.unwrap_or(f64::MIN), self.t_end_s.unwrap_or(f64::MAX));
        range("t_end_s", end_s, start_s <= end_s, "a time behind t_start_s")
    }

    /// The poses of an estimate that are compared.
    ///
    /// # Errors
    /// Motion is asked for, but only the order of the poses is known.
    pub(crate) fn of_estimate<'a>(
        &self,
        estimate: Cow<'a, Trajectory>,
    ) -> Result<Cow<'a, Trajectory>, JobError> {
        let mut poses = estimate;
        if let Some(count) = self.downsample {
            poses = Cow::Owned(downsampled(&poses, count));
        }
        if let Some([distance_m, angle_deg]) = self.motion_filter {
            needs_times("motion_filter", distance_m, &poses)?;
            poses = Cow::Owned(after_motion(&poses, distance_m, angle_deg.to_radians()));
        }
        Ok(poses)
    }

    /// The poses of a truth that are compared: those of an estimate, within the time range.
    ///
    /// # Errors
    /// Motion or a time is asked for, but only the order of the poses is known.
    pub(crate) fn of_truth<'a>(&self, truth: Cow<'a, Trajectory>) -> Result<Cow<'a, Trajectory>, JobError> {
        let poses = self.of_estimate(truth)?;
        let Some(time_s) = self.t_start_s.or(self.t_end_s) else { return Ok(poses) };
        needs_times("t_start_s", time_s, &poses)?;
        Ok(Cow::Owned(in_time_range(&poses, self.t_start_s, self.t_end_s)))
    }
}

/// Without times a shorter trajectory would be matched with the wrong poses.
fn needs_times(name: &'static str, value: f64, trajectory: &Trajectory) -> Result<(), JobError> {
    if trajectory.time_base == TimeBase::Seconds {
        return Ok(());
    }
    Err(JobError::Range { name, value, expected: "nothing, because a file has no timestamps" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named() {
        let wrong = |selection: PoseSelection| selection.check().unwrap_err().to_string();
        let default = PoseSelection::default;
        assert!(wrong(PoseSelection { downsample: Some(1), ..default() }).contains("downsample"));
        assert!(
            wrong(PoseSelection { motion_filter: Some([-1.0, 0.0]), ..default() }).contains("motion_filter")
        );
        let turned = PoseSelection { t_start_s: Some(2.0), t_end_s: Some(1.0), ..default() };
        assert!(wrong(turned).contains("t_end_s"));
        assert!(default().check().is_ok());
    }

    #[test]
    fn a_file_without_times_is_not_cut_by_time() {
        let order =
            Trajectory { time_base: TimeBase::Index, dimension: model::Dimension::Planar, poses: Vec::new() };
        let cut = PoseSelection { t_start_s: Some(2.0), ..PoseSelection::default() };
        assert!(cut.of_truth(Cow::Borrowed(&order)).unwrap_err().to_string().contains("no timestamps"));
        assert!(cut.of_estimate(Cow::Borrowed(&order)).is_ok());
    }
}
