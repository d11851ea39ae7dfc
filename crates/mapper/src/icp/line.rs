//! `line`: residuals along the normals of the matched points, Cauchy weights, and a prior from the odometry that keeps
//! the direction along a corridor, which the scan does not fix.

use model::{Point2, Pose2, wrap};

use super::{FIRST_REACH_M, MAX_ROUNDS, Reference, is_settled, pairs};
use crate::point_index::PointIndex;

/// The reach shrinks by this factor per round down to the last (L-ICP).
const SHRINKING: f64 = 0.75;
const LAST_REACH_M: f64 = 0.12;
/// Width of the Cauchy weight, metres (L-ICP).
const CAUCHY_M: f64 = 0.1;
/// Weight of points without a line (L-ICP).
const POINT_WEIGHT: f64 = 0.3;
/// Weight of the prior: 10 * 0.03² / sigma² (L-ICP).
const PRIOR_WEIGHT: f64 = 10.0 * 0.03 * 0.03;

/// The displacement, and the share of points with a partner in the last round.
pub(super) fn fit(
    before: &Reference,
    index: &PointIndex<'_>,
    now: &[Point2],
    by_odometry: Pose2,
) -> Option<(Pose2, f64)> {
    let (mut found, mut reach_m, mut inliers) = (by_odometry, FIRST_REACH_M, 0.0);
    for _ in 0..MAX_ROUNDS {
        let paired = pairs(index, now, found, reach_m);
        if paired.len() < 3 {
            return None;
        }
        inliers = paired.len() as f64 / now.len() as f64;
        let mut equations = NormalEquations::prior(found, by_odometry);
        for pair in &paired {
            equations.add_pair(before, pair, found);
        }
        let [dx, dy, turn] = equations.solve()?;
        let next = Pose2::new(found.x_m + dx, found.y_m + dy, wrap(found.theta_rad + turn));
        let is_last = is_settled(found, next) && reach_m <= LAST_REACH_M;
        found = next;
        if is_last {
            break;
        }
        reach_m = (reach_m * SHRINKING).max(LAST_REACH_M);
    }
    Some((found, inliers))
}

/// Sums of a least-squares problem in three unknowns: matrix and right side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NormalEquations {
    /// Symmetric; the upper triangle is kept.
    pub matrix: [[f64; 3]; 3],
    pub right: [f64; 3],
}

impl NormalEquations {
    /// The prior: sigma = 0.01 m + 15 % of the distance, 0.5 deg + 5 % of the rotation + 5 deg per metre (L-ICP).
    fn prior(found: Pose2, by_odometry: Pose2) -> Self {
        let distance_m = by_odometry.x_m.hypot(by_odometry.y_m);
        let sigma_m = 0.01 + 0.15 * distance_m;
        let sigma_rad =
            0.5_f64.to_radians() + 0.05 * by_odometry.theta_rad.abs() + 5_f64.to_radians() * distance_m;
        let off = [
            by_odometry.x_m - found.x_m,
            by_odometry.y_m - found.y_m,
            wrap(by_odometry.theta_rad - found.theta_rad),
        ];
        let mut equations = Self::default();
        for (axis, sigma) in [sigma_m, sigma_m, sigma_rad].into_iter().enumerate() {
            let weight = PRIOR_WEIGHT / (sigma * sigma);
            equations.matrix[axis][axis] = weight;
            equations.right[axis] = weight * off[axis];
        }
        equations
    }

    fn add_pair(&mut self, before: &Reference, pair: &super::Pair, found: Pose2) {
        let partner = before.points[pair.partner];
        let off = Point2::new(partner.x_m - pair.moved.x_m, partner.y_m - pair.moved.y_m);
        let arm = Point2::new(pair.moved.x_m - found.x_m, pair.moved.y_m - found.y_m);
        if let Some(normal) = before.normals[pair.partner] {
            self.add(normal, off, arm, 1.0, CAUCHY_M);
        } else {
            self.add(Point2::new(1.0, 0.0), off, arm, POINT_WEIGHT, CAUCHY_M);
            self.add(Point2::new(0.0, 1.0), off, arm, POINT_WEIGHT, CAUCHY_M);
        }
    }

    /// Adds the residual n · (off - step - turn x arm), with a Cauchy weight of a width in metres.
    pub fn add(&mut self, normal: Point2, off: Point2, arm: Point2, weight: f64, cauchy_m: f64) {
        let residual = normal.x_m * off.x_m + normal.y_m * off.y_m;
        let weight = weight / (1.0 + (residual / cauchy_m).powi(2));
        let row = [normal.x_m, normal.y_m, normal.y_m * arm.x_m - normal.x_m * arm.y_m];
        for i in 0..3 {
            for j in i..3 {
                self.matrix[i][j] += weight * row[i] * row[j];
            }
            self.right[i] += weight * row[i] * residual;
        }
    }

    /// The step; none where the equations do not fix one.
    pub fn solve(&self) -> Option<[f64; 3]> {
        let [[a, b, c], [_, d, e], [_, _, f]] = self.matrix;
        let (c0, c1, c2) = (d * f - e * e, c * e - b * f, b * e - c * d);
        let determinant = a * c0 + b * c1 + c * c2;
        if !(determinant.is_finite() && determinant > 1e-12 * a * d * f) {
            return None;
        }
        let [x, y, z] = self.right;
        let inverse = [[c0, c1, c2], [c1, a * f - c * c, b * c - a * e], [c2, b * c - a * e, a * d - b * b]];
        Some(inverse.map(|row| (row[0] * x + row[1] * y + row[2] * z) / determinant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_equations_by_hand() {
        // 2 x = 4, 3 y = 6, 4 z = 2, uncoupled.
        let matrix = [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]];
        assert_eq!(NormalEquations { matrix, right: [4.0, 6.0, 2.0] }.solve(), Some([2.0, 2.0, 0.5]));
        assert_eq!(NormalEquations::default().solve(), None);
    }
}
