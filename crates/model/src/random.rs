//! The one source of random numbers: seeded, and the same on every machine and in every release.
//!
//! `rand` reserves the right to change the values of its ranges between releases; the ChaCha stream is fixed by its
//! specification. All draws are therefore made from the raw stream. Changing a formula here changes every simulated
//! log, every particle filter and every bootstrap interval.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// 2^32, the number of values of a 32-bit draw.
const VALUES_32: f64 = 4_294_967_296.0;

/// A seeded random number generator (ChaCha8).
#[derive(Clone, Debug)]
pub struct SeededRng(ChaCha8Rng);

impl SeededRng {
    /// Stream 0 of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Another stream of the same seed. Streams are independent: one more draw for the walls does not move the
    /// furniture, and particles can draw in parallel.
    #[must_use]
    pub fn stream(mut self, stream: u64) -> Self {
        self.0.set_stream(stream);
        self
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `count`, from 64 bits; 0 for a `count` of 0. The bias is below `count` / 2^64.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }

    /// A whole number from `low` to `high`, both included, from 31 bits; `low` where the range is empty. For ranges far
    /// below 2^31.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = (high - low + 1).max(1);
        low + ((i64::from(self.0.next_u32() >> 1) * span) >> 31)
    }

    /// A number between 0 and 1, both excluded, from 32 bits.
    pub fn uniform(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / VALUES_32
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        f64::from(self.0.next_u32()) < probability * VALUES_32
    }

    /// A Gaussian draw with mean 0 and standard deviation 1; the second of the pair is thrown away.
    pub fn normal(&mut self) -> f64 {
        self.normal_pair()[0]
    }

    /// Two independent Gaussian draws with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub fn normal_pair(&mut self) -> [f64; 2] {
        let (radius, angle) = ((-2.0 * self.uniform().ln()).sqrt(), std::f64::consts::TAU * self.uniform());
        [radius * angle.cos(), radius * angle.sin()]
    }

    /// One of the given values.
    pub fn one_of<T: Copy, const N: usize>(&mut self, values: &[T; N]) -> T {
        values[self.between(0, N as i64 - 1) as usize]
    }

    /// Puts a list into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.between(0, last as i64) as usize);
        }
    }

    /// `wanted` of the numbers below `count`, each subset as likely as any other, ascending (Knuth, algorithm S).
    pub fn subset(&mut self, wanted: usize, count: usize) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(wanted.min(count));
        for index in 0..count {
            let missing = wanted.min(count) - chosen.len();
            if missing > 0 && self.below(count - index) < missing {
                chosen.push(index);
            }
        }
        chosen
    }

    /// How often each of `count` elements is drawn in `count` draws with replacement: one bootstrap resample.
    pub fn resample_counts(&mut self, count: usize) -> Vec<u32> {
        let mut times = vec![0; count];
        for _ in 0..count {
            times[self.below(count)] += 1;
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_inside_the_range_and_reach_both_ends() {
        let mut rng = SeededRng::new(1);
        let drawn: Vec<i64> = (0..200).map(|_| rng.between(-1, 2)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-1), Some(&2)));
        assert_eq!(rng.between(5, 4), 5);
        assert!((0..200).all(|_| rng.below(3) < 3) && rng.below(0) == 0);
        assert_eq!(rng.resample_counts(50).iter().sum::<u32>(), 50);
    }

    #[test]
    fn chances_of_zero_and_one_are_certain() {
        let mut rng = SeededRng::new(1);
        assert!((0..100).all(|_| !rng.chance(0.0) && rng.chance(1.0)));
    }

    #[test]
    fn gaussian_draws_have_mean_zero_and_deviation_one() {
        let mut rng = SeededRng::new(1);
        let drawn: Vec<f64> = (0..5000).flat_map(|_| rng.normal_pair()).collect();
        let mean = drawn.iter().sum::<f64>() / 1e4;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }

    #[test]
    fn streams_of_one_seed_differ_and_repeat() {
        let draw = |stream| {
            let mut rng = SeededRng::new(7).stream(stream);
            (0..8).map(|_| rng.between(0, 1000)).collect::<Vec<_>>()
        };
        assert_ne!(draw(0), draw(1));
        assert_eq!(draw(1), draw(1));
    }

    #[test]
    fn a_subset_has_its_size_and_repeats() {
        let subset = |seed| SeededRng::new(seed).subset(10, 100);
        assert_eq!(subset(1), subset(1));
        assert_ne!(subset(1), subset(2));
        assert!(subset(1).len() == 10 && subset(1).windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(SeededRng::new(3).subset(9, 4), [0, 1, 2, 3]);
        assert_eq!(SeededRng::new(3).subset(0, 4), [] as [usize; 0]);
    }

    /// Each of 10 numbers is drawn 300 +- 4 standard deviations (14.5 each) times in 1000 subsets of three.
    #[test]
    fn a_subset_prefers_no_number() {
        let mut rng = SeededRng::new(7);
        let mut counts = [0_i32; 10];
        for _ in 0..1000 {
            rng.subset(3, 10).iter().for_each(|&index| counts[index] += 1);
        }
        assert!(counts.iter().all(|count| (count - 300).abs() < 58), "{counts:?}");
    }
}
