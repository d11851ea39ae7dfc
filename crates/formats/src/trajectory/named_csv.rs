//! CSV with named columns, for spreadsheets and scripts: a trajectory or relations. Our own format.
//!
//! The first line decides. Numbers have a point, units stand in the names, angles are in radians:
//!
//! ```text
//! time_s,x_m,y_m,theta_rad                               planar poses
//! time_s,x_m,y_m,z_m,qx,qy,qz,qw                         spatial poses
//! from_s,to_s,x_m,y_m,z_m,roll_rad,pitch_rad,yaw_rad     relations
//! ```
//!
//! Where only the order of poses is known, `index` stands for `time_s`. What is written is read back to the last bit.

use std::fmt::Write;

use model::{Dimension, Pose2, Pose3, PoseSource, Relation, StampedPose, TimeBase, Trajectory};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::text::lines::each_line;
use crate::text::number_rows::read_row;
use crate::text::row_faults::RowFaults;
use crate::trajectory::heading::heading_rad;
use crate::trajectory::stamps;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "named_csv", title: "CSV of poses or relations", sniff, reader: Reader::Content(read) };

const PLANAR: &str = "x_m,y_m,theta_rad";
const SPATIAL: &str = "x_m,y_m,z_m,qx,qy,qz,qw";
const RELATIONS: &str = "from_s,to_s,x_m,y_m,z_m,roll_rad,pitch_rad,yaw_rad";

/// What the rows are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Poses(TimeBase, Dimension),
    Relations,
}

impl Rows {
    /// What the first line announces.
    fn of_head(head: &[u8]) -> Option<Self> {
        let line = without_byte_order_mark(head).split(|byte| *byte == b'\n').next()?;
        let names: Vec<&str> = std::str::from_utf8(line).ok()?.trim().split(',').map(str::trim).collect();
        let is = |expected: &str, names: &[&str]| expected.split(',').eq(names.iter().copied());
        let (first, others) = names.split_first()?;
        let time_base = match *first {
            "time_s" => TimeBase::Seconds,
            "index" => TimeBase::Index,
            _ => return is(RELATIONS, &names).then_some(Self::Relations),
        };
        if is(PLANAR, others) {
            return Some(Self::Poses(time_base, Dimension::Planar));
        }
        is(SPATIAL, others).then_some(Self::Poses(time_base, Dimension::Spatial))
    }

    fn header(self) -> String {
        match self {
            Self::Relations => RELATIONS.to_owned(),
            Self::Poses(time_base, dimension) => {
                let time = if time_base == TimeBase::Seconds { "time_s" } else { "index" };
                format!("{time},{}", if dimension == Dimension::Planar { PLANAR } else { SPATIAL })
            }
        }
    }

    const fn columns(self) -> usize {
        if matches!(self, Self::Poses(_, Dimension::Planar)) { 4 } else { 8 }
    }
}

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    if Rows::of_head(bytes).is_some() { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let rows = Rows::of_head(input.source.head()).unwrap_or(Rows::Relations);
    let mut faults = RowFaults::default();
    let (mut poses, mut relations) = (Vec::new(), Vec::new());
    each_line(&mut input.source, |line, text| {
        let mut numbers = [0.0; 8];
        let row = read_row(text, &mut numbers);
        if line == 1 || row.fields == 0 {
            return Ok(());
        }
        if row.fields != rows.columns() || row.is_unreadable {
            faults.add_row(line, row, (rows.columns(), &format!("numbers {}", rows.header())), text);
        } else if !numbers.iter().all(|number| number.is_finite()) {
            faults.add("ROW_NOT_FINITE", line, "finite numbers", text);
        } else if let Rows::Poses(_, dimension) = rows {
            match pose_of(&numbers, dimension) {
                Some(pose) => poses.push(pose),
                None => faults.add("QUATERNION_ZERO", line, "a quaternion with a length", text),
            }
        } else {
            relations.push(relation_of(numbers));
        }
        Ok(())
    })?;
    let file = input.source.name();
    let Rows::Poses(time_base, dimension) = rows else {
        let findings = faults.findings(file, relations.len(), "relation")?;
        return Ok(ReadContent { content: Content::Relations(relations), findings });
    };
    let mut findings = faults.findings(file, poses.len(), "pose")?;
    if time_base == TimeBase::Seconds {
        findings.extend(stamps::diagnose(poses.iter().map(|pose| pose.time_s), "poses"));
    }
    let content = Content::Trajectory(Trajectory { time_base, dimension, poses });
    Ok(ReadContent { content, findings })
}

fn pose_of(numbers: &[f64; 8], dimension: Dimension) -> Option<StampedPose> {
    let [time_s, x_m, y_m, third, quaternion @ ..] = *numbers;
    let world_from_robot = match dimension {
        Dimension::Planar => Pose3::from(Pose2::new(x_m, y_m, third)),
        Dimension::Spatial => Pose3::new([x_m, y_m, third], quaternion)?,
    };
    Some(StampedPose { time_s, world_from_robot, source: PoseSource::Measured })
}

fn relation_of([from_s, to_s, x, y, z, roll, pitch, yaw]: [f64; 8]) -> Relation {
    Relation { from_s, to_s, translation_m: [x, y, z], roll_pitch_yaw_rad: [roll, pitch, yaw] }
}

/// A trajectory as CSV with named columns.
#[must_use]
pub fn write_poses(trajectory: &Trajectory) -> String {
    let mut text = Rows::Poses(trajectory.time_base, trajectory.dimension).header() + "\n";
    for StampedPose { time_s, world_from_robot: pose, .. } in &trajectory.poses {
        let ([x, y, z], [qx, qy, qz, qw]) = (pose.position_m, pose.rotation_xyzw);
        // Writing into a string cannot fail.
        let _ = match trajectory.dimension {
            Dimension::Planar => writeln!(text, "{time_s:?},{x:?},{y:?},{:?}", heading_rad(*pose)),
            Dimension::Spatial => writeln!(text, "{time_s:?},{x:?},{y:?},{z:?},{qx:?},{qy:?},{qz:?},{qw:?}"),
        };
    }
    text
}

/// Relations as CSV with named columns.
#[must_use]
pub fn write_relations(relations: &[Relation]) -> String {
    let mut text = Rows::Relations.header() + "\n";
    for Relation { from_s, to_s, translation_m: [x, y, z], roll_pitch_yaw_rad: [roll, pitch, yaw] } in
        relations
    {
        let _ = writeln!(text, "{from_s:?},{to_s:?},{x:?},{y:?},{z:?},{roll:?},{pitch:?},{yaw:?}");
    }
    text
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{any_poses, codes, document, trajectory};

    /// Trajectories of both dimensions and time bases.
    pub fn any_trajectory() -> impl Strategy<Value = Trajectory> {
        (any_poses(), any::<bool>(), any::<bool>()).prop_map(|(mut poses, is_planar, has_time)| {
            for (index, pose) in poses.iter_mut().enumerate() {
                if is_planar {
                    pose.world_from_robot = pose.world_from_robot.planar().into();
                }
                pose.time_s = if has_time { pose.time_s } else { index as f64 };
            }
            let dimension = if is_planar { Dimension::Planar } else { Dimension::Spatial };
            let time_base = if has_time { TimeBase::Seconds } else { TimeBase::Index };
            Trajectory { time_base, dimension, poses }
        })
    }

    /// Relations of any size.
    pub fn any_relations() -> impl Strategy<Value = Vec<Relation>> {
        let number = -1e7_f64..1e7;
        prop::collection::vec(prop::array::uniform8(number).prop_map(relation_of), 1..20)
    }

    #[test]
    fn the_first_line_says_what_the_rows_are() {
        let read = document("a.csv", "time_s,x_m,y_m,theta_rad\n1.5,2,3,0.5\n2.5,2,4,0.25\r\n").unwrap();
        assert_eq!((read.format, trajectory(&read).poses.len()), ("named_csv", 2));
        assert_eq!(trajectory(&read).poses[0].world_from_robot, Pose2::new(2.0, 3.0, 0.5).into());
        let read = document("a.csv", &format!("\u{feff}{RELATIONS}\n1,2,3,4,5,6,7,8\n")).unwrap();
        let expected = relation_of([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!(read.content, Content::Relations(vec![expected]));
    }

    #[test]
    fn faulty_rows_are_left_out_and_named() {
        let text =
            "index,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,0\n2,0,0\n3,nan,0,0,0,0,0,1\n";
        let read = document("a.csv", text).unwrap();
        assert_eq!(trajectory(&read).poses.len(), 1);
        let expected = [("QUATERNION_ZERO", Some(3)), ("ROW_FIELDS", Some(4)), ("ROW_NOT_FINITE", Some(5))];
        assert_eq!(codes(&read), expected);
        assert!(document("a.csv", "time_s,x_m,y_m,theta_rad\n").is_err());
    }

    proptest! {
        #[test]
        fn trajectories_come_back(written in any_trajectory()) {
            let read = document("a.csv", &write_poses(&written)).unwrap();
            prop_assert_eq!(trajectory(&read), &written);
        }

        #[test]
        fn relations_come_back(written in any_relations()) {
            let read = document("a.csv", &write_relations(&written)).unwrap();
            prop_assert_eq!(read.content, Content::Relations(written));
        }
    }
}
