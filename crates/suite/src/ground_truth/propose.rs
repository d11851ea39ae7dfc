//! Proposals: displacements between key poses, each measured by the two scans alone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use align::trajectory::{Associate, Association, Lookup, Track};
use formats::{Content, ReadOptions, read_document};
use mapper::{Hindsight, MappingInput, RangeLimits, RefinedMatch, Scan, refine, scans_of};
use model::{Finding, MatchEvidence, Pose2, Pose3, RelationRecord, Rigid, ScanMatch, SensorLog};
use rayon::prelude::*;
use serde::Serialize;
use truth::{AcceptRule, Doubt, MakeParams, candidates};

use super::record_file;
use crate::JobError;
use crate::inputs::shown;
use crate::mapping::{MapperName, MappingRun, Settings};
use crate::relations::read_track;

/// The name of the form of [`Proposal`].
pub const PROPOSAL_SCHEMA: &str = "mapjudge.truth-proposal/1";

/// Which poses say what is near, and where matches begin.
#[derive(Clone, Debug, PartialEq)]
pub enum PosesFrom {
    /// Those of a file.
    Trajectory(PathBuf),
    /// Those of the scans in the log, as a corrected log has them.
    Log,
    /// What a mapper finds.
    Mapper {
        /// Which mapper.
        name: MapperName,
        /// Its parameters.
        settings: Settings,
        /// Seed of everything random.
        seed: u64,
    },
}

/// What to propose.
#[derive(Clone, Debug)]
pub struct ProposeJob {
    /// Log with scans.
    pub log: PathBuf,
    /// Which poses.
    pub poses: PosesFrom,
    /// Key poses and pairs.
    pub params: MakeParams,
    /// Ranges that count.
    pub range: RangeLimits,
    /// Rule by which proposals are accepted at once; none leaves all to a person.
    pub accept: Option<AcceptRule>,
    /// What the entries of the rule carry as time; a rule needs none.
    pub time: Option<String>,
    /// Record to begin.
    pub record: PathBuf,
}

/// What was proposed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// Name of this form.
    pub schema: &'static str,
    /// The record as given.
    pub path: String,
    /// What the proposals were made from.
    pub source: String,
    /// Scans of the log.
    pub scans: usize,
    /// Scans without a pose, left out.
    pub without_pose: usize,
    /// Proposals.
    pub proposed: usize,
    /// Those whose scans were matched.
    pub matched: usize,
    /// Those whose scans fix nothing in one direction.
    pub degenerate: usize,
    /// Those that the rule accepted; null without a rule.
    pub accepted: Option<usize>,
    /// Those that it left to a person, by the first limit they miss.
    pub doubts: Vec<(Doubt, usize)>,
    /// What the readers noticed.
    pub findings: Vec<Finding>,
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
    let Content::Log(log) = &document.content else {
        let why = format!("expected a log with scans, found a {}", document.content.kind().name());
        return Err(none(&job.log, why));
    };
    let mut findings = document.findings.clone();
    let input = scans_of(log, job.range);
    let posed = poses(job, log, &input, options, &mut findings)?;
    let track = Track::new(posed.iter().map(|&(at, pose)| (input.scans[at].0.time_s, Pose3::from(pose))));
    let mut records = candidates(&track, &job.params).map_err(|error| none(&job.log, error.to_string()))?;
    let source = source(job);
    records.iter_mut().for_each(|record| record.source = Some(source.clone()));
    let scan_at: HashMap<u64, &Scan> =
        posed.iter().map(|&(at, _)| (input.scans[at].0.time_s.to_bits(), &input.scans[at].0)).collect();
    measure(&mut records, &scan_at, progress);
    record_file::create(&job.record, &records)?;
    let decided = job.accept.map(|rule| truth::accept(&records, &rule, job.time.as_deref()));
    if let Some((accepted, _)) = &decided {
        record_file::append(&job.record, accepted)?;
    }
    let has = |is: fn(&ScanMatch) -> bool| {
        records.iter().filter(|record| record.icp.as_ref().is_some_and(is)).count()
    };
    Ok(Proposal {
        schema: PROPOSAL_SCHEMA,
        path: shown(&job.record),
        source,
        scans: input.scans.len(),
        without_pose: input.scans.len() - posed.len(),
        proposed: records.len(),
        matched: has(|_| true),
        degenerate: has(|icp| icp.evidence.is_some_and(|found| found.degenerate_rad.is_some())),
        accepted: decided.as_ref().map(|(accepted, _)| accepted.len()),
        doubts: decided.map(|(_, doubts)| doubts).unwrap_or_default(),
        findings,
    })
}

fn none(path: &Path, why: String) -> JobError {
    JobError::NoRelations { path: shown(path), why }
}

fn source(job: &ProposeJob) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let poses = match &job.poses {
        PosesFrom::Trajectory(path) => name(path),
        PosesFrom::Log => "the log".to_owned(),
        PosesFrom::Mapper { name, .. } => format!("mapper {}", name.word()),
    };
    format!("scans of {}, poses of {poses}", name(&job.log))
}

/// The scans that have a pose, by their number, with it.
fn poses(
    job: &ProposeJob,
    log: &SensorLog,
    input: &MappingInput,
    options: &ReadOptions,
    findings: &mut Vec<Finding>,
) -> Result<Vec<(usize, Pose2)>, JobError> {
    let numbered = || input.scans.iter().enumerate();
    match &job.poses {
        PosesFrom::Log => Ok(numbered().map(|(at, (_, pose))| (at, *pose)).collect()),
        PosesFrom::Trajectory(path) => {
            let (track, noticed) = read_track(path, options)?;
            findings.extend(noticed);
            let association = Association { rule: Associate::Interpolate, ..Association::default() };
            let lookup = Lookup { track: &track, association, odometry: None };
            let pose = |time_s: f64| Some(lookup.at(time_s)?.pose.planar());
            Ok(numbered().filter_map(|(at, (scan, _))| Some((at, pose(scan.time_s)?))).collect())
        }
        PosesFrom::Mapper { name, settings, seed } => {
            let mut run = MappingRun::new(*name, settings, *seed)?;
            // The mapper may take other ranges than the proposals.
            scans_of(log, run.limits).scans.iter().for_each(|(scan, odometry)| run.step(scan, *odometry));
            run.finish(Hindsight::Final);
            let found = run.mapper.trajectory(Hindsight::Final);
            Ok(found.iter().map(|pose| pose.map_from_robot).enumerate().collect())
        }
    }
}

/// Measures each displacement by its two scans; one whose scans do not match keeps what the poses say.
fn measure(
    records: &mut [RelationRecord],
    scan_at: &HashMap<u64, &Scan>,
    progress: &(dyn Fn(usize, usize) + Sync),
) {
    let (all, done) = (records.len(), AtomicUsize::new(0));
    records.par_iter_mut().for_each(|record| {
        let (from, to) = (record.relation.from_s.to_bits(), record.relation.to_s.to_bits());
        if let (Some(first), Some(second)) = (scan_at.get(&from), scan_at.get(&to)) {
            let start = record.relation.pose().planar();
            match refine(first, second, start) {
                Some(found) => take(record, start, &found),
                None => record.tags.push("unmatched".to_owned()),
            }
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
    });
}

fn take(record: &mut RelationRecord, start: Pose2, found: &RefinedMatch) {
    let delta = found.first_from_second;
    let moved = delta.seen_from(start);
    record.relation.translation_m = [delta.x_m, delta.y_m, 0.0];
    record.relation.roll_pitch_yaw_rad = [0.0, 0.0, delta.theta_rad];
    if found.degenerate_rad.is_some() {
        record.tags.push("degenerate".to_owned());
    }
    let evidence = MatchEvidence {
        inliers: found.inliers,
        contradicted: found.contradicted,
        moved_m: moved.distance_m(),
        turned_rad: moved.angle_rad(),
        covariance: found.covariance,
        degenerate_rad: found.degenerate_rad,
    };
    record.icp = Some(ScanMatch { rms_m: found.rms_m, overlap: found.overlap, evidence: Some(evidence) });
}
