//! KITTI odometry poses: 12 numbers per line, the first three rows of the 4 x 4 matrix, row by row.
//!
//! Format: <https://www.cvlibs.net/datasets/kitti/eval_odometry.php>. A frame number may stand in front. The file
//! has no times: they come from `NAME_times.txt` or `times.txt` beside it, one number of seconds per line, else
//! the stamp is the number of the pose.
//!
//! A matrix becomes a quaternion and back with rounding, so poses come back to about 1e-15, not to the last bit.

use std::fmt::Write;

use model::{Dimension, Finding, Level, Pose3, PoseSource, StampedPose, TimeBase, Trajectory};

use crate::format::{Companions, Format, Input, ReadContent, Reader, Sniff, by_name};
use crate::text::lines::each_line;
use crate::text::number_rows::{NumberRow, Sample, each_number_row, read_row};
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps;
use crate::trajectory::tum::comma_finding;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "kitti", title: "KITTI poses", sniff, reader: Reader::Content(read) };

/// What a row is, for messages.
const ROW: &str = "12 numbers of a 3 x 4 matrix";

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let plain = Sample::<12>::of(bytes);
    let numbered = Sample::<13>::of(bytes);
    let is_named = by_name(name, &[".kitti"]) == Sniff::ByName;
    let is_plain =
        plain.mostly(|row| Pose3::of_matrix(*row).is_some()) && (is_named || plain.is_beyond_probabilities);
    let is_numbered = numbered.mostly(|row| pose_of(&row[1..]).is_some());
    if is_plain || is_numbered { Sniff::ByBytes } else { by_name(name, &[".kitti"]) }
}

fn pose_of(matrix: &[f64]) -> Option<Pose3> {
    Pose3::of_matrix(matrix.try_into().ok()?)
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut faults = RowFaults::allowing(options.bad_rows);
    let mut poses = Vec::new();
    let each = |row: NumberRow<'_>, numbers: &[f64; 13], faults: &mut RowFaults| {
        let matrix = if row.fields == 12 { &numbers[..12] } else { &numbers[1..] };
        if let Some(world_from_robot) = pose_of(matrix) {
            let time_s = poses.len() as f64;
            poses.push(StampedPose { time_s, world_from_robot, source: PoseSource::Measured });
        } else {
            let expected = "a matrix whose first three columns are a rotation";
            faults.add("NO_ROTATION", row.line, expected, row.text);
        }
    };
    let first_comma = each_number_row(&mut input.source, &mut faults, (&[12, 13], ROW), each)?;
    let file = input.source.name().to_owned();
    let mut findings = Vec::from_iter(first_comma.map(comma_finding));
    findings.extend(faults.findings(&file, poses.len(), "pose")?);
    let time_base = take_times(&file, input.companions, &mut poses, &mut findings)?;
    let content = Content::Trajectory(Trajectory { time_base, dimension: Dimension::Spatial, poses });
    Ok(ReadContent { content, findings })
}

/// Takes the stamps from the file of times beside the poses, if there is one that fits.
fn take_times(
    file: &str,
    companions: &mut dyn Companions,
    poses: &mut [StampedPose],
    findings: &mut Vec<Finding>,
) -> Result<TimeBase, ReadError> {
    let Some(name) = times_names(file).into_iter().find(|name| companions.exists(name)) else {
        let message = "the file has no time stamps; poses are known by their number only";
        let hint = "put the times, one per line, into NAME_times.txt or times.txt beside it";
        findings.push(Finding::new(Level::Info, "NO_TIME_STAMPS", message).hint(hint));
        return Ok(TimeBase::Index);
    };
    let times_s = read_times(companions, &name)?;
    let shown = companions.shown_path(&name);
    if times_s.len() != poses.len() {
        let message =
            format!("{shown} has {} times for {} poses; they were not used", times_s.len(), poses.len());
        findings.push(Finding::new(Level::Error, "TIMES_DO_NOT_FIT", message));
        return Ok(TimeBase::Index);
    }
    for (pose, time_s) in poses.iter_mut().zip(times_s) {
        pose.time_s = time_s;
    }
    findings.push(Finding::new(Level::Info, "TIMES_FROM_FILE", format!("the time stamps come from {shown}")));
    findings.extend(stamps::settle(poses));
    Ok(TimeBase::Seconds)
}

/// Names under which the times of a file of poses may stand.
fn times_names(file: &str) -> [String; 2] {
    let file = crate::compression::unpacked_name(file);
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    [format!("{stem}_times.txt"), "times.txt".to_owned()]
}

fn read_times(companions: &mut dyn Companions, name: &str) -> Result<Vec<f64>, ReadError> {
    let mut source = companions.open(name)?;
    let file = source.name().to_owned();
    let mut times_s = Vec::new();
    each_line(&mut source, |line, text| {
        let mut time_s = [0.0];
        let row = read_row(text, &mut time_s);
        if row.fields > 1 || row.is_unreadable || !time_s[0].is_finite() {
            let (place, found) = (crate::Place::Line(line), crate::error::excerpt(text));
            return Err(ReadError::malformed(&file, place, "one number of seconds", found));
        }
        if row.fields == 1 {
            times_s.push(time_s[0]);
        }
        Ok(())
    })?;
    Ok(times_s)
}

/// A trajectory as KITTI poses, without its times.
#[must_use]
pub fn write(trajectory: &Trajectory) -> String {
    let mut text = String::new();
    for pose in &trajectory.poses {
        let matrix = pose.world_from_robot.matrix();
        for (place, number) in matrix.iter().enumerate() {
            let blank = if place == 0 { "" } else { " " };
            // Writing into a string cannot fail.
            let _ = write!(text, "{blank}{number:?}");
        }
        text.push('\n');
    }
    text
}

/// The times that belong beside [`write()`], one number of seconds per line.
#[must_use]
pub fn write_times(trajectory: &Trajectory) -> String {
    trajectory.poses.iter().map(|pose| format!("{:?}\n", pose.time_s)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{any_poses, codes, document, trajectory};
    use crate::{NamedBytes, read_document_bytes};

    const TWO: &str = "1 0 0 4 0 1 0 5 0 0 1 6\n0 -1 0 1 1 0 0 2 0 0 1 3\n";

    fn with_times(times: &str) -> crate::Document {
        let beside = [NamedBytes { name: "00_times.txt", bytes: times.as_bytes() }];
        let file = NamedBytes { name: "00.txt", bytes: TWO.as_bytes() };
        read_document_bytes(file, &beside, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn without_times_a_pose_has_its_number() {
        let document = document("00.txt", TWO).unwrap();
        let found = trajectory(&document);
        assert_eq!((document.format, found.time_base), ("kitti", TimeBase::Index));
        assert_eq!(
            (found.poses[1].time_s, found.poses[1].world_from_robot.position_m),
            (1.0, [1.0, 2.0, 3.0])
        );
        // A quarter turn to the left.
        assert!(
            (found.poses[1].world_from_robot.planar().theta_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-12
        );
        assert_eq!(codes(&document), [("NO_TIME_STAMPS", None)]);
    }

    #[test]
    fn times_beside_the_poses_are_taken_if_they_fit() {
        let document = with_times("0\n0.1\n");
        assert_eq!(trajectory(&document).poses[1].time_s, 0.1);
        assert_eq!((codes(&document), document.sources.len()), (vec![("TIMES_FROM_FILE", None)], 2));
        let document = with_times("0\n");
        assert_eq!(trajectory(&document).time_base, TimeBase::Index);
        assert_eq!(codes(&document), [("TIMES_DO_NOT_FIT", None)]);
    }

    #[test]
    fn a_frame_number_may_stand_in_front() {
        let document = document("a.txt", "7 1 0 0 4 0 1 0 5 0 0 1 6\n").unwrap();
        assert_eq!(trajectory(&document).poses[0].world_from_robot.position_m, [4.0, 5.0, 6.0]);
    }

    #[test]
    fn what_is_no_rotation_is_left_out() {
        let document = document("a.kitti", &format!("{TWO}2 0 0 0 0 1 0 0 0 0 1 0\n1 2\n")).unwrap();
        let lines: Vec<_> = codes(&document).into_iter().take(2).collect();
        assert_eq!(lines, [("NO_ROTATION", Some(3)), ("ROW_FIELDS", Some(4))]);
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back_to_twelve_digits(poses in any_poses()) {
            let written = Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Spatial, poses };
            let (text, times) = (write(&written), write_times(&written));
            let beside = [NamedBytes { name: "a_times.txt", bytes: times.as_bytes() }];
            let file = NamedBytes { name: "a.kitti", bytes: text.as_bytes() };
            let read = read_document_bytes(file, &beside, &ReadOptions::default()).unwrap();
            let read = trajectory(&read);
            prop_assert_eq!(read.poses.len(), written.poses.len());
            for (read, written) in read.poses.iter().zip(&written.poses) {
                prop_assert_eq!(read.time_s, written.time_s);
                prop_assert_eq!(read.world_from_robot.position_m, written.world_from_robot.position_m);
                let pairs = read.world_from_robot.matrix().into_iter().zip(written.world_from_robot.matrix());
                prop_assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs())));
            }
        }
    }
}
