//! D-ASSIGN: the best one-to-one assignment of fiducial parts to what was found.
//!
//! ```text
//! cost:      minimise Σ_parts min(d, d_max), with d_max for a part without partner
//! coverage:  as many pairs as possible within d_max, then the least Σ d
//! ```
//!
//! Solved exactly by [`align::assignment`].

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
    let columns = distances.iter().map(Vec::len).max().unwrap_or(0);
    // Without partner: one column of its own for each row.
    let alone = match objective {
        AssignmentObjective::Cost => d_max,
        AssignmentObjective::Coverage => (distances.len() as f64 + 1.0) * d_max.max(f64::MIN_POSITIVE),
    };
    let never = (distances.len() as f64 + 2.0) * (alone + d_max);
    let cost = |row: usize, column: usize| match distances[row].get(column) {
        _ if column >= columns => alone,
        Some(&d) if d <= d_max => d,
        _ => never,
    };
    let assigned = complete(distances.len(), columns + distances.len(), cost).into_iter().zip(distances);
    assigned.map(|(column, row)| column.filter(|&c| row.get(c).is_some_and(|&d| d <= d_max))).collect()
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
