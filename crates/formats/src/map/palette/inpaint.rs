//! Fills cells that something was painted over, from the cells around them.
//!
//! From the edge inwards, ring by ring, a cell takes the class that most of its known neighbours have, those
//! beside it counting twice as much as those at its corners. Among equals free goes before unknown and unknown
//! before occupied, because ink must not become a wall.

use model::CellClass;

use super::components::around;

/// Fills the cells that are none; all unknown where nothing is known.
pub(crate) fn filled(mut cells: Vec<Option<CellClass>>, width: usize) -> Vec<CellClass> {
    let count = cells.len();
    let mut queued = vec![false; count];
    let mut ring: Vec<usize> = (0..count)
        .filter(|&index| cells[index].is_none() && around(index, width, count).any(|n| cells[n].is_some()))
        .collect();
    ring.iter().for_each(|&index| queued[index] = true);
    while !ring.is_empty() {
        // All of a ring are decided before any is written: the result does not depend on their order.
        let decided: Vec<CellClass> = ring.iter().map(|&index| majority(&cells, index, width)).collect();
        ring.iter().zip(decided).for_each(|(&index, class)| cells[index] = Some(class));
        let mut next = Vec::new();
        for &index in &ring {
            for neighbour in around(index, width, count) {
                if cells[neighbour].is_none() && !queued[neighbour] {
                    queued[neighbour] = true;
                    next.push(neighbour);
                }
            }
        }
        ring = next;
    }
    cells.into_iter().map(|cell| cell.unwrap_or(CellClass::Unknown)).collect()
}

fn majority(cells: &[Option<CellClass>], index: usize, width: usize) -> CellClass {
    let mut votes = [0u8; 3];
    for neighbour in around(index, width, cells.len()) {
        if let Some(class) = cells[neighbour] {
            let is_beside = neighbour / width == index / width || neighbour % width == index % width;
            votes[class as usize] += if is_beside { 2 } else { 1 };
        }
    }
    let most = votes.iter().max().copied().unwrap_or_default();
    CellClass::ALL.into_iter().find(|&class| votes[class as usize] == most).unwrap_or(CellClass::Unknown)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `#` occupied, `.` free, `?` unknown, blank painted over.
    fn fill(rows: &[&str]) -> Vec<String> {
        let of = |letter| match letter {
            '#' => Some(CellClass::Occupied),
            '.' => Some(CellClass::Free),
            '?' => Some(CellClass::Unknown),
            _ => None,
        };
        let classes = filled(rows.iter().flat_map(|row| row.chars()).map(of).collect(), rows[0].len());
        let letter = |class: &CellClass| ['.', '?', '#'][*class as usize];
        classes.chunks(rows[0].len()).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn a_line_across_a_wall_leaves_the_wall_whole() {
        let rows = [".. ..", "## ##", "## ##", "## ##", ".. .."];
        assert_eq!(fill(&rows), [".....", "#####", "#####", "#####", "....."]);
    }

    #[test]
    fn a_blot_on_free_ground_is_free_and_one_on_the_margin_unknown() {
        let rows = [".....", ".   .", ".   .", ".   .", "....."];
        assert_eq!(fill(&rows), ["....."; 5]);
        assert_eq!(fill(&["???", "? ?", "???"]), ["???"; 3]);
    }

    #[test]
    fn among_equals_ink_is_no_wall() {
        assert_eq!(fill(&["# ."]), ["#.."]);
        assert_eq!(fill(&["# ?"]), ["#??"]);
    }

    #[test]
    fn where_nothing_is_known_all_is_unknown() {
        assert_eq!(fill(&["  "]), ["??"]);
    }

    proptest! {
        #[test]
        fn what_is_known_stays_and_what_is_filled_occurs_nearby(cells in prop::collection::vec(0usize..4, 1..60), width in 1usize..8) {
            let height = cells.len().div_ceil(width);
            let mut cells: Vec<_> = cells.iter().map(|&c| CellClass::ALL.get(c).copied()).collect();
            cells.resize(width * height, None);
            let after = filled(cells.clone(), width);
            for (index, cell) in cells.iter().enumerate() {
                if let Some(class) = cell {
                    prop_assert_eq!(after[index], *class);
                } else if cells.iter().any(Option::is_some) {
                    prop_assert!(cells.contains(&Some(after[index])));
                }
            }
        }
    }
}
