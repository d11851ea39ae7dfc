//! A scan on the surfaces of a submap: point-to-line Gauss-Newton with a Cauchy kernel and a prior.

use model::{Point2, Pose2, wrap};

use super::surface_map::SurfaceMap;
use crate::Scan;
use crate::icp::NormalEquations;
use crate::normals::{is_lone, normal};

/// What the neighbours of a point in its scan say about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// On a line, with its normal.
    Line(Point2),
    /// With neighbours that form no line: a corner, or something small.
    Corner,
    /// Without neighbours: where the beam hit the surface does not show where the surface ends.
    Lone,
}

impl Shape {
    pub fn normal(self) -> Option<Point2> {
        if let Self::Line(normal) = self { Some(normal) } else { None }
    }
}

/// Points of a scan in the robot's frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    pub points: Vec<Point2>,
    pub shapes: Vec<Shape>,
}

impl Features {
    /// Of the hits of a scan, thinned to about so many.
    pub fn of(scan: &Scan, most: usize) -> Self {
        let hits = &scan.hits_in_robot;
        let every = hits.len().div_ceil(most.max(1)).max(1);
        let shape = |index: usize| match normal(hits, index, scan.laser_in_robot, NORMAL_REACH_M) {
            Some(normal) => Shape::Line(normal),
            None if is_lone(hits, index, scan.laser_in_robot) => Shape::Lone,
            None => Shape::Corner,
        };
        let (points, shapes) =
            (0..hits.len()).step_by(every).map(|index| (hits[index], shape(index))).unzip();
        Self { points, shapes }
    }
}

/// The pose expected before the match, with its standard deviations.
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
    /// Whether there is a direction that the scan does not see.
    pub is_weak: bool,
    /// Whether little fits, or the last keyframes contradict it: where the robot is may be right, the scan is not drawn.
    pub is_doubtful: bool,
}

/// A normal comes from neighbours up to this far away on each side, metres: ten times the noise of a usual laser.
const NORMAL_REACH_M: f64 = 0.1;
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
/// The same against the prior: the odometry counts little where the scan fixes the pose at all. With ten times as much it
/// holds a laser that swings around the robot's middle back (Intel: 0.040 instead of 0.014 m between neighbours).
const PRIOR_RESIDUAL_M: f64 = 0.01;
/// It ends when it moves less than this, metres and radians.
const MIN_CHANGE: f64 = 2e-4;
/// A direction in which fewer points than this, or than this share of them, hold the scan is not seen: along a corridor
/// the noise of the normals alone is worth half a point in a hundred.
const WEAK_POINTS: f64 = 3.0;
const WEAK_SHARE: f64 = 0.02;
/// A point this near to a surface, metres, is an inlier.
const INLIER_M: f64 = 0.1;

/// The pose that fits best near a start; none if too little is seen to say.
pub(super) fn refine(
    map: &SurfaceMap,
    features: &Features,
    start: Pose2,
    prior: Option<Prior>,
) -> Option<Matched> {
    refine_from(0, map, features, start, prior)
}

/// The same from where a pose graph has laid the scan, which is centimetres off at most.
pub(super) fn settle(map: &SurfaceMap, features: &Features, start: Pose2) -> Option<Matched> {
    refine_from(REACH_M.len() - 2, map, features, start, None)
}

fn refine_from(
    first: usize,
    map: &SurfaceMap,
    features: &Features,
    start: Pose2,
    prior: Option<Prior>,
) -> Option<Matched> {
    let mut found = start;
    let (mut equations, mut inliers) = (NormalEquations::default(), 0);
    for round in first..MAX_ROUNDS {
        let reach_m = REACH_M[round.min(REACH_M.len() - 1)];
        let cauchy_m = CAUCHY_M[usize::from(round > 1)];
        (equations, inliers) = sums(map, features, found, reach_m, cauchy_m);
        if inliers < 3 {
            return None;
        }
        let mut whole = equations;
        if let Some(prior) = prior {
            add_prior(&mut whole, prior, found);
            if let Some(weak) = weak_direction(&equations, inliers) {
                hold_to_prior(&mut whole, prior, found, weak);
            }
        }
        let [dx, dy, turn] = whole.solve()?;
        found = Pose2::new(found.x_m + dx, found.y_m + dy, wrap(found.theta_rad + turn));
        if dx.hypot(dy) < MIN_CHANGE && turn.abs() < MIN_CHANGE && round + 1 >= REACH_M.len() {
            break;
        }
    }
    let weak = weak_direction(&equations, inliers);
    let inliers = inliers as f64 / features.points.len() as f64;
    let information = in_robot(&equations, found, prior, weak);
    found.is_finite().then_some(Matched {
        submap_from_robot: found,
        inliers,
        information,
        is_weak: weak.is_some(),
        is_doubtful: false,
    })
}

/// Share of the points that lie on a surface at a pose.
pub(super) fn inliers_at(map: &SurfaceMap, features: &Features, at: Pose2) -> f64 {
    let (_, inliers) = sums(map, features, at, REACH_M[REACH_M.len() - 1], CAUCHY_M[1]);
    inliers as f64 / features.points.len().max(1) as f64
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
    for (point, shape) in features.points.iter().zip(&features.shapes) {
        let arm = Point2::new(cos * point.x_m - sin * point.y_m, sin * point.x_m + cos * point.y_m);
        let moved = Point2::new(at.x_m + arm.x_m, at.y_m + arm.y_m);
        let turned =
            shape.normal().map(|n| Point2::new(cos * n.x_m - sin * n.y_m, sin * n.x_m + cos * n.y_m));
        let Some(surface) = map.nearest(moved, turned, reach_m) else { continue };
        let off = Point2::new(surface.centroid.x_m - moved.x_m, surface.centroid.y_m - moved.y_m);
        if let Some(line) = surface.normal {
            equations.add(line, off, arm, 1.0, cauchy_m);
            inliers += usize::from((line.x_m * off.x_m + line.y_m * off.y_m).abs() < INLIER_M);
        } else if *shape != Shape::Lone {
            equations.add(Point2::new(1.0, 0.0), off, arm, POINT_WEIGHT, cauchy_m);
            equations.add(Point2::new(0.0, 1.0), off, arm, POINT_WEIGHT, cauchy_m);
            inliers += usize::from(off.x_m.hypot(off.y_m) < INLIER_M);
        }
    }
    (equations, inliers)
}

fn add_prior(equations: &mut NormalEquations, prior: Prior, at: Pose2) {
    let expected = prior.submap_from_robot;
    let off = [expected.x_m - at.x_m, expected.y_m - at.y_m, wrap(expected.theta_rad - at.theta_rad)];
    for (axis, sigma) in [prior.sigma_m, prior.sigma_m, prior.sigma_rad].into_iter().enumerate() {
        let weight = (PRIOR_RESIDUAL_M / sigma).powi(2);
        equations.matrix[axis][axis] += weight;
        equations.right[axis] += weight * off[axis];
    }
}

/// The direction in which too few points hold the scan, such as along a corridor.
fn weak_direction(equations: &NormalEquations, inliers: usize) -> Option<Point2> {
    let [[xx, xy, _], [_, yy, _], _] = equations.matrix;
    let apart = (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
    let least = f64::midpoint(xx, yy) - apart;
    let along_rad = 0.5 * (2.0 * xy).atan2(xx - yy) + std::f64::consts::FRAC_PI_2;
    let needed = WEAK_POINTS.max(WEAK_SHARE * inliers as f64);
    (least < needed).then(|| Point2::new(along_rad.cos(), along_rad.sin()))
}

/// Holds the pose where the prior has it, along one direction.
fn hold_to_prior(equations: &mut NormalEquations, prior: Prior, at: Pose2, weak: Point2) {
    let expected = prior.submap_from_robot;
    let off_m = weak.x_m * (expected.x_m - at.x_m) + weak.y_m * (expected.y_m - at.y_m);
    // As much as the scan fixes the other direction.
    let weight = equations.matrix[0][0] + equations.matrix[1][1];
    let row = [weak.x_m, weak.y_m];
    for i in 0..2 {
        for j in i..2 {
            equations.matrix[i][j] += weight * row[i] * row[j];
        }
        equations.right[i] += weight * row[i] * off_m;
    }
}

/// The information about (x, y, theta), turned from the frame of the submap into that of the robot. In a weak direction
/// it is that of the prior, or none.
fn in_robot(
    equations: &NormalEquations,
    at: Pose2,
    prior: Option<Prior>,
    weak: Option<Point2>,
) -> [[f64; 3]; 3] {
    let mut whole = *equations;
    if let Some(prior) = prior {
        add_prior(&mut whole, prior, at);
    }
    let [[xx, xy, xt], [_, yy, yt], [_, _, tt]] = whole.matrix;
    let per = 1.0 / (RESIDUAL_SIGMA_M * RESIDUAL_SIGMA_M);
    let mut matrix = [[xx, xy, xt], [xy, yy, yt], [xt, yt, tt]].map(|row| row.map(|value| per * value));
    if let Some(weak) = weak {
        let left = prior.map_or(0.0, |prior| 1.0 / (prior.sigma_m * prior.sigma_m));
        matrix = without(matrix, weak);
        let row = [weak.x_m, weak.y_m];
        (0..2).for_each(|i| (0..2).for_each(|j| matrix[i][j] += left * row[i] * row[j]));
    }
    let (sin, cos) = at.theta_rad.sin_cos();
    congruent(matrix, [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
}

/// A matrix without information about one direction of the plane.
fn without(matrix: [[f64; 3]; 3], weak: Point2) -> [[f64; 3]; 3] {
    let (x, y) = (weak.x_m, weak.y_m);
    congruent(matrix, [[1.0 - x * x, -x * y, 0.0], [-x * y, 1.0 - y * y, 0.0], [0.0, 0.0, 1.0]])
}

/// Tᵀ M T.
fn congruent(matrix: [[f64; 3]; 3], by: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let half: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| matrix[i][k] * by[k][j]).sum()));
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| by[k][i] * half[k][j]).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Vec<Point2> {
        let mut points: Vec<Point2> = (0..60).map(|i| Point2::new(3.0, -1.5 + f64::from(i) * 0.05)).collect();
        points.extend((1..60).map(|i| Point2::new(3.0 - f64::from(i) * 0.05, 1.45)));
        points
    }

    fn features(pose: Pose2) -> Features {
        let points: Vec<Point2> = corner().iter().map(|p| pose.inverse() * *p).collect();
        Features::of(&Scan { hits_in_robot: points, ..Scan::default() }, 400)
    }

    fn map() -> SurfaceMap {
        let mut map = SurfaceMap::new();
        let seen = features(Pose2::IDENTITY);
        seen.points.iter().zip(&seen.shapes).for_each(|(p, shape)| map.add(*p, shape.normal(), 1.0));
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
        wall.shapes.truncate(40);
        let expected = Pose2::new(0.05, 0.2, 0.0);
        let prior = Prior { submap_from_robot: expected, sigma_m: 0.1, sigma_rad: 0.05 };
        let found = refine(&map(), &wall, expected, Some(prior)).unwrap();
        assert!(found.submap_from_robot.x_m.abs() < 0.01, "{found:?}");
        assert!((found.submap_from_robot.y_m - 0.2).abs() < 0.01, "{found:?}");
        assert!(refine(&SurfaceMap::new(), &wall, expected, Some(prior)).is_none());
    }
}
