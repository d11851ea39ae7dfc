//! Times an operation as the kit asks: one warm-up call, then calls until the time is up.

use std::fs;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// A warm-up call above this time is the only call and counts.
const LONG_CALL_S: f64 = 2.0;
/// No more calls than this, however short they are.
const MAX_CALLS: usize = 40;

/// Smallest times over the calls, and memory above what was there before.
#[derive(Clone, Copy)]
pub struct Cost {
    /// User + system time of all threads, seconds.
    pub cpu_s: f64,
    pub wall_s: f64,
    /// Peak resident memory in MiB beyond that before the first call; none if the system does not say.
    pub peak_mb: Option<f64>,
}

/// Calls `work` repeatedly for about `seconds`; gives the cost and the last result.
pub fn measure<R>(seconds: f64, mut work: impl FnMut() -> R) -> (Cost, R) {
    let before_kib = reset_peak_kib();
    let mut timed = || {
        let (cpu, wall) = (cpu_s(), Instant::now());
        let result = work();
        (cpu_s() - cpu, wall.elapsed().as_secs_f64(), result)
    };
    let start = Instant::now();
    let (mut cpu_s, mut wall_s, mut result) = timed();
    if wall_s <= LONG_CALL_S {
        (cpu_s, wall_s) = (f64::INFINITY, f64::INFINITY);
        for call in 0..MAX_CALLS {
            if call > 0 && start.elapsed().as_secs_f64() >= seconds {
                break;
            }
            drop(result);
            let (cpu, wall, latest) = timed();
            (cpu_s, wall_s, result) = (cpu_s.min(cpu), wall_s.min(wall), latest);
        }
    }
    let peak_mb = before_kib.zip(status_kib("VmHWM:")).map(|(before, peak)| (peak - before) / 1024.0);
    (Cost { cpu_s, wall_s, peak_mb }, result)
}

/// User and system time of all threads so far, seconds.
pub fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Sets the peak back to the present resident memory and gives that.
fn reset_peak_kib() -> Option<f64> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    status_kib("VmRSS:")
}

/// A field of the process status in KiB; none if the system does not say.
pub fn status_kib(field: &str) -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_at_least_twice_and_at_most_forty_one_times() {
        let mut calls = 0;
        measure(0.0, || calls += 1);
        assert_eq!(calls, 2);
        calls = 0;
        measure(1e9, || calls += 1);
        assert_eq!(calls, 1 + MAX_CALLS);
    }

    #[test]
    fn memory_that_a_call_touches_is_seen() {
        let (cost, _) = measure(0.0, || vec![1_u8; 64 << 20]);
        assert!(cost.peak_mb.is_none_or(|mb| mb > 50.0), "{:?}", cost.peak_mb);
    }
}
