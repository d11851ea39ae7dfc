//! The figures of a self-check, and the one word that they come to.

use model::{Point2, PoseGraph};
use serde::Serialize;

use super::{Compared, SelfCheck};
use crate::MappedPose;

/// Scans kept on each side over which the agreement is averaged: one scan alone may see a person.
const BESIDE: usize = 2;
/// Edges of a pose graph that join poses further apart than this in its order are loop closures.
const LOOP_GAP: u64 = 1;
/// A map is doubtful where other visits looked through so much of the points, in the mean over all scans with other visits.
/// Chosen on the tuning half of the study `mapping-robust`.
const DOUBTFUL_SEEN_THROUGH: f64 = 0.05;
/// Where the scans just before looked through so much, over some scans.
const DOUBTFUL_STEP: f64 = 0.6;
/// Where the robot travelled so far without a match, metres, and this share of the path.
const DOUBTFUL_ALONE_M: f64 = 3.0;
const DOUBTFUL_ALONE_RATIO: f64 = 0.02;
/// Where a loop closure misses by so much after all, metres.
const DOUBTFUL_LOOP_M: f64 = 1.0;
/// So many times as much doubt makes it broken; only where scans contradict each other.
const BROKEN: f64 = 4.0;
/// A place is listed from so much of the points on.
const PLACE_SEEN_THROUGH: f64 = 0.3;
/// Places that are listed at most, the worst ones.
const MAX_PLACES: usize = 20;

/// Whether a map can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// Nothing speaks against it.
    Sound,
    /// Some places or stretches may be wrong.
    Doubtful,
    /// The scans contradict each other.
    Broken,
}

impl Soundness {
    /// As in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Doubtful => "doubtful",
            Self::Broken => "broken",
        }
    }
}

/// What speaks against a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Scans look through walls that another visit saw.
    SeenThrough,
    /// A scan contradicts those just before.
    Step,
    /// No scan was matched on this stretch.
    OdometryAlone,
}

/// A stretch of the path that may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DoubtfulPlace {
    /// Time of its first scan, seconds.
    pub from_s: f64,
    /// Time of its last scan, seconds.
    pub to_s: f64,
    /// Where the robot was where it is worst, in the map.
    pub x_m: f64,
    /// The same.
    pub y_m: f64,
    pub why: Why,
    /// By how much: a share of points, or metres where no scan was matched.
    pub value: f64,
}

/// What a map says about itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapCheck {
    /// None where no two scans could be compared.
    pub verdict: Option<Soundness>,
    /// The largest figure over what is allowed for it; a map is sound below 1.
    pub doubt: f64,
    /// Share of points that other visits of the place looked through, in the mean over the scans; none without revisits.
    pub seen_through: Option<f64>,
    /// The same where it is worst, over some scans.
    pub worst_seen_through: Option<f64>,
    /// Share of points that the scans just before looked through, where it is worst.
    pub worst_step: Option<f64>,
    /// Longest stretch without a match, metres; a turn of a radian counts as half a metre.
    pub odometry_alone_m: f64,
    /// Share of the path without a match.
    pub odometry_alone_ratio: f64,
    /// Largest displacement that is left between a loop closure and the pose graph, metres; none without loop closures.
    pub loop_residual_m: Option<f64>,
    /// Share of the scans that were compared with another visit.
    pub revisited: f64,
    /// Stretches that may be wrong, in the order of time.
    pub places: Vec<DoubtfulPlace>,
}

pub(super) fn conclude(
    check: &SelfCheck,
    compared: &[Compared],
    poses: &[MappedPose],
    graph: Option<&PoseGraph>,
) -> MapCheck {
    let visits = smoothed(&compared.iter().map(|c| c.visits).collect::<Vec<_>>());
    let steps = smoothed(&compared.iter().map(|c| c.before).collect::<Vec<_>>());
    let told: Vec<f64> = compared.iter().filter_map(|c| c.visits).collect();
    let mean = (!told.is_empty()).then(|| told.iter().sum::<f64>() / told.len() as f64);
    let worst = |values: &[Option<f64>]| values.iter().flatten().copied().reduce(f64::max);
    let alone = stretches_alone(check);
    let alone_m: f64 = alone.iter().map(|stretch| stretch.length_m).sum();
    let mut found = MapCheck {
        verdict: None,
        doubt: 0.0,
        seen_through: mean,
        worst_seen_through: worst(&visits),
        worst_step: worst(&steps),
        odometry_alone_m: alone.iter().map(|stretch| stretch.length_m).fold(0.0, f64::max),
        odometry_alone_ratio: alone_m / check.travelled_m.max(f64::MIN_POSITIVE),
        loop_residual_m: graph.and_then(loop_residual_m),
        revisited: told.len() as f64 / compared.len().max(1) as f64,
        places: Vec::new(),
    };
    found.conclude(compared.iter().any(|c| c.before.is_some() || c.visits.is_some()));
    found.places = places(compared, (&visits, &steps), &alone, poses);
    found
}

impl MapCheck {
    fn conclude(&mut self, is_compared: bool) {
        let contradicted = self.seen_through.map_or(0.0, |share| share / DOUBTFUL_SEEN_THROUGH);
        let step = self.worst_step.map_or(0.0, |share| share / DOUBTFUL_STEP);
        let alone =
            (self.odometry_alone_m / DOUBTFUL_ALONE_M).min(self.odometry_alone_ratio / DOUBTFUL_ALONE_RATIO);
        let residual = self.loop_residual_m.map_or(0.0, |left_m| left_m / DOUBTFUL_LOOP_M);
        self.doubt = [contradicted, step, alone, residual].into_iter().fold(0.0, f64::max);
        self.verdict = is_compared.then_some(match self.doubt {
            doubt if doubt < 1.0 => Soundness::Sound,
            _ if contradicted >= BROKEN => Soundness::Broken,
            _ => Soundness::Doubtful,
        });
    }

    /// Whether nothing speaks against the map.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.verdict == Some(Soundness::Sound)
    }
}

/// The stretches of the path that may be wrong, in the order of time.
fn places(
    compared: &[Compared],
    (visits, steps): (&[Option<f64>], &[Option<f64>]),
    alone: &[Alone],
    poses: &[MappedPose],
) -> Vec<DoubtfulPlace> {
    let mut all = runs_above(compared, visits, PLACE_SEEN_THROUGH, Why::SeenThrough, poses);
    all.extend(runs_above(compared, steps, DOUBTFUL_STEP, Why::Step, poses));
    let stretch = |stretch: &Alone| {
        let (first, last) = (poses.get(stretch.first)?, poses.get(stretch.last)?);
        let Point2 { x_m, y_m } = last.map_from_robot.position();
        let why = Why::OdometryAlone;
        Some(DoubtfulPlace {
            from_s: first.time_s,
            to_s: last.time_s,
            x_m,
            y_m,
            why,
            value: stretch.length_m,
        })
    };
    let is_long = |stretch: &&Alone| stretch.length_m >= DOUBTFUL_ALONE_M;
    all.extend(alone.iter().filter(is_long).filter_map(stretch));
    all.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.from_s.total_cmp(&b.from_s)));
    all.truncate(MAX_PLACES);
    all.sort_by(|a, b| a.from_s.total_cmp(&b.from_s));
    all
}

/// Runs of scans whose value is at least a limit.
fn runs_above(
    compared: &[Compared],
    values: &[Option<f64>],
    limit: f64,
    why: Why,
    poses: &[MappedPose],
) -> Vec<DoubtfulPlace> {
    let mut runs: Vec<DoubtfulPlace> = Vec::new();
    let mut goes_on = false;
    for (scan, value) in compared.iter().zip(values) {
        let (Some(value), Some(pose)) = (value.filter(|value| *value >= limit), poses.get(scan.step)) else {
            // A scan without another visit neither ends a run nor makes it longer.
            goes_on &= value.is_none();
            continue;
        };
        let here = DoubtfulPlace {
            from_s: pose.time_s,
            to_s: pose.time_s,
            x_m: scan.place.x_m,
            y_m: scan.place.y_m,
            why,
            value,
        };
        match runs.last_mut().filter(|_| goes_on) {
            Some(run) if run.value < value => *run = DoubtfulPlace { from_s: run.from_s, ..here },
            Some(run) => run.to_s = pose.time_s,
            None => runs.push(here),
        }
        goes_on = true;
    }
    runs
}

/// The mean with the values beside; none where there are fewer than two.
fn smoothed(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mean = |index: usize| {
        let beside = &values[index.saturating_sub(BESIDE)..(index + BESIDE + 1).min(values.len())];
        let told: Vec<f64> = beside.iter().flatten().copied().collect();
        (told.len() >= 2).then(|| told.iter().sum::<f64>() / told.len() as f64)
    };
    (0..values.len()).map(mean).collect()
}

/// A stretch of the path on which no scan was matched.
struct Alone {
    /// Indices of its first and last step.
    first: usize,
    last: usize,
    length_m: f64,
}

fn stretches_alone(check: &SelfCheck) -> Vec<Alone> {
    let mut all: Vec<Alone> = Vec::new();
    let (mut begun, mut is_alone) = ((0, 0.0), false);
    for (index, step) in check.steps.iter().enumerate() {
        if step.is_matched || step.travelled_m <= begun.1 {
            // A robot that stands needs no match.
            is_alone &= !step.is_matched;
            begun = if is_alone { begun } else { (index, step.travelled_m) };
            continue;
        }
        let length_m = step.travelled_m - begun.1;
        match all.last_mut().filter(|_| is_alone) {
            Some(stretch) => (stretch.last, stretch.length_m) = (index, length_m),
            None => all.push(Alone { first: begun.0, last: index, length_m }),
        }
        is_alone = true;
    }
    all
}

fn loop_residual_m(graph: &PoseGraph) -> Option<f64> {
    let pose = |id: u64| {
        let at = graph.vertices.binary_search_by_key(&id, |vertex| vertex.id).ok()?;
        Some(graph.vertices[at].world_from_vertex.planar())
    };
    let left_m = |edge: &model::Edge| {
        if edge.to.abs_diff(edge.from) <= LOOP_GAP {
            return None;
        }
        let expected = pose(edge.from)? * edge.from_from_to.planar();
        Some(expected.position().distance_m(pose(edge.to)?.position()))
    };
    graph.edges.iter().filter_map(left_m).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scan, Step};
    use model::Pose2;

    /// A room of 6 x 4 m with a bay, seen from a pose all around.
    fn scan(pose: Pose2, time_s: f64) -> Scan {
        let wall = |direction_rad: f64| {
            let (sin, cos) = (pose.theta_rad + direction_rad).sin_cos();
            let to = |wall_m: f64, at_m: f64, step: f64| {
                if step.abs() > 1e-9 && (wall_m - at_m) / step > 0.0 {
                    (wall_m - at_m) / step
                } else {
                    f64::INFINITY
                }
            };
            let across = to(-3.0, pose.x_m, cos).min(to(3.0, pose.x_m, cos));
            let along = to(-2.0, pose.y_m, sin).min(to(2.0, pose.y_m, sin));
            let range_m = across.min(along);
            Point2::new(range_m * direction_rad.cos(), range_m * direction_rad.sin())
        };
        let hits = (-90..90).map(|k| wall(f64::from(2 * k).to_radians())).collect();
        Scan { time_s, hits_in_robot: hits, ..Scan::default() }
    }

    /// A robot that drives to and fro; from a scan on it is taken to be turned by an angle that it is not.
    fn check(turned_from: usize, angle_rad: f64, is_matched: bool) -> MapCheck {
        let mut check = SelfCheck::default();
        let mut poses = Vec::new();
        for index in 0..160_usize {
            let phase = (index % 40) as f64 / 20.0;
            let x_m = 1.5 - 3.0 * (phase - 1.0).abs();
            let (truth, time_s) = (Pose2::new(x_m, 0.3, 0.0), index as f64);
            let angle_rad = if index >= turned_from { angle_rad } else { 0.0 };
            let found = Pose2::new(0.0, 0.0, angle_rad) * truth;
            check.take(&scan(truth, time_s), &Step { is_matched, ..Step::default() }, found);
            poses.push(MappedPose { time_s, map_from_robot: found, is_matched });
        }
        check.finish(&poses, None)
    }

    #[test]
    fn a_map_whose_scans_agree_is_sound() {
        let found = check(usize::MAX, 0.0, true);
        assert_eq!(found.verdict, Some(Soundness::Sound), "{found:?}");
        assert!(found.revisited > 0.5 && found.seen_through.is_some_and(|share| share < 0.001), "{found:?}");
        assert!(found.places.is_empty() && found.odometry_alone_m == 0.0);
    }

    #[test]
    fn a_turn_that_was_lost_breaks_the_map_and_its_time_is_told() {
        let found = check(100, 25_f64.to_radians(), true);
        assert_eq!(found.verdict, Some(Soundness::Broken), "{found:?}");
        let place = found.places.iter().find(|place| place.why == Why::SeenThrough).unwrap();
        assert!((95.0..=105.0).contains(&place.from_s) && place.to_s > 150.0, "{place:?}");
    }

    #[test]
    fn what_hangs_on_odometry_alone_is_doubtful() {
        let found = check(usize::MAX, 0.0, false);
        assert_eq!(found.verdict, Some(Soundness::Doubtful), "{found:?}");
        assert!(found.odometry_alone_m > 20.0 && found.odometry_alone_ratio > 0.9, "{found:?}");
        assert!(found.places.iter().any(|place| place.why == Why::OdometryAlone));
    }

    #[test]
    fn nothing_to_compare_is_no_verdict() {
        let found = SelfCheck::default().finish(&[], None);
        assert_eq!((found.verdict, found.seen_through, found.worst_step), (None, None, None));
        let mut one = SelfCheck::default();
        one.take(&Scan::default(), &Step::default(), Pose2::IDENTITY);
        assert_eq!(one.finish(&[], None).verdict, None);
    }
}
