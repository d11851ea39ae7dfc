//! A first layout from a map: the barrels, corners or poles it shows, for a person to name, correct and complete.

use std::f64::consts::{PI, TAU};

use formats::write_layout_toml;
use metrics::fiducials::{Barrel, Feature, MAX_PARTS, corners, poles};
use model::{FiducialLayout, FiducialPart, Grid, PartKind, wrap};

use super::detect::{Radius, barrels};
use crate::JobError;

/// Openings that barrels have, in degrees: quarter, half, three quarters, whole.
const OPENINGS_DEG: [f64; 4] = [90.0, 180.0, 270.0, 360.0];

/// Drafts a layout as TOML: one part per visible arc, named `F1A`, `F1B` and so on. `name` stands for the map in errors.
///
/// # Errors
/// The radius makes no sense for the cells of the map, or there is no barrel to begin with.
pub fn draft_layout(map: &Grid, name: &str, radius: Radius, min_quality: f64) -> Result<String, JobError> {
    let found = barrels(map, name, radius, min_quality)?;
    if found.is_empty() {
        return Err(JobError::NoBarrels { map: name.to_owned() });
    }
    let yaw_rad = map.geometry().origin().theta_rad;
    let parts = found.iter().enumerate().flat_map(|(index, barrel)| parts(index, barrel, yaw_rad));
    written(parts.collect())
}

/// Drafts a layout of the corners of a map, named `C1`, `C2` and so on, as TOML: those with the straightest walls, at most
/// as many as a layout may have. `name` stands for the map in errors.
///
/// # Errors
/// The map shows no corner.
pub fn draft_corners(map: &Grid, name: &str) -> Result<String, JobError> {
    drafted(PartKind::Corner, &corners(map), name)
}

/// Drafts a layout of the poles of a map, named `P1`, `P2` and so on, as TOML. `name` stands for the map in errors.
///
/// # Errors
/// The map shows no pole.
pub fn draft_poles(map: &Grid, name: &str) -> Result<String, JobError> {
    drafted(PartKind::Pole, &poles(map), name)
}

/// Sharper corners, and narrower gaps between walls, are no part of a layout.
const MIN_CORNER_RAD: f64 = 20.0 * PI / 180.0;

fn drafted(kind: PartKind, features: &[Feature], map: &str) -> Result<String, JobError> {
    let is_blunt =
        |feature: &&Feature| (MIN_CORNER_RAD..=TAU - MIN_CORNER_RAD).contains(&feature.opening_rad);
    let features: Vec<&Feature> =
        features.iter().filter(|feature| kind == PartKind::Pole || is_blunt(feature)).collect();
    if features.is_empty() {
        return Err(JobError::NoFeatures { map: map.to_owned(), kind: kind.name() });
    }
    let letter = if kind == PartKind::Corner { 'C' } else { 'P' };
    let part = |(index, feature): (usize, &&Feature)| FiducialPart {
        kind,
        fiducial: format!("{letter}{}", index + 1),
        part: format!("{letter}{}", index + 1),
        center: feature.center_in_map,
        radius_m: feature.radius_m,
        opening_rad: feature.opening_rad,
        direction_rad: feature.direction_in_map_rad,
        height_m: 0.0,
        range: "none".to_owned(),
    };
    written(features.iter().take(MAX_PARTS).enumerate().map(part).collect())
}

fn written(parts: Vec<FiducialPart>) -> Result<String, JobError> {
    write_layout_toml(&FiducialLayout { parts, ..FiducialLayout::default() })
        .map_err(|error| JobError::Unwritable { output: "layout".to_owned(), why: error.to_string() })
}

/// One part per arc, with the opening rounded to what barrels have.
fn parts(index: usize, barrel: &Barrel, yaw_rad: f64) -> Vec<FiducialPart> {
    let fiducial = format!("F{}", index + 1);
    let part = |(number, arc): (usize, &raster::circles::Arc)| {
        let letter = char::from(b'A' + (number % 26) as u8);
        let opening_deg = arc.opening_rad.to_degrees();
        let nearest = OPENINGS_DEG
            .into_iter()
            .min_by(|a, b| (a - opening_deg).abs().total_cmp(&(b - opening_deg).abs()));
        FiducialPart {
            kind: PartKind::Barrel,
            fiducial: fiducial.clone(),
            part: format!("{fiducial}{letter}"),
            center: barrel.center_in_map,
            radius_m: barrel.radius_m,
            opening_rad: nearest.unwrap_or(360.0).to_radians(),
            direction_rad: wrap(arc.start_rad + arc.opening_rad / 2.0 + yaw_rad),
            height_m: 0.0,
            range: "none".to_owned(),
        }
    };
    barrel.circle.arcs.iter().enumerate().map(part).collect()
}
