//! Changes of a map that nobody would call damage. A metric's answers to them are what its answers to damage are held
//! against (X-LAB).

use std::f64::consts::TAU;

use formats::{NamedBytes, ReadOptions, read_map_bytes, write_ros_map};
use model::{CellClass, Grid, GridGeometry, Pose2, SeededRng};

use super::resample::Extent;
use super::transformed::{about_middle, moved_whole};
use crate::SimError;

/// How many harmless changes there are.
pub const HARMLESS_CHANGES: usize = 20;
/// Longest displacement in cells, and largest rotation.
const MAX_SHIFT_CELLS: f64 = 0.5;
const MAX_TURN_DEG: f64 = 0.1;
/// Widest border of unknown cells.
const MAX_BORDER_CELLS: i64 = 40;

/// The map after one of [`HARMLESS_CHANGES`] changes: moved by up to half a cell, turned by up to 0.1 degrees, with a border
/// of unknown cells, cropped to what is known, or saved and read again, in turn.
///
/// # Errors
/// The grid would become too large.
pub fn harmless(map: &Grid, change: usize, seed: u64) -> Result<Grid, SimError> {
    let mut rng = SeededRng::new(seed).stream(1000 + change as u64);
    match change % 5 {
        0 => {
            let length_m = MAX_SHIFT_CELLS * map.geometry().cell_size_m() * rng.uniform();
            let (sin, cos) = (TAU * rng.uniform()).sin_cos();
            Ok(moved_whole(map, about_middle(map, 0.0, 1.0, (length_m * cos, length_m * sin)))?.map)
        }
        1 => {
            let turn_deg = MAX_TURN_DEG * (2.0 * rng.uniform() - 1.0);
            Ok(moved_whole(map, about_middle(map, turn_deg.to_radians(), 1.0, (0.0, 0.0)))?.map)
        }
        2 => bordered(map, std::array::from_fn(|_| rng.between(1, MAX_BORDER_CELLS) as usize)),
        3 => cropped(map),
        _ => saved_again(map),
    }
}

/// The map with so many unknown cells left, right, below and above it.
///
/// # Errors
/// The grid would become too large.
pub fn bordered(map: &Grid, [left, right, bottom, top]: [usize; 4]) -> Result<Grid, SimError> {
    let geometry = map.geometry();
    let (width, height) = (geometry.width() + left + right, geometry.height() + bottom + top);
    let corner = moved_corner(geometry, -(left as f64), -(bottom as f64));
    let grown = GridGeometry::new(width, height, geometry.cell_size_m(), corner)?;
    let mut classes = vec![CellClass::Unknown; grown.cells()];
    for (row, from) in map.classes().chunks(geometry.width()).enumerate() {
        let start = (row + top) * width + left;
        classes[start..start + from.len()].copy_from_slice(from);
    }
    Ok(Grid::new(grown, classes)?)
}

/// The map without the unknown rows and columns around what is known; the map itself where nothing is.
///
/// # Errors
/// None for a valid grid.
pub fn cropped(map: &Grid) -> Result<Grid, SimError> {
    let Some(known) = Extent::of_known(map) else { return Ok(map.clone()) };
    let geometry = map.geometry();
    let corner = moved_corner(geometry, known.left as f64, known.bottom as f64);
    let size = (known.right - known.left, known.top - known.bottom);
    let smaller = GridGeometry::new(size.0, size.1, geometry.cell_size_m(), corner)?;
    let rows = geometry.height() - known.top..geometry.height() - known.bottom;
    let row = |row: usize| {
        &map.classes()[row * geometry.width() + known.left..row * geometry.width() + known.right]
    };
    Ok(Grid::new(smaller, rows.flat_map(|index| row(index).iter().copied()).collect())?)
}

fn moved_corner(geometry: &GridGeometry, right_cells: f64, up_cells: f64) -> Pose2 {
    let cell_size_m = geometry.cell_size_m();
    geometry.origin() * Pose2::new(right_cells * cell_size_m, up_cells * cell_size_m, 0.0)
}

/// The map as the map server's pair of files gives it back.
fn saved_again(map: &Grid) -> Result<Grid, SimError> {
    let (yaml, image) = write_ros_map(map, "map.pgm");
    let file = NamedBytes { name: "map.yaml", bytes: yaml.as_bytes() };
    let beside = [NamedBytes { name: "map.pgm", bytes: &image }];
    let read = read_map_bytes(file, &beside, &ReadOptions::default());
    read.map(|file| file.grid).map_err(|error| SimError::SavedAgain(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_and_cropping_keep_every_cell_in_its_place() {
        let map = testkit::grid(["?#.", "??."]);
        let wide = bordered(&map, [1, 2, 0, 1]).unwrap();
        assert_eq!(testkit::rows(&wide), ["??????", "??#.??", "???.??"]);
        let back = cropped(&wide).unwrap();
        assert_eq!(testkit::rows(&back), ["#.", "?."]);
        let wall = |grid: &Grid| {
            let index = grid.classes().iter().position(|class| *class == CellClass::Occupied).unwrap();
            grid.geometry().center_of(grid.geometry().cell_of(index))
        };
        assert_eq!(wall(&map), wall(&wide));
        assert_eq!(wall(&map), wall(&back));
    }

    #[test]
    fn every_change_keeps_what_is_known() {
        let map = crate::place::office(&crate::place::OfficePlan::default()).unwrap();
        for change in 0..HARMLESS_CHANGES {
            let changed = harmless(&map, change, 1).unwrap();
            let (before, after) = (map.class_counts(), changed.class_counts());
            assert!(after[0].abs_diff(before[0]) * 10 < before[0], "{change}: {before:?} {after:?}");
            assert!(change % 5 < 2 || after[2] == before[2], "{change}");
        }
    }
}
