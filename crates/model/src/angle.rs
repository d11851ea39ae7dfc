//! Angles in radians, kept in (-π, π].

use std::f64::consts::{PI, TAU};

/// Maps an angle into (-π, π]; π stays π and -π becomes π.
pub fn wrap(angle_rad: f64) -> f64 {
    if angle_rad > -PI && angle_rad <= PI {
        return angle_rad;
    }
    let turned = angle_rad.rem_euclid(TAU);
    if turned > PI { turned - TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_turns_keep_the_positive_sign() {
        assert_eq!(wrap(PI), PI);
        assert_eq!(wrap(-PI), PI);
        assert_eq!(wrap(3.0 * PI), PI);
    }

    #[test]
    fn angles_inside_are_left_alone_and_others_come_back() {
        assert_eq!(wrap(-3.0), -3.0);
        assert!((wrap(7.0) - (7.0 - TAU)).abs() < 1e-12);
        assert!((wrap(-7.0) - (TAU - 7.0)).abs() < 1e-12);
    }
}
