//! A vector map as cells: what its lines cross is occupied (D-COLOR; Schwertfeger et al. 2010, section 2: maps of lines are
//! drawn onto a grid before they are judged).
//!
//! Lines and the outlines of areas are walls, points are single cells. What lies between them is not said by the file, so
//! it is unknown unless the caller says that it is free.

use model::{CellClass, Grid, GridGeometry, MemoryLimit, MemoryNeed, Point2, Pose2, Shape, VectorLayer};
use raster::line_cells::crossed_cells;

/// Cells around the outermost points.
const BORDER_CELLS: f64 = 2.0;
/// A line lies in a cell by more than this; less is rounding at a border that it touches.
const MIN_LENGTH_CELLS: f64 = 1e-9;
/// A class per cell and its colour.
const BYTES_PER_CELL: u64 = 4;

/// The walls of a vector layer on cells of this size, over a background of one class.
///
/// # Errors
/// Why not: the layer has no line, area or point, or the grid would be too large.
pub fn drawn_map(layer: &VectorLayer, cell_size_m: f64, background: CellClass) -> Result<Grid, String> {
    let lines: Vec<&[Point2]> = layer.features.iter().flat_map(|feature| lines_of(&feature.shape)).collect();
    let geometry = extent(&lines, cell_size_m)?;
    let need = MemoryNeed::new(geometry.cells(), BYTES_PER_CELL);
    MemoryLimit::current().of_one_map().check(need).map_err(|over| over.to_string())?;
    let mut classes = vec![background; geometry.cells()];
    for line in lines {
        let mut previous = line[0];
        for &point in line {
            let [from, to] = [previous, point].map(|point| geometry.grid_point_of_world(point));
            crossed_cells(from, to, |(i, j), length_cells| {
                if length_cells < MIN_LENGTH_CELLS && from != to {
                    return;
                }
                let cell = usize::try_from(i).ok().zip(usize::try_from(j).ok());
                if let Some((i, j)) = cell.filter(|&(i, j)| i < geometry.width() && j < geometry.height()) {
                    classes[geometry.index_of(model::Cell { i, j })] = CellClass::Occupied;
                }
            });
            previous = point;
        }
    }
    Grid::new(geometry, classes).map_err(|error| error.to_string())
}

/// Lines to draw; a point is a line of one point.
fn lines_of(shape: &Shape) -> Vec<&[Point2]> {
    let lines: Vec<&[Point2]> = match shape {
        Shape::None | Shape::Text { .. } => Vec::new(),
        Shape::Point(place) => vec![std::slice::from_ref(place)],
        Shape::MultiPoint(places) => places.iter().map(std::slice::from_ref).collect(),
        Shape::Lines(lines) | Shape::Area(lines) => lines.iter().map(Vec::as_slice).collect(),
    };
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// A grid around all points whose origin is a multiple of the cell size.
fn extent(lines: &[&[Point2]], cell_size_m: f64) -> Result<GridGeometry, String> {
    if !model::CELL_SIZES_M.contains(&cell_size_m) {
        return Err(format!("a resolution of {cell_size_m} m: expected 0.0001 to 1000 m"));
    }
    let points = || lines.iter().flat_map(|line| line.iter());
    let Some(first) = points().next() else {
        return Err("the layer has no line, area or point to draw".to_owned());
    };
    let grow = |(low, high): (Point2, Point2), point: &Point2| {
        let low = Point2::new(low.x_m.min(point.x_m), low.y_m.min(point.y_m));
        (low, Point2::new(high.x_m.max(point.x_m), high.y_m.max(point.y_m)))
    };
    let (low, high) = points().fold((*first, *first), grow);
    let cell_of = |place_m: f64| (place_m / cell_size_m).floor();
    let [left, bottom] = [low.x_m, low.y_m].map(|place_m| cell_of(place_m) - BORDER_CELLS);
    let [right, top] = [high.x_m, high.y_m].map(|place_m| cell_of(place_m) + BORDER_CELLS + 1.0);
    let side = |from: f64, to: f64| (to - from).clamp(1.0, model::MAX_SIDE_CELLS as f64 + 1.0) as usize;
    let origin = Pose2::new(left * cell_size_m, bottom * cell_size_m, 0.0);
    GridGeometry::new(side(left, right), side(bottom, top), cell_size_m, origin)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use model::Feature;

    use super::*;

    fn layer(shapes: Vec<Shape>) -> VectorLayer {
        let feature = |shape| Feature { shape, attributes: Vec::new(), style: Vec::new() };
        VectorLayer { features: shapes.into_iter().map(feature).collect(), ..VectorLayer::default() }
    }

    #[test]
    fn lines_become_walls_over_the_background() {
        let wall = vec![Point2::new(1.5, 0.5), Point2::new(4.5, 0.5)];
        let drawn = layer(vec![Shape::Lines(vec![wall]), Shape::Point(Point2::new(2.5, 2.5))]);
        let grid = drawn_map(&drawn, 1.0, CellClass::Unknown).unwrap();
        let text = formats::write_text_grid(&grid);
        assert!(text.contains("origin: -1.0 -2.0 0.0"), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('?')).collect();
        assert_eq!(
            rows,
            ["????????", "????????", "???#????", "????????", "??####??", "????????", "????????"]
        );
        let free = drawn_map(&drawn, 1.0, CellClass::Free).unwrap();
        assert_eq!(free.class_counts(), [51, 0, 5]);
    }

    #[test]
    fn nothing_to_draw_and_grids_beyond_all_bounds_are_refused() {
        assert!(drawn_map(&layer(vec![Shape::None]), 0.1, CellClass::Free).is_err());
        let far = vec![Point2::new(0.0, 0.0), Point2::new(1e6, 0.0)];
        let far = layer(vec![Shape::Lines(vec![far])]);
        for cell_size_m in [0.0, -1.0, f64::NAN, 0.1] {
            assert!(drawn_map(&far, cell_size_m, CellClass::Free).is_err(), "{cell_size_m}");
        }
    }
}
