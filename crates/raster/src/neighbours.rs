//! The cells around a cell.

/// The cells that share an edge with a cell of a plane, in image order.
pub fn beside(cell: usize, width: usize, cells: usize) -> impl Iterator<Item = usize> {
    let x = cell % width;
    let found = [
        cell.checked_sub(width),
        (x > 0).then(|| cell - 1),
        (x + 1 < width).then(|| cell + 1),
        Some(cell + width).filter(|&below| below < cells),
    ];
    found.into_iter().flatten()
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
