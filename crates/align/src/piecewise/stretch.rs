//! The largest stretch of cells without a gap.

use std::collections::HashMap;

/// The largest group of cells (in image order, sorted) in which each is within `gap` (Chebyshev) of another; of equals
/// the one with the first cell.
pub(super) fn largest_stretch(cells: &[usize], width: usize, gap: usize) -> Vec<usize> {
    let index_of: HashMap<usize, usize> =
        cells.iter().enumerate().map(|(index, &cell)| (cell, index)).collect();
    let mut is_taken = vec![false; cells.len()];
    let mut largest: Vec<usize> = Vec::new();
    for seed in 0..cells.len() {
        if is_taken[seed] {
            continue;
        }
        is_taken[seed] = true;
        let mut group = vec![seed];
        let mut next = 0;
        while next < group.len() {
            let (x, y) = (cells[group[next]] % width, cells[group[next]] / width);
            for row in y.saturating_sub(gap)..=y + gap {
                for column in x.saturating_sub(gap)..=(x + gap).min(width - 1) {
                    if let Some(&other) = index_of.get(&(row * width + column))
                        && !std::mem::replace(&mut is_taken[other], true)
                    {
                        group.push(other);
                    }
                }
            }
            next += 1;
        }
        if group.len() > largest.len() {
            largest = group;
        }
    }
    let mut stretch: Vec<usize> = largest.into_iter().map(|index| cells[index]).collect();
    stretch.sort_unstable();
    stretch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_within_the_gap_belong_together() {
        // Row of 20: cells 0, 3, 6 are 3 apart; 11 and 12 stand alone.
        assert_eq!(largest_stretch(&[0, 3, 6, 11, 12], 20, 3), [0, 3, 6]);
        assert_eq!(largest_stretch(&[0, 3, 6, 11, 12], 20, 2), [11, 12]);
        assert!(largest_stretch(&[], 20, 3).is_empty());
    }

    #[test]
    fn rows_do_not_run_into_each_other() {
        assert_eq!(largest_stretch(&[4, 5], 5, 1), [4], "the end of a row and the start of the next");
    }
}
