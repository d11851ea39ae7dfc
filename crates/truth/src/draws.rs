//! Seeded draws whose values never change: the ChaCha stream is fixed by its specification.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of whole numbers.
pub(crate) struct Draws(ChaCha8Rng);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `count`, which is not 0. The bias is below one in 2^64 / count.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }

    /// A choice of `wanted` of `count` numbers, each set as likely as any other, in rising order (Knuth,
    /// algorithm S).
    pub(crate) fn choice(&mut self, wanted: usize, count: usize) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(wanted.min(count));
        for index in 0..count {
            let missing = wanted.min(count) - chosen.len();
            if missing > 0 && self.below(count - index) < missing {
                chosen.push(index);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_has_its_size_and_repeats() {
        let choice = |seed| Draws::new(seed).choice(10, 100);
        assert_eq!(choice(1), choice(1));
        assert_ne!(choice(1), choice(2));
        assert!(choice(1).len() == 10 && choice(1).windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Draws::new(3).choice(9, 4), [0, 1, 2, 3]);
        assert_eq!(Draws::new(3).choice(0, 4), [] as [usize; 0]);
    }

    /// Each of 10 numbers is drawn 300 +- 4 standard deviations (14.5 each) times in 1000 choices of three.
    #[test]
    fn a_choice_prefers_no_number() {
        let mut draws = Draws::new(7);
        let mut counts = [0_i32; 10];
        for _ in 0..1000 {
            draws.choice(3, 10).iter().for_each(|&index| counts[index] += 1);
        }
        assert!(counts.iter().all(|count| (count - 300).abs() < 58), "{counts:?}");
    }
}
