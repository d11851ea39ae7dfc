//! What is known about a metric before it is computed, and its card.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident $name:literal,)*) => {
        /// Family of a metric: the folder it lives in, and a name that selects all of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Family { $($(#[$doc])* $family,)* }

        impl Family {
            /// Every family, in the order of reports.
            pub const ALL: &[Self] = &[$(Self::$family,)*];

            /// The name that `--metrics` accepts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$family => $name,)* }
            }
        }
    };
}

families! {
    /// Comparison cell by cell.
    Cells "cells",
    /// Distances between walls.
    Distance "distance",
    /// Routes through the map.
    Paths "paths",
    /// Junctions and connections.
    Topology "topology",
    /// Barrels and other marks of known place.
    Fiducials "fiducials",
    /// Rooms and how well they fit onto each other.
    Rooms "rooms",
    /// Trajectories and displacements.
    Trajectory "trajectory",
    /// What is written on the map.
    Annotation "annotation",
    /// Areas and points of a contest.
    Contest "contest",
    /// What a map says about itself, without a truth.
    Plausibility "plausibility",
}

/// Unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A number of cells, or a distance in cells.
    Cells,
    /// A pure number.
    #[serde(rename = "1")]
    Ratio,
    /// Metres.
    #[serde(rename = "m")]
    Metres,
    /// Square metres.
    #[serde(rename = "m2")]
    SquareMetres,
    /// Degrees.
    #[serde(rename = "deg")]
    Degrees,
    /// Degrees per metre.
    #[serde(rename = "deg/m")]
    DegreesPerMetre,
    /// Percent.
    #[serde(rename = "%")]
    Percent,
    /// Points of a contest.
    Points,
}

impl Unit {
    /// As printed behind a number; empty for a pure number.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Ratio => "",
            Self::Metres => "m",
            Self::SquareMetres => "m2",
            Self::Degrees => "deg",
            Self::DegreesPerMetre => "deg/m",
            Self::Percent => "%",
            Self::Points => "points",
        }
    }
}

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Smaller values are better.
    Lower,
    /// Larger values are better.
    Higher,
    /// The value nearest to `best` is better, as for a ratio that should be 1.
    Closer,
}

impl Better {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
            Self::Closer => "closer",
        }
    }
}

/// The fixed facts about a metric.
#[derive(Clone, Copy, Debug)]
pub struct MetricSpec {
    /// Readable name in code, JSON, command line and documentation.
    pub id: &'static str,
    /// Code of the specification.
    pub code: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Family.
    pub family: Family,
    /// Unit of the value.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// Best possible value, where it does not depend on the maps.
    pub best: Option<f64>,
    /// Worst possible value, where it does not depend on the maps.
    pub worst: Option<f64>,
    /// The metric's own source file. Its header is the card, so formula and prose exist once.
    pub source: &'static str,
}

impl MetricSpec {
    /// The card: the header of the metric's file, as Markdown.
    #[must_use]
    pub fn card(&self) -> String {
        let header = self.source.lines().take_while(|line| line.starts_with("//!"));
        let text = header.map(|line| line.trim_start_matches("//!").strip_prefix(' ').unwrap_or(""));
        text.collect::<Vec<_>>().join("\n")
    }

    /// What the metric measures: the first sentence of the card, after the metric's name.
    #[must_use]
    pub fn meaning(&self) -> String {
        let card = self.card();
        let first = card.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        first.split_once(": ").map_or(first.clone(), |(_, meaning)| meaning.to_owned())
    }

    /// The part of the card that starts with a key such as `Known bias`, up to the next key.
    #[must_use]
    pub fn card_entry(&self, key: &str) -> Option<String> {
        let card = self.card();
        let mut found: Option<String> = None;
        for line in card.lines() {
            let starts_entry = CARD_KEYS.iter().any(|k| line.starts_with(&format!("{k}: ")));
            match (&mut found, line.strip_prefix(&format!("{key}: "))) {
                (None, Some(text)) => found = Some(text.trim().to_owned()),
                (Some(_), _) if starts_entry || line.is_empty() => break,
                (Some(text), _) => {
                    text.push(' ');
                    text.push_str(line.trim());
                }
                (None, None) => {}
            }
        }
        found
    }
}

/// The keys that structure a card. `Unit`, `Paper`, `Unknown` and `Known bias` are required.
pub const CARD_KEYS: [&str; 7] =
    ["Unit", "Paper", "Departure", "Unknown", "Known bias", "Variants", "Undefined"];
