//! The displacement between any two scans that see the same place, with what it rests on (T-GEN).
//!
//! Each scan is laid on the other, point to line; points without a line are left out, since where beams happen to fall
//! says nothing about the place. The result is half way between the two answers. What it began with
//! hardly counts (0.3 m, 10 degrees), so the scans alone decide, and where they do not, as along a corridor, the
//! covariance says so.
//!
//! ```text
//! C = k² s² (Σ w n nᵀ + s² P)⁻¹ + d dᵀ + floor²,   s = max(rms, 0.01 m)
//! ```
//!
//! over the pairs; P is the weak knowledge of the start, so that nothing singular is inverted; d is
//! half of what the two answers differ by; k = 3, since neighbouring beams err together.

use align::NearestPoints;
use model::{Point2, Pose2, Rigid, wrap};

use super::line::{LineFit, NormalEquations, fit};
use super::seen_through::Outline;
use super::{FIRST_REACH_M, Pair, Reference, pairs};
use crate::Scan;

/// Trust in the displacement that the match begins with: metres, metres, radians. Ours.
const START_SIGMAS: [f64; 3] = [0.3, 0.3, 10.0 * std::f64::consts::PI / 180.0];
/// Pairs of the last round are nearer than this, metres. Ours: six times the noise of a usual laser.
const LAST_REACH_M: f64 = 0.06;
/// How a scan is laid on another; the Cauchy weight is as wide as the noise of a laser allows. Ours.
const RULES: LineFit =
    LineFit { sigmas: START_SIGMAS, last_reach_m: LAST_REACH_M, cauchy_m: 0.03, point_weight: 0.0 };
/// A pair fits the noise of a laser within this, metres: three times 1 cm.
const INLIER_M: f64 = 0.03;
/// Points with a partner within this overlap, metres.
const OVERLAP_M: f64 = 0.1;
/// Noise of a range at least, metres.
const MIN_NOISE_M: f64 = 0.01;
/// Hessians are over-confident: standard deviations are taken this many times as large. Ours, see docs/ground-truth.md.
const INFLATION: f64 = 3.0;
/// No displacement is known better than this: metres and radians. Ours.
const FLOOR: [f64; 3] = [0.002, 0.002, 0.001];
/// A direction to which less than this share of the normals points is degenerate. Ours.
const DEGENERATE_SHARE: f64 = 0.04;

/// The displacement between two scans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RefinedMatch {
    /// The pose of the robot at the second scan seen from the first.
    pub first_from_second: Pose2,
    /// Root mean square distance of the pairs along the normals, metres.
    pub rms_m: f64,
    /// Share of the points that have a partner in the other scan, the smaller of both scans.
    pub overlap: f64,
    /// Share of the pairs within 3 cm.
    pub inliers: f64,
    /// Share of the points where the other scan looked through, the larger of both scans.
    pub contradicted: f64,
    /// Covariance of x, y, theta: xx, xy, xt, yy, yt, tt in metres and radians.
    pub covariance: [f64; 6],
    /// Direction, seen from the first pose, along which the scans fix nothing; radians, 0 to pi.
    pub degenerate_rad: Option<f64>,
}

/// Lays two scans on each other; none if too few points meet.
#[must_use]
pub fn refine(first: &Scan, second: &Scan, start: Pose2) -> Option<RefinedMatch> {
    let both = BothScans::of(first, second);
    let forth = laid(&both.on_first, second, start)?;
    let back = laid(&both.on_second, first, start.inverse())?.inverse();
    let off = [
        0.5 * (back.x_m - forth.x_m),
        0.5 * (back.y_m - forth.y_m),
        0.5 * wrap(back.theta_rad - forth.theta_rad),
    ];
    both.measured(forth.toward(back, 0.5), off)
}

/// What two scans say about a displacement as it is, without a search: the numbers of [`refine`], whose covariance also
/// knows how far the two directions of its search differ. None if too few points meet.
#[must_use]
pub fn measure(first: &Scan, second: &Scan, first_from_second: Pose2) -> Option<RefinedMatch> {
    if !first_from_second.is_finite() {
        return None;
    }
    BothScans::of(first, second).measured(first_from_second, [0.0; 3])
}

/// Two scans, each ready to be laid on.
struct BothScans<'a> {
    first: &'a Scan,
    second: &'a Scan,
    on_first: Reference,
    on_second: Reference,
}

impl<'a> BothScans<'a> {
    fn of(first: &'a Scan, second: &'a Scan) -> Self {
        let reference = |scan: &Scan| Reference::new(&scan.hits_in_robot, scan.laser_in_robot);
        Self { first, second, on_first: reference(first), on_second: reference(second) }
    }

    /// The evidence for a displacement; `off` is half of what the two directions of a search differ by.
    fn measured(&self, first_from_second: Pose2, off: [f64; 3]) -> Option<RefinedMatch> {
        let (first, second) = (&self.first.hits_in_robot, &self.second.hits_in_robot);
        let second_from_first = first_from_second.inverse();
        let mut sums = PairSums::default();
        sums.add(&self.on_first, second, first_from_second)?;
        let overlap = |onto: &Reference, points: &[Point2], pose: Pose2| {
            let index = NearestPoints::with_reach(&onto.points, OVERLAP_M)?;
            Some(pairs(&index, points, pose, OVERLAP_M).len() as f64 / points.len() as f64)
        };
        let forth = overlap(&self.on_first, second, first_from_second)?;
        let back = overlap(&self.on_second, first, second_from_first)?;
        let through = Outline::of(self.first).share_seen_through(second, first_from_second);
        let through_back = Outline::of(self.second).share_seen_through(first, second_from_first);
        Some(RefinedMatch {
            first_from_second,
            rms_m: sums.rms_m(),
            overlap: forth.min(back),
            inliers: sums.inliers as f64 / sums.count as f64,
            contradicted: through.max(through_back),
            covariance: sums.covariance(off)?,
            degenerate_rad: sums.degenerate_rad(),
        })
    }
}

/// Lays a scan on another.
fn laid(onto: &Reference, scan: &Scan, start: Pose2) -> Option<Pose2> {
    let index = NearestPoints::with_reach(&onto.points, FIRST_REACH_M)?;
    let (found, _) = fit(onto, &index, &scan.hits_in_robot, start, &RULES)?;
    found.is_finite().then_some(found)
}

/// Sums over the pairs of a match.
#[derive(Default)]
struct PairSums {
    equations: NormalEquations,
    squares_m2: f64,
    count: usize,
    inliers: usize,
}

impl PairSums {
    /// Adds the pairs within the last reach; none without three of them.
    fn add(&mut self, before: &Reference, points: &[Point2], pose: Pose2) -> Option<()> {
        let index = NearestPoints::with_reach(&before.points, LAST_REACH_M)?;
        let paired = pairs(&index, points, pose, LAST_REACH_M);
        for pair in &paired {
            let Some(residual_m) = residual_m(before, pair) else { continue };
            self.equations.add_pair(before, pair, pose, &RULES);
            self.squares_m2 += residual_m * residual_m;
            self.inliers += usize::from(residual_m <= INLIER_M);
            self.count += 1;
        }
        (self.count >= 3).then_some(())
    }

    fn rms_m(&self) -> f64 {
        (self.squares_m2 / self.count as f64).sqrt()
    }

    fn covariance(&self, off: [f64; 3]) -> Option<[f64; 6]> {
        let noise_m = self.rms_m().max(MIN_NOISE_M);
        let mut equations = self.equations;
        for (axis, sigma) in START_SIGMAS.into_iter().enumerate() {
            equations.matrix[axis][axis] += (noise_m / sigma).powi(2);
        }
        let column = |axis: usize| {
            let mut right = [0.0; 3];
            right[axis] = (INFLATION * noise_m).powi(2);
            NormalEquations { right, ..equations }.solve()
        };
        let columns = [column(0)?, column(1)?, column(2)?];
        let entry = |i: usize, j: usize| {
            let floor = if i == j { FLOOR[i] * FLOOR[i] } else { 0.0 };
            columns[j][i] + off[i] * off[j] + floor
        };
        Some([entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)])
    }

    /// The direction that the normals leave free once the heading is free too: the smaller eigenvalue of what is left of
    /// the position's part of the matrix, as a share of all of it.
    fn degenerate_rad(&self) -> Option<f64> {
        let [[a, b, c], [_, d, e], [_, _, f]] = self.equations.matrix;
        let turned = f.max(1e-9);
        let (xx, xy, yy) = (a - c * c / turned, b - c * e / turned, d - e * e / turned);
        let least = f64::midpoint(xx, yy) - (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
        let long_rad = 0.5 * (2.0 * xy).atan2(xx - yy);
        let free_rad = (long_rad + std::f64::consts::FRAC_PI_2).rem_euclid(std::f64::consts::PI);
        (least < DEGENERATE_SHARE * (a + d)).then_some(free_rad)
    }
}

/// Distance of a pair along the normal of its partner; none where that has none.
fn residual_m(before: &Reference, pair: &Pair) -> Option<f64> {
    let (partner, normal) = (before.points[pair.partner], before.normals[pair.partner]?);
    let (dx, dy) = (partner.x_m - pair.moved.x_m, partner.y_m - pair.moved.y_m);
    Some((normal.x_m * dx + normal.y_m * dy).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a laser at a pose sees of walls given by their ends: 241 beams over 240 degrees, up to 6 m.
    fn scan_of(walls: &[[f64; 4]], pose: Pose2) -> Scan {
        let hit = |beam: i32| {
            let direction_rad = f64::from(beam).to_radians();
            let (sin, cos) = (pose.theta_rad + direction_rad).sin_cos();
            let range = |&[x1, y1, x2, y2]: &[f64; 4]| {
                let (ex, ey, px, py) = (x2 - x1, y2 - y1, x1 - pose.x_m, y1 - pose.y_m);
                let cross = cos * ey - sin * ex;
                let (range_m, along) = ((px * ey - py * ex) / cross, (px * sin - py * cos) / cross);
                (range_m > 0.0 && (0.0..=1.0).contains(&along)).then_some(range_m)
            };
            let range_m = walls.iter().filter_map(range).fold(f64::INFINITY, f64::min);
            let (sin, cos) = direction_rad.sin_cos();
            (range_m < 6.0).then(|| Point2::new(range_m * cos, range_m * sin))
        };
        Scan { hits_in_robot: (-120..=120).filter_map(hit).collect(), ..Scan::default() }
    }

    const ROOM: [[f64; 4]; 5] = [
        [-2.0, -1.5, 3.0, -1.5],
        [3.0, -1.5, 3.0, 2.0],
        [3.0, 2.0, -2.0, 2.0],
        [-2.0, 2.0, -2.0, -1.5],
        [1.0, 0.8, 1.0, 2.0],
    ];
    const CORRIDOR: [[f64; 4]; 2] = [[-50.0, -0.6, 50.0, -0.6], [-50.0, 0.6, 50.0, 0.6]];

    #[test]
    fn scans_of_a_room_give_the_displacement_whatever_the_start() {
        let truth = Pose2::new(0.8, -0.3, 0.7);
        let (first, second) = (scan_of(&ROOM, Pose2::IDENTITY), scan_of(&ROOM, truth));
        for off in [Pose2::IDENTITY, Pose2::new(0.1, -0.1, 0.1), Pose2::new(-0.12, 0.05, -0.08)] {
            let found = refine(&first, &second, truth * off).unwrap();
            let rest = found.first_from_second.seen_from(truth);
            assert!(rest.distance_m() < 0.003 && rest.angle_rad() < 0.003, "{found:?}");
            assert!(found.rms_m < 0.01 && found.inliers > 0.95 && found.overlap > 0.5, "{found:?}");
            assert!(found.contradicted < 0.02 && found.degenerate_rad.is_none(), "{found:?}");
        }
    }

    #[test]
    fn a_displacement_is_measured_where_it_is() {
        let truth = Pose2::new(0.8, -0.3, 0.7);
        let (first, second) = (scan_of(&ROOM, Pose2::IDENTITY), scan_of(&ROOM, truth));
        let found = refine(&first, &second, truth).unwrap();
        let there = measure(&first, &second, found.first_from_second).unwrap();
        // Only the covariance knows of the search.
        assert_eq!(RefinedMatch { covariance: found.covariance, ..there }, found);
        let beside = measure(&first, &second, truth * Pose2::new(0.05, 0.03, 0.0)).unwrap();
        assert!(beside.rms_m > there.rms_m && beside.overlap < there.overlap, "{beside:?}");
        assert!(measure(&first, &second, Pose2::new(60.0, 0.0, 0.0)).is_none());
        assert!(measure(&first, &second, Pose2::new(f64::NAN, 0.0, 0.0)).is_none());
    }

    #[test]
    fn a_corridor_is_known_across_and_not_along() {
        let truth = Pose2::new(0.5, 0.1, 0.05);
        let (first, second) = (scan_of(&CORRIDOR, Pose2::IDENTITY), scan_of(&CORRIDOR, truth));
        let found = refine(&first, &second, Pose2::new(0.6, 0.05, 0.0)).unwrap();
        let along_rad = found.degenerate_rad.unwrap();
        assert!(along_rad.sin().abs() < 0.01, "along x: {along_rad}");
        let [xx, _, _, yy, ..] = found.covariance;
        assert!(xx.sqrt() > 0.2 && yy.sqrt() < 0.03, "{found:?}");
        assert!((found.first_from_second.y_m - 0.1).abs() < 0.005, "{found:?}");
    }

    #[test]
    fn a_place_that_only_looks_alike_is_contradicted() {
        // The wall at x = 1 is not there in the second scan.
        let (first, second) = (scan_of(&ROOM, Pose2::IDENTITY), scan_of(&ROOM[..4], Pose2::IDENTITY));
        let found = refine(&first, &second, Pose2::IDENTITY).unwrap();
        assert!(found.contradicted > 0.05, "{found:?}");
    }

    #[test]
    fn nothing_in_common_is_no_match() {
        let scan = scan_of(&ROOM, Pose2::IDENTITY);
        assert!(refine(&scan, &Scan::default(), Pose2::IDENTITY).is_none());
        assert!(refine(&Scan::default(), &scan, Pose2::IDENTITY).is_none());
        assert!(refine(&scan, &scan, Pose2::new(40.0, 0.0, 0.0)).is_none());
        let one = Scan { hits_in_robot: vec![Point2::new(1.0, 0.0)], ..Scan::default() };
        assert!(refine(&one, &one, Pose2::IDENTITY).is_none());
    }
}
