//! One line of a CARMEN log: `NAME fields ipc_timestamp ipc_hostname logger_timestamp`.

use model::{BeamModel, LaserScan, LogRecord, Odometry, Pose2, SonarSweep};

use crate::log::beam_guess::guess;
use crate::text::decimal;

/// Why a line is no record.
pub(crate) enum NoRecord {
    /// Its name is not one that is needed here.
    Skipped,
    /// It breaks the format of its name: what was expected.
    Damaged(&'static str),
}

/// A record that is needed here.
pub(crate) fn parse(line: &[u8]) -> Result<LogRecord, NoRecord> {
    let mut fields = Fields { rest: line };
    let record = match fields.token().unwrap_or_default() {
        b"ODOM" => odometry(&mut fields).ok_or("ODOM x y theta tv rv accel, then time, host, time"),
        b"TRUEPOS" => true_pose(&mut fields).ok_or("TRUEPOS with two poses, then time, host, time"),
        b"FLASER" => {
            old_laser(&mut fields, "front").ok_or("FLASER n, n ranges and two poses, then time, host, time")
        }
        b"RLASER" => {
            old_laser(&mut fields, "rear").ok_or("RLASER n, n ranges and two poses, then time, host, time")
        }
        b"SONAR" => sonar(&mut fields)
            .ok_or("SONAR cone angle, n, n ranges and n mounts x y theta, then time, host, time"),
        b"LASER" => bare_laser(&mut fields).ok_or("LASER n and n ranges, then time, host, time"),
        name => match name.split_last() {
            Some((number @ b'1'..=b'5', b"RAWLASER")) => laser(&mut fields, *number, Poses::Absent)
                .ok_or("RAWLASER with 7 settings, n ranges and m remissions, then time, host, time"),
            Some((number @ b'1'..=b'5', b"ROBOTLASER")) => laser(&mut fields, *number, Poses::Present)
                .ok_or("ROBOTLASER with 7 settings, ranges, remissions and 11 fields, then time, host, time"),
            _ => return Err(NoRecord::Skipped),
        },
    };
    record.map_err(NoRecord::Damaged)
}

/// Whether a laser record has poses behind its ranges.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Poses {
    Absent,
    Present,
}

/// The fields of a line that are still to be read.
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn token(&mut self) -> Option<&'a [u8]> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        self.rest = rest;
        (!token.is_empty()).then_some(token)
    }

    fn number(&mut self) -> Option<f64> {
        self.token().and_then(decimal::number).filter(|number| number.is_finite())
    }

    fn numbers<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    fn pose(&mut self) -> Option<Pose2> {
        let [x_m, y_m, theta_rad] = self.numbers()?;
        Some(Pose2::new(x_m, y_m, theta_rad))
    }

    /// A count and so many values. An infinite range is a beam without return.
    fn list(&mut self) -> Option<Vec<f32>> {
        let count: usize = std::str::from_utf8(self.token()?).ok()?.parse().ok()?;
        // A value takes at least two bytes of the line, so a false count allocates no more than the line.
        if count > self.rest.len() / 2 {
            return None;
        }
        let mut values = Vec::with_capacity(count);
        for _ in 0..count {
            values.push(decimal::single(self.token()?).filter(|value| !value.is_nan())?);
        }
        Some(values)
    }

    /// The time of acquisition, if exactly time, host and logger time are left.
    fn end(&mut self) -> Option<f64> {
        let time_s = self.number()?;
        self.token()?;
        self.number()?;
        self.token().is_none().then_some(time_s)
    }
}

fn odometry(fields: &mut Fields<'_>) -> Option<LogRecord> {
    let odom_from_robot = fields.pose()?;
    let [speed_mps, turn_rate_radps, _acceleration] = fields.numbers()?;
    let time_s = fields.end()?;
    let (speed_mps, turn_rate_radps) = (Some(speed_mps), Some(turn_rate_radps));
    Some(LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps, turn_rate_radps }))
}

fn true_pose(fields: &mut Fields<'_>) -> Option<LogRecord> {
    let world_from_robot = fields.pose()?;
    let _odometry = fields.pose()?;
    Some(LogRecord::TruePose { time_s: fields.end()?, world_from_robot })
}

fn old_laser(fields: &mut Fields<'_>, sensor: &str) -> Option<LogRecord> {
    let ranges_m = fields.list()?;
    let (laser, robot) = (fields.pose()?, fields.pose()?);
    let scan = guessed_scan(fields.end()?, ranges_m, sensor);
    Some(LogRecord::Scan(LaserScan { world_from_laser: Some(laser), world_from_robot: Some(robot), ..scan }))
}

fn bare_laser(fields: &mut Fields<'_>) -> Option<LogRecord> {
    let ranges_m = fields.list()?;
    Some(LogRecord::Scan(guessed_scan(fields.end()?, ranges_m, "")))
}

fn guessed_scan(time_s: f64, ranges_m: Vec<f32>, sensor: &str) -> LaserScan {
    LaserScan {
        time_s,
        beams: guess(ranges_m.len()),
        ranges_m,
        remissions: Vec::new(),
        world_from_laser: None,
        world_from_robot: None,
        sensor: sensor.to_owned(),
    }
}

fn laser(fields: &mut Fields<'_>, number: u8, poses: Poses) -> Option<LogRecord> {
    let [_type, first_rad, field_of_view_rad, step_rad, max_range_m, _accuracy, _remission_mode] =
        fields.numbers()?;
    let (ranges_m, remissions) = (fields.list()?, fields.list()?);
    let (world_from_laser, world_from_robot) = match poses {
        Poses::Absent => (None, None),
        Poses::Present => {
            let poses = (Some(fields.pose()?), Some(fields.pose()?));
            let _speeds_and_safety_distances = fields.numbers::<5>()?;
            poses
        }
    };
    // Some drivers leave the step at 0 and give the field of view only.
    let steps = ranges_m.len().saturating_sub(1).max(1) as f64;
    let step_rad = if step_rad == 0.0 { field_of_view_rad / steps } else { step_rad };
    Some(LogRecord::Scan(LaserScan {
        time_s: fields.end()?,
        beams: BeamModel { first_rad, step_rad, max_range_m, is_guessed: false },
        ranges_m,
        remissions,
        world_from_laser,
        world_from_robot,
        sensor: char::from(number).to_string(),
    }))
}

/// A sweep of a sonar ring. The record does not tell how far the ring sees: `sonar_range` settles it.
fn sonar(fields: &mut Fields<'_>) -> Option<LogRecord> {
    let cone_rad = fields.number().filter(|cone_rad| (0.0..=std::f64::consts::TAU).contains(cone_rad))?;
    let ranges_m = fields.list()?;
    let mut robot_from_transducers = Vec::with_capacity(ranges_m.len());
    for _ in 0..ranges_m.len() {
        robot_from_transducers.push(fields.pose()?);
    }
    let (time_s, max_range_m) = (fields.end()?, f64::INFINITY);
    Some(LogRecord::Sonar(SonarSweep { time_s, cone_rad, max_range_m, robot_from_transducers, ranges_m }))
}
