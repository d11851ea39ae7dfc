//! What is said about a log that was mapped: no odometry, a jump in it, too few matches.

use mapper::{LogCounts, OdometryJump, OdometrySource};
use model::{Finding, Level};

/// Without odometry, a map of which fewer scans than this share were matched is no map. Ours.
const MIN_MATCHED: f64 = 0.8;
/// Scans from which on a robot that stands is worth a word. Ours.
const MIN_STANDING: usize = 20;
/// Jumps that are told one by one.
const TOLD_JUMPS: usize = 5;
/// The finding that makes a map doubtful.
pub(super) const FEW_SCANS_MATCHED: &str = "FEW_SCANS_MATCHED";

/// Findings about the odometry of a run.
pub(super) fn about(counts: &LogCounts, matched: usize, jumps: &[OdometryJump]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let scans = counts.scans;
    if counts.odometry == OdometrySource::None && scans > 0 {
        let message =
            format!("the log has no odometry: {matched} of {scans} scans were placed by matching alone");
        let hint = "along a corridor without features nothing tells how far the robot drove";
        findings.push(Finding::new(Level::Warning, "NO_ODOMETRY", message).hint(hint));
        if (matched as f64) < MIN_MATCHED * scans as f64 {
            let message = format!("only {matched} of {scans} scans could be matched; do not use the map");
            let hint = "record the odometry too, or drive more slowly";
            findings.push(Finding::new(Level::Error, FEW_SCANS_MATCHED, message).hint(hint));
        }
    }
    findings.extend(jumps.iter().take(TOLD_JUMPS).map(told));
    if jumps.len() > TOLD_JUMPS {
        let message = format!("the odometry has {} jumps; the first {TOLD_JUMPS} are listed", jumps.len());
        findings.push(Finding::new(Level::Warning, "ODOMETRY_JUMP", message));
    }
    findings
}

/// The finding about an odometry that says that the robot never moved: then no scan is matched.
pub(super) fn standing(counts: &LogCounts) -> Option<Finding> {
    let has_some = counts.odometry != OdometrySource::None && counts.scans >= MIN_STANDING;
    let message = "by the odometry the robot never moved, so that no scan was matched";
    let hint = "if it did move, the odometry is broken: map without it";
    has_some.then(|| Finding::new(Level::Warning, "ODOMETRY_STANDS", message).hint(hint))
}

fn told(jump: &OdometryJump) -> Finding {
    let OdometryJump { time_s, since_s, distance_m, turn_rad } = jump;
    let message = format!(
        "at {time_s:.3} s the odometry jumps by {distance_m:.2} m and {} degrees in {since_s:.3} s; \
         it was not believed over this step",
        report::fixed(turn_rad.to_degrees(), 0)
    );
    let hint = "was the odometry reset, or the robot carried? The map before and behind may not fit together";
    Finding::new(Level::Warning, "ODOMETRY_JUMP", message).hint(hint)
}
