//! A run to be judged: the estimated trajectory with its truth, its relations, and how times are matched.

use std::borrow::Cow;

use align::trajectory::{
    Associate, Association, Fittable, Lookup, LookupCounts, Matches, Pair, Plane, Track, associate, is_planar,
};
use model::{Pose2, Pose3, Relation, Rigid, Trajectory};
use serde_json::json;

use crate::{Case, Detail, Reason, Undefined, facts};

/// What a run is made from.
#[derive(Clone, Debug)]
pub struct RunInputs<'a> {
    /// The trajectory to judge. One that is given away is dropped as soon as its track is made: files are large.
    pub estimate: Cow<'a, Trajectory>,
    pub truth: Option<&'a Trajectory>,
    pub relations: Option<&'a [Relation]>,
    /// Odometry, for look-ups between keyframes.
    pub odometry: Option<&'a Trajectory>,
    /// How times are matched.
    pub association: Association,
    /// Added to the times of the estimate and its odometry, seconds.
    pub time_offset_s: f64,
    /// Poses are compared in this plane, after the fit; none: as they are, but a planar estimate in its plane.
    pub plane: Option<Plane>,
}

/// A run of the plane or of space.
#[derive(Clone, Debug)]
pub enum Runs {
    /// Every pose of the estimate lies in the plane; what the truth has of space is left out.
    Planar(Run<Pose2>),
    /// At least one pose does not.
    Spatial(Run<Pose3>),
}

/// A run, ready to be judged.
#[derive(Clone, Debug)]
pub struct Run<P> {
    /// The trajectory to judge, in the clock of the truth.
    pub estimate: Track<P>,
    pub truth: Option<Track<P>>,
    /// Odometry, for look-ups between keyframes.
    pub odometry: Option<Track<P>>,
    pub relations: Option<Vec<TimedRelation<P>>>,
    /// Poses of equal times; empty without a truth.
    pub matches: Matches<P>,
    /// How times are matched.
    pub association: Association,
    /// Poses are compared in this plane, after the fit; none: as they are.
    pub plane: Option<Plane>,
    /// What was left out of a truth in space, because the estimate is planar; none if nothing was.
    pub left_out: Option<LeftOut>,
}

/// What a planar run leaves out of a truth in space.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// The true trajectory as it is; none if it lies in the plane, or there is none.
    pub truth: Option<Track<Pose3>>,
    /// Relations that do not lie in the plane.
    pub relations: usize,
    /// Those of them whose first pose was taken to be level, because no true pose tells its tilt.
    pub taken_as_level: usize,
}

/// A true displacement between two times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedRelation<P> {
    /// First time, seconds.
    pub from_s: f64,
    /// Second time, seconds.
    pub to_s: f64,
    /// The second pose seen from the first.
    pub displacement: P,
}

impl Runs {
    /// Sorts, decides between plane and space, and matches times.
    #[must_use]
    pub fn new(inputs: RunInputs<'_>) -> Self {
        // A projection is a step of its own, even of poses that lie in the plane.
        let is_planar_estimate =
            inputs.plane.is_none() && is_planar(&inputs.estimate) && inputs.odometry.is_none_or(is_planar);
        if !is_planar_estimate {
            return Self::Spatial(Run::new(inputs, Track::spatial, Relation::pose));
        }
        let spatial = inputs.truth.filter(|truth| !is_planar(truth)).map(Track::spatial);
        let mut left_out = LeftOut { truth: spatial, ..LeftOut::default() };
        let relations = inputs.relations.unwrap_or_default();
        let in_plane: Vec<Pose2> = relations.iter().map(|relation| left_out.in_plane(relation)).collect();
        let mut next = in_plane.into_iter();
        let mut run = Run::new(inputs, Track::planar, |relation| {
            next.next().unwrap_or_else(|| relation.pose().planar())
        });
        run.left_out = (left_out.truth.is_some() || left_out.relations > 0).then_some(left_out);
        Self::Planar(run)
    }

    /// What was left out of a truth in space, because the estimate is planar.
    #[must_use]
    pub const fn left_out(&self) -> Option<&LeftOut> {
        match self {
            Self::Planar(run) => run.left_out.as_ref(),
            Self::Spatial(_) => None,
        }
    }
}

impl LeftOut {
    /// A displacement as it is seen from above. Where the true trajectory tells how the robot stood at the first time, both
    /// poses are projected; else it is taken to have stood level.
    fn in_plane(&mut self, relation: &Relation) -> Pose2 {
        let ([x_m, y_m, z], [roll, pitch, yaw]) = (relation.translation_m, relation.roll_pitch_yaw_rad);
        let is_flat = [z, roll, pitch].iter().all(|part| part.abs() < FLAT);
        self.relations += usize::from(!is_flat);
        let interpolated = Association { rule: Associate::Interpolate, ..Association::default() };
        let from = self.truth.as_ref().and_then(|track| {
            Lookup { track, association: interpolated, odometry: None }.at(relation.from_s)
        });
        match from {
            Some(from) => {
                let to = from.pose * relation.pose();
                to.planar().seen_from(from.pose.planar())
            }
            None if is_flat => Pose2::new(x_m, y_m, yaw),
            None => {
                self.taken_as_level += 1;
                relation.pose().planar()
            }
        }
    }
}

/// Heights and tilts of relations below this count as none.
const FLAT: f64 = 1e-9;

impl<P: Fittable> Run<P> {
    fn new(
        inputs: RunInputs<'_>,
        track: impl Fn(&Trajectory) -> Track<P>,
        mut displacement: impl FnMut(&Relation) -> P,
    ) -> Self {
        let RunInputs { estimate, truth, relations, odometry, association, time_offset_s, plane } = inputs;
        let shifted = |trajectory: &Trajectory| track(trajectory).shifted(time_offset_s);
        let given = estimate;
        let estimate = shifted(&given);
        drop(given);
        let (odometry, truth) = (odometry.map(shifted), truth.map(&track));
        let mut timed = |relation: &Relation| TimedRelation {
            from_s: relation.from_s,
            to_s: relation.to_s,
            displacement: displacement(relation),
        };
        let relations = relations.map(|relations| relations.iter().map(&mut timed).collect());
        let matches = truth
            .as_ref()
            .map(|truth| associate(&estimate, truth, association, odometry.as_ref()))
            .unwrap_or_else(Matches::empty);
        Self { estimate, truth, odometry, relations, matches, association, plane, left_out: None }
    }

    /// The true trajectory, if at least one pose of it was matched.
    ///
    /// # Errors
    /// There is no true trajectory, or no time of it was met.
    pub fn matched_truth(&self) -> Result<&Track<P>, Undefined> {
        let truth = self.truth.as_ref().ok_or(Reason::NoReference)?;
        if self.matches.is_empty() {
            return Err(Undefined::because(Reason::UnmatchedTime).with_all(self.match_facts()));
        }
        Ok(truth)
    }

    /// Pairs of poses of equal times, in order of time, in the plane of the run if it has one.
    ///
    /// # Errors
    /// There is no true trajectory, or no time of it was met.
    pub fn pairs(&self) -> Result<impl ExactSizeIterator<Item = Pair<P>> + Clone + '_, Undefined> {
        let flat = |pair: Pair<P>| Pair {
            estimate: self.in_plane(pair.estimate),
            truth: self.in_plane(pair.truth),
            ..pair
        };
        Ok(self.pairs_as_read()?.map(flat))
    }

    /// Pairs of poses of equal times before any projection: what a fit rests on.
    ///
    /// # Errors
    /// There is no true trajectory, or no time of it was met.
    pub fn pairs_as_read(&self) -> Result<impl ExactSizeIterator<Item = Pair<P>> + Clone + '_, Undefined> {
        Ok(self.matches.pairs(&self.estimate, self.matched_truth()?))
    }

    /// The pose in the plane of the run, if it has one.
    #[must_use]
    pub fn in_plane(&self, pose: P) -> P {
        self.plane.map_or(pose, |plane| pose.projected(plane))
    }

    /// Poses of the estimate by time.
    #[must_use]
    pub fn lookup(&self) -> Lookup<'_, P> {
        Lookup { track: &self.estimate, association: self.association, odometry: self.odometry.as_ref() }
    }

    /// How many poses were matched, by which means, and how many not.
    #[must_use]
    pub fn match_facts(&self) -> Detail {
        let counts = self.matches.counts();
        facts([
            ("matched", json!(self.matches.len())),
            ("unmatched", json!(counts.unmatched)),
            ("lookups", lookup_facts(counts)),
        ])
    }
}

/// The numbers of look-ups by their means.
pub(crate) fn lookup_facts(counts: LookupCounts) -> serde_json::Value {
    json!({
        "exact": counts.exact,
        "nearest": counts.nearest,
        "interpolated": counts.interpolated,
        "filled": counts.filled,
    })
}

/// Calls the generic measurement of a metric for runs of the plane and of space.
macro_rules! for_run {
    ($case:expr, $run:ident => $body:expr) => {
        match $case.run()? {
            $crate::trajectory::Runs::Planar($run) => $body,
            $crate::trajectory::Runs::Spatial($run) => $body,
        }
    };
}
pub(crate) use for_run;

/// As `for_run`; the default value where there is no run.
macro_rules! of_any_run {
    ($case:expr, $run:ident => $body:expr) => {
        match $case.run() {
            Ok($crate::trajectory::Runs::Planar($run)) => $body,
            Ok($crate::trajectory::Runs::Spatial($run)) => $body,
            Err(_) => Default::default(),
        }
    };
}
pub(crate) use of_any_run;

/// Whether a case has a trajectory and its truth.
pub(crate) fn has_truth(case: &Case) -> bool {
    of_any_run!(case, run => run.truth.is_some())
}

#[cfg(test)]
pub(crate) mod tests {
    use model::{Dimension, PoseSource, StampedPose, TimeBase};

    use super::*;

    /// A planar trajectory of (t, x, y, theta in degrees).
    pub(crate) fn trajectory(rows: &[(f64, f64, f64, f64)]) -> Trajectory {
        let pose = |&(time_s, x_m, y_m, deg): &(f64, f64, f64, f64)| StampedPose {
            time_s,
            world_from_robot: Pose2::new(x_m, y_m, deg.to_radians()).into(),
            source: PoseSource::Measured,
        };
        Trajectory {
            time_base: TimeBase::Seconds,
            dimension: Dimension::Planar,
            poses: rows.iter().map(pose).collect(),
        }
    }

    /// A case of an estimate against a truth, times matched by the default rule.
    #[allow(clippy::needless_pass_by_value, reason = "tests make their trajectories where they need them")]
    pub(crate) fn case(estimate: Trajectory, truth: Trajectory) -> Case {
        Case::without_maps().with_run(Runs::new(RunInputs {
            estimate: Cow::Owned(estimate),
            truth: Some(&truth),
            relations: None,
            odometry: None,
            association: Association::default(),
            time_offset_s: 0.0,
            plane: None,
        }))
    }

    /// A drive of a robot with turns, `count` poses at 10 Hz.
    pub(crate) fn drive(count: u32) -> Trajectory {
        let row = |i: u32| {
            let t = f64::from(i) / 10.0;
            (t, t + (0.4 * t).sin(), 3.0 * (0.2 * t).sin(), (30.0 * (0.3 * t).sin()) + 5.0 * t)
        };
        trajectory(&(0..count).map(row).collect::<Vec<_>>())
    }

    #[test]
    fn flat_files_of_space_are_judged_in_the_plane() {
        let mut truth = drive(20);
        truth.dimension = Dimension::Spatial;
        let left_out = |case: Case| case.run().ok().and_then(Runs::left_out).is_some();
        assert!(!left_out(case(drive(20), truth.clone())));
        truth.poses[3].world_from_robot.position_m[2] = 0.1;
        let on_a_ramp = case(drive(20), truth.clone());
        assert!(matches!(on_a_ramp.run(), Ok(Runs::Planar(_))) && left_out(on_a_ramp));
        assert!(matches!(case(truth, drive(20)).run(), Ok(Runs::Spatial(_))), "the estimate has heights");
    }

    /// On a ramp of 30 degrees a robot that drives 2 m is sqrt(3) m further on, seen from above.
    #[test]
    fn a_relation_on_a_ramp_is_seen_from_above() {
        let pitch = -30_f64.to_radians();
        let at = |time_s: f64, along_m: f64| StampedPose {
            time_s,
            world_from_robot: Pose3::of_roll_pitch_yaw([0.0; 3], [0.0, pitch, 0.0])
                * Pose3::from(Pose2::new(along_m, 0.0, 0.0)),
            source: PoseSource::Measured,
        };
        let truth = Trajectory {
            time_base: TimeBase::Seconds,
            dimension: Dimension::Spatial,
            poses: vec![at(0.0, 0.0), at(1.0, 2.0)],
        };
        let relation =
            Relation { from_s: 0.0, to_s: 1.0, translation_m: [2.0, 0.0, 0.0], roll_pitch_yaw_rad: [0.0; 3] };
        let run = |truth: Option<&Trajectory>, relation: Relation| {
            let runs = Runs::new(RunInputs {
                estimate: Cow::Owned(trajectory(&[(0.0, 0.0, 0.0, 0.0), (1.0, 1.7, 0.0, 0.0)])),
                truth,
                relations: Some(&[relation]),
                odometry: None,
                association: Association::default(),
                time_offset_s: 0.0,
                plane: None,
            });
            let Runs::Planar(run) = runs else { panic!("a planar run") };
            let x_m = run.relations.as_ref().unwrap()[0].displacement.x_m;
            (x_m, run.left_out.map_or(0, |left_out| left_out.taken_as_level))
        };
        let (x_m, taken_as_level) = run(Some(&truth), relation);
        assert!((x_m - 3_f64.sqrt()).abs() < 1e-12 && taken_as_level == 0, "{x_m}");
        // From level ground up to a ramp; without a truth the first pose is taken to be level, as it was.
        let up =
            Relation { translation_m: [2.0, 0.0, 0.5], roll_pitch_yaw_rad: [0.0, pitch, 0.0], ..relation };
        assert_eq!(run(None, up), (2.0, 1));
        assert_eq!(run(None, relation), (2.0, 0));
    }

    #[test]
    fn nothing_matched_is_undefined_with_its_counts() {
        let far: Vec<_> = (0..5).map(|i| (1000.0 + f64::from(i), 0.0, 0.0, 0.0)).collect();
        let case = case(trajectory(&far), drive(20));
        let Ok(Runs::Planar(run)) = case.run() else { panic!("a planar run") };
        let undefined = run.pairs().err().unwrap();
        assert_eq!(undefined.reasons, [Reason::UnmatchedTime]);
        assert_eq!(undefined.detail["unmatched"], 5);
    }
}
