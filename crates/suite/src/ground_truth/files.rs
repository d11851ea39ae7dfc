//! The edge of ground truth: logs and records from files, records and relations into files.

use std::path::{Path, PathBuf};

use formats::{Content, ReadOptions, read_document};
use mapper::MapperEntry;
use model::{RelationRecord, RelationStatus};
use truth::{AcceptRule, CheckParams};

use super::propose::ProposeError;
use super::{
    Accepted, Checking, Decision, Poses, Proposal, ProposePlan, RecordCheck, check_records,
    propose_relations, record_file, without_reviewer,
};
use crate::JobError;
use crate::files::relations::{self, Written, read_track};
use crate::files::shown_path as shown;
use crate::mapping::Settings;

/// Which poses decide what is near, and where matches begin.
#[derive(Clone, Debug, PartialEq)]
pub enum PosesFrom {
    /// Those of a file.
    Trajectory(PathBuf),
    /// Those of the scans in the log, as a corrected log has them.
    Log,
    /// What a mapper finds.
    Mapper {
        /// One of [`mapper::all`].
        mapper: MapperEntry,
        /// Its parameters.
        settings: Settings,
        /// Seed of everything random.
        seed: u64,
    },
}

/// A log to propose relations for.
#[derive(Clone, Debug)]
pub struct ProposeJob {
    /// Log with scans.
    pub log: PathBuf,
    /// Which poses.
    pub poses: PosesFrom,
    /// What to propose.
    pub plan: ProposePlan,
    /// Record to begin.
    pub record: PathBuf,
}

/// Proposes relations between the scans of a log and begins a record of them. `progress` is told the pairs that were
/// matched and all of them.
///
/// # Errors
/// A file cannot be read, there is no pair of scans worth proposing, or the record exists already.
pub fn propose(
    job: &ProposeJob,
    options: &ReadOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Proposal, JobError> {
    let document = read_document(&job.log, options)?;
    let none = |why: String| JobError::NoRelations { path: shown(&job.log), why };
    let Content::Log(log) = &document.content else {
        return Err(none(format!("expected a log with scans, found {}", document.content.kind().noun())));
    };
    let mut findings = document.findings.clone();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (poses, poses_name) = match &job.poses {
        PosesFrom::Trajectory(path) => {
            let (track, noticed) = read_track(path, options)?;
            findings.extend(noticed);
            (Poses::Track(track), name(path))
        }
        PosesFrom::Log => (Poses::Log, "the log".to_owned()),
        PosesFrom::Mapper { mapper, settings, seed } => {
            let poses = Poses::Mapper { mapper: *mapper, settings: settings.clone(), seed: *seed };
            (poses, format!("mapper {}", mapper.name))
        }
    };
    let source = format!("scans of {}, poses of {poses_name}", name(&job.log));
    let proposed =
        propose_relations(log, &poses, &job.plan, &source, progress).map_err(|error| match error {
            ProposeError::Settings(error) => error.into(),
            ProposeError::NoPairs(error) => none(error.to_string()),
        })?;
    record_file::create(&job.record, &[proposed.records, proposed.accepted].concat())?;
    Ok(Proposal { path: shown(&job.record), findings, ..proposed.proposal })
}

/// Accepts the proposals of a record that meet a rule, by appending an entry for each. The record is locked meanwhile, and
/// a decision that another program appends at the same time stays the last word.
///
/// # Errors
/// The record cannot be read, or not be appended to.
pub fn accept(
    record: &Path,
    rule: &AcceptRule,
    time: Option<&str>,
    decision: Decision,
) -> Result<Accepted, JobError> {
    let decide = || {
        let read = formats::read_relation_records(record)?;
        let (accepted, doubts) = truth::accept(&read.records, rule, time);
        let told = Accepted {
            path: shown(record),
            rule: rule.name(),
            accepted: accepted.len(),
            doubts,
            findings: read.findings,
        };
        Ok((accepted, told))
    };
    match decision {
        Decision::Written => record_file::append(record, decide),
        Decision::Tried => Ok(decide()?.1),
    }
}

/// Checks a record or a file of relations, as [`check_records`].
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
    let checked = check_records(&records, checking, params);
    findings.extend(checked.findings);
    if relations::is_record(file) {
        findings.extend(without_reviewer(&records));
    }
    Ok(RecordCheck { path: shown(file), findings, ..checked })
}

/// Writes the accepted and adjusted relations of a record as plain relations; the ending of `output` names the form.
///
/// # Errors
/// A file cannot be read or written, or nothing was accepted.
pub fn export(record: &Path, output: &Path) -> Result<Written, JobError> {
    let read = formats::read_relation_records(record)?;
    let mut findings = read.findings;
    findings.extend(without_reviewer(&read.records));
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
