//! Poses over time, and displacements between moments.

use crate::Pose3;

/// What the stamps of a trajectory mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBase {
    /// Seconds, of whatever origin.
    Seconds,
    /// Only the order is known; the stamp is the number of the pose.
    Index,
}

/// Whether poses have three degrees of freedom or six.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// x, y and yaw; z, roll and pitch are 0.
    Planar,
    /// All six.
    Spatial,
}

/// How a pose came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoseSource {
    /// Estimated from a measurement at that time.
    #[default]
    Measured,
    /// Between two measured ones.
    Interpolated,
    /// Carried on by odometry from the last measured one.
    Filled,
}

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StampedPose {
    /// Seconds, or the number of the pose: see [`TimeBase`].
    pub time_s: f64,
    /// Where the robot was.
    pub world_from_robot: Pose3,
    /// How the pose came about.
    pub source: PoseSource,
}

/// Poses in the order of their file.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// What the stamps mean.
    pub time_base: TimeBase,
    /// Degrees of freedom.
    pub dimension: Dimension,
    /// The poses; stamps need not be sorted or unique.
    pub poses: Vec<StampedPose>,
}

/// A displacement between two moments: the pose at `to_s` seen from the pose at `from_s`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relation {
    /// First timestamp, seconds.
    pub from_s: f64,
    /// Second timestamp, seconds; may be earlier.
    pub to_s: f64,
    /// x, y, z in metres.
    pub translation_m: [f64; 3],
    /// Roll, pitch, yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll). Kept as angles, as files have them.
    pub roll_pitch_yaw_rad: [f64; 3],
}

impl Relation {
    /// The displacement as a pose.
    pub fn pose(&self) -> Pose3 {
        Pose3::of_roll_pitch_yaw(self.translation_m, self.roll_pitch_yaw_rad)
    }
}
