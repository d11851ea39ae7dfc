//! Barrels in a map: all that could be one, what a person would call one first (D-VERIFY, then D-HOUGH).

use std::f64::consts::PI;

use model::{CellClass, Grid, Point2, wrap};
use raster::circles::hough::{ArcSearch, arcs};
use raster::circles::outlines::{OutlineSearch, outlines};
use raster::circles::{Arc, Circle, SearchError};

/// Hough arcs this near to an outline, in cells, are the same thing.
const SAME_CELLS: f64 = 0.5;
/// Share of a part's arc that must be visible (D-HOUGH; Schwertfeger et al. 2010).
pub(super) const VISIBLE_SHARE: f64 = 2.0 / 3.0;

/// A barrel, or part of one, in the frame of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrel {
    /// The circle in cells of the image.
    pub circle: Circle,
    pub center_in_map: Point2,
    /// Its radius in metres.
    pub radius_m: f64,
    /// The longest visible part: start and opening in radians, in the frame of the map.
    pub arc_in_map: Arc,
    /// Root mean square distance of the outline from the circle, in metres.
    pub rms_m: f64,
    /// Share of Unknown and of Free cells within.
    pub inside_shares: [f64; 2],
}

impl Barrel {
    /// A circle of the image in the frame of its map.
    #[must_use]
    pub fn of(circle: Circle, map: &Grid) -> Self {
        let geometry = map.geometry();
        let cell_m = geometry.cell_size_m();
        let up_cells = geometry.height() as f64 - circle.y_cells;
        let Arc { start_rad, opening_rad } = circle.main_arc();
        let start_rad = wrap(start_rad + geometry.origin().theta_rad);
        Self {
            center_in_map: geometry.world_of_grid_point(circle.x_cells, up_cells),
            radius_m: circle.radius_cells * cell_m,
            arc_in_map: Arc { start_rad, opening_rad },
            rms_m: circle.rms_cells * cell_m,
            inside_shares: circle.inside_shares(map.class_bytes(), geometry.width()),
            circle,
        }
    }
}

/// What could be a barrel of one radius: verified outlines first, then arcs, at most `most`.
pub(super) fn candidates(
    map: &Grid,
    radius_m: f64,
    smallest_opening_rad: f64,
    most: usize,
) -> Result<Vec<Barrel>, SearchError> {
    let radius_cells = radius_m / map.geometry().cell_size_m();
    let (plane, width, occupied) = (map.class_bytes(), map.geometry().width(), CellClass::Occupied as u8);
    let all = OutlineSearch { min_quality: 0.0, ..OutlineSearch::of_radius(radius_cells) };
    let mut circles = outlines(plane, occupied, width, &all)?;
    let min_opening_rad = VISIBLE_SHARE * smallest_opening_rad.min(2.0 * PI);
    let search = ArcSearch { radius_cells, min_opening_rad, max_detections: most };
    for arc in arcs(plane, occupied, width, &search)? {
        let is_same = |circle: &Circle| {
            (circle.x_cells - arc.x_cells).hypot(circle.y_cells - arc.y_cells) <= SAME_CELLS
        };
        if !circles.iter().any(is_same) {
            circles.push(arc);
        }
    }
    circles.truncate(most);
    Ok(circles.into_iter().map(|circle| Barrel::of(circle, map)).collect())
}
