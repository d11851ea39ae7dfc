//! Accuracy of found places under a transform, and the transform that makes it best.

use align::closed_form::{Motion, PointPair, fit, fit_weighted};
use model::Similarity2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::errors::ErrorScale;
use crate::plane_distance::distance_m;

/// What the transform minimises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FitObjective {
    /// The mean error, as in the paper.
    #[default]
    Mean,
    /// The sum of squares, in closed form.
    Lsq,
}

/// Rounds of reweighting.
const ROUNDS: usize = 50;
/// Distances below this do not raise a weight further, in metres.
const MIN_DISTANCE_M: f64 = 1e-6;

/// Distances of the pairs under a transform, in metres.
#[must_use]
pub fn distances_m(pairs: &[PointPair], truth_from_map: Similarity2) -> Vec<f64> {
    pairs.iter().map(|pair| distance_m(truth_from_map * pair.in_map, pair.in_truth)).collect()
}

/// 1 - mean error of the pairs under a transform; none without pairs.
#[must_use]
pub fn accuracy(pairs: &[PointPair], truth_from_map: Similarity2, scale: &ErrorScale) -> Option<f64> {
    let errors: Vec<f64> = distances_m(pairs, truth_from_map).iter().map(|&d| scale.error(d)).collect();
    ErrorScale::value(&errors)
}

/// The transform with the best accuracy: for `mean` the best of `first`, least squares and all iterates of
/// reweighted least squares with weights 1 / d; for `lsq` least squares alone.
#[must_use]
pub fn best_fit(
    pairs: &[PointPair],
    model: Motion,
    objective: FitObjective,
    scale: &ErrorScale,
    first: Option<Similarity2>,
) -> Option<Similarity2> {
    let squares = fit(pairs, model)?;
    if objective == FitObjective::Lsq {
        return Some(squares);
    }
    let mut tried: Vec<Similarity2> = first.into_iter().chain([squares]).collect();
    let mut current = squares;
    for _ in 0..ROUNDS {
        let away_m = distances_m(pairs, current);
        let weighted = pairs.iter().zip(&away_m).map(|(&pair, d)| (pair, 1.0 / d.max(MIN_DISTANCE_M)));
        let Some(next) = fit_weighted(weighted, model) else { break };
        tried.push(next);
        current = next;
    }
    let worth = |fit: &Similarity2| accuracy(pairs, *fit, scale).unwrap_or(0.0);
    // The first of equals: `max_by` would take the last.
    tried.into_iter().reduce(|best, next| if worth(&next) > worth(&best) { next } else { best })
}

#[cfg(test)]
mod tests {
    use model::Point2;
    use proptest::prelude::*;

    use super::*;
    use crate::drawing::nearly;
    use crate::fiducials::errors::Rounding;

    const SCALE: ErrorScale = ErrorScale { d_max_m: 0.6, step_m: 0.0, rounding: Rounding::Floor };
    const TRUTH: [[f64; 2]; 3] = [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]];

    fn point([x, y]: [f64; 2]) -> Point2 {
        Point2::new(x, y)
    }

    fn pairs(found: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<PointPair> {
        TRUTH.iter().map(|&truth| PointPair { in_map: point(found(truth)), in_truth: point(truth) }).collect()
    }

    fn global(pairs: &[PointPair]) -> f64 {
        accuracy(pairs, Similarity2::IDENTITY, &SCALE).unwrap()
    }

    fn relative(pairs: &[PointPair], model: Motion, objective: FitObjective) -> f64 {
        let fit = best_fit(pairs, model, objective, &SCALE, Some(Similarity2::IDENTITY)).unwrap();
        accuracy(pairs, fit, &SCALE).unwrap()
    }

    #[test]
    fn e1_errors_are_averaged_and_capped() {
        let found = [[0.0, 0.0], [3.0, 0.3], [3.9, 4.0]];
        let pairs: Vec<PointPair> = found
            .iter()
            .zip(TRUTH)
            .map(|(&f, t)| PointPair { in_map: point(f), in_truth: point(t) })
            .collect();
        nearly(global(&pairs), 0.5, 1e-12);
    }

    #[test]
    fn e2_a_shift_is_no_relative_error() {
        let shifted = pairs(|[x, y]| [x + 0.5, y - 0.2]);
        nearly(global(&shifted), 0.102_473, 1e-6);
        for model in [Motion::Rigid, Motion::Similarity, Motion::Translation] {
            nearly(relative(&shifted, model, FitObjective::Mean), 1.0, 1e-9);
        }
    }

    #[test]
    fn e3_scale_and_rotation() {
        let larger = pairs(|[x, y]| [1.1 * x, 1.1 * y]);
        nearly(global(&larger), 0.555_556, 1e-6);
        nearly(relative(&larger, Motion::Rigid, FitObjective::Lsq), 0.615_646, 1e-6);
        nearly(relative(&larger, Motion::Rigid, FitObjective::Mean), 0.624_087, 1e-6);
        let fit = best_fit(&larger, Motion::Similarity, FitObjective::Lsq, &SCALE, None).unwrap();
        nearly(fit.scale, 0.909_091, 1e-6);
        nearly(accuracy(&larger, fit, &SCALE).unwrap(), 1.0, 1e-9);
        let turn = 10.0_f64.to_radians();
        let turned = pairs(|[x, y]| [turn.cos() * x - turn.sin() * y + 1.0, turn.sin() * x + turn.cos() * y]);
        let fit = best_fit(&turned, Motion::Rigid, FitObjective::Lsq, &SCALE, None).unwrap();
        nearly(fit.theta_rad, -turn, 1e-9);
        nearly(fit.x_m, -0.984_808, 1e-6);
        nearly(fit.y_m, 0.173_648, 1e-6);
    }

    #[test]
    fn e4_three_exact_corners_beat_the_least_squares() {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let found = [[0.5, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let pairs: Vec<PointPair> = found
            .iter()
            .zip(corners)
            .map(|(&f, t)| PointPair { in_map: point(f), in_truth: point(t) })
            .collect();
        nearly(relative(&pairs, Motion::Rigid, FitObjective::Lsq), 0.711_547, 1e-6);
        nearly(relative(&pairs, Motion::Rigid, FitObjective::Mean), 0.791_667, 1e-6);
    }

    #[test]
    fn a_mirror_image_is_not_accurate() {
        let mirrored = pairs(|[x, y]| [-x, y]);
        // Two of three corners can always be brought together.
        assert!(relative(&mirrored, Motion::Rigid, FitObjective::Mean) <= 2.0 / 3.0 + 1e-6);
    }

    proptest! {
        #[test]
        fn relative_accuracy_is_never_below_global(
            places in prop::collection::vec((-5.0..5.0_f64, -5.0..5.0_f64, -0.8..0.8_f64, -0.8..0.8_f64), 1..8),
            step_m in prop_oneof![Just(0.0), 0.05..0.6_f64],
        ) {
            let pairs: Vec<PointPair> = places.iter()
                .map(|&(x, y, dx, dy)| PointPair { in_map: Point2::new(x + dx, y + dy), in_truth: Point2::new(x, y) })
                .collect();
            let scale = ErrorScale { step_m, ..SCALE };
            let global = accuracy(&pairs, Similarity2::IDENTITY, &scale).unwrap();
            for model in [Motion::Rigid, Motion::Similarity, Motion::Translation] {
                let fit = best_fit(&pairs, model, FitObjective::Mean, &scale, Some(Similarity2::IDENTITY)).unwrap();
                prop_assert!(accuracy(&pairs, fit, &scale).unwrap() >= global);
            }
        }
    }
}
