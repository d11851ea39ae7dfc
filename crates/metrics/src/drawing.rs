//! Cases drawn as text, for the tests of the metrics.

use std::sync::Arc;

use align::{AlignedGrids, Resample, Window, common_grid};
use model::{Grid, Pose2};

use crate::Case;
use crate::paths::path_inputs::PathInputs;

/// A case of two text grids with cells of 1 m.
pub(crate) fn case(truth: &[&str], map: &[&str]) -> Case {
    Case::new(aligned(testkit::grid(truth), testkit::grid(map)))
}

/// A case of two text grids with a robot of no size.
pub(crate) fn path_case(truth: &[&str], map: &[&str]) -> Case {
    path_case_with(truth, map, &PathInputs { robot_radius_m: 0.0, ..Default::default() })
}

/// A case of two text grids with a robot.
pub(crate) fn path_case_with(truth: &[&str], map: &[&str], inputs: &PathInputs) -> Case {
    case(truth, map).with_paths(inputs.clone())
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

/// The building of the specification (07-E9) with a border of 12 unknown cells: 61 x 41 cells of 0.1 m with six rooms,
/// moved to the right by some cells.
pub(crate) fn building(right: i64) -> Grid {
    drawn(|x, y| (x + right, y))
}

/// The same building with everything right of column 31 moved down by some cells.
pub(crate) fn slipped_building(down: i64) -> Grid {
    drawn(|x, y| if x > 31 { (x, y + down) } else { (x, y) })
}

fn drawn(place: impl Fn(i64, i64) -> (i64, i64)) -> Grid {
    const BORDER: i64 = 12;
    let doors = [(15, 12), (15, 45), (25, 10), (25, 30), (25, 50)];
    let is_door =
        |x: i64, y: i64| doors.iter().any(|&(row, first)| y == row && (first..first + 5).contains(&x));
    let mut rows = vec![vec![b'?'; 85]; 65];
    for class in [b'.', b'#'] {
        for (x, y) in (0..41).flat_map(|y| (0..61).map(move |x| (x, y))) {
            let outer = y == 0 || y == 40 || x == 0 || x == 60;
            let wall = y == 15 || y == 25 || (x == 30 && y <= 15) || ((x == 20 || x == 42) && y >= 25);
            let is_wall = (outer || wall) && !is_door(x, y);
            if is_wall == (class == b'#') {
                let (column, row) = place(x, y);
                rows[(row + BORDER) as usize][(column + BORDER) as usize] = class;
            }
        }
    }
    let text: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    testkit::grid_at(text, 0.1, Pose2::IDENTITY)
}

/// Fails unless the two numbers differ by at most the tolerance.
#[track_caller]
pub(crate) fn nearly(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}
