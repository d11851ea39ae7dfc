//! How a map lies on a layout, found from the fiducials alone: two correspondences fix a rigid transform.

use std::f64::consts::TAU;

use align::closed_form::{Motion, PointPair, fit};
use model::{Point2, Pose2};

use crate::plane_distance::distance_m;

/// More hypotheses than this are sampled.
const MAX_HYPOTHESES: usize = 50_000;
/// The best so many hypotheses are tried in full.
const TRIED_IN_FULL: usize = 24;
/// Rotations that are tried if there is only one place.
const ROTATIONS: usize = 72;
/// Hypotheses this near to a better one are the same: metres and radians.
const SAME_M: f64 = 0.1;
const SAME_RAD: f64 = 0.03;

/// Transforms `truth_from_map` worth trying, best first: judged by how near each place of the layout has a barrel.
pub(super) fn hypotheses(places: &[Point2], barrels: &[Point2], d_max_m: f64, seed: u64) -> Vec<Pose2> {
    let most = if places.len() < 2 { usize::MAX } else { TRIED_IN_FULL };
    let mut kept: Vec<Pose2> = Vec::new();
    for (_, pose) in ranked(places, barrels, d_max_m, seed) {
        if kept.len() >= most {
            break;
        }
        if !kept.iter().any(|other| is_same(*other, pose)) {
            kept.push(pose);
        }
    }
    kept
}

/// Whether the mirror image of the barrels fits the places clearly better, by more than half a part.
pub(super) fn is_mirrored(places: &[Point2], barrels: &[Point2], d_max_m: f64, seed: u64) -> bool {
    let mirrored: Vec<Point2> = barrels.iter().map(|barrel| Point2::new(-barrel.x_m, barrel.y_m)).collect();
    let best = |barrels: &[Point2]| ranked(places, barrels, d_max_m, seed).first().map(|(cost_m, _)| *cost_m);
    places.len() > 2
        && best(&mirrored).zip(best(barrels)).is_some_and(|(mirrored, own)| mirrored + 0.5 * d_max_m < own)
}

/// All hypotheses with their cost, cheapest first: the sum over the places of min(d, d_max) to the nearest barrel.
fn ranked(places: &[Point2], barrels: &[Point2], d_max_m: f64, seed: u64) -> Vec<(f64, Pose2)> {
    let guesses = if places.len() < 2 {
        turned_about(places, barrels)
    } else {
        from_two_pairs(places, barrels, d_max_m, seed)
    };
    let cost = |pose: &Pose2| -> f64 {
        places.iter().map(|&place| nearest_m(place, barrels, *pose).min(d_max_m)).sum()
    };
    let mut ranked: Vec<(f64, Pose2)> = guesses.into_iter().map(|pose| (cost(&pose), pose)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    ranked
}

fn nearest_m(place: Point2, barrels: &[Point2], truth_from_map: Pose2) -> f64 {
    let there = truth_from_map.inverse() * place;
    barrels.iter().map(|&barrel| distance_m(there, barrel)).fold(f64::INFINITY, f64::min)
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
    for (i, &p) in places.iter().enumerate() {
        for &q in &places[i + 1..] {
            for &a in barrels {
                for &b in barrels {
                    let is_compatible = (distance_m(p, q) - distance_m(a, b)).abs() <= d_max_m && a != b;
                    let pose = is_compatible.then(|| rigid([(a, p), (b, q)])).flatten();
                    let Some(pose) = pose else { continue };
                    seen += 1;
                    keep_sampled(&mut found, pose, seen, &mut random);
                }
            }
        }
    }
    found
}

/// Keeps each of all hypotheses with the same chance once there are too many (reservoir sampling, xorshift).
fn keep_sampled(found: &mut Vec<Pose2>, pose: Pose2, seen: u64, random: &mut u64) {
    if found.len() < MAX_HYPOTHESES {
        found.push(pose);
        return;
    }
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    if let Some(slot) = found.get_mut((*random % seen) as usize) {
        *slot = pose;
    }
}

fn rigid(pairs: [(Point2, Point2); 2]) -> Option<Pose2> {
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
        let best = hypotheses(&places, &barrels, 0.6, 1)[0];
        assert!(is_same(best, truth_from_map), "{best:?}");
    }

    #[test]
    fn a_mirror_image_is_recognised() {
        let places = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [1.0, 5.0]].map(|[x, y]| Point2::new(x, y));
        let mirrored = places.map(|place| Point2::new(-place.x_m, place.y_m));
        assert!(is_mirrored(&places, &mirrored, 0.6, 1));
        assert!(!is_mirrored(&places, &places, 0.6, 1));
    }

    #[test]
    fn one_place_gives_all_rotations_and_none_gives_nothing() {
        assert_eq!(hypotheses(&[Point2::new(1.0, 1.0)], &[Point2::new(2.0, 0.0)], 0.6, 1).len(), ROTATIONS);
        assert_eq!(hypotheses(&[], &[Point2::new(2.0, 0.0)], 0.6, 1), []);
        assert_eq!(hypotheses(&[Point2::new(1.0, 1.0)], &[], 0.6, 1), []);
    }
}
