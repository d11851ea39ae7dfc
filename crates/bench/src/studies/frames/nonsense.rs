//! Nonsense that files come with, made of a good pair.

use std::f64::consts::FRAC_PI_2;

use model::{CellClass, Grid, GridGeometry, Pose2, SeededRng};

use super::places::{Pair, placed_at};
use crate::inputs::BenchError;

/// Makes map and truth of a good pair nonsense; the number of the pair chooses directions.
type Spoil = fn(&Pair, usize) -> Result<(Grid, Grid), BenchError>;

/// One kind of nonsense.
pub struct Nonsense {
    pub name: &'static str,
    /// Codes that name it; another finding notices it, but misleads.
    pub codes: &'static [&'static str],
    pub make: Spoil,
}

const FRAME: &[&str] = &["FRAME_DOUBTFUL"];
const SCALE: &[&str] = &["SCALE_DOUBTFUL"];

pub const NONSENSE: &[Nonsense] = &[
    Nonsense { name: "shift by 0.3 m", codes: FRAME, make: |pair, index| shifted(pair, index, 0.3) },
    Nonsense { name: "shift by 0.6 m", codes: FRAME, make: |pair, index| shifted(pair, index, 0.6) },
    Nonsense { name: "shift by 1 m", codes: FRAME, make: |pair, index| shifted(pair, index, 1.0) },
    Nonsense { name: "shift by 2 m", codes: FRAME, make: |pair, index| shifted(pair, index, 2.0) },
    Nonsense { name: "shift by 5 m", codes: FRAME, make: |pair, index| shifted(pair, index, 5.0) },
    Nonsense {
        name: "image turned by 90 degrees",
        codes: FRAME,
        make: |pair, _| of_map(pair, quarter_turned),
    },
    Nonsense { name: "turned by 90 degrees, moved", codes: FRAME, make: turned_and_moved },
    Nonsense {
        name: "image upside down",
        codes: &["MAP_MIRRORED"],
        make: |pair, _| of_map(pair, |map| picked(map, |column, row, _, height| (column, height - 1 - row))),
    },
    Nonsense {
        name: "image mirrored",
        codes: &["MAP_MIRRORED"],
        make: |pair, _| of_map(pair, |map| picked(map, |column, row, width, _| (width - 1 - column, row))),
    },
    Nonsense { name: "mirrored, moved", codes: &["MAP_MIRRORED"], make: mirrored_and_moved },
    Nonsense { name: "everything scaled by 1.1", codes: SCALE, make: |pair, _| scaled(pair, 1.1) },
    Nonsense { name: "everything scaled by 0.9", codes: SCALE, make: |pair, _| scaled(pair, 0.9) },
    Nonsense { name: "resolution 1.1 times too large", codes: SCALE, make: |pair, _| resized(pair, 1.1) },
    Nonsense {
        name: "resolution 1.1 times too small",
        codes: SCALE,
        make: |pair, _| resized(pair, 1.0 / 1.1),
    },
    Nonsense { name: "origin zero", codes: FRAME, make: |pair, _| with_origin(pair, |_| Pose2::IDENTITY) },
    Nonsense {
        name: "origin with x and y exchanged",
        codes: FRAME,
        make: |pair, _| with_origin(pair, |origin| Pose2::new(origin.y_m, origin.x_m, origin.theta_rad)),
    },
    Nonsense { name: "yaw of the origin in degrees", codes: FRAME, make: |pair, _| yaw_in_degrees(pair) },
    Nonsense { name: "negated", codes: &["MAP_NEGATED"], make: |pair, _| of_map(pair, negated) },
    Nonsense {
        name: "map and truth exchanged",
        codes: &["TRUTH_LIKE_A_ROBOT_MAP"],
        make: |pair, _| Ok((pair.truth.clone(), pair.map.clone())),
    },
    Nonsense { name: "random cells", codes: &["MAP_WITHOUT_STRUCTURE"], make: random_cells },
    Nonsense {
        name: "truth of unknown cells only",
        codes: &["NO_KNOWN_CELLS_IN_TRUTH"],
        make: |pair, _| Ok((pair.map.clone(), with_cells(&pair.truth, |_, _| CellClass::Unknown)?)),
    },
];

fn of_map(
    pair: &Pair,
    spoil: impl Fn(&Grid) -> Result<Grid, BenchError>,
) -> Result<(Grid, Grid), BenchError> {
    Ok((spoil(&pair.map)?, pair.truth.clone()))
}

fn moved(map: &Grid, by: Pose2) -> Result<Grid, BenchError> {
    map.clone().with_geometry(map.geometry().moved_by(by)).map_err(BenchError::study)
}

/// A direction of its own for each pair.
fn towards(index: usize, distance_m: f64) -> Pose2 {
    let (sin, cos) = (0.6 + index as f64).sin_cos();
    Pose2::new(distance_m * cos, distance_m * sin, 0.0)
}

fn shifted(pair: &Pair, index: usize, distance_m: f64) -> Result<(Grid, Grid), BenchError> {
    of_map(pair, |map| moved(map, towards(index, distance_m)))
}

/// Turned about its middle, then moved by 1 m.
fn turned_and_moved(pair: &Pair, index: usize) -> Result<(Grid, Grid), BenchError> {
    let geometry = pair.map.geometry();
    let middle = geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0);
    let (there, back) = (Pose2::new(middle.x_m, middle.y_m, 0.0), Pose2::new(-middle.x_m, -middle.y_m, 0.0));
    let turn = there * Pose2::new(0.0, 0.0, FRAC_PI_2) * back;
    of_map(pair, |map| moved(map, towards(index, 1.0) * turn))
}

fn mirrored_and_moved(pair: &Pair, index: usize) -> Result<(Grid, Grid), BenchError> {
    let mirrored = picked(&pair.map, |column, row, width, _| (width - 1 - column, row))?;
    Ok((moved(&mirrored, towards(index, 1.0))?, pair.truth.clone()))
}

/// The image turned by 90 degrees, with the origin where it was.
fn quarter_turned(map: &Grid) -> Result<Grid, BenchError> {
    let geometry = map.geometry();
    let (width, height) = (geometry.width(), geometry.height());
    let turned = GridGeometry::new(height, width, geometry.cell_size_m(), geometry.origin())
        .map_err(BenchError::study)?;
    let cell = |index: usize| map.classes()[(height - 1 - index % height) * width + index / height];
    Grid::new(turned, (0..width * height).map(cell).collect()).map_err(BenchError::study)
}

/// The cell of another column and row, by column, row, width and height.
fn picked(
    map: &Grid,
    from: impl Fn(usize, usize, usize, usize) -> (usize, usize),
) -> Result<Grid, BenchError> {
    let (width, height) = (map.geometry().width(), map.geometry().height());
    with_cells(map, |index, _| {
        let (column, row) = from(index % width, index / width, width, height);
        map.classes()[row * width + column]
    })
}

/// Cells and origin: what a map in other units of length looks like.
fn scaled(pair: &Pair, factor: f64) -> Result<(Grid, Grid), BenchError> {
    let Pose2 { x_m, y_m, theta_rad } = pair.map.geometry().origin();
    let origin = Pose2::new(factor * x_m, factor * y_m, theta_rad);
    of_map(pair, |map| placed_at(map, factor * map.geometry().cell_size_m(), origin))
}

fn resized(pair: &Pair, factor: f64) -> Result<(Grid, Grid), BenchError> {
    of_map(pair, |map| placed_at(map, factor * map.geometry().cell_size_m(), map.geometry().origin()))
}

fn with_origin(pair: &Pair, wrong: impl Fn(Pose2) -> Pose2) -> Result<(Grid, Grid), BenchError> {
    of_map(pair, |map| placed_at(map, map.geometry().cell_size_m(), wrong(map.geometry().origin())))
}

/// Both maps turned about the world's origin by 30 degrees; the map says 30 instead of 0.52.
fn yaw_in_degrees(pair: &Pair) -> Result<(Grid, Grid), BenchError> {
    let turn = Pose2::new(0.0, 0.0, 30_f64.to_radians());
    let (map, truth) = (moved(&pair.map, turn)?, moved(&pair.truth, turn)?);
    let Pose2 { x_m, y_m, theta_rad } = map.geometry().origin();
    let wrong = Pose2::new(x_m, y_m, theta_rad.to_degrees());
    Ok((placed_at(&map, map.geometry().cell_size_m(), wrong)?, truth))
}

fn with_cells(map: &Grid, cell: impl FnMut(usize, CellClass) -> CellClass) -> Result<Grid, BenchError> {
    let mut cell = cell;
    let cells = map.classes().iter().enumerate().map(|(index, class)| cell(index, *class)).collect();
    Grid::new(*map.geometry(), cells).map_err(BenchError::study)
}

/// Bright read as dark: free and occupied change places, and what was unknown grey stays it.
fn negated(map: &Grid) -> Result<Grid, BenchError> {
    with_cells(map, |_, class| match class {
        CellClass::Occupied => CellClass::Free,
        CellClass::Free => CellClass::Occupied,
        CellClass::Unknown => CellClass::Unknown,
    })
}

fn random_cells(pair: &Pair, index: usize) -> Result<(Grid, Grid), BenchError> {
    let mut random = SeededRng::new(index as u64);
    let occupied = 0.1 + 0.4 * random.uniform();
    of_map(pair, |map| {
        let mut random = SeededRng::new(1000 + index as u64);
        with_cells(
            map,
            |_, _| if random.uniform() < occupied { CellClass::Occupied } else { CellClass::Free },
        )
    })
}
