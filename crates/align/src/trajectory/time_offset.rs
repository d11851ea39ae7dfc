//! The constant offset between two clocks, from the speeds and turn rates of the two runs.
//!
//! Both runs are reduced to speed and turn rate on a common raster of time; the offset with the largest correlation
//! wins, coarse raster first, and a parabola through the best three refines it. The width of that parabola is the
//! uncertainty. A run that drives evenly without turning has no answer.

use model::Rigid;

use super::track::Track;

/// An offset with what supports it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeOffset {
    /// To be added to the times of the estimate, seconds.
    pub offset_s: f64,
    /// Half the width in which the correlation falls by one hundredth, seconds.
    pub uncertainty_s: f64,
    /// Correlation of the motions at this offset, -1 to 1.
    pub correlation: f64,
}

/// Samples of the coarse raster.
const SAMPLES: f64 = 4000.0;
/// The finest raster, seconds.
const FINEST_S: f64 = 0.01;
/// Each raster is this much finer than the one before.
const REFINE: f64 = 4.0;
/// Overlap of the runs, as a ratio to the shorter, below which an offset is not considered.
const MIN_OVERLAP: f64 = 0.3;
/// Correlations below this are no answer.
const MIN_CORRELATION: f64 = 0.5;

/// Estimates the offset within `max_s` of the present one, or anywhere if the spans do not meet.
pub fn estimate_time_offset<P: Rigid>(
    estimate: &Track<P>,
    truth: &Track<P>,
    max_s: f64,
) -> Option<TimeOffset> {
    let ((e0, e1), (t0, t1)) = (estimate.span_s()?, truth.span_s()?);
    let (mut low_s, mut high_s) = if e0 <= t1 && t0 <= e1 { (-max_s, max_s) } else { (t0 - e1, t1 - e0) };
    let mut step_s = ((e1 - e0).max(t1 - t0) / SAMPLES).max(FINEST_S);
    loop {
        let (moved, still) = (Motion::of(estimate, step_s)?, Motion::of(truth, step_s)?);
        let lags = |offset_s: f64| ((moved.start_s + offset_s - still.start_s) / step_s).round() as i64;
        let best = (lags(low_s)..=lags(high_s))
            .filter_map(|lag| Some((lag, correlation(&moved, &still, lag)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        let offset_s = best.0 as f64 * step_s + still.start_s - moved.start_s;
        if step_s <= FINEST_S * 1.001 {
            return refined(&moved, &still, best, offset_s, step_s);
        }
        (low_s, high_s) = (offset_s - 2.0 * step_s, offset_s + 2.0 * step_s);
        step_s = (step_s / REFINE).max(FINEST_S);
    }
}

/// A parabola through the best correlation and its neighbours.
fn refined(
    moved: &Motion,
    still: &Motion,
    (lag, top): (i64, f64),
    offset_s: f64,
    step_s: f64,
) -> Option<TimeOffset> {
    let [before, after] = [lag - 1, lag + 1].map(|lag| correlation(moved, still, lag).unwrap_or(top));
    let bend = before - 2.0 * top + after;
    let shift = if bend < 0.0 { (0.5 * (before - after) / bend).clamp(-1.0, 1.0) } else { 0.0 };
    let uncertainty_s = if bend < 0.0 { step_s * (0.02 / -bend).sqrt() } else { step_s };
    (top >= MIN_CORRELATION).then_some(TimeOffset {
        offset_s: offset_s + shift * step_s,
        uncertainty_s,
        correlation: top,
    })
}

/// Speed and turn rate on a raster of time.
struct Motion {
    start_s: f64,
    samples: Vec<[f64; 2]>,
}

impl Motion {
    fn of<P: Rigid>(track: &Track<P>, step_s: f64) -> Option<Self> {
        let (start_s, end_s) = track.span_s()?;
        let count = ((end_s - start_s) / step_s).floor();
        if !(2.0..=1e7).contains(&count) {
            return None;
        }
        let mut after = 0;
        let mut last = track.poses()[0];
        let sample = |index: usize| {
            let time_s = start_s + (index + 1) as f64 * step_s;
            while after + 1 < track.len() && track.times_s()[after] < time_s {
                after += 1;
            }
            let before = after.saturating_sub(1);
            let gap_s = track.times_s()[after] - track.times_s()[before];
            let ratio =
                if gap_s > 0.0 { ((time_s - track.times_s()[before]) / gap_s).clamp(0.0, 1.0) } else { 0.0 };
            let pose = track.poses()[before].toward(track.poses()[after], ratio);
            let moved = pose.seen_from(last);
            last = pose;
            [moved.distance_m() / step_s, moved.angle_rad() / step_s]
        };
        Some(Self { start_s, samples: (0..count as usize).map(sample).collect() })
    }
}

/// Mean correlation of speed and turn rate where both runs are defined; sample i of the estimate meets i + lag.
fn correlation(moved: &Motion, still: &Motion, lag: i64) -> Option<f64> {
    let (n, m) = (moved.samples.len() as i64, still.samples.len() as i64);
    let (first, end) = (0.max(-lag), n.min(m - lag));
    if ((end - first) as f64) < MIN_OVERLAP * n.min(m) as f64 {
        return None;
    }
    let range =
        |start: i64| usize::try_from(start).unwrap_or(0)..usize::try_from(start + end - first).unwrap_or(0);
    let (a, b) = (moved.samples.get(range(first))?, still.samples.get(range(first + lag))?);
    let parts: Vec<f64> =
        (0..2).filter_map(|k| pearson(a.iter().map(|s| s[k]), b.iter().map(|s| s[k]))).collect();
    (!parts.is_empty()).then(|| parts.iter().sum::<f64>() / parts.len() as f64)
}

fn pearson(a: impl ExactSizeIterator<Item = f64>, b: impl Iterator<Item = f64>) -> Option<f64> {
    let count = a.len() as f64;
    let sums = a
        .zip(b)
        .fold([0.0; 5], |[x, y, xx, yy, xy], (a, b)| [x + a, y + b, xx + a * a, yy + b * b, xy + a * b]);
    let [x, y, xx, yy, xy] = sums.map(|sum| sum / count);
    let spread = ((xx - x * x) * (yy - y * y)).sqrt();
    (spread > 1e-12).then(|| (xy - x * y) / spread)
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn run(start_s: f64, step_s: f64, count: u32) -> Track<Pose2> {
        let at = |i: u32| {
            let t = f64::from(i) * step_s;
            let heading = (t / 3.0).sin() + 0.4 * (t * 0.77).cos();
            (start_s + t, Pose2::new(t + (t * 1.3).sin(), 2.0 * (t * 0.41).sin(), heading))
        };
        Track::new((0..count).map(at))
    }

    #[test]
    fn a_known_offset_is_found() {
        let truth = run(100.0, 0.05, 1200);
        let estimate = run(100.0, 0.05, 1200).shifted(0.73);
        let found = estimate_time_offset(&estimate, &truth, 2.0).unwrap();
        assert!((found.offset_s + 0.73).abs() < 0.02, "{found:?}");
        assert!(found.correlation > 0.95 && found.uncertainty_s < 0.5, "{found:?}");
    }

    #[test]
    fn clocks_of_different_epochs_are_joined() {
        let truth = run(976_052_857.0, 0.1, 1000);
        let found = estimate_time_offset(&run(0.0, 0.1, 1000), &truth, 1.0).unwrap();
        assert!((found.offset_s - 976_052_857.0).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn an_even_run_has_no_answer() {
        let even = Track::new((0..100).map(|i| (f64::from(i), Pose2::new(f64::from(i), 0.0, 0.0))));
        assert_eq!(estimate_time_offset(&even, &even, 5.0), None);
        assert_eq!(estimate_time_offset(&Track::<Pose2>::default(), &even, 5.0), None);
    }
}
