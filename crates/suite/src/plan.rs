//! How a subject is judged: which metrics, how maps and runs are brought together, which cells are compared.

use std::collections::BTreeMap;

use align::trajectory::{Associate, Association, Fill};
use align::{Resample, Window};
use metrics::fiducials::FiducialSearch;
use metrics::paths::path_inputs::PathInputs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::keys::{struct_keys, unknown_key};
use crate::{AlignBy, Aligning, AlignmentFile, JobError, PoseSelection, Stop};

/// How a subject is judged. The default measures as the documentation says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Plan {
    /// Ids and families to compute; empty for all that apply.
    pub metrics: Vec<String>,
    /// Parameters: metric, then name, then value.
    pub set: BTreeMap<String, BTreeMap<String, Value>>,
    /// How a map comes into the coordinate frame of the truth.
    pub align: AlignBy,
    /// A transform that is known already; it goes over `align`.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "not_a_path")]
    pub transform: Option<AlignmentFile>,
    /// Parameters of the methods that search a transform.
    pub aligning: Aligning,
    /// Which cells are compared.
    pub window: Window,
    /// How a map comes onto the cells of the window.
    pub resample: Resample,
    /// How barrels of the map are assigned to the layout.
    pub fiducials: FiducialSearch,
    /// The robot of the path family; without it the family is computed only if it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<PathInputs>,
    /// How poses are matched in time.
    #[serde(skip_serializing_if = "Matching::is_default")]
    pub matching: Matching,
    /// Which poses of trajectories are compared.
    #[serde(skip_serializing_if = "PoseSelection::is_default")]
    pub poses: PoseSelection,
    /// How several runs are ranked.
    #[serde(skip_serializing_if = "Ranking::is_default")]
    pub ranking: Ranking,
    /// Name of the rules, as the report states it; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub profile: String,
    /// Whether figures are drawn.
    #[serde(skip)]
    pub figures: Figures,
    /// Whether the elements behind each value are kept.
    #[serde(skip)]
    pub resampling: Resampling,
    /// Looked at between two metrics.
    #[serde(skip)]
    pub stop: Stop,
}

/// Whether figures are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Figures {
    /// Numbers only.
    #[default]
    None,
    /// Every figure that explains a number.
    Draw,
}

/// Whether the elements that make up each value are kept, so that it can be resampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resampling {
    /// They are not.
    #[default]
    None,
    /// They are, as evidence of each record.
    Keep,
}

/// How poses of an estimate are matched with those of the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Matching {
    /// How a pose is looked up by its timestamp; none: nearest, or by index where a file has no times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub associate: Option<Associate>,
    /// Max. time difference of `nearest`, seconds.
    pub max_dt_s: f64,
    /// Max. gap that is interpolated or counts as covered, seconds.
    pub max_gap_s: f64,
    /// How `filled` fills.
    pub fill: Fill,
    /// Added to the times of the estimates, seconds.
    pub time_offset_s: f64,
    /// Estimate the offset between the clocks within so many seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_offset_s: Option<f64>,
    /// Coverage below which a run is listed but not ranked, 0 to 1.
    pub min_coverage: f64,
}

/// How several runs are ranked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Ranking {
    /// The metric that ranks; none: position error where there is a true trajectory, else displacement error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_by: Option<RankBy>,
    /// Resamples of the bootstrap.
    pub resamples: usize,
    /// Seed of the bootstrap.
    pub seed: u64,
}

/// The metric that ranks runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RankBy {
    /// Root mean square of position errors.
    AteTranslation,
    /// Mean of relation errors.
    RelativeDisplacement,
}

impl Default for Matching {
    fn default() -> Self {
        let Association { max_dt_s, max_gap_s, fill, .. } = Association::default();
        Self {
            associate: None,
            max_dt_s,
            max_gap_s,
            fill,
            time_offset_s: 0.0,
            estimate_offset_s: None,
            min_coverage: 0.8,
        }
    }
}

impl Default for Ranking {
    fn default() -> Self {
        Self { rank_by: None, resamples: 1000, seed: crate::DEFAULT_SEED }
    }
}

impl Matching {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The rule of association; by index where a file has no times.
    #[must_use]
    pub fn association(&self, has_times: bool) -> Association {
        let by_default = if has_times { Associate::Nearest } else { Associate::Index };
        let rule = self.associate.unwrap_or(by_default);
        Association { rule, max_dt_s: self.max_dt_s, max_gap_s: self.max_gap_s, fill: self.fill }
    }

    fn check(&self) -> Result<(), JobError> {
        let range = |name, value: f64, holds: bool, expected| {
            if holds { Ok(()) } else { Err(JobError::Range { name, value, expected }) }
        };
        let times = [("max_dt_s", self.max_dt_s), ("max_gap_s", self.max_gap_s)];
        for (name, value) in times.into_iter().chain(self.estimate_offset_s.map(|v| ("estimate_offset_s", v)))
        {
            range(name, value, value.is_finite() && value >= 0.0, "a time in seconds, not negative")?;
        }
        range("time_offset_s", self.time_offset_s, self.time_offset_s.is_finite(), "a finite time")?;
        let is_ratio = (0.0..=1.0).contains(&self.min_coverage);
        range("min_coverage", self.min_coverage, is_ratio, "a ratio from 0 to 1")
    }
}

impl Ranking {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl RankBy {
    /// The id of the metric.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::AteTranslation => "ate_translation",
            Self::RelativeDisplacement => "relative_displacement",
        }
    }
}

/// In a job the same key names a file, which is read before the plan is complete.
fn not_a_path<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Option<AlignmentFile>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Path(String),
        Value(Box<AlignmentFile>),
    }
    let given = Option::<Given>::deserialize(source)?;
    Ok(given.and_then(|given| match given {
        Given::Path(path) => {
            drop(path);
            None
        }
        Given::Value(file) => Some(*file),
    }))
}

impl Plan {
    /// Checks the ranges of all numbers, before anything is computed.
    ///
    /// # Errors
    /// The first number outside of its range.
    pub fn check(&self) -> Result<(), JobError> {
        if let Some(fault) = self.paths.as_ref().and_then(PathInputs::fault) {
            return Err(JobError::Robot(fault));
        }
        self.poses.check()?;
        self.matching.check()
    }

    /// Checks that a table of a TOML text has keys of a plan alone; unknown keys would be ignored otherwise.
    ///
    /// # Errors
    /// The unknown key, with the nearest known one.
    pub(crate) fn check_keys(text: &str, table: &str) -> Result<(), String> {
        let parsed: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
        let keys = parsed.get(table).and_then(toml::Value::as_table);
        unknown_key(text, keys.into_iter().flat_map(|keys| keys.keys()), &Self::keys()).map_or(Ok(()), Err)
    }

    /// The keys of a plan in job files and profiles.
    pub(crate) fn keys() -> Vec<String> {
        struct_keys::<Self>()
    }

    /// Sets a parameter of a metric.
    pub fn set(&mut self, metric: &str, name: &str, value: Value) {
        self.set.entry(metric.to_owned()).or_default().insert(name.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_times_is_matched_by_index() {
        assert_eq!(Matching::default().association(false).rule, Associate::Index);
        assert_eq!(Matching::default().association(true).rule, Associate::Nearest);
        let given = Matching { associate: Some(Associate::Interpolate), ..Matching::default() };
        assert_eq!(given.association(true).rule, Associate::Interpolate);
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let wrong =
            |matching: Matching| Plan { matching, ..Plan::default() }.check().unwrap_err().to_string();
        assert!(wrong(Matching { max_dt_s: -1.0, ..Matching::default() }).contains("max_dt_s"));
        assert!(wrong(Matching { time_offset_s: f64::NAN, ..Matching::default() }).contains("time_offset_s"));
        assert!(wrong(Matching { min_coverage: 2.0, ..Matching::default() }).contains("min_coverage"));
    }
}
