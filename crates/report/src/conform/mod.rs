//! The report about another program (X-CONFORM), schema `mapjudge.conform/1`, and its renderings: page, badge, table.

mod badge;
mod page;
mod table;

use metrics::Detail;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use badge::{badge_json, badge_svg};
pub use page::conform_page;
pub use table::{conform_table, shown_params};

use crate::Tool;
use crate::printable::printable;

/// The name of this schema.
pub const CONFORM_SCHEMA: &str = "mapjudge.conform/1";

/// How the values of a program compare with those of the vectors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConformReport {
    /// Always `mapjudge.conform/1`.
    pub schema: String,
    /// What compared.
    pub judge: Tool,
    /// The program, with the version that it told.
    pub tool: Tool,
    /// What it was compared with.
    pub vectors: VectorsRecord,
    /// All values.
    pub counts: VerdictCounts,
    /// The values of each metric and variant.
    pub metrics: Vec<ConformMetric>,
    /// Each value, in the order of the tool file and of the vectors.
    pub values: Vec<ConformValue>,
}

impl ConformReport {
    /// The program with its version, as a heading. Many programs print their name before the version.
    #[must_use]
    pub fn program(&self) -> String {
        let [name, version] = [&self.tool.name, &self.tool.version].map(|text| printable(text));
        let has_name = version.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(&name));
        let ends_there =
            version.get(name.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        if has_name && ends_there { version } else { format!("{name} {version}") }
    }
}

/// The set of vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorsRecord {
    /// Version of the set.
    pub version: String,
    /// SHA-256 of its hash list, in hexadecimal.
    pub sha256: String,
}

/// What became of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConformVerdict {
    /// The expected value, or undefined as expected.
    Equal,
    /// Another value.
    Differs,
    /// A value where none is defined.
    Flattered,
    /// No value where one is defined.
    Refused,
    /// The program failed, or printed no value that could be read.
    Crashed,
    /// The program had to be ended.
    Timeout,
}

impl ConformVerdict {
    /// Every verdict, in the order of reports.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::Differs, Self::Flattered, Self::Refused, Self::Crashed, Self::Timeout];

    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Differs => "differs",
            Self::Flattered => "flattered",
            Self::Refused => "refused",
            Self::Crashed => "crashed",
            Self::Timeout => "timeout",
        }
    }
}

/// How many values have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictCounts {
    /// All values.
    pub values: usize,
    pub equal: usize,
    pub differs: usize,
    pub flattered: usize,
    pub refused: usize,
    pub crashed: usize,
    pub timeout: usize,
    /// Not equal, as the tool file expects with a reason.
    pub explained: usize,
    /// Not equal, and not expected.
    pub unexpected: usize,
}

impl VerdictCounts {
    /// The counts of some values.
    pub fn of<'a>(values: impl Iterator<Item = &'a ConformValue>) -> Self {
        let mut counts = Self::default();
        for value in values {
            counts.values += 1;
            *match value.verdict {
                ConformVerdict::Equal => &mut counts.equal,
                ConformVerdict::Differs => &mut counts.differs,
                ConformVerdict::Flattered => &mut counts.flattered,
                ConformVerdict::Refused => &mut counts.refused,
                ConformVerdict::Crashed => &mut counts.crashed,
                ConformVerdict::Timeout => &mut counts.timeout,
            } += 1;
            if value.verdict != ConformVerdict::Equal {
                let kind =
                    if value.explained.is_some() { &mut counts.explained } else { &mut counts.unexpected };
                *kind += 1;
            }
        }
        counts
    }

    /// The count of a verdict.
    #[must_use]
    pub const fn with(&self, verdict: ConformVerdict) -> usize {
        match verdict {
            ConformVerdict::Equal => self.equal,
            ConformVerdict::Differs => self.differs,
            ConformVerdict::Flattered => self.flattered,
            ConformVerdict::Refused => self.refused,
            ConformVerdict::Crashed => self.crashed,
            ConformVerdict::Timeout => self.timeout,
        }
    }
}

/// A value of a vector, or what a program answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ConformAnswer {
    /// A finite number.
    Number(f64),
    /// Rows of cell classes `#`, `.` and `?`, top row first.
    Cells(Vec<String>),
}

/// The values of one metric and variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConformMetric {
    /// Id of the metric.
    pub metric: String,
    /// Parameters that differ from the defaults.
    pub params: Detail,
    /// In which form the program got the vectors.
    pub input: String,
    pub counts: VerdictCounts,
    /// Parameters under which every value of the program would be equal, where its own are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equals: Option<Detail>,
    /// Vectors that cannot be had in this form.
    pub skipped: Vec<String>,
}

/// One value of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConformValue {
    /// Name of the vector.
    pub vector: String,
    /// Id of the metric.
    pub metric: String,
    /// Parameters that differ from the defaults.
    pub params: Detail,
    /// The expected value; null where the metric is undefined.
    pub expected: Option<ConformAnswer>,
    /// Where the expected value comes from: `hand`, `paper` or `reference`.
    pub source: String,
    /// What the program answered; null where it said that there is no value, or failed.
    pub found: Option<ConformAnswer>,
    pub verdict: ConformVerdict,
    /// Parameters under which the answer would be equal on this vector.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub variants: Vec<Detail>,
    /// Why the tool file expects this verdict.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explained: Option<String>,
    /// What went wrong, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failure: Option<String>,
}
