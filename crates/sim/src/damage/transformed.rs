//! Maps that a similarity transform, or a rigid motion of one rectangle, moved.

use model::{CellClass, Grid, Point2, Similarity2};

use super::kind::{Damaged, Piece};
use super::motion::{Motion, Rectangle, Step};
use super::resample::{Padding, Source, class_at, fill, resample_onto, vote};
use crate::SimError;

/// The transform that turns and scales about the middle of a grid and then moves by metres.
pub(super) fn about_middle(map: &Grid, theta_rad: f64, scale: f64, (x_m, y_m): (f64, f64)) -> Similarity2 {
    let (width_m, height_m) = Rectangle::of_grid(map.geometry()).high;
    let middle = Point2::new(width_m / 2.0, height_m / 2.0);
    Similarity2::sending(middle, Point2::new(middle.x_m + x_m, middle.y_m + y_m), theta_rad, scale)
}

/// The map moved as a whole; the transform is that of the grid's own frame, in metres.
pub(super) fn moved_whole(map: &Grid, map_from_truth: Similarity2) -> Result<Damaged, SimError> {
    let geometry = map.geometry();
    let step = Step::Similarity(map_from_truth);
    let padding = Padding::for_step(map, &step);
    let back = in_cells(map, map_from_truth).inverse();
    let (sin, cos) = back.theta_rad.sin_cos();
    let (sin, cos) = (back.scale * sin, back.scale * cos);
    let moved = resample_onto(map, padding, |right, up| {
        let point = (cos * right - sin * up + back.x_m, sin * right + cos * up + back.y_m);
        Source { point, per_right: (cos, sin), per_up: (-sin, cos) }
    })?;
    Ok(Damaged::moved(moved, Motion::on(geometry, step)))
}

/// The map with a rectangle of it moved. Where moved and unmoved parts lie over each other, a wall of either is a wall, and
/// free floor of either is free.
pub(super) fn moved_rectangle(
    map: &Grid,
    rectangle: Rectangle,
    map_from_truth: Similarity2,
) -> Result<Damaged, SimError> {
    let geometry = *map.geometry();
    let cell_size_m = geometry.cell_size_m();
    let step = Step::Rectangle(rectangle, map_from_truth);
    let padding = Padding::for_step(map, &step);
    let cells = |(x, y): (f64, f64)| (x / cell_size_m, y / cell_size_m);
    let inside = Rectangle { low: cells(rectangle.low), high: cells(rectangle.high) };
    let back = in_cells(map, map_from_truth).inverse();
    let (sin, cos) = back.theta_rad.sin_cos();
    let at = |point: (f64, f64)| {
        let stayed = if inside.holds(point) { CellClass::Unknown } else { class_at(map, &geometry, point) };
        let (x, y) = point;
        let source = (cos * x - sin * y + back.x_m, sin * x + cos * y + back.y_m);
        let moved = if inside.holds(source) { class_at(map, &geometry, source) } else { CellClass::Unknown };
        over(stayed, moved)
    };
    let moved = fill(map, padding, |right, up| vote(|dx, dy| at((right + dx, up + dy))))?;
    let origin = Similarity2::from(geometry.origin());
    let world = |(x, y): (f64, f64)| geometry.origin() * Point2::new(x, y);
    let whole = Rectangle::of_grid(&geometry);
    let piece = |rectangle: Rectangle, transform| Piece {
        polygon: rectangle.corners().map(world).to_vec(),
        map_from_truth: transform,
    };
    let pieces = vec![
        piece(whole, Similarity2::IDENTITY),
        piece(rectangle, origin * map_from_truth * origin.inverse()),
    ];
    Ok(Damaged { pieces, ..Damaged::moved(moved, Motion::on(&geometry, step)) })
}

fn over(one: CellClass, other: CellClass) -> CellClass {
    match (one, other) {
        (CellClass::Occupied, _) | (_, CellClass::Occupied) => CellClass::Occupied,
        (CellClass::Free, _) | (_, CellClass::Free) => CellClass::Free,
        _ => CellClass::Unknown,
    }
}

/// A transform in metres as one in cells.
fn in_cells(map: &Grid, transform: Similarity2) -> Similarity2 {
    let cell_size_m = map.geometry().cell_size_m();
    Similarity2 { x_m: transform.x_m / cell_size_m, y_m: transform.y_m / cell_size_m, ..transform }
}
