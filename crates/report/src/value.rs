//! The report value, schema `mapjudge.report/1`. Every rendering is made from it and from nothing else.
//!
//! Keys are stable and in this order; no clock and no absolute path is in it, so that the same input gives
//! the same bytes.

use metrics::trajectory::statistics::Statistics;
use metrics::{Better, Detail, Evidence, Reason, Unit};
use model::{Finding, Pose2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ErrorTable, Figure, RunComparison};

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
    /// Code of what kept the case from being judged; the finding of this code has the words. Absent for a judged case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
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
    /// Errors of single poses, pairs and relations; not part of the JSON, but files of their own.
    #[serde(skip)]
    pub errors: Vec<ErrorTable>,
}

/// A file that a case rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// What it served as: `map`, `truth`, `map_image`, `truth_image`.
    pub role: String,
    /// The path as given; the file name alone if it was absolute.
    pub path: String,
    /// BLAKE3 hash of the bytes, in hexadecimal; empty if they could not be read.
    pub blake3: String,
    /// What the file was read as; empty if it could not be.
    pub format: String,
}

/// How the map came into the frame of the truth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alignment {
    /// `none`, `georeference`, the name of a search, or that of the method that a transform file names.
    pub method: String,
    /// The transform from the map's frame to the truth's; null if the certificate says `failed`.
    pub truth_from_map: Option<Transform>,
    /// What supports the alignment; null for methods that search nothing.
    pub certificate: Option<Detail>,
    /// Who laid the map on the truth, for the method `manual`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why, in that person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the automatic search had found then: verdict, transform, score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic: Option<Detail>,
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
    /// Share of the truth's known cells that the map knows, for a value that does not charge the others: half of a map may have
    /// the best value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_share: Option<f64>,
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
    /// The metric's own tolerance, such as `2 %`; absent if the general one holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<String>,
}

impl MetricRecord {
    /// A number as its cell in a table shows it: with the share of the truth that it speaks of, unless that is nearly all.
    pub(crate) fn with_share(&self, number: String) -> String {
        const NEARLY_ALL: f64 = 0.995;
        match self.judged_share.filter(|share| self.value.is_some() && *share < NEARLY_ALL) {
            Some(share) => format!("{number} ({} seen)", crate::number::percent(share)),
            None => number,
        }
    }

    /// The statistics of the errors behind the value; none for metrics that have none.
    #[must_use]
    pub fn statistics(&self) -> Option<Statistics> {
        let own = self.detail.get("translation_m").filter(|_| !self.detail.contains_key("rmse"));
        let statistics = own.cloned().unwrap_or_else(|| serde_json::Value::Object(self.detail.clone()));
        serde_json::from_value(statistics).ok()
    }
}

impl Report {
    /// Gives a case another name, wherever the name stands; false if no case has the old one.
    pub fn rename(&mut self, old: &str, new: &str) -> bool {
        let runs = self.comparison.iter_mut().flat_map(|comparison| {
            let pairs = comparison.pairs.iter_mut().flat_map(|pair| [&mut pair.better, &mut pair.worse]);
            comparison.ranking.iter_mut().map(|run| &mut run.name).chain(pairs)
        });
        let limits = self.limits.iter_mut().map(|limit| &mut limit.case);
        let baseline = self.baseline.iter_mut().flatten().map(|row| &mut row.case);
        let cases = self.cases.iter_mut().map(|case| &mut case.name);
        let mut is_found = false;
        for name in cases.chain(runs).chain(limits).chain(baseline).filter(|name| *name == old) {
            new.clone_into(name);
            is_found = true;
        }
        is_found
    }
}

/// What relations say about a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelationsCoverage {
    /// Share of the relations that found both poses, 0 to 1.
    pub matched: f64,
    /// Share of the run's time that lies between the two times of a matched relation, 0 to 1.
    pub time: f64,
    /// The same of its path.
    pub path: f64,
    /// Connected parts of the times that matched relations join.
    pub parts: usize,
}

impl CaseReport {
    /// A case that could not be judged: no values, and the error as its finding.
    #[must_use]
    pub fn not_judged(name: String, inputs: Vec<Input>, error: Finding) -> Self {
        Self {
            name,
            error: Some(error.code.to_string()),
            inputs,
            alignment: None,
            grid: None,
            metrics: Vec::new(),
            findings: vec![error],
            detail: None,
            figures: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Why the case could not be judged; none for a judged one.
    #[must_use]
    pub fn failure(&self) -> Option<&Finding> {
        let code = self.error.as_ref()?;
        self.findings.iter().find(|finding| finding.code == *code)
    }

    /// Share of the truth that was compared: of its known cells for maps, of its time and path for trajectories. Where there
    /// are relations alone the smallest of three: of the relations, and of the run's time and path between their times.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        let of_run = || self.detail.as_ref()?.get("trajectory")?.get("coverage")?.as_f64();
        self.grid.as_ref().and_then(|grid| grid.coverage).or_else(of_run)
    }

    /// What relations say about a run; none where a true trajectory says more.
    #[must_use]
    pub fn relations_coverage(&self) -> Option<RelationsCoverage> {
        let facts = self.detail.as_ref()?.get("trajectory")?.get("relations")?;
        RelationsCoverage::deserialize(facts).ok()
    }

    /// What a run must have matched to be ranked: the same as [`CaseReport::coverage`], but of relations those that found their
    /// poses, whatever of the run they leave out.
    #[must_use]
    pub fn matched_share(&self) -> Option<f64> {
        self.relations_coverage().map(|covered| covered.matched).or_else(|| self.coverage())
    }

    /// Whether the case is about a trajectory.
    #[must_use]
    pub fn is_trajectory(&self) -> bool {
        self.detail.as_ref().is_some_and(|detail| detail.contains_key("trajectory"))
    }

    /// Whether nothing but places was judged, labelled points or fiducials: such a case has no cells to cover.
    #[must_use]
    pub fn is_about_places(&self) -> bool {
        let is_of_places = |record: &MetricRecord| {
            let family = metrics::find(&record.id).map(|entry| entry.spec.family);
            record.id == "point_score" || family == Some(metrics::Family::Fiducials)
        };
        self.grid.is_none() && !self.metrics.is_empty() && self.metrics.iter().all(is_of_places)
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

    /// The table of errors of this name.
    #[must_use]
    pub fn error_table(&self, name: &str) -> Option<&ErrorTable> {
        self.errors.iter().find(|table| table.name == name)
    }

    /// The record of a metric.
    #[must_use]
    pub fn metric(&self, id: &str) -> Option<&MetricRecord> {
        self.metrics.iter().find(|record| record.id == id)
    }
}
