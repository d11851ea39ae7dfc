//! A run from a file: scans, odometry, and where the laser sits. Of a bag the topics are picked where there is no choice.

use std::path::Path;

use formats::{BagSummary, BagTopic, Content, ReadError, ReadOptions, read_document};
use model::{Finding, Level, LogRecord, Odometry, Pose2, SensorLog};

use super::{refuse_over_input, shown_path as shown, write_whole};
use crate::{JobError, log_page};

/// The word for no odometry.
const NONE: &str = "none";
/// Frames of transforms that are odometry, for bags without a topic of odometry.
const ODOMETRY_FRAMES: [&str; 3] = ["odom.base_footprint", "odom.base_link", "odom.base"];
/// A laser whose plane is tilted by more than this is not level, as the cosine: 10 degrees.
#[cfg(feature = "bags")]
const MIN_LEVEL: f64 = 0.985;

/// A run that can be mapped.
#[derive(Clone, Debug, Default)]
pub struct RunLog {
    /// Scans and odometry.
    pub log: SensorLog,
    /// Where the laser sits, if the bag tells it.
    pub robot_from_laser: Option<Pose2>,
    /// What the readers noticed, and what was picked.
    pub findings: Vec<Finding>,
}

/// Reads a log, or the topics of a bag: those that are named, else the only ones with laser scans and odometry. The topic of
/// odometry may be `none`.
///
/// # Errors
/// The file cannot be read or is no log, or a bag has no laser scans or several topics to choose from.
pub fn read_run_log(path: &Path, odometry: Option<&str>, options: &ReadOptions) -> Result<RunLog, JobError> {
    let plain = ReadOptions { topic: None, ..options.clone() };
    let document = read_document(path, &plain)?;
    match document.content {
        Content::Log(log) => Ok(RunLog { log, robot_from_laser: None, findings: document.findings }),
        Content::Bag(summary) => of_bag(path, &summary, odometry, options),
        other => {
            let why = format!("found {}, expected a log with scans", other.kind().noun());
            Err(JobError::NoMap { path: shown(path), why })
        }
    }
}

fn of_bag(
    path: &Path,
    summary: &BagSummary,
    odometry: Option<&str>,
    options: &ReadOptions,
) -> Result<RunLog, JobError> {
    let laser = match &options.topic {
        Some(topic) => topic.clone(),
        None => only(path, summary, "laser scans", BagTopic::has_scans)?
            .ok_or_else(|| JobError::NoMap { path: shown(path), why: no_scans(summary) })?,
    };
    let of_topic =
        |topic: &str| read_document(path, &ReadOptions { topic: Some(topic.to_owned()), ..options.clone() });
    let document = of_topic(&laser)?;
    let Content::Log(mut log) = document.content else {
        let why = format!("topic {laser}: expected laser scans, found {}", document.content.kind().noun());
        return Err(JobError::NoMap { path: shown(path), why });
    };
    let mut findings = document.findings;
    let picked = match odometry {
        Some(NONE) => None,
        Some(topic) => Some((topic.to_owned(), of_topic(topic)?)),
        None => match only(path, summary, "odometry", BagTopic::has_odometry)? {
            Some(topic) => Some((topic.clone(), of_topic(&topic)?)),
            None => transforms(summary).find_map(|topic| Some((topic.clone(), of_topic(&topic).ok()?))),
        },
    };
    let odometry_topic = picked.as_ref().map(|(topic, _)| topic.clone());
    if let Some((topic, document)) = picked {
        let readings = readings(document.content).map_err(|found| JobError::NoMap {
            path: shown(path),
            why: format!("topic {topic}: expected odometry or poses, found {found}"),
        })?;
        log.records.extend(readings);
        findings.extend(document.findings);
    }
    let robot_from_laser = mount(path, &laser, odometry_topic.as_deref(), &mut log, &mut findings)?;
    let of = odometry_topic.unwrap_or_else(|| NONE.to_owned());
    let message = format!("laser scans of {laser}, odometry of {of}");
    findings.push(Finding::new(Level::Info, "BAG_TOPICS_PICKED", message));
    Ok(RunLog { log, robot_from_laser, findings })
}

/// Writes a page that plays a log, or the topics of a bag.
///
/// # Errors
/// The log cannot be read or has no scan, or the page is its own log or cannot be written.
pub fn write_log_page(path: &Path, page: &Path) -> Result<(), JobError> {
    let name = page.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    refuse_over_input(path, folder, &[&name])?;
    let run = read_run_log(path, None, &ReadOptions::default())?;
    if run.log.scans().next().is_none() {
        return Err(JobError::NoMap { path: shown(path), why: "the log has no scans".to_owned() });
    }
    write_whole(page, log_page(&shown(path), &run.log)?.as_bytes())
}

/// The only topic of a kind; none where there is none.
fn only(
    path: &Path,
    summary: &BagSummary,
    what: &'static str,
    is_kind: impl Fn(&BagTopic) -> bool,
) -> Result<Option<String>, JobError> {
    let topics: Vec<String> =
        summary.topics.iter().filter(|topic| is_kind(topic)).map(|topic| topic.name.clone()).collect();
    if topics.len() > 1 {
        return Err(JobError::SeveralTopics { path: shown(path), what, topics });
    }
    Ok(topics.into_iter().next())
}

fn no_scans(summary: &BagSummary) -> String {
    let topics: Vec<String> =
        summary.topics.iter().map(|topic| format!("{} ({})", topic.name, topic.type_name)).collect();
    format!("no topic has laser scans; the bag has {}", topics.join(", "))
}

/// Topics of transforms with the frames that are odometry on most robots.
fn transforms(summary: &BagSummary) -> impl Iterator<Item = String> {
    let is_moving = |topic: &&BagTopic| topic.has_transforms() && !topic.name.ends_with("_static");
    let names = summary.topics.iter().filter(is_moving).map(|topic| topic.name.as_str());
    names.flat_map(|topic| ODOMETRY_FRAMES.map(|frames| format!("{topic}:{frames}")))
}

/// Readings of a log, or poses of a trajectory such as that of a transform.
fn readings(content: Content) -> Result<Vec<LogRecord>, &'static str> {
    let reading = |time_s: f64, odom_from_robot: Pose2| {
        LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None })
    };
    match content {
        Content::Log(log) => Ok(log.odometry().cloned().map(LogRecord::Odometry).collect()),
        Content::Trajectory(found) => {
            Ok(found.poses.iter().map(|pose| reading(pose.time_s, pose.world_from_robot.planar())).collect())
        }
        other => Err(other.kind().noun()),
    }
}

/// Where the laser sits by the transforms of the bag. Scans of a laser that hangs upside down are turned over.
#[cfg(feature = "bags")]
fn mount(
    path: &Path,
    laser: &str,
    odometry: Option<&str>,
    log: &mut SensorLog,
    findings: &mut Vec<Finding>,
) -> Result<Option<Pose2>, ReadError> {
    let Some(mount) = formats::read_laser_mount(path, laser, odometry)? else { return Ok(None) };
    let Some(robot_from_laser) = mount.robot_from_laser else {
        let message = format!(
            "no transform tells where the laser ('{}') sits on the robot; it was taken to sit in its middle",
            mount.laser_frame
        );
        findings.push(Finding::new(Level::Info, "LASER_MOUNT_UNKNOWN", message));
        return Ok(None);
    };
    let (placed, up) = placed(robot_from_laser);
    if up.abs() < MIN_LEVEL {
        let message = format!(
            "the laser ('{}') is tilted by {:.0} degrees; a map needs a level one",
            mount.laser_frame,
            up.abs().acos().to_degrees()
        );
        findings.push(Finding::warning("LASER_NOT_LEVEL", message).hint("name the topic of another laser"));
    }
    if up < 0.0 {
        for record in &mut log.records {
            if let LogRecord::Scan(scan) = record {
                scan.beams.first_rad = -scan.beams.first_rad;
                scan.beams.step_rad = -scan.beams.step_rad;
            }
        }
    }
    let side = if up < 0.0 { ", upside down" } else { "" };
    let message = format!(
        "the laser ('{}') sits at ({}, {}) m, {} degrees on '{}'{side}",
        mount.laser_frame,
        report::fixed(placed.x_m, 3),
        report::fixed(placed.y_m, 3),
        report::fixed(placed.theta_rad.to_degrees(), 1),
        mount.robot_frame
    );
    findings.push(Finding::new(Level::Info, "LASER_MOUNT", message));
    Ok(Some(placed))
}

#[cfg(not(feature = "bags"))]
#[allow(clippy::unnecessary_wraps, reason = "with bags it can fail")]
fn mount(
    _: &Path,
    _: &str,
    _: Option<&str>,
    _: &mut SensorLog,
    _: &mut Vec<Finding>,
) -> Result<Option<Pose2>, ReadError> {
    Ok(None)
}

/// Where the laser sits in the plane, by where its first axis points; and how far its third axis points up, 1 to -1.
#[cfg(any(feature = "bags", test))]
fn placed(robot_from_laser: model::Pose3) -> (Pose2, f64) {
    let [xx, _, _, x_m, yx, _, _, y_m, _, _, up, _] = robot_from_laser.matrix();
    (Pose2::new(x_m, y_m, yx.atan2(xx)), up)
}

#[cfg(test)]
mod tests {
    use model::Pose3;

    use super::*;

    fn topic(name: &str, type_name: &str) -> BagTopic {
        BagTopic { name: name.to_owned(), type_name: type_name.to_owned(), messages: 1 }
    }

    #[test]
    fn the_only_topic_is_picked_and_several_are_listed() {
        let mut summary = BagSummary {
            topics: vec![
                topic("/front", "sensor_msgs/msg/LaserScan"),
                topic("/image", "sensor_msgs/Image"),
                topic("/odom", "nav_msgs/Odometry"),
                topic("/tf", "tf2_msgs/msg/TFMessage"),
            ],
            time_range_ns: None,
        };
        let path = Path::new("run.mcap");
        let laser = |summary: &BagSummary| only(path, summary, "laser scans", BagTopic::has_scans);
        assert_eq!(laser(&summary).unwrap().as_deref(), Some("/front"));
        assert_eq!(transforms(&summary).next().as_deref(), Some("/tf:odom.base_footprint"));
        summary.topics.push(topic("/rear", "sensor_msgs/LaserScan"));
        let error = laser(&summary).unwrap_err();
        assert_eq!(error.to_string(), "run.mcap: 2 topics have laser scans: /front, /rear");
        summary.topics.retain(|topic| !topic.has_scans());
        assert_eq!(laser(&summary).unwrap(), None);
        assert!(no_scans(&summary).contains("/image (sensor_msgs/Image)"));
    }

    #[test]
    fn a_laser_upside_down_looks_ahead_and_down_is_up() {
        let pi = std::f64::consts::PI;
        let (pose, up) = placed(Pose3::of_roll_pitch_yaw([0.1, 0.2, 0.3], [pi, 0.0, 0.5]));
        assert!((pose.theta_rad - 0.5).abs() < 1e-9 && (up + 1.0).abs() < 1e-9, "{pose:?} {up}");
        let (pose, up) = placed(Pose3::of_roll_pitch_yaw([0.1, 0.2, 0.3], [0.0, 0.0, -0.5]));
        assert!((pose.theta_rad + 0.5).abs() < 1e-9 && (up - 1.0).abs() < 1e-9);
        assert_eq!((pose.x_m, pose.y_m), (0.1, 0.2));
    }
}
