//! Proposals: displacements between keyframes, each measured by the two scans alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use align::trajectory::{Associate, Association, Lookup, Track};
use mapper::{
    Hindsight, JumpDetector, MapperEntry, MapperError, MappingInput, RangeLimits, RefinedMatch, Scan, refine,
    scans_of,
};
use model::{Finding, Pose2, Pose3, RelationRecord, ScanMatch, SensorLog};
use rayon::prelude::*;
use serde::Serialize;
use truth::{AcceptRule, Doubt, MakeError, MakeParams, candidates};

use super::review::scan_match;
use crate::mapping::Settings;

/// The name of the form of [`Proposal`].
pub const PROPOSAL_SCHEMA: &str = "mapjudge.truth-proposal/1";

/// Which poses decide what is near, and where matches begin.
#[derive(Clone, Debug)]
pub enum Poses {
    /// Those of a trajectory, interpolated at the timestamps of the scans.
    Track(Track<Pose3>),
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

/// What to propose.
#[derive(Clone, Debug)]
pub struct ProposePlan {
    /// Keyframes and pairs.
    pub params: MakeParams,
    /// Ranges that are measurements.
    pub range: RangeLimits,
    /// Rule by which proposals are accepted at once; none leaves all to a person.
    pub accept: Option<AcceptRule>,
    /// What the entries of the rule carry as time; a rule needs none.
    pub time: Option<String>,
}

/// Proposals with their figures.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// All of them, as they were proposed.
    pub records: Vec<RelationRecord>,
    /// Those that the rule accepted, once more.
    pub accepted: Vec<RelationRecord>,
    /// Counts.
    pub proposal: Proposal,
}

/// Why nothing was proposed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProposeError {
    /// The mapper refuses its settings.
    #[error("{0}")]
    Settings(#[from] MapperError),
    /// No pair of scans is worth proposing.
    #[error("{0}")]
    NoPairs(#[from] MakeError),
}

impl ProposeError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Settings(error) => error.code(),
            Self::NoPairs(error) => error.code(),
        }
    }
}

/// What was proposed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proposal {
    /// Name of this form.
    pub schema: &'static str,
    /// The record as given; empty if none was written.
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

/// Proposes relations between the scans of a log; `source` goes into each of them. `progress` is told the pairs that were
/// matched and all of them.
///
/// # Errors
/// There is no pair of scans worth proposing, or the mapper refuses its settings.
pub fn propose_relations(
    log: &SensorLog,
    poses: &Poses,
    plan: &ProposePlan,
    source: &str,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Proposed, ProposeError> {
    let input = scans_of(log, plan.range);
    let posed = posed_scans(log, poses, &input)?;
    let track = Track::new(posed.iter().map(|&(at, pose)| (input.scans[at].0.time_s, Pose3::from(pose))));
    let mut records = candidates(&track, &plan.params)?;
    records.iter_mut().for_each(|record| record.source = Some(source.to_owned()));
    let scan_at: HashMap<u64, &Scan> =
        posed.iter().map(|&(at, _)| (input.scans[at].0.time_s.to_bits(), &input.scans[at].0)).collect();
    measure(&mut records, &scan_at, progress);
    let decided = plan.accept.map(|rule| truth::accept(&records, &rule, plan.time.as_deref()));
    let has = |is: fn(&ScanMatch) -> bool| {
        records.iter().filter(|record| record.icp.as_ref().is_some_and(is)).count()
    };
    let proposal = Proposal {
        schema: PROPOSAL_SCHEMA,
        path: String::new(),
        source: source.to_owned(),
        scans: input.scans.len(),
        without_pose: input.scans.len() - posed.len(),
        proposed: records.len(),
        matched: has(|_| true),
        degenerate: has(|icp| icp.evidence.is_some_and(|found| found.degenerate_rad.is_some())),
        accepted: decided.as_ref().map(|(accepted, _)| accepted.len()),
        doubts: decided.as_ref().map(|(_, doubts)| doubts.clone()).unwrap_or_default(),
        findings: Vec::new(),
    };
    let accepted = decided.map(|(accepted, _)| accepted).unwrap_or_default();
    Ok(Proposed { records, accepted, proposal })
}

/// The scans that have a pose, by their number, with it.
fn posed_scans(
    log: &SensorLog,
    poses: &Poses,
    input: &MappingInput,
) -> Result<Vec<(usize, Pose2)>, MapperError> {
    let numbered = || input.scans.iter().enumerate();
    match poses {
        Poses::Log => Ok(numbered().map(|(at, (_, pose))| (at, *pose)).collect()),
        Poses::Track(track) => {
            let association = Association { rule: Associate::Interpolate, ..Association::default() };
            let lookup = Lookup { track, association, odometry: None };
            let pose = |time_s: f64| Some(lookup.at(time_s)?.pose.planar());
            Ok(numbered().filter_map(|(at, (scan, _))| Some((at, pose(scan.time_s)?))).collect())
        }
        Poses::Mapper { mapper, settings, seed } => {
            let mut mapper = settings.mapper(*mapper, *seed)?;
            // The mapper may take other ranges than the proposals.
            let own = scans_of(log, mapper.input_rules().limits);
            let mut detector = JumpDetector::default();
            for (scan, odom_from_robot) in &own.scans {
                detector.step(mapper.as_mut(), scan, *odom_from_robot, own.counts.odometry);
            }
            mapper.finish();
            let found = mapper.trajectory(Hindsight::Final);
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
    record.relation.translation_m = [delta.x_m, delta.y_m, 0.0];
    record.relation.roll_pitch_yaw_rad = [0.0, 0.0, delta.theta_rad];
    if found.degenerate_rad.is_some() {
        record.tags.push("degenerate".to_owned());
    }
    record.icp = Some(scan_match(found, start));
}
