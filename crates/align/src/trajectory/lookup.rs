//! Where was the robot at a time? (T-ASSOC) Nothing is extrapolated, nothing clamped.

use model::Rigid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fill::filled;
use super::track::Track;

/// How a pose is looked up by its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Associate {
    /// The pose nearest in time, ties to the earlier one.
    #[default]
    Nearest,
    /// Between the two neighbours: straight in position, the shorter arc in rotation.
    Interpolate,
    /// The pose at this very time.
    Exact,
    /// The pose of the same number; times do not count.
    Index,
    /// The last pose before, carried on by odometry.
    Filled,
}

/// How odometry carries a pose on (L-FILL).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// The last pose and the odometry since; what the Freiburg evaluator does.
    Chain,
    /// The same, with the mapper's correction at the next pose spread over the path to it.
    #[default]
    Spread,
}

/// The rule of association.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// How a pose is looked up.
    pub rule: Associate,
    /// Largest distance in time of `nearest`, seconds. Default 0.05 (spec T-ASSOC).
    pub max_dt_s: f64,
    /// Largest distance in time of the neighbours of `interpolate`, seconds. Default 1 (spec T-ASSOC).
    pub max_gap_s: f64,
    /// How `filled` fills.
    pub fill: Fill,
}

impl Default for Association {
    fn default() -> Self {
        Self { rule: Associate::Nearest, max_dt_s: 0.05, max_gap_s: 1.0, fill: Fill::default() }
    }
}

/// Times closer than this are equal (spec T-ASSOC).
pub(super) const SAME_TIME_S: f64 = 1e-6;

/// By which means a pose was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// At this very time, or by its number.
    Exact,
    Nearest,
    Interpolated,
    /// Carried on by odometry.
    Filled,
}

/// A pose that was looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<P> {
    pub pose: P,
    pub by: FoundBy,
    /// Number of the pose it rests on: the found one, else the one before.
    pub index: usize,
}

/// A track with the rule to look poses up in it.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a, P> {
    pub track: &'a Track<P>,
    pub association: Association,
    pub odometry: Option<&'a Track<P>>,
}

impl<P: Rigid> Lookup<'_, P> {
    /// The pose at a time; none outside of what the rule allows.
    pub fn at(&self, time_s: f64) -> Option<Found<P>> {
        match self.association.rule {
            Associate::Nearest | Associate::Index => nearest(self.track, time_s, self.association.max_dt_s),
            Associate::Exact => nearest(self.track, time_s, SAME_TIME_S),
            Associate::Interpolate => interpolated(self.track, time_s, self.association.max_gap_s),
            Associate::Filled => filled(self.track, self.odometry?, time_s, self.association),
        }
    }
}

/// The pose nearest in time within `max_dt_s`, ties to the earlier one.
fn nearest<P: Rigid>(track: &Track<P>, time_s: f64, max_dt_s: f64) -> Option<Found<P>> {
    let times_s = track.times_s();
    let after = times_s.partition_point(|&t| t < time_s);
    let distance_s = |index: usize| (times_s[index] - time_s).abs();
    let index = match (after.checked_sub(1), after < times_s.len()) {
        (Some(before), true) if distance_s(before) <= distance_s(after) => before,
        (_, true) => after,
        (before, false) => before?,
    };
    let by = if distance_s(index) <= SAME_TIME_S { FoundBy::Exact } else { FoundBy::Nearest };
    (distance_s(index) <= max_dt_s).then(|| Found { pose: track.poses()[index], by, index })
}

/// The pose between its neighbours, if these are at most `max_gap_s` apart.
pub(super) fn interpolated<P: Rigid>(track: &Track<P>, time_s: f64, max_gap_s: f64) -> Option<Found<P>> {
    if let Some(found) = nearest(track, time_s, SAME_TIME_S) {
        return Some(found);
    }
    let times_s = track.times_s();
    let after = times_s.partition_point(|&t| t < time_s);
    let index = after.checked_sub(1)?;
    let gap_s = times_s.get(after)? - times_s[index];
    if gap_s > max_gap_s {
        return None;
    }
    let ratio = (time_s - times_s[index]) / gap_s;
    let pose = track.poses()[index].toward(track.poses()[after], ratio);
    Some(Found { pose, by: FoundBy::Interpolated, index })
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    /// The log of 08-E2.
    fn log() -> Track<Pose2> {
        let poses = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 90.0), (2.0, 1.0, 90.0)];
        let stamped: Vec<_> = (0_u32..)
            .zip(poses)
            .map(|(t, (x, y, deg))| (f64::from(t), Pose2::new(x, y, f64::to_radians(deg))))
            .collect();
        Track::new(stamped.into_iter())
    }

    fn at(rule: Associate, time_s: f64) -> Option<Found<Pose2>> {
        let association = Association { rule, ..Association::default() };
        Lookup { track: &log(), association, odometry: None }.at(time_s)
    }

    #[test]
    fn spec_08_e5_look_ups() {
        assert_eq!(at(Associate::Nearest, 1.03).unwrap().index, 1);
        assert_eq!(at(Associate::Nearest, 1.03).unwrap().by, FoundBy::Nearest);
        assert_eq!(at(Associate::Nearest, 1.2), None);
        let half = at(Associate::Interpolate, 1.5).unwrap();
        assert_eq!((half.pose.x_m, half.pose.y_m, half.by), (1.5, 0.0, FoundBy::Interpolated));
        assert!((half.pose.theta_rad.to_degrees() - 45.0).abs() < 1e-12);
        assert_eq!(at(Associate::Interpolate, 3.2), None, "nothing is extrapolated");
        assert_eq!(at(Associate::Interpolate, -0.2), None);
        assert_eq!(at(Associate::Exact, 2.000_000_5).unwrap().by, FoundBy::Exact);
        assert_eq!(at(Associate::Exact, 2.01), None);
    }

    #[test]
    fn ties_go_to_the_earlier_pose() {
        let association = Association { max_dt_s: 1.0, ..Association::default() };
        let log = log();
        assert_eq!(Lookup { track: &log, association, odometry: None }.at(1.5).unwrap().index, 1);
    }

    #[test]
    fn neighbours_too_far_apart_are_not_joined() {
        let association =
            Association { rule: Associate::Interpolate, max_gap_s: 0.9, ..Association::default() };
        let log = log();
        let lookup = Lookup { track: &log, association, odometry: None };
        assert_eq!(lookup.at(1.5), None);
        assert_eq!(lookup.at(1.0).unwrap().by, FoundBy::Exact);
    }

    #[test]
    fn an_empty_track_has_no_pose() {
        let empty = Track::<Pose2>::default();
        for rule in [Associate::Nearest, Associate::Interpolate, Associate::Exact, Associate::Filled] {
            let association = Association { rule, ..Association::default() };
            assert_eq!(Lookup { track: &empty, association, odometry: Some(&empty) }.at(0.0), None);
        }
    }
}
