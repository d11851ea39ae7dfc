//! The report value, schema `mapjudge.report/1`. Every rendering is made from it and from nothing else.
//!
//! Keys are stable and in this order; no clock and no absolute path is in it, so that the same input gives
//! the same bytes.

use metrics::{Better, Detail, Evidence, Reason, Unit};
use model::{Finding, Pose2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Figure;

/// The name of this schema.
pub const SCHEMA: &str = "mapjudge.report/1";

/// Everything that one run computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Always `mapjudge.report/1`.
    pub schema: String,
    /// What made the report.
    pub tool: Tool,
    /// One entry per judged map.
    pub cases: Vec<CaseReport>,
    /// The limits that were checked, empty without a limits file.
    pub limits: Vec<LimitResult>,
    /// The comparison with an earlier report, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Vec<BaselineResult>>,
    /// The runs against each other, where several trajectories were judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<RunComparison>,
}

/// Several runs against each other, on what all of them have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunComparison {
    /// Id of the metric that ranks.
    pub rank_by: String,
    /// `rmse` or `mean`.
    pub statistic: String,
    /// Unit of the values.
    pub unit: Unit,
    /// True poses or relations that every ranked run was matched with; the values below rest on these alone.
    pub common: usize,
    /// All true poses or relations.
    pub whole: usize,
    /// Coverage below which a run is not ranked.
    pub min_coverage: f64,
    /// Resamples behind the intervals.
    pub resamples: usize,
    /// Length of the resampled blocks, in poses or relations.
    pub block: usize,
    /// Runs, the best first; runs without a rank last.
    pub ranking: Vec<RankedRun>,
    /// Every pair of ranked runs.
    pub pairs: Vec<RunPair>,
    /// Runs of one algorithm together, where there are several.
    pub algorithms: Vec<Algorithm>,
}

/// One run in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedRun {
    /// The case.
    pub name: String,
    /// Rank from 1; null if not ranked.
    pub rank: Option<usize>,
    /// The value on what all ranked runs have; null if not ranked.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// The smallest error, the quartiles, and the largest, on what all ranked runs have.
    pub quartiles: Option<[f64; 5]>,
    /// Share of the truth that the run was compared with.
    pub coverage: Option<f64>,
    /// Why it is not ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Two runs against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunPair {
    /// The better one.
    pub better: String,
    /// The worse one.
    pub worse: String,
    /// Value of the worse less that of the better.
    pub difference: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Two-sided p of the paired block bootstrap.
    pub p: f64,
}

/// The trials of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Algorithm {
    /// What the names of its runs have in common.
    pub name: String,
    /// Runs with a rank.
    pub trials: usize,
    /// All runs.
    pub runs: usize,
    /// Mean of the values.
    pub mean: Option<f64>,
    /// Sample standard deviation; null below two trials.
    pub std: Option<f64>,
    /// The smallest value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
}

/// What made a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tool {
    /// Always `mapjudge`.
    pub name: String,
    /// Version of the program.
    pub version: String,
}

/// One judged map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReport {
    /// Name for tables: the map's file name without extension, made unique.
    pub name: String,
    /// The files the case rests on.
    pub inputs: Vec<Input>,
    /// How the map came into the frame of the truth; null if nothing was aligned.
    pub alignment: Option<Alignment>,
    /// The common grid; null if the window was empty.
    pub grid: Option<GridRecord>,
    /// One record per metric, in the order of the list of metrics.
    pub metrics: Vec<MetricRecord>,
    /// What the readers noticed.
    pub findings: Vec<Finding>,
    /// Facts by family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
    /// What there is to see, in the order of the page; not part of the JSON.
    #[serde(skip)]
    pub figures: Vec<Figure>,
}

/// A file that a case rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// What it served as: `map`, `truth`, `map_image`, `truth_image`.
    pub role: String,
    /// The path as given; the file name alone if it was absolute.
    pub path: String,
    /// BLAKE3 hash of the bytes, in hexadecimal.
    pub blake3: String,
    /// What the file was read as.
    pub format: String,
}

/// How the map came into the frame of the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alignment {
    /// `none`, `georeference`, the name of a search, or that of the method that a transform file names.
    pub method: String,
    /// The transform from the map's frame to the truth's; null if the certificate says `failed`.
    pub truth_from_map: Option<Transform>,
    /// What supports the alignment; null for methods that search nothing.
    pub certificate: Option<Detail>,
}

/// A similarity transform.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Transform {
    /// Translation along x in metres.
    pub x_m: f64,
    /// Translation along y in metres.
    pub y_m: f64,
    /// Rotation in radians, counter-clockwise.
    pub theta_rad: f64,
    /// Scale.
    pub scale: f64,
}

impl From<Similarity2> for Transform {
    fn from(similarity: Similarity2) -> Self {
        let Similarity2 { x_m, y_m, theta_rad, scale } = similarity;
        Self { x_m, y_m, theta_rad, scale }
    }
}

impl From<Pose2> for Transform {
    fn from(pose: Pose2) -> Self {
        Self { x_m: pose.x_m, y_m: pose.y_m, theta_rad: pose.theta_rad, scale: 1.0 }
    }
}

/// The grid on which both maps were compared, and how much of the truth that was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GridRecord {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Edge of a cell in metres.
    pub cell_size_m: f64,
    /// Pose of the lower left corner of the grid in the frame of the truth.
    #[serde(default)]
    pub origin: Pose2,
    /// `truth`, `union` or `intersection`.
    pub window: String,
    /// `occupied-wins`, `nearest` or `mean`.
    pub resample: String,
    /// Share of the truth's known cells that the map knows too, 0 to 1; null if the truth knows none.
    pub coverage: Option<f64>,
    /// Free cells of the map outside the window; they are not scored.
    pub outside_free: u64,
    /// Occupied cells of the map outside the window; they are not scored.
    pub outside_occupied: u64,
}

/// Whether a value can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The value means what it says.
    Ok,
    /// There is a value; read the reasons.
    Warning,
    /// There is no value; read the reasons.
    Undefined,
}

/// One metric of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricRecord {
    /// Readable id.
    pub id: String,
    /// Code of the specification.
    pub code: String,
    /// Title for people.
    pub title: String,
    /// The value; null if undefined.
    pub value: Option<f64>,
    /// Unit of the value.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// Best possible value; null if unbounded or unknown.
    pub best: Option<f64>,
    /// Worst possible value; null if unbounded.
    pub worst: Option<f64>,
    /// Whether the value can be used.
    pub status: Status,
    /// Why it is undefined, or what to keep in mind.
    pub reasons: Vec<Reason>,
    /// All effective parameters.
    pub params: Detail,
    /// What the value rests on, as a report prints it.
    pub detail: Detail,
    /// The same as values, for tables, figures and resampling; not part of the JSON.
    #[serde(skip)]
    pub evidence: Evidence,
}

/// One limit and whether it held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitResult {
    /// The case it was checked on.
    pub case: String,
    /// The metric's id.
    pub metric: String,
    /// The rule, such as `<= 120`.
    pub rule: String,
    /// The value; null if undefined, which never holds.
    pub value: Option<f64>,
    /// Whether the rule held.
    pub held: bool,
}

/// Whether a value moved against an earlier report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Better by more than the tolerance.
    Better,
    /// Within the tolerance.
    Same,
    /// Worse by more than the tolerance, or no longer defined.
    Worse,
    /// There is nothing to compare with.
    New,
}

/// One value against an earlier report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineResult {
    /// The case.
    pub case: String,
    /// The metric's id.
    pub metric: String,
    /// The value then.
    pub before: Option<f64>,
    /// The value now.
    pub now: Option<f64>,
    /// The verdict.
    pub change: Change,
}

impl CaseReport {
    /// Share of the truth that was compared: of its known cells for maps, of its time and path for trajectories, of
    /// the relations where there is nothing else.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        let of_run = || self.detail.as_ref()?.get("trajectory")?.get("coverage")?.as_f64();
        self.grid.as_ref().and_then(|grid| grid.coverage).or_else(of_run)
    }

    /// Whether the case is about a trajectory.
    #[must_use]
    pub fn is_trajectory(&self) -> bool {
        self.detail.as_ref().is_some_and(|detail| detail.contains_key("trajectory"))
    }

    /// Whether the map was judged by what other maps of the place agree on.
    #[must_use]
    pub fn is_against_others(&self) -> bool {
        self.alignment.as_ref().is_some_and(|alignment| alignment.method == "consensus")
    }

    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }

    /// The record of a metric.
    #[must_use]
    pub fn metric(&self, id: &str) -> Option<&MetricRecord> {
        self.metrics.iter().find(|record| record.id == id)
    }
}
