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

/// Why no pose of one trajectory has a time of the other: spans that do not overlap, or stamps of another unit; none if neither
/// explains it.
///
/// `per_second` are the stamps per second by which the readers of estimate and truth have divided already, 1 where they took
/// them for seconds: what is left over is then measured against the stamps of the file.
pub fn no_common_time<P: Rigid>(
    estimate: &Track<P>,
    truth: &Track<P>,
    per_second: [f64; 2],
) -> Option<Finding> {
    let ((e0, e1), (t0, t1)) = (estimate.span_s()?, truth.span_s()?);
    let factor = (e1 - e0).max(f64::MIN_POSITIVE) / (t1 - t0).max(f64::MIN_POSITIVE);
    let unit = unit_of(factor, per_second);
    if e0 <= t1 && t0 <= e1 && unit.is_none() {
        return None;
    }
    let message = format!(
        "the times do not meet: the estimate runs from {e0} to {e1} s, the truth from {t0} to {t1} s"
    );
    let hint = match unit {
        Some((who, unit)) => {
            let times = factor.max(1.0 / factor);
            format!("the {who} lasts {times:.3e} times as long as the other: are its stamps in {unit}?")
        }
        None => format!(
            "add {:.6} s to the times of the estimate if both start together, or match by index",
            t0 - e0
        ),
    };
    Some(Finding::warning("NO_COMMON_TIME", message).hint(hint))
}

/// Which trajectory lasts longer by a ratio of units, and the unit of its stamps.
fn unit_of(factor: f64, [of_estimate, of_truth]: [f64; 2]) -> Option<(&'static str, &'static str)> {
    let (who, times, per_second) =
        if factor >= 1.0 { ("estimate", factor, of_estimate) } else { ("truth", 1.0 / factor, of_truth) };
    let is_near = |size: f64, digits: f64| (size - digits).abs() < 0.5;
    // A ratio between two units, whatever the reader took the stamps for.
    [3.0, 6.0, 9.0].into_iter().find(|&digits| is_near(times.log10(), digits))?;
    let size = (times * per_second).log10();
    let units = [(3.0, "milliseconds"), (6.0, "microseconds"), (9.0, "nanoseconds")];
    units.into_iter().find(|&(digits, _)| is_near(size, digits)).map(|(_, unit)| (who, unit))
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
        let in_seconds = [1.0, 1.0];
        assert_eq!(no_common_time(&run(0.0, 0.1), &run(5.0, 0.1), in_seconds), None);
        let nanoseconds = no_common_time(&run(1e9, 1e8), &run(0.0, 0.1), in_seconds).unwrap();
        assert!(nanoseconds.hint.unwrap().contains("nanoseconds"));
        let apart = no_common_time(&run(0.0, 0.1), &run(1e6, 0.1), in_seconds).unwrap();
        assert!(apart.message.contains("1000000"), "{}", apart.message);
        assert!(apart.hint.unwrap().contains("add 1000000.000000 s"));
    }

    #[test]
    fn the_unit_is_that_of_the_file_whatever_the_reader_took_it_for() {
        let run = |start: f64, step: f64| track((0..100).map(move |i| start + step * f64::from(i)));
        let hint = |estimate, truth, per_second| {
            no_common_time(&run(0.0, estimate), &run(5.0, truth), per_second).unwrap().hint.unwrap()
        };
        // Nanoseconds since the start of a run, of which the reader has taken three digits off.
        assert!(hint(1e5, 0.1, [1e3, 1.0]).contains("the estimate lasts 1.000e6 times"));
        assert!(hint(1e5, 0.1, [1e3, 1.0]).ends_with("are its stamps in nanoseconds?"));
        assert!(hint(1e5, 0.1, [1.0, 1.0]).ends_with("are its stamps in microseconds?"));
        assert!(hint(0.1, 1e8, [1.0, 1.0]).starts_with("the truth"));
        assert_eq!(no_common_time(&run(0.0, 1.0), &run(5.0, 0.1), [1.0, 1.0]), None, "no ratio of units");
    }
}
