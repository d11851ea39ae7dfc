//! What time stamps can be trusted for: their unit, repetitions, backward steps, stamps that were destroyed.
//!
//! Nothing is sorted or dropped here. GMapping's converter prints six significant digits, so that stamps of
//! a whole run collapse to one value; such stamps cannot tell poses apart, and only their order is left.

use model::{Finding, StampedPose};

/// Unit of stamps, guessed from their size: 1e9 is 2001 in seconds, 1e12 in milliseconds, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeUnit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl TimeUnit {
    /// The unit of a stamp since 1970. Stamps since the start of a run are small and count as seconds.
    pub fn of_size(stamp: f64) -> Self {
        match stamp.abs() {
            size if size < 1e11 => Self::Seconds,
            size if size < 1e14 => Self::Milliseconds,
            size if size < 1e17 => Self::Microseconds,
            _ => Self::Nanoseconds,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Milliseconds => "milliseconds",
            Self::Microseconds => "microseconds",
            Self::Nanoseconds => "nanoseconds",
        }
    }

    const fn per_second(self) -> f64 {
        match self {
            Self::Seconds => 1.0,
            Self::Milliseconds => 1e3,
            Self::Microseconds => 1e6,
            Self::Nanoseconds => 1e9,
        }
    }

    /// A stamp of this unit in seconds.
    pub fn to_seconds(self, stamp: f64) -> f64 {
        stamp / self.per_second()
    }

    /// What is said where the format asks for seconds and the stamps are none.
    pub fn finding(self) -> Option<Finding> {
        let name = self.name();
        let message = format!(
            "the format has seconds, but the size of the stamps says {name}; they were read as {name}"
        );
        (self != Self::Seconds).then(|| {
            Finding::warning("TIME_UNIT_GUESSED", message)
                .hint("write the stamps in seconds, if the guess is right")
        })
    }
}

/// Turns stamps of poses into seconds if their size says that they are none, and says what is odd about them.
pub fn settle(poses: &mut [StampedPose]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let unit = poses.get(poses.len() / 2).map_or(TimeUnit::Seconds, |pose| TimeUnit::of_size(pose.time_s));
    if let Some(finding) = unit.finding() {
        findings.push(finding);
        for pose in &mut *poses {
            pose.time_s = unit.to_seconds(pose.time_s);
        }
    }
    findings.extend(diagnose(poses.iter().map(|pose| pose.time_s), "poses"));
    findings
}

/// Counts repeated stamps and backward steps. `what` names the stamped things in the plural.
pub(crate) fn diagnose(stamps: impl Iterator<Item = f64> + Clone, what: &str) -> Vec<Finding> {
    let (mut steps_back, mut repeats_in_order, mut count) = (0, 0, 0_usize);
    let mut last = f64::NEG_INFINITY;
    for stamp in stamps.clone() {
        steps_back += usize::from(stamp < last);
        repeats_in_order += usize::from(stamp == last);
        last = stamp;
        count += 1;
    }
    if steps_back == 0 && repeats_in_order == 0 {
        return Vec::new();
    }
    let distinct = if steps_back == 0 { count - repeats_in_order } else { distinct(stamps) };
    let mut findings = Vec::new();
    if steps_back > 0 {
        let message =
            format!("the time of {steps_back} of {count} {what} is earlier than that of the one before");
        findings.push(
            Finding::warning("STAMPS_RUN_BACKWARD", message).hint("sort by time before looking up times"),
        );
    }
    if 2 * distinct <= count {
        let message =
            format!("{count} {what} have only {distinct} distinct stamps; they cannot be told apart by time");
        let hint = "use the number of the scan or pose instead of its time, or find the original log";
        findings.push(Finding::warning("DESTROYED_STAMPS", message).hint(hint));
    } else if distinct < count {
        let message = format!("{} of {count} {what} repeat the stamp of another", count - distinct);
        findings
            .push(Finding::warning("STAMPS_REPEATED", message).hint("of equal stamps the last one counts"));
    }
    findings
}

fn distinct(stamps: impl Iterator<Item = f64>) -> usize {
    let mut sorted: Vec<f64> = stamps.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    sorted.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(stamps: &[f64]) -> Vec<(String, String)> {
        let findings = diagnose(stamps.iter().copied(), "poses");
        findings.into_iter().map(|finding| (finding.code.into_owned(), finding.message)).collect()
    }

    #[test]
    fn growing_stamps_and_single_ones_are_fine() {
        for stamps in [&[][..], &[5.0], &[1.0, 2.0, 3.0], &[-2.0, -1.0]] {
            assert_eq!(codes(stamps), []);
        }
    }

    #[test]
    fn repetitions_and_steps_back_are_counted() {
        let found = codes(&[1.0, 2.0, 2.0, 3.0]);
        assert_eq!(found, [("STAMPS_REPEATED".into(), "1 of 4 poses repeat the stamp of another".into())]);
        let found = codes(&[1.0, 3.0, 2.0, 3.0, 4.0]);
        assert_eq!(found[0].0, "STAMPS_RUN_BACKWARD");
        assert!(found[0].1.starts_with("the time of 1 of 5 poses"), "{}", found[0].1);
        assert_eq!(found[1].1, "1 of 5 poses repeat the stamp of another");
    }

    #[test]
    fn collapsed_stamps_are_destroyed() {
        assert_eq!(codes(&[1.01893e9; 3])[0].0, "DESTROYED_STAMPS");
        assert_eq!(codes(&[0.0, 0.0, 0.0, 1.0])[0].1[..33], *"4 poses have only 2 distinct stam");
    }

    #[test]
    fn the_unit_follows_from_the_size() {
        for (stamp, unit) in [
            (0.3, TimeUnit::Seconds),
            (1.7e9, TimeUnit::Seconds),
            (1.7e12, TimeUnit::Milliseconds),
            (1.7e15, TimeUnit::Microseconds),
            (1.7e18, TimeUnit::Nanoseconds),
        ] {
            assert_eq!(TimeUnit::of_size(stamp), unit);
        }
        assert_eq!(TimeUnit::Milliseconds.to_seconds(1500.0), 1.5);
        assert!(TimeUnit::Seconds.finding().is_none());
    }
}
