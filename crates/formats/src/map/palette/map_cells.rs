//! From pixels to the cells of the map that was painted: blocks of equal pixels.
//!
//! The blocks need not begin at the corner of the image: most borders between classes fall on the borders
//! of blocks, and that tells where these are. A cell takes the class of most of its pixels that nothing was
//! painted over; a cell without such pixels is filled from the cells around it.

use model::CellClass;

use super::inpaint::filled;

pub(crate) struct MapCells {
    pub width: usize,
    pub height: usize,
    pub classes: Vec<CellClass>,
    /// Pixels to the left of the first cell.
    pub left_px: usize,
    /// Pixels below the last row of cells.
    pub below_px: usize,
    /// Cells of which no pixel was seen.
    pub filled_cells: usize,
}

/// Reduces a plane of pixels; none if it holds no whole cell.
pub(crate) fn reduced(seen: &[Option<CellClass>], width: usize, cell_px: usize) -> Option<MapCells> {
    let height = seen.len() / width;
    let (left_px, above_px) =
        (phase(seen, width, cell_px, Axis::Columns), phase(seen, width, cell_px, Axis::Rows));
    let (columns, rows) =
        ((width.checked_sub(left_px)?) / cell_px, (height.checked_sub(above_px)?) / cell_px);
    if columns == 0 || rows == 0 {
        return None;
    }
    let mut cells = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let start = (above_px + row * cell_px) * width + left_px + column * cell_px;
            let block = (0..cell_px).flat_map(|down| &seen[start + down * width..][..cell_px]);
            cells.push(vote(block));
        }
    }
    let filled_cells = cells.iter().filter(|cell| cell.is_none()).count();
    let below_px = height - above_px - rows * cell_px;
    let classes = filled(cells, columns);
    Some(MapCells { width: columns, height: rows, classes, left_px, below_px, filled_cells })
}

/// The plane with covered pixels taken for what else is seen of their cell.
pub(crate) fn seen_by_cell(
    seen: &[Option<CellClass>],
    width: usize,
    cell_px: usize,
) -> Vec<Option<CellClass>> {
    let height = seen.len() / width;
    let left_px = phase(seen, width, cell_px, Axis::Columns);
    let above_px = phase(seen, width, cell_px, Axis::Rows);
    // First and past the last pixel of the cell at a position; the first cell may be cut by the border.
    let span = |at: usize, phase_px: usize, side: usize| {
        let within = (at + cell_px - phase_px) % cell_px;
        at.saturating_sub(within)..(at + cell_px - within).min(side)
    };
    let class_of = |index: usize| {
        let columns = span(index % width, left_px, width);
        let rows = span(index / width, above_px, height);
        vote(rows.flat_map(|row| &seen[row * width..][columns.clone()]))
    };
    (0..seen.len()).map(|index| seen[index].or_else(|| class_of(index))).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Columns,
    Rows,
}

/// Where blocks begin: the position, counted from 0 in steps of a block, at which classes change most often.
fn phase(seen: &[Option<CellClass>], width: usize, cell_px: usize, axis: Axis) -> usize {
    let step = if axis == Axis::Columns { 1 } else { width };
    let mut changes = vec![0usize; cell_px];
    for (index, pair) in (step..seen.len()).map(|index| (index, (seen[index - step], seen[index]))) {
        let position = if axis == Axis::Columns { index % width } else { index / width };
        if position > 0
            && let (Some(before), Some(after)) = pair
        {
            changes[position % cell_px] += usize::from(before != after);
        }
    }
    let most = changes.iter().max().copied().unwrap_or_default();
    changes.iter().position(|&count| count == most).unwrap_or_default()
}

fn vote<'a>(block: impl Iterator<Item = &'a Option<CellClass>>) -> Option<CellClass> {
    let mut votes = [0usize; 3];
    block.flatten().for_each(|class| votes[*class as usize] += 1);
    let most = votes.iter().max().copied().filter(|&most| most > 0)?;
    CellClass::ALL.into_iter().find(|&class| votes[class as usize] == most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(rows: &[&str]) -> Vec<Option<CellClass>> {
        let of = |letter| match letter {
            '#' => Some(CellClass::Occupied),
            '.' => Some(CellClass::Free),
            '?' => Some(CellClass::Unknown),
            _ => None,
        };
        rows.iter().flat_map(|row| row.chars()).map(of).collect()
    }

    #[test]
    fn blocks_are_found_and_voted_over_what_was_seen() {
        // Two pixels per cell, beginning at column 1; the bottom row is left over.
        let seen = plane(&["###..??", "## ..??", "?..##??", "?..# ??", "?..##??"]);
        let cells = reduced(&seen, 7, 2).unwrap();
        assert_eq!((cells.width, cells.height, cells.left_px, cells.below_px), (3, 2, 1, 1));
        use CellClass::{Free, Occupied, Unknown};
        assert_eq!(cells.classes, [Occupied, Free, Unknown, Free, Occupied, Unknown]);
        assert_eq!(cells.filled_cells, 0);
    }

    #[test]
    fn covered_pixels_take_what_else_is_seen_of_their_cell() {
        // Two pixels per cell, beginning at column 1.
        let seen = plane(&["# #..", "## ..", "?..  ", "?..  "]);
        assert_eq!(seen_by_cell(&seen, 5, 2), plane(&["###..", "###..", "?..  ", "?..  "]));
    }

    #[test]
    fn a_cell_that_was_painted_over_is_filled() {
        let cells = reduced(&plane(&["..  ..", "..  .."]), 6, 2).unwrap();
        assert_eq!((cells.classes, cells.filled_cells), (vec![CellClass::Free; 3], 1));
    }

    #[test]
    fn an_image_smaller_than_a_cell_has_none() {
        assert!(reduced(&plane(&["."]), 1, 3).is_none());
    }
}
