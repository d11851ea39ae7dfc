//! The Intel log against the relations of Freiburg (L-REAL), both mappers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use ::mapper::{Graph, ListedMapper, MappedPose, MappingInput, RangeLimits, Robbie, RobbieParams, scans_of};
use align::trajectory::{Associate, Association, Fill, Lookup, Track};
use formats::{Content, ReadOptions, read_document};
use metrics::trajectory::relation_errors::RelationError;
use metrics::trajectory::relative_displacement::RelativeDisplacement;
use metrics::trajectory::{RunInputs, Runs};
use model::{
    Dimension, LaserScan, LogRecord, Pose2, PoseSource, Relation, Rigid, SensorLog, StampedPose, TimeBase,
    Trajectory,
};

use super::{Mapped, params};
use crate::inputs::BenchError;
use crate::studies::{Findings, median};

/// Stamps of the relations = stamps of the corrected log + this (L-REAL).
const CLOCK_S: f64 = 976_052_857.337_5;
/// Relations before this are the early set (L-REAL).
const EARLY_S: f64 = 976_053_757.0;
/// Both stamps within this of a scan: the exact set (L-REAL).
const EXACT_DT_S: f64 = 0.001;
const LOCAL_S: f64 = 10.0;
const ROBBIE_SEEDS: std::ops::RangeInclusive<u64> = 1..=10;
/// What the log calls no return is 81.83 (L-REAL).
const RANGE_MAX_M: f64 = 80.0;

/// Mean errors over a set of relations.
struct Set {
    count: usize,
    mean_m: f64,
    mean_deg: f64,
    local_m: f64,
    revisit_m: f64,
}

impl Set {
    fn of(errors: &[RelationError]) -> Self {
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let is_local = |error: &RelationError| (error.to_s - error.from_s).abs() <= LOCAL_S;
        let metres = |keep: &dyn Fn(&RelationError) -> bool| {
            mean(errors.iter().filter(|error| keep(error)).map(|error| error.translation_m).collect())
        };
        Self {
            count: errors.len(),
            mean_m: metres(&|_| true),
            mean_deg: mean(errors.iter().map(|error| error.rotation_rad.to_degrees()).collect()),
            local_m: metres(&is_local),
            revisit_m: metres(&|error| !is_local(error)),
        }
    }
}

impl std::fmt::Display for Set {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { count, mean_m, mean_deg, local_m, revisit_m } = self;
        write!(f, "{mean_m:.4} m ({local_m:.4} / {revisit_m:.4}) {mean_deg:.3} deg of {count}")
    }
}

/// Relations, and the odometry between the scans in their clock.
struct Reference {
    relations: Vec<Relation>,
    odometry: Trajectory,
    /// What GMapping made of the log: the protocol must give the errors that L-REAL has for it.
    published: Vec<MappedPose>,
}

/// The odometry of the corrected log. Its readings begin anew at the corrected pose of every scan, so that only the
/// increments from scan to scan are those of the wheels.
fn increments(corrected: &SensorLog) -> Vec<(f64, Pose2)> {
    let (mut base, mut wheels, mut last) = (Pose2::IDENTITY, Pose2::IDENTITY, Pose2::IDENTITY);
    let mut readings = Vec::new();
    for record in &corrected.records {
        match record {
            LogRecord::Scan(scan) => {
                wheels = wheels * last.seen_from(base);
                base = scan.world_from_robot.unwrap_or(last);
                last = base;
            }
            LogRecord::Odometry(reading) => {
                last = reading.odom_from_robot;
                // The reading after a scan repeats its pose, without a stamp.
                if reading.time_s > 0.0 {
                    readings.push((reading.time_s + CLOCK_S, wheels * last.seen_from(base)));
                }
            }
            LogRecord::Attitude(_) | LogRecord::Sonar(_) | LogRecord::TruePose { .. } => {}
        }
    }
    readings
}

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let folder = data.join("freiburg-relations");
    let reference = Reference::read(data)?;
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let sparse = log(&folder.join("derived-intel-910-rawodom.log.gz"))?;
    let merged = log(&folder.join("derived-intel-3462-merged.log.gz"))?;
    let stamped: BTreeSet<u64> = sparse.scans().map(|scan| scan.time_s.to_bits()).collect();
    let published = &reference.published;
    findings.table.push(format!(
        "GMapping as published: exact {}, early {}, all {} (L-REAL: 0.0360, 0.0264, 0.0451)",
        reference.exact(published)?,
        reference.filled(published, EARLY_S)?,
        reference.filled(published, f64::INFINITY)?,
    ));
    for (name, log) in [("910", &sparse), ("merged", &merged)] {
        let mapped = Mapped::of(&mut Graph::with_params(params()), &input(log));
        let known = |poses: &[MappedPose]| {
            poses.iter().copied().filter(|pose| stamped.contains(&pose.time_s.to_bits())).collect::<Vec<_>>()
        };
        let (last, online) = (known(&mapped.last), known(&mapped.online));
        let exact = reference.exact(&last)?;
        let early = reference.filled(&last, EARLY_S)?;
        findings.table.push(format!(
            "graph {name}: {} scans, {} loops, {:.3} ms median, {:.2} p99 | final exact {exact}, early {early}, all {} | online exact {}",
            mapped.last.len(), mapped.loops, mapped.quantile_ms(0.5), mapped.quantile_ms(0.99),
            reference.filled(&last, f64::INFINITY)?, reference.exact(&online)?,
        ));
        let mut must = |held: bool, what: String| {
            if !held {
                findings.missed.push(format!("graph {name}: {what}"));
            }
        };
        must(exact.count == 97, format!("{} exact relations, expected 97", exact.count));
        must(exact.mean_m <= 0.022 && exact.mean_deg <= 0.6, format!("exact {exact}"));
        if name == "910" {
            must(early.count == 898, format!("{} early relations, expected 898", early.count));
            must(early.mean_m <= 0.024, format!("early {early}"));
        }
    }
    robbie(&sparse, &reference, &mut findings)?;
    Ok(findings)
}

fn robbie(log: &SensorLog, reference: &Reference, findings: &mut Findings) -> Result<(), BenchError> {
    let (mut means, mut local_good) = (Vec::new(), 0);
    let input = input(log);
    for seed in ROBBIE_SEEDS {
        let params =
            RobbieParams { seed, cell_size_m: 0.10, range_max_m: RANGE_MAX_M, ..RobbieParams::PAPER };
        let mapped = Mapped::of(&mut Robbie::with_params(params), &input);
        let exact = reference.exact(&mapped.last)?;
        findings.table.push(format!(
            "robbie line 0.10 m, seed {seed}: exact {exact}, {:.2} ms",
            mapped.quantile_ms(0.5)
        ));
        local_good += usize::from(exact.local_m <= 0.05);
        means.push(exact.mean_m);
    }
    let median_m = median(means);
    findings.table.push(format!("robbie: median {median_m:.4} m, local part good on {local_good} of 10"));
    if median_m > 0.08 || local_good < 9 {
        findings
            .missed
            .push(format!("robbie: median {median_m:.4} m, local part good on {local_good} of 10"));
    }
    Ok(())
}

fn input(log: &SensorLog) -> MappingInput {
    scans_of(log, RangeLimits { min_m: 0.02, max_m: RANGE_MAX_M })
}

/// The 910 scans with raw odometry.
pub(super) fn sparse(data: &Path) -> Result<MappingInput, BenchError> {
    Ok(input(&log(&data.join("freiburg-relations/derived-intel-910-rawodom.log.gz"))?))
}

fn log(path: &Path) -> Result<SensorLog, BenchError> {
    match read_document(path, &ReadOptions::default())?.content {
        Content::Log(log) => Ok(log),
        other => Err(BenchError::Study(format!("{}: found a {}", path.display(), other.kind().name()))),
    }
}

fn trajectory(poses: impl Iterator<Item = (f64, Pose2)>) -> Trajectory {
    let stamped = |(time_s, pose): (f64, Pose2)| StampedPose {
        time_s,
        world_from_robot: pose.into(),
        source: PoseSource::Measured,
    };
    let poses = poses.map(stamped).collect();
    Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses }
}

impl Reference {
    fn read(data: &Path) -> Result<Self, BenchError> {
        let path = data.join("freiburg-relations/intel.relations");
        let Content::Relations(relations) = read_document(&path, &ReadOptions::default())?.content else {
            return Err(BenchError::Study(format!("{}: expected relations", path.display())));
        };
        let corrected = log(&data.join("carmen-corrected/intel-corrected.log.gz"))?;
        let odometry = trajectory(increments(&corrected).into_iter());
        let published = log(&data.join("freiburg-relations/derived-intel-910-corrected.log.gz"))?;
        let pose = |scan: &LaserScan| {
            let map_from_robot = scan.world_from_robot?;
            Some(MappedPose { time_s: scan.time_s, map_from_robot, is_matched: true })
        };
        let published = published.scans().filter_map(pose).collect();
        Ok(Self { relations, odometry, published })
    }

    fn exact(&self, poses: &[MappedPose]) -> Result<Set, BenchError> {
        let poses = trajectory(poses.iter().map(|pose| (pose.time_s, pose.map_from_robot)));
        self.errors(poses, EXACT_DT_S, f64::INFINITY)
    }

    /// Poses at the times of the odometry by L-FILL, relations whose stamps lie before a time.
    fn filled(&self, poses: &[MappedPose], before_s: f64) -> Result<Set, BenchError> {
        let track = Track::new(poses.iter().map(|pose| (pose.time_s, pose.map_from_robot)));
        let odometry = Track::planar(&self.odometry);
        let association =
            Association { rule: Associate::Filled, fill: Fill::Spread, ..Association::default() };
        let lookup = Lookup { track: &track, association, odometry: Some(&odometry) };
        let at = |&time_s: &f64| lookup.at(time_s).map(|found| (time_s, found.pose));
        let times_s: Vec<f64> = odometry.times_s().iter().chain(track.times_s()).copied().collect();
        self.errors(trajectory(times_s.iter().filter_map(at)), 0.05, before_s)
    }

    fn errors(&self, poses: Trajectory, max_dt_s: f64, before_s: f64) -> Result<Set, BenchError> {
        let kept = self.relations.iter().filter(|relation| relation.from_s.max(relation.to_s) < before_s);
        let relations: Vec<Relation> = kept.cloned().collect();
        let runs = Runs::new(RunInputs {
            estimate: Cow::Owned(poses),
            truth: None,
            relations: Some(&relations),
            odometry: None,
            association: Association { max_dt_s, ..Association::default() },
            time_offset_s: 0.0,
            plane: None,
        });
        let metric = RelativeDisplacement::default();
        let found = match &runs {
            Runs::Planar(run) => metric.errors(run),
            Runs::Spatial(run) => metric.errors(run),
        };
        let found = found.map_err(|_| BenchError::no_value("relative_displacement"))?;
        Ok(Set::of(&found.errors))
    }
}
