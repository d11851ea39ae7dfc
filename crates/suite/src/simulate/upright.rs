//! What the vertical scanner of a run told about slopes, beside the truth.

use std::fmt::Write;

use mapper::{UprightReading, upright_reading};
use serde::Serialize;
use sim::robot::RobotModel;
use sim::run::SimulatedRun;

/// Slopes by the vertical scanner of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UprightReport {
    /// Its scans.
    pub scans: usize,
    /// Scans that show a wall, whose lean is the pitch of the robot.
    pub with_pitch: usize,
    /// Root mean square of the error of that pitch, degrees; null without one.
    pub pitch_rms_deg: Option<f64>,
    /// Median of the absolute error of that pitch, degrees; null without one.
    pub pitch_median_deg: Option<f64>,
    /// Scans that show the ground ahead beside a wall.
    pub with_slope: usize,
    /// Steepest ground ahead, degrees; null if none was seen.
    pub max_slope_deg: Option<f64>,
}

/// A reading with the true pitch at its time, nose up positive.
pub(super) struct Checked {
    reading: UprightReading,
    true_pitch_up_rad: f64,
}

/// The readings of the robot's upright scanner; none if it has none.
pub(super) fn upright_readings(robot: &RobotModel, run: &SimulatedRun) -> Option<Vec<Checked>> {
    let is_upright = |roll_rad: f64| (roll_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-6;
    let laser = robot.lasers.iter().find(|laser| is_upright(laser.robot_from_laser.roll_pitch_yaw()[0]))?;
    let poses = &run.truth.poses;
    let checked = |scan: &model::LaserScan| {
        let at = poses.partition_point(|pose| pose.time_s < scan.time_s).min(poses.len().checked_sub(1)?);
        let [_, pitch_rad, _] = poses[at].world_from_robot.roll_pitch_yaw();
        Some(Checked { reading: upright_reading(scan), true_pitch_up_rad: 0.0 - pitch_rad })
    };
    Some(run.log.scans().filter(|scan| scan.sensor == laser.name).filter_map(checked).collect())
}

pub(super) fn upright_report(readings: &[Checked]) -> UprightReport {
    let error_deg = |checked: &Checked| {
        Some((checked.reading.pitch_up_rad? - checked.true_pitch_up_rad).to_degrees().abs())
    };
    let mut errors_deg: Vec<f64> = readings.iter().filter_map(error_deg).collect();
    errors_deg.sort_by(f64::total_cmp);
    let slopes = || readings.iter().filter_map(|checked| checked.reading.ground_slope_rad());
    let steepest = |best: Option<f64>, slope: f64| Some(best.map_or(slope, |best: f64| best.max(slope)));
    let squares: f64 = errors_deg.iter().map(|error| error * error).sum();
    let has_pitch = !errors_deg.is_empty();
    UprightReport {
        scans: readings.len(),
        with_pitch: errors_deg.len(),
        pitch_rms_deg: has_pitch.then(|| (squares / errors_deg.len() as f64).sqrt()),
        pitch_median_deg: errors_deg.get(errors_deg.len() / 2).copied(),
        with_slope: slopes().count(),
        max_slope_deg: slopes().map(|slope| slope.to_degrees().abs()).fold(None, steepest),
    }
}

/// A line per scan: time, pitch and slope of the ground ahead by the scanner, true pitch, degrees; empty where unknown.
pub(super) fn slope_csv(readings: &[Checked]) -> String {
    let mut text = String::from("time_s,pitch_up_deg,ground_slope_deg,true_pitch_up_deg\n");
    let shown = |rad: Option<f64>| rad.map_or_else(String::new, |rad| report::fixed(rad.to_degrees(), 3));
    for Checked { reading, true_pitch_up_rad } in readings {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{}",
            reading.time_s,
            shown(reading.pitch_up_rad),
            shown(reading.ground_slope_rad()),
            shown(Some(*true_pitch_up_rad)),
        );
    }
    text
}
