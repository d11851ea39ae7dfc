//! Breadth-first growth of marks over open cells.

use super::obstacles::OPEN;
use crate::neighbours::beside;

/// Grows all marks other than 0 at once over open cells without a mark, along edges. A cell takes the mark that
/// reaches it first, of several the lowest.
pub(super) fn flood(marks: &mut [u32], open: &[u8], width: usize) {
    // Marks that touch no cell to grow into have nothing to do, and are most of all.
    let may_grow = |&cell: &usize| {
        marks[cell] != 0
            && beside(cell, width, marks.len()).any(|next| marks[next] == 0 && open[next] == OPEN)
    };
    let mut seeds: Vec<usize> = (0..marks.len()).filter(may_grow).collect();
    // From sorted seeds every ring of the growth is sorted too, so the lowest mark comes first.
    seeds.sort_by_key(|&cell| marks[cell]);
    let (mut ring, mut next_ring) = (seeds, Vec::new());
    while !ring.is_empty() {
        for cell in ring.drain(..) {
            let mark = marks[cell];
            for next in beside(cell, width, marks.len()) {
                if marks[next] == 0 && open[next] == OPEN {
                    marks[next] = mark;
                    next_ring.push(next);
                }
            }
        }
        std::mem::swap(&mut ring, &mut next_ring);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mark_wins_and_of_equals_the_lowest() {
        let mut marks = [2, 0, 0, 0, 1, 0, 0];
        flood(&mut marks, &[0, 0, 0, 0, 0, 1, 0], 7);
        assert_eq!(marks, [2, 2, 1, 1, 1, 0, 0], "nothing passes the wall");
    }

    #[test]
    fn rows_do_not_run_into_each_other() {
        let mut marks = [0, 0, 3, 0, 0, 0];
        flood(&mut marks, &[0, 1, 0, 0, 1, 1], 3);
        assert_eq!(marks, [0, 0, 3, 0, 0, 0]);
    }
}
