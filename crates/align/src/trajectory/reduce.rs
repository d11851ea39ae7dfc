//! Fewer poses of a trajectory: a time range, evenly spaced ones, those after some motion; and planes.

use model::{Pose3, StampedPose, Trajectory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plane through the origin onto which poses are projected, or none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Plane {
    /// Heights, rolls and pitches become 0.
    Xy,
    /// y, rolls and yaws become 0.
    Xz,
    /// x, pitches and yaws become 0.
    Yz,
    /// No plane: poses stay as they are, also where a planar estimate meets a truth in space.
    Space,
}

impl Plane {
    /// The pose in the plane: the coordinate along the normal is 0, of the rotation R = Rz Ry Rx the angle about the
    /// normal stays.
    #[must_use]
    pub fn projected(self, pose: Pose3) -> Pose3 {
        let normal = match self {
            Self::Yz => 0,
            Self::Xz => 1,
            Self::Xy => 2,
            Self::Space => return pose,
        };
        let (mut position_m, angles) = (pose.position_m, pose.roll_pitch_yaw());
        position_m[normal] = 0.0;
        let mut kept = [0.0; 3];
        kept[normal] = angles[normal];
        Pose3::of_roll_pitch_yaw(position_m, kept)
    }
}

/// The poses from `start_s` to `end_s`, both included.
#[must_use]
pub fn in_time_range(trajectory: &Trajectory, start_s: Option<f64>, end_s: Option<f64>) -> Trajectory {
    let is_inside = |pose: &&StampedPose| {
        start_s.is_none_or(|start_s| pose.time_s >= start_s) && end_s.is_none_or(|end_s| pose.time_s <= end_s)
    };
    with_poses(trajectory, trajectory.poses.iter().filter(is_inside).copied().collect())
}

/// At most `count` poses, evenly spaced by their number, the first and the last among them.
#[must_use]
pub fn downsampled(trajectory: &Trajectory, count: usize) -> Trajectory {
    let all = trajectory.poses.len();
    if all <= count || count == 0 {
        return trajectory.clone();
    }
    let step = if count > 1 { (all - 1) as f64 / (count - 1) as f64 } else { 0.0 };
    // The last one is exact, whatever the steps add up to.
    let index = |k: usize| if count > 1 && k + 1 == count { all - 1 } else { (k as f64 * step) as usize };
    with_poses(trajectory, (0..count).map(|k| trajectory.poses[index(k).min(all - 1)]).collect())
}

/// The first pose, and each pose that is `distance_m` of path or `angle_rad` of rotation away from the last kept one.
#[must_use]
pub fn after_motion(trajectory: &Trajectory, distance_m: f64, angle_rad: f64) -> Trajectory {
    let mut kept: Vec<StampedPose> = Vec::new();
    let (mut path_m, mut kept_m) = (0.0, 0.0);
    let mut last: Option<Pose3> = None;
    for stamped in &trajectory.poses {
        let pose = stamped.world_from_robot;
        path_m += last.map_or(0.0, |last| distance(last, pose));
        last = Some(pose);
        let is_far = kept.last().is_none_or(|from| {
            let relative = from.world_from_robot.inverse() * pose;
            path_m - kept_m >= distance_m || model::Rigid::angle_rad(relative) >= angle_rad
        });
        if is_far {
            kept.push(*stamped);
            kept_m = path_m;
        }
    }
    with_poses(trajectory, kept)
}

fn distance(a: Pose3, b: Pose3) -> f64 {
    a.position_m.iter().zip(b.position_m).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt()
}

fn with_poses(trajectory: &Trajectory, poses: Vec<StampedPose>) -> Trajectory {
    Trajectory { time_base: trajectory.time_base, dimension: trajectory.dimension, poses }
}

#[cfg(test)]
mod tests {
    use model::{Dimension, Pose2, PoseSource, TimeBase};

    use super::*;

    /// Poses of (x, heading in degrees) at whole seconds.
    fn run(rows: &[(f64, f64)]) -> Trajectory {
        let pose = |(time_s, &(x_m, deg)): (u32, &(f64, f64))| StampedPose {
            time_s: f64::from(time_s),
            world_from_robot: Pose2::new(x_m, 0.0, deg.to_radians()).into(),
            source: PoseSource::Measured,
        };
        let poses = (0..).zip(rows).map(pose).collect();
        Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses }
    }

    fn times(trajectory: &Trajectory) -> Vec<f64> {
        trajectory.poses.iter().map(|pose| pose.time_s).collect()
    }

    fn still(count: usize) -> Trajectory {
        run(&vec![(0.0, 0.0); count])
    }

    #[test]
    fn a_time_range_includes_its_ends() {
        assert_eq!(times(&in_time_range(&still(6), Some(2.0), Some(4.0))), [2.0, 3.0, 4.0]);
        assert_eq!(times(&in_time_range(&still(3), None, Some(0.5))), [0.0]);
        assert!(in_time_range(&still(3), Some(9.0), None).poses.is_empty());
    }

    #[test]
    fn evenly_spaced_poses_include_the_first_and_the_last() {
        // As numpy's linspace(0, 9, 4, dtype=int): 0, 3, 6, 9; and of 11 poses 0, 3, 6, 10.
        assert_eq!(times(&downsampled(&still(10), 4)), [0.0, 3.0, 6.0, 9.0]);
        assert_eq!(times(&downsampled(&still(11), 4)), [0.0, 3.0, 6.0, 10.0]);
        assert_eq!(times(&downsampled(&still(3), 9)), [0.0, 1.0, 2.0]);
        assert_eq!(times(&downsampled(&still(3), 1)), [0.0]);
    }

    #[test]
    fn motion_is_the_path_since_the_last_kept_pose_or_the_rotation_against_it() {
        // Back and forth adds up: 0.6 + 0.6 m at the third pose. Then 20 degrees at the fifth.
        let moved = run(&[(0.0, 0.0), (0.6, 0.0), (0.0, 0.0), (0.0, 10.0), (0.0, 20.0), (0.1, 20.0)]);
        assert_eq!(times(&after_motion(&moved, 1.0, 15_f64.to_radians())), [0.0, 2.0, 4.0]);
        assert!(after_motion(&run(&[]), 1.0, 1.0).poses.is_empty());
    }

    #[test]
    fn a_projected_pose_keeps_the_angle_about_the_normal() {
        let pose = Pose3::of_roll_pitch_yaw([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]);
        let flat = Plane::Xy.projected(pose);
        assert_eq!(flat.position_m, [1.0, 2.0, 0.0]);
        assert!((flat.roll_pitch_yaw()[2] - 0.3).abs() < 1e-12 && flat.roll_pitch_yaw()[0].abs() < 1e-12);
        let upright = Plane::Xz.projected(pose);
        assert_eq!(upright.position_m, [1.0, 0.0, 3.0]);
        assert!((upright.roll_pitch_yaw()[1] - 0.2).abs() < 1e-12);
        assert_eq!(Plane::Yz.projected(pose).position_m, [0.0, 2.0, 3.0]);
    }
}
