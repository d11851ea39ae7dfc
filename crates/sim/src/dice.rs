//! Seeded random numbers whose values never change.
//!
//! `rand` reserves the right to change the values of its ranges between releases; the ChaCha stream is fixed
//! by its specification. The few draws needed here are therefore made from the raw stream.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of draws.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// Draws for one purpose: each stream of a seed is independent, so that one more draw for the walls does
    /// not move the furniture.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// A whole number from `low` to `high`, both included; `low` where the range is empty.
    ///
    /// Ranges here are far below 2^32, so the bias of the multiplication is below one in a million.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = (high - low + 1).max(1);
        low + ((i64::from(self.0.next_u32() >> 1) * span) >> 31)
    }

    /// True with the given probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        f64::from(self.0.next_u32()) < probability * 4_294_967_296.0
    }

    /// Two independent draws of a Gaussian with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub(crate) fn gaussian_pair(&mut self) -> [f64; 2] {
        let mut uniform = || (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0;
        let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
        [radius * angle.cos(), radius * angle.sin()]
    }

    /// One of the given values.
    pub(crate) fn one_of<T: Copy, const N: usize>(&mut self, values: &[T; N]) -> T {
        values[self.between(0, N as i64 - 1) as usize]
    }

    /// Puts a list into a random order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.between(0, last as i64) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_inside_the_range_and_reach_both_ends() {
        let mut dice = Dice::new(1, 0);
        let drawn: Vec<i64> = (0..200).map(|_| dice.between(-1, 2)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-1), Some(&2)));
        assert_eq!(dice.between(5, 4), 5);
    }

    #[test]
    fn chances_of_zero_and_one_are_certain() {
        let mut dice = Dice::new(1, 0);
        assert!((0..100).all(|_| !dice.chance(0.0) && dice.chance(1.0)));
    }

    #[test]
    fn gaussian_draws_have_mean_zero_and_deviation_one() {
        let mut dice = Dice::new(1, 0);
        let drawn: Vec<f64> = (0..5000).flat_map(|_| dice.gaussian_pair()).collect();
        let mean = drawn.iter().sum::<f64>() / 1e4;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn streams_of_one_seed_differ_and_repeat() {
        let draw = |stream| {
            let mut dice = Dice::new(7, stream);
            (0..8).map(|_| dice.between(0, 1000)).collect::<Vec<_>>()
        };
        assert_ne!(draw(0), draw(1));
        assert_eq!(draw(1), draw(1));
    }
}
