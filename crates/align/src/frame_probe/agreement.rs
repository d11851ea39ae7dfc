//! Whether two maps agree about what is free and what is occupied, from a lattice of cells: a microsecond.

use model::{Grid, Similarity2};

use super::probed_truth::ProbedTruth;
use crate::candidate::Candidate;

/// Cells that are looked at, about.
const CELLS: usize = 1024;
/// Fewer cells that both maps know say nothing.
const MIN_KNOWN: usize = 30;
const UNKNOWN: u8 = 1;

/// Share of the cells known to both maps that have the same class, 0 to 1; none if there are too few.
#[must_use]
pub fn class_agreement(truth: &ProbedTruth, map: &Grid, truth_from_map: Similarity2) -> Option<f64> {
    let truth = truth.grid();
    let motion = Candidate::of(truth_from_map, truth, map, [0.0, 0.0]).motion([0.0, 0.0]);
    let (width, wide, high) = (map.geometry().width(), truth.geometry().width(), truth.geometry().height());
    let cells = map.class_bytes();
    // Odd, and prime to most widths, so that columns take turns.
    let step = (cells.len() / CELLS) | 1;
    let (mut known, mut same) = (0_usize, 0_usize);
    for (index, &class) in cells.iter().enumerate().step_by(step).filter(|&(_, &class)| class != UNKNOWN) {
        let [column, row] = motion.apply([(index % width) as f64 + 0.5, (index / width) as f64 + 0.5]);
        if !(column >= 0.0 && row >= 0.0 && column < wide as f64 && row < high as f64) {
            continue;
        }
        let there = truth.class_bytes()[row as usize * wide + column as usize];
        if there != UNKNOWN {
            known += 1;
            same += usize::from(there == class);
        }
    }
    (known >= MIN_KNOWN).then(|| same as f64 / known as f64)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use testkit::grid;

    use super::*;

    #[test]
    fn cells_that_both_know_are_compared() {
        let truth = ProbedTruth::new(Arc::new(grid([".".repeat(60), "#".repeat(60), "?".repeat(60)])));
        let map = |rows: [&str; 3]| grid(rows.map(|row| row.repeat(60)));
        let agreement = |rows| class_agreement(&truth, &map(rows), Similarity2::IDENTITY);
        assert_eq!(agreement([".", "#", "#"]), Some(1.0));
        assert_eq!(agreement(["#", ".", "#"]), Some(0.0));
        assert_eq!(agreement([".", ".", "."]), Some(0.5));
        assert_eq!(agreement(["?", "?", "#"]), None, "nothing that both know");
    }
}
