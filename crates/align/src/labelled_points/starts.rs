//! Transforms from which the search begins: that of the files, that of the unique labels, those of two points each.

use model::{Point2, Similarity2};

use super::group::Group;
use crate::closed_form::{Motion, PointPair, fit};

/// Steps of pairing that all starts together may take.
const STEPS: usize = 30_000_000;
/// Max number of starts from two points.
const MAX_STARTS: usize = 300;

/// Transforms to begin with, that of the files first.
pub(super) fn starts(
    groups: &[Group],
    in_truth: &[Point2],
    in_map: &[Point2],
    as_filed: Similarity2,
) -> Vec<Similarity2> {
    let mut transforms = vec![as_filed];
    let couple = |(t, s): (usize, usize)| PointPair { in_map: in_map[s], in_truth: in_truth[t] };
    let forced: Vec<PointPair> = groups
        .iter()
        .filter(|group| group.truth.len() == 1 && group.submission.len() == 1)
        .map(|group| couple((group.truth[0], group.submission[0])))
        .collect();
    transforms.extend(fit(&forced, Motion::Rigid).filter(|_| forced.len() > 1));
    let steps: usize = groups.iter().map(steps_of).fold(1, usize::saturating_add);
    let most = (STEPS / steps).clamp(2, MAX_STARTS);
    let mut pairs_of_pairs = Vec::new();
    for (first, second) in anchors(groups, in_truth, in_map) {
        for one in candidates(groups, first) {
            for two in candidates(groups, second) {
                if one.0 == two.0 || one.1 == two.1 {
                    continue;
                }
                let [a, b] = [couple(one), couple(two)];
                let misfit = (a.in_map.distance_m(b.in_map) - a.in_truth.distance_m(b.in_truth)).abs();
                pairs_of_pairs.push((misfit, a, b));
            }
        }
    }
    pairs_of_pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    transforms.extend(pairs_of_pairs.iter().take(most).filter_map(|(_, a, b)| fit(&[*a, *b], Motion::Rigid)));
    transforms
}

/// Steps of one pairing of a group.
fn steps_of(group: &Group) -> usize {
    let (rows, columns, _) = group.rows_and_columns();
    rows.len().saturating_mul(rows.len()).saturating_mul(columns.len() + rows.len()).min(STEPS)
}

/// A row of a group.
type Anchor = (usize, usize);

/// All pairs that a row may be part of.
fn candidates(groups: &[Group], (group, row): Anchor) -> impl Iterator<Item = (usize, usize)> + Clone {
    let (rows, columns, side) = groups[group].rows_and_columns();
    let row = rows[row];
    columns.iter().map(move |&column| side.pair(row, column))
}

/// Pairs of rows that determine a transform: of the rows with fewest candidates the two farthest apart, for a few first ones.
fn anchors(groups: &[Group], in_truth: &[Point2], in_map: &[Point2]) -> Vec<(Anchor, Anchor)> {
    const ROWS: usize = 24;
    const MAX_CANDIDATES: usize = 400_000;
    let mut rows: Vec<(usize, Anchor)> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let (of_group, columns, _) = group.rows_and_columns();
        rows.extend((0..of_group.len().min(ROWS)).map(|row| (columns.len(), (index, row))));
    }
    rows.sort_unstable();
    rows.truncate(ROWS);
    let place = |(group, row): Anchor| {
        let (rows, _, side) = groups[group].rows_and_columns();
        match side {
            super::group::Side::RowsAreTruth => in_truth[rows[row]],
            super::group::Side::RowsAreSubmission => in_map[rows[row]],
        }
    };
    let is_truth = |(group, _): Anchor| groups[group].rows_and_columns().2;
    let (mut chosen, mut left) = (Vec::new(), MAX_CANDIDATES);
    for (index, &(count, first)) in rows.iter().enumerate().take(4) {
        let others = rows
            .iter()
            .enumerate()
            .filter(|(other, (_, anchor))| *other != index && is_truth(*anchor) == is_truth(first));
        let far = |anchor: Anchor| place(first).distance_m(place(anchor));
        let Some((_, &(other_count, second))) = others.max_by(|a, b| far(a.1.1).total_cmp(&far(b.1.1)))
        else {
            continue;
        };
        let product = count.saturating_mul(other_count);
        if product > left {
            break;
        }
        left -= product;
        chosen.push((first, second));
    }
    chosen
}
