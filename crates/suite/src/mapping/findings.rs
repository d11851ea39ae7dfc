//! What is said about a log that was mapped: no odometry, a jump in it, too few matches.

use mapper::{DoubtfulPlace, LogCounts, MapCheck, OdometryJump, OdometrySource, Soundness, Why};
use model::{Finding, Level};

/// Without odometry, a map of which fewer scans than this share were matched is no map. Ours.
const MIN_MATCHED: f64 = 0.8;
/// Scans from which on a robot that stands is worth a word. Ours.
const MIN_STANDING: usize = 20;
/// Places of a doubtful map that are told; the report has more.
const TOLD_PLACES: usize = 5;
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
    findings.extend(jumps.iter().take(TOLD_JUMPS).map(jump_finding));
    if jumps.len() > TOLD_JUMPS {
        let message = format!("the odometry has {} jumps; the first {TOLD_JUMPS} are listed", jumps.len());
        findings.push(Finding::new(Level::Warning, "ODOMETRY_JUMP", message));
    }
    findings
}

/// The finding about an odometry that says that the robot never moved.
pub(super) fn standing(counts: &LogCounts, matched: usize) -> Option<Finding> {
    let has_some = counts.odometry != OdometrySource::None && counts.scans >= MIN_STANDING;
    // The first scan counts as matched.
    let message = if matched > 1 {
        format!(
            "by the odometry the robot never moved, but {matched} of {} scans did; they were matched without it",
            counts.scans
        )
    } else {
        "by the odometry the robot never moved, so that no scan was matched".to_owned()
    };
    let hint = "if it did move, the odometry is broken: map without it";
    has_some.then(|| Finding::new(Level::Warning, "ODOMETRY_STANDS", message).hint(hint))
}

fn jump_finding(jump: &OdometryJump) -> Finding {
    let OdometryJump { time_s, since_s, distance_m, turn_rad } = jump;
    let message = format!(
        "at {time_s:.3} s the odometry jumps by {distance_m:.2} m and {} degrees in {since_s:.3} s; \
         it was not believed over this step",
        report::fixed(turn_rad.to_degrees(), 0)
    );
    let hint = "was the odometry reset, or the robot carried? The map before and behind may not fit together";
    Finding::new(Level::Warning, "ODOMETRY_JUMP", message).hint(hint)
}

/// What the self-check says about a map that is not sound, with the worst places.
pub(super) fn soundness(check: &MapCheck) -> Option<Finding> {
    let (level, code, word) = match check.verdict? {
        Soundness::Sound => return None,
        Soundness::Doubtful => (Level::Warning, "MAP_DOUBTFUL", "doubtful"),
        Soundness::Broken => (Level::Error, "MAP_BROKEN", "broken"),
    };
    let percent = |share: f64| report::fixed(100.0 * share, 1);
    let mut reasons: Vec<String> = Vec::new();
    let seen = check.seen_through;
    reasons.extend(seen.map(|share| format!("other visits look through {} % of the points", percent(share))));
    if check.odometry_alone_m > 0.0 {
        let length_m = report::fixed(check.odometry_alone_m, 1);
        reasons.push(format!("{length_m} m on end were driven without a match"));
    }
    reasons.extend(
        check
            .loop_residual_m
            .map(|left_m| format!("a loop closure is off by {} m", report::fixed(left_m, 2))),
    );
    let places: Vec<String> = check.places.iter().take(TOLD_PLACES).map(told_place).collect();
    let at = if places.is_empty() { String::new() } else { format!("; look at {}", places.join(", ")) };
    let message = format!("the map is {word}: {}{at}", reasons.join(", "));
    let hint = "look at these times in index.html before the map is used; report.json lists all places";
    Some(Finding::new(level, code, message).hint(hint))
}

fn told_place(place: &DoubtfulPlace) -> String {
    let DoubtfulPlace { from_s, to_s, x_m, y_m, why, .. } = place;
    let why = match why {
        Why::SeenThrough => "walls of another visit",
        Why::Step => "a step that the scans contradict",
        Why::OdometryAlone => "odometry alone",
    };
    format!("{from_s:.1} to {to_s:.1} s at ({x_m:.1}, {y_m:.1}) m ({why})")
}
