//! The assignment of rows to columns with the least total cost, each used at most once.
//!
//! Exact, by shortest augmenting paths with potentials (Kuhn 1955; Edmonds and Karp 1972), in rows² · columns steps on
//! costs of all pairs. Of equal costs the lower column wins. Pairs that gain nothing are never made, so [`cheapest`] solves
//! each group of rows and columns that the others connect by itself: rooms and corners compete with their neighbours only.

use std::collections::BTreeMap;

use raster::disjoint_sets::DisjointSets;

/// Column of each row under the assignment with the least sum of costs, over pairs of negative cost only: a row stays
/// alone where no pair gains anything. `cost` is asked for (row, column) and must be finite.
pub fn cheapest(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    let mut column_of = vec![None; rows];
    for Group { rows, columns } in groups(rows, columns, &cost) {
        let chosen =
            cheapest_in_group(rows.len(), columns.len(), |row, column| cost(rows[row], columns[column]));
        for (row, column) in rows.iter().zip(chosen) {
            column_of[*row] = column.map(|column| columns[column]);
        }
    }
    column_of
}

/// Rows and columns, each in their order, that pairs of negative cost connect.
#[derive(Default)]
struct Group {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

fn groups(rows: usize, columns: usize, cost: &impl Fn(usize, usize) -> f64) -> Vec<Group> {
    let mut sets = DisjointSets::new(rows + columns);
    let mut gains_anything = vec![false; rows + columns];
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if cost(row, column) < 0.0 {
            sets.join(row as u32, (rows + column) as u32);
            (gains_anything[row], gains_anything[rows + column]) = (true, true);
        }
    }
    let mut groups: BTreeMap<u32, Group> = BTreeMap::new();
    for member in (0..rows + columns).filter(|&member| gains_anything[member]) {
        let group = groups.entry(sets.root(member as u32)).or_default();
        match member.checked_sub(rows) {
            None => group.rows.push(member),
            Some(column) => group.columns.push(column),
        }
    }
    groups.into_values().collect()
}

fn cheapest_in_group(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    // Each row gets a column of its own that costs nothing: staying alone.
    let paid = |row: usize, column: usize| match column.checked_sub(columns) {
        None => cost(row, column).min(0.0),
        Some(alone) if alone == row => 0.0,
        Some(_) => f64::from(u32::MAX),
    };
    let gains = |(row, column): (usize, Option<usize>)| column.filter(|&c| c < columns && cost(row, c) < 0.0);
    complete(rows, columns + rows, paid).into_iter().enumerate().map(gains).collect()
}

/// Column of each row under the assignment with the least sum of costs in which every row has a column, whatever it
/// costs; with fewer columns than rows the last rows have none. Costs must be finite.
pub fn complete(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    let mut solver =
        Solver { of_rows: vec![0.0; rows], of_columns: vec![0.0; columns], row_of: vec![None; columns] };
    (0..rows).for_each(|row| solver.augment(row, &cost));
    let mut column_of = vec![None; rows];
    for (column, row) in solver.row_of.iter().enumerate() {
        row.iter().for_each(|&row: &usize| column_of[row] = Some(column));
    }
    column_of
}

struct Solver {
    /// Potentials.
    of_rows: Vec<f64>,
    of_columns: Vec<f64>,
    row_of: Vec<Option<usize>>,
}

impl Solver {
    /// Gives one more row a column, along the cheapest path of exchanges.
    fn augment(&mut self, first: usize, cost: &impl Fn(usize, usize) -> f64) {
        let columns = self.row_of.len();
        let mut reduced = vec![f64::INFINITY; columns];
        let mut before: Vec<Option<usize>> = vec![None; columns];
        let mut is_done = vec![false; columns];
        let (mut row, mut last) = (first, None);
        loop {
            let mut cheapest = None;
            for column in (0..columns).filter(|&column| !is_done[column]) {
                let offer = cost(row, column) - self.of_rows[row] - self.of_columns[column];
                if offer < reduced[column] {
                    (reduced[column], before[column]) = (offer, last);
                }
                if cheapest.is_none_or(|cheapest: usize| reduced[column] < reduced[cheapest]) {
                    cheapest = Some(column);
                }
            }
            let Some(next) = cheapest else { return };
            let rise = reduced[next];
            self.of_rows[first] += rise;
            for column in 0..columns {
                if !is_done[column] {
                    reduced[column] -= rise;
                    continue;
                }
                self.of_columns[column] -= rise;
                self.row_of[column].iter().for_each(|&row| self.of_rows[row] += rise);
            }
            is_done[next] = true;
            last = Some(next);
            match self.row_of[next] {
                Some(taken) => row = taken,
                None => break,
            }
        }
        while let Some(column) = last {
            let previous = before[column];
            self.row_of[column] = previous.map_or(Some(first), |previous| self.row_of[previous]);
            last = previous;
        }
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
    fn groups_that_no_pair_connects_are_solved_apart_and_change_nothing() {
        let mut random = testkit::Random(12);
        for _ in 0..50 {
            // Few pairs gain anything: several groups.
            let mut price = || if random.below(4) == 0 { -1.0 - random.below(90) as f64 / 10.0 } else { 2.0 };
            let costs: Vec<Vec<f64>> = (0..6).map(|_| (0..6).map(|_| price()).collect()).collect();
            let sum = |chosen: Vec<Option<usize>>| -> f64 {
                chosen.iter().zip(&costs).filter_map(|(column, row)| column.map(|column| row[column])).sum()
            };
            let together = sum(cheapest_in_group(6, 6, |row, column| costs[row][column]));
            let apart = sum(cheapest(6, 6, |row, column| costs[row][column]));
            assert!((together - apart).abs() < 1e-9, "{costs:?}");
        }
        let cost = |row: usize, column: usize| if row == column { -1.0 } else { 1.0 };
        assert_eq!(groups(3, 3, &cost).len(), 3);
    }

    #[test]
    fn pairs_that_gain_nothing_are_not_made() {
        assert_eq!(cheapest(2, 1, |row, _| if row == 0 { 1.0 } else { -1.0 }), [None, Some(0)]);
        assert_eq!(cheapest(1, 0, |_, _| -1.0), [None]);
        assert!(cheapest(0, 3, |_, _| -1.0).is_empty());
    }

    #[test]
    fn a_complete_assignment_pays_whatever_it_must() {
        // Row 0 gives up its column of cost 1, because row 1 would pay 9 elsewhere.
        let costs = [[1.0, 2.0], [1.0, 9.0], [1.0, 1.0]];
        assert_eq!(complete(2, 2, |row, column| costs[row][column]), [Some(1), Some(0)]);
        assert_eq!(complete(3, 2, |row, column| costs[row][column])[2], None);
    }
}
