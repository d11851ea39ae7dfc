//! The transform that brings paired points together with the least sum of squares, in closed form (spec 06).
//!
//! ```text
//! a_i, b_i centred on their weighted means
//! θ = atan2(Σ w (a_x b_y - a_y b_x), Σ w (a_x b_x + a_y b_y))
//! s = sqrt(both sums squared) / Σ w |a|²,   t = mean(b) - s R mean(a)
//! ```
//!
//! A rotation is searched, never a reflection: a mirror image gets the best rotation, and keeps its error.
//! One pair, or pairs that coincide, give a translation.

use model::{Point2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One place in both frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointPair {
    /// Where the map has it.
    pub in_map: Point2,
    /// Where the truth has it.
    pub in_truth: Point2,
}

/// What the transform may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// Translation and rotation.
    #[default]
    Rigid,
    /// Translation, rotation and scale.
    Similarity,
    /// Translation only.
    Translation,
}

/// The best `truth_from_map` of these pairs, all with the same weight.
///
/// None without a pair, or if the best scale is 0 (the points of the truth coincide, or are a mirror image).
pub fn fit(pairs: &[PointPair], motion: Motion) -> Option<Similarity2> {
    fit_weighted(pairs.iter().map(|&pair| (pair, 1.0)), motion)
}

/// The best `truth_from_map` of pairs with weights.
///
/// None if the weights do not sum to a positive finite number, or as [`fit`].
pub fn fit_weighted(
    pairs: impl Iterator<Item = (PointPair, f64)> + Clone,
    motion: Motion,
) -> Option<Similarity2> {
    let mut sums = [0.0; 5];
    for (PointPair { in_map: a, in_truth: b }, w) in pairs.clone() {
        let terms = [w, w * a.x_m, w * a.y_m, w * b.x_m, w * b.y_m];
        sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    let [weight, ax, ay, bx, by] = sums;
    if !(weight.is_finite() && weight > 0.0) {
        return None;
    }
    let (mean_map, mean_truth) =
        (Point2::new(ax / weight, ay / weight), Point2::new(bx / weight, by / weight));
    let (mut cross, mut dot, mut spread) = (0.0, 0.0, 0.0);
    for (PointPair { in_map, in_truth }, w) in pairs {
        let (ax, ay) = (in_map.x_m - mean_map.x_m, in_map.y_m - mean_map.y_m);
        let (bx, by) = (in_truth.x_m - mean_truth.x_m, in_truth.y_m - mean_truth.y_m);
        cross += w * (ax * by - ay * bx);
        dot += w * (ax * bx + ay * by);
        spread += w * (ax * ax + ay * ay);
    }
    let coincide = spread <= f64::MIN_POSITIVE;
    let theta_rad = if motion == Motion::Translation || coincide { 0.0 } else { cross.atan2(dot) };
    let scale = if motion == Motion::Similarity && !coincide { cross.hypot(dot) / spread } else { 1.0 };
    Some(Similarity2::sending(mean_map, mean_truth, theta_rad, scale)).filter(|found| found.is_valid())
}

/// Root mean square distance of the pairs under a transform; none without a pair.
pub fn rms_m(pairs: &[PointPair], truth_from_map: Similarity2) -> Option<f64> {
    let squared = |pair: &PointPair| {
        let moved = truth_from_map * pair.in_map;
        (moved.x_m - pair.in_truth.x_m).powi(2) + (moved.y_m - pair.in_truth.y_m).powi(2)
    };
    (!pairs.is_empty()).then(|| (pairs.iter().map(squared).sum::<f64>() / pairs.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use testkit::Random;

    use super::*;

    fn pair(map: (f64, f64), truth: (f64, f64)) -> PointPair {
        PointPair { in_map: Point2::new(map.0, map.1), in_truth: Point2::new(truth.0, truth.1) }
    }

    fn squares(pairs: &[PointPair], truth_from_map: Similarity2) -> f64 {
        rms_m(pairs, truth_from_map).unwrap().powi(2) * pairs.len() as f64
    }

    #[test]
    fn spec_07_e5_rigid_fit_of_three_rooms() {
        let pairs =
            [pair((10.0, 2.0), (0.0, 0.0)), pair((10.0, 8.0), (6.0, 0.0)), pair((5.3, 2.0), (0.0, 5.0))];
        let found = fit(&pairs, Motion::Rigid).unwrap();
        assert!((found.theta_rad.to_degrees() + 90.8666).abs() < 1e-4, "{found:?}");
        assert!((found.x_m + 1.8720).abs() < 1e-4 && (found.y_m - 10.1595).abs() < 1e-4, "{found:?}");
        let descriptors = 1.0 / 35.0 + 3.0 / 63.0;
        assert!((squares(&pairs, found) + descriptors - 0.127_115).abs() < 1e-6);
    }

    #[test]
    fn no_nearby_transform_is_better_and_no_coarse_search_over_everything() {
        let mut random = Random(5);
        let mut coordinate = || random.below(1000) as f64 / 100.0;
        for _ in 0..20 {
            let pairs: Vec<PointPair> =
                (0..6).map(|_| pair((coordinate(), coordinate()), (coordinate(), coordinate()))).collect();
            for motion in [Motion::Rigid, Motion::Similarity] {
                let found = fit(&pairs, motion).unwrap();
                let best = squares(&pairs, found);
                let mean = |of: fn(&PointPair) -> Point2| {
                    let sum = pairs.iter().map(of).fold((0.0, 0.0), |s, p| (s.0 + p.x_m, s.1 + p.y_m));
                    Point2::new(sum.0 / 6.0, sum.1 / 6.0)
                };
                let scales: Vec<f64> = match motion {
                    Motion::Similarity => (1..60).map(|i| f64::from(i) * 0.05).collect(),
                    _ => vec![1.0],
                };
                for (step, scale) in (0..360).flat_map(|step| scales.iter().map(move |&s| (step, s))) {
                    let theta_rad = f64::from(step) * TAU / 360.0;
                    let other =
                        Similarity2::sending(mean(|p| p.in_map), mean(|p| p.in_truth), theta_rad, scale);
                    assert!(squares(&pairs, other) >= best - 1e-9, "{motion:?} at {theta_rad} x {scale}");
                }
                for (dx, dy) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)] {
                    let moved = Similarity2 { x_m: found.x_m + dx, y_m: found.y_m + dy, ..found };
                    assert!(squares(&pairs, moved) >= best);
                }
            }
        }
    }

    #[test]
    fn a_similarity_is_found_exactly() {
        let transform = Similarity2::new(3.0, -2.0, 2.1, 1.7);
        let points = [(0.0, 0.0), (4.0, 1.0), (-2.0, 3.0)].map(|(x, y)| Point2::new(x, y));
        let pairs = points.map(|p| PointPair { in_map: p, in_truth: transform * p });
        let found = fit(&pairs, Motion::Similarity).unwrap();
        assert!(rms_m(&pairs, found).unwrap() < 1e-12);
        assert!((found.scale - 1.7).abs() < 1e-12 && (found.theta_rad - 2.1).abs() < 1e-12);
    }

    #[test]
    fn weights_decide_between_pairs_that_disagree() {
        let pairs = [(pair((0.0, 0.0), (1.0, 0.0)), 3.0), (pair((0.0, 0.0), (5.0, 0.0)), 1.0)];
        let found = fit_weighted(pairs.iter().copied(), Motion::Rigid).unwrap();
        assert!((found.x_m - 2.0).abs() < 1e-12);
        assert_eq!(fit_weighted(pairs.iter().map(|&(p, _)| (p, 0.0)), Motion::Rigid), None);
    }

    #[test]
    fn one_pair_or_coincident_pairs_give_a_translation() {
        let one = pair((1.0, 1.0), (4.0, 5.0));
        let expected = Some(Similarity2::new(3.0, 4.0, 0.0, 1.0));
        assert_eq!(fit(&[one], Motion::Similarity), expected);
        assert_eq!(fit(&[one, one], Motion::Rigid), expected);
        assert_eq!(fit(&[], Motion::Rigid), None);
    }

    #[test]
    fn a_mirror_image_is_not_a_match() {
        let mirror = [(1.0, 0.0), (0.0, 2.0), (3.0, 1.0)].map(|(x, y)| pair((x, y), (-x, y)));
        assert!(rms_m(&mirror, fit(&mirror, Motion::Rigid).unwrap()).unwrap() > 0.5);
        let square = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)].map(|(x, y)| pair((x, y), (x, -y)));
        assert_eq!(fit(&square, Motion::Similarity), None, "no scale above 0 helps");
    }

    #[test]
    fn translation_keeps_the_heading() {
        let turned = Similarity2::new(0.0, 0.0, FRAC_PI_2, 1.0);
        let pairs = [(1.0, 0.0), (0.0, 2.0)].map(|(x, y)| {
            let p = Point2::new(x, y);
            PointPair { in_map: p, in_truth: turned * p }
        });
        assert_eq!(fit(&pairs, Motion::Translation).unwrap().theta_rad, 0.0);
    }
}
