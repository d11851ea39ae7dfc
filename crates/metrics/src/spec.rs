//! What is known about a metric before it is computed, and its card.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Case;
use crate::trajectory::run::has_truth;

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident $name:literal,)*) => {
        /// Family of a metric: the folder it lives in, and a name that selects all of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Family { $($(#[$doc])* $family,)* }

        impl Family {
            /// Every family, in the order of reports.
            pub const ALL: &[Self] = &[$(Self::$family,)*];

            /// The name that selects the family, and its folder.
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

/// Bytes that a computation takes in proportion to a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellMemory {
    /// Per cell of the window.
    pub per_cell: u64,
    /// Per occupied cell of truth and map, beside that.
    pub per_wall: u64,
}

impl Family {
    /// An upper bound of the bytes that its metrics take, with what a case keeps for other metrics. A test measures it on
    /// maps of rooms, of noise and of a chequered board.
    #[must_use]
    pub const fn memory(self) -> CellMemory {
        let (per_cell, per_wall) = match self {
            Self::Cells | Self::Contest | Self::Annotation => (24, 0),
            Self::Distance => (16, 48),
            Self::Paths | Self::Topology => (24, 48),
            Self::Plausibility | Self::Fiducials => (48, 16),
            Self::Rooms => (80, 64),
            Self::Trajectory => (0, 0),
        };
        CellMemory { per_cell, per_wall }
    }

    /// Whether its metrics are computed for a case in which no metric is asked for by name, unless a metric says
    /// otherwise.
    pub(crate) fn applies(self, case: &Case) -> bool {
        match self {
            Self::Cells | Self::Distance | Self::Annotation | Self::Contest => case.has_maps(),
            Self::Paths | Self::Topology => case.has_paths(),
            Self::Fiducials => case.has_fiducials(),
            Self::Rooms => case.is_aligned_by_search(),
            Self::Trajectory => has_truth(case),
            Self::Plausibility => case.is_map_alone(),
        }
    }
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Smaller values are better.
    Lower,
    /// Larger values are better.
    Higher,
    /// The value nearest to `best` is better, as for a ratio that should be 1.
    Closer,
    /// A description of the map: no direction is a sign of quality.
    Neither,
}

impl Better {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Higher => "higher",
            Self::Closer => "closer",
            Self::Neither => "neither",
        }
    }
}

/// How the values of several floors become one (X-FLOORS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The sum: counts and areas.
    Sum,
    /// Computed anew from summed tables and sums of distances.
    Pooled,
    /// The largest.
    Max,
    /// Routes planned anew through stairs, ramps and lifts; there is none without them.
    Linked,
    /// There is none.
    None,
}

impl Aggregate {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Pooled => "pooled",
            Self::Max => "max",
            Self::Linked => "linked",
            Self::None => "none",
        }
    }
}

/// The headers of the metrics' files by `family/id`, collected by the build script.
static CARDS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/cards.rs"));

/// The fixed facts about a metric.
#[derive(Clone, Copy, Debug)]
pub struct MetricSpec {
    /// Readable name in code, JSON, command line and documentation; also the name of the metric's file.
    pub id: &'static str,
    /// Code of the specification.
    pub code: &'static str,
    /// Title for people.
    pub title: &'static str,
    pub family: Family,
    pub unit: Unit,
    pub better: Better,
    /// Best possible value, where it does not depend on the maps.
    pub best: Option<f64>,
    /// Worst possible value, where it does not depend on the maps.
    pub worst: Option<f64>,
    /// How the values of several floors become one; every metric of this crate states it.
    pub aggregate: Option<Aggregate>,
    card: &'static str,
}

impl MetricSpec {
    /// A share: a pure number from 0 to 1 of which more is better.
    #[must_use]
    pub const fn share(family: Family, id: &'static str, code: &'static str, title: &'static str) -> Self {
        Self::new(family, id, code, title).between(1.0, 0.0)
    }

    /// A pure number of which more is better, until [`Self::measured_in`] says otherwise.
    #[must_use]
    pub const fn new(family: Family, id: &'static str, code: &'static str, title: &'static str) -> Self {
        let (unit, better) = (Unit::Ratio, Better::Higher);
        Self { id, code, title, family, unit, better, best: None, worst: None, aggregate: None, card: "" }
    }

    /// The same in a unit, with the direction that is better.
    #[must_use]
    pub const fn measured_in(self, unit: Unit, better: Better) -> Self {
        Self { unit, better, ..self }
    }

    /// The same with a rule for several floors.
    #[must_use]
    pub const fn over_floors(self, aggregate: Aggregate) -> Self {
        Self { aggregate: Some(aggregate), ..self }
    }

    /// The same with a best value.
    #[must_use]
    pub const fn best(self, best: f64) -> Self {
        Self { best: Some(best), ..self }
    }

    /// The same with a worst value.
    #[must_use]
    pub const fn worst(self, worst: f64) -> Self {
        Self { worst: Some(worst), ..self }
    }

    /// The same with a best and a worst value.
    #[must_use]
    pub const fn between(self, best: f64, worst: f64) -> Self {
        self.best(best).worst(worst)
    }

    /// The same with a card, for metrics outside this crate; those inside have the header of their file.
    #[must_use]
    pub const fn with_card(self, card: &'static str) -> Self {
        Self { card, ..self }
    }

    /// The card as Markdown: the header of the metric's file, so that formula and prose exist once.
    #[must_use]
    pub fn card(&self) -> &'static str {
        let is_own = |(name, _): &&(&str, &str)| name.split_once('/') == Some((self.family.name(), self.id));
        CARDS.iter().find(is_own).map_or(self.card, |(_, card)| card)
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
pub const CARD_KEYS: [&str; 9] =
    ["Unit", "Paper", "Departure", "Unknown", "Known bias", "Real maps", "Sees", "Variants", "Undefined"];
