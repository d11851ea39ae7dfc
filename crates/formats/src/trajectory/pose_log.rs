//! Pose logs of teams: `x y theta t` per line, metres, radians and seconds (F-LOG, W-POSE; Kleiner et al., section
//! 4).
//!
//! Fields are parted by blanks or commas, `#` begins a comment. Other orders are read where [`PoseColumns`] says
//! so. Three columns are poses without time: their stamp is their number.

use std::fmt::Write;

use model::{Dimension, Finding, Level, Pose2, PoseSource, StampedPose, TimeBase, Trajectory};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name};
use crate::text::number_rows::{Sample, each_number_row};
use crate::text::row_faults::RowFaults;
use crate::trajectory::heading::heading_rad;
use crate::trajectory::stamps;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "pose_log", title: "pose log", sniff, reader: Reader::Content(read) };

/// What the columns of a pose log are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PoseColumns {
    /// `x y theta t`, the order of Kleiner et al.
    #[default]
    XyThetaT,
    /// `t x y theta`.
    TXyTheta,
    /// `x y theta` without time.
    XyTheta,
}

impl PoseColumns {
    const fn count(self) -> usize {
        match self {
            Self::XyThetaT | Self::TXyTheta => 4,
            Self::XyTheta => 3,
        }
    }

    const fn row(self) -> &'static str {
        match self {
            Self::XyThetaT => "4 numbers x y theta t",
            Self::TXyTheta => "4 numbers t x y theta",
            Self::XyTheta => "3 numbers x y theta",
        }
    }

    /// The pose and the time, where there is one.
    const fn pose(self, [a, b, c, d]: [f64; 4]) -> (Pose2, Option<f64>) {
        match self {
            Self::XyThetaT => (Pose2::new(a, b, c), Some(d)),
            Self::TXyTheta => (Pose2::new(b, c, d), Some(a)),
            Self::XyTheta => (Pose2::new(a, b, c), None),
        }
    }
}

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let (four, three) = (Sample::<4>::of(bytes), Sample::<3>::of(bytes));
    let is_named = by_name(name, &[".poses", ".path"]) == Sniff::ByName;
    let is_four = four.mostly(|_| true) && (is_named || four.is_beyond_probabilities);
    let is_three = three.mostly(|_| true) && (is_named || three.is_beyond_probabilities);
    if is_four || is_three { Sniff::ByBytes } else { by_name(name, &[".poses", ".path"]) }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let columns = match options.pose_columns {
        PoseColumns::XyThetaT if Sample::<3>::of(input.source.head()).mostly(|_| true) => {
            PoseColumns::XyTheta
        }
        columns => columns,
    };
    let (mut poses, mut headings) = (Vec::new(), Vec::new());
    let mut faults = RowFaults::allowing(options.bad_rows);
    let expected = (&[columns.count()][..], columns.row());
    each_number_row(&mut input.source, &mut faults, expected, |_, numbers, _| {
        let (pose, time_s) = columns.pose(*numbers);
        let (world_from_robot, time_s) = (pose.into(), time_s.unwrap_or(poses.len() as f64));
        poses.push(StampedPose { time_s, world_from_robot, source: PoseSource::Measured });
        headings.push([pose.x_m, pose.y_m, pose.theta_rad]);
    })?;
    let mut findings = faults.findings(input.source.name(), poses.len(), "pose")?;
    findings.extend(headings_in_degrees(&headings));
    let time_base = if columns == PoseColumns::XyTheta {
        let message = "the file has no time stamps; poses are known by their number only";
        findings.push(Finding::new(Level::Info, "NO_TIME_STAMPS", message).hint("write x y theta t"));
        TimeBase::Index
    } else {
        findings.extend(doubtful_order(columns, &poses));
        findings.extend(stamps::settle(&mut poses));
        TimeBase::Seconds
    };
    let content = Content::Trajectory(Trajectory { time_base, dimension: Dimension::Planar, poses });
    Ok(ReadContent { content, findings })
}

/// A warning if headings of (x, y, heading) go beyond a turn and point along the path only if they are degrees.
fn headings_in_degrees(rows: &[[f64; 3]]) -> Option<Finding> {
    let beyond = rows.iter().filter(|row| row[2].abs() > std::f64::consts::TAU + 0.01).count();
    let largest = rows.iter().map(|row| row[2].abs()).fold(0.0, f64::max);
    if beyond == 0 || largest > 361.0 {
        return None;
    }
    // How far headings point away from the path, 0 to 1: along or against it counts alike, robots drive backward.
    let (mut moves, mut off_rad, mut off_deg) = (0.0, 0.0, 0.0);
    for (from, to) in rows.iter().zip(rows.iter().skip(1)) {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        if dx.hypot(dy) < 1e-3 {
            continue;
        }
        let along = dy.atan2(dx);
        moves += 1.0;
        off_rad += (from[2] - along).sin().abs();
        off_deg += (from[2].to_radians() - along).sin().abs();
    }
    (moves >= 5.0 && off_deg / moves < 0.35 && off_rad / moves > 0.45).then(|| {
        let message = format!(
            "{beyond} of {} headings are beyond a whole turn, and all point along the path if they are degrees",
            rows.len()
        );
        Finding::warning("HEADINGS_MAY_BE_DEGREES", message).hint("headings are read in radians: convert them")
    })
}

/// A warning if the last column runs backward while the first grows in every row: time may stand first.
fn doubtful_order(columns: PoseColumns, poses: &[StampedPose]) -> Option<Finding> {
    let pairs = || poses.iter().zip(poses.iter().skip(1));
    let first_grows =
        pairs().all(|(a, b)| a.world_from_robot.position_m[0] < b.world_from_robot.position_m[0]);
    let time_grows = pairs().all(|(a, b)| a.time_s <= b.time_s);
    let is_doubtful = columns == PoseColumns::XyThetaT && poses.len() > 2 && first_grows && !time_grows;
    let message =
        "columns were read as x y theta t, but the first one grows like a time and the last does not";
    is_doubtful.then(|| {
        Finding::warning("POSE_ORDER_DOUBTFUL", message)
            .hint("if the order is t x y theta, say so when reading")
    })
}

/// A trajectory in the plane as a pose log; height, roll and pitch are lost.
#[must_use]
pub fn write(trajectory: &Trajectory) -> String {
    let mut text = String::from("# x y theta t\n");
    for pose in &trajectory.poses {
        let [x, y, _] = pose.world_from_robot.position_m;
        let theta_rad = match trajectory.dimension {
            Dimension::Planar => heading_rad(pose.world_from_robot),
            Dimension::Spatial => pose.world_from_robot.planar().theta_rad,
        };
        // Writing into a string cannot fail.
        let _ = match trajectory.time_base {
            TimeBase::Seconds => writeln!(text, "{x:?} {y:?} {theta_rad:?} {:?}", pose.time_s),
            TimeBase::Index => writeln!(text, "{x:?} {y:?} {theta_rad:?}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use model::Pose3;
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{codes, document, trajectory};
    use crate::{NamedBytes, read_document_bytes};

    #[test]
    fn worked_example_11_e4() {
        let text = "# x y theta t\n1.0 2.0 0.5 10.0\n1.1, 2.0, 0.5, 10.1\n1 2 3\nnan 0 0 1\n\n";
        let document = document("team.txt", text).unwrap();
        let found = trajectory(&document);
        assert_eq!((document.format, found.poses.len(), found.dimension), ("pose_log", 2, Dimension::Planar));
        assert_eq!(found.poses[0].time_s, 10.0);
        assert_eq!(found.poses[1].world_from_robot, Pose3::from(Pose2::new(1.1, 2.0, 0.5)));
        assert_eq!(codes(&document), [("ROW_FIELDS", Some(4)), ("ROW_NOT_FINITE", Some(5))]);
        assert!(document.findings.iter().all(|finding| finding.level == Level::Error));
    }

    #[test]
    fn other_orders_are_read_when_told() {
        let text = "10 1 2 0.5\n11 2 2 -0.5\n12 1 2 0.25\n";
        let options = ReadOptions { pose_columns: PoseColumns::TXyTheta, ..ReadOptions::default() };
        let file = NamedBytes { name: "a.poses", bytes: text.as_bytes() };
        let read = read_document_bytes(file, &[], &options).unwrap();
        let second = trajectory(&read).poses[1];
        assert_eq!((second.time_s, second.world_from_robot), (11.0, Pose3::from(Pose2::new(2.0, 2.0, -0.5))));
        assert!(read.findings.is_empty());
        assert_eq!(codes(&document("a.poses", text).unwrap())[0].0, "POSE_ORDER_DOUBTFUL");
    }

    #[test]
    fn three_columns_have_no_time() {
        let document = document("nodes.dat", "0 0 0\n1 0 1.5708\n2.5 0 0\n").unwrap();
        let found = trajectory(&document);
        assert_eq!((found.time_base, found.poses[2].time_s), (TimeBase::Index, 2.0));
        assert_eq!(codes(&document), [("NO_TIME_STAMPS", None)]);
    }

    #[test]
    fn probabilities_stay_a_map() {
        assert_eq!(document("grid.txt", "0.5 0.25 1 0\n0 0 0 1\n").unwrap().format, "text_grid");
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(
            rows in prop::collection::vec((-1e6_f64..1e6, -1e6_f64..1e6, -3.1_f64..3.1, 0_f64..2e9), 1..20),
        ) {
            let poses = rows.iter().map(|&(x_m, y_m, theta_rad, time_s)| StampedPose {
                time_s,
                world_from_robot: Pose2::new(x_m, y_m, theta_rad).into(),
                source: PoseSource::Measured,
            });
            let written = Trajectory {
                time_base: TimeBase::Seconds,
                dimension: Dimension::Planar,
                poses: poses.collect(),
            };
            let read = document("a.poses", &write(&written)).unwrap();
            prop_assert_eq!(trajectory(&read), &written);
        }
    }
}
