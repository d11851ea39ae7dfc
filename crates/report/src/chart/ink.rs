//! The colours of charts, defined once.

use std::fmt::Write;

/// Okabe and Ito (2008), without yellow, which vanishes on white.
pub(crate) const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
/// Dashes of lines, so that they can be told apart without colour.
pub(crate) const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
/// What went right, and what did not.
pub(super) const GOOD: &str = COLOURS[0];
pub(super) const BAD: &str = COLOURS[1];

/// From low to high with steadily rising lightness (viridis of Smith and van der Walt 2015, at equal steps), so
/// that the order survives print and every kind of colour vision.
const RAMP: [[u8; 3]; 10] = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 74, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [109, 205, 89],
    [180, 222, 44],
    [253, 231, 37],
];

/// Steps into which a scale of colours is cut: finer ones cannot be told apart, and cost bytes.
pub(super) const RAMP_STEPS: usize = 24;

/// The step of a share between 0 and 1.
pub(super) fn ramp_step(share: f64) -> usize {
    ((share.clamp(0.0, 1.0) * RAMP_STEPS as f64) as usize).min(RAMP_STEPS - 1)
}

/// The colour of a step.
pub(super) fn ramp_colour(step: usize) -> String {
    let along = step.min(RAMP_STEPS - 1) as f64 / (RAMP_STEPS - 1) as f64 * (RAMP.len() - 1) as f64;
    let below = (along as usize).min(RAMP.len() - 2);
    let share = along - below as f64;
    let mut colour = "#".to_owned();
    for (low, high) in RAMP[below].iter().zip(RAMP[below + 1]) {
        let mixed = f64::from(*low) + share * (f64::from(high) - f64::from(*low));
        // Writing into a string cannot fail.
        let _ = write!(colour, "{:02x}", mixed.round() as u8);
    }
    colour
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_goes_from_its_first_colour_to_its_last() {
        assert_eq!(ramp_colour(ramp_step(0.0)), "#440154");
        assert_eq!(ramp_colour(ramp_step(1.0)), "#fde725");
        assert_eq!(ramp_step(f64::NAN), 0);
        assert_eq!(ramp_step(9.0), RAMP_STEPS - 1);
    }

    #[test]
    fn lightness_rises_with_every_step() {
        let light = |step: usize| {
            let colour = ramp_colour(step);
            let part = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        };
        assert!((1..RAMP_STEPS).all(|step| light(step) > light(step - 1)));
    }
}
