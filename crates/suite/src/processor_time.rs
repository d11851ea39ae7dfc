//! What work costs, whatever else the machine does meanwhile.

use rustix::time::{ClockId, clock_gettime};

/// User and system time of this process so far, seconds.
#[must_use]
pub fn processor_time_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
