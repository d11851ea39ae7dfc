//! The stretch of a robot's path that leads from one place to another.

use model::Point2;

use crate::plane_distance::{distance_m, nearest_on_segment};

/// From where the line last passes the first place to where it first passes the second afterwards; none if it does not
/// pass both within the radius in that order.
pub(crate) fn stretch_between(line: &[Point2], ends: [Point2; 2], radius_m: f64) -> Option<Vec<Point2>> {
    let [from, to] = ends;
    let passes = |index: usize, place: Point2| {
        let nearest = nearest_on_segment(place, line[index], line[index + 1]);
        (distance_m(nearest, place) <= radius_m).then_some(nearest)
    };
    let segments = line.len().saturating_sub(1);
    let departs = (0..segments).find(|&index| passes(index, from).is_some())?;
    let arrives = (departs..segments).find(|&index| passes(index, to).is_some())?;
    let departs = (departs..=arrives).rev().find(|&index| passes(index, from).is_some())?;
    let mut stretch = vec![passes(departs, from)?];
    stretch.extend(&line[departs + 1..=arrives]);
    stretch.push(passes(arrives, to)?);
    Some(stretch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Vec<Point2> {
        list.iter().map(|&(x, y)| Point2::new(x, y)).collect()
    }

    #[test]
    fn detours_before_and_behind_are_left_out() {
        let line = points(&[(0.0, 0.0), (0.0, 9.0), (0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (9.0, 5.0)]);
        let between = |a, b| stretch_between(&line, [a, b], 0.5);
        let found = between(Point2::new(0.2, 0.1), Point2::new(4.8, 3.0)).unwrap();
        assert_eq!(found, points(&[(0.2, 0.0), (5.0, 0.0), (5.0, 3.0)]));
        assert_eq!(between(Point2::new(4.8, 3.0), Point2::new(0.2, 0.1)), None, "the other direction");
        assert_eq!(between(Point2::new(0.0, 0.0), Point2::new(3.0, 3.0)), None, "never there");
        assert_eq!(stretch_between(&line[..1], [line[0]; 2], 1.0), None, "no line");
    }
}
