//! When each line of a log is sent (W-SRV).
//!
//! ```text
//! send time = (time of the line - first time) / speed
//! ```
//!
//! A line without a time goes with the one before it. Where time runs backwards, the line is sent at once and counted.

/// When each line is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Seconds after the start at speed 1; never smaller than the one before.
    pub offsets_s: Vec<f64>,
    /// Lines whose time lies before that of an earlier line.
    pub backwards: usize,
}

impl Schedule {
    /// The schedule of lines with these times.
    #[must_use]
    pub fn of(times_s: &[Option<f64>]) -> Self {
        let first_s = times_s.iter().copied().flatten().next().unwrap_or(0.0);
        let (mut now_s, mut backwards) = (0.0_f64, 0);
        let offset = |time_s: &Option<f64>| {
            if let Some(offset_s) = time_s.map(|time_s| time_s - first_s) {
                backwards += usize::from(offset_s < now_s);
                now_s = now_s.max(offset_s);
            }
            now_s
        };
        let offsets_s = times_s.iter().map(offset).collect();
        Self { offsets_s, backwards }
    }

    /// The lines from a timestamp on to another, in seconds after the first time.
    #[must_use]
    pub fn between(&self, from_s: f64, to_s: f64) -> std::ops::Range<usize> {
        let start = self.offsets_s.partition_point(|offset_s| *offset_s < from_s);
        let end = self.offsets_s.partition_point(|offset_s| *offset_s <= to_s);
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_speed(times_s: &[Option<f64>], speed: f64) -> Vec<f64> {
        Schedule::of(times_s).offsets_s.iter().map(|offset_s| offset_s / speed).collect()
    }

    fn is_close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn w_srv_e3_offsets() {
        let times = [Some(10.0), None, Some(10.1), Some(10.1), Some(10.05), Some(10.4)];
        assert!(is_close(&at_speed(&times, 1.0), &[0.0, 0.0, 0.1, 0.1, 0.1, 0.4]));
        assert_eq!(Schedule::of(&times).backwards, 1);
        assert!(is_close(&at_speed(&[Some(10.0), Some(10.5), Some(11.0)], 2.0), &[0.0, 0.25, 0.5]));
    }

    #[test]
    fn early_lines_without_a_time_go_first_and_logs_without_times_at_once() {
        assert_eq!(Schedule::of(&[None, Some(5.0), None]).offsets_s, [0.0; 3]);
        assert_eq!(Schedule::of(&[None, None]).offsets_s, [0.0; 2]);
    }

    #[test]
    fn a_part_of_a_log() {
        let schedule = Schedule::of(&[Some(1.0), Some(2.0), None, Some(3.0), Some(4.0)]);
        assert_eq!(schedule.between(1.0, 2.0), 1..4);
        assert_eq!(schedule.between(0.0, f64::INFINITY), 0..5);
        assert_eq!(schedule.between(9.0, 2.0), 5..5);
    }
}
