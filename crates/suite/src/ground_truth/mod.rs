//! Ground-truth relations from scans (specification T-GEN): proposed, accepted by rule, checked, exported, imported.
//!
//! A record is a file of JSON Lines that is only ever appended to, so that a review can stop and go on, and decisions
//! with their reviewers are never lost.

mod files;
mod measured;
mod propose;
mod record_file;
pub mod review;
mod review_command;
mod terminal;

use model::{Finding, Relation, RelationRecord, RelationStatus};
use serde::Serialize;
use truth::check::findings as check_findings;
use truth::{Check, CheckParams, Doubt, undecided};

pub use files::{
    PosesFrom, ProposeJob, ReviewJob, accept, check, export, import, open_review, propose, review,
};
pub use propose::{
    PROPOSAL_SCHEMA, Poses, Proposal, ProposalCoverage, ProposeError, ProposePlan, Proposed,
    propose_relations,
};
pub use review::Review;
pub use terminal::{REVIEW_SCHEMA, ReviewDecision, Reviewed};

/// The name of the form of [`RecordCheck`].
pub const RECORD_CHECK_SCHEMA: &str = "mapjudge.truth-check/1";

/// What a rule did to a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accepted {
    /// The record as given.
    pub path: String,
    /// The rule in words.
    pub rule: String,
    /// Proposals that it accepted.
    pub accepted: usize,
    /// Proposals that it left to a person, by the first limit they miss.
    pub doubts: Vec<(Doubt, usize)>,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// Whether a rule writes what it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Entries are appended to the record.
    Written,
    /// Nothing is written.
    Tried,
}

/// Which relations of a record are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Checking {
    /// Accepted and adjusted ones: what an export holds.
    Truth,
    /// Proposed ones too; those that were rejected never.
    Proposals,
}

/// How many relations have each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatusCounts {
    /// Nothing was decided.
    pub proposed: usize,
    /// Right.
    pub accepted: usize,
    /// Right after a correction.
    pub adjusted: usize,
    /// Wrong.
    pub rejected: usize,
    /// Accepted ones that a rule accepted.
    pub by_rule: usize,
    /// Proposed ones on which two opinions differ.
    pub disputed: usize,
}

/// What is known about a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordCheck {
    /// Name of this form.
    pub schema: &'static str,
    /// The file as given; empty if the records came from no file.
    pub path: String,
    /// How many relations have each status.
    pub statuses: StatusCounts,
    /// Which of them were checked.
    pub checked: Checking,
    /// What they say about themselves.
    pub relations: Check,
    /// What a reader should know.
    pub findings: Vec<Finding>,
}

/// Checks relations: loops that do not close, contradictions, gaps, and acceptances without a reviewer.
#[must_use]
pub fn check_records(records: &[RelationRecord], checking: Checking, params: &CheckParams) -> RecordCheck {
    let is_wanted = |record: &&RelationRecord| match checking {
        Checking::Truth => record.is_truth(),
        Checking::Proposals => record.status != RelationStatus::Rejected,
    };
    let wanted: Vec<Relation> =
        records.iter().filter(is_wanted).map(RelationRecord::final_relation).collect();
    let relations = truth::check(&wanted, params);
    let findings = check_findings(&relations, params);
    RecordCheck {
        schema: RECORD_CHECK_SCHEMA,
        path: String::new(),
        statuses: count(records),
        checked: checking,
        relations,
        findings,
    }
}

fn count(records: &[RelationRecord]) -> StatusCounts {
    let mut counts = StatusCounts::default();
    for record in records {
        match record.status {
            RelationStatus::Proposed => counts.proposed += 1,
            RelationStatus::Accepted => counts.accepted += 1,
            RelationStatus::Adjusted => counts.adjusted += 1,
            RelationStatus::Rejected => counts.rejected += 1,
        }
        counts.by_rule += usize::from(record.is_truth() && record.is_by_rule());
        counts.disputed += usize::from(record.is_disputed());
    }
    counts
}

fn without_reviewer(records: &[RelationRecord]) -> Option<Finding> {
    let names = undecided(records);
    let first = names.first()?;
    let message = format!("{} accepted relations name no reviewer, the first of them '{first}'", names.len());
    let hint = "every accepted relation should say which person or rule accepted it";
    Some(Finding::warning("RELATIONS_DECIDED_BY_NOBODY", message).hint(hint))
}

/// Relations that no export holds until a third person has settled them.
fn disputed(records: &[RelationRecord]) -> Option<Finding> {
    let mut disputed = records.iter().filter(|record| record.is_disputed());
    let first = disputed.next()?;
    let count = 1 + disputed.count();
    let message = format!("two opinions differ on {count} relations, the first of them '{}'", first.id);
    let hint = "a third person's review settles them; until then they are not exported";
    Some(Finding::warning("RELATIONS_DISPUTED", message).hint(hint))
}
