//! Features of both maps and the matchings between them: rooms, or what the paper compares them with (R-FEAT).

use std::f64::consts::PI;

use model::{Grid, GridGeometry};
use raster::rooms::descriptor::{Descriptor, descriptors};
use raster::rooms::{RoomFinder, RoomParams, Rooms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::objective::{Difference, Feature, Matching, Objective, Problem, relative_difference};
use super::search::{RoomSearch, matchings};
use crate::AlignError;
use crate::features::{Detector, corner_difference, detected, surf_difference};
use crate::warp::Warp;

/// Which features eq. (7) and (8) are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    /// Centres of rooms, described by area, elongation and compactness.
    #[default]
    Rooms,
    /// SURF key points.
    Surf,
    /// Harris corners, described by the cells around them.
    Corners,
}

impl FeatureKind {
    pub const ALL: [Self; 3] = [Self::Rooms, Self::Surf, Self::Corners];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Rooms => "rooms",
            Self::Surf => "surf",
            Self::Corners => "corners",
        }
    }

    fn difference(self) -> Difference {
        match self {
            Self::Rooms => relative_difference,
            Self::Surf => surf_difference,
            Self::Corners => corner_difference,
        }
    }
}

/// How features are found and matched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeatureMatcher {
    pub kind: FeatureKind,
    pub rooms: RoomParams,
    /// What a matching costs.
    pub objective: Objective,
    pub search: RoomSearch,
}

/// Only the largest rooms or strongest points are matched: the work grows with the fourth power of their number, and up to
/// this number every hypothesis is tried.
const MAX_FEATURES: usize = 60;

impl FeatureMatcher {
    /// The features of a map: rooms by size, points by strength.
    ///
    /// # Errors
    /// A map too long for exact distances.
    pub fn features(&self, grid: &Grid) -> Result<Vec<Feature>, AlignError> {
        let mut found = match self.kind {
            FeatureKind::Rooms => return self.rooms_of(grid),
            FeatureKind::Surf => detected(grid, Detector::Surf),
            FeatureKind::Corners => detected(grid, Detector::Corner),
        };
        found.truncate(MAX_FEATURES);
        Ok(found)
    }

    /// The matcher that cuts the rooms of every map as those of this truth.
    #[must_use]
    pub fn settled_by(self, truth: &Grid) -> Self {
        if self.kind != FeatureKind::Rooms || self.rooms.method != RoomFinder::Auto {
            return self;
        }
        let found = self.rooms.found(truth);
        Self { rooms: found.map_or(self.rooms, |found| self.rooms.settled_by(&found)), ..self }
    }

    fn rooms_of(&self, grid: &Grid) -> Result<Vec<Feature>, AlignError> {
        let (width, height) = (grid.geometry().width(), grid.geometry().height());
        let rooms = self.rooms.rooms(grid).ok_or(AlignError::TooLarge { width, height })?;
        Ok(features_of(&rooms, grid.geometry()))
    }

    /// The cheapest matchings of two lists of features, each with at least two pairs.
    pub fn matchings(&self, truth: &[Feature], map: &[Feature]) -> Vec<Matching> {
        matchings(&self.problem([truth, map]), &self.search)
    }

    /// Matching and warp optimised together, as eq. (8) is printed, from a matching of eq. (7). None where there are too few
    /// pairs for the degree.
    pub fn warped(
        &self,
        features: [&[Feature]; 2],
        start: &Matching,
        degree: usize,
    ) -> Option<(Matching, Warp)> {
        self.problem(features).settled_warped(start, degree)
    }

    pub(super) fn problem<'a>(&self, features: [&'a [Feature]; 2]) -> Problem<'a> {
        Problem::new(features, self.objective, self.kind.difference())
    }
}

/// Rooms as features, the largest first: centre of gravity; area, elongation, and compactness by the simplified border.
pub fn features_of(rooms: &Rooms, geometry: &GridGeometry) -> Vec<Feature> {
    let mut described = descriptors(rooms, geometry);
    described.sort_by(|a, b| b.area_m2.total_cmp(&a.area_m2).then(a.id.cmp(&b.id)));
    described.truncate(MAX_FEATURES);
    let number_of = |id: &u32| described.iter().position(|room| room.id == *id);
    let feature = |d: &Descriptor| Feature {
        place: d.center,
        descriptor: vec![d.area_m2, d.elongation, 4.0 * PI * d.area_m2 / d.outline_m.powi(2)],
        neighbours: d.neighbours.iter().filter_map(number_of).collect(),
        room: Some(d.id),
    };
    described.iter().map(feature).collect()
}
