//! Fiducial resolution quality: how much of each barrel the map leaves unknown, as it should.
//!
//! ```text
//! area: Σ Unknown area in the sectors of found parts / Σ areas of the sectors, at most 1
//! half: share of found parts whose sector is at least half Unknown
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 2.3 and Table 3 (`half`).
//! Departure: none; the area is that of the text, `mode = half` counts parts as Table 3 does.
//! Unknown: is what is counted: a laser does not see into a barrel.
//! Known bias: the paper calls it unreliable; barrels that can be seen through are white in good maps.
//! Undefined: if there is no layout, it has no positions, or no barrel was found; corners and poles do not count. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use std::f64::consts::TAU;

use model::{CellClass, FiducialPart, Grid, PartKind};

use super::{Fiducials, FoundPart, matched};
use crate::prelude::*;

/// How sectors become a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolutionMode {
    /// Unknown area over true area.
    #[default]
    Area,
    /// Share of the parts that are at least half unknown.
    Half,
}

/// Parameters of the resolution quality.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialResolution {
    /// How sectors become a value. Default `area`; Table 3 of the paper is `half`.
    pub mode: ResolutionMode,
}

impl Metric for FiducialResolution {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Fiducials, "fiducial_resolution", "Q-RES", "Fiducial resolution quality")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let fiducials = matched(case)?;
        let sectors = sectors(&fiducials);
        let (value, exceeds) = quality(&sectors, self.mode).ok_or(Reason::NoMatch)?;
        let shares: Vec<f64> = sectors.iter().map(|sector| sector.unknown_m2 / sector.area_m2).collect();
        Ok(Score::new(value)
            .with_all(fiducials.basis())
            .with("unknown_shares", shares)
            .warn_if(exceeds, Reason::ExceedsOne))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok(fiducials) = case.fiducials() else { return Vec::new() };
        let mut sectors = sectors(&fiducials).into_iter();
        let part = |(part, found): (&FiducialPart, &Option<FoundPart>)| {
            let shown = found.filter(|_| part.kind == PartKind::Barrel);
            let Some(sector) = shown.and_then(|_| sectors.next()) else { return (0.0, 0.0) };
            match self.mode {
                ResolutionMode::Area => (sector.unknown_m2, sector.area_m2),
                ResolutionMode::Half => (f64::from(u8::from(sector.is_half_unknown())), 1.0),
            }
        };
        let parts = &fiducials.located.parts;
        let make = Make::ratio(fiducials.inputs.layout.parts.iter().zip(parts).map(part));
        vec![Samples::own(SampleUnit::new("fiducial parts", parts.len()), make)]
    }
}

/// The sector of one part.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sector {
    unknown_m2: f64,
    area_m2: f64,
}

impl Sector {
    fn is_half_unknown(&self) -> bool {
        2.0 * self.unknown_m2 >= self.area_m2
    }
}

/// The value of a mode, and whether it had to be cut to 1; none without sectors.
fn quality(sectors: &[Sector], mode: ResolutionMode) -> Option<(f64, bool)> {
    if sectors.is_empty() {
        return None;
    }
    let sum = |of: fn(&Sector) -> f64| sectors.iter().map(of).sum::<f64>();
    let half = sectors.iter().filter(|sector| sector.is_half_unknown()).count();
    let value = match mode {
        ResolutionMode::Area => sum(|s| s.unknown_m2) / sum(|s| s.area_m2),
        ResolutionMode::Half => half as f64 / sectors.len() as f64,
    };
    Some((value.min(1.0), value > 1.0))
}

fn sectors(fiducials: &Fiducials<'_>) -> Vec<Sector> {
    let yaw_rad = fiducials.located.truth_from_map.map_or(0.0, |pose| pose.theta_rad);
    let parts = fiducials.inputs.layout.parts.iter().zip(&fiducials.located.parts);
    let barrels = parts.filter(|(part, _)| part.kind == PartKind::Barrel);
    let found = barrels.filter_map(|(part, found)| found.as_ref().map(|found| (part, found)));
    found.map(|(part, found)| sector(part, found, yaw_rad, &fiducials.inputs.map)).collect()
}

/// Unknown cells whose middle lies in the sector of a found part.
fn sector(part: &FiducialPart, found: &FoundPart, yaw_rad: f64, map: &Grid) -> Sector {
    let geometry = map.geometry();
    let (right, up) = geometry.grid_point_of_world(found.center_in_map);
    let reach = part.radius_m / geometry.cell_size_m();
    let start_rad = part.direction_rad - part.opening_rad / 2.0 - yaw_rad - geometry.origin().theta_rad;
    let span = |middle: f64, side: usize| {
        (middle - reach).max(0.0) as usize..((middle + reach).max(0.0) as usize + 1).min(side)
    };
    let is_inside = |i: usize, j: usize| {
        let (x, y) = (i as f64 + 0.5 - right, j as f64 + 0.5 - up);
        x.hypot(y) <= reach && (y.atan2(x) - start_rad).rem_euclid(TAU) <= part.opening_rad
    };
    let mut unknown = 0_usize;
    for j in span(up, geometry.height()) {
        for i in span(right, geometry.width()) {
            let class = map.classes()[geometry.index_of(model::Cell { i, j })];
            unknown += usize::from(class == CellClass::Unknown && is_inside(i, j));
        }
    }
    Sector {
        unknown_m2: unknown as f64 * geometry.cell_size_m().powi(2),
        area_m2: 0.5 * part.opening_rad * part.radius_m.powi(2),
    }
}

#[cfg(test)]
mod tests {
    use model::{GridGeometry, Pose2};

    use super::*;
    use crate::drawing::nearly;
    use crate::fiducials::example::{found_at, part};

    #[test]
    fn e7_thirty_unknown_cells_in_a_half_disc() {
        let area_m2 = 0.5 * std::f64::consts::PI * 0.3 * 0.3;
        nearly(area_m2, 0.141_372, 1e-6);
        nearly(area_m2 / 0.0025, 56.5487, 1e-4);
        let sector = Sector { unknown_m2: 30.0 * 0.0025, area_m2 };
        nearly(quality(&[sector], ResolutionMode::Area).unwrap().0, 0.530_516, 1e-6);
    }

    #[test]
    fn table_3_counts_parts_that_are_half_unknown() {
        for (half, parts, value) in [(2, 10, 0.2), (2, 10, 0.2), (6, 15, 0.4), (6, 13, 6.0 / 13.0)] {
            let of = |index: usize| Sector { unknown_m2: if index < half { 0.5 } else { 0.4 }, area_m2: 1.0 };
            let sectors: Vec<Sector> = (0..parts).map(of).collect();
            nearly(quality(&sectors, ResolutionMode::Half).unwrap().0, value, 1e-12);
        }
    }

    #[test]
    fn only_the_parts_own_half_counts() {
        let geometry = GridGeometry::new(40, 40, 0.05, Pose2::IDENTITY).unwrap();
        let mut classes = vec![CellClass::Free; 1600];
        for (index, class) in classes.iter_mut().enumerate() {
            if geometry.cell_of(index).i >= 20 {
                *class = CellClass::Unknown;
            }
        }
        let map = Grid::new(geometry, classes).unwrap();
        let right = sector(&part("F", "A", [9.0, 9.0], 0.0, "none"), &found_at(1.0, 1.0), 0.0, &map);
        nearly(right.unknown_m2 / right.area_m2, 1.0, 0.05);
        let left =
            sector(&part("F", "B", [9.0, 9.0], std::f64::consts::PI, "none"), &found_at(1.0, 1.0), 0.0, &map);
        nearly(left.unknown_m2, 0.0, 1e-12);
        // The same map turned by half: what faced left in the truth faces right in the map.
        let turned = sector(
            &part("F", "B", [9.0, 9.0], std::f64::consts::PI, "none"),
            &found_at(1.0, 1.0),
            std::f64::consts::PI,
            &map,
        );
        nearly(turned.unknown_m2, right.unknown_m2, 1e-12);
    }
}
