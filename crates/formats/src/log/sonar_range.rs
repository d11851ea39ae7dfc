//! How far a sonar ring sees, where the log does not tell it: by the options, else the largest range of the log if it
//! is frequent, since a ring writes exactly its largest range where no echo came; else every range is an echo.

use model::{LogRecord, SensorLog, SonarSweep};

use crate::ReadOptions;

/// Share of all ranges from which on the largest one means "no echo". Ours: one range in a hundred.
const MISS_SHARE: f64 = 0.01;

/// Gives the sweeps without a largest range one.
pub(crate) fn settle(log: &mut SensorLog, options: &ReadOptions) {
    let mut sweeps: Vec<&mut SonarSweep> = log
        .records
        .iter_mut()
        .filter_map(|record| if let LogRecord::Sonar(sweep) = record { Some(sweep) } else { None })
        .filter(|sweep| !sweep.max_range_m.is_finite())
        .collect();
    let max_range_m = options.max_range_m.unwrap_or_else(|| frequent_max_m(&sweeps));
    sweeps.iter_mut().for_each(|sweep| sweep.max_range_m = max_range_m);
}

fn frequent_max_m(sweeps: &[&mut SonarSweep]) -> f64 {
    let ranges_m = || sweeps.iter().flat_map(|sweep| &sweep.ranges_m).filter(|range_m| range_m.is_finite());
    let largest_m = ranges_m().copied().fold(0.0_f32, f32::max);
    let (misses, all) = (ranges_m().filter(|range_m| **range_m == largest_m).count(), ranges_m().count());
    let is_frequent = misses > 1 && misses as f64 >= MISS_SHARE * all as f64;
    if is_frequent { f64::from(largest_m) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use crate::log::carmen::tests::log;

    fn line(ranges: &str) -> String {
        format!("SONAR 0.5 2 {ranges} 0.1 0 0 0 0.1 1.5 7 h 7\n")
    }

    #[test]
    fn a_frequent_largest_range_is_no_echo_and_a_single_one_is_a_wall() {
        let sweep = |text: &str| log("run.log", text).sonar().next().cloned().unwrap();
        let found = sweep(&(line("3 1") + &line("3 2")));
        assert_eq!((found.max_range_m, found.cone_rad, found.time_s), (3.0, 0.5, 7.0));
        assert_eq!(found.robot_from_transducers[1], model::Pose2::new(0.0, 0.1, 1.5));
        assert_eq!(sweep(&(line("3 1") + &line("2.5 2"))).max_range_m, f64::INFINITY);
    }

    #[test]
    fn a_sweep_with_mounts_for_other_ranges_is_damaged() {
        let good = line("3 1");
        let text = format!("{good}SONAR 0.5 2 3 1 0.1 0 0 7 h 7\nSONAR -1 1 3 0 0 0 7 h 7\n");
        assert_eq!(log("run.log", &text).sonar().count(), 1);
    }
}
