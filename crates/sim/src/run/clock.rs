//! When a sensor is read next.

/// Times nearer to each other than this are one.
pub(super) const SAME_TIME_S: f64 = 1e-9;

/// A sensor's clock: reading k is due at (k + phase) / rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub rate_hz: f64,
    pub phase: f64,
    pub count: u64,
}

impl Clock {
    pub const fn new(rate_hz: f64) -> Self {
        Self { rate_hz, phase: 0.0, count: 0 }
    }

    pub fn due_s(self) -> f64 {
        if self.rate_hz > 0.0 { (self.count as f64 + self.phase) / self.rate_hz } else { f64::INFINITY }
    }

    pub fn is_due(self, time_s: f64) -> bool {
        self.due_s() <= time_s + SAME_TIME_S
    }
}
