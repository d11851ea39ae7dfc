//! Text grids for tests: `#` occupied, `.` free, `?` unknown, top row first.
//!
//! For tests only, so a malformed drawing panics.
#![allow(clippy::panic, clippy::expect_used, clippy::missing_panics_doc)]

mod golden;
mod memory;
mod random;
mod rust_source;
mod skipped;

use std::path::PathBuf;

use model::{CellClass, Grid, GridGeometry, Pose2};

pub use golden::assert_golden;
pub use memory::{check_peak_memory, forget_peak_memory, resident_memory};
pub use random::Random;
pub use rust_source::{FunctionSpan, RustSource};
pub use skipped::skip;

/// The plus of 03-E1: two corridors of seven cells that cross in the middle.
pub const PLUS: [&str; 9] = [
    "#########",
    "####.####",
    "####.####",
    "####.####",
    "#.......#",
    "####.####",
    "####.####",
    "####.####",
    "#########",
];

/// Free rectangles of [`seven_rooms`]: column, row, width and height; six doors behind seven rooms.
pub const SEVEN_ROOMS: [(usize, usize, usize, usize); 13] = [
    (1, 1, 30, 20),
    (32, 1, 20, 20),
    (53, 1, 36, 20),
    (1, 22, 88, 8),
    (1, 31, 18, 28),
    (20, 31, 40, 28),
    (61, 31, 28, 15),
    (10, 21, 7, 1),
    (40, 21, 7, 1),
    (70, 21, 7, 1),
    (8, 30, 7, 1),
    (35, 30, 7, 1),
    (70, 30, 7, 1),
];

/// Seven rooms around a corridor, 90 x 60 cells of 0.1 m, without any symmetry.
pub fn seven_rooms(origin: Pose2) -> Grid {
    let mut rows = vec![vec![b'#'; 90]; 60];
    for (x, y, width, height) in SEVEN_ROOMS {
        rows[y..y + height].iter_mut().for_each(|row| row[x..x + width].fill(b'.'));
    }
    let rows: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
    grid_at(rows, 0.1, origin)
}

/// A grid of 1 m cells at the origin, drawn as text.
pub fn grid<S: AsRef<str>>(rows: impl AsRef<[S]>) -> Grid {
    grid_at(rows, 1.0, Pose2::IDENTITY)
}

/// A grid drawn as text, with cell size and origin.
pub fn grid_at<S: AsRef<str>>(rows: impl AsRef<[S]>, cell_size_m: f64, origin: Pose2) -> Grid {
    let rows = rows.as_ref();
    let width = rows.first().map_or(0, |row| row.as_ref().len());
    assert!(rows.iter().all(|row| row.as_ref().len() == width), "rows of unequal length");
    let geometry = GridGeometry::new(width, rows.len(), cell_size_m, origin).expect("a sensible size");
    let classes = rows.iter().flat_map(|row| row.as_ref().chars()).map(class_of).collect();
    Grid::new(geometry, classes).expect("one class per cell")
}

/// The rows of a grid as text, top row first: the inverse of [`grid`].
pub fn rows(grid: &Grid) -> Vec<String> {
    let letter = |class: &CellClass| match class {
        CellClass::Free => '.',
        CellClass::Unknown => '?',
        CellClass::Occupied => '#',
    };
    grid.classes().chunks(grid.geometry().width()).map(|row| row.iter().map(letter).collect()).collect()
}

/// The folder of public data beside the repository; if it is absent, the caller is noted as skipped.
#[must_use]
#[track_caller]
pub fn shared_data(set: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(set);
    if path.is_dir() {
        return Some(path);
    }
    skip(&format!("../shared/data/{set} is absent"));
    None
}

fn class_of(letter: char) -> CellClass {
    match letter {
        '.' => CellClass::Free,
        '?' => CellClass::Unknown,
        '#' => CellClass::Occupied,
        other => panic!("'{other}' is no cell: expected '#', '.' or '?'"),
    }
}
