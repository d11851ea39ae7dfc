//! The parts of a score, as a rule profile describes them.

use metrics::contest::exploration::Exploration;
use metrics::contest::map_quality::MapQuality;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One named part of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Name in formulas, such as `E`.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// Where its value comes from.
    pub from: Source,
    /// What stands in where the value is undefined; the sheet says so. Without it the score is undefined too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_undefined: Option<f64>,
}

/// Where the value of a part comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// A metric's value, or with `metric.key` a number or a list out of its detail.
    Measured {
        /// Such as `cleared_area` or `metric_quality.local`.
        value: String,
    },
    /// A formula over the parts before this one and the constants.
    Expression {
        /// The formula.
        formula: String,
    },
    /// The area of the team by that of the best one, less what undetected victims cost (S-E).
    Exploration {
        /// The metric that measures the area.
        area: String,
        /// Where the number of victims inside the area comes from; none if nobody counts them.
        #[serde(default)]
        victims_inside: Option<String>,
        /// The same of those that the team did not report.
        #[serde(default)]
        unreported_inside: Option<String>,
        /// Reference, penalties and floor.
        #[serde(default)]
        rules: Exploration,
    },
    /// Mean credit over criteria, by rank among the teams or by value (S-M).
    MapQuality {
        /// The criteria, of equal weight.
        criteria: Vec<Criterion>,
        /// How a rank becomes credit.
        #[serde(default)]
        rules: MapQuality,
    },
    /// The number of operators, from the contest file.
    Operators,
    /// A number or list that a judge enters.
    Judge {
        /// What the judge has to enter.
        about: String,
    },
}

/// One criterion of the map quality.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Name, under which a judge may enter a value.
    pub name: String,
    /// The metric that measures it, larger is better.
    pub value: String,
}

impl Source {
    /// The measured values that it asks for.
    #[must_use]
    pub fn measured(&self) -> Vec<&str> {
        match self {
            Self::Measured { value } => vec![value],
            Self::Exploration { area, victims_inside, unreported_inside, .. } => {
                let victims = victims_inside.iter().chain(unreported_inside);
                std::iter::once(area).chain(victims).map(String::as_str).collect()
            }
            Self::MapQuality { criteria, .. } => criteria.iter().map(|c| c.value.as_str()).collect(),
            Self::Expression { .. } | Self::Operators | Self::Judge { .. } => Vec::new(),
        }
    }
}
