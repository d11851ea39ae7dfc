//! Headings, sides and cyclic orders at a junction.

use model::Point2;

/// Heading from one point to another in degrees, counter-clockwise from the x axis.
#[must_use]
pub(crate) fn heading_deg(from: Point2, to: Point2) -> f64 {
    (to.y_m - from.y_m).atan2(to.x_m - from.x_m).to_degrees()
}

/// On which side somebody who goes along one heading sees another.
#[must_use]
pub(crate) fn side_of(going_deg: f64, heading_deg: f64) -> &'static str {
    let change = (heading_deg - going_deg + 180.0).rem_euclid(360.0) - 180.0;
    match change {
        c if c.abs() <= 45.0 => "straight on",
        c if (0.0..=135.0).contains(&c) => "on the left",
        c if (-135.0..=0.0).contains(&c) => "on the right",
        _ => "back",
    }
}

/// Whether two lists of the same things come in another order around a circle. Things that occur more than
/// once cannot be told apart, so that such lists count as equal.
#[must_use]
pub(crate) fn cyclic_order_differs(one: &[usize], other: &[usize]) -> bool {
    let distinct = |list: &[usize]| {
        let mut sorted = list.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    if one.len() != other.len() || one.len() < 3 || !distinct(one) || !distinct(other) {
        return false;
    }
    let shift = other.iter().position(|thing| *thing == one[0]);
    shift.is_some_and(|shift| (0..one.len()).any(|k| one[k] != other[(k + shift) % other.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_seen_from_the_one_who_walks() {
        assert_eq!(side_of(0.0, 90.0), "on the left");
        assert_eq!(side_of(0.0, -90.0), "on the right");
        assert_eq!(side_of(170.0, -170.0), "straight on");
        assert_eq!(side_of(0.0, 180.0), "back");
        assert_eq!(heading_deg(Point2::new(0.0, 0.0), Point2::new(0.0, 2.0)), 90.0);
    }

    #[test]
    fn turning_a_circle_is_no_other_order_but_mirroring_is() {
        assert!(!cyclic_order_differs(&[1, 2, 3], &[3, 1, 2]));
        assert!(cyclic_order_differs(&[1, 2, 3], &[3, 2, 1]));
        assert!(!cyclic_order_differs(&[1, 2], &[2, 1]));
        assert!(!cyclic_order_differs(&[1, 1, 2], &[1, 2, 1]));
    }
}
