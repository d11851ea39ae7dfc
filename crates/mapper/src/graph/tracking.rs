//! Where the robot is now: places near where it is expected, each refined on the present submap, and the one that the scan and
//! the last keyframes speak for most.
//!
//! Where there is no odometry the robot is expected to go on as it did, or to stand, and the search is as wide as it can have
//! changed its mind since.

use model::{Point2, Pose2, wrap};

use crate::Deadline;

use super::DEGREE;
use super::expected::{Expected, MotionSource, OdometryError};
use super::scan_match::{Features, Matched, Prior, refine};
use super::search::{Window, best_of_all};
use super::submap::Submap;
use super::witnesses::Witnesses;

/// Points of the scan that a search looks at, branches that it takes at most, and the mean likelihood below which a place is none.
/// Ours.
const SEARCH_POINTS: usize = 120;
const MAX_BRANCHES: usize = 10_000;
const MIN_SCORE: f64 = 0.1;
/// Headings of a search are so far apart, radians.
const STEP_RAD: f64 = DEGREE;
/// Steps of the search around the best cell and heading, metres and radians.
const FINE_M: f64 = 0.05;
const FINE_RAD: f64 = 0.5 * DEGREE;
/// Below these there is nothing to search: the refinement reaches that far by itself.
const NARROW_M: f64 = 0.1;
const NARROW_RAD: f64 = 3.0 * DEGREE;
/// Largest window of the search. Where the odometry may be off by twice as much the search
/// would find the place by luck only, so there is none.
const MAX_WINDOW_M: f64 = 2.0;
const MAX_WINDOW_RAD: f64 = 60.0 * DEGREE;
/// How much a pose at the edge of the window must be better than the odometry's: this share of the score.
const PENALTY: f64 = 0.2;
/// Places that a search finds: with odometry, and without. Ours.
const PLACES: usize = 2;
const PLACES_WITHOUT_ODOMETRY: usize = 6;
/// Places of one search are so far apart, metres or radians.
const APART_M: f64 = 0.25;
const APART_RAD: f64 = 10.0 * DEGREE;
/// A match is considered from this ratio of points on a surface. Ours.
const MIN_INLIERS: f64 = 0.25;
/// A match is accepted within this of the odometry, metres and radians, plus so many standard deviations. Ours.
const MAX_OFF_M: f64 = 0.15;
const MAX_OFF_RAD: f64 = 0.05;
const MAX_SIGMAS: f64 = 4.0;
/// A match with this ratio of points on surfaces needs no second look. Ours.
const CONVINCING: f64 = 0.65;
/// Nor does one with fewer, where the last keyframes confirm so many points, and contradict no more than this ratio. Ours.
const MIN_CONFIRMED: usize = 60;
const MAX_CONTRADICTED: f64 = 0.03;
/// A place found by the second look is taken from this ratio on, and if it is worth so much more. Ours.
const FAR_INLIERS: f64 = 0.55;
const FAR_GAIN: f64 = 0.15;
/// Standard deviation of odometry that errs more than it should: at least, and at most. Ours: a slip of half a second.
const FAR_SIGMA_M: f64 = 0.25;
const FAR_SIGMA_RAD: f64 = 10.0 * DEGREE;
const MAX_FAR_SIGMA_M: f64 = 0.75;
const MAX_FAR_SIGMA_RAD: f64 = 25.0 * DEGREE;
/// What a place is worth: the ratio of points on surfaces, less so many times the ratio that is contradicted, less so much
/// for each standard deviation squared from where the robot is expected. Ours.
const CONTRADICTED_WEIGHT: f64 = 3.0;
const EXPECTED_WEIGHT: f64 = 0.02;
/// No more than so many squared count: wheels slip, and stamps err.
const MAX_SIGMAS_SQUARED: f64 = 12.0;
/// A match with this ratio of points on surfaces is taken if no more than this ratio is contradicted: people walk about.
const GOOD_INLIERS: f64 = 0.4;
const GOOD_CONTRADICTED: f64 = 0.5;
/// One with fewer if no more than this ratio is.
const MAX_CREDIBLE: f64 = 0.1;

/// A match of which more than this ratio is contradicted is doubtful.
const DOUBTFUL: f64 = 0.2;
/// The information of a match that is taken without being convincing counts so much. Ours: its standard deviations are five
/// times as large as the residuals say.
const DOUBTFUL_TRUST: f64 = 0.04;

/// A scan to be matched with a submap.
pub(super) struct Tracking<'a> {
    pub submap: &'a Submap,
    pub features: &'a Features,
    pub witnesses: Witnesses<'a>,
    pub deadline: Deadline,
}

/// Places at which the robot is expected, and how well that is known.
struct Expectation {
    places: Vec<Pose2>,
    error: OdometryError,
    source: MotionSource,
}

impl Tracking<'_> {
    /// The match of the scan with the submap, from where the robot was before; none if it does not fit.
    pub fn track(&self, submap_from_robot: Pose2, expected: Expected) -> Option<Matched> {
        let mut places = vec![submap_from_robot * expected.motion];
        let (sigma_m, sigma_rad) = (expected.error.sigma_m, expected.error.sigma_rad);
        let is_far = expected.motion.x_m.hypot(expected.motion.y_m) > 0.5 * sigma_m
            || expected.motion.theta_rad.abs() > 0.5 * sigma_rad;
        if expected.source == MotionSource::LastMotion && is_far {
            places.push(submap_from_robot);
        }
        let expectation = Expectation { places, error: expected.error, source: expected.source };
        let near = self.near(&expectation);
        let near = near.filter(|near| near.inliers >= MIN_INLIERS);
        let found = if near.is_some_and(|near| self.is_convincing(&near)) {
            near
        } else {
            self.second_look(&expectation, near)
        };
        let found = found.filter(|found| self.is_credible(found))?;
        if expected.source == MotionSource::LastMotion || !self.is_doubtful(&found) {
            return Some(found);
        }
        let information = found.information.map(|row| row.map(|value| DOUBTFUL_TRUST * value));
        Some(Matched { information, is_doubtful: true, ..found })
    }

    /// Whether a match may be taken: the scan lies on surfaces, and the last keyframes do not contradict it.
    fn is_credible(&self, found: &Matched) -> bool {
        if found.inliers >= CONVINCING {
            return true;
        }
        let told = self.witnesses.agreement(found.submap_from_robot);
        let contradicted = told.contradicted().unwrap_or(1.0);
        if found.inliers >= GOOD_INLIERS {
            return contradicted <= GOOD_CONTRADICTED;
        }
        told.agree >= MIN_CONFIRMED && contradicted <= MAX_CREDIBLE
    }

    /// Whether the last keyframes contradict a match so much that its scan is better not drawn.
    fn is_doubtful(&self, found: &Matched) -> bool {
        found.inliers < CONVINCING
            && self
                .witnesses
                .agreement(found.submap_from_robot)
                .contradicted()
                .is_none_or(|ratio| ratio > DOUBTFUL)
    }

    /// Whether a match needs no second look.
    fn is_convincing(&self, near: &Matched) -> bool {
        if near.inliers >= CONVINCING {
            return true;
        }
        let told = self.witnesses.agreement(near.submap_from_robot);
        told.agree >= MIN_CONFIRMED && told.contradicted().is_some_and(|ratio| ratio <= MAX_CONTRADICTED)
    }

    /// What speaks for a place.
    fn worth(&self, expectation: &Expectation, found: &Matched) -> f64 {
        let contradicted = self.witnesses.agreement(found.submap_from_robot).contradicted().unwrap_or(0.0);
        let off = expectation.sigmas_squared(found.submap_from_robot).min(MAX_SIGMAS_SQUARED);
        found.inliers - CONTRADICTED_WEIGHT * contradicted - EXPECTED_WEIGHT * off
    }

    /// The best match near where the robot is expected.
    fn near(&self, expectation: &Expectation) -> Option<Matched> {
        let error = expectation.error;
        let window = ((2.0 * error.sigma_m).min(MAX_WINDOW_M), (2.0 * error.sigma_rad).min(MAX_WINDOW_RAD));
        let is_narrow = window.0 < NARROW_M && window.1 < NARROW_RAD;
        let count = match expectation.source {
            MotionSource::Odometry => PLACES,
            MotionSource::LastMotion => PLACES_WITHOUT_ODOMETRY,
        };
        let mut starts = expectation.places.clone();
        if !is_narrow && error.sigma_m <= MAX_WINDOW_M {
            for place in &expectation.places {
                starts.extend(self.places(*place, window, count));
            }
        }
        let matches: Vec<Matched> = self.refined(starts, expectation);
        self.most_worth(expectation, matches)
    }

    /// The match from each start, but for those that run away.
    fn refined(&self, starts: Vec<Pose2>, expectation: &Expectation) -> Vec<Matched> {
        let mut matches: Vec<Matched> = Vec::with_capacity(starts.len());
        for start in starts {
            // Without odometry nothing is known along a corridor but what the search made of it.
            let submap_from_robot = match expectation.source {
                MotionSource::Odometry => expectation.places[0],
                MotionSource::LastMotion => start,
            };
            let (sigma_m, sigma_rad) = (expectation.error.sigma_m, expectation.error.sigma_rad);
            let prior = Prior { submap_from_robot, sigma_m, sigma_rad };
            let Some(found) = refine(&self.submap.surfaces, self.features, start, Some(prior)) else {
                continue;
            };
            if expectation.is_near(found.submap_from_robot)
                && matches.iter().all(|other| is_other(other.submap_from_robot, found.submap_from_robot))
            {
                matches.push(found);
            }
        }
        matches
    }

    fn most_worth(&self, expectation: &Expectation, matches: Vec<Matched>) -> Option<Matched> {
        if matches.len() < 2 {
            return matches.first().copied();
        }
        let worth = |found: Matched| (self.worth(expectation, &found), found);
        let all = matches.into_iter().map(worth);
        all.reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|(_, found)| found)
    }

    /// Searches as far around as wheels err when they slip, lines of a log are lost or robots are pushed. The place that is
    /// found wins only if it is worth clearly more than the one near the odometry. So the prior has a heavy tail.
    fn second_look(&self, expectation: &Expectation, near: Option<Matched>) -> Option<Matched> {
        let error = expectation.error;
        let factor = match expectation.source {
            MotionSource::Odometry => 1.0,
            MotionSource::LastMotion => 2.0,
        };
        let wide = Expectation {
            places: vec![expectation.places[0]],
            error: OdometryError {
                sigma_m: (2.0 * error.sigma_m).clamp(factor * FAR_SIGMA_M, MAX_FAR_SIGMA_M),
                sigma_rad: (2.0 * error.sigma_rad).clamp(factor * FAR_SIGMA_RAD, MAX_FAR_SIGMA_RAD),
            },
            source: expectation.source,
        };
        let window = (2.0 * wide.error.sigma_m, 2.0 * wide.error.sigma_rad);
        let starts = self.places(wide.places[0], window, 1);
        let found = self.refined(starts, &wide).into_iter().next();
        let needed = near.map_or(f64::NEG_INFINITY, |near| self.worth(&wide, &near) + FAR_GAIN);
        let inliers = FAR_INLIERS.max(near.map_or(0.0, |near| near.inliers + FAR_GAIN));
        found.filter(|found| found.inliers >= inliers && self.worth(&wide, found) >= needed).or(near)
    }

    /// The best places in a window around a pose, so many metres and radians to each side, the less likely the further away.
    fn places(&self, around: Pose2, (shift_m, turn_rad): (f64, f64), count: usize) -> Vec<Pose2> {
        let every = self.features.points.len().div_ceil(SEARCH_POINTS).max(1);
        let points: Vec<Point2> = self.features.points.iter().copied().step_by(every).collect();
        if points.is_empty() {
            return Vec::new();
        }
        let window = Window {
            submap_from_robot: around,
            shift_m,
            turn_rad,
            min_step_rad: STEP_RAD,
            penalty: PENALTY,
            max_branches: MAX_BRANCHES,
        };
        let apart = (APART_M, APART_RAD);
        let found =
            best_of_all(self.submap.pyramid(), &points, window, MIN_SCORE, (count, apart), self.deadline);
        let score = penalised(self.submap, &points, around, (shift_m, turn_rad));
        found.into_iter().map(|hit| best_around(hit.submap_from_robot, &score)).collect()
    }
}

impl Expectation {
    /// Squared distance to the nearest place, in standard deviations.
    fn sigmas_squared(&self, pose: Pose2) -> f64 {
        let off = |place: &Pose2| {
            let (shift_m, turn_rad) = apart(*place, pose);
            (shift_m / self.error.sigma_m).powi(2) + (turn_rad / self.error.sigma_rad).powi(2)
        };
        self.places.iter().map(off).fold(f64::INFINITY, f64::min)
    }

    fn is_near(&self, pose: Pose2) -> bool {
        self.places.iter().any(|place| {
            let (shift_m, turn_rad) = apart(*place, pose);
            shift_m < MAX_OFF_M + MAX_SIGMAS * self.error.sigma_m
                && turn_rad < MAX_OFF_RAD + MAX_SIGMAS * self.error.sigma_rad
        })
    }
}

/// How far apart poses are, metres and radians.
fn apart(a: Pose2, b: Pose2) -> (f64, f64) {
    ((a.x_m - b.x_m).hypot(a.y_m - b.y_m), wrap(a.theta_rad - b.theta_rad).abs())
}

/// Whether a match is not the same as another: further away than a match is exact.
fn is_other(a: Pose2, b: Pose2) -> bool {
    let (shift_m, turn_rad) = apart(a, b);
    shift_m > 0.02 || turn_rad > 0.5 * DEGREE
}

/// The likelihood of points at a pose, less the further it is from where the odometry puts the robot: a share of
/// [`PENALTY`] at so many metres and radians.
fn penalised<'a>(
    submap: &'a Submap,
    points: &'a [Point2],
    predicted: Pose2,
    (shift_m, turn_rad): (f64, f64),
) -> impl Fn(Pose2) -> f64 + 'a {
    move |pose: Pose2| {
        let (shift, turn) = apart(pose, predicted);
        let (shift, turn) = (shift / shift_m, turn / turn_rad);
        submap.field.score(points, pose) * (1.0 - PENALTY * (shift * shift + turn * turn).min(2.0) / 2.0)
    }
}

/// The best of the poses half a cell and half a degree around one.
fn best_around(middle: Pose2, score: &impl Fn(Pose2) -> f64) -> Pose2 {
    let (mut best, mut best_score) = (middle, score(middle));
    for turn in [-1.0, 0.0, 1.0] {
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let pose = Pose2::new(
                middle.x_m + f64::from(dx) * FINE_M,
                middle.y_m + f64::from(dy) * FINE_M,
                wrap(middle.theta_rad + turn * FINE_RAD),
            );
            let reached = score(pose);
            if reached > best_score {
                (best, best_score) = (pose, reached);
            }
        }
    }
    best
}
