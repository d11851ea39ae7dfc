//! The cheapest assignment of rows to columns, each used at most once (Kuhn 1955, by shortest augmenting paths).

/// Column of each row under the assignment with the least sum of costs, over pairs of negative cost only: a row stays
/// alone where no pair gains anything. `cost` is asked for (row, column) and must be finite.
#[must_use]
pub fn cheapest(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    // Each row gets a column of its own that costs nothing: staying alone.
    let all = columns + rows;
    let paid = |row: usize, column: usize| match column.checked_sub(columns) {
        None => cost(row, column).min(0.0),
        Some(alone) if alone == row => 0.0,
        Some(_) => f64::from(u32::MAX),
    };
    // Potentials of rows and columns; rows and columns count from 1, 0 is "none".
    let (mut of_row, mut of_column) = (vec![0.0; rows + 1], vec![0.0; all + 1]);
    let mut row_of = vec![0; all + 1];
    for row in 1..=rows {
        augment(row, all, &paid, &mut of_row, &mut of_column, &mut row_of);
    }
    let mut chosen = vec![None; rows];
    for (column, row) in row_of[1..=columns].iter().enumerate() {
        if let Some(row) = row.checked_sub(1)
            && cost(row, column) < 0.0
        {
            chosen[row] = Some(column);
        }
    }
    chosen
}

/// Finds a place for one more row along the cheapest path of exchanges.
fn augment(
    row: usize,
    all: usize,
    paid: &impl Fn(usize, usize) -> f64,
    of_row: &mut [f64],
    of_column: &mut [f64],
    row_of: &mut [usize],
) {
    let mut least = vec![f64::INFINITY; all + 1];
    let mut came_from = vec![0; all + 1];
    let mut is_done = vec![false; all + 1];
    row_of[0] = row;
    let mut at = 0;
    while row_of[at] != 0 {
        is_done[at] = true;
        let from = row_of[at];
        let (mut step, mut next) = (f64::INFINITY, 0);
        for column in 1..=all {
            if is_done[column] {
                continue;
            }
            let reduced = paid(from - 1, column - 1) - of_row[from] - of_column[column];
            if reduced < least[column] {
                (least[column], came_from[column]) = (reduced, at);
            }
            if least[column] < step {
                (step, next) = (least[column], column);
            }
        }
        for column in 0..=all {
            if is_done[column] {
                of_row[row_of[column]] += step;
                of_column[column] -= step;
            } else {
                least[column] -= step;
            }
        }
        at = next;
    }
    while at != 0 {
        row_of[at] = row_of[came_from[at]];
        at = came_from[at];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least sum over all assignments, by trying each.
    fn by_trying(costs: &[Vec<f64>], row: usize, used: &mut Vec<bool>) -> f64 {
        if row == costs.len() {
            return 0.0;
        }
        let mut best = by_trying(costs, row + 1, used);
        for column in 0..used.len() {
            if !used[column] {
                used[column] = true;
                best = best.min(costs[row][column] + by_trying(costs, row + 1, used));
                used[column] = false;
            }
        }
        best
    }

    #[test]
    fn equals_trying_every_assignment() {
        let mut random = testkit::Random(11);
        for (rows, columns) in [(1, 1), (3, 3), (4, 2), (2, 5), (5, 5), (6, 4)] {
            for _ in 0..20 {
                let mut row =
                    || (0..columns).map(|_| random.below(200) as f64 / 50.0 - 3.0).collect::<Vec<f64>>();
                let costs: Vec<Vec<f64>> = (0..rows).map(|_| row()).collect();
                let chosen = cheapest(rows, columns, |r, c| costs[r][c]);
                let sum: f64 = chosen.iter().zip(&costs).filter_map(|(c, row)| c.map(|c| row[c])).sum();
                let expected = by_trying(&costs, 0, &mut vec![false; columns]);
                assert!((sum - expected).abs() < 1e-9, "{costs:?}: {chosen:?}");
            }
        }
    }

    #[test]
    fn pairs_that_gain_nothing_are_not_made() {
        assert_eq!(cheapest(2, 1, |row, _| if row == 0 { 1.0 } else { -1.0 }), [None, Some(0)]);
        assert_eq!(cheapest(1, 0, |_, _| -1.0), [None]);
        assert!(cheapest(0, 3, |_, _| -1.0).is_empty());
    }
}
