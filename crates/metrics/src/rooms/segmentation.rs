//! The rooms of both maps, and how they agree.

use align::rooms::{Feature, RoomAligner, RoomMethod};
use model::Grid;
use raster::rooms::Rooms;
use raster::rooms::agreement::Agreement;
use raster::rooms::combined::{Combined, combined_rooms};
use raster::rooms::visibility::{Visibility, visibility_rooms};
use raster::rooms::watershed::{Watershed, watershed_rooms};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Case, Reason, Score, Undefined};

/// How rooms are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoomFinder {
    /// Both of the others together: basins given to the rooms that are seen.
    #[default]
    Combined,
    /// Points on the walls that see the same walls belong together (Pellenz).
    Visibility,
    /// Basins of the distance to the walls.
    Watershed,
}

impl RoomFinder {
    /// The rooms of a map.
    ///
    /// # Errors
    /// A map too long for exact distances.
    pub fn rooms(self, grid: &Grid) -> Result<Rooms, Undefined> {
        let rooms = match self {
            Self::Combined => combined_rooms(grid, &Combined::default()),
            Self::Visibility => Some(visibility_rooms(grid, &Visibility::default()).rooms),
            Self::Watershed => watershed_rooms(grid, &Watershed::default()),
        };
        rooms.ok_or_else(|| Reason::TooLarge.into())
    }

    /// The same method for the matching of rooms.
    #[must_use]
    pub fn method(self) -> RoomMethod {
        match self {
            Self::Combined => RoomMethod::Combined(Combined::default()),
            Self::Visibility => RoomMethod::Visibility(Visibility::default()),
            Self::Watershed => RoomMethod::Watershed(Watershed::default()),
        }
    }
}

/// Rooms of the truth and of the map as features.
pub(super) fn features(case: &Case, aligner: &RoomAligner) -> Result<[Vec<Feature>; 2], Undefined> {
    let grids = case.grids()?;
    let of = |grid: &Grid| aligner.features(grid).map_err(|_| Undefined::because(Reason::TooLarge));
    Ok([of(&grids.truth)?, of(&grids.map)?])
}

/// A share of matched rooms as a score, with the counts behind it.
///
/// # Errors
/// There are no rooms to compare, or the share has nothing to be a share of.
pub(super) fn score_of(
    case: &Case,
    method: RoomFinder,
    share: impl Fn(&Agreement) -> Option<f64>,
) -> Result<Score, Undefined> {
    let agreement = case.room_agreement(method)?;
    let facts = crate::facts([
        ("rooms_truth", json!(agreement.reference_count)),
        ("rooms_map", json!(agreement.found_count)),
        ("matched", json!(agreement.matches.len())),
        ("f1", json!(agreement.f1())),
        ("coverage", json!(case.coverage().ok().flatten())),
    ]);
    match share(&agreement) {
        Some(value) => Ok(Score::new(value).with_all(facts)),
        None => Err(Undefined::because(Reason::NoMatch).with_all(facts)),
    }
}
