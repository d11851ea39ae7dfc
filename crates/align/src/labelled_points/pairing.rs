//! The best pairing under a given transform, group by group.

use model::{Point2, Similarity2};

use super::group::{Group, Side};
use crate::assignment::cheapest;

/// Pairs of truth and submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pairing {
    pub(super) pairs: Vec<(usize, usize)>,
    /// True if there is no better one.
    pub(super) certified: bool,
}

/// Rows and columns up to which the exact assignment is worth its time (rows · rows · columns steps).
const EXACT_STEPS: usize = 20_000_000;

/// The pairing with the least sum of squared distances when the submission is moved by this transform.
pub(super) fn paired_under(
    groups: &[Group],
    in_truth: &[Point2],
    in_map: &[Point2],
    truth_from_map: Similarity2,
) -> Pairing {
    let moved: Vec<Point2> = in_map.iter().map(|point| truth_from_map * *point).collect();
    let mut found = Pairing { pairs: Vec::new(), certified: true };
    for group in groups {
        let (rows, columns, side) = group.rows_and_columns();
        let squared = |row: usize, column: usize| {
            let (t, s) = side.pair(rows[row], columns[column]);
            (moved[s].x_m - in_truth[t].x_m).powi(2) + (moved[s].y_m - in_truth[t].y_m).powi(2)
        };
        let steps = rows.len().saturating_mul(rows.len()).saturating_mul(rows.len() + columns.len());
        let is_exact = rows.len() == 1 || steps <= EXACT_STEPS;
        let chosen = if rows.len() == 1 {
            vec![nearest_column(columns.len(), |column| squared(0, column))]
        } else if is_exact {
            exact(rows.len(), columns.len(), squared)
        } else {
            nearest_first(rows.len(), columns.len(), squared)
        };
        found.certified &= is_exact;
        push_pairs(&mut found.pairs, rows, columns, side, &chosen);
    }
    found
}

fn push_pairs(
    pairs: &mut Vec<(usize, usize)>,
    rows: &[usize],
    columns: &[usize],
    side: Side,
    chosen: &[Option<usize>],
) {
    let of_row = rows.iter().zip(chosen);
    pairs.extend(of_row.filter_map(|(&row, column)| Some(side.pair(row, columns[(*column)?]))));
}

fn nearest_column(columns: usize, squared: impl Fn(usize) -> f64) -> Option<usize> {
    (0..columns).min_by(|&a, &b| squared(a).total_cmp(&squared(b)))
}

/// Every row gets a column: making a pair always gains something.
fn exact(rows: usize, columns: usize, squared: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    let costs: Vec<f64> =
        (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))).map(|(r, c)| squared(r, c)).collect();
    let largest = costs.iter().copied().filter(|cost| cost.is_finite()).fold(0.0, f64::max);
    let gain = (largest + 1.0) * (rows as f64 + 1.0);
    cheapest(rows, columns, |row, column| (costs[row * columns + column] - gain).min(-1.0))
}

/// The nearest pair first, then the nearest of those left: for groups too large for more.
fn nearest_first(rows: usize, columns: usize, squared: impl Fn(usize, usize) -> f64) -> Vec<Option<usize>> {
    // Squares are not negative, so that their bits order as they do.
    let mut pairs: Vec<(u64, u32, u32)> = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        let pair = |column: usize| (squared(row, column).to_bits(), row as u32, column as u32);
        pairs.extend((0..columns).map(pair));
    }
    pairs.sort_unstable();
    let (mut chosen, mut is_taken) = (vec![None; rows], vec![false; columns]);
    for (_, row, column) in pairs {
        let (row, column) = (row as usize, column as usize);
        if chosen[row].is_none() && !is_taken[column] {
            (chosen[row], is_taken[column]) = (Some(column), true);
        }
    }
    chosen
}
