//! Normals of the surface at the points of a scan, from their neighbours in the order of the beams.

use model::Point2;

/// Neighbours looked at on each side (L-ICP), and at most where they must reach further.
const NEIGHBOURS: usize = 3;
const MAX_NEIGHBOURS: usize = 24;
/// Neighbours further apart than this, metres, plus a share of the range, do not belong to one surface.
const MAX_STEP_M: f64 = 0.1;
const MAX_STEP_RATIO: f64 = 0.06;
/// Points off the line by more than this (root mean square, metres) do not form one.
const MAX_RMS_M: f64 = 0.03;

/// For each point the unit normal that looks to the laser; none where the neighbours form no line.
pub(crate) fn normals(points: &[Point2], laser: Point2) -> Vec<Option<Point2>> {
    (0..points.len()).map(|index| normal(points, index, laser, 0.0)).collect()
}

/// Whether both neighbours of a point are too far away to belong to its surface.
pub(crate) fn is_lone(points: &[Point2], index: usize, laser: Point2) -> bool {
    let joined = joined(points[index], laser);
    let is_joined = |other: Option<&Point2>| other.is_some_and(|other| joined(other, &points[index]));
    !is_joined(index.checked_sub(1).and_then(|before| points.get(before)))
        && !is_joined(points.get(index + 1))
}

/// Whether two points near a place are near enough to belong to one surface, at the place's distance from the laser.
fn joined(here: Point2, laser: Point2) -> impl Fn(&Point2, &Point2) -> bool {
    let range_m = (here.x_m - laser.x_m).hypot(here.y_m - laser.y_m);
    let step_m = MAX_STEP_M + MAX_STEP_RATIO * range_m;
    move |a, b| (a.x_m - b.x_m).hypot(a.y_m - b.y_m) <= step_m
}

/// The unit normal at a point that looks to the laser; none where the neighbours form no line. On each side three
/// neighbours are looked at, and more until one is `reach_m` away: where beams lie denser than their noise, three of them
/// point anywhere.
pub(crate) fn normal(points: &[Point2], index: usize, laser: Point2, reach_m: f64) -> Option<Point2> {
    let here = points[index];
    let joined = joined(here, laser);
    let goes_on = |taken: usize, last: Point2| {
        taken < NEIGHBOURS
            || (taken < MAX_NEIGHBOURS && (last.x_m - here.x_m).hypot(last.y_m - here.y_m) < reach_m)
    };
    let mut first = index;
    while first > 0 && goes_on(index - first, points[first]) && joined(&points[first - 1], &points[first]) {
        first -= 1;
    }
    let mut last = index;
    while last + 1 < points.len()
        && goes_on(last - index, points[last])
        && joined(&points[last], &points[last + 1])
    {
        last += 1;
    }
    if last - first < 2 {
        return None;
    }
    let (direction, rms_m) = line(&points[first..=last]);
    if rms_m > MAX_RMS_M {
        return None;
    }
    let normal = Point2::new(-direction.y_m, direction.x_m);
    let to_laser = (laser.x_m - here.x_m) * normal.x_m + (laser.y_m - here.y_m) * normal.y_m;
    Some(if to_laser < 0.0 { Point2::new(-normal.x_m, -normal.y_m) } else { normal })
}

/// Direction of the line through points (largest eigenvector of their covariance), and their distance from it.
fn line(points: &[Point2]) -> (Point2, f64) {
    let count = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.x_m / count, y + p.y_m / count));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let (dx, dy) = (point.x_m - mx, point.y_m - my);
        (xx, xy, yy) = (xx + dx * dx / count, xy + dx * dy / count, yy + dy * dy / count);
    }
    let angle_rad = 0.5 * (2.0 * xy).atan2(xx - yy);
    let least = f64::midpoint(xx, yy) - (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
    (Point2::new(angle_rad.cos(), angle_rad.sin()), least.max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_looks_at_the_laser_and_a_corner_has_no_normal() {
        let wall: Vec<Point2> = (0..9).map(|i| Point2::new(2.0, f64::from(i) * 0.1)).collect();
        let found = normals(&wall, Point2::default());
        assert!(found.iter().all(|n| n.is_some_and(|n| (n.x_m + 1.0).abs() < 1e-9)), "{found:?}");
        let mut corner = wall[..5].to_vec();
        corner.extend((1..5).map(|i| Point2::new(2.0 - f64::from(i) * 0.1, 0.4)));
        assert_eq!(normals(&corner, Point2::default())[4], None);
    }

    #[test]
    fn lonely_points_have_none() {
        assert!(normals(&[], Point2::default()).is_empty());
        let apart: Vec<Point2> = (0..3).map(|i| Point2::new(f64::from(i) * 5.0, 1.0)).collect();
        assert!(normals(&apart, Point2::default()).iter().all(Option::is_none));
    }
}
