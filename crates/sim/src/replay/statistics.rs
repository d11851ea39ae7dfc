//! How late lines were sent.

use serde::Serialize;

/// How late lines were sent, in milliseconds after the timestamp of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Jitter {
    /// Lines that were sent by the clock.
    pub lines: usize,
    pub mean_ms: f64,
    /// Half of the lines were not later.
    pub p50_ms: f64,
    /// 95 of 100 lines were not later.
    pub p95_ms: f64,
    pub max_ms: f64,
}

impl Jitter {
    /// The statistics; none without lines.
    #[must_use]
    pub fn of(mut late_s: Vec<f32>) -> Option<Self> {
        late_s.sort_by(f32::total_cmp);
        let at = |share: f64| {
            let rank = (share * late_s.len() as f64).ceil() as usize;
            late_s.get(rank.max(1) - 1).map(|&late_s| 1e3 * f64::from(late_s))
        };
        let sum_s: f64 = late_s.iter().map(|&late_s| f64::from(late_s)).sum();
        Some(Self {
            lines: late_s.len(),
            mean_ms: 1e3 * sum_s / late_s.len() as f64,
            p50_ms: at(0.5)?,
            p95_ms: at(0.95)?,
            max_ms: at(1.0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_sorted_lines() {
        let jitter = Jitter::of(vec![0.25, 0.5, 0.125, 1.0]).unwrap();
        assert_eq!((jitter.p50_ms, jitter.p95_ms, jitter.max_ms), (250.0, 1000.0, 1000.0));
        assert_eq!((jitter.lines, jitter.mean_ms), (4, 468.75));
        assert_eq!(Jitter::of(vec![]), None);
    }
}
