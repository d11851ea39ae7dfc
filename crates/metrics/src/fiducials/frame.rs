//! How a map lies on a layout, found from the fiducials alone: two correspondences fix a rigid transform.

use std::f64::consts::TAU;

use align::closed_form::{Motion, PointPair, fit};
use model::{FiducialPart, Point2, Pose2};

use crate::plane_distance::distance_m;

/// More hypotheses than this are sampled.
const MAX_HYPOTHESES: usize = 50_000;
/// More combinations of two places and two barrels than this are not looked at, except for some pairs of places.
const MAX_COMBINATIONS: usize = 20_000_000;
const MIN_PLACE_PAIRS: usize = 16;
/// The best so many hypotheses are tried in full.
pub(super) const TRIED_IN_FULL: usize = 24;
/// Rotations that are tried if there is only one place.
const ROTATIONS: usize = 72;
/// Hypotheses this near to a better one are the same: metres and radians.
const SAME_M: f64 = 0.1;
const SAME_RAD: f64 = 0.03;

/// Transforms worth trying, and how well the best one explains the places.
pub(super) struct Guesses {
    /// `truth_from_map`, best first.
    pub poses: Vec<Pose2>,
    /// The least sum over the places of min(d, d_max) to the nearest barrel; none without a guess.
    pub least_cost_m: Option<f64>,
}

/// The middle of each fiducial.
pub(super) fn places(parts: &[&FiducialPart]) -> Vec<Point2> {
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        if !names.contains(&part.fiducial.as_str()) {
            names.push(&part.fiducial);
        }
    }
    let middle = |name: &&str| {
        let own: Vec<Point2> =
            parts.iter().filter(|part| part.fiducial == **name).map(|p| p.center).collect();
        let mean = |of: fn(&Point2) -> f64| own.iter().map(of).sum::<f64>() / own.len() as f64;
        Point2::new(mean(|p| p.x_m), mean(|p| p.y_m))
    };
    names.iter().map(middle).collect()
}

/// At most `most` transforms worth trying, judged by how near each place of the layout has a barrel; all rotations about
/// a single place.
pub(super) fn hypotheses(
    places: &[Point2],
    barrels: &[Point2],
    d_max_m: f64,
    seed: u64,
    most: usize,
) -> Guesses {
    let most = if places.len() < 2 { usize::MAX } else { most };
    let mut kept: Vec<Pose2> = Vec::new();
    let ranked = ranked(places, barrels, d_max_m, seed);
    for &(_, pose) in &ranked {
        if kept.len() >= most {
            break;
        }
        if !kept.iter().any(|other| is_same(*other, pose)) {
            kept.push(pose);
        }
    }
    Guesses { poses: kept, least_cost_m: ranked.first().map(|(cost_m, _)| *cost_m) }
}

/// Whether the mirror image of the barrels fits the places clearly better than `own_cost_m`, by more than half a part.
pub(super) fn is_mirrored(
    places: &[Point2],
    barrels: &[Point2],
    d_max_m: f64,
    seed: u64,
    own_cost_m: Option<f64>,
) -> bool {
    // No mirror image is cheaper than 0.
    if places.len() <= 2 || own_cost_m.is_none_or(|own| own <= 0.5 * d_max_m) {
        return false;
    }
    let mirrored: Vec<Point2> = barrels.iter().map(|barrel| Point2::new(-barrel.x_m, barrel.y_m)).collect();
    let near = Buckets::of(&mirrored, d_max_m);
    let guesses = guesses(places, &mirrored, d_max_m, seed);
    own_cost_m
        .is_some_and(|own| guesses.iter().any(|pose| costs_below(*pose, places, &near, own - 0.5 * d_max_m)))
}

/// Whether a hypothesis costs less than a bound; most are out of the question after a few places.
fn costs_below(pose: Pose2, places: &[Point2], near: &Buckets, bound_m: f64) -> bool {
    let map_from_truth = pose.inverse();
    let mut cost_m = 0.0;
    places.iter().all(|&place| {
        cost_m += near.nearest_m(map_from_truth * place);
        cost_m < bound_m
    })
}

/// All hypotheses with their cost, cheapest first: the sum over the places of min(d, d_max) to the nearest barrel.
fn ranked(places: &[Point2], barrels: &[Point2], d_max_m: f64, seed: u64) -> Vec<(f64, Pose2)> {
    let guesses = guesses(places, barrels, d_max_m, seed);
    let near = Buckets::of(barrels, d_max_m);
    let cost = |pose: &Pose2| -> f64 {
        let map_from_truth = pose.inverse();
        places.iter().map(|&place| near.nearest_m(map_from_truth * place)).sum()
    };
    let mut ranked: Vec<(f64, Pose2)> = guesses.into_iter().map(|pose| (cost(&pose), pose)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked
}

/// All hypotheses, in no order of worth.
fn guesses(places: &[Point2], barrels: &[Point2], d_max_m: f64, seed: u64) -> Vec<Pose2> {
    if places.len() < 2 {
        return turned_about(places, barrels);
    }
    from_two_pairs(places, barrels, d_max_m, seed)
}

/// Points in square buckets no smaller than the longest distance that counts. Each bucket holds the points of its
/// neighbours too, and one row of buckets surrounds them all, so that a question looks into one bucket.
struct Buckets {
    corner: Point2,
    side_m: f64,
    longest_m: f64,
    columns: usize,
    rows: usize,
    buckets: Vec<Vec<Point2>>,
}

impl Buckets {
    /// More buckets along one side would be empty.
    const MAX_SIDE: f64 = 256.0;

    fn of(points: &[Point2], longest_m: f64) -> Self {
        let ends = |of: fn(&Point2) -> f64| {
            let all = points.iter().map(of);
            (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (low, high)) = (ends(|p| p.x_m), ends(|p| p.y_m));
        let extent_m = (right - left).max(high - low).max(0.0);
        let side_m = longest_m.max(extent_m / Self::MAX_SIDE).max(f64::MIN_POSITIVE.sqrt());
        let count = |length_m: f64| (length_m.max(0.0) / side_m) as usize + 3;
        let (columns, rows) = (count(right - left), count(high - low));
        let mut found = Self {
            corner: Point2::new(left - side_m, low - side_m),
            side_m,
            longest_m,
            columns,
            rows,
            buckets: vec![Vec::new(); columns * rows],
        };
        let inner = |at: i64, count: usize| (at.max(1) as usize).min(count.saturating_sub(2).max(1));
        for &point in points {
            let (column, row) = found.place_of(point);
            let (column, row) = (inner(column, columns), inner(row, rows));
            for near in row - 1..=row + 1 {
                (column - 1..=column + 1).for_each(|at| found.buckets[near * columns + at].push(point));
            }
        }
        found
    }

    fn place_of(&self, point: Point2) -> (i64, i64) {
        let step = |value_m: f64, from_m: f64| ((value_m - from_m) / self.side_m).floor() as i64;
        (step(point.x_m, self.corner.x_m), step(point.y_m, self.corner.y_m))
    }

    /// Distance to the nearest point, or the longest that counts.
    fn nearest_m(&self, point: Point2) -> f64 {
        let (column, row) = self.place_of(point);
        let inside = |at: i64, count: usize| usize::try_from(at).ok().filter(|at| *at < count);
        let (Some(column), Some(row)) = (inside(column, self.columns), inside(row, self.rows)) else {
            return self.longest_m;
        };
        let mut nearest_m = self.longest_m;
        for &other in &self.buckets[row * self.columns + column] {
            let is_near =
                (other.x_m - point.x_m).abs() < nearest_m && (other.y_m - point.y_m).abs() < nearest_m;
            if is_near {
                nearest_m = nearest_m.min(distance_m(point, other));
            }
        }
        nearest_m
    }
}

fn is_same(a: Pose2, b: Pose2) -> bool {
    let (there, back) = (Point2::new(a.x_m, a.y_m), Point2::new(b.x_m, b.y_m));
    distance_m(there, back) <= SAME_M && model::wrap(a.theta_rad - b.theta_rad).abs() <= SAME_RAD
}

/// One place says nothing about the rotation: all of them.
fn turned_about(places: &[Point2], barrels: &[Point2]) -> Vec<Pose2> {
    let turned = |place: &Point2, barrel: &Point2, step: usize| {
        let theta_rad = model::wrap(step as f64 * TAU / ROTATIONS as f64);
        let there = Pose2::new(0.0, 0.0, theta_rad) * *barrel;
        Pose2::new(place.x_m - there.x_m, place.y_m - there.y_m, theta_rad)
    };
    let pairs = places.iter().flat_map(|place| barrels.iter().map(move |barrel| (place, barrel)));
    pairs.flat_map(|(place, barrel)| (0..ROTATIONS).map(move |step| turned(place, barrel, step))).collect()
}

/// All pairs of two correspondences with compatible distances.
fn from_two_pairs(places: &[Point2], barrels: &[Point2], d_max_m: f64, seed: u64) -> Vec<Pose2> {
    let mut found = Vec::new();
    let mut seen = 0_u64;
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    // The same for every pair of places.
    let apart_m: Vec<f64> =
        barrels.iter().flat_map(|&a| barrels.iter().map(move |&b| distance_m(a, b))).collect();
    for (p, q) in place_pairs(places, barrels.len(), seed) {
        let between_m = distance_m(p, q);
        for (&a, apart_m) in barrels.iter().zip(apart_m.chunks(barrels.len().max(1))) {
            for (&b, apart_m) in barrels.iter().zip(apart_m) {
                if (between_m - apart_m).abs() <= d_max_m && a != b {
                    seen += 1;
                    keep_sampled(&mut found, [(a, p), (b, q)], seen, &mut random);
                }
            }
        }
    }
    found.into_iter().filter_map(rigid).collect()
}

/// All pairs of places; of many places and barrels, a random choice that takes a bounded time.
fn place_pairs(places: &[Point2], barrels: usize, seed: u64) -> Vec<(Point2, Point2)> {
    let others = |(i, &p): (usize, &Point2)| places[i + 1..].iter().map(move |&q| (p, q)).collect::<Vec<_>>();
    let mut pairs: Vec<(Point2, Point2)> = places.iter().enumerate().flat_map(others).collect();
    let most = (MAX_COMBINATIONS / (barrels * barrels).max(1)).max(MIN_PLACE_PAIRS);
    if pairs.len() > most {
        let mut random = seed.wrapping_mul(0xd134_2543_de82_ef95) | 1;
        for chosen in 0..most {
            let left = (pairs.len() - chosen) as u64;
            pairs.swap(chosen, chosen + (next(&mut random) % left) as usize);
        }
        pairs.truncate(most);
    }
    pairs
}

/// Keeps each of all hypotheses with the same chance once there are too many (reservoir sampling, xorshift).
fn keep_sampled(found: &mut Vec<TwoPairs>, pairs: TwoPairs, seen: u64, random: &mut u64) {
    if found.len() < MAX_HYPOTHESES {
        found.push(pairs);
    } else if let Some(slot) = found.get_mut((next(random) % seen) as usize) {
        *slot = pairs;
    }
}

fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}

/// Two correspondences: in the map, in the truth.
type TwoPairs = [(Point2, Point2); 2];

fn rigid(pairs: TwoPairs) -> Option<Pose2> {
    let pairs = pairs.map(|(in_map, in_truth)| PointPair { in_map, in_truth });
    fit(&pairs, Motion::Rigid).map(|found| found.pose())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_of_three_places_is_the_best_hypothesis() {
        let places = [Point2::new(0.0, 0.0), Point2::new(4.0, 0.0), Point2::new(4.0, 3.0)];
        let truth_from_map = Pose2::new(1.0, -2.0, 0.8);
        let barrels: Vec<Point2> = places
            .iter()
            .chain(&[Point2::new(9.0, 9.0)])
            .map(|&place| truth_from_map.inverse() * place)
            .collect();
        let best = hypotheses(&places, &barrels, 0.6, 1, TRIED_IN_FULL).poses[0];
        assert!(is_same(best, truth_from_map), "{best:?}");
    }

    #[test]
    fn many_places_take_a_bounded_time_and_are_found() {
        // A spiral: no two distances are alike.
        let place =
            |i: usize| Point2::new(i as f64 * (i as f64).cos(), 1.3 * i as f64 * (i as f64 * 0.7).sin());
        let places: Vec<Point2> = (0..200).map(place).collect();
        let truth_from_map = Pose2::new(1.0, -2.0, 0.8);
        let barrels: Vec<Point2> = places.iter().map(|&place| truth_from_map.inverse() * place).collect();
        let start = std::time::Instant::now();
        let best = hypotheses(&places, &barrels, 0.6, 1, TRIED_IN_FULL).poses[0];
        assert!(is_same(best, truth_from_map), "{best:?}");
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }

    #[test]
    fn buckets_find_what_a_look_at_every_point_finds() {
        let mut random = 7;
        let mut point = |spread_m: f64| {
            let mut of = || ((next(&mut random) % 10_000) as f64 / 10_000.0 - 0.5) * spread_m;
            Point2::new(of(), of())
        };
        let points: Vec<Point2> = (0..300).map(|_| point(30.0)).collect();
        for longest_m in [0.0, 0.01, 0.6, 50.0] {
            let near = Buckets::of(&points, longest_m);
            for asked in (0..500).map(|_| point(60.0)).collect::<Vec<_>>() {
                let least = points.iter().map(|&p| distance_m(asked, p)).fold(f64::INFINITY, f64::min);
                assert_eq!(near.nearest_m(asked), least.min(longest_m));
            }
        }
        assert_eq!(Buckets::of(&[], 0.6).nearest_m(Point2::new(1.0, 1.0)), 0.6);
    }

    #[test]
    fn a_mirror_image_is_recognised() {
        let places = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 5.0]].map(|[x, y]| Point2::new(x, y));
        let mirrored = places.map(|place| Point2::new(-place.x_m, place.y_m));
        let is_mirrored = |barrels: &[Point2]| {
            let own_cost_m = hypotheses(&places, barrels, 0.6, 1, TRIED_IN_FULL).least_cost_m;
            is_mirrored(&places, barrels, 0.6, 1, own_cost_m)
        };
        assert!(is_mirrored(&mirrored));
        assert!(!is_mirrored(&places));
    }

    #[test]
    fn one_place_gives_all_rotations_and_none_gives_nothing() {
        let poses =
            |places: &[Point2], barrels: &[Point2]| hypotheses(places, barrels, 0.6, 1, TRIED_IN_FULL).poses;
        let (place, barrel) = ([Point2::new(1.0, 1.0)], [Point2::new(2.0, 0.0)]);
        assert_eq!(poses(&place, &barrel).len(), ROTATIONS);
        assert_eq!(poses(&[], &barrel), []);
        assert_eq!(poses(&place, &[]), []);
    }
}
