//! Which trajectories are judged, against what, and how their times are matched.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use align::trajectory::{Associate, Association, Fill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{JobError, Reading};

/// Which trajectories are judged and how. The default matches and measures as the documentation says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TrajectoryJob {
    /// The trajectories, one case each.
    pub estimates: Vec<PathBuf>,
    /// The true trajectory.
    pub truth: Option<PathBuf>,
    /// True displacements.
    pub relations: Option<PathBuf>,
    /// Odometry of the run, for `associate = "filled"`.
    pub odometry: Option<PathBuf>,
    /// A map to draw the paths on.
    pub map: Option<PathBuf>,
    /// How the files are read.
    pub read: Reading,
    /// Records of a log whose poses are taken: `odom`, `flaser`, `rlaser`, `robotlaser`, `truepos`; empty for scans.
    pub records: Vec<String>,
    /// Faulty rows that may be left out.
    pub skip_bad: usize,
    /// How a pose is looked up by its time; none: nearest, or by number where a file has no times.
    pub associate: Option<AssociateName>,
    /// Largest distance in time of `nearest`, seconds.
    pub max_dt_s: f64,
    /// Largest gap that is interpolated or counts as covered, seconds.
    pub max_gap_s: f64,
    /// How `filled` fills.
    pub fill: FillName,
    /// Added to the times of the estimates, seconds.
    pub time_offset_s: f64,
    /// Estimate the offset between the clocks within so many seconds.
    pub estimate_offset_s: Option<f64>,
    /// Coverage below which a run is listed but not ranked.
    pub min_coverage: f64,
    /// The metric that ranks: `ate_translation` or `relative_displacement`.
    pub rank_by: Option<String>,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Ids and families to compute; empty for all that apply.
    pub metrics: Vec<String>,
    /// Parameters: metric, then name, then value.
    pub set: BTreeMap<String, BTreeMap<String, Value>>,
    /// File of limits.
    pub limits: Option<PathBuf>,
    /// Earlier report to compare with.
    pub baseline: Option<PathBuf>,
    /// Relative change that still counts as the same.
    pub baseline_tolerance: Option<f64>,
}

impl Default for TrajectoryJob {
    fn default() -> Self {
        let rule = Association::default();
        Self {
            estimates: Vec::new(),
            truth: None,
            relations: None,
            odometry: None,
            map: None,
            read: Reading::default(),
            records: Vec::new(),
            skip_bad: 0,
            associate: None,
            max_dt_s: rule.max_dt_s,
            max_gap_s: rule.max_gap_s,
            fill: FillName::Chain,
            time_offset_s: 0.0,
            estimate_offset_s: None,
            min_coverage: 0.8,
            rank_by: None,
            resamples: 1000,
            seed: crate::DEFAULT_SEED,
            metrics: Vec::new(),
            set: BTreeMap::new(),
            limits: None,
            baseline: None,
            baseline_tolerance: None,
        }
    }
}

/// How a pose is looked up by its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AssociateName {
    /// The pose nearest in time.
    Nearest,
    /// Between the two neighbours.
    Interpolate,
    /// The pose at this very time.
    Exact,
    /// The pose of the same number.
    Index,
    /// The last pose before, carried on by odometry.
    Filled,
}

impl From<AssociateName> for Associate {
    fn from(name: AssociateName) -> Self {
        match name {
            AssociateName::Nearest => Self::Nearest,
            AssociateName::Interpolate => Self::Interpolate,
            AssociateName::Exact => Self::Exact,
            AssociateName::Index => Self::Index,
            AssociateName::Filled => Self::Filled,
        }
    }
}

/// How odometry carries a pose on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FillName {
    /// The last pose and the odometry since.
    #[default]
    Chain,
    /// The same, with the correction at the next pose spread over the way to it.
    Spread,
}

impl TrajectoryJob {
    /// Reads a job file; its paths are taken relative to its folder.
    ///
    /// # Errors
    /// The file cannot be read, or is no valid job.
    pub fn from_file(path: &Path) -> Result<Self, JobError> {
        let text = std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))?;
        let mut job: Self = toml::from_str(&text)
            .map_err(|error| JobError::JobFile { path: path.to_owned(), message: error.to_string() })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let single = [
            &mut job.truth,
            &mut job.relations,
            &mut job.odometry,
            &mut job.map,
            &mut job.limits,
            &mut job.baseline,
        ];
        for path in single.into_iter().flatten().chain(&mut job.estimates) {
            *path = folder.join(&*path);
        }
        Ok(job)
    }

    /// The rule of association; `by_number` where a file has no times.
    pub(super) fn association(&self, has_times: bool) -> Association {
        let rule = match self.associate {
            Some(name) => name.into(),
            None if has_times => Associate::Nearest,
            None => Associate::Index,
        };
        let fill = match self.fill {
            FillName::Chain => Fill::Chain,
            FillName::Spread => Fill::Spread,
        };
        Association { rule, max_dt_s: self.max_dt_s, max_gap_s: self.max_gap_s, fill }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_file_says_what_the_flags_say() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.toml");
        let text =
            "estimates = [\"a.tum\"]\ntruth = \"t.tum\"\nassociate = \"interpolate\"\nmax_gap_s = 0.5\n";
        std::fs::write(&path, text).unwrap();
        let job = TrajectoryJob::from_file(&path).unwrap();
        assert_eq!(job.estimates, [folder.path().join("a.tum")]);
        assert_eq!(job.association(true).rule, Associate::Interpolate);
        assert_eq!(TrajectoryJob::default().association(false).rule, Associate::Index);
        std::fs::write(&path, "estimate = 1").unwrap();
        assert!(TrajectoryJob::from_file(&path).is_err());
    }
}
