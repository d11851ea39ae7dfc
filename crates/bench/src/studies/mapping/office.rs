//! The simulated office: 40 x 24 m, 35 rooms, 181 beams, odometry that drives 2 % and turns 3 % too far.

use std::ops::RangeInclusive;
use std::path::Path;

use ::mapper::{Graph, ListedMapper, RangeLimits, scans_of};
use model::Pose2;
use sim::run::OfficeTour;

use super::errors::Errors;
use super::{Mapped, params};
use crate::inputs::BenchError;
use crate::studies::Findings;

const SEEDS: RangeInclusive<u64> = 1..=3;
const MAX_SEQUENCE_M: f64 = 0.010;
const MAX_REVISIT_M: f64 = 0.0145;
const MAX_MEDIAN_MS: f64 = 0.3;

/// Runs the study; it needs no data.
pub fn run(_data: &Path) -> Result<Findings, BenchError> {
    study(SEEDS)
}

fn study(seeds: RangeInclusive<u64>) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for seed in seeds {
        let tour = OfficeTour { seed, ..OfficeTour::default() };
        let (_, run) = tour.run().map_err(BenchError::study)?;
        let params = params();
        let limits = RangeLimits { min_m: params.range_min_m, max_m: params.range_max_m };
        let input = scans_of(&run.log, limits);
        let truth: Vec<Pose2> = run.truth.poses.iter().map(|pose| pose.world_from_robot.planar()).collect();
        let odometry: Vec<Pose2> = input.scans.iter().map(|(_, odometry)| *odometry).collect();
        let mapped = Mapped::of(&mut Graph::with_params(params), &input);
        let errors = Errors::of(&mapped.final_poses(), &truth);
        let online: Vec<Pose2> = mapped.online.iter().map(|pose| pose.map_from_robot).collect();
        let causal = Errors::of(&online, &truth);
        let raw = Errors::of(&odometry, &truth);
        let (median_ms, slow_ms) = (mapped.quantile_ms(0.5), mapped.quantile_ms(0.99));
        findings.table.push(format!(
            "seed {seed}: {} scans, {:.0} m, {} loops | final SEQ {}, REV {}, ATE {:.4} m | online SEQ {}, REV {}, ATE {:.4} m | odometry SEQ {}, REV {} | {median_ms:.3} ms median, {slow_ms:.2} p99",
            input.scans.len(), run.distance_m, mapped.loops, errors.sequence, errors.revisits, errors.absolute_m,
            causal.sequence, causal.revisits, causal.absolute_m, raw.sequence, raw.revisits,
        ));
        let mut must = |held: bool, what: String| {
            if !held {
                findings.missed.push(format!("seed {seed}: {what}"));
            }
        };
        must(errors.sequence.translation_m <= MAX_SEQUENCE_M, format!("SEQ {}", errors.sequence));
        must(errors.revisits.translation_m <= MAX_REVISIT_M, format!("REV {}", errors.revisits));
        must(median_ms <= MAX_MEDIAN_MS, format!("{median_ms:.3} ms per scan"));
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_errors_of_one_office_are_what_they_must_be() {
        let findings = study(1..=1).unwrap();
        // Times are for builds with all optimisations.
        let missed: Vec<&String> =
            findings.missed.iter().filter(|line| !line.contains("ms per scan")).collect();
        assert!(missed.is_empty(), "{missed:?} {:?}", findings.table);
    }
}
