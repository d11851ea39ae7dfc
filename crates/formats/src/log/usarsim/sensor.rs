//! Scans and poses out of messages, and messages made of them.

use model::{Attitude, BeamModel, LaserScan, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::message::Message;
use super::sonar;
use crate::ReadOptions;
use crate::log::beam_guess;
use crate::text::decimal;

/// Which axes the poses of messages have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Frame {
    /// z down, yaw clockwise as seen from above: y and yaw change their signs.
    #[default]
    Usarsim,
    /// As in this project: y to the left, yaw counter-clockwise.
    Ros,
}

/// In which order the ranges of a scan come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ScanDirection {
    /// From right to left.
    #[default]
    #[serde(rename = "ccw")]
    #[cfg_attr(feature = "clap", value(name = "ccw"))]
    CounterClockwise,
    /// From left to right, as in some old recordings.
    #[serde(rename = "cw")]
    #[cfg_attr(feature = "clap", value(name = "cw"))]
    Clockwise,
}

/// Share of broken lines above which a log is refused, where no other is given (W-MSG).
pub const DEFAULT_MAX_BAD_SHARE: f64 = 0.01;

impl Frame {
    /// A pose between this frame and ours; the same in both directions.
    #[must_use]
    pub fn turned(self, pose: Pose2) -> Pose2 {
        match self {
            // A difference and not a minus, so that 0 does not become -0.
            Self::Usarsim => Pose2::new(pose.x_m, 0.0 - pose.y_m, 0.0 - pose.theta_rad),
            Self::Ros => pose,
        }
    }

    /// Roll, pitch and yaw between this frame and ours; the same in both directions.
    #[must_use]
    pub fn turned_attitude(self, [roll, pitch, yaw]: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Usarsim => [roll, 0.0 - pitch, 0.0 - yaw],
            Self::Ros => [roll, pitch, yaw],
        }
    }
}

/// What a sensor measured; times are settled by the log.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measured {
    Scan(LaserScan),
    Odometry(Pose2),
    Inertial(Pose2),
    Attitude(Attitude),
    TruePose(Pose2),
    /// Names and ranges of sonar transducers.
    Sonar(Vec<(String, f32)>),
    /// The largest range of a sensor, out of a CONF message.
    MaxRange {
        sensor: String,
        max_range_m: f64,
    },
    /// Nothing that is needed here: a name to count it by.
    Other(String),
}

/// A measurement in a message.
///
/// # Errors
/// What was expected of a message of its type.
pub(super) fn measured(message: &Message, options: &ReadOptions) -> Result<Measured, &'static str> {
    let kind = message.field("Type").unwrap_or_default();
    let is_kind = |name: &str| kind.eq_ignore_ascii_case(name);
    if message.is("CONF") && is_kind("RangeScanner") {
        return Ok(max_range_of(message));
    }
    if !message.is("SEN") {
        return Ok(Measured::Other(message.head.clone()));
    }
    if is_kind("RangeScanner") {
        return scan(message, options).map(Measured::Scan);
    }
    if is_kind("Sonar") {
        return sonar::ranges(message).map(Measured::Sonar);
    }
    if is_kind("Odometry") {
        let [x_m, y_m, theta_rad] = message.numbers("Pose").ok_or("Pose x,y,theta in numbers")?;
        return Ok(Measured::Odometry(options.usarsim_frame.turned(Pose2::new(x_m, y_m, theta_rad))));
    }
    if is_kind("INS") || is_kind("GroundTruth") {
        let expected = "Location x,y,z and Orientation roll,pitch,yaw in numbers";
        let [x_m, y_m, _] = message.numbers("Location").ok_or(expected)?;
        let [_, _, yaw_rad] = message.numbers("Orientation").ok_or(expected)?;
        let pose = options.usarsim_frame.turned(Pose2::new(x_m, y_m, yaw_rad));
        return Ok(if is_kind("INS") { Measured::Inertial(pose) } else { Measured::TruePose(pose) });
    }
    if is_kind("IMU")
        && let Some(orientation) = message.numbers("Orientation")
    {
        let roll_pitch_yaw_rad = options.usarsim_frame.turned_attitude(orientation);
        let sensor = message.field("Name").unwrap_or_default().to_owned();
        return Ok(Measured::Attitude(Attitude { time_s: 0.0, sensor, roll_pitch_yaw_rad }));
    }
    Ok(Measured::Other(format!("SEN/{kind}")))
}

fn max_range_of(message: &Message) -> Measured {
    match (message.field("Name"), message.numbers("MaxRange")) {
        (Some(name), Some([max_range_m])) if max_range_m > 0.0 => {
            Measured::MaxRange { sensor: name.to_owned(), max_range_m }
        }
        _ => Measured::Other("CONF".to_owned()),
    }
}

fn scan(message: &Message, options: &ReadOptions) -> Result<LaserScan, &'static str> {
    let ranges = message.value("Range").or_else(|| message.field("Range")).ok_or("Range r1,r2,..")?;
    let range = |text: &str| decimal::single(text.trim().as_bytes()).filter(|range_m| !range_m.is_nan());
    let ranges_m: Option<Vec<f32>> = ranges.split(',').map(range).collect();
    let mut ranges_m = ranges_m.ok_or("Range r1,r2,.. in numbers")?;
    if options.scan_direction == ScanDirection::Clockwise {
        ranges_m.reverse();
    }
    Ok(LaserScan {
        time_s: 0.0,
        beams: beams(message, ranges_m.len())?,
        ranges_m,
        remissions: Vec::new(),
        world_from_laser: None,
        world_from_robot: None,
        sensor: message.field("Name").unwrap_or_default().to_owned(),
    })
}

/// Directions of the beams: beam k of n at `-FOV/2 + k FOV/(n-1)`. The number of ranges is right, and not
/// FOV / Resolution, which may be off by one.
fn beams(message: &Message, beams: usize) -> Result<BeamModel, &'static str> {
    let angle = |key: &str| match (message.field(key), message.numbers::<1>(key)) {
        (None, _) => Ok(None),
        (Some(_), Some([angle_rad])) if angle_rad >= 0.0 => Ok(Some(angle_rad)),
        _ => Err("FOV and Resolution in radians from 0 on"),
    };
    let steps = beams.saturating_sub(1) as f64;
    let stated = angle("Resolution")?.map(|resolution_rad| resolution_rad * steps);
    let Some(field_of_view_rad) = angle("FOV")?.or(stated) else { return Ok(beam_guess::guess(beams)) };
    let (first_rad, step_rad) =
        if beams > 1 { (-field_of_view_rad / 2.0, field_of_view_rad / steps) } else { (0.0, 0.0) };
    // The largest range is settled when all scans are read.
    Ok(BeamModel { first_rad, step_rad, max_range_m: f64::INFINITY, is_guessed: false })
}

/// Beams of a scanner: one more than steps of the resolution in the field of view.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
pub fn beam_count(field_of_view_rad: f64, resolution_rad: f64) -> usize {
    /// More than any scanner has, and few enough to count.
    const MAX_STEPS: f64 = (1_u32 << 24) as f64;
    let steps = (field_of_view_rad / resolution_rad).round();
    if steps.is_finite() { steps.clamp(0.0, MAX_STEPS) as usize + 1 } else { 1 }
}

/// The name that a scanner without one gets.
const SCANNER: &str = "Scanner1";

fn name_of(scan: &LaserScan) -> &str {
    if scan.sensor.is_empty() { SCANNER } else { &scan.sensor }
}

fn field_of_view_rad(scan: &LaserScan) -> f64 {
    scan.beams.step_rad * scan.ranges_m.len().saturating_sub(1) as f64
}

/// The message of a scan. It holds neither poses nor remissions, and beams about the axis of the sensor only.
#[must_use]
pub fn scan_message(scan: &LaserScan, direction: ScanDirection) -> Message {
    let mut ranges: Vec<String> = scan.ranges_m.iter().map(|range_m| format!("{range_m}")).collect();
    if direction == ScanDirection::Clockwise {
        ranges.reverse();
    }
    Message::new("SEN")
        .with("Time", scan.time_s)
        .with("Type", "RangeScanner")
        .with("Name", name_of(scan))
        .with("Resolution", scan.beams.step_rad)
        .with("FOV", field_of_view_rad(scan))
        .with("Range", ranges.join(","))
}

/// The configuration of the scanner of a scan, which holds the range from which on there is no return.
#[must_use]
pub fn scanner_configuration(scan: &LaserScan) -> Message {
    Message::new("CONF")
        .with("Type", "RangeScanner")
        .with("Name", name_of(scan))
        .with("Resolution", scan.beams.step_rad)
        .with("FOV", field_of_view_rad(scan))
        .with("MaxRange", scan.beams.max_range_m)
}

/// The message of odometry; the pose is in our frame.
#[must_use]
pub fn odometry_message(time_s: f64, odom_from_robot: Pose2, frame: Frame) -> Message {
    let pose = frame.turned(odom_from_robot);
    let Pose2 { x_m, y_m, theta_rad } = pose;
    Message::new("SEN")
        .with("Time", time_s)
        .with("Type", "Odometry")
        .with("Name", "Odometry")
        .with("Pose", format!("{x_m},{y_m},{theta_rad}"))
}

/// The message of an attitude, which is in our frame.
#[must_use]
pub fn attitude_message(attitude: &Attitude, frame: Frame) -> Message {
    let [roll, pitch, yaw] = frame.turned_attitude(attitude.roll_pitch_yaw_rad);
    Message::new("SEN")
        .with("Time", attitude.time_s)
        .with("Type", "IMU")
        .with("Name", &attitude.sensor)
        .with("Orientation", format!("{roll},{pitch},{yaw}"))
}

/// The message of a sensor that tells a whole pose, such as `INS` or `GroundTruth`: height, roll and pitch are 0.
#[must_use]
pub fn pose_message(kind: &str, time_s: f64, world_from_robot: Pose2, frame: Frame) -> Message {
    let Pose2 { x_m, y_m, theta_rad } = frame.turned(world_from_robot);
    Message::new("SEN")
        .with("Time", time_s)
        .with("Type", kind)
        .with("Name", kind)
        .with("Location", format!("{x_m},{y_m},0"))
        .with("Orientation", format!("0,0,{theta_rad}"))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn of(line: &str) -> Result<Measured, &'static str> {
        measured(&Message::parse(line.as_bytes()).unwrap(), &ReadOptions::default())
    }

    fn scan_of(fields: &str, beams: usize) -> LaserScan {
        let ranges = vec!["1.5"; beams].join(",");
        match of(&format!("SEN {{Type RangeScanner}} {{Name S}} {fields} {{Range {ranges}}}")) {
            Ok(Measured::Scan(scan)) => scan,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn w_msg_e1_beams_of_a_half_circle_and_of_a_hokuyo() {
        let sick = scan_of(&format!("{{FOV {PI}}}"), 181);
        assert!((sick.beams.first_rad + std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        assert!((sick.beams.step_rad - 0.017453).abs() < 1e-6);
        assert!((sick.beams.first_rad + 90.0 * sick.beams.step_rad).abs() < 1e-12, "beam 90 looks ahead");
        let (field_of_view_rad, resolution_rad) = (240_f64.to_radians(), 0.36_f64.to_radians());
        assert_eq!(beam_count(field_of_view_rad, resolution_rad), 668);
        assert_eq!((beam_count(PI, PI / 180.0), beam_count(0.0, 0.0)), (181, 1));
        let hokuyo = scan_of(&format!("{{Resolution {resolution_rad}}} {{FOV {field_of_view_rad}}}"), 668);
        assert!((hokuyo.beams.step_rad * 667.0 - field_of_view_rad).abs() < 1e-12, "the list is right");
    }

    #[test]
    fn the_frame_of_the_simulator_is_turned_over() {
        let line = "SEN {Type Odometry} {Name Odometry} {Pose 0.4265,0.1643,0.9105}";
        assert_eq!(of(line), Ok(Measured::Odometry(Pose2::new(0.4265, -0.1643, -0.9105))));
        let message = Message::parse(line.as_bytes()).unwrap();
        let ros = ReadOptions { usarsim_frame: Frame::Ros, ..ReadOptions::default() };
        assert_eq!(measured(&message, &ros), Ok(Measured::Odometry(Pose2::new(0.4265, 0.1643, 0.9105))));
    }

    #[test]
    fn clockwise_scans_are_reversed() {
        let message = Message::parse(b"SEN {Type RangeScanner} {Name S} {FOV 2} {Range 1, 2,3}").unwrap();
        let options = ReadOptions { scan_direction: ScanDirection::Clockwise, ..ReadOptions::default() };
        let Ok(Measured::Scan(scan)) = measured(&message, &options) else { panic!() };
        assert_eq!(
            (scan.ranges_m, scan.beams.first_rad, scan.beams.step_rad),
            (vec![3.0, 2.0, 1.0], -1.0, 1.0)
        );
    }

    #[test]
    fn words_where_numbers_should_be_are_refused() {
        for line in [
            "SEN {Type RangeScanner} {Name S} {FOV 2} {Range 1,x}",
            "SEN {Type RangeScanner} {Name S} {FOV 2} {Range }",
            "SEN {Type RangeScanner} {Name S} {FOV 2}",
            "SEN {Type RangeScanner} {Name S} {FOV wide} {Range 1,2}",
            "SEN {Type Odometry} {Pose 1,2}",
            "SEN {Type INS} {Location 1,2,3}",
        ] {
            assert!(of(line).is_err(), "{line}");
        }
    }

    #[test]
    fn messages_say_what_was_measured() {
        let scan = scan_of("{FOV 2}", 3);
        let written = scan_message(&scan, ScanDirection::CounterClockwise);
        assert_eq!(
            written.to_string(),
            "SEN {Time 0} {Type RangeScanner} {Name S} {Resolution 1} {FOV 2} {Range 1.5,1.5,1.5}"
        );
        assert_eq!(measured(&written, &ReadOptions::default()), Ok(Measured::Scan(scan)));
        let pose = Pose2::new(1.0, 0.0, -0.5);
        let written = odometry_message(1.25, pose, Frame::Usarsim);
        assert_eq!(written.to_string(), "SEN {Time 1.25} {Type Odometry} {Name Odometry} {Pose 1,0,0.5}");
        let attitude =
            Attitude { time_s: 2.5, sensor: "IMU".to_owned(), roll_pitch_yaw_rad: [0.1, -0.2, 0.0] };
        assert_eq!(
            attitude_message(&attitude, Frame::Usarsim).to_string(),
            "SEN {Time 2.5} {Type IMU} {Name IMU} {Orientation 0.1,0.2,0}"
        );
        assert_eq!(
            pose_message("INS", 2.0, pose, Frame::Ros).to_string(),
            "SEN {Time 2} {Type INS} {Name INS} {Location 1,0,0} {Orientation 0,0,-0.5}"
        );
    }
}
