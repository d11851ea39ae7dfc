//! A trajectory ready for look-ups: sorted by time, one pose per time, of the plane or of space.

use model::{Dimension, Pose2, Pose3, Rigid, Trajectory};

/// Heights and tilts below this count as none: six printed digits of a planar run.
const FLAT: f64 = 1e-9;

/// Poses in order of time, each time once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track<P> {
    times_s: Vec<f64>,
    poses: Vec<P>,
}

/// True if all poses lie in the plane z = 0 and turn about z only.
pub fn is_planar(trajectory: &Trajectory) -> bool {
    trajectory.dimension == Dimension::Planar
        || trajectory.poses.iter().all(|pose| {
            let ([_, _, z], [qx, qy, ..]) =
                (pose.world_from_robot.position_m, pose.world_from_robot.rotation_xyzw);
            z.abs() < FLAT && qx.abs() < FLAT && qy.abs() < FLAT
        })
}

impl<P: Rigid> Track<P> {
    /// Sorts stably by time; of equal times the last one wins (T-ASSOC).
    pub fn new(stamped: impl ExactSizeIterator<Item = (f64, P)>) -> Self {
        let mut track =
            Self { times_s: Vec::with_capacity(stamped.len()), poses: Vec::with_capacity(stamped.len()) };
        let mut is_sorted = true;
        for (time_s, pose) in stamped {
            is_sorted &= track.times_s.last().is_none_or(|&last| last < time_s);
            track.times_s.push(time_s);
            track.poses.push(pose);
        }
        if is_sorted { track } else { track.sorted() }
    }

    fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.times_s.len()).collect();
        order.sort_by(|&a, &b| self.times_s[a].total_cmp(&self.times_s[b]));
        let is_last = |window: &[usize]| self.times_s[window[0]] != self.times_s[window[1]];
        let last = order.last().copied();
        let kept: Vec<usize> =
            order.windows(2).filter(|window| is_last(window)).map(|window| window[0]).chain(last).collect();
        Self {
            times_s: kept.iter().map(|&index| self.times_s[index]).collect(),
            poses: kept.iter().map(|&index| self.poses[index]).collect(),
        }
    }

    /// The same poses at other times.
    #[must_use]
    pub fn shifted(mut self, offset_s: f64) -> Self {
        if offset_s != 0.0 {
            self.times_s.iter_mut().for_each(|time_s| *time_s += offset_s);
        }
        self
    }

    /// Times in seconds, growing.
    pub fn times_s(&self) -> &[f64] {
        &self.times_s
    }

    /// Poses, one per time.
    pub fn poses(&self) -> &[P] {
        &self.poses
    }

    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// True without a pose.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    /// First and last time.
    pub fn span_s(&self) -> Option<(f64, f64)> {
        Some((*self.times_s.first()?, *self.times_s.last()?))
    }

    /// Distance travelled from the first pose to each pose, metres.
    pub fn path_m(&self) -> Vec<f64> {
        path_lengths_m(self.poses.iter().copied())
    }
}

impl Track<Pose2> {
    /// The planar parts of a trajectory.
    pub fn planar(trajectory: &Trajectory) -> Self {
        Self::new(trajectory.poses.iter().map(|pose| (pose.time_s, heading_of(pose.world_from_robot))))
    }
}

impl Track<Pose3> {
    /// All of a trajectory.
    pub fn spatial(trajectory: &Trajectory) -> Self {
        Self::new(trajectory.poses.iter().map(|pose| (pose.time_s, pose.world_from_robot)))
    }
}

/// The planar pose; a rotation about z alone needs one angle, not three.
fn heading_of(pose: Pose3) -> Pose2 {
    let ([x_m, y_m, _], [qx, qy, qz, qw]) = (pose.position_m, pose.rotation_xyzw);
    if qx == 0.0 && qy == 0.0 {
        return Pose2::new(x_m, y_m, model::wrap(2.0 * qz.atan2(qw)));
    }
    pose.planar()
}

/// Distance travelled from the first pose to each pose, metres.
pub fn path_lengths_m<P: Rigid>(poses: impl Iterator<Item = P>) -> Vec<f64> {
    let (mut length_m, mut last) = (0.0, None);
    let walk = |pose: P| {
        let place = pose.position_m();
        length_m += last.map_or(0.0, |last| distance_m(last, place));
        last = Some(place);
        length_m
    };
    poses.map(walk).collect()
}

fn distance_m(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    (dx * dx + dy * dy + dz * dz).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(stamped: &[(f64, f64)]) -> Track<Pose2> {
        Track::new(stamped.iter().map(|&(time_s, x_m)| (time_s, Pose2::new(x_m, 0.0, 0.0))))
    }

    fn xs(track: &Track<Pose2>) -> Vec<f64> {
        track.poses().iter().map(|pose| pose.x_m).collect()
    }

    #[test]
    fn unsorted_times_are_sorted_and_of_equal_ones_the_last_wins() {
        let track = track(&[(2.0, 20.0), (1.0, 10.0), (2.0, 21.0), (0.0, 0.0), (1.0, 11.0)]);
        assert_eq!((track.times_s(), xs(&track)), (&[0.0, 1.0, 2.0][..], vec![0.0, 11.0, 21.0]));
        assert_eq!(xs(&self::track(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)])), [3.0]);
        assert!(self::track(&[]).is_empty() && self::track(&[]).span_s().is_none());
    }

    #[test]
    fn lengths_add_up_along_the_path() {
        assert_eq!(track(&[(0.0, 0.0), (1.0, 3.0), (2.0, 1.0)]).path_m(), [0.0, 3.0, 5.0]);
    }

    #[test]
    fn headings_come_from_quaternions_about_z() {
        for theta_rad in [-3.0, -1.0, 0.0, 2.0, 3.1] {
            let pose = heading_of(Pose2::new(1.0, 2.0, theta_rad).into());
            assert!((pose.theta_rad - theta_rad).abs() < 1e-12, "{theta_rad}: {pose:?}");
        }
    }
}
