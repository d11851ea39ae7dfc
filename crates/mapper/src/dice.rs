//! Seeded Gaussian draws whose values never change: one ChaCha stream per particle.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of draws.
#[derive(Clone, Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// The draws of one stream of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// A number between 0 and 1, both excluded.
    pub fn uniform(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0
    }

    /// Two independent draws of a Gaussian with mean 0 and standard deviation 1 (Box and Muller 1958).
    pub fn gaussian_pair(&mut self) -> [f64; 2] {
        let (radius, angle) = ((-2.0 * self.uniform().ln()).sqrt(), std::f64::consts::TAU * self.uniform());
        [radius * angle.cos(), radius * angle.sin()]
    }
}
