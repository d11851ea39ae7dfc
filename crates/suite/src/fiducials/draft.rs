//! A first layout from a map: the barrels it shows, for a person to name, correct and complete.

use std::path::Path;

use formats::{ReadOptions, read_map, write_layout_toml};
use metrics::fiducials::Barrel;
use model::{FiducialLayout, FiducialPart, wrap};

use super::detect::{Radius, barrels};
use crate::JobError;

/// Openings that barrels have, in degrees: quarter, half, three quarters, whole.
const OPENINGS_DEG: [f64; 4] = [90.0, 180.0, 270.0, 360.0];

/// Drafts a layout as TOML: one part per visible arc, named `F1A`, `F1B` and so on.
///
/// # Errors
/// The file is no map, the radius makes no sense for its cells, or there is no barrel to begin with.
pub fn draft_layout(
    path: &Path,
    options: &ReadOptions,
    radius: Radius,
    min_quality: f64,
) -> Result<String, JobError> {
    let map = read_map(path, options)?.grid;
    let found = barrels(&map, radius, min_quality, path)?;
    if found.is_empty() {
        return Err(JobError::NoBarrels { map: path.display().to_string() });
    }
    let turn_rad = map.geometry().origin().theta_rad;
    let parts = found.iter().enumerate().flat_map(|(index, barrel)| parts(index, barrel, turn_rad));
    let layout = FiducialLayout { parts: parts.collect(), pair_distances_m: Vec::new() };
    write_layout_toml(&layout)
        .map_err(|error| JobError::Unwritable { output: path.to_owned(), why: error.to_string() })
}

/// One part per arc, with the opening rounded to what barrels have.
fn parts(index: usize, barrel: &Barrel, turn_rad: f64) -> Vec<FiducialPart> {
    let fiducial = format!("F{}", index + 1);
    let part = |(number, arc): (usize, &raster::circles::Arc)| {
        let letter = char::from(b'A' + (number % 26) as u8);
        let opening_deg = arc.opening_rad.to_degrees();
        let nearest = OPENINGS_DEG
            .into_iter()
            .min_by(|a, b| (a - opening_deg).abs().total_cmp(&(b - opening_deg).abs()));
        FiducialPart {
            fiducial: fiducial.clone(),
            part: format!("{fiducial}{letter}"),
            center: barrel.center_in_map,
            radius_m: barrel.radius_m,
            opening_rad: nearest.unwrap_or(360.0).to_radians(),
            direction_rad: wrap(arc.start_rad + arc.opening_rad / 2.0 + turn_rad),
            height_m: 0.0,
            range: "none".to_owned(),
        }
    };
    barrel.circle.arcs.iter().enumerate().map(part).collect()
}
