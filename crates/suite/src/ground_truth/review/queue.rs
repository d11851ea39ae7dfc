//! Who is asked about what, and in which order: the most doubtful first, opinions of others hidden.

use model::{RelationRecord, RelationStatus};
use schemars::JsonSchema;
use serde::Serialize;

use super::proposal::{Evaluation, HistoryLine, ReviewProposal, ReviewRow};
use super::record_index::Indexed;
use super::{Review, proposed};
use crate::JobError;

/// What happens to relations that a person skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skipped {
    /// They come last, in the order in which they were skipped.
    #[default]
    Last,
    /// They are not returned, and count as left.
    LeftOut,
}

/// Whether a third person sees the two opinions that differ. A second opinion is always blind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// Hidden: the third opinion is independent too.
    #[default]
    Blind,
    /// Shown: the third person judges between the two.
    Open,
}

/// Who asks for proposals.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Whose opinion is asked for.
    pub reviewer: &'a str,
    /// At most so many.
    pub count: usize,
    /// Relations that the person skipped, the earliest first.
    pub skip: &'a [String],
    /// What happens to those.
    pub skipped: Skipped,
    /// What is seen of a dispute.
    pub sight: Sight,
}

impl<'a> Asked<'a> {
    /// The next proposals of a person, nothing skipped.
    #[must_use]
    pub const fn by(reviewer: &'a str, count: usize) -> Self {
        Self { reviewer, count, skip: &[], skipped: Skipped::Last, sight: Sight::Blind }
    }
}

/// The next proposals.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NextProposals {
    /// All that this person is asked about.
    pub left: usize,
    /// The most doubtful first.
    pub proposals: Vec<ReviewProposal>,
}

/// A part of the list of relations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Listed {
    /// The most doubtful first.
    pub rows: Vec<ReviewRow>,
    /// What to ask for next; null at the end.
    pub after: Option<String>,
}

impl Review {
    /// What a person is asked about next: the most doubtful first. What others appended is read before.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn next(&mut self, asked: &Asked<'_>) -> Result<NextProposals, JobError> {
        self.follow()?;
        let (left, due) = self.due(asked);
        let mut proposals = Vec::with_capacity(due.len());
        for id in due {
            proposals.extend(self.shown(&id, asked.reviewer, asked.sight)?);
        }
        Ok(NextProposals { left, proposals })
    }

    /// How many relations a person is asked about, and the first of them.
    pub(in crate::ground_truth) fn due(&self, asked: &Asked<'_>) -> (usize, Vec<String>) {
        let second = &self.settings.second;
        let is_due = |known: &&Indexed| second.due(&known.last, &known.opinions, asked.reviewer).is_some();
        let (mut left, mut due, mut skipped) = (0, Vec::new(), Vec::new());
        for known in self.index.doubtful_first().filter(is_due) {
            left += 1;
            match asked.skip.iter().rposition(|id| *id == known.last.id) {
                Some(at) if asked.skipped == Skipped::Last => skipped.push((at, &known.last.id)),
                Some(_) => {}
                None if due.len() < asked.count => due.push(known.last.id.clone()),
                None => {}
            }
        }
        skipped.sort_unstable();
        due.extend(skipped.into_iter().map(|(_, id)| id.clone()));
        due.truncate(asked.count);
        (left, due)
    }

    /// A relation as a person may see it; none if there is none of this name.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn relation(
        &mut self,
        id: &str,
        reviewer: &str,
        sight: Sight,
    ) -> Result<Option<ReviewProposal>, JobError> {
        self.follow()?;
        self.shown(id, reviewer, sight)
    }

    fn shown(&mut self, id: &str, reviewer: &str, sight: Sight) -> Result<Option<ReviewProposal>, JobError> {
        let Some(known) = self.index.get(id) else { return Ok(None) };
        let blind = self.is_blind(known, reviewer, sight);
        let history = if blind { Vec::new() } else { self.lines.entries_at(&known.places)? };
        let entry = &known.last;
        let limits = self.settings.rule.limits(entry.icp.as_ref(), known.support);
        let relation = entry.relation;
        Ok(Some(ReviewProposal {
            id: id.to_owned(),
            version: known.version(),
            status: shown_status(entry, blind).name(),
            from_s: relation.from_s,
            to_s: relation.to_s,
            source: entry.source.clone(),
            delta: if blind { proposed(entry) } else { entry.final_relation().pose().planar() },
            doubt: known.doubt.clone(),
            evaluation: Evaluation::of(entry.icp.as_ref(), &limits),
            first: self.scans.view(relation.from_s),
            second: self.scans.view(relation.to_s),
            near: self.scans.near(entry),
            place: self.scans.ends(entry),
            opinion: known.opinions.turn_of(reviewer).unwrap_or(3),
            blind,
            history: history.iter().map(HistoryLine::of).collect(),
        }))
    }

    /// Whether the opinions of others are hidden from a person, so that the next one is their own.
    fn is_blind(&self, known: &Indexed, reviewer: &str, sight: Sight) -> bool {
        match self.settings.second.due(&known.last, &known.opinions, reviewer) {
            Some(2) => true,
            Some(3) => sight == Sight::Blind,
            _ => false,
        }
    }

    /// Relations of one status or all, the most doubtful first, from the one after `after` on.
    #[must_use]
    pub fn list(
        &self,
        reviewer: &str,
        status: Option<RelationStatus>,
        after: Option<&str>,
        limit: usize,
    ) -> Listed {
        let mut all = self.index.doubtful_first();
        if let Some(id) = after.filter(|id| self.index.get(id).is_some()) {
            all.by_ref().find(|known| known.last.id == id);
        }
        let row = |known: &Indexed| {
            let (entry, blind) = (&known.last, self.is_blind(known, reviewer, Sight::Blind));
            ReviewRow {
                id: entry.id.clone(),
                status: shown_status(entry, blind).name(),
                doubt: known.doubt.as_ref().and_then(|doubt| doubt.ratio),
                code: known.doubt.as_ref().map(|doubt| doubt.code),
                words: known.doubt.as_ref().map(|doubt| doubt.words.clone()),
                from_s: entry.relation.from_s,
                to_s: entry.relation.to_s,
                reviewer: entry.reviewer.clone().filter(|_| !blind),
                opinions: known.opinions.given().len(),
                disputed: known.opinions.is_disputed(),
            }
        };
        let is_wanted = |row: &ReviewRow| status.is_none_or(|status| row.status == status.name());
        let mut rows: Vec<ReviewRow> = all.map(row).filter(is_wanted).take(limit.saturating_add(1)).collect();
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let after = rows.last().map(|row| row.id.clone()).filter(|_| has_more);
        Listed { rows, after }
    }
}

fn shown_status(entry: &RelationRecord, blind: bool) -> RelationStatus {
    if blind { RelationStatus::Proposed } else { entry.status }
}
