//! Relations from a trajectory that is taken as true.
//!
//! Keyframes are chosen every 0.5 m or 30 degrees (specification T-GEN); pairs of them become relations. A relation
//! made from a trajectory judges every other run, never the one it was made from.

mod keyframes;
mod loops;
mod random;

use align::trajectory::Track;
use model::{Pose3, Relation, RelationRecord, RelationStatus, Rigid};

use crate::filter::gap_tag;
use keyframes::{Keyframes, keyframes};

/// Which pairs of poses become relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pairs {
    /// Each keyframe and the next one.
    Consecutive,
    /// Each keyframe and the first one that lies `distance_m` of path further on.
    Distance,
    /// A place and its earlier visits.
    Loops,
    /// Any two, as many as the sample-size rule asks for.
    Random,
}

impl Pairs {
    /// Every kind, in the order in which relations are made.
    pub const ALL: [Self; 4] = [Self::Consecutive, Self::Distance, Self::Loops, Self::Random];

    /// The name on the command line and in the tags of records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consecutive => "consecutive",
            Self::Distance => "distance",
            Self::Loops => "loops",
            Self::Random => "random",
        }
    }
}

/// Parameters of [`make`].
#[derive(Clone, Debug, PartialEq)]
pub struct MakeParams {
    /// Which pairs; default consecutive and loops, as in specification T-GEN.
    pub pairs: Vec<Pairs>,
    /// A keyframe every so many metres; 0 takes every pose. Default 0.5 (T-GEN).
    pub keyframe_distance_m: f64,
    /// A keyframe after so much turning, in radians. Default 30 degrees (T-GEN).
    pub keyframe_turn_rad: f64,
    /// Length of path between the poses of [`Pairs::Distance`]. Default 1 m, ours.
    pub distance_m: f64,
    /// Visits of one place lie nearer than this. Default 2 m (T-GEN).
    pub loop_radius_m: f64,
    /// Visits of one place lie at least this far apart in time. Default 30 s (T-GEN).
    pub loop_gap_s: f64,
    /// Relations to earlier visits per keyframe, the nearest ones. Default 3 (T-GEN).
    pub loops_per_pose: usize,
    /// How many random pairs.
    pub sample: Sample,
    /// Seed of the random pairs.
    pub seed: u64,
}

/// How many random pairs are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// So many.
    Count(usize),
    /// As many as give the mean with this precision, relative to itself: n = t^2 sigma^2 / delta^2, with sigma and
    /// mean of 500 random pairs (reference trajectories, 9). Default 0.05, ours.
    Precision(f64),
}

impl Default for MakeParams {
    fn default() -> Self {
        Self {
            pairs: vec![Pairs::Consecutive, Pairs::Loops],
            keyframe_distance_m: 0.5,
            keyframe_turn_rad: 30_f64.to_radians(),
            distance_m: 1.0,
            loop_radius_m: 2.0,
            loop_gap_s: 30.0,
            loops_per_pose: 3,
            sample: Sample::Precision(0.05),
            seed: 1,
        }
    }
}

/// Why no relations were made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeError {
    /// A parameter is out of its range.
    #[error("{name} is {found}: expected {expected}")]
    Parameter { name: &'static str, found: String, expected: &'static str },
    /// No pair of poses is of the kinds asked for.
    #[error("no relation can be made: {0}")]
    NoPairs(String),
}

impl MakeError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Parameter { .. } => "RELATIONS_PARAMETER_RANGE",
            Self::NoPairs(_) => "RELATIONS_NONE",
        }
    }
}

/// Two poses, by their place in the track.
type Pair = (usize, usize);

/// Measures a relation for the sample-size rule, such as by the error of a run; none where it cannot.
pub type Measure<'a> = dyn Fn(&Relation) -> Option<f64> + 'a;

/// The length of the displacement: what the rule measures where there is no run.
#[must_use]
pub fn displacement_m(relation: &Relation) -> Option<f64> {
    Some(relation.pose().distance_m())
}

/// Makes relations. `measure` is what the sample-size rule of random pairs looks at.
///
/// # Errors
/// A parameter is out of its range, or no pair of poses is of the kinds asked for.
pub fn make(
    track: &Track<Pose3>,
    params: &MakeParams,
    measure: &Measure<'_>,
) -> Result<Vec<RelationRecord>, MakeError> {
    check_parameters(params)?;
    let keys = keyframes(track, params.keyframe_distance_m, params.keyframe_turn_rad);
    let mut records = Vec::new();
    for kind in Pairs::ALL.into_iter().filter(|kind| params.pairs.contains(kind)) {
        let pairs = match kind {
            Pairs::Consecutive => keys.indices.windows(2).map(|pair| (pair[0], pair[1])).collect(),
            Pairs::Distance => by_distance(&keys, params.distance_m),
            Pairs::Loops => loops::loop_pairs(track, &keys, params),
            Pairs::Random => random::random_pairs(track, &keys, params, measure)?,
        };
        records.extend(pairs.into_iter().enumerate().map(|(number, pair)| record(track, kind, number, pair)));
    }
    if records.is_empty() {
        return Err(MakeError::NoPairs(why_none(track, &keys, params)));
    }
    Ok(records)
}

/// Pairs of poses whose displacement is worth measuring: consecutive keyframes, and places with their earlier visits.
/// Nothing is decided about them yet.
///
/// # Errors
/// As [`make`].
pub fn candidates(track: &Track<Pose3>, params: &MakeParams) -> Result<Vec<RelationRecord>, MakeError> {
    let mut records = make(track, params, &displacement_m)?;
    records.iter_mut().for_each(|record| record.status = RelationStatus::Proposed);
    Ok(records)
}

fn check_parameters(params: &MakeParams) -> Result<(), MakeError> {
    let is_positive = |value: f64| value > 0.0 && value.is_finite();
    let precision = match params.sample {
        Sample::Precision(share) => share,
        Sample::Count(_) => 1.0,
    };
    // A step of 0 takes every pose.
    let step_m = if params.keyframe_distance_m == 0.0 { 1.0 } else { params.keyframe_distance_m };
    let checked = [
        ("the distance between keyframes", step_m, "metres, 0 for every pose"),
        ("the turn between keyframes", params.keyframe_turn_rad, "an angle above 0"),
        ("the distance", params.distance_m, "metres above 0"),
        ("the radius of a place", params.loop_radius_m, "metres above 0"),
        ("the time between visits", params.loop_gap_s, "seconds above 0"),
        ("the precision", precision, "a share above 0, such as 0.05"),
    ];
    match checked.into_iter().find(|(_, value, _)| !is_positive(*value)) {
        Some((name, found, expected)) => {
            Err(MakeError::Parameter { name, found: found.to_string(), expected })
        }
        None => Ok(()),
    }
}

/// Each keyframe and the first keyframe at least `distance_m` of path further on; two pointers, one pass.
fn by_distance(keys: &Keyframes, distance_m: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut end = 0;
    for start in 0..keys.indices.len() {
        while end < keys.indices.len() && keys.path_m[end] - keys.path_m[start] < distance_m {
            end += 1;
        }
        if end == keys.indices.len() {
            break;
        }
        pairs.push((keys.indices[start], keys.indices[end]));
    }
    pairs
}

/// The pose at the second timestamp seen from the first.
fn relation(track: &Track<Pose3>, (from, to): Pair) -> Relation {
    let delta = track.poses()[to].seen_from(track.poses()[from]);
    Relation {
        from_s: track.times_s()[from],
        to_s: track.times_s()[to],
        translation_m: delta.position_m,
        roll_pitch_yaw_rad: delta.roll_pitch_yaw(),
    }
}

fn record(track: &Track<Pose3>, kind: Pairs, number: usize, pair: Pair) -> RelationRecord {
    let relation = relation(track, pair);
    let tag = match kind {
        Pairs::Consecutive | Pairs::Distance => "local",
        Pairs::Loops => "loop",
        Pairs::Random => gap_tag(&relation),
    };
    RelationRecord {
        tags: vec![kind.name().to_owned(), tag.to_owned()],
        ..RelationRecord::accepted(format!("{}-{}", kind.name(), number + 1), relation)
    }
}

fn why_none(track: &Track<Pose3>, keys: &Keyframes, params: &MakeParams) -> String {
    let names: Vec<_> = params.pairs.iter().map(|kind| kind.name()).collect();
    let path_m = keys.path_m.last().copied().unwrap_or(0.0);
    format!(
        "{} poses, {} keyframes, {path_m:.2} m of path, no pairs of kind {}",
        track.len(),
        keys.indices.len(),
        names.join(" or ")
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::example::planar;

    fn made(
        rows: &[(f64, f64, f64, f64)],
        pairs: &[Pairs],
        keyframe_distance_m: f64,
    ) -> Result<Vec<RelationRecord>, MakeError> {
        let params = MakeParams { pairs: pairs.to_vec(), keyframe_distance_m, ..MakeParams::default() };
        make(&planar(rows), &params, &displacement_m)
    }

    /// Worked example 08-E2: the truth of three steps, a turn of 90 degrees in the second.
    #[test]
    fn worked_example_08_e2_consecutive_relations() {
        use std::f64::consts::FRAC_PI_2;
        let rows = [
            (0.0, 0.0, 0.0, 0.0),
            (1.0, 1.0, 0.0, 0.0),
            (2.0, 2.0, 0.0, FRAC_PI_2),
            (3.0, 2.0, 1.0, FRAC_PI_2),
        ];
        let records = made(&rows, &[Pairs::Consecutive], 0.0).unwrap();
        let expected = [(0.0, 1.0, 0.0), (1.0, 2.0, FRAC_PI_2), (2.0, 3.0, 0.0)];
        assert_eq!(records.len(), 3);
        for (record, (from_s, to_s, turn)) in records.iter().zip(expected) {
            let relation = record.relation;
            assert_eq!((relation.from_s, relation.to_s), (from_s, to_s));
            let [x, y, _] = relation.translation_m;
            assert!((x - 1.0).abs() < 1e-12 && y.abs() < 1e-12, "a metre ahead: {relation:?}");
            assert!((relation.roll_pitch_yaw_rad[2] - turn).abs() < 1e-12);
        }
        assert_eq!((records[0].id.as_str(), records[0].is_truth()), ("consecutive-1", true));
        assert_eq!(records[0].tags, ["consecutive", "local"]);
    }

    #[test]
    fn relations_by_distance_span_at_least_that_path() {
        let rows: Vec<_> = (0..=10).map(|i| (f64::from(i), 0.3 * f64::from(i), 0.0, 0.0)).collect();
        let records = made(&rows, &[Pairs::Distance], 0.0).unwrap();
        // 1 m is reached after four steps of 0.3 m; starts 0 to 6 have one left.
        assert_eq!(records.len(), 7);
        assert!(records.iter().all(|record| (record.relation.translation_m[0] - 1.2).abs() < 1e-9));
    }

    #[test]
    fn degenerate_trajectories_say_why_there_is_nothing() {
        for rows in [&[][..], &[(0.0, 0.0, 0.0, 0.0)], &[(0.0, 1.0, 0.0, 0.0), (0.0, 2.0, 0.0, 0.0)]] {
            let error = made(rows, &Pairs::ALL, 0.5).unwrap_err();
            assert!(error.to_string().contains("keyframes"), "{error}");
        }
        let standstill: Vec<_> = (0..100).map(|i| (f64::from(i), 1.0, 1.0, 0.0)).collect();
        let records = made(&standstill, &[Pairs::Consecutive], 0.5).unwrap();
        assert_eq!(records.len(), 1, "the last pose closes the chain");
        assert!(made(&standstill, &[Pairs::Distance], 0.5).is_err());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let track = planar(&[(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0)]);
        let params = MakeParams { distance_m: -1.0, ..MakeParams::default() };
        assert_eq!(
            make(&track, &params, &displacement_m).unwrap_err().to_string(),
            "the distance is -1: expected metres above 0"
        );
        let params = MakeParams { sample: Sample::Precision(f64::NAN), ..MakeParams::default() };
        assert!(make(&track, &params, &displacement_m).is_err());
    }

    proptest! {
        /// Consecutive relations compose to the displacement from the first pose to the last.
        #[test]
        fn consecutive_relations_compose_to_the_whole(
            steps in prop::collection::vec((-2.0..2.0_f64, -2.0..2.0_f64, -3.0..3.0_f64), 2..40),
            keyframe_distance_m in 0.0..3.0_f64,
        ) {
            let rows: Vec<_> = steps.iter().enumerate().map(|(i, &(x, y, a))| (i as f64, x, y, a)).collect();
            let records = made(&rows, &[Pairs::Consecutive], keyframe_distance_m).unwrap();
            let whole = records.iter().fold(Pose3::IDENTITY, |pose, record| pose * record.relation.pose());
            let track = planar(&rows);
            let expected = track.poses()[rows.len() - 1].seen_from(track.poses()[0]);
            let rest = whole.seen_from(expected);
            prop_assert!(rest.distance_m() < 1e-9 && rest.angle_rad() < 1e-9, "{:?}", rest);
        }
    }
}
