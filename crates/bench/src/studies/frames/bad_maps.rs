//! Maps that are merely bad, in the right frame: nothing may be suspected.

use model::{CellClass, Grid, Pose2};
use sim::SimError;
use sim::damage::{Bend, MissingWing, Noise, ThickWalls, bend, missing_wing, noise, thick_walls};

use super::places::{Pair, placed_at};
use crate::inputs::BenchError;

/// One kind of bad map.
pub struct BadMap {
    pub name: &'static str,
    /// Made of a pair, another one of the same half, and a seed.
    pub make: fn(&Pair, &Pair, u64) -> Result<Grid, BenchError>,
}

pub const BAD_MAPS: &[BadMap] = &[
    BadMap { name: "good", make: |pair, _, _| Ok(pair.map.clone()) },
    BadMap { name: "noise", make: |pair, _, seed| noisy(&pair.map, seed, 1.0) },
    BadMap { name: "noise, 6 times", make: |pair, _, seed| noisy(&pair.map, seed, 6.0) },
    BadMap { name: "walls 2 cells thicker", make: |pair, _, _| thick(&pair.map, 2) },
    BadMap { name: "walls 5 cells thicker", make: |pair, _, _| thick(&pair.map, 5) },
    BadMap { name: "drift 0.25 degrees per m", make: |pair, _, seed| bent(&pair.map, seed, 0.25) },
    BadMap { name: "drift 0.5 degrees per m", make: |pair, _, seed| bent(&pair.map, seed, 0.5) },
    BadMap { name: "drift 1 degree per m", make: |pair, _, seed| bent(&pair.map, seed, 1.0) },
    BadMap { name: "half of it missing", make: |pair, _, seed| partial(&pair.map, seed, 0.5) },
    BadMap { name: "four fifths missing", make: |pair, _, seed| partial(&pair.map, seed, 0.8) },
    BadMap { name: "right half 0.5 m off", make: |pair, _, _| broken(&pair.map, 10) },
    BadMap { name: "right half 1.5 m off", make: |pair, _, _| broken(&pair.map, 30) },
    BadMap { name: "another place", make: another_place },
    BadMap { name: "nothing but free space", make: |pair, _, _| only_free(&pair.map) },
];

fn made(map: Result<Grid, SimError>) -> Result<Grid, BenchError> {
    map.map_err(BenchError::study)
}

fn noisy(map: &Grid, seed: u64, times: f64) -> Result<Grid, BenchError> {
    let usual = Noise::default();
    let params = Noise { seed, ..usual };
    let mut map = made(noise(map, &params))?;
    for more in 1..times as u64 {
        map = made(noise(&map, &Noise { seed: seed + 1000 * more, ..usual }))?;
    }
    Ok(map)
}

fn thick(map: &Grid, growth_cells: usize) -> Result<Grid, BenchError> {
    made(thick_walls(map, &ThickWalls { growth_cells }))
}

/// To the left for even seeds, else to the right, from 2 m after the first known cell on; no further than one radian over the
/// map.
fn bent(map: &Grid, seed: u64, deg_per_m: f64) -> Result<Grid, BenchError> {
    let geometry = map.geometry();
    let side_m = geometry.width().max(geometry.height()) as f64 * geometry.cell_size_m();
    let drift = deg_per_m.to_radians().min(0.99 / side_m);
    let heading_drift_rad_per_m = if seed.is_multiple_of(2) { drift } else { -drift };
    let known = |row: &[CellClass]| row.iter().position(|class| *class != CellClass::Unknown);
    let left = map.classes().chunks_exact(geometry.width()).filter_map(known).min().unwrap_or(0);
    let start_m = 2.0 + left as f64 * geometry.cell_size_m();
    made(bend(map, &Bend { heading_drift_rad_per_m, start_m }))
}

fn partial(map: &Grid, seed: u64, missing_fraction: f64) -> Result<Grid, BenchError> {
    made(missing_wing(map, &MissingWing { seed, missing_fraction, ..MissingWing::default() }))
}

/// The right half moved up by some cells, as after a scan match that slipped.
fn broken(map: &Grid, up: usize) -> Result<Grid, BenchError> {
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let cell = |index: usize| {
        let (column, row) = (index % width, index / width);
        let from = if column < width / 2 { row } else { row + up };
        if from < height { map.classes()[from * width + column] } else { CellClass::Unknown }
    };
    Grid::new(*map.geometry(), (0..width * height).map(cell).collect()).map_err(BenchError::study)
}

/// The map of the next pair of another place, at the origin of this one.
fn another_place(pair: &Pair, other: &Pair, _: u64) -> Result<Grid, BenchError> {
    let origin: Pose2 = pair.map.geometry().origin();
    placed_at(&other.map, other.map.geometry().cell_size_m(), origin)
}

fn only_free(map: &Grid) -> Result<Grid, BenchError> {
    Ok(Grid::filled(*map.geometry(), CellClass::Free))
}
