//! What the metrics of this family are handed: the layout, the map as the team made it, and how both lie.

use std::sync::Arc;

use model::{FiducialLayout, FiducialPart, Grid, PartKind, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assignment::AssignmentObjective;
use crate::Reason;

/// Where the fiducials stand, and the map in which they are looked for.
#[derive(Clone, Debug)]
pub struct FiducialInputs {
    /// The parts, in the frame of the truth.
    pub layout: FiducialLayout,
    /// The map on its own cells.
    pub map: Arc<Grid>,
    /// How both lie on each other.
    pub frame: LayoutFrame,
    /// How parts and barrels are brought together.
    pub search: FiducialSearch,
}

/// How the map lies on the layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LayoutFrame {
    /// Not known: it is found from the fiducials, and global accuracy is undefined.
    Unknown,
    /// From the frame of the map to that of the layout.
    Known(Pose2),
}

/// How parts and barrels are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FiducialSearch {
    /// What the best assignment is. Default `cost` (D-ASSIGN).
    pub objective: AssignmentObjective,
    /// Largest distance of a pair in metres. Default one diameter of the largest barrel, as in the paper; 0.6, the
    /// diameter there, for a layout of corners and poles alone.
    pub d_max_m: Option<f64>,
    /// What becomes of a part that lies further than `d_max_m` from its place. Default `capped`, as published.
    pub displaced: Displaced,
    /// How far from its place a displaced part is looked for, in metres. Default five times `d_max_m`: ours, the paper
    /// looked with the eye.
    pub reach_m: Option<f64>,
    /// Seed of the sample of hypotheses, should there be too many to try. Default 0.
    pub seed: u64,
}

/// What becomes of a part that lies further than `d_max` from its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Displaced {
    /// It was found, and its distance counts as `d_max` (Schwertfeger et al. 2010, section 2.4).
    #[default]
    Capped,
    /// It was not found: coverage falls instead of accuracy.
    Missing,
}

/// A displaced part is looked for within so many times the largest distance of a pair.
const REACH_D_MAX: f64 = 5.0;

/// Distance of a pair where the layout has no barrel, in metres: the diameter of the paper's barrels.
const D_MAX_WITHOUT_BARRELS_M: f64 = 0.6;

/// The smallest radius in cells at which a barrel can be told from a corner.
pub const MIN_RADIUS_CELLS: f64 = raster::circles::MIN_RADIUS_CELLS;

/// Assignments take the third power of the number of parts; no arena has so many fiducials. Ours.
pub const MAX_PARTS: usize = 250;

impl FiducialInputs {
    /// The largest distance of a pair in metres.
    #[must_use]
    pub fn d_max_m(&self) -> f64 {
        let barrels = self.layout.parts.iter().filter(|part| part.kind == PartKind::Barrel);
        let diameter_m = barrels.map(|part| 2.0 * part.radius_m).reduce(f64::max);
        self.search.d_max_m.or(diameter_m).unwrap_or(D_MAX_WITHOUT_BARRELS_M)
    }

    /// How far from its place a displaced part is looked for, in metres.
    #[must_use]
    pub fn reach_m(&self) -> f64 {
        self.search.reach_m.unwrap_or(REACH_D_MAX * self.d_max_m())
    }

    /// Refuses layouts with which nothing can be found.
    pub(super) fn check(&self) -> Result<(), Reason> {
        let parts = &self.layout.parts;
        if parts.is_empty() {
            return Err(Reason::NoReference);
        }
        if parts.len() > MAX_PARTS {
            return Err(Reason::TooManyPoints);
        }
        let mut names: Vec<&str> = parts.iter().map(|part| part.part.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Reason::DuplicateId);
        }
        let cell_m = self.map.geometry().cell_size_m();
        let is_large_enough =
            |part: &FiducialPart| part.kind != PartKind::Barrel || part.radius_m / cell_m >= MIN_RADIUS_CELLS;
        if !parts.iter().all(is_large_enough) {
            return Err(Reason::RadiusTooSmall);
        }
        Ok(())
    }
}
