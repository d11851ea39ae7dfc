//! Distances of points in the plane.

use model::Point2;

/// Distance of two points.
pub(crate) fn distance_m(a: Point2, b: Point2) -> f64 {
    (a.x_m - b.x_m).hypot(a.y_m - b.y_m)
}

/// Distance of a point to a line between two others.
pub(crate) fn distance_to_segment_m(point: Point2, from: Point2, to: Point2) -> f64 {
    distance_m(point, nearest_on_segment(point, from, to))
}

/// The point of a line between two others that is nearest to a third.
pub(crate) fn nearest_on_segment(point: Point2, from: Point2, to: Point2) -> Point2 {
    let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
    let squared = dx * dx + dy * dy;
    let along = ((point.x_m - from.x_m) * dx + (point.y_m - from.y_m) * dy) / squared;
    let share = if squared > 0.0 { along.clamp(0.0, 1.0) } else { 0.0 };
    Point2::new(from.x_m + share * dx, from.y_m + share * dy)
}
