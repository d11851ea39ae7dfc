//! Maps in larger cells: one occupied cell makes the larger one occupied, else one free cell free. No wall vanishes.

use crate::dispatch::dispatched;

/// Pools rows of class bytes by a whole factor; the last row and column may cover less. Returns width, height and classes.
pub fn pool<'a>(
    rows: impl Iterator<Item = &'a [u8]>,
    width: usize,
    height: usize,
    factor: usize,
) -> (usize, usize, Vec<u8>) {
    // Classes exchanged so that the one that wins is the larger: unknown 0, free 1, occupied 3.
    const SWAP: u8 = 1;
    let (pooled_width, pooled_height) = (width.div_ceil(factor), height.div_ceil(factor));
    let mut classes = Vec::with_capacity(pooled_width * pooled_height);
    let mut strongest = vec![0; width];
    for (row, cells) in rows.enumerate() {
        strongest.iter_mut().zip(cells).for_each(|(strong, &cell)| *strong = (*strong).max(cell ^ SWAP));
        if (row + 1) % factor == 0 || row + 1 == height {
            let strongest_of = |block: &[u8]| block.iter().fold(0, |a: u8, &b| a.max(b)) ^ SWAP;
            // Pairs, the most common blocks, many at once.
            let (pairs, rest) =
                if factor == 2 { strongest.as_chunks::<2>() } else { (&[][..], &strongest[..]) };
            classes.extend(pairs.iter().map(|[left, right]| *left.max(right) ^ SWAP));
            classes.extend(rest.chunks(factor).map(strongest_of));
            strongest.fill(0);
        }
    }
    (pooled_width, pooled_height, classes)
}

dispatched! {
    /// Counts the cells of one colour in each column, up to 255, and marks by 1 the columns with a cell of the other.
    pub fn count_row(cells: &[u8], colours: [u8; 2], counts: &mut [u8], marks: &mut [u8]) = count_row_kernel;
}

#[inline(always)]
fn count_row_kernel(cells: &[u8], [counted, marked]: [u8; 2], counts: &mut [u8], marks: &mut [u8]) {
    for ((count, mark), &cell) in counts.iter_mut().zip(marks).zip(cells) {
        *count = count.saturating_add(u8::from(cell == counted));
        *mark |= u8::from(cell == marked);
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    #[test]
    fn occupied_wins_over_free_and_free_over_unknown() {
        let grid = grid(["??.", "?.#", "..?"]);
        let width = grid.geometry().width();
        for (factor, expected) in [(2, (2, 2, vec![0, 2, 0, 1])), (3, (1, 1, vec![2])), (9, (1, 1, vec![2]))]
        {
            let rows = grid.class_bytes().chunks_exact(width);
            assert_eq!(pool(rows, width, 3, factor), expected, "{factor}");
        }
    }
}
