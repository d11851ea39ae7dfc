//! Proposals: displacements between keyframes, each measured by the two scans alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use align::trajectory::{Associate, Association, Lookup, Track, covered};
use mapper::{
    Hindsight, JumpDetector, MapperEntry, MapperError, MappingInput, OdometrySource, RangeLimits, Scan,
    scans_of,
};
use model::{Finding, Pose2, Pose3, RelationRecord, Rigid, ScanMatch, SensorLog};
use rayon::prelude::*;
use serde::Serialize;
use truth::{AcceptRule, Doubt, MakeError, MakeParams, candidates};

use super::measured::{ScanPair, measure};
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
    /// What the accepted ones cover; without a rule those whose scans were matched.
    pub covered: ProposalCoverage,
    /// What the readers noticed.
    pub findings: Vec<Finding>,
}

/// How much of a run relations speak about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProposalCoverage {
    /// Share of the time of the run between the two times of a relation, 0 to 1; null for a run without a duration.
    pub time: Option<f64>,
    /// The same of its path.
    pub path: Option<f64>,
    /// Connected parts of the times that the relations join.
    pub parts: usize,
    /// Relations between two visits of a place.
    pub revisits: usize,
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
    // Poses of the log are its odometry.
    let has_odometry = input.counts.odometry != OdometrySource::None && !matches!(poses, Poses::Log);
    let scan_of = |&(at, _): &(usize, Pose2)| {
        let (scan, odom_from_robot) = &input.scans[at];
        (scan.time_s.to_bits(), (scan, has_odometry.then_some(*odom_from_robot)))
    };
    let scan_at: HashMap<u64, (&Scan, Option<Pose2>)> = posed.iter().map(scan_of).collect();
    measure_all(&mut records, &scan_at, progress);
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
        covered: match &decided {
            Some((accepted, _)) => coverage(&track, accepted),
            None => {
                let matched = records.iter().filter(|record| record.icp.is_some()).cloned();
                coverage(&track, &matched.collect::<Vec<_>>())
            }
        },
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

/// Measures each displacement by its two scans.
fn measure_all(
    records: &mut [RelationRecord],
    scan_at: &HashMap<u64, (&Scan, Option<Pose2>)>,
    progress: &(dyn Fn(usize, usize) + Sync),
) {
    let (all, done) = (records.len(), AtomicUsize::new(0));
    records.par_iter_mut().for_each(|record| {
        let (from, to) = (record.relation.from_s.to_bits(), record.relation.to_s.to_bits());
        if let (Some(&(first, odom_from_first)), Some(&(second, odom_from_second))) =
            (scan_at.get(&from), scan_at.get(&to))
        {
            let is_step = !truth::is_revisit(record);
            let by_odometry = odom_from_first.zip(odom_from_second).filter(|_| is_step);
            let pair = ScanPair {
                first,
                second,
                by_poses: record.relation.pose().planar(),
                by_odometry: by_odometry.map(|(first, second)| second.seen_from(first)),
                is_step,
            };
            measure(record, &pair);
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
    });
}

/// What relations cover of the run by which they were proposed: those that were accepted, or those whose scans match where
/// nothing was decided.
fn coverage(track: &Track<Pose3>, records: &[RelationRecord]) -> ProposalCoverage {
    let times: Vec<(f64, f64)> =
        records.iter().map(|record| (record.relation.from_s, record.relation.to_s)).collect();
    let found = covered(track, &times);
    ProposalCoverage {
        time: found.map(|found| found.time),
        path: found.map(|found| found.path),
        parts: found.map_or(0, |found| found.parts),
        revisits: records.iter().filter(|record| truth::is_revisit(record)).count(),
    }
}
