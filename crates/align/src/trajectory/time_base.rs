//! What the clocks of two trajectories say: resolution, rate, and why times may not meet.

use model::{Finding, Rigid};

use super::track::Track;

/// Findings about the stamps of one trajectory, with the numbers. `poses_in_file` counts equal stamps too.
pub fn clock_findings<P: Rigid>(track: &Track<P>, poses_in_file: usize) -> Vec<Finding> {
    let Some((first_s, last_s)) = track.span_s() else { return Vec::new() };
    let repeated = poses_in_file - track.len();
    let Some(resolution_s) = resolution_s(track.times_s()).filter(|_| repeated > 0 && last_s > first_s)
    else {
        return Vec::new();
    };
    let rate_hz = poses_in_file as f64 / (last_s - first_s);
    if rate_hz * resolution_s <= 1.0 {
        return Vec::new();
    }
    let message = format!(
        "the stamps have a resolution of {resolution_s} s, coarser than the {rate_hz:.1} poses per second; \
         {repeated} poses share the stamp of another"
    );
    let hint = "write stamps with more digits; until then look-ups by time are uncertain by the resolution";
    vec![Finding::warning("STAMPS_COARSE", message).hint(hint)]
}

/// The coarsest power of ten of a second of which all stamps are multiples; none below a microsecond.
fn resolution_s(times_s: &[f64]) -> Option<f64> {
    let is_multiple = |step_s: f64| {
        times_s.iter().all(|time_s| {
            let steps = time_s / step_s;
            (steps - steps.round()).abs() <= 1e-3_f64.max(4.0 * f64::EPSILON * steps.abs())
        })
    };
    [1.0, 0.1, 0.01, 0.001, 1e-4, 1e-5].into_iter().find(|&step_s| is_multiple(step_s))
}

/// Why two trajectories have no time in common; none if their spans overlap.
pub fn no_common_time<P: Rigid>(estimate: &Track<P>, truth: &Track<P>) -> Option<Finding> {
    let ((e0, e1), (t0, t1)) = (estimate.span_s()?, truth.span_s()?);
    if e0 <= t1 && t0 <= e1 {
        return None;
    }
    let message = format!(
        "the times do not meet: the estimate runs from {e0} to {e1} s, the truth from {t0} to {t1} s"
    );
    let factor = (e1 - e0).max(f64::MIN_POSITIVE) / (t1 - t0).max(f64::MIN_POSITIVE);
    let hint = match unit_factor(factor) {
        Some(unit) => format!("one of them lasts {factor:.3e} times as long: are its stamps in {unit}?"),
        None => format!(
            "add {:.6} s to the times of the estimate if both start together, or match by index",
            t0 - e0
        ),
    };
    Some(Finding::warning("NO_COMMON_TIME", message).hint(hint))
}

/// The unit that a ratio of durations speaks for.
fn unit_factor(factor: f64) -> Option<&'static str> {
    let size = factor.log10().abs();
    [(3.0, "milliseconds"), (6.0, "microseconds"), (9.0, "nanoseconds")]
        .into_iter()
        .find(|(digits, _)| (size - digits).abs() < 0.5)
        .map(|(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn track(times_s: impl Iterator<Item = f64>) -> Track<Pose2> {
        let times_s: Vec<f64> = times_s.collect();
        Track::new(times_s.into_iter().map(|time_s| (time_s, Pose2::IDENTITY)))
    }

    #[test]
    fn coarse_stamps_are_said_with_their_numbers() {
        let coarse = track((0..100).map(|i| (f64::from(i) / 10.0).floor()));
        let findings = clock_findings(&coarse, 100);
        assert_eq!(findings[0].code, "STAMPS_COARSE");
        assert!(
            findings[0].message.contains("resolution of 1 s") && findings[0].message.contains("90 poses")
        );
        assert!(clock_findings(&track((0..100).map(|i| f64::from(i) / 10.0)), 100).is_empty());
        assert!(clock_findings(&track(std::iter::empty()), 0).is_empty());
    }

    #[test]
    fn clocks_that_do_not_meet_are_explained() {
        let run = |start: f64, step: f64| track((0..100).map(move |i| start + step * f64::from(i)));
        assert_eq!(no_common_time(&run(0.0, 0.1), &run(5.0, 0.1)), None);
        let nanoseconds = no_common_time(&run(1e9, 1e8), &run(0.0, 0.1)).unwrap();
        assert!(nanoseconds.hint.unwrap().contains("nanoseconds"));
        let apart = no_common_time(&run(0.0, 0.1), &run(1e6, 0.1)).unwrap();
        assert!(apart.message.contains("1000000"), "{}", apart.message);
        assert!(apart.hint.unwrap().contains("add 1000000.000000 s"));
    }
}
