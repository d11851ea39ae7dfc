//! Points of one label on both sides.

use std::collections::BTreeMap;

use super::LabelledPoint;

/// Indices of the points of one label, in an order that does not depend on the order of the lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Group {
    pub(super) truth: Vec<usize>,
    pub(super) submission: Vec<usize>,
}

impl Group {
    /// How many pairs it gives.
    pub(super) fn pairs(&self) -> usize {
        self.truth.len().min(self.submission.len())
    }

    /// The shorter side first: its points are the rows, each of which gets a partner.
    pub(super) fn rows_and_columns(&self) -> (&[usize], &[usize], Side) {
        if self.truth.len() <= self.submission.len() {
            (&self.truth, &self.submission, Side::RowsAreTruth)
        } else {
            (&self.submission, &self.truth, Side::RowsAreSubmission)
        }
    }
}

/// Which list the rows of a group come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    RowsAreTruth,
    RowsAreSubmission,
}

impl Side {
    /// A row and a column as truth and submission.
    pub(super) fn pair(self, row: usize, column: usize) -> (usize, usize) {
        match self {
            Self::RowsAreTruth => (row, column),
            Self::RowsAreSubmission => (column, row),
        }
    }

    /// A number of its own for each column of either list.
    pub(super) fn column_key(self, column: usize, truth_points: usize) -> usize {
        match self {
            Self::RowsAreTruth => truth_points + column,
            Self::RowsAreSubmission => column,
        }
    }
}

/// The labels that both lists have, in order of the label. Points without a label are nobody's partner, unless no point of either list
/// has one: then place alone tells.
pub(super) fn groups(truth: &[LabelledPoint], submission: &[LabelledPoint]) -> Vec<Group> {
    let mut by_label: BTreeMap<&str, Group> = BTreeMap::new();
    for index in by_place(truth) {
        by_label.entry(&truth[index].label).or_default().truth.push(index);
    }
    for index in by_place(submission) {
        by_label.entry(&submission[index].label).or_default().submission.push(index);
    }
    if by_label.len() > 1 {
        by_label.remove("");
    }
    by_label.into_values().filter(|group| group.pairs() > 0).collect()
}

/// Indices in order of the places.
fn by_place(points: &[LabelledPoint]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let place = |index: &usize| points[*index].at;
    order.sort_by(|a, b| {
        let (a, b) = (place(a), place(b));
        a.x_m.total_cmp(&b.x_m).then(a.y_m.total_cmp(&b.y_m))
    });
    order
}
