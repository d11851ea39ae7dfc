//! Corners and poles in a map: fiducials that no one had to put up (D-CORNER, D-POLE).

use model::{CellClass, FiducialPart, Grid, PartKind, Point2, wrap};
use raster::columns::{Column, columns};
use raster::wall_corners::{CornerSearch, WallCorner, wall_corners};

use super::inputs::{FiducialInputs, LayoutFrame};
use crate::plane_distance::distance_m;

/// What corners and poles consist of, and what they are seen from.
const CLASSES: [u8; 2] = [CellClass::Occupied as u8, CellClass::Free as u8];
/// A wall of a corner is so long in metres at least. Ours: a third of a pallet, longer than the ends of walls are wide.
const ARM_M: f64 = 0.4;
/// But no fewer cells than give a line, and no more than a fine map needs.
const ARM_CELLS: [usize; 2] = [6, 40];
/// Opening and direction of a corner may differ so much from those of the layout. Ours: half the difference between a room's corner
/// and one of 150 degrees.
const MAX_TURNED_RAD: f64 = 30.0 * std::f64::consts::PI / 180.0;
/// Poles of unknown radius are no wider than this. Ours: legs, pipes and posts are, furniture is not.
const MAX_UNKNOWN_DIAMETER_M: f64 = 0.5;
/// A pole of unknown radius has at least so many cells: single cells are noise.
const MIN_UNKNOWN_CELLS: usize = 2;
/// The box around a pole of known radius may be larger by so many cells: one at each end, and one for noise.
const LARGER_CELLS: f64 = 3.0;

/// Corners and poles from which a transform is guessed, of each kind. Ours: a floor of a building has as many.
const MAX_FEATURES: usize = 400;

/// A corner or a pole of the map, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub kind: PartKind,
    pub center_in_map: Point2,
    /// Middle and angle of the free side of a corner; 0 and a full turn for a pole.
    pub direction_in_map_rad: f64,
    pub opening_rad: f64,
    /// Half the longer side of a pole in metres; 0 for a corner.
    pub radius_m: f64,
    /// Root mean square distance of its cells from its lines or its circle, in metres.
    pub rms_m: f64,
    /// Cells of its walls or of the pole.
    pub cells: usize,
    column: Option<Column>,
}

/// What a part would look like at a feature.
pub(super) struct FeatureFit {
    pub center_in_map: Point2,
    pub rms_m: f64,
}

/// The corners of a map, those with the straightest walls first.
#[must_use]
pub fn corners(map: &Grid) -> Vec<Feature> {
    let cell_m = map.geometry().cell_size_m();
    let arm_cells = ((ARM_M / cell_m).round() as usize).clamp(ARM_CELLS[0], ARM_CELLS[1]);
    let search = CornerSearch::of_arm(arm_cells);
    let corners = wall_corners(map.class_bytes(), CLASSES, map.geometry().width(), &search);
    corners.into_iter().map(|corner| Feature::of_corner(corner, 2 * arm_cells, map)).collect()
}

/// The poles of a map that are no wider than a pole of unknown radius, those with most cells first; single cells are
/// noise.
#[must_use]
pub fn poles(map: &Grid) -> Vec<Feature> {
    let mut found = poles_up_to(map, longest_side(0.0, map.geometry().cell_size_m()));
    found.retain(|feature| feature.cells >= MIN_UNKNOWN_CELLS);
    found
}

/// All poles whose longer side has at most so many cells.
fn poles_up_to(map: &Grid, longest_cells: f64) -> Vec<Feature> {
    let mut found = columns(map.class_bytes(), CLASSES, map.geometry().width(), longest_cells as usize);
    found.sort_by_key(|column| std::cmp::Reverse(column.cells));
    found.into_iter().map(|column| Feature::of_column(column, map)).collect()
}

/// Corners and poles that may be parts of a layout, the clearest of each kind first: those near a part where the transform
/// is known, else so many that all hypotheses can be tried.
pub(super) fn features(inputs: &FiducialInputs) -> Vec<Feature> {
    let parts = &inputs.layout.parts;
    let mut found = of_kinds(&inputs.map, parts);
    match inputs.frame {
        LayoutFrame::Known(pose) => found.retain(|feature| {
            let in_truth = pose * feature.center_in_map;
            let near_m = |part: &FiducialPart| inputs.d_max_m() + part.radius_m;
            let is_near = |part: &FiducialPart| distance_m(in_truth, part.center) <= near_m(part);
            parts.iter().any(|part| part.kind == feature.kind && is_near(part))
        }),
        LayoutFrame::Unknown => {
            let mut kept = [0_usize; PartKind::ALL.len()];
            found.retain(|feature| {
                kept[feature.kind as usize] += 1;
                kept[feature.kind as usize] <= MAX_FEATURES
            });
        }
    }
    found
}

/// The corners and poles of a map that the kinds and radii of a layout ask for.
fn of_kinds(map: &Grid, parts: &[FiducialPart]) -> Vec<Feature> {
    let is_asked = |kind: PartKind| parts.iter().any(|part| part.kind == kind);
    let cell_m = map.geometry().cell_size_m();
    let mut found = Vec::new();
    if is_asked(PartKind::Corner) {
        found.extend(corners(map));
    }
    if is_asked(PartKind::Pole) {
        let asked = parts.iter().filter(|part| part.kind == PartKind::Pole);
        let longest_cells = asked.map(|part| longest_side(part.radius_m, cell_m)).fold(0.0, f64::max);
        found.extend(poles_up_to(map, longest_cells));
    }
    found
}

/// The longest side of the box around a pole in cells; 0 for an unknown radius.
fn longest_side(radius_m: f64, cell_m: f64) -> f64 {
    match radius_m > 0.0 {
        true => 2.0 * radius_m / cell_m + LARGER_CELLS,
        false => (MAX_UNKNOWN_DIAMETER_M / cell_m).max(1.0),
    }
}

impl Feature {
    fn of_corner(corner: WallCorner, cells: usize, map: &Grid) -> Self {
        let geometry = map.geometry();
        Self {
            kind: PartKind::Corner,
            center_in_map: in_map(map, corner.x_cells, corner.y_cells),
            direction_in_map_rad: wrap(corner.direction_rad + geometry.origin().theta_rad),
            opening_rad: corner.opening_rad,
            radius_m: 0.0,
            rms_m: corner.rms_cells * geometry.cell_size_m(),
            cells,
            column: None,
        }
    }

    fn of_column(column: Column, map: &Grid) -> Self {
        let (seen, cell_m) = (column.as_seen(), map.geometry().cell_size_m());
        Self {
            kind: PartKind::Pole,
            center_in_map: in_map(map, seen.x_cells, seen.y_cells),
            direction_in_map_rad: 0.0,
            opening_rad: std::f64::consts::TAU,
            radius_m: column.radius_cells * cell_m,
            rms_m: seen.rms_cells * cell_m,
            cells: column.cells,
            column: Some(column),
        }
    }

    /// Where a part lies if this is it; none if it cannot be. `yaw_rad` turns the map into the frame of the layout.
    pub(super) fn fit(&self, part: &FiducialPart, yaw_rad: f64, map: &Grid) -> Option<FeatureFit> {
        if part.kind != self.kind {
            return None;
        }
        let as_seen = FeatureFit { center_in_map: self.center_in_map, rms_m: self.rms_m };
        let Some(column) = &self.column else {
            return self.looks_as(part, yaw_rad).then_some(as_seen);
        };
        let cell_m = map.geometry().cell_size_m();
        let sides = 2.0 * column.radius_cells;
        if part.radius_m <= 0.0 {
            let is_small = sides <= longest_side(0.0, cell_m);
            return (is_small && self.cells >= MIN_UNKNOWN_CELLS).then_some(as_seen);
        }
        // Half of a pole is what a scanner sees of it from one place.
        let radius_cells = part.radius_m / cell_m;
        if sides < radius_cells || sides > longest_side(part.radius_m, cell_m) {
            return None;
        }
        let fit = column.of_radius(radius_cells);
        Some(FeatureFit {
            center_in_map: in_map(map, fit.x_cells, fit.y_cells),
            rms_m: fit.rms_cells * cell_m,
        })
    }

    fn looks_as(&self, part: &FiducialPart, yaw_rad: f64) -> bool {
        let turned_rad = wrap(self.direction_in_map_rad + yaw_rad - part.direction_rad);
        let wider_rad = self.opening_rad - part.opening_rad;
        !part.has_direction() || (turned_rad.abs() <= MAX_TURNED_RAD && wider_rad.abs() <= MAX_TURNED_RAD)
    }
}

fn in_map(map: &Grid, x_cells: f64, y_cells: f64) -> Point2 {
    let geometry = map.geometry();
    geometry.world_of_grid_point(x_cells, geometry.height() as f64 - y_cells)
}
