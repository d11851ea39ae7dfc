//! What a review knows about each relation of a record: kept up to date line by line, so that a verdict never costs the
//! reading of the whole record.

use std::collections::HashMap;

use model::{RelationRecord, RelationStatus};
use schemars::JsonSchema;
use serde::Serialize;
use truth::{AcceptRule, DoubtOf, Opinions, Support, support_of_revisits};

use super::lines::NewLines;

/// How many relations have each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReviewCounts {
    /// Disputed ones too.
    pub proposed: usize,
    /// By persons and rules.
    pub accepted: usize,
    /// Accepted after a correction.
    pub adjusted: usize,
    /// Found wrong.
    pub rejected: usize,
    /// Proposed ones on which two opinions differ.
    pub disputed: usize,
}

impl ReviewCounts {
    fn change(&mut self, entry: &RelationRecord, change: impl Fn(&mut usize)) {
        change(match entry.status {
            RelationStatus::Proposed => &mut self.proposed,
            RelationStatus::Accepted => &mut self.accepted,
            RelationStatus::Adjusted => &mut self.adjusted,
            RelationStatus::Rejected => &mut self.rejected,
        });
        if entry.is_disputed() {
            change(&mut self.disputed);
        }
    }
}

/// One relation.
#[derive(Clone, Debug)]
pub(super) struct Indexed {
    /// Its last line: the valid one.
    pub last: RelationRecord,
    /// Where its lines lie, in their order.
    pub places: Vec<u64>,
    pub opinions: Opinions,
    pub support: Option<Support>,
    pub doubt: Option<DoubtOf>,
}

impl Indexed {
    /// Changes with every line of the relation.
    pub fn version(&self) -> String {
        format!("{}-{:x}", self.places.len(), self.places.last().copied().unwrap_or_default())
    }

    /// Where a review puts it: the largest first.
    fn rank(&self) -> f64 {
        self.doubt.as_ref().map_or(0.0, DoubtOf::rank)
    }
}

/// All relations of a record, in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordIndex {
    pub relations: Vec<Indexed>,
    place_of: HashMap<String, usize>,
    pub counts: ReviewCounts,
    /// Lines that were taken; changes with every line.
    pub lines: usize,
    pub unreadable: usize,
    /// Places of the relations, the most doubtful first.
    by_doubt: Vec<usize>,
    /// Seconds of the last decisions by reviewer.
    pub seconds: HashMap<String, Vec<f64>>,
}

/// Decisions of a reviewer from which the rate is computed.
const RATE_OVER: usize = 20;

impl RecordIndex {
    /// Takes what was appended.
    pub fn take(&mut self, new: NewLines, rule: &AcceptRule) {
        if new.is_anew {
            *self = Self::default();
        }
        self.unreadable += new.unreadable;
        for line in new.lines {
            self.take_line(line.at, line.entry);
        }
        if self.by_doubt.len() != self.relations.len() {
            self.doubt_all(rule);
        }
    }

    fn take_line(&mut self, at: u64, entry: RelationRecord) {
        self.lines += 1;
        self.counts.change(&entry, |count| *count += 1);
        if let (Some(reviewer), Some(seconds), None) = (&entry.reviewer, entry.seconds, &entry.undone_by) {
            let all = self.seconds.entry(reviewer.clone()).or_default();
            all.push(seconds);
            if all.len() > RATE_OVER {
                all.remove(0);
            }
        }
        match self.place_of.get(&entry.id) {
            Some(&place) => {
                let known = &mut self.relations[place];
                self.counts.change(&known.last, |count| *count -= 1);
                known.opinions.take(&entry);
                known.places.push(at);
                known.last = entry;
            }
            None => {
                self.place_of.insert(entry.id.clone(), self.relations.len());
                let mut opinions = Opinions::default();
                opinions.take(&entry);
                let indexed = Indexed { last: entry, places: vec![at], opinions, support: None, doubt: None };
                self.relations.push(indexed);
            }
        }
    }

    /// Doubts rest on the scans of all proposals, which do not change: computed when there are new ones.
    fn doubt_all(&mut self, rule: &AcceptRule) {
        let records: Vec<RelationRecord> = self.relations.iter().map(|known| known.last.clone()).collect();
        for (known, support) in self.relations.iter_mut().zip(support_of_revisits(&records, rule)) {
            known.support = support;
            known.doubt = rule.doubt_of(&known.last, support);
        }
        let rank = |place: &usize| self.relations[*place].rank();
        self.by_doubt = (0..self.relations.len()).collect();
        // A stable sort: of equal ones, the one that comes first in the record.
        self.by_doubt.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    }

    /// All relations, the most doubtful first.
    pub fn doubtful_first(&self) -> impl Iterator<Item = &Indexed> {
        self.by_doubt.iter().map(|&place| &self.relations[place])
    }

    pub fn get(&self, id: &str) -> Option<&Indexed> {
        self.relations.get(*self.place_of.get(id)?)
    }

    /// Decisions a minute of a person's last ones; none if they carry no seconds.
    pub fn rate_per_minute(&self, reviewer: &str) -> Option<f64> {
        let seconds = self.seconds.get(reviewer)?;
        let all_s: f64 = seconds.iter().sum();
        (all_s > 0.0).then(|| 60.0 * seconds.len() as f64 / all_s)
    }
}
