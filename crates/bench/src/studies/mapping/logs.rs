//! Eight other real logs with the same parameters. Their poses were corrected by GMapping, so odometry is made from them
//! with the faults of the simulated one; the corrected poses, themselves an estimate, are what errors are against.

use std::path::Path;

use ::mapper::{Graph, ListedMapper, MappingInput, RangeLimits, scans_of};
use formats::{Content, ReadOptions, read_document};
use model::{BeamModel, LogRecord, Pose2, SensorLog};
use sim::sensor::OdometryModel;

use super::errors::Errors;
use super::{Mapped, params};
use crate::inputs::BenchError;
use crate::studies::{Findings, median};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=3;
/// Mean error of revisits, in the median over the seeds, up to which the loops are closed: the reference itself is not better than some centimetres,
/// and odometry alone is off by metres.
const CLOSED_M: f64 = 0.3;

/// A log and the beams of its scanner, which the records do not state.
pub(super) struct Log {
    pub name: &'static str,
    /// Beams over half a circle: the first at -90 degrees, the last short of +90 degrees by `open` steps.
    beams: usize,
    max_range_m: f64,
}

pub(super) const LOGS: [Log; 8] = [
    Log { name: "acapulco", beams: 181, max_range_m: 50.0 },
    Log { name: "aces", beams: 180, max_range_m: 49.9 },
    Log { name: "edmonton", beams: 180, max_range_m: 50.0 },
    Log { name: "fhw", beams: 180, max_range_m: 50.0 },
    Log { name: "freiburg-campus", beams: 360, max_range_m: 80.0 },
    Log { name: "freiburg-101", beams: 360, max_range_m: 80.0 },
    Log { name: "orebro", beams: 181, max_range_m: 32.0 },
    Log { name: "belgioioso", beams: 361, max_range_m: 80.0 },
];

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for log in &LOGS {
        let mut revisits_m = Vec::new();
        for seed in SEEDS {
            let (input, truth) = log.input(data, seed)?;
            let odometry: Vec<Pose2> = input.scans.iter().map(|(_, odometry)| *odometry).collect();
            let mapped = Mapped::of(&mut Graph::with_params(params()), &input);
            let errors = Errors::of(&mapped.final_poses(), &truth);
            let raw = Errors::of(&odometry, &truth);
            findings.table.push(format!(
                "{} seed {seed}: {} scans, {} loops | SEQ {}, REV {}, ATE {:.3} m | odometry SEQ {}, REV {}, ATE {:.2} m | {:.3} ms median",
                log.name, input.scans.len(), mapped.loops, errors.sequence, errors.revisits, errors.absolute_m,
                raw.sequence, raw.revisits, raw.absolute_m, mapped.quantile_ms(0.5),
            ));
            revisits_m.push(errors.revisits.translation_m);
        }
        let median_m = median(revisits_m);
        if median_m > CLOSED_M {
            findings.missed.push(format!("{}: median of the revisits {median_m:.3} m", log.name));
        }
    }
    Ok(findings)
}

impl Log {
    /// The scans with noisy odometry, and the poses they were corrected to.
    pub fn input(&self, data: &Path, seed: u64) -> Result<(MappingInput, Vec<Pose2>), BenchError> {
        let path = data.join(format!("carmen-corrected/{}-corrected.log.gz", self.name));
        let Content::Log(log) = read_document(&path, &ReadOptions::default())?.content else {
            return Err(BenchError::Study(format!("{}: expected a log", path.display())));
        };
        let truth: Vec<Pose2> = log.scans().filter_map(|scan| scan.world_from_robot).collect();
        let odometry = OdometryModel::default().along(&truth, seed);
        let step_rad = if self.beams > 200 { 0.5_f64 } else { 1.0 }.to_radians();
        let mut scans = Vec::new();
        for (index, (scan, odom_from_robot)) in log.scans().zip(odometry).enumerate() {
            let mut scan = scan.clone();
            // Two of the logs have no usable times.
            scan.time_s = index as f64;
            scan.beams = BeamModel {
                first_rad: -std::f64::consts::FRAC_PI_2,
                step_rad,
                max_range_m: self.max_range_m,
                is_guessed: false,
            };
            scan.world_from_robot = Some(odom_from_robot);
            scan.world_from_laser = None;
            scans.push(LogRecord::Scan(scan));
        }
        let noisy = SensorLog { records: scans, skipped: Vec::new() };
        let params = params();
        let limits = RangeLimits { min_m: params.range_min_m, max_m: params.range_max_m };
        Ok((scans_of(&noisy, limits), truth))
    }
}
