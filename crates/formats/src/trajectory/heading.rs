//! The heading to write for a planar pose, such that reading gives back the same pose to the last bit.

use model::{Pose2, Pose3};

/// Neighbouring doubles that are tried on either side.
const NEIGHBOURS: i64 = 8;

/// The angle theta in [-2π, 2π] whose pose is this one; of several, the one with the fewest digits.
///
/// An angle becomes a quaternion and back with errors of some last bits, so the neighbours are tried. Where
/// none of them fits, as for poses that were never read from an angle, the nearest angle is taken.
pub(crate) fn heading_rad(pose: Pose3) -> f64 {
    let [_, _, z, w] = pose.rotation_xyzw;
    let nearest = 2.0 * z.atan2(w);
    let same =
        |theta_rad: &f64| Pose3::from(Pose2::new(0.0, 0.0, *theta_rad)).rotation_xyzw == pose.rotation_xyzw;
    let candidates = (-NEIGHBOURS..=NEIGHBOURS).filter_map(|step| {
        let bits = nearest.to_bits().checked_add_signed(step)?;
        Some(f64::from_bits(bits)).filter(|theta_rad| theta_rad.is_finite()).filter(same)
    });
    candidates.min_by_key(|theta_rad| format!("{theta_rad:?}").len()).unwrap_or(nearest)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_heading_comes_back_to_the_last_bit(theta_rad in -TAU..TAU) {
            let pose = Pose3::from(Pose2::new(1.0, 2.0, theta_rad));
            prop_assert_eq!(Pose3::from(Pose2::new(1.0, 2.0, heading_rad(pose))), pose);
        }
    }

    #[test]
    fn short_numbers_stay_short() {
        for theta_rad in [0.0, 0.5, -1.57, 3.1, -2.9999, 2.0, 1e-5] {
            assert_eq!(heading_rad(Pose3::from(Pose2::new(0.0, 0.0, theta_rad))), theta_rad);
        }
    }
}
