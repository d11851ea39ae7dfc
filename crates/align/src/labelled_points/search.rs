//! The best pairing with its transform: a good first answer, then the proof or something better.

use model::{Point2, Similarity2};

use super::group::Group;
use super::moments::Moments;
use super::pairing::{Pairing, paired_under};
use super::starts::starts;
use crate::closed_form::{Motion, PointPair, fit};

/// Rounds of pairing and fitting from one start; they settle after a few.
const MAX_ROUNDS: usize = 20;
/// A gain below this ratio to the squared coordinates is rounding, not a better pairing.
const ROUNDING: f64 = 1e-13;

/// The pairing with the least residual of the rigid fit.
pub(super) fn best_pairing(
    groups: &[Group],
    in_truth: &[Point2],
    in_map: &[Point2],
    max_steps: u64,
) -> Pairing {
    // Both lists about their middles, so that far origins cost no digits.
    let (in_truth, truth_middle) = centred(in_truth);
    let (in_map, map_middle) = centred(in_map);
    let (x_m, y_m) = (map_middle.x_m - truth_middle.x_m, map_middle.y_m - truth_middle.y_m);
    let as_filed = Similarity2::new(x_m, y_m, 0.0, 1.0);
    let mut best: Option<(f64, Pairing)> = None;
    for start in starts(groups, &in_truth, &in_map, as_filed) {
        let found = settled(groups, &in_truth, &in_map, start);
        let moments = moments_of(&found.pairs, &in_truth, &in_map);
        let squares = moments.residual_squares();
        let is_better = |(least, _): &(f64, Pairing)| squares < least - ROUNDING * moments.magnitude();
        if best.as_ref().is_none_or(is_better) {
            best = Some((squares, found));
        }
    }
    let Some((_, first)) = best else { return Pairing::default() };
    proven(groups, &in_truth, &in_map, first, max_steps)
}

fn centred(points: &[Point2]) -> (Vec<Point2>, Point2) {
    let count = points.len().max(1) as f64;
    let middle = Point2::new(
        points.iter().map(|point| point.x_m).sum::<f64>() / count,
        points.iter().map(|point| point.y_m).sum::<f64>() / count,
    );
    let moved = |point: &Point2| Point2::new(point.x_m - middle.x_m, point.y_m - middle.y_m);
    (points.iter().map(moved).collect(), middle)
}

fn couple(&(t, s): &(usize, usize), in_truth: &[Point2], in_map: &[Point2]) -> PointPair {
    PointPair { in_map: in_map[s], in_truth: in_truth[t] }
}

fn moments_of(pairs: &[(usize, usize)], in_truth: &[Point2], in_map: &[Point2]) -> Moments {
    let couples = pairs.iter().map(|pair| couple(pair, in_truth, in_map));
    couples.fold(Moments::default(), |sum, pair| sum.with(pair))
}

fn fitted(pairs: &[(usize, usize)], in_truth: &[Point2], in_map: &[Point2]) -> Option<Similarity2> {
    let couples: Vec<PointPair> = pairs.iter().map(|pair| couple(pair, in_truth, in_map)).collect();
    fit(&couples, Motion::Rigid)
}

/// Pairs and fits in turn until nothing changes.
fn settled(groups: &[Group], in_truth: &[Point2], in_map: &[Point2], start: Similarity2) -> Pairing {
    let mut pairing = paired_under(groups, in_truth, in_map, start);
    // Groups too large for exact pairing settle slowly and are not certified anyway.
    let rounds = if pairing.certified { MAX_ROUNDS } else { 2 };
    for _ in 0..rounds {
        let Some(transform) = fitted(&pairing.pairs, in_truth, in_map) else { break };
        let next = paired_under(groups, in_truth, in_map, transform);
        if next.pairs == pairing.pairs {
            break;
        }
        pairing = next;
    }
    pairing
}

/// Goes through all pairings, leaving out every branch whose pairs alone fit no better than the best so far.
fn proven(
    groups: &[Group],
    in_truth: &[Point2],
    in_map: &[Point2],
    first: Pairing,
    max_steps: u64,
) -> Pairing {
    let Some(transform) = fitted(&first.pairs, in_truth, in_map) else { return first };
    let whole = moments_of(&first.pairs, in_truth, in_map);
    let slots = slots(groups, in_truth, in_map, transform);
    let mut search = Search {
        in_truth,
        in_map,
        is_used: vec![false; in_truth.len() + in_map.len()],
        held: vec![None; slots.len()],
        cursor: vec![0; slots.len()],
        sums: vec![Moments::default(); slots.len() + 1],
        slots,
        least: whole.residual_squares(),
        rounding: ROUNDING * whole.magnitude(),
        best: first.pairs,
    };
    let certified = search.run(max_steps);
    Pairing { pairs: search.best, certified }
}

/// A pair that a row may become, and its column among all points.
#[derive(Clone, Copy)]
struct Choice {
    pair: (usize, usize),
    column: usize,
}

/// The choices of each row, the likeliest first; rows with few choices and far from the middle come first.
fn slots(
    groups: &[Group],
    in_truth: &[Point2],
    in_map: &[Point2],
    truth_from_map: Similarity2,
) -> Vec<Vec<Choice>> {
    let moved: Vec<Point2> = in_map.iter().map(|point| truth_from_map * *point).collect();
    let squared = |&(t, s): &(usize, usize)| {
        (moved[s].x_m - in_truth[t].x_m).powi(2) + (moved[s].y_m - in_truth[t].y_m).powi(2)
    };
    let mut slots: Vec<(usize, f64, Vec<Choice>)> = Vec::new();
    for group in groups {
        let (rows, columns, side) = group.rows_and_columns();
        for &row in rows {
            let pair = |&column: &usize| Choice {
                pair: side.pair(row, column),
                column: side.column_key(column, in_truth.len()),
            };
            let mut choices: Vec<Choice> = columns.iter().map(pair).collect();
            choices.sort_by(|a, b| squared(&a.pair).total_cmp(&squared(&b.pair)));
            let (t, s) = choices[0].pair;
            let far = in_truth[t].x_m.hypot(in_truth[t].y_m) + in_map[s].x_m.hypot(in_map[s].y_m);
            slots.push((columns.len(), far, choices));
        }
    }
    slots.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    slots.into_iter().map(|(_, _, choices)| choices).collect()
}

struct Search<'a> {
    in_truth: &'a [Point2],
    in_map: &'a [Point2],
    slots: Vec<Vec<Choice>>,
    is_used: Vec<bool>,
    /// The column that each row holds.
    held: Vec<Option<usize>>,
    /// The next choice of each row.
    cursor: Vec<usize>,
    /// Sums over the rows before each row.
    sums: Vec<Moments>,
    least: f64,
    rounding: f64,
    best: Vec<(usize, usize)>,
}

impl Search<'_> {
    /// True if every pairing was looked at or ruled out within so many steps.
    fn run(&mut self, max_steps: u64) -> bool {
        let mut row = 0;
        for _ in 0..max_steps {
            if let Some(column) = self.held[row].take() {
                self.is_used[column] = false;
            }
            let Some(&choice) = self.slots[row].get(self.cursor[row]) else {
                self.cursor[row] = 0;
                if row == 0 {
                    return true;
                }
                row -= 1;
                continue;
            };
            self.cursor[row] += 1;
            if self.is_used[choice.column] {
                continue;
            }
            let sum = self.sums[row].with(couple(&choice.pair, self.in_truth, self.in_map));
            // The residual never falls when pairs are added.
            if sum.residual_squares() >= self.least - self.rounding {
                continue;
            }
            self.is_used[choice.column] = true;
            self.held[row] = Some(choice.column);
            self.sums[row + 1] = sum;
            if row + 1 < self.slots.len() {
                row += 1;
            } else {
                self.least = sum.residual_squares();
                self.best = self.slots.iter().zip(&self.cursor).map(|(c, &next)| c[next - 1].pair).collect();
            }
        }
        false
    }
}
