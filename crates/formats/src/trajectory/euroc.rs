//! EuRoC ground truth: CSV with a `#` header; time in nanoseconds, x y z in metres, then the quaternion with w
//! first, then velocity and biases, 17 columns in all.
//!
//! Format: <https://projects.asl.ethz.ch/datasets/doku.php?id=kmavvisualinertialdatasets>. Only the first 8 columns
//! are used. Files with 8 columns and nanoseconds are read in the same way.

use model::{Dimension, Pose3, PoseSource, StampedPose, TimeBase, Trajectory};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::text::number_rows::{Sample, each_number_row};
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "euroc", title: "EuRoC trajectory", sniff, reader: Reader::Content(read) };

/// What a row is, for messages.
const ROW: &str = "a time in nanoseconds, x y z and qw qx qy qz";
/// Smaller stamps are no nanoseconds since 1970.
const MIN_NANOSECONDS: f64 = 1e17;

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let head = without_byte_order_mark(bytes);
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_titled =
        first.starts_with(b"#") && first.windows(4).any(|w| w == b"[ns]") && first.contains(&b',');
    let is_long = Sample::<17>::of(bytes).mostly(|row| row[0] >= MIN_NANOSECONDS);
    let has_commas = head.contains(&b',');
    let is_short = has_commas && Sample::<8>::of(bytes).mostly(|row| row[0] >= MIN_NANOSECONDS);
    if is_titled || is_long && has_commas || is_short { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut poses = Vec::new();
    let mut faults = RowFaults::allowing(options.bad_rows);
    each_number_row::<8>(&mut input.source, &mut faults, (&[8, 17], ROW), |row, numbers, faults| {
        let [stamp_ns, x, y, z, qw, qx, qy, qz] = *numbers;
        if let Some(world_from_robot) = Pose3::new([x, y, z], [qx, qy, qz, qw]) {
            let time_s = seconds_of(row.text, stamp_ns);
            poses.push(StampedPose { time_s, world_from_robot, source: PoseSource::Measured });
        } else {
            faults.add("QUATERNION_ZERO", row.line, "a quaternion with a length", row.text);
        }
    })?;
    let mut findings = faults.findings(input.source.name(), poses.len(), "pose")?;
    findings.extend(stamps::diagnose(poses.iter().map(|pose| pose.time_s), "poses"));
    let content = Content::Trajectory(Trajectory {
        time_base: TimeBase::Seconds,
        dimension: Dimension::Spatial,
        poses,
    });
    Ok(ReadContent { content, findings })
}

/// Seconds of the stamp at the start of a row. A double does not hold 19 digits, so the whole number is split
/// into seconds and nanoseconds first.
fn seconds_of(row: &[u8], stamp_ns: f64) -> f64 {
    let token = row.split(|byte| matches!(byte, b',' | b' ' | b'\t' | b';')).find(|token| !token.is_empty());
    let whole_ns: Option<u64> = token.and_then(|token| std::str::from_utf8(token).ok()?.parse().ok());
    match whole_ns {
        Some(whole_ns) => (whole_ns / 1_000_000_000) as f64 + (whole_ns % 1_000_000_000) as f64 / 1e9,
        None => stamp_ns / 1e9,
    }
}

#[cfg(test)]
mod tests {

    use crate::trajectory::tum::tests::{codes, document, trajectory};

    const HEADER: &str = "#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_w [],q_RS_x [],q_RS_y [],\
                          q_RS_z [],v_RS_R_x [m s^-1],v,v,b,b,b,b,b,b\n";

    #[test]
    fn the_quaternion_begins_with_w_and_time_is_nanoseconds() {
        let rows = "1403636580838555648,4.5,-1.5,0.75,0.6,0.8,0,0,0,0,0,0,0,0,0,0,0\r\n1403636580843555328,1,2,3,1,0,0,0,0,0,0,0,0,0,0,0,0";
        let document = document("data.csv", &format!("{HEADER}{rows}")).unwrap();
        assert_eq!((document.format, document.findings.len()), ("euroc", 0));
        let poses = &trajectory(&document).poses;
        assert_eq!(poses[0].time_s, 1_403_636_580.838_555_6);
        assert_eq!(poses[0].world_from_robot.position_m, [4.5, -1.5, 0.75]);
        assert_eq!(poses[0].world_from_robot.rotation_xyzw, [0.8, 0.0, 0.0, 0.6]);
    }

    #[test]
    fn rows_without_header_are_known_by_their_stamps() {
        let document =
            document("data.csv", "1403636580838555648,1,2,3,1,0,0,0\n1403636580838555648,1,x\n").unwrap();
        assert_eq!((document.format, codes(&document)), ("euroc", vec![("ROW_FIELDS", Some(2))]));
    }

    #[test]
    fn a_header_alone_is_an_error() {
        assert!(document("data.csv", HEADER).unwrap_err().to_string().contains("at least one pose"));
    }
}
