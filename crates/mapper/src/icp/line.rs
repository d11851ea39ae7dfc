//! `line`: residuals along the normals of the matched points, Cauchy weights, and a prior from the odometry that keeps
//! the direction along a corridor, which the scan does not fix.

use align::NearestPoints;
use model::{Point2, Pose2, wrap};

use super::{FIRST_REACH_M, MAX_ROUNDS, Pair, Reference, is_settled, pairs};

/// The reach shrinks by this factor per round down to the last (L-ICP).
const SHRINKING: f64 = 0.75;
const LAST_REACH_M: f64 = 0.12;
/// Width of the Cauchy weight, metres (L-ICP).
const CAUCHY_M: f64 = 0.1;
/// Weight of points without a line (L-ICP).
const POINT_WEIGHT: f64 = 0.3;
/// Weight of the prior: 10 * 0.03² / sigma² (L-ICP).
const PRIOR_WEIGHT: f64 = 10.0 * 0.03 * 0.03;

/// How far the fit trusts what it begins with, and what a pair may be off.
pub(super) struct LineFit {
    /// Standard deviations of the displacement it begins with: x and y in metres, theta in radians.
    pub sigmas: [f64; 3],
    /// The reach of the last round, metres.
    pub last_reach_m: f64,
    /// Width of the Cauchy weight, metres.
    pub cauchy_m: f64,
    /// Weight of points without a line; 0 leaves them out.
    pub point_weight: f64,
}

impl LineFit {
    /// L-ICP: sigma = 0.01 m + 15 % of the distance, 0.5 deg + 5 % of the rotation + 5 deg per metre.
    pub fn after_odometry(by_odometry: Pose2) -> Self {
        let distance_m = by_odometry.x_m.hypot(by_odometry.y_m);
        let sigma_m = 0.01 + 0.15 * distance_m;
        let sigma_rad =
            0.5_f64.to_radians() + 0.05 * by_odometry.theta_rad.abs() + 5_f64.to_radians() * distance_m;
        Self {
            sigmas: [sigma_m, sigma_m, sigma_rad],
            last_reach_m: LAST_REACH_M,
            cauchy_m: CAUCHY_M,
            point_weight: POINT_WEIGHT,
        }
    }
}

/// The displacement, and the share of points with a partner in the last round.
pub(super) fn fit(
    before: &Reference,
    index: &NearestPoints,
    now: &[Point2],
    start: Pose2,
    rules: &LineFit,
) -> Option<(Pose2, f64)> {
    let (mut found, mut reach_m, mut inliers) = (start, FIRST_REACH_M, 0.0);
    for _ in 0..MAX_ROUNDS {
        let paired = pairs(index, now, found, reach_m);
        if paired.len() < 3 {
            return None;
        }
        inliers = paired.len() as f64 / now.len() as f64;
        let mut equations = NormalEquations::prior(found, start, rules.sigmas);
        for pair in &paired {
            equations.add_pair(before, pair, found, rules);
        }
        let [dx, dy, turn] = equations.solve()?;
        let next = Pose2::new(found.x_m + dx, found.y_m + dy, wrap(found.theta_rad + turn));
        let is_last = is_settled(found, next) && reach_m <= rules.last_reach_m;
        found = next;
        if is_last {
            break;
        }
        reach_m = (reach_m * SHRINKING).max(rules.last_reach_m);
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
    /// The displacement that the fit begins with, as a measurement of these standard deviations.
    fn prior(found: Pose2, start: Pose2, sigmas: [f64; 3]) -> Self {
        let off = [start.x_m - found.x_m, start.y_m - found.y_m, wrap(start.theta_rad - found.theta_rad)];
        let mut equations = Self::default();
        for (axis, sigma) in sigmas.into_iter().enumerate() {
            let weight = PRIOR_WEIGHT / (sigma * sigma);
            equations.matrix[axis][axis] = weight;
            equations.right[axis] = weight * off[axis];
        }
        equations
    }

    /// Adds the residual of a pair along the normal of its partner, or of both axes where there is none.
    pub(super) fn add_pair(&mut self, before: &Reference, pair: &Pair, found: Pose2, rules: &LineFit) {
        let partner = before.points[pair.partner];
        let off = Point2::new(partner.x_m - pair.moved.x_m, partner.y_m - pair.moved.y_m);
        let arm = Point2::new(pair.moved.x_m - found.x_m, pair.moved.y_m - found.y_m);
        if let Some(normal) = before.normals[pair.partner] {
            self.add(normal, off, arm, 1.0, rules.cauchy_m);
        } else if rules.point_weight > 0.0 {
            self.add(Point2::new(1.0, 0.0), off, arm, rules.point_weight, rules.cauchy_m);
            self.add(Point2::new(0.0, 1.0), off, arm, rules.point_weight, rules.cauchy_m);
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
