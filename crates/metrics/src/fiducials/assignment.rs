//! D-ASSIGN: the best one-to-one assignment of fiducial parts to what was found.
//!
//! ```text
//! cost:      minimise Σ_parts min(d, d_max), with d_max for a part without partner
//! coverage:  as many pairs as possible within d_max, then the least Σ d
//! ```
//!
//! Solved exactly by [`align::assignment`], apart for parts that have no barrel in common.

use std::collections::BTreeMap;

use align::assignment::complete;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the best assignment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssignmentObjective {
    /// The least sum of distances, where a part without partner costs `d_max`.
    #[default]
    Cost,
    /// The most pairs, then the least sum of distances.
    Coverage,
}

/// For each row the column assigned to it. Pairs above `d_max` are never made; a distance that is not finite is none.
#[must_use]
pub fn assign(distances: &[Vec<f64>], d_max: f64, objective: AssignmentObjective) -> Vec<Option<usize>> {
    let alone = match objective {
        AssignmentObjective::Cost => d_max,
        AssignmentObjective::Coverage => (distances.len() as f64 + 1.0) * d_max.max(f64::MIN_POSITIVE),
    };
    let mut assigned = vec![None; distances.len()];
    for Block { rows, columns } in blocks(distances, d_max) {
        let never = (rows.len() as f64 + 2.0) * (alone + d_max);
        let distance = |row: usize, column: usize| distances[rows[row]].get(columns[column]).copied();
        // Without partner: one column of its own for each row.
        let cost = |row: usize, column: usize| match column < columns.len() {
            false => alone,
            true => distance(row, column).filter(|&d| d <= d_max).unwrap_or(never),
        };
        for (row, column) in complete(rows.len(), columns.len() + rows.len(), cost).into_iter().enumerate() {
            let own = column.filter(|&c| c < columns.len());
            let near = own.filter(|&c| distance(row, c).is_some_and(|d| d <= d_max));
            assigned[rows[row]] = near.map(|c| columns[c]);
        }
    }
    assigned
}

/// Rows and columns that can be paired with each other, and with nothing else.
struct Block {
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// The assignment of one block says nothing about another: solving them apart is exact, and far cheaper.
fn blocks(distances: &[Vec<f64>], d_max: f64) -> Vec<Block> {
    let width = distances.iter().map(Vec::len).max().unwrap_or(0);
    let mut block_of_row: Vec<usize> = (0..distances.len()).collect();
    let mut first_row: Vec<Option<usize>> = vec![None; width];
    let pairs = |row: usize| distances[row].iter().enumerate().filter(move |(_, d)| **d <= d_max);
    for row in 0..distances.len() {
        for (column, _) in pairs(row) {
            let Some(other) = first_row[column] else {
                first_row[column] = Some(row);
                continue;
            };
            let (kept, joined) = (block_of_row[other], block_of_row[row]);
            if kept != joined {
                block_of_row.iter_mut().filter(|block| **block == joined).for_each(|block| *block = kept);
            }
        }
    }
    let mut blocks: BTreeMap<usize, Block> = BTreeMap::new();
    for (row, block) in block_of_row.iter().enumerate() {
        let empty = || Block { rows: Vec::new(), columns: Vec::new() };
        blocks.entry(*block).or_insert_with(empty).rows.push(row);
    }
    for (column, row) in first_row.iter().enumerate() {
        if let Some(block) = row.and_then(|row| blocks.get_mut(&block_of_row[row])) {
            block.columns.push(column);
        }
    }
    blocks.into_values().filter(|block| !block.columns.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn on_a_line(fiducials: &[f64], barrels: &[f64]) -> Vec<Vec<f64>> {
        fiducials.iter().map(|f| barrels.iter().map(|b| (f - b).abs()).collect()).collect()
    }

    #[test]
    fn e6_cost_and_coverage() {
        let distances = on_a_line(&[0.0, 1.0], &[0.9, 1.8]);
        assert_eq!(assign(&distances, 1.0, AssignmentObjective::Cost), [None, Some(0)]);
        assert_eq!(assign(&distances, 1.0, AssignmentObjective::Coverage), [Some(0), Some(1)]);
        let far = on_a_line(&[0.0, 5.0], &[0.1, 0.2]);
        assert_eq!(assign(&far, 0.6, AssignmentObjective::Cost), [Some(0), None]);
    }

    #[test]
    fn nothing_to_assign_is_no_problem() {
        assert_eq!(assign(&[], 1.0, AssignmentObjective::Cost), []);
        assert_eq!(assign(&[vec![], vec![]], 1.0, AssignmentObjective::Coverage), [None, None]);
        assert_eq!(assign(&[vec![f64::NAN, f64::INFINITY]], 1.0, AssignmentObjective::Cost), [None]);
    }

    /// Least total by trying everything.
    fn least(distances: &[Vec<f64>], d_max: f64, alone: f64, taken: u32) -> f64 {
        let Some((first, rest)) = distances.split_first() else { return 0.0 };
        let skip = alone + least(rest, d_max, alone, taken);
        let with = first.iter().enumerate().filter(|(column, d)| taken >> column & 1 == 0 && **d <= d_max);
        with.map(|(column, d)| d + least(rest, d_max, alone, taken | 1 << column)).fold(skip, f64::min)
    }

    proptest! {
        #[test]
        fn no_assignment_is_cheaper(
            distances in (1_usize..5).prop_flat_map(|columns| prop::collection::vec(
                prop::collection::vec(0.0..2.0_f64, columns), 1..5)),
            by_coverage: bool,
        ) {
            let objective = if by_coverage { AssignmentObjective::Coverage } else { AssignmentObjective::Cost };
            let alone = if by_coverage { distances.len() as f64 + 1.0 } else { 1.0 };
            let found = assign(&distances, 1.0, objective);
            let total: f64 = found.iter().enumerate().map(|(row, column)| column.map_or(alone, |c| distances[row][c])).sum();
            prop_assert!((total - least(&distances, 1.0, alone, 0)).abs() < 1e-9);
        }
    }
}
