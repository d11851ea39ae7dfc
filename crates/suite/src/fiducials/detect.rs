//! Barrels of a map, without a layout: the list of `mapjudge fiducials detect`.

use metrics::fiducials::{Barrel, Feature};
use model::{CellClass, Grid, PartKind};
pub use raster::circles::outlines::MIN_QUALITY as MIN_BARREL_QUALITY;
use raster::circles::outlines::{OutlineSearch, outlines};
use serde::Serialize;

use crate::JobError;

/// The name of the list's schema.
pub const DETECTIONS_SCHEMA: &str = "mapjudge.detections/1";

/// The radius of the barrels, or the range in which it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// In metres.
    Metres(f64, f64),
    /// In cells of the map.
    Cells(f64, f64),
}

/// Barrels, best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DetectionList {
    /// Always `mapjudge.detections/1`.
    pub schema: &'static str,
    /// The barrels.
    pub detections: Vec<BarrelRecord>,
}

/// One barrel. Angles are counter-clockwise from the x axis of the map's frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BarrelRecord {
    /// Always `barrel`.
    pub kind: &'static str,
    /// Centre in the frame of the map.
    pub x_m: f64,
    /// Centre in the frame of the map.
    pub y_m: f64,
    /// Radius in metres.
    pub radius_m: f64,
    /// Where the longest visible arc begins, 0 to 360.
    pub arc_start_deg: f64,
    /// How far it reaches.
    pub arc_opening_deg: f64,
    /// Occupied cells on the outline.
    pub cells: usize,
    /// Root mean square distance of the outline from the circle.
    pub rms_m: f64,
    /// How much it is a barrel: up to 2.5; 0 for an arc that was only found by the Hough transform.
    pub quality: f64,
    /// Share of unknown cells within.
    pub unknown_inside: f64,
    /// Share of free cells within.
    pub free_inside: f64,
    /// Centre in the image: columns from its left edge.
    pub x_px: f64,
    /// Centre in the image: rows from its upper edge.
    pub y_px: f64,
    /// Radius in cells.
    pub radius_px: f64,
}

impl From<&Barrel> for BarrelRecord {
    fn from(barrel: &Barrel) -> Self {
        let [unknown_inside, free_inside] = barrel.inside_shares;
        Self {
            kind: PartKind::Barrel.name(),
            x_m: barrel.center_in_map.x_m,
            y_m: barrel.center_in_map.y_m,
            radius_m: barrel.radius_m,
            arc_start_deg: barrel.arc_in_map.start_rad.to_degrees().rem_euclid(360.0),
            arc_opening_deg: barrel.arc_in_map.opening_rad.to_degrees(),
            cells: barrel.circle.support,
            rms_m: barrel.rms_m,
            quality: barrel.circle.quality,
            unknown_inside,
            free_inside,
            x_px: barrel.circle.x_cells,
            y_px: barrel.circle.y_cells,
            radius_px: barrel.circle.radius_cells,
        }
    }
}

/// A corner or a pole that was considered for a part of a layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FeatureRecord {
    /// `corner` or `pole`.
    kind: &'static str,
    x_m: f64,
    y_m: f64,
    /// Middle and angle of the free side of a corner.
    direction_deg: Option<f64>,
    opening_deg: Option<f64>,
    /// Half the longer side of a pole.
    radius_m: Option<f64>,
    cells: usize,
    rms_m: f64,
}

impl From<&Feature> for FeatureRecord {
    fn from(feature: &Feature) -> Self {
        let is_corner = feature.kind == PartKind::Corner;
        let direction_deg = feature.direction_in_map_rad.to_degrees().rem_euclid(360.0);
        Self {
            kind: feature.kind.name(),
            x_m: feature.center_in_map.x_m,
            y_m: feature.center_in_map.y_m,
            direction_deg: is_corner.then_some(direction_deg),
            opening_deg: is_corner.then(|| feature.opening_rad.to_degrees()),
            radius_m: (!is_corner).then_some(feature.radius_m),
            cells: feature.cells,
            rms_m: feature.rms_m,
        }
    }
}

/// Finds the barrels of a map. `name` stands for the map in errors.
///
/// # Errors
/// The radius makes no sense for the cells of the map.
pub fn detect_barrels(
    map: &Grid,
    name: &str,
    radius: Radius,
    min_quality: f64,
) -> Result<DetectionList, JobError> {
    let barrels = barrels(map, name, radius, min_quality)?;
    let detections = barrels.iter().map(BarrelRecord::from).collect();
    Ok(DetectionList { schema: DETECTIONS_SCHEMA, detections })
}

/// The barrels of a map, best first.
pub(super) fn barrels(
    map: &Grid,
    name: &str,
    radius: Radius,
    min_quality: f64,
) -> Result<Vec<Barrel>, JobError> {
    let cell_m = map.geometry().cell_size_m();
    let (min_radius_cells, max_radius_cells) = match radius {
        Radius::Cells(low, high) => (low, high),
        Radius::Metres(low_m, high_m) => (low_m / cell_m, high_m / cell_m),
    };
    let search = OutlineSearch { min_radius_cells, max_radius_cells, min_quality };
    let found = outlines(map.class_bytes(), CellClass::Occupied as u8, map.geometry().width(), &search)
        .map_err(|source| JobError::Radius { map: name.to_owned(), source })?;
    Ok(found.into_iter().map(|circle| Barrel::of(circle, map)).collect())
}
