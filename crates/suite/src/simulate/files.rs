//! The edge of simulation: waypoints from files, runs into folders.

use std::path::Path;

use model::Point2;
use sim::run::SimulatedRun;

use super::{Simulated, log_with_truth, simulation_page};
use crate::JobError;
use crate::files::{OutputFolder, read_small_text};

/// Largest file of waypoints.
const MAX_WAYPOINT_BYTES: u64 = 16 << 20;

/// Reads waypoints: a line `x y` in metres each.
///
/// # Errors
/// The file cannot be read, is too large, or a line is no waypoint.
pub fn read_waypoints(file: &Path) -> Result<Vec<Point2>, JobError> {
    let about = |message: String| JobError::Arena { path: file.display().to_string(), message };
    let text = read_small_text(file, MAX_WAYPOINT_BYTES)?;
    sim::run::read_waypoints(&text).map_err(|error| about(error.to_string()))
}

/// Files of a simulated run.
pub const SIMULATION_FILES: [&str; 6] =
    ["index.html", "log.usar", "log.clf", "truth.tum", "truth.xyt", "slope.csv"];

/// Further files of a run that a mapper led.
pub const LOCALIZATION_FILES: [&str; 3] = ["map.pgm", "map.yaml", "trajectory.tum"];

/// Writes `log.usar`, `log.clf`, `truth.tum`, `truth.xyt` and the page `index.html` into a folder, which is made if it is
/// not there; with a vertical scanner also `slope.csv`, and where a mapper led its map and its trajectory.
///
/// # Errors
/// A file cannot be written.
pub fn write_simulated_run(
    folder: &OutputFolder,
    title: &str,
    simulated: &Simulated,
) -> Result<(), JobError> {
    folder.write("index.html", simulation_page(title, simulated)?)?;
    simulated.slope_csv.iter().try_for_each(|csv| folder.write("slope.csv", csv))?;
    if let Some(own) = &simulated.own {
        let (yaml, pgm) = formats::write_ros_map(&own.map, "map.pgm");
        folder.write("map.pgm", pgm)?;
        folder.write("map.yaml", yaml)?;
        folder.write("trajectory.tum", formats::write_tum(&own.trajectory))?;
    }
    write_logs(folder, &simulated.run)
}

fn write_logs(folder: &OutputFolder, run: &SimulatedRun) -> Result<(), JobError> {
    folder.write("log.usar", formats::usarsim::write(&run.log, Default::default(), Default::default()))?;
    // CARMEN has a record for what a simulator knows; no mapper reads it.
    folder.write("log.clf", formats::write_carmen(&log_with_truth(run)))?;
    folder.write("truth.tum", formats::write_tum(&run.truth))?;
    folder.write("truth.xyt", formats::write_pose_log(&run.truth))
}

#[cfg(test)]
mod tests {
    use formats::{Content, ReadOptions, read_document};
    use model::{LogRecord, SensorLog};
    use sim::robot::RobotModel;
    use sim::run::RampDrive;
    use sim::sensor::Levelling;

    use super::*;

    fn read_back(folder: &Path, name: &str) -> SensorLog {
        match read_document(&folder.join(name), &ReadOptions::default()).unwrap().content {
            Content::Log(log) => log,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_message_log_holds_the_scans_odometry_and_attitudes_of_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let robot = RobotModel { levelling: Some(Levelling::default()), ..RobotModel::default() };
        let (_, run) = RampDrive { columns: 2, rows: 2, robot, ..RampDrive::default() }.run().unwrap();
        write_logs(&OutputFolder::new(folder.path()), &run).unwrap();
        let read = read_back(folder.path(), "log.usar");
        assert_eq!(read.records.len(), run.log.records.len());
        assert!(read.scans().count() > 50 && read.attitudes().count() == 2 * read.scans().count());
        for (read, written) in read.records.iter().zip(&run.log.records) {
            match (read, written) {
                (LogRecord::Scan(read), LogRecord::Scan(written)) => {
                    assert_eq!((read.time_s, &read.ranges_m), (written.time_s, &written.ranges_m));
                    let [read, written] = [read.beams, written.beams];
                    assert!((read.first_rad - written.first_rad).abs() < 1e-12);
                    assert!((read.step_rad - written.step_rad).abs() < 1e-12);
                    assert_eq!(read.max_range_m, written.max_range_m);
                }
                (LogRecord::Odometry(read), LogRecord::Odometry(written)) => {
                    assert_eq!(
                        (read.time_s, read.odom_from_robot),
                        (written.time_s, written.odom_from_robot)
                    );
                }
                (read, written) => assert_eq!(read, written),
            }
        }
        let carmen = read_back(folder.path(), "log.clf");
        assert_eq!(carmen.scans().count(), run.log.scans().count());
        assert_eq!(carmen.attitudes().count(), 0, "CARMEN has no place for them");
        let is_true = |record: &&LogRecord| matches!(record, LogRecord::TruePose { .. });
        assert_eq!(carmen.records.iter().filter(is_true).count(), run.truth.poses.len());
        let times: Vec<f64> = carmen.records.iter().map(LogRecord::time_s).collect();
        assert!(times.is_sorted(), "true poses stand among the readings");
    }
}
