//! The edge of ground truth: logs and records from files, records and relations into files.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use formats::ReadOptions;
use mapper::{MapperEntry, RangeLimits};
use model::{RelationRecord, RelationStatus, SensorLog};
use truth::{AcceptRule, CheckParams, SecondOpinions};

use super::propose::ProposeError;
use super::review::{By, Review, ReviewScans, ReviewSettings};
use super::terminal::{Reviewed, Terminal};
use super::{
    Accepted, Checking, Decision, Poses, Proposal, ProposePlan, RecordCheck, check_records, disputed,
    propose_relations, record_file, without_reviewer,
};
use crate::files::relations::{self, Written, read_track};
use crate::files::{Loader, shown_path as shown, write_whole};
use crate::mapping::Settings;
use crate::{JobError, Loaded};

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

/// What is reviewed, and in whose name.
#[derive(Clone, Debug)]
pub struct ReviewJob {
    /// The record: read, and appended to.
    pub record: PathBuf,
    /// The log with the scans.
    pub log: PathBuf,
    /// Who decides.
    pub reviewer: String,
    /// What decisions carry as their time.
    pub time: Option<String>,
    /// Where the two scans of the proposal are drawn.
    pub figure: PathBuf,
    /// What it doubts comes first.
    pub rule: AcceptRule,
    /// Ranges that are measurements.
    pub range: RangeLimits,
    /// Which relations go to another person.
    pub second: SecondOpinions,
}

/// Opens a record with the scans of its log.
///
/// # Errors
/// The record or the log cannot be read, or the record was made from another log.
pub fn open_review(job: &ReviewJob, options: &ReadOptions) -> Result<Review, JobError> {
    let log = read_log(&job.log, options)?;
    let settings = ReviewSettings {
        record: file_name(&job.record),
        log: file_name(&job.log),
        log_blake3: blake3_of(&log),
        rule: job.rule,
        second: job.second,
    };
    let lines = record_file::FileLines::new(job.record.clone());
    Review::open(settings, Box::new(lines), ReviewScans::of(&log.value, job.range))
}

/// Scans with the hash of their file.
fn read_log(path: &Path, options: &ReadOptions) -> Result<Loaded<SensorLog>, JobError> {
    Loader::new(options.clone()).log(path)
}

fn blake3_of(log: &Loaded<SensorLog>) -> Option<String> {
    log.provenance.files.first().map(|file| file.blake3.clone())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reviews a record: shows the next proposal, reads commands until `quit` or the end. `say` is told what happens.
///
/// # Errors
/// The record or the log cannot be read, or the record or the figure cannot be written.
pub fn review(
    job: &ReviewJob,
    options: &ReadOptions,
    commands: &mut dyn BufRead,
    say: &dyn Fn(&str),
) -> Result<Reviewed, JobError> {
    let mut review = open_review(job, options)?;
    let draw = |svg: &str| {
        write_whole(&job.figure, svg)?;
        Ok(shown(&job.figure))
    };
    let by = By { reviewer: &job.reviewer, time: job.time.as_deref() };
    Terminal { review: &mut review, by, draw: &draw, say }.reviewed(shown(&job.record), commands)
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
    let log = read_log(&job.log, options)?;
    let none = |why: String| JobError::NoRelations { path: shown(&job.log), why };
    let mut findings = log.findings.clone();
    let (poses, poses_name) = match &job.poses {
        PosesFrom::Trajectory(path) => {
            let (track, noticed) = read_track(path, options)?;
            findings.extend(noticed);
            (Poses::Track(track), file_name(path))
        }
        PosesFrom::Log => (Poses::Log, "the log".to_owned()),
        PosesFrom::Mapper { mapper, settings, seed } => {
            let poses = Poses::Mapper { mapper: *mapper, settings: settings.clone(), seed: *seed };
            (poses, format!("mapper {}", mapper.name))
        }
    };
    let source = format!("scans of {}, poses of {poses_name}", file_name(&job.log));
    let proposed =
        propose_relations(&log.value, &poses, &job.plan, &source, progress).map_err(|error| match error {
            ProposeError::Settings(error) => error.into(),
            ProposeError::NoPairs(error) => none(error.to_string()),
        })?;
    let mut lines = [proposed.records, proposed.accepted].concat();
    let log_blake3 = blake3_of(&log);
    lines.iter_mut().for_each(|line| line.log_blake3.clone_from(&log_blake3));
    record_file::create(&job.record, &lines)?;
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
        findings.extend(disputed(&records));
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
    findings.extend(disputed(&read.records));
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use model::Relation;

    use super::*;

    /// A log of two scans of one room, 0.5 m apart along x, and a record that proposes 0.6 m once and 0.5 m once.
    fn example(folder: &Path) -> ReviewJob {
        let (log, record) = (folder.join("run.log"), folder.join("r.jsonl"));
        let walls = |x_m: f64| {
            let range = |beam: u32| {
                let angle = f64::from(beam).to_radians() - std::f64::consts::FRAC_PI_2;
                let (sin, cos) = angle.sin_cos();
                let ahead = if cos > 1e-9 { (4.0 - x_m) / cos } else { f64::INFINITY };
                let beside = if sin.abs() > 1e-9 { 1.5 / sin.abs() } else { f64::INFINITY };
                format!("{:.3}", ahead.min(beside).min(20.0))
            };
            (0..181).map(range).collect::<Vec<_>>().join(" ")
        };
        let line = |x_m: f64, time_s: f64| {
            format!("FLASER 181 {} {x_m} 0 0 {x_m} 0 0 {time_s} host {time_s}\n", walls(x_m))
        };
        std::fs::write(&log, line(0.0, 1.0) + &line(0.5, 2.0)).unwrap();
        let relation = |x_m: f64| Relation {
            from_s: 1.0,
            to_s: 2.0,
            translation_m: [x_m, 0.0, 0.0],
            roll_pitch_yaw_rad: [0.0; 3],
        };
        let proposed = |id: &str, x_m| RelationRecord::proposed(id.to_owned(), relation(x_m));
        record_file::create(&record, &[proposed("r1", 0.6), proposed("r2", 0.5)]).unwrap();
        ReviewJob {
            figure: folder.join("review.svg"),
            record,
            log,
            reviewer: "Ada".to_owned(),
            time: None,
            rule: AcceptRule::default(),
            range: RangeLimits { min_m: 0.02, max_m: 80.0 },
            second: SecondOpinions::default(),
        }
    }

    fn run(job: &ReviewJob, commands: &str) -> (Reviewed, String) {
        let told = RefCell::new(String::new());
        let say = |line: &str| told.borrow_mut().push_str(&format!("{line}\n"));
        let reviewed = review(job, &ReadOptions::default(), &mut commands.as_bytes(), &say).unwrap();
        (reviewed, told.into_inner())
    }

    fn last(job: &ReviewJob, id: &str) -> RelationRecord {
        let records = formats::read_relation_records(&job.record).unwrap().records;
        records.into_iter().find(|record| record.id == id).unwrap()
    }

    #[test]
    fn a_review_adjusts_rejects_undoes_and_goes_on_later() {
        let folder = tempfile::tempdir().unwrap();
        let job = example(folder.path());
        let (reviewed, told) = run(&job, "adjust -0.1 0 0\naccept moved back\nreject\nundo\nquit\n");
        assert_eq!((reviewed.left, reviewed.undone, reviewed.decisions.len()), (1, 1, 1), "{told}");
        let adjusted = last(&job, "r1");
        assert_eq!((adjusted.status, adjusted.reviewer.as_deref()), (RelationStatus::Adjusted, Some("Ada")));
        assert!((adjusted.final_relation().translation_m[0] - 0.5).abs() < 1e-12);
        assert_eq!(adjusted.note.as_deref(), Some("moved back"));
        assert_eq!(last(&job, "r2").status, RelationStatus::Proposed);
        assert!(std::fs::read_to_string(&job.figure).unwrap().contains("<svg"));
        // Two proposals, and an entry per decision: nothing is ever removed.
        assert_eq!(std::fs::read_to_string(&job.record).unwrap().lines().count(), 5);
        let (again, told) = run(&job, "accept\n");
        assert!(told.starts_with("1 proposals to decide\nr2: "), "{told}");
        assert_eq!((again.left, again.decisions[0].status), (0, "accepted"));
    }

    #[test]
    fn a_match_from_here_finds_the_displacement() {
        let folder = tempfile::tempdir().unwrap();
        let job = example(folder.path());
        run(&job, "adjust -0.05 0.02 1\nmatch\naccept\nquit\n");
        let [x_m, y_m, _] = last(&job, "r1").final_relation().translation_m;
        assert!((x_m - 0.5).abs() < 0.01 && y_m.abs() < 0.01, "{x_m} {y_m}");
    }

    #[test]
    fn a_decision_of_somebody_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let job = example(folder.path());
        let other = RelationRecord {
            status: RelationStatus::Rejected,
            reviewer: Some("Bob".to_owned()),
            ..last(&job, "r1")
        };
        // The commands are read after the first proposal was shown: Bob decides in between.
        struct Meanwhile<'a>(&'a ReviewJob, Option<RelationRecord>, &'a [u8]);
        impl std::io::Read for Meanwhile<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                std::io::Read::read(&mut self.2, buffer)
            }
        }
        impl BufRead for Meanwhile<'_> {
            fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
                if let Some(entry) = self.1.take() {
                    record_file::append(&self.0.record, || Ok((vec![entry], ()))).unwrap();
                }
                Ok(self.2)
            }
            fn consume(&mut self, amount: usize) {
                self.2 = &self.2[amount..];
            }
        }
        let mut commands = Meanwhile(&job, Some(other), b"accept\nquit\n");
        let told = RefCell::new(String::new());
        let say = |line: &str| told.borrow_mut().push_str(line);
        review(&job, &ReadOptions::default(), &mut commands, &say).unwrap();
        assert!(told.borrow().contains("somebody else has decided"), "{}", told.borrow());
        assert_eq!(last(&job, "r1").reviewer.as_deref(), Some("Bob"));
    }

    #[test]
    fn an_earlier_decision_is_opened_again_and_nonsense_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let job = example(folder.path());
        run(&job, "reject\nskip\nquit\n");
        let (reviewed, told) = run(&job, "undo\nreopen r9\nreopen r1\nfly\naccept\nstatus\n");
        assert!(told.contains("nothing was decided here") && told.contains("no relation 'r9'"), "{told}");
        assert!(told.contains("'fly' is no command"), "{told}");
        assert_eq!((last(&job, "r1").status, reviewed.left), (RelationStatus::Accepted, 1));
    }
}
