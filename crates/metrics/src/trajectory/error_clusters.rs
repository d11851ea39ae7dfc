//! Errors over time: running mean, and the intervals where it stands out (T-PLOT).

use serde::Serialize;

/// An interval in which the running mean stands out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cluster {
    /// First time, seconds.
    pub start_s: f64,
    /// Last time, seconds.
    pub end_s: f64,
    /// The largest error in it.
    pub peak: f64,
    /// Errors in it.
    pub count: usize,
}

/// The window of the running mean, and how far it must stand above the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterRule {
    /// Width of the window, seconds.
    pub window_s: f64,
    /// Factor on the median.
    pub factor: f64,
    /// Errors up to this size are none: no cluster stands out of them, whatever the median.
    pub min_error: f64,
}

/// The mean of the errors within half a window of each one. `points` are (time, error) in order of time.
#[must_use]
pub fn running_mean(points: &[(f64, f64)], window_s: f64) -> Vec<f64> {
    let (mut first, mut end, mut sum) = (0, 0, 0.0);
    let mean_at = |&(time_s, _): &(f64, f64)| {
        while end < points.len() && points[end].0 <= time_s + window_s / 2.0 {
            sum += points[end].1;
            end += 1;
        }
        while points[first].0 < time_s - window_s / 2.0 {
            sum -= points[first].1;
            first += 1;
        }
        sum / (end - first) as f64
    };
    points.iter().map(mean_at).collect()
}

/// Intervals in which the running mean exceeds `factor` times the median error. The window reaches beyond the errors that
/// raise the mean, so that an interval begins and ends with an error that exceeds the limit itself.
#[must_use]
pub fn clusters(points: &[(f64, f64)], rule: ClusterRule) -> Vec<Cluster> {
    if points.is_empty() {
        return Vec::new();
    }
    let mut errors: Vec<f64> = points.iter().map(|point| point.1).collect();
    let limit = (rule.factor * super::statistics::quantile(&mut errors, 0.5)).max(rule.min_error);
    let means = running_mean(points, rule.window_s);
    let is_above: Vec<bool> = means.iter().map(|mean| *mean > limit).collect();
    let mut found = Vec::new();
    let mut start = 0;
    for run in is_above.chunk_by(|a, b| a == b) {
        let own = &points[start..start + run.len()];
        start += run.len();
        if run[0] {
            found.push(cluster(own, limit));
        }
    }
    found
}

/// The cluster of neighbouring points, cut to the errors above the limit at both ends.
fn cluster(points: &[(f64, f64)], limit: f64) -> Cluster {
    let is_large = |point: &(f64, f64)| point.1 > limit;
    let first = points.iter().position(is_large).unwrap_or(0);
    let last = points.iter().rposition(is_large).unwrap_or(points.len() - 1);
    let own = &points[first..=last];
    Cluster {
        start_s: points[first].0,
        end_s: points[last].0,
        peak: own.iter().map(|point| point.1).fold(0.0, f64::max),
        count: own.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: ClusterRule = ClusterRule { window_s: 10.0, factor: 3.0, min_error: 0.001 };

    #[test]
    fn a_failed_loop_closure_is_one_cluster() {
        let error = |i: u32| if (400..460).contains(&i) { 2.0 + f64::from(i % 7) / 10.0 } else { 0.05 };
        let points: Vec<_> = (0..1000).map(|i| (f64::from(i), error(i))).collect();
        let found = clusters(&points, RULE);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].start_s, found[0].end_s, found[0].count), (400.0, 459.0, 60));
        assert!((found[0].peak - 2.6).abs() < 1e-12);
    }

    #[test]
    fn a_perfect_run_has_no_cluster_and_rounding_is_no_error() {
        let error = |i: u32| if i.is_multiple_of(9) { 1e-15 } else { 0.0 };
        let points: Vec<_> = (0..100).map(|i| (f64::from(i), error(i))).collect();
        assert_eq!(clusters(&points, RULE), []);
    }

    #[test]
    fn even_errors_have_no_cluster() {
        let points: Vec<_> = (0..100).map(|i| (f64::from(i), 1.0)).collect();
        assert!(clusters(&points, RULE).is_empty() && clusters(&[], RULE).is_empty());
        assert!(running_mean(&points, 10.0).iter().all(|mean| (mean - 1.0).abs() < 1e-12));
    }
}
