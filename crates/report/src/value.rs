//! The report value, schema `mapjudge.report/1`. Every rendering is made from it and from nothing else.
//!
//! Keys are stable and in this order; no clock and no absolute path is in it, so that the same input gives
//! the same bytes.

use metrics::{Better, Detail, Reason, Unit};
use model::{Finding, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// The transform from the map's frame to the truth's; the identity if the certificate says `failed`.
    pub truth_from_map: Transform,
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
    /// What the value rests on.
    pub detail: Detail,
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
    /// The record of a metric.
    #[must_use]
    pub fn metric(&self, id: &str) -> Option<&MetricRecord> {
        self.metrics.iter().find(|record| record.id == id)
    }
}
