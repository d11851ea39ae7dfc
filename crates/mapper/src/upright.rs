//! What a vertical scanner tells about slopes (Kleiner et al., section 2.1: a second scanner, turned by 90 degrees).
//!
//! Its beams lie in the upright plane ahead of the robot. Walls stand upright, so the lean of a wall in the scan is the
//! pitch of the robot, without an inertial unit; the ground ahead is a line whose slope against the robot tells the ramp
//! that comes. Points in the order of the beams are split into straight lines (iterative end-point fit), each fitted by
//! total least squares.

use model::{LaserScan, Point2};

/// What one vertical scan tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UprightReading {
    /// When it was taken, seconds.
    pub time_s: f64,
    /// Pitch of the robot, nose up positive, radians; none without a wall.
    pub pitch_up_rad: Option<f64>,
    /// Slope of the ground ahead against the robot, rising positive, radians; none where it cannot be seen.
    pub ground_ahead_rad: Option<f64>,
}

impl UprightReading {
    /// Slope of the ground ahead against the horizon; none without both.
    #[must_use]
    pub fn ground_slope_rad(&self) -> Option<f64> {
        self.pitch_up_rad.zip(self.ground_ahead_rad).map(|(pitch, ahead)| pitch + ahead)
    }
}

/// A point further than this off the line through the ends of a run splits it: metres, and a share of its range. Ours:
/// five sigma of a scanner with 1 % of noise, the ends being noisy too.
const SPLIT_M: f64 = 0.02;
const SPLIT_SHARE: f64 = 0.05;
/// Share of the points at each end of a run that are not fitted: where two surfaces meet, a point may belong to either.
const END_SHARE: f64 = 0.1;
/// Neighbours further apart than this belong to different surfaces, metres, and as a share of the range.
const GAP_M: f64 = 0.1;
const GAP_SHARE: f64 = 0.1;
/// Lines with fewer points, or shorter ones, tell no slope.
const MIN_POINTS: usize = 12;
const MIN_LENGTH_M: f64 = 0.25;
/// A line within this angle of upright is a wall, of level the ground: steeper ramps are not driven over.
const MAX_LEAN_RAD: f64 = std::f64::consts::FRAC_PI_4;

/// Pitch and slope out of a scan whose beams lie in the upright plane ahead, the first one low.
#[must_use]
pub fn upright_reading(scan: &LaserScan) -> UprightReading {
    let lines = lines_of(&points_of(scan));
    let is_ahead = |line: &&Line| line.middle.x_m > 0.0;
    let longest = |a: &&Line, b: &&Line| a.length_m.total_cmp(&b.length_m);
    let is_wall =
        |line: &&Line| line.along.x_m.abs() < MAX_LEAN_RAD.sin() * line.along.x_m.hypot(line.along.y_m);
    let wall = lines.iter().filter(is_ahead).filter(is_wall).max_by(longest);
    let is_ground = |line: &&Line| !is_wall(line) && line.middle.y_m < 0.0;
    let ground = lines.iter().filter(is_ahead).filter(is_ground).max_by(longest);
    // A wall that leans away from the robot by a, seen from it, is upright: the robot's nose is up by a.
    let lean = |line: &Line| (line.along.x_m * line.along.y_m.signum()).atan2(line.along.y_m.abs());
    let slope = |line: &Line| (line.along.y_m * line.along.x_m.signum()).atan2(line.along.x_m.abs());
    UprightReading { time_s: scan.time_s, pitch_up_rad: wall.map(lean), ground_ahead_rad: ground.map(slope) }
}

/// Returns as points ahead (x) and up (y); misses break a run and are none.
fn points_of(scan: &LaserScan) -> Vec<Option<Point2>> {
    let point = |(beam, range): (usize, &f32)| {
        let range_m = f64::from(*range);
        let (sin, cos) = (scan.beams.first_rad + beam as f64 * scan.beams.step_rad).sin_cos();
        let is_return = range_m > 0.0 && range_m < scan.beams.max_range_m;
        is_return.then(|| Point2::new(range_m * cos, range_m * sin))
    };
    scan.ranges_m.iter().enumerate().map(point).collect()
}

/// A fitted line.
struct Line {
    middle: Point2,
    /// Direction, not of unit length.
    along: Point2,
    length_m: f64,
}

fn lines_of(points: &[Option<Point2>]) -> Vec<Line> {
    let mut runs: Vec<Vec<Point2>> = vec![Vec::new()];
    for point in points {
        let last = runs.last().and_then(|run| run.last());
        let is_near = |p: &Point2| {
            last.is_none_or(|last| last.distance_m(*p) <= GAP_M + GAP_SHARE * p.x_m.hypot(p.y_m))
        };
        match point.filter(is_near) {
            Some(point) => runs.last_mut().into_iter().for_each(|run| run.push(point)),
            None => runs.push(point.iter().copied().collect()),
        }
    }
    let mut lines = Vec::new();
    let mut open: Vec<&[Point2]> = runs.iter().map(Vec::as_slice).collect();
    while let Some(run) = open.pop() {
        if run.len() < MIN_POINTS {
            continue;
        }
        match farthest(run).filter(|(_, excess)| *excess > 1.0) {
            Some((at, _)) => open.extend([&run[..=at], &run[at..]]),
            None => lines.extend(fitted(run)),
        }
    }
    lines
}

/// The inner point that is farthest from the line through the ends, and how far in units of what is allowed.
fn farthest(run: &[Point2]) -> Option<(usize, f64)> {
    let (from, to) = (*run.first()?, *run.last()?);
    let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
    let length_m = dx.hypot(dy).max(f64::MIN_POSITIVE);
    let excess = |p: &Point2| {
        let off_m = ((p.x_m - from.x_m) * dy - (p.y_m - from.y_m) * dx).abs() / length_m;
        off_m / (SPLIT_M + SPLIT_SHARE * p.x_m.hypot(p.y_m))
    };
    let inner = 1..run.len().saturating_sub(1);
    inner.map(|at| (at, excess(&run[at]))).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Total least squares; none for a line that is too short.
fn fitted(run: &[Point2]) -> Option<Line> {
    let cut = (END_SHARE * run.len() as f64) as usize;
    let run = &run[cut..run.len() - cut];
    let count = run.len() as f64;
    let mean = |of: fn(&Point2) -> f64| run.iter().map(of).sum::<f64>() / count;
    let middle = Point2::new(mean(|p| p.x_m), mean(|p| p.y_m));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in run {
        let (dx, dy) = (p.x_m - middle.x_m, p.y_m - middle.y_m);
        (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
    }
    let direction_rad = (2.0 * xy).atan2(xx - yy) / 2.0;
    let (sin, cos) = direction_rad.sin_cos();
    let length_m = run.first()?.distance_m(*run.last()?);
    (length_m >= MIN_LENGTH_M).then_some(Line { middle, along: Point2::new(cos, sin), length_m })
}

#[cfg(test)]
mod tests {
    use model::BeamModel;

    use super::*;

    /// A scan by a robot pitched up by so much, scanner 0.3 m above a level ground, wall at 2 m; beams of 0.36 degrees.
    fn scan(pitch_up_deg: f64, wall_m: f64) -> LaserScan {
        let (step_rad, beams) = (0.36_f64.to_radians(), 668);
        let first_rad = -step_rad * 333.5;
        let range = |beam: usize| {
            let (sin, cos) = (first_rad + beam as f64 * step_rad + pitch_up_deg.to_radians()).sin_cos();
            let to_wall_m = if cos > 1e-9 { wall_m / cos } else { f64::INFINITY };
            let is_over = 0.3 + to_wall_m * sin > 1.2;
            let to_floor_m = if sin < -1e-9 { -0.3 / sin } else { f64::INFINITY };
            let range_m = to_floor_m.min(if is_over { f64::INFINITY } else { to_wall_m });
            if range_m < 4.0 { range_m as f32 } else { 4.0 }
        };
        LaserScan {
            time_s: 3.0,
            beams: BeamModel { first_rad, step_rad, max_range_m: 4.0, is_guessed: false },
            ranges_m: (0..beams).map(range).collect(),
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: String::new(),
        }
    }

    #[test]
    fn the_lean_of_a_wall_is_the_pitch_and_level_ground_has_no_slope() {
        for pitch_up_deg in [-15.0, -3.0, 0.0, 10.0, 15.0] {
            let found = upright_reading(&scan(pitch_up_deg, 2.0));
            let pitch_deg = found.pitch_up_rad.unwrap().to_degrees();
            assert!((pitch_deg - pitch_up_deg).abs() < 0.05, "{pitch_up_deg}: {pitch_deg}");
            let slope_deg = found.ground_slope_rad().unwrap().to_degrees();
            assert!(slope_deg.abs() < 0.1, "{pitch_up_deg}: {slope_deg}");
        }
    }

    #[test]
    fn noise_of_one_percent_leaves_the_pitch_within_a_degree() {
        let mut rng = model::SeededRng::new(5);
        let mut errors_deg: Vec<f64> = Vec::new();
        for (pitch_up_deg, wall_m) in [(-12.0, 1.0), (0.0, 2.0), (5.0, 3.0), (15.0, 1.5)] {
            for _ in 0..10 {
                let mut noisy = scan(pitch_up_deg, wall_m);
                let is_return = |range: &&mut f32| **range < 4.0;
                noisy.ranges_m.iter_mut().filter(is_return).for_each(|range| {
                    *range *= 1.0 + 0.01 * rng.normal() as f32;
                });
                let found = upright_reading(&noisy);
                errors_deg.push((found.pitch_up_rad.unwrap().to_degrees() - pitch_up_deg).abs());
            }
        }
        errors_deg.sort_by(f64::total_cmp);
        assert!(errors_deg[20] < 0.5 && errors_deg[38] < 2.0, "{errors_deg:?}");
    }

    #[test]
    fn without_a_wall_there_is_no_pitch_and_without_returns_nothing() {
        let far = upright_reading(&scan(0.0, 50.0));
        assert!(far.pitch_up_rad.is_none() && far.ground_ahead_rad.is_some());
        let mut blind = scan(0.0, 2.0);
        blind.ranges_m.fill(4.0);
        let nothing = UprightReading { time_s: 3.0, pitch_up_rad: None, ground_ahead_rad: None };
        assert_eq!(upright_reading(&blind), nothing);
        blind.ranges_m = vec![f32::NAN, f32::INFINITY, -1.0];
        assert_eq!(upright_reading(&blind), nothing);
    }
}
