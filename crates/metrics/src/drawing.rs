//! Cases drawn as text, for the tests of the metrics.

use std::sync::Arc;

use align::{AlignedGrids, Resample, Window, common_grid};
use model::{Grid, Pose2};

use crate::Case;

/// A case of two text grids with cells of 1 m.
pub(crate) fn case(truth: &[&str], map: &[&str]) -> Case {
    Case::new(aligned(testkit::grid(truth), testkit::grid(map)))
}

/// A case of two grids in one frame.
pub(crate) fn case_of(truth: Grid, map: Grid) -> Case {
    Case::new(aligned(truth, map))
}

/// A case of two tables of probabilities, top row first.
pub(crate) fn case_of_probabilities(truth: &[&[f64]], map: &[&[f64]]) -> Case {
    case_of(probabilities(truth), probabilities(map))
}

fn probabilities(rows: &[&[f64]]) -> Grid {
    let values: Vec<f64> = rows.concat();
    let letters = |row: &&[f64]| -> String {
        row.iter()
            .map(|&p| {
                if p > 0.5 {
                    '#'
                } else if p < 0.5 {
                    '.'
                } else {
                    '?'
                }
            })
            .collect()
    };
    let drawn: Vec<String> = rows.iter().map(letters).collect();
    testkit::grid(drawn).with_probabilities(values).unwrap()
}

fn aligned(truth: Grid, map: Grid) -> AlignedGrids {
    let (truth, map) = (Arc::new(truth), Arc::new(map));
    common_grid(&truth, &map, Pose2::IDENTITY, Window::Truth, Resample::OccupiedWins).unwrap()
}

/// Fails unless the two numbers differ by at most the tolerance.
#[track_caller]
pub(crate) fn nearly(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}
