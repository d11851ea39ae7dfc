//! Stretches of cells without a gap.

use raster::disjoint_sets::DisjointSets;

/// Groups of cells (in image order, sorted) in which each is within `gap` (Chebyshev) of another, in the order of their
/// first cells.
pub(super) fn stretches(cells: &[usize], width: usize, gap: usize) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(cells.len());
    // For each row below a cell, the first of its cells that may be within the gap: it only ever moves on.
    let mut firsts = vec![0; gap + 1];
    for (index, &cell) in cells.iter().enumerate() {
        let (x, y) = (cell % width, cell / width);
        let (left, right) = (x.saturating_sub(gap), (x + gap).min(width - 1));
        for (rows, first) in firsts.iter_mut().enumerate() {
            let row = (y + rows) * width;
            while cells.get(*first).is_some_and(|&other| other < row + left) {
                *first += 1;
            }
            // Cells of one row within the gap of each other belong together: the first of each such group will do.
            let mut before = None;
            for (other, &there) in
                cells.iter().enumerate().skip(*first).take_while(|(_, other)| **other <= row + right)
            {
                if before.is_none_or(|before| there - before > gap) {
                    sets.join(index as u32, other as u32);
                }
                before = Some(there);
            }
        }
    }
    let mut group_of_root = vec![usize::MAX; cells.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, &cell) in cells.iter().enumerate() {
        let root = sets.root(index as u32) as usize;
        if group_of_root[root] == usize::MAX {
            group_of_root[root] = groups.len();
            groups.push(Vec::new());
        }
        groups[group_of_root[root]].push(cell);
    }
    groups
}

/// The largest group of them; of equals the one with the first cell.
pub(super) fn largest_stretch(cells: &[usize], width: usize, gap: usize) -> Vec<usize> {
    let larger = |one: Vec<usize>, other: Vec<usize>| if other.len() > one.len() { other } else { one };
    stretches(cells, width, gap).into_iter().reduce(larger).unwrap_or_default()
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
        assert_eq!(stretches(&[0, 3, 6, 11, 12], 20, 3), [vec![0, 3, 6], vec![11, 12]]);
    }

    #[test]
    fn rows_do_not_run_into_each_other() {
        assert_eq!(largest_stretch(&[4, 5], 5, 1), [4], "the end of a row and the start of the next");
    }

    #[test]
    fn cells_to_the_left_in_lower_rows_are_found() {
        // Two rows apart and one column to the left, then two to the right.
        assert_eq!(stretches(&[5, 24, 46], 20, 2), [vec![5, 24, 46]]);
        assert_eq!(stretches(&[5, 45], 20, 1), [vec![5], vec![45]]);
    }
}
