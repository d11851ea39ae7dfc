//! Copies of a map, changed by known amounts: cut, mirrored, turned, scaled, walls lost, specks added.

use std::f64::consts::TAU;

use model::{CellClass, Grid, GridGeometry, Point2, Pose2, SeededRng, Similarity2};
use raster::resample::{Resample, resample};

use crate::inputs::BenchError;
use crate::studies::align::turned::{known_corners, mirrored};

/// A changed copy, and the transform that leads back.
pub struct Copy {
    pub grid: Grid,
    /// None of a mirrored copy.
    pub truth_from_copy: Option<Similarity2>,
}

/// How much a copy may be changed.
#[derive(Clone, Copy)]
pub struct Change {
    /// Scales, drawn evenly between these.
    pub scale: (f64, f64),
    /// Share of the area that is cut off, at most.
    pub crop_max: f64,
    /// Share of the wall cells that are lost.
    pub lost_walls: f64,
    /// Share of the free cells that become occupied.
    pub specks: f64,
    pub mirrored: bool,
}

/// A copy of a map under a change chosen by the generator.
pub fn changed(map: &Grid, change: &Change, rng: &mut SeededRng) -> Result<Copy, BenchError> {
    let window = window(map, 1.0 - change.crop_max * rng.uniform(), rng);
    let part = cut_out(map, window)?;
    let part = if change.mirrored { mirrored(&part)? } else { part };
    let scale = change.scale.0 + (change.scale.1 - change.scale.0) * rng.uniform();
    let (mut grid, moved_from_map) = drawn_anew(&part, rng.uniform() * TAU, scale)?;
    let mut classes = grid.classes().to_vec();
    for class in &mut classes {
        *class = match *class {
            CellClass::Occupied if rng.chance(change.lost_walls) => CellClass::Free,
            CellClass::Free if rng.chance(change.specks) => CellClass::Occupied,
            kept => kept,
        };
    }
    grid = Grid::new(*grid.geometry(), classes).map_err(BenchError::study)?;
    Ok(Copy { grid, truth_from_copy: (!change.mirrored).then(|| moved_from_map.inverse()) })
}

/// Two parts of a map that share this much of the smaller one (0: none, with a gap between them), the second turned.
pub fn parts(map: &Grid, share: f64, rng: &mut SeededRng) -> Result<(Grid, Copy), BenchError> {
    let [low, .., high] = known_corners(map);
    let along_x = rng.chance(0.5);
    let gap = if share > 0.0 { 0.0 } else { 0.02 };
    // Both parts have the width w of the whole, and 2 w - share w = 1.
    let wide = (1.0 - gap) / (2.0 - share);
    let between = |from: f64, to: f64| {
        let at = |t: f64| {
            let (x, y) = if along_x {
                (t, if t == from { 0.0 } else { 1.0 })
            } else {
                (if t == from { 0.0 } else { 1.0 }, t)
            };
            Point2::new(low.x_m + x * (high.x_m - low.x_m), low.y_m + y * (high.y_m - low.y_m))
        };
        [at(from), at(to)]
    };
    let (first, second) = (cut_out(map, between(0.0, wide))?, cut_out(map, between(1.0 - wide, 1.0))?);
    let (grid, moved_from_map) = drawn_anew(&second, rng.uniform() * TAU, 1.0)?;
    Ok((first, Copy { grid, truth_from_copy: Some(moved_from_map.inverse()) }))
}

/// Two opposite corners of a random window with this share of the area of the known part.
fn window(map: &Grid, share: f64, rng: &mut SeededRng) -> [Point2; 2] {
    let [low, .., high] = known_corners(map);
    let elongation = 0.25 + 0.5 * rng.uniform();
    let (wide, tall) = (share.powf(elongation), share.powf(1.0 - elongation));
    let (x, y) = (rng.uniform() * (1.0 - wide), rng.uniform() * (1.0 - tall));
    let at =
        |x: f64, y: f64| Point2::new(low.x_m + x * (high.x_m - low.x_m), low.y_m + y * (high.y_m - low.y_m));
    [at(x, y), at(x + wide, y + tall)]
}

/// The map with all cells outside of a window unknown.
fn cut_out(map: &Grid, [low, high]: [Point2; 2]) -> Result<Grid, BenchError> {
    let geometry = map.geometry();
    let mut classes = map.classes().to_vec();
    for (index, class) in classes.iter_mut().enumerate() {
        let at = geometry.center_of(geometry.cell_of(index));
        if !((low.x_m..=high.x_m).contains(&at.x_m) && (low.y_m..=high.y_m).contains(&at.y_m)) {
            *class = CellClass::Unknown;
        }
    }
    Grid::new(*geometry, classes).map_err(BenchError::study)
}

/// The map turned and scaled on a canvas of its own, and the transform that did it.
fn drawn_anew(map: &Grid, theta_rad: f64, scale: f64) -> Result<(Grid, Similarity2), BenchError> {
    let geometry = map.geometry();
    let corners = known_corners(map);
    let middle =
        Point2::new((corners[0].x_m + corners[3].x_m) / 2.0, (corners[0].y_m + corners[3].y_m) / 2.0);
    let moved_from_map = Similarity2::sending(middle, Point2::new(0.0, 0.0), theta_rad, scale);
    let half_m = corners[0].distance_m(corners[3]) / 2.0 * scale + 2.0 * geometry.cell_size_m();
    let side = (2.0 * half_m / geometry.cell_size_m()).ceil() as usize;
    let canvas = GridGeometry::new(side, side, geometry.cell_size_m(), Pose2::new(-half_m, -half_m, 0.0));
    let canvas = canvas.map_err(BenchError::study)?;
    let moved = map.clone().with_geometry(geometry.moved_by(moved_from_map)).map_err(BenchError::study)?;
    let drawn = resample(&moved, &canvas, Resample::OccupiedWins).map_err(BenchError::study)?;
    Ok((drawn.grid, moved_from_map))
}
