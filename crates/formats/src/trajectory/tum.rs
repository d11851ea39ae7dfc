//! TUM trajectories: `t x y z qx qy qz qw` per line, seconds and metres, blanks between, `#` comments.
//!
//! Format: <https://cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats>. Real files also have commas, missing
//! columns, NaN, quaternions of length 0 or of another length than 1, and stamps in other units.
//!
//! A pose that is written and read is the same to the last bit. A quaternion whose length is not 1 to twelve
//! digits is made so by reading, which changes its last digits.

use std::fmt::Write;
use std::path::Path;

use model::{Dimension, Finding, Pose3, PoseSource, StampedPose, TimeBase, Trajectory};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name};
use crate::source::Source;
use crate::text::number_rows::{Sample, each_number_row};
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "tum", title: "TUM trajectory", sniff, reader: Reader::Content(read) };

/// What a row is, for messages.
const ROW: &str = "8 numbers t x y z qx qy qz qw";
/// Lengths of quaternions further from 1 than this are reported; six printed digits give 1e-6.
const LENGTH_TOLERANCE: f64 = 1e-3;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let sample = Sample::<8>::of(bytes);
    let is_named = by_name(name, &[".tum"]) == Sniff::ByName;
    let is_ours = sample.mostly(has_quaternion) && sample.is_beyond_probabilities;
    if is_ours || is_named && sample.looked_at > 0 { Sniff::ByBytes } else { by_name(name, &[".tum"]) }
}

/// True if the last four numbers have the length of a quaternion, or none at all.
pub(crate) fn has_quaternion(row: &[f64; 8]) -> bool {
    let length = length_of(row);
    length == 0.0 || (length - 1.0).abs() < 0.05
}

fn length_of(row: &[f64; 8]) -> f64 {
    row[4..].iter().map(|q| q * q).sum::<f64>().sqrt()
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let source = &mut input.source;
    let mut poses = Vec::with_capacity(expected_rows(source));
    let mut quaternions = Quaternions::default();
    let mut faults = RowFaults::allowing(options.bad_rows);
    let first_comma = each_number_row(source, &mut faults, (&[8], ROW), |row, numbers, faults| {
        if let Some(world_from_robot) = quaternions.pose(row.line, numbers, faults) {
            poses.push(StampedPose { time_s: numbers[0], world_from_robot, source: PoseSource::Measured });
        }
    })?;
    let mut findings = Vec::from_iter(first_comma.map(comma_finding));
    findings.extend(faults.findings(source.name(), poses.len(), "pose")?);
    findings.extend(quaternions.finding());
    findings.extend(stamps::settle(&mut poses));
    let content = Content::Trajectory(Trajectory {
        time_base: TimeBase::Seconds,
        dimension: Dimension::Spatial,
        poses,
    });
    Ok(ReadContent { content, findings })
}

/// The numbers of a TUM trajectory as they stand in the file, one row per pose. What `rows` held is replaced; who
/// reads many files keeps its memory, which takes a third of the time to get from the system.
///
/// # Errors
/// The file is missing, unreadable, too large or damaged, or a row has not eight finite numbers.
pub fn read_rows(path: &Path, rows: &mut Vec<[f64; 8]>) -> Result<(), ReadError> {
    crate::read::with_source(path, |source| {
        rows.clear();
        rows.reserve(expected_rows(source));
        let mut faults = RowFaults::default();
        each_number_row(source, &mut faults, (&[8], ROW), |_, row, _| rows.push(*row))?;
        let good_rows = if faults.is_empty() { rows.len() } else { 0 };
        faults.findings(source.name(), good_rows, "pose").map(|_| ())
    })
}

/// Rows that a file of this length and of lines as long as its first ones has, to allocate once.
fn expected_rows(source: &Source<'_>) -> usize {
    let lines = memchr::memchr_iter(b'\n', source.head()).count().max(1);
    let line_bytes = (source.head().len() / lines).max(16);
    usize::try_from(source.bytes()).unwrap_or(0) / line_bytes
}

/// What is said about commas where the format has blanks.
pub(crate) fn comma_finding(line: usize) -> Finding {
    let message = "commas stand between the fields; the format has blanks, and other programs refuse commas";
    Finding::warning("COMMA_SEPARATED", message).at_line(line).hint("write blanks")
}

/// Quaternions that were made to have length 1.
#[derive(Default)]
struct Quaternions {
    first_line: usize,
    count: usize,
}

impl Quaternions {
    fn pose(&mut self, line: usize, row: &[f64; 8], faults: &mut RowFaults) -> Option<Pose3> {
        let [_, x, y, z, quaternion @ ..] = *row;
        let pose = Pose3::new([x, y, z], quaternion);
        if pose.is_none() {
            let shown = format!("{quaternion:?}");
            faults.add("QUATERNION_ZERO", line, "a quaternion with a length", shown.as_bytes());
        } else if (length_of(row) - 1.0).abs() > LENGTH_TOLERANCE {
            self.count += 1;
            self.first_line = if self.count == 1 { line } else { self.first_line };
        }
        pose
    }

    fn finding(&self) -> Option<Finding> {
        let message = format!("{} quaternions have not the length 1; they were scaled to it", self.count);
        (self.count > 0).then(|| {
            Finding::warning("QUATERNION_NOT_UNIT", message)
                .at_line(self.first_line)
                .hint("check the order of the columns: qx qy qz qw")
        })
    }
}

/// A trajectory as TUM text, with the digits that give back the same numbers.
#[must_use]
pub fn write(trajectory: &Trajectory) -> String {
    let mut text = String::from("# timestamp tx ty tz qx qy qz qw\n");
    for pose in &trajectory.poses {
        let ([x, y, z], [qx, qy, qz, qw]) =
            (pose.world_from_robot.position_m, pose.world_from_robot.rotation_xyzw);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{:?} {x:?} {y:?} {z:?} {qx:?} {qy:?} {qz:?} {qw:?}", pose.time_s);
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Document, NamedBytes, read_document_bytes};

    /// Reads text under a name.
    pub fn document(name: &str, text: &str) -> Result<Document, ReadError> {
        read_document_bytes(NamedBytes { name, bytes: text.as_bytes() }, &[], &ReadOptions::default())
    }

    /// The trajectory of a document.
    pub fn trajectory(document: &Document) -> &Trajectory {
        match &document.content {
            Content::Trajectory(trajectory) => trajectory,
            other => panic!("{other:?}"),
        }
    }

    /// Codes and lines of findings.
    pub fn codes(document: &Document) -> Vec<(&str, Option<usize>)> {
        document.findings.iter().map(|finding| (finding.code.as_ref(), finding.line)).collect()
    }

    const GOOD: &str = "# t x y z q\n10.5 1 2 3 0 0 0 1\r\n11 -1.5 2e3 0 0 0 0.6 0.8";

    #[test]
    fn poses_are_read_with_their_stamps() {
        let document = document("path.txt", GOOD).unwrap();
        assert_eq!((document.format, document.findings.len()), ("tum", 0));
        let poses = &trajectory(&document).poses;
        assert_eq!(poses[0].world_from_robot.position_m, [1.0, 2.0, 3.0]);
        assert_eq!((poses[1].time_s, poses[1].world_from_robot.rotation_xyzw), (11.0, [0.0, 0.0, 0.6, 0.8]));
    }

    #[test]
    fn faulty_rows_are_left_out_and_named() {
        let text = "1 0 0 0 0 0 0 1\n2,0,0,0,0,0,0,1\n3 0 0 0 0 0 1\n4 0 nan 0 0 0 0 1\n5 0 0 0 0 0 0 0\n\
                    6 0 0 0 0 0 0 2\n7 0 0 x 0 0 0 1\n";
        let document = document("a.tum", text).unwrap();
        assert_eq!(trajectory(&document).poses.len(), 3);
        assert_eq!(
            codes(&document),
            [
                ("COMMA_SEPARATED", Some(2)),
                ("ROW_FIELDS", Some(3)),
                ("ROW_NOT_FINITE", Some(4)),
                ("QUATERNION_ZERO", Some(5)),
                ("ROW_NOT_NUMBERS", Some(7)),
                ("QUATERNION_NOT_UNIT", Some(6)),
            ]
        );
    }

    #[test]
    fn nanoseconds_are_noticed() {
        let document = document("a.tum", "1403636579763555584 0 0 0 0 0 0 1\n").unwrap();
        assert_eq!(codes(&document), [("TIME_UNIT_GUESSED", None)]);
        assert!((trajectory(&document).poses[0].time_s - 1_403_636_579.763_555_6).abs() < 1e-6);
    }

    #[test]
    fn a_file_without_any_pose_is_an_error() {
        for text in ["", "# nothing\n", "lorem ipsum\n", "1 2 3\n"] {
            let error = document("a.tum", text).unwrap_err();
            assert_eq!(error.file(), Some("a.tum"));
        }
    }

    /// Poses with unit quaternions.
    pub fn any_poses() -> impl Strategy<Value = Vec<StampedPose>> {
        let number = -1e7_f64..1e7;
        let quaternion = [-1.0_f64..1.0, -1.0_f64..1.0, -1.0_f64..1.0, 0.1_f64..1.0];
        let pose = (0.0..2e9_f64, [number.clone(), number.clone(), number], quaternion);
        let pose = pose.prop_map(|(time_s, position_m, quaternion)| StampedPose {
            time_s,
            world_from_robot: Pose3::new(position_m, quaternion).unwrap(),
            source: PoseSource::Measured,
        });
        prop::collection::vec(pose, 1..20)
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(poses in any_poses()) {
            let written = Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Spatial, poses };
            let read = document("a.tum", &write(&written)).unwrap();
            prop_assert_eq!(trajectory(&read), &written);
        }
    }
}
