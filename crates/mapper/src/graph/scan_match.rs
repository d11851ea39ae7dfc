//! A scan on the surfaces of a submap: point-to-line Gauss-Newton with a Cauchy kernel and a prior.

use model::{Point2, Pose2, wrap};

use super::surface_map::SurfaceMap;
use crate::icp::NormalEquations;

/// Points and normals of a scan in the robot's frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    pub points: Vec<Point2>,
    pub normals: Vec<Option<Point2>>,
}

/// What is believed before the match, with its standard deviations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    pub submap_from_robot: Pose2,
    pub sigma_m: f64,
    pub sigma_rad: f64,
}

/// A match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matched {
    pub submap_from_robot: Pose2,
    /// Share of the points that lie on a surface.
    pub inliers: f64,
    /// Information matrix in the frame of the robot.
    pub information: [[f64; 3]; 3],
}

/// Reach of a point for surfaces, round by round, metres; the last one goes on.
const REACH_M: [f64; 4] = [0.3, 0.3, 0.2, 0.15];
/// Rounds at most.
const MAX_ROUNDS: usize = 12;
/// Width of the Cauchy weight, metres, at first and from the third round on.
const CAUCHY_M: [f64; 2] = [0.1, 0.05];
/// Weight of points without a line.
const POINT_WEIGHT: f64 = 0.2;
/// Standard deviation of a residual, metres. It turns sums into information; neighbours are not independent, so it is
/// larger than the noise of a laser.
const RESIDUAL_SIGMA_M: f64 = 0.1;
/// The same against the prior: the odometry counts little where the scan says anything at all. With ten times as much it
/// holds a laser that swings around the robot's middle back (Intel: 0.040 instead of 0.014 m between neighbours).
const PRIOR_RESIDUAL_M: f64 = 0.01;
/// It ends when it moves less than this, metres and radians.
const LEAST_CHANGE: f64 = 2e-4;
/// A point this near to a surface, metres, is an inlier.
const INLIER_M: f64 = 0.1;

/// The pose that fits best near a start; none if too little is seen to say.
pub(super) fn refine(
    map: &SurfaceMap,
    features: &Features,
    start: Pose2,
    prior: Option<Prior>,
) -> Option<Matched> {
    let mut found = start;
    let (mut equations, mut inliers) = (NormalEquations::default(), 0);
    for round in 0..MAX_ROUNDS {
        let reach_m = REACH_M[round.min(REACH_M.len() - 1)];
        let cauchy_m = CAUCHY_M[usize::from(round > 1)];
        (equations, inliers) = sums(map, features, found, reach_m, cauchy_m);
        if inliers < 3 {
            return None;
        }
        let mut whole = equations;
        if let Some(prior) = prior {
            add_prior(&mut whole, prior, found);
        }
        let [dx, dy, turn] = whole.solve()?;
        found = Pose2::new(found.x_m + dx, found.y_m + dy, wrap(found.theta_rad + turn));
        if dx.hypot(dy) < LEAST_CHANGE && turn.abs() < LEAST_CHANGE && round + 1 >= REACH_M.len() {
            break;
        }
    }
    let inliers = inliers as f64 / features.points.len() as f64;
    let information = in_robot(&equations, found, prior);
    found.is_finite().then_some(Matched { submap_from_robot: found, inliers, information })
}

fn sums(
    map: &SurfaceMap,
    features: &Features,
    at: Pose2,
    reach_m: f64,
    cauchy_m: f64,
) -> (NormalEquations, usize) {
    let mut equations = NormalEquations::default();
    let mut inliers = 0;
    let (sin, cos) = at.theta_rad.sin_cos();
    for (point, normal) in features.points.iter().zip(&features.normals) {
        let arm = Point2::new(cos * point.x_m - sin * point.y_m, sin * point.x_m + cos * point.y_m);
        let moved = Point2::new(at.x_m + arm.x_m, at.y_m + arm.y_m);
        let turned = normal.map(|n| Point2::new(cos * n.x_m - sin * n.y_m, sin * n.x_m + cos * n.y_m));
        let Some(surface) = map.nearest(moved, turned, reach_m) else { continue };
        let off = Point2::new(surface.centroid.x_m - moved.x_m, surface.centroid.y_m - moved.y_m);
        if let Some(line) = surface.normal {
            equations.add(line, off, arm, 1.0, cauchy_m);
            inliers += usize::from((line.x_m * off.x_m + line.y_m * off.y_m).abs() < INLIER_M);
        } else {
            equations.add(Point2::new(1.0, 0.0), off, arm, POINT_WEIGHT, cauchy_m);
            equations.add(Point2::new(0.0, 1.0), off, arm, POINT_WEIGHT, cauchy_m);
            inliers += usize::from(off.x_m.hypot(off.y_m) < INLIER_M);
        }
    }
    (equations, inliers)
}

fn add_prior(equations: &mut NormalEquations, prior: Prior, at: Pose2) {
    let believed = prior.submap_from_robot;
    let off = [believed.x_m - at.x_m, believed.y_m - at.y_m, wrap(believed.theta_rad - at.theta_rad)];
    for (axis, sigma) in [prior.sigma_m, prior.sigma_m, prior.sigma_rad].into_iter().enumerate() {
        let weight = (PRIOR_RESIDUAL_M / sigma).powi(2);
        equations.matrix[axis][axis] += weight;
        equations.right[axis] += weight * off[axis];
    }
}

/// The information about (x, y, theta), turned from the frame of the submap into that of the robot.
fn in_robot(equations: &NormalEquations, at: Pose2, prior: Option<Prior>) -> [[f64; 3]; 3] {
    let mut whole = *equations;
    if let Some(prior) = prior {
        add_prior(&mut whole, prior, at);
    }
    let [[xx, xy, xt], [_, yy, yt], [_, _, tt]] = whole.matrix;
    let matrix = [[xx, xy, xt], [xy, yy, yt], [xt, yt, tt]];
    let (sin, cos) = at.theta_rad.sin_cos();
    let turn = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
    let per = 1.0 / (RESIDUAL_SIGMA_M * RESIDUAL_SIGMA_M);
    let half: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| matrix[i][k] * turn[k][j]).sum()));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| per * (0..3).map(|k| turn[k][i] * half[k][j]).sum::<f64>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normals::normals;

    fn corner() -> Vec<Point2> {
        let mut points: Vec<Point2> = (0..60).map(|i| Point2::new(3.0, -1.5 + f64::from(i) * 0.05)).collect();
        points.extend((1..60).map(|i| Point2::new(3.0 - f64::from(i) * 0.05, 1.45)));
        points
    }

    fn features(pose: Pose2) -> Features {
        let points: Vec<Point2> = corner().iter().map(|p| pose.inverse() * *p).collect();
        Features { normals: normals(&points, Point2::default()), points }
    }

    fn map() -> SurfaceMap {
        let mut map = SurfaceMap::new();
        let seen = features(Pose2::IDENTITY);
        seen.points.iter().zip(&seen.normals).for_each(|(p, n)| map.add(*p, *n));
        map
    }

    #[test]
    fn a_corner_fixes_the_pose_to_millimetres() {
        let truth = Pose2::new(0.13, -0.06, 0.05);
        let found = refine(&map(), &features(truth), Pose2::new(0.1, 0.0, 0.02), None).unwrap();
        let error_m =
            (found.submap_from_robot.x_m - truth.x_m).hypot(found.submap_from_robot.y_m - truth.y_m);
        assert!(error_m < 0.005 && found.inliers > 0.9, "{found:?}");
        assert!((found.submap_from_robot.theta_rad - truth.theta_rad).abs() < 0.003);
    }

    #[test]
    fn along_a_wall_the_prior_decides_and_nothing_seen_is_no_match() {
        let mut wall = features(Pose2::new(0.0, 0.0, 0.0));
        wall.points.truncate(40);
        wall.normals.truncate(40);
        let believed = Pose2::new(0.05, 0.2, 0.0);
        let prior = Prior { submap_from_robot: believed, sigma_m: 0.1, sigma_rad: 0.05 };
        let found = refine(&map(), &wall, believed, Some(prior)).unwrap();
        assert!(found.submap_from_robot.x_m.abs() < 0.01, "{found:?}");
        assert!((found.submap_from_robot.y_m - 0.2).abs() < 0.1, "{found:?}");
        assert!(refine(&SurfaceMap::new(), &wall, believed, Some(prior)).is_none());
    }
}
