//! `points`: the transform from pairs of points that a judge clicked in both maps.

use model::Point2;

use crate::closed_form::{Motion, PointPair, fit, rms_m};
use crate::{Alignment, Certificate, Hypothesis, Method, Mirror, Verdict};

/// Residual of the pairs over their spread at which they do not determine the transform.
const LOOSE: f64 = 0.25;

/// The transform of clicked pairs. Certain if at least two places are apart and the residual is small beside their
/// spread; mirrored if the mirror image fits three or more of them clearly better.
pub fn align_points(pairs: &[PointPair], motion: Motion) -> Alignment {
    let (Some(found), Some(residual_m)) =
        (fit(pairs, motion), fit(pairs, motion).and_then(|t| rms_m(pairs, t)))
    else {
        return Alignment::failed(Method::Points);
    };
    let spread_m = spread_m(pairs);
    let mirror = mirror(pairs, motion, residual_m, spread_m);
    let verdict = match mirror {
        Mirror::Mirrored => Verdict::Mirrored,
        _ if spread_m > 0.0 && residual_m <= LOOSE * spread_m => Verdict::Certain,
        _ => Verdict::Ambiguous,
    };
    let certificate = Certificate {
        mirror,
        residual_m: Some(residual_m),
        covariance: covariance(pairs, residual_m, spread_m),
        ..Certificate::plain(verdict)
    };
    let score = (1.0 - residual_m / spread_m.max(f64::MIN_POSITIVE)).max(0.0);
    let hypotheses = vec![Hypothesis { truth_from_map: found, score, mirrored: false }];
    Alignment { method: Method::Points, truth_from_map: Some(found), certificate, hypotheses }
}

/// Root mean square distance of the truth's points from their middle.
fn spread_m(pairs: &[PointPair]) -> f64 {
    let to_middle: Vec<PointPair> =
        pairs.iter().map(|pair| PointPair { in_map: Point2::default(), in_truth: pair.in_truth }).collect();
    fit(&to_middle, Motion::Translation).and_then(|middle| rms_m(&to_middle, middle)).unwrap_or(0.0)
}

/// Three places that are not in line tell a map from its mirror image.
fn mirror(pairs: &[PointPair], motion: Motion, residual_m: f64, spread_m: f64) -> Mirror {
    let flip =
        |pair: &PointPair| PointPair { in_map: Point2::new(-pair.in_map.x_m, pair.in_map.y_m), ..*pair };
    let flipped: Vec<PointPair> = pairs.iter().map(flip).collect();
    let flipped_m = fit(&flipped, motion).and_then(|found| rms_m(&flipped, found)).unwrap_or(f64::INFINITY);
    let clear_m = 0.05 * spread_m;
    if pairs.len() < 3 || (residual_m - flipped_m).abs() < clear_m {
        Mirror::MirrorUndecided
    } else if flipped_m < residual_m {
        Mirror::Mirrored
    } else {
        Mirror::Plain
    }
}

/// Of x, y and theta about the middle of the points.
fn covariance(pairs: &[PointPair], residual_m: f64, spread_m: f64) -> Option<[[f64; 3]; 3]> {
    let count = pairs.len() as f64;
    let variance = residual_m * residual_m / 2.0;
    (spread_m > 0.0).then(|| {
        let place = variance / count;
        [[place, 0.0, 0.0], [0.0, place, 0.0], [0.0, 0.0, variance / (count * spread_m * spread_m)]]
    })
}

#[cfg(test)]
mod tests {
    use model::Similarity2;

    use super::*;

    fn pairs(transform: impl Fn(Point2) -> Point2, count: usize) -> Vec<PointPair> {
        let places = [(0.0, 0.0), (8.0, 1.0), (3.0, 5.0), (7.0, 6.0)];
        let pair = |&(x, y): &(f64, f64)| {
            let in_map = Point2::new(x, y);
            PointPair { in_map, in_truth: transform(in_map) }
        };
        places[..count].iter().map(pair).collect()
    }

    #[test]
    fn exact_clicks_are_certain() {
        let transform = Similarity2::new(2.0, 3.0, 0.5, 1.0);
        let found = align_points(&pairs(|p| transform * p, 4), Motion::Rigid);
        assert_eq!(found.certificate.verdict, Verdict::Certain);
        assert_eq!(found.certificate.mirror, Mirror::Plain);
        let error = found.truth_from_map.unwrap() * transform.inverse();
        assert!(error.x_m.abs() < 1e-9 && error.theta_rad.abs() < 1e-9);
    }

    #[test]
    fn two_clicks_leave_the_mirror_open_one_leaves_the_turn_open() {
        let two = align_points(&pairs(|p| p, 2), Motion::Rigid);
        assert_eq!(
            (two.certificate.verdict, two.certificate.mirror),
            (Verdict::Certain, Mirror::MirrorUndecided)
        );
        assert_eq!(align_points(&pairs(|p| p, 1), Motion::Rigid).certificate.verdict, Verdict::Ambiguous);
        assert_eq!(align_points(&[], Motion::Rigid).certificate.verdict, Verdict::Failed);
    }

    #[test]
    fn clicks_in_a_mirrored_map_are_noticed() {
        let found = align_points(&pairs(|p| Point2::new(-p.x_m, p.y_m), 4), Motion::Rigid);
        assert_eq!(found.certificate.verdict, Verdict::Mirrored);
    }
}
