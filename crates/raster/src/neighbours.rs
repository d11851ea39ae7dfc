//! The cells around a cell.

/// The cells that share an edge with a cell of a plane, in image order.
pub fn beside(cell: usize, width: usize, cells: usize) -> impl Iterator<Item = usize> + Clone {
    let x = cell % width;
    let (mut found, mut count) = ([0; 4], 0);
    let around = [
        (cell >= width, cell.wrapping_sub(width)),
        (x > 0, cell.wrapping_sub(1)),
        (x + 1 < width, cell + 1),
        (cell + width < cells, cell + width),
    ];
    // Each place is written, and the next one overwrites it if it is none: no branch that could be guessed wrongly.
    for (is_there, other) in around {
        found[count] = other;
        count += usize::from(is_there);
    }
    found.into_iter().take(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_have_two_neighbours_and_rows_do_not_run_on() {
        let of = |cell| beside(cell, 3, 9).collect::<Vec<_>>();
        assert_eq!((of(0), of(4), of(5)), (vec![1, 3], vec![1, 3, 5, 7], vec![2, 4, 8]));
    }
}
