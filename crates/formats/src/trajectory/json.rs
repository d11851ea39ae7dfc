//! JSON for scripts: a trajectory (`mapjudge.trajectory/1`) or relations (`mapjudge.relations/1`). Our own format.
//!
//! ```text
//! {"schema": "mapjudge.trajectory/1", "time_base": "seconds", "dimension": "planar",
//!  "poses": [{"time_s": 1.5, "x_m": 2.0, "y_m": 3.0, "theta_rad": 0.5}]}
//! {"schema": "mapjudge.relations/1",
//!  "relations": [{"from_s": 1.5, "to_s": 2.5, "translation_m": [1.0, 0.0, 0.0], "roll_pitch_yaw_rad": [0.0, 0.0, 0.5]}]}
//! ```
//!
//! Spatial poses have `z_m` and `quaternion_xyzw` instead of `theta_rad`. With the time base `index`, `time_s` is the
//! number of the pose. What is written is read back to the last bit.

use model::{Dimension, Pose2, Pose3, PoseSource, Relation, StampedPose, TimeBase, Trajectory};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::text::table_limits::too_long;
use crate::trajectory::heading::heading_rad;
use crate::trajectory::stamps;
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "json", title: "JSON of poses or relations", sniff, reader: Reader::Content(read) };

const TRAJECTORY: &str = "mapjudge.trajectory/1";
const RELATIONS: &str = "mapjudge.relations/1";
/// The largest file: half a million poses. A pose of 30 bytes takes 100 in memory.
const MAX_JSON_BYTES: u64 = 1 << 26;
/// Bytes in which the schema is looked for.
const SNIFFED_BYTES: usize = 1 << 12;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrajectoryFile {
    schema: String,
    time_base: TimeBaseName,
    dimension: DimensionName,
    poses: Vec<PoseRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TimeBaseName {
    Seconds,
    Index,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DimensionName {
    Planar,
    Spatial,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PoseRow {
    time_s: f64,
    x_m: f64,
    y_m: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    theta_rad: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    z_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quaternion_xyzw: Option<[f64; 4]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RelationsFile {
    schema: String,
    relations: Vec<RelationRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RelationRow {
    from_s: f64,
    to_s: f64,
    translation_m: [f64; 3],
    roll_pitch_yaw_rad: [f64; 3],
}

/// The schema that the first bytes name.
fn schema_of(head: &[u8]) -> Option<&'static str> {
    let text = without_byte_order_mark(head).trim_ascii_start();
    let text = &text[..text.len().min(SNIFFED_BYTES)];
    let names = |schema: &str| {
        let quoted = format!("\"{schema}\"");
        text.windows(quoted.len()).any(|window| window == quoted.as_bytes())
    };
    [TRAJECTORY, RELATIONS].into_iter().find(|schema| text.starts_with(b"{") && names(schema))
}

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    if schema_of(bytes).is_some() { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    if input.source.bytes() > MAX_JSON_BYTES {
        return Err(too_long(input.source.name(), MAX_JSON_BYTES, input.source.bytes()));
    }
    let (file, bytes) = input.source.whole()?;
    if bytes.len() as u64 > MAX_JSON_BYTES {
        return Err(too_long(file, MAX_JSON_BYTES, bytes.len() as u64));
    }
    if schema_of(bytes) == Some(RELATIONS) {
        let RelationsFile { relations, .. } = parsed(file, bytes)?;
        let relation = |RelationRow { from_s, to_s, translation_m, roll_pitch_yaw_rad }| Relation {
            from_s,
            to_s,
            translation_m,
            roll_pitch_yaw_rad,
        };
        let content = Content::Relations(relations.into_iter().map(relation).collect());
        return Ok(ReadContent { content, findings: Vec::new() });
    }
    let TrajectoryFile { time_base, dimension, poses, .. } = parsed(file, bytes)?;
    let poses = poses.iter().enumerate().map(|(index, row)| pose_of(file, index, row, &dimension));
    let poses = poses.collect::<Result<Vec<_>, _>>()?;
    let (time_base, findings) = match time_base {
        TimeBaseName::Index => (TimeBase::Index, Vec::new()),
        TimeBaseName::Seconds => {
            (TimeBase::Seconds, stamps::diagnose(poses.iter().map(|pose| pose.time_s), "poses"))
        }
    };
    let dimension = match dimension {
        DimensionName::Planar => Dimension::Planar,
        DimensionName::Spatial => Dimension::Spatial,
    };
    let content = Content::Trajectory(Trajectory { time_base, dimension, poses });
    Ok(ReadContent { content, findings })
}

fn parsed<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, ReadError> {
    serde_json::from_slice(without_byte_order_mark(bytes)).map_err(|error| {
        let expected = format!("JSON of the schema {TRAJECTORY} or {RELATIONS}");
        ReadError::malformed(file, Place::Line(error.line()), expected, error.to_string())
    })
}

fn pose_of(
    file: &str,
    index: usize,
    row: &PoseRow,
    dimension: &DimensionName,
) -> Result<StampedPose, ReadError> {
    let (x_m, y_m) = (row.x_m, row.y_m);
    let (pose, expected) = match (dimension, row.theta_rad, row.z_m, row.quaternion_xyzw) {
        (DimensionName::Planar, Some(theta_rad), None, None) => {
            (Some(Pose3::from(Pose2::new(x_m, y_m, theta_rad))), "")
        }
        (DimensionName::Planar, ..) => (None, "theta_rad alone"),
        (DimensionName::Spatial, None, Some(z_m), Some(quaternion)) => {
            (Pose3::new([x_m, y_m, z_m], quaternion), "a quaternion with a length")
        }
        (DimensionName::Spatial, ..) => (None, "z_m and quaternion_xyzw"),
    };
    let world_from_robot = pose.ok_or_else(|| {
        let found = serde_json::to_string(row).unwrap_or_default();
        ReadError::malformed(file, Place::Field(format!("poses[{index}]")), expected, found)
    })?;
    Ok(StampedPose { time_s: row.time_s, world_from_robot, source: PoseSource::Measured })
}

/// A trajectory as JSON.
#[must_use]
pub fn write_poses(trajectory: &Trajectory) -> String {
    let row = |StampedPose { time_s, world_from_robot: pose, .. }: &StampedPose| {
        let [x_m, y_m, z_m] = pose.position_m;
        let planar = PoseRow { time_s: *time_s, x_m, y_m, theta_rad: None, z_m: None, quaternion_xyzw: None };
        match trajectory.dimension {
            Dimension::Planar => PoseRow { theta_rad: Some(heading_rad(*pose)), ..planar },
            Dimension::Spatial => {
                PoseRow { z_m: Some(z_m), quaternion_xyzw: Some(pose.rotation_xyzw), ..planar }
            }
        }
    };
    let file = TrajectoryFile {
        schema: TRAJECTORY.to_owned(),
        time_base: match trajectory.time_base {
            TimeBase::Seconds => TimeBaseName::Seconds,
            TimeBase::Index => TimeBaseName::Index,
        },
        dimension: match trajectory.dimension {
            Dimension::Planar => DimensionName::Planar,
            Dimension::Spatial => DimensionName::Spatial,
        },
        poses: trajectory.poses.iter().map(row).collect(),
    };
    written(&file)
}

#[must_use]
pub fn write_relations(relations: &[Relation]) -> String {
    let row = |relation: &Relation| RelationRow {
        from_s: relation.from_s,
        to_s: relation.to_s,
        translation_m: relation.translation_m,
        roll_pitch_yaw_rad: relation.roll_pitch_yaw_rad,
    };
    written(&RelationsFile { schema: RELATIONS.to_owned(), relations: relations.iter().map(row).collect() })
}

/// One line of JSON. Names and numbers alone cannot fail to be written.
fn written(file: &impl Serialize) -> String {
    serde_json::to_string(file).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::named_csv::tests::{any_relations, any_trajectory};
    use crate::trajectory::tum::tests::{document, trajectory};

    #[test]
    fn the_examples_above_are_read() {
        let text = r#"{"schema": "mapjudge.trajectory/1", "time_base": "seconds", "dimension": "planar",
            "poses": [{"time_s": 1.5, "x_m": 2.0, "y_m": 3.0, "theta_rad": 0.5}]}"#;
        let read = document("a.json", text).unwrap();
        assert_eq!((read.format, trajectory(&read).dimension), ("json", Dimension::Planar));
        assert_eq!(trajectory(&read).poses[0].world_from_robot, Pose2::new(2.0, 3.0, 0.5).into());
    }

    #[test]
    fn poses_of_another_dimension_are_refused_by_their_number() {
        for (pose, reason) in [
            (r#""z_m": 1, "quaternion_xyzw": [0,0,0,1]"#, "poses[0]': expected theta_rad alone"),
            (r#""heading": 1"#, "unknown field `heading`"),
        ] {
            let text = format!(
                "{{\"schema\": \"{TRAJECTORY}\", \"time_base\": \"index\", \"dimension\": \"planar\", \
                 \"poses\": [{{\"time_s\": 0, \"x_m\": 0, \"y_m\": 0, {pose}}}]}}"
            );
            let error = document("a.json", &text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    proptest! {
        #[test]
        fn trajectories_come_back(written in any_trajectory()) {
            let read = document("a.json", &write_poses(&written)).unwrap();
            prop_assert_eq!(trajectory(&read), &written);
        }

        #[test]
        fn relations_come_back(written in any_relations()) {
            let read = document("a.json", &write_relations(&written)).unwrap();
            prop_assert_eq!(read.content, Content::Relations(written));
        }
    }
}
