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

/// Half a window of the running mean, and how far it must stand above the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterRule {
    /// Width of the window, seconds.
    pub window_s: f64,
    /// Factor on the median.
    pub factor: f64,
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

/// Intervals in which the running mean exceeds `factor` times the median error.
#[must_use]
pub fn clusters(points: &[(f64, f64)], rule: ClusterRule) -> Vec<Cluster> {
    if points.is_empty() {
        return Vec::new();
    }
    let mut errors: Vec<f64> = points.iter().map(|point| point.1).collect();
    let limit = rule.factor * super::statistics::quantile(&mut errors, 0.5);
    let mut found: Vec<Cluster> = Vec::new();
    let mut is_open = false;
    for (&(time_s, error), mean) in points.iter().zip(running_mean(points, rule.window_s)) {
        if mean <= limit {
            is_open = false;
            continue;
        }
        match found.last_mut().filter(|_| is_open) {
            Some(cluster) => {
                cluster.end_s = time_s;
                cluster.peak = cluster.peak.max(error);
                cluster.count += 1;
            }
            None => found.push(Cluster { start_s: time_s, end_s: time_s, peak: error, count: 1 }),
        }
        is_open = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: ClusterRule = ClusterRule { window_s: 10.0, factor: 3.0 };

    #[test]
    fn a_failed_loop_closure_is_one_cluster() {
        let error = |i: u32| if (400..460).contains(&i) { 2.0 + f64::from(i % 7) / 10.0 } else { 0.05 };
        let points: Vec<_> = (0..1000).map(|i| (f64::from(i), error(i))).collect();
        let found = clusters(&points, RULE);
        assert_eq!(found.len(), 1);
        assert!(
            (found[0].start_s - 400.0).abs() <= 5.0 && (found[0].end_s - 459.0).abs() <= 5.0,
            "{found:?}"
        );
        assert!((found[0].peak - 2.6).abs() < 1e-12);
    }

    #[test]
    fn even_errors_have_no_cluster() {
        let points: Vec<_> = (0..100).map(|i| (f64::from(i), 1.0)).collect();
        assert!(clusters(&points, RULE).is_empty() && clusters(&[], RULE).is_empty());
        assert!(running_mean(&points, 10.0).iter().all(|mean| (mean - 1.0).abs() < 1e-12));
    }
}
