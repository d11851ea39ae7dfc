//! Ground-truth relations from scans (specification T-GEN): proposed, accepted by rule, checked, exported, imported.
//!
//! A record is a file of JSON Lines that is only ever appended to, so that a review can stop and go on, and what was
//! decided, by whom, is never lost.

mod propose;
mod record_file;

use std::path::Path;

use formats::ReadOptions;
use model::{Finding, Relation, RelationRecord, RelationStatus};
use serde::Serialize;
use truth::check::findings as check_findings;
use truth::{AcceptRule, Check, CheckParams, Doubt, undecided};

pub use propose::{PROPOSAL_SCHEMA, PosesFrom, Proposal, ProposeJob, propose};

use crate::JobError;
use crate::inputs::shown;
use crate::relations::{self, Written};

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

/// Accepts the proposals of a record that meet a rule, by appending an entry for each.
///
/// # Errors
/// The record cannot be read, or not be appended to.
pub fn accept(
    record: &Path,
    rule: &AcceptRule,
    time: Option<&str>,
    decision: Decision,
) -> Result<Accepted, JobError> {
    let read = formats::read_relation_records(record)?;
    let (accepted, doubts) = truth::accept(&read.records, rule, time);
    if decision == Decision::Written {
        record_file::append(record, &accepted)?;
    }
    Ok(Accepted {
        path: shown(record),
        rule: rule.name(),
        accepted: accepted.len(),
        doubts,
        findings: read.findings,
    })
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
}

/// What is known about a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordCheck {
    /// Name of this form.
    pub schema: &'static str,
    /// The file as given.
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

/// Checks a record or a file of relations: loops that do not close, contradictions, gaps, and decisions of nobody.
///
/// # Errors
/// The file cannot be read.
pub fn check(
    file: &Path,
    checking: Checking,
    params: &CheckParams,
    options: &ReadOptions,
) -> Result<RecordCheck, JobError> {
    let (records, mut findings) = relations::read(file, options)?;
    let is_wanted = |record: &&RelationRecord| match checking {
        Checking::Truth => record.is_truth(),
        Checking::Proposals => record.status != RelationStatus::Rejected,
    };
    let wanted: Vec<Relation> =
        records.iter().filter(is_wanted).map(RelationRecord::final_relation).collect();
    let relations = truth::check(&wanted, params);
    findings.extend(check_findings(&relations, params));
    if relations::is_record(file) {
        findings.extend(decided_by_nobody(&records));
    }
    let statuses = count(&records);
    Ok(RecordCheck {
        schema: RECORD_CHECK_SCHEMA,
        path: shown(file),
        statuses,
        checked: checking,
        relations,
        findings,
    })
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
        let by_rule = record.reviewer.as_deref().is_some_and(|name| name.starts_with("rule: "));
        counts.by_rule += usize::from(record.is_truth() && by_rule);
    }
    counts
}

fn decided_by_nobody(records: &[RelationRecord]) -> Option<Finding> {
    let names = undecided(records);
    let first = names.first()?;
    let message = format!("{} accepted relations name no reviewer, the first of them '{first}'", names.len());
    let hint = "every accepted relation should say which person or rule accepted it";
    Some(Finding::warning("RELATIONS_DECIDED_BY_NOBODY", message).hint(hint))
}

/// Writes the accepted and adjusted relations of a record as plain relations; the ending of `output` names the form.
///
/// # Errors
/// A file cannot be read or written, or nothing was accepted.
pub fn export(record: &Path, output: &Path) -> Result<Written, JobError> {
    let read = formats::read_relation_records(record)?;
    let mut findings = read.findings;
    findings.extend(decided_by_nobody(&read.records));
    let truth: Vec<RelationRecord> =
        read.records.iter().filter(|record| record.is_truth()).cloned().collect();
    if truth.is_empty() {
        let why = format!("none of {} relations was accepted", read.records.len());
        return Err(JobError::NoRelations { path: shown(record), why });
    }
    let relations = relations::write(output, &truth)?;
    Ok(Written { relations, of: read.records.len(), findings, lost: Vec::new() })
}

/// Begins a record with the relations of a file: accepted in the name of a reviewer, or proposed where there is none.
///
/// # Errors
/// The file cannot be read, or the record exists already.
pub fn import(
    input: &Path,
    record: &Path,
    reviewer: Option<&str>,
    time: Option<&str>,
    options: &ReadOptions,
) -> Result<Written, JobError> {
    let (mut records, findings) = relations::read(input, options)?;
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    for entry in records.iter_mut().filter(|entry| entry.reviewer.is_none()) {
        entry.status = if reviewer.is_some() { RelationStatus::Accepted } else { RelationStatus::Proposed };
        entry.reviewer = reviewer.map(str::to_owned);
        entry.time = time.map(str::to_owned);
        entry.source.get_or_insert_with(|| format!("import of {name}"));
    }
    record_file::create(record, &records)?;
    Ok(Written { relations: records.len(), of: records.len(), findings, lost: Vec::new() })
}
