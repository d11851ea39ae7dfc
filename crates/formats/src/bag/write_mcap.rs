//! A log as an mcap file with messages of ROS 2 in CDR: scans as `sensor_msgs/LaserScan`, odometry as
//! `nav_msgs/Odometry`, true poses as `geometry_msgs/PoseStamped`.
//!
//! Format: <https://mcap.dev/spec>. Records stand outside of chunks, without compression, index or checksums, which the
//! specification allows. The time of recording is the stamp of the message.

use std::collections::BTreeMap;

use model::{LaserScan, LogRecord, Pose2, Pose3, SensorLog};

use crate::WriteError;

const MAGIC: &[u8] = b"\x89MCAP0\r\n";
const HEADER: u8 = 1;
const FOOTER: u8 = 2;
const SCHEMA: u8 = 3;
const CHANNEL: u8 = 4;
const MESSAGE: u8 = 5;
const DATA_END: u8 = 15;

/// Types of messages with their definitions, as ROS 2 needs them to show a file; the number in the list is the schema's.
const SCHEMAS: [(&str, &str); 4] = [
    (
        "sensor_msgs/msg/LaserScan",
        concat!(
            "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\n",
            "float32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\n",
            "float32[] ranges\nfloat32[] intensities\n",
        ),
    ),
    (
        "nav_msgs/msg/Odometry",
        concat!(
            "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n",
            "geometry_msgs/TwistWithCovariance twist\n",
        ),
    ),
    ("geometry_msgs/msg/PoseStamped", "std_msgs/Header header\ngeometry_msgs/Pose pose\n"),
    ("tf2_msgs/msg/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"),
];
const SCAN: usize = 0;
const ODOMETRY: usize = 1;
const POSE: usize = 2;
const TRANSFORMS: usize = 3;

/// Definitions of the types that the others are made of.
const PARTS: [(&str, &str); 10] = [
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ("geometry_msgs/PoseWithCovariance", "geometry_msgs/Pose pose\nfloat64[36] covariance\n"),
    ("geometry_msgs/TwistWithCovariance", "geometry_msgs/Twist twist\nfloat64[36] covariance\n"),
    ("geometry_msgs/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"),
    ("geometry_msgs/Twist", "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"),
    (
        "geometry_msgs/TransformStamped",
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n",
    ),
    ("geometry_msgs/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"),
    ("geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"),
    (
        "geometry_msgs/Point",
        "float64 x\nfloat64 y\nfloat64 z\n\
      ================================================================================\n\
      MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n",
    ),
];

/// A log as an mcap file. Scans are on `/scan`, or on `/scan/SENSOR` where there are several sensors; odometry is on
/// `/odom` and the truth on `/ground_truth`. Where lasers sit on the robot is on `/tf_static`, if the scans tell it. Poses of
/// scans have no place, and angles are 32-bit numbers.
///
/// # Errors
/// A time that the stamps of ROS 2 cannot hold: they end in 2038. Times below 0 become 0.
pub fn write(log: &SensorLog) -> Result<Vec<u8>, WriteError> {
    check_times(log)?;
    let sensors = sensors(log);
    let mut bytes = MAGIC.to_vec();
    add(&mut bytes, HEADER, &[&text("ros2"), &text("mapjudge")]);
    for (index, (name, definition)) in SCHEMAS.iter().enumerate() {
        let schema = [&number(index + 1)[..], &text(name), &text("ros2msg"), &text(&whole(definition))];
        add(&mut bytes, SCHEMA, &schema);
    }
    let scan_topics = sensors.keys().take(MAX_SENSORS).map(|sensor| match (sensors.len(), *sensor) {
        (1, _) | (_, "") => (SCAN, "/scan".to_owned()),
        (_, sensor) => (SCAN, format!("/scan/{}", sensor.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))),
    });
    let others = [(ODOMETRY, "/odom".to_owned()), (POSE, "/ground_truth".to_owned())];
    let mounts = mounts(log);
    let static_topic = (!mounts.is_empty()).then(|| (TRANSFORMS, "/tf_static".to_owned()));
    let tf_channel = 2 + sensors.len().min(MAX_SENSORS);
    let topics = others.into_iter().chain(scan_topics).chain(static_topic);
    for (channel, (schema, topic)) in topics.enumerate() {
        let parts = [&number(channel)[..], &number(schema + 1), &text(&topic), &text("cdr"), &[0; 4]];
        add(&mut bytes, CHANNEL, &parts);
    }
    if let Some(first) = log.records.first().filter(|_| !mounts.is_empty()) {
        let time = stamp_ns(first.time_s()).to_le_bytes();
        let message = transforms_message(first.time_s(), &mounts);
        add(&mut bytes, MESSAGE, &[&number(tf_channel), &[0; 4], &time, &time, &message]);
    }
    for record in &log.records {
        let (channel, message) = match record {
            LogRecord::Attitude(_) | LogRecord::Sonar(_) => continue,
            LogRecord::Odometry(odometry) => {
                let speeds = [odometry.speed_mps.unwrap_or(0.0), odometry.turn_rate_radps.unwrap_or(0.0)];
                (0, odometry_message(odometry.time_s, odometry.odom_from_robot, speeds))
            }
            LogRecord::TruePose { time_s, world_from_robot } => (1, pose_message(*time_s, *world_from_robot)),
            LogRecord::Scan(scan) => {
                let sensor = sensors.get(scan.sensor.as_str()).copied().unwrap_or(0);
                (2 + sensor.min(MAX_SENSORS - 1), scan_message(scan))
            }
        };
        let time = stamp_ns(record.time_s()).to_le_bytes();
        add(&mut bytes, MESSAGE, &[&number(channel), &[0; 4], &time, &time, &message]);
    }
    add(&mut bytes, DATA_END, &[&[0; 4]]);
    add(&mut bytes, FOOTER, &[&[0; 20]]);
    bytes.extend_from_slice(MAGIC);
    Ok(bytes)
}

/// Seconds of a stamp are a signed number of 32 bits.
const END_OF_TIME_S: f64 = 2_147_483_648.0;

fn check_times(log: &SensorLog) -> Result<(), WriteError> {
    // The last half nanosecond would be rounded up to the next second.
    let is_held = |time_s: f64| time_s < END_OF_TIME_S - 1e-6;
    match log.records.iter().position(|record| !is_held(record.time_s())) {
        None => Ok(()),
        Some(index) => {
            let found = log.records[index].time_s().to_string();
            let expected = format!("a time below {END_OF_TIME_S} s");
            Err(WriteError::new("mcap", format!("record {}", index + 1), expected, found))
        }
    }
}

/// Sensors with a topic of their own; further ones share the last topic.
const MAX_SENSORS: usize = 1000;

/// The sensors of a log by name, with their number.
fn sensors(log: &SensorLog) -> BTreeMap<&str, usize> {
    let mut sensors: BTreeMap<&str, usize> = log.scans().map(|scan| (scan.sensor.as_str(), 0)).collect();
    sensors.values_mut().enumerate().for_each(|(number, sensor)| *sensor = number);
    sensors
}

/// Frames of lasers, and where they sit on the robot, where the scans tell it.
fn mounts(log: &SensorLog) -> BTreeMap<&str, Pose2> {
    let mount = |scan: &'_ LaserScan| Some(scan.world_from_robot?.inverse() * scan.world_from_laser?);
    let mut mounts = BTreeMap::new();
    for scan in log.scans() {
        if let Some(robot_from_laser) = mount(scan).filter(|mount| mount.is_finite()) {
            mounts.entry(frame_of(scan)).or_insert(robot_from_laser);
        }
    }
    mounts
}

/// The frame of a laser.
fn frame_of(scan: &LaserScan) -> &str {
    if scan.sensor.is_empty() { "laser" } else { &scan.sensor }
}

/// A definition with those of all parts; a reader looks up only what it needs.
fn whole(definition: &str) -> String {
    let mut text = definition.to_owned();
    for (name, part) in PARTS {
        text.push_str(&format!("{}\nMSG: {name}\n{part}", "=".repeat(80)));
    }
    text
}

fn add(bytes: &mut Vec<u8>, op: u8, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    bytes.push(op);
    bytes.extend((length as u64).to_le_bytes());
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
}

fn text(text: &str) -> Vec<u8> {
    [&length(text.len()).to_le_bytes()[..], text.as_bytes()].concat()
}

/// The number of a channel or schema, of which there are about a thousand at most.
fn number(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes()
}

/// A length as messages hold it. Ranges and names of a log have far fewer than 2^32 elements.
fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Nanoseconds, not below 0: mcap knows no time before that.
fn stamp_ns(time_s: f64) -> u64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to below 2^31 s, which was checked"
    )]
    let [seconds, nanoseconds] =
        [time_s.max(0.0).floor(), (time_s.max(0.0).fract() * 1e9).round()].map(|n| n as u64);
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// A message in CDR, little endian: numbers stand at multiples of their own size.
struct Cdr(Vec<u8>);

impl Cdr {
    fn with_header(time_s: f64, frame: &str) -> Self {
        let mut cdr = Self(vec![0, 1, 0, 0]);
        cdr.header(time_s, frame);
        cdr
    }

    fn header(&mut self, time_s: f64, frame: &str) {
        let stamp_ns = stamp_ns(time_s);
        let part = |nanoseconds: u64| u32::try_from(nanoseconds).unwrap_or(u32::MAX).to_le_bytes();
        self.aligned(part(stamp_ns / 1_000_000_000));
        self.aligned(part(stamp_ns % 1_000_000_000));
        self.text(frame);
    }

    fn aligned<const N: usize>(&mut self, number: [u8; N]) {
        // The four bytes of encapsulation do not count.
        let body = (self.0.len() - 4).next_multiple_of(N);
        self.0.resize(body + 4, 0);
        self.0.extend(number);
    }

    fn text(&mut self, text: &str) {
        self.aligned(length(text.len() + 1).to_le_bytes());
        self.0.extend(text.bytes().chain([0]));
    }

    fn list(&mut self, numbers: &[f32]) {
        self.aligned(length(numbers.len()).to_le_bytes());
        numbers.iter().for_each(|number| self.aligned(number.to_le_bytes()));
    }

    fn pose(&mut self, pose: Pose2) {
        let pose = Pose3::from(pose);
        pose.position_m
            .iter()
            .chain(&pose.rotation_xyzw)
            .for_each(|number| self.aligned(number.to_le_bytes()));
    }
}

#[allow(clippy::cast_possible_truncation, reason = "angles and ranges of messages are numbers of 32 bits")]
fn scan_message(scan: &LaserScan) -> Vec<u8> {
    let mut cdr = Cdr::with_header(scan.time_s, frame_of(scan));
    let beams = &scan.beams;
    let last_rad = beams.first_rad + beams.step_rad * scan.ranges_m.len().saturating_sub(1) as f64;
    for number in [beams.first_rad, last_rad, beams.step_rad, 0.0, 0.0, 0.0, beams.max_range_m] {
        cdr.aligned((number as f32).to_le_bytes());
    }
    cdr.list(&scan.ranges_m);
    cdr.list(&scan.remissions);
    cdr.0
}

fn odometry_message(time_s: f64, odom_from_robot: Pose2, [speed_mps, turn_rate_radps]: [f64; 2]) -> Vec<u8> {
    let mut cdr = Cdr::with_header(time_s, "odom");
    cdr.text("base_link");
    cdr.pose(odom_from_robot);
    let covariance = [0.0_f64; 36];
    let twist = [speed_mps, 0.0, 0.0, 0.0, 0.0, turn_rate_radps];
    for number in covariance.iter().chain(&twist).chain(&covariance) {
        cdr.aligned(number.to_le_bytes());
    }
    cdr.0
}

fn transforms_message(time_s: f64, mounts: &BTreeMap<&str, Pose2>) -> Vec<u8> {
    let mut cdr = Cdr(vec![0, 1, 0, 0]);
    cdr.aligned(length(mounts.len()).to_le_bytes());
    for (frame, robot_from_laser) in mounts {
        cdr.header(time_s, "base_link");
        cdr.text(frame);
        cdr.pose(*robot_from_laser);
    }
    cdr.0
}

fn pose_message(time_s: f64, world_from_robot: Pose2) -> Vec<u8> {
    let mut cdr = Cdr::with_header(time_s, "world");
    cdr.pose(world_from_robot);
    cdr.0
}

#[cfg(test)]
#[cfg(feature = "bags")]
mod tests {
    use super::*;
    use crate::log::carmen::tests::log;
    use crate::{Content, NamedBytes, ReadOptions, read_document_bytes};

    fn topic(bytes: &[u8], topic: &str) -> Content {
        let options = ReadOptions { topic: Some(topic.to_owned()), ..ReadOptions::default() };
        read_document_bytes(NamedBytes { name: "run.mcap", bytes }, &[], &options).unwrap().content
    }

    #[test]
    fn topics_come_back() {
        let written = log(
            "run.usar",
            "SEN {Time 1.5} {Type Odometry} {Pose 1,-2,-0.5}\n\
             SEN {Time 1.5} {Type RangeScanner} {Name S} {FOV 2} {Range 1,20,20}\n\
             SEN {Time 2.25} {Type GroundTruth} {Location 1,-2,0} {Orientation 0,0,-0.5}\n",
        );
        let bytes = write(&written).unwrap();
        let Content::Log(scans) = topic(&bytes, "/scan") else { panic!() };
        let scan = scans.scans().next().unwrap();
        assert_eq!((scan.time_s, scan.ranges_m.as_slice()), (1.5, &[1.0, 20.0, 20.0][..]));
        assert_eq!((scan.beams.first_rad, scan.beams.step_rad, scan.beams.max_range_m), (-1.0, 1.0, 20.0));
        let Content::Log(odometry) = topic(&bytes, "/odom") else { panic!() };
        let pose = odometry.odometry().next().unwrap().odom_from_robot;
        assert!((pose.x_m - 1.0).abs() + (pose.y_m - 2.0).abs() + (pose.theta_rad - 0.5).abs() < 1e-12);
        let Content::Trajectory(truth) = topic(&bytes, "/ground_truth") else { panic!() };
        assert_eq!(truth.poses[0].time_s, 2.25);
    }

    #[test]
    fn a_laser_that_does_not_sit_in_the_middle_has_its_mount_on_tf_static() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.mcap");
        let written =
            log("run.log", "FLASER 3 1 2 3 1.2 0.1 0 1 0.1 0 5 host 5\nODOM 1 0.1 0 0 0 0 5 host 5\n");
        std::fs::write(&path, write(&written).unwrap()).unwrap();
        let mount = crate::read_laser_mount(&path, "/scan", Some("/odom")).unwrap().unwrap();
        assert_eq!(mount.robot_frame, "base_link");
        let robot_from_laser = mount.robot_from_laser.unwrap().planar();
        assert!((robot_from_laser.x_m - 0.2).abs() < 1e-12 && robot_from_laser.y_m.abs() < 1e-12);
        let plain = log("run.usar", "SEN {Time 1} {Type RangeScanner} {Name S} {FOV 2} {Range 1,2}\n");
        std::fs::write(&path, write(&plain).unwrap()).unwrap();
        let mount = crate::read_laser_mount(&path, "/scan", None).unwrap().unwrap();
        assert_eq!((mount.robot_from_laser, mount.laser_frame.as_str()), (None, "S"));
    }

    #[test]
    fn times_beyond_the_stamps_are_refused_and_do_not_wrap() {
        let at = |time: &str| {
            write(&log("run.usar", &format!("SEN {{Time {time}}} {{Type Odometry}} {{Pose 1,-2,-0.5}}\n")))
        };
        for time in ["2147483648", "4294967297", "1e12", "1e300"] {
            let error = at(time).unwrap_err();
            assert!(error.to_string().contains("record 1: expected a time below 2147483648 s"), "{error}");
        }
        let Content::Log(read) = topic(&at("2147483647.5").unwrap(), "/odom") else { panic!() };
        assert_eq!(read.odometry().next().unwrap().time_s, 2_147_483_647.5);
    }

    #[test]
    fn several_sensors_have_topics_of_their_own() {
        let scan = |name: &str| {
            format!("SEN {{Time 1}} {{Type RangeScanner}} {{Name {name}}} {{FOV 2}} {{Range 1,2}}\n")
        };
        let bytes = write(&log("run.usar", &(scan("Front") + &scan("Rear-1")))).unwrap();
        for name in ["/scan/Front", "/scan/Rear_1"] {
            assert!(matches!(topic(&bytes, name), Content::Log(_)), "{name}");
        }
    }
}
