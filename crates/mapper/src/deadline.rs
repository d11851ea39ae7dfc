//! When a mapper must come to an end: a live run has a duration, and one step may take longer than what is left of it.

use std::time::{Duration, Instant};

/// The time at which work is broken off; never, by default. What a mapper makes under a deadline that passes depends on the
/// machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// There is all the time.
    pub const NEVER: Self = Self(None);

    /// After so many seconds from now on; never after more than a clock can tell.
    #[must_use]
    pub fn after(seconds: f64) -> Self {
        let duration = Duration::try_from_secs_f64(seconds.max(0.0)).ok();
        Self(duration.and_then(|duration| Instant::now().checked_add(duration)))
    }

    /// Whether it has passed.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether there is one.
    #[must_use]
    pub const fn is_set(self) -> bool {
        self.0.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_or_never_does() {
        assert!(Deadline::after(0.0).is_over() && Deadline::after(-1.0).is_over());
        assert!(!Deadline::after(3600.0).is_over() && Deadline::after(3600.0).is_set());
        for never in [Deadline::NEVER, Deadline::after(f64::INFINITY), Deadline::after(1e300)] {
            assert!(!never.is_over() && !never.is_set());
        }
        assert!(Deadline::after(f64::NAN).is_over(), "no number is no time");
    }
}
