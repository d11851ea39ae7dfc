//! The review as a whole: how far it is, how far people agree, which loops no longer close.

use model::{Relation, RelationRecord};
use schemars::JsonSchema;
use serde::Serialize;
use truth::{Agreement, CheckParams, LimitSense, agreement, check};

use super::record_index::Indexed;
use super::{Review, ReviewCounts, RunView};

/// A limit of the rule.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewLimit {
    /// Stable name for programs.
    pub name: &'static str,
    /// The limit as a person reads it.
    pub words: String,
    /// Null if the value should be absent.
    pub limit: Option<f64>,
    /// `m`, `rad`, or empty for shares and counts.
    pub unit: &'static str,
    /// On which side of it values should lie.
    pub sense: LimitSense,
}

/// A loop of accepted relations that does not close.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OpenLoop {
    /// How far it is open.
    pub words: String,
    /// Its relations; the first one closes it. Long loops are cut after 20.
    pub ids: Vec<String>,
}

/// The review as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewSummary {
    /// The record as it is named to people.
    pub record: String,
    /// The log as it is named to people.
    pub log: String,
    /// Whom the summary is for.
    pub reviewer: String,
    /// How many relations have each status.
    pub counts: ReviewCounts,
    /// All limits of the rule.
    pub limits: Vec<ReviewLimit>,
    /// Share of the decided relations that go to another person.
    pub second_share: f64,
    /// How far first and second opinions agree.
    pub agreement: Agreement,
    /// Of this reviewer's last 20 decisions that carry seconds.
    pub rate_per_minute: Option<f64>,
    /// Loops of accepted relations that do not close, the worst first.
    pub loops: Vec<OpenLoop>,
    /// The path of the robot.
    pub run: RunView,
}

impl Review {
    /// The review as a whole, for one person.
    pub fn summary(&mut self, reviewer: &str) -> ReviewSummary {
        let limits = self.settings.rule.all_limits();
        let limits = limits.iter().map(|limit| ReviewLimit {
            name: limit.name,
            words: limit.words(),
            limit: limit.limit,
            unit: limit.unit,
            sense: limit.sense,
        });
        ReviewSummary {
            record: self.settings.record.clone(),
            log: self.settings.log.clone(),
            reviewer: reviewer.to_owned(),
            counts: self.counts(),
            limits: limits.collect(),
            second_share: self.settings.second.share,
            agreement: self.agreement(),
            rate_per_minute: self.index.rate_per_minute(reviewer),
            loops: self.open_loops(),
            run: self.scans.run_view(),
        }
    }

    /// How far first and second opinions agree.
    #[must_use]
    pub fn agreement(&self) -> Agreement {
        let pair = |known: &'_ Indexed| match known.opinions.given() {
            [first, second, ..] => {
                Some((first.clone(), second.clone(), known.doubt.as_ref().map(|doubt| doubt.code)))
            }
            _ => None,
        };
        let pairs: Vec<_> = self.index.relations.iter().filter_map(pair).collect();
        agreement(pairs.iter().map(|(first, second, doubt)| (first, second, *doubt)))
    }

    /// Loops of what was accepted that do not close, the worst first; computed once for each state of the record.
    fn open_loops(&mut self) -> Vec<OpenLoop> {
        if let Some((lines, loops)) = &self.open_loops
            && *lines == self.index.lines
        {
            return loops.clone();
        }
        let truth = self.truth();
        let relations: Vec<Relation> = truth.iter().map(RelationRecord::final_relation).collect();
        let params = CheckParams::default();
        let worst = check(&relations, &params).worst_loops;
        let open = worst.iter().filter(|closure| params.leaves_open(closure)).map(|closure| OpenLoop {
            words: format!(
                "{:.3} m and {:.2} degrees are left after {} relations",
                closure.translation_m,
                closure.rotation_rad.to_degrees(),
                closure.edges
            ),
            ids: closure.relations.iter().map(|&number| truth[number - 1].id.clone()).collect(),
        });
        let loops: Vec<OpenLoop> = open.collect();
        self.open_loops = Some((self.index.lines, loops.clone()));
        loops
    }
}
