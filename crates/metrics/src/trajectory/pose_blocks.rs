//! Errors by block of what follows each other in time, so that a value can be resampled.
//!
//! Errors of neighbouring poses are alike, so single poses cannot be drawn; blocks of neighbours can.

use align::trajectory::Fittable;

use super::run::Run;
use crate::{Make, Reason, SampleUnit, Samples, Undefined};

/// At most so many blocks. Ours: enough to carry a bootstrap, and a block of a usual log then spans some seconds.
const MAX_BLOCKS: usize = 100;

/// Sums by block of consecutive elements of the truth.
pub(super) struct PoseBlocks {
    name: &'static str,
    elements: usize,
    sums: Vec<(f64, f64)>,
}

impl PoseBlocks {
    /// Blocks of the poses of the true trajectory.
    pub(super) fn of_truth<P: Fittable>(run: &Run<P>) -> Result<Self, Undefined> {
        let truth = run.truth.as_ref().ok_or(Reason::NoReference)?;
        Ok(Self::new("blocks of poses", truth.len()))
    }

    /// At most 100 blocks of so many elements; each element is a block of its own where there are fewer.
    pub(super) fn new(name: &'static str, elements: usize) -> Self {
        Self { name, elements, sums: vec![(0.0, 0.0); elements.min(MAX_BLOCKS)] }
    }

    /// Adds to the block of an element.
    pub(super) fn add(&mut self, element: usize, of: f64, by: f64) {
        let block = element.min(self.elements.saturating_sub(1)) * self.sums.len() / self.elements.max(1);
        if let Some(sum) = self.sums.get_mut(block) {
            *sum = (sum.0 + of, sum.1 + by);
        }
    }

    /// The samples of a named value, or of the score's own.
    pub(super) fn samples(self, of: &'static str, make: fn(Vec<f64>, Vec<f64>) -> Make) -> Samples {
        let unit = SampleUnit::new(self.name, self.sums.len());
        let (above, below) = self.sums.into_iter().unzip();
        Samples::named(of, unit, make(above, below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_elements_stand_alone_and_many_share_blocks() {
        let mut few = PoseBlocks::new("relations", 3);
        (0..3).for_each(|index| few.add(index, index as f64, 1.0));
        assert_eq!(few.sums, [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)]);
        let mut many = PoseBlocks::new("blocks of poses", 1000);
        (0..1000).for_each(|index| many.add(index, 1.0, 1.0));
        assert!(many.sums.len() == MAX_BLOCKS && many.sums.iter().all(|sum| sum.1 == 10.0));
        PoseBlocks::new("blocks of poses", 0).add(0, 1.0, 1.0);
    }
}
