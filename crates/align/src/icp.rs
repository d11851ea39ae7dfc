//! Iterated closest points: each point of the map to its nearest point of the truth, then the closed-form fit.
//!
//! A refinement: it needs a start nearby. No pair is rejected unless `reject_m` is given.

use model::{Point2, Similarity2};

use crate::closed_form::{Motion, PointPair, fit};
use crate::nearest::NearestPoints;

/// Parameters of the iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Icp {
    /// Rounds; the iteration ends earlier only when nothing moves any more.
    pub rounds: usize,
    /// What the transform may do.
    pub motion: Motion,
    /// Pairs further apart are left out; none keeps all.
    pub reject_m: Option<f64>,
}

impl Default for Icp {
    fn default() -> Self {
        Self { rounds: 30, motion: Motion::Rigid, reject_m: None }
    }
}

/// What the iteration found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    pub truth_from_map: Similarity2,
    /// Root mean square distance of the points to their nearest ones under it.
    pub rms_m: f64,
}

impl Icp {
    /// Refines a start; none without points, or if every pair is left out.
    pub fn refine(&self, truth: &[Point2], map: &[Point2], start: Similarity2) -> Option<Closest> {
        let index = NearestPoints::new(truth)?;
        let mut truth_from_map = start;
        let mut last: Vec<Point2> = map.iter().map(|&p| index.nearest(start * p).0).collect();
        let mut pairs = Vec::with_capacity(map.len());
        for _ in 0..self.rounds {
            pairs.clear();
            let move_point = moving(truth_from_map);
            for (&in_map, last) in map.iter().zip(&mut last) {
                let (in_truth, square) = index.nearest_from(move_point(in_map), *last);
                *last = in_truth;
                if self.reject_m.is_none_or(|reject_m| square <= reject_m * reject_m) {
                    pairs.push(PointPair { in_map, in_truth });
                }
            }
            let better = fit(&pairs, self.motion)?;
            if better == truth_from_map {
                break;
            }
            truth_from_map = better;
        }
        let move_point = moving(truth_from_map);
        let squares: f64 =
            map.iter().zip(last).map(|(&p, last)| index.nearest_from(move_point(p), last).1).sum();
        let rms_m = (squares / map.len() as f64).sqrt();
        rms_m.is_finite().then_some(Closest { truth_from_map, rms_m })
    }
}

/// A transform with its sine and cosine at hand.
fn moving(transform: Similarity2) -> impl Fn(Point2) -> Point2 {
    let (sin, cos) = transform.theta_rad.sin_cos();
    let (a, b) = (transform.scale * cos, transform.scale * sin);
    move |p| Point2::new(a * p.x_m - b * p.y_m + transform.x_m, b * p.x_m + a * p.y_m + transform.y_m)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Vec<Point2> {
        let along = (0..40).map(|i| Point2::new(f64::from(i) * 0.1, 0.0));
        along.chain((1..30).map(|i| Point2::new(0.0, f64::from(i) * 0.1))).collect()
    }

    #[test]
    fn a_small_motion_is_undone() {
        let truth = corner();
        let map_from_truth = Similarity2::new(0.02, -0.03, 0.01, 1.0);
        let map: Vec<Point2> = truth.iter().map(|&p| map_from_truth * p).collect();
        let found = Icp::default().refine(&truth, &map, Similarity2::IDENTITY).unwrap();
        assert!(found.rms_m < 1e-9, "{found:?}");
        let product = found.truth_from_map * map_from_truth;
        assert!(product.x_m.abs() < 1e-9 && product.y_m.abs() < 1e-9 && product.theta_rad.abs() < 1e-9);
    }

    #[test]
    fn far_pairs_can_be_left_out() {
        let mut map = corner();
        map.push(Point2::new(50.0, 50.0));
        let strict = Icp { reject_m: Some(1.0), ..Icp::default() };
        let found = strict.refine(&corner(), &map, Similarity2::IDENTITY).unwrap();
        assert!(found.truth_from_map.x_m.abs() < 1e-9 && found.truth_from_map.theta_rad.abs() < 1e-9);
    }

    #[test]
    fn no_points_no_answer() {
        assert_eq!(Icp::default().refine(&[], &corner(), Similarity2::IDENTITY), None);
        assert_eq!(Icp::default().refine(&corner(), &[], Similarity2::IDENTITY), None);
    }
}
