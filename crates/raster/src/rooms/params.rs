//! What a user may set about the search for rooms, the same for every command and metric.

use model::Grid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::automatic::{Choice, automatic_rooms, rooms_by};
use super::combined::{Combined, combined_rooms};
use super::doors::{Doors, door_rooms};
use super::free_space::{FreeSpace, free_space_rooms};
use super::visibility::{Visibility, visibility_rooms};
use super::watershed::{Watershed, watershed_rooms};
use super::{Linkage, RoomFinder, Rooms};

/// How rooms are found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoomParams {
    /// How rooms are found. Default `auto`, ours: the method that suits the map, or the truth where two maps are compared;
    /// `visibility` is the paper's method.
    pub method: RoomFinder,
    /// Clusters of wall points at least this similar are one room, 0 to 1. Default 0.2, measured on the plans of Bormann
    /// et al. 2016; the paper names none.
    pub theta: f64,
    /// Distance of the wall points along the walls, metres. Default 0.25, ours.
    pub spacing_m: f64,
    /// How similar two clusters are: mean (`average`) or largest (`single`) over pairs. Default `average`, ours: the paper
    /// leaves the clustering open.
    pub linkage: Linkage,
    /// Niches of ragged walls and holes in walls that no disc of this radius enters are wall, metres; 0 takes walls as they
    /// are drawn. Default 0, and 0.1 where centres of rooms are compared; ours.
    pub smoothing_m: f64,
    /// What `auto` chose for another map of the same place.
    #[serde(skip)]
    #[schemars(skip)]
    pub settled: Option<Choice>,
}

impl Default for RoomParams {
    fn default() -> Self {
        let Visibility { theta, spacing_m, linkage, .. } = Visibility::default();
        Self { method: RoomFinder::default(), theta, spacing_m, linkage, smoothing_m: 0.0, settled: None }
    }
}

impl RoomParams {
    /// The parameters of the paper's method; the others have no use for them.
    pub fn visibility(&self) -> Visibility {
        let Self { theta, spacing_m, linkage, smoothing_m, .. } = *self;
        Visibility { theta, spacing_m, linkage, smoothing_m, ..Visibility::default() }
    }

    /// Whether all numbers can be used.
    pub fn is_finite(&self) -> bool {
        [self.theta, self.spacing_m, self.smoothing_m].iter().all(|value| value.is_finite())
    }

    /// The rooms of a map; none for a map too long for exact distances.
    pub fn rooms(&self, grid: &Grid) -> Option<Rooms> {
        Some(self.found(grid)?.rooms)
    }

    /// The rooms of a map and how they were found; none for a map too long for exact distances.
    pub fn found(&self, grid: &Grid) -> Option<FoundRooms> {
        let smoothed = |basins: Watershed| Watershed { smoothing_m: self.smoothing_m, ..basins };
        let rooms = match self.method {
            RoomFinder::Auto => {
                let (rooms, choice) = match self.settled {
                    Some(choice) => (rooms_by(grid, self, &choice)?, choice),
                    None => automatic_rooms(grid, self)?,
                };
                return Some(FoundRooms { rooms, method: choice.method, choice: Some(choice) });
            }
            RoomFinder::Combined => {
                let basins = smoothed(Combined::default().basins);
                combined_rooms(grid, &Combined { visibility: self.visibility(), basins })?
            }
            RoomFinder::Doors => {
                let basins = smoothed(Doors::default().basins);
                door_rooms(grid, &Doors { basins, ..Doors::default() })?
            }
            RoomFinder::FreeSpace => {
                free_space_rooms(grid, &FreeSpace { smoothing_m: self.smoothing_m, ..FreeSpace::default() })?
            }
            RoomFinder::Visibility => visibility_rooms(grid, &self.visibility()).rooms,
            RoomFinder::Watershed => watershed_rooms(grid, &smoothed(Watershed::default()))?,
        };
        Some(FoundRooms { rooms, method: self.method, choice: None })
    }

    /// These parameters with the method that found these rooms of the truth: what one method calls a room another calls
    /// two, so maps are compared by the method of the truth.
    #[must_use]
    pub fn settled_by(self, truth: &FoundRooms) -> Self {
        Self { settled: truth.choice, ..self }
    }
}

/// Rooms, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRooms {
    pub rooms: Rooms,
    /// The method that was used; never `auto`.
    pub method: RoomFinder,
    /// What `auto` chose it by.
    pub choice: Option<Choice>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rooms of 3 x 3 cells of 1 m with a hole in a third of their common wall (07-E3).
    const HOLE: [&str; 5] = ["#########", "#...#...#", "#.......#", "#...#...#", "#########"];

    fn count(params: RoomParams) -> u32 {
        params.rooms(&testkit::grid(HOLE)).unwrap().count
    }

    #[test]
    fn theta_and_linkage_reach_the_clustering() {
        let every_cell =
            RoomParams { method: RoomFinder::Visibility, spacing_m: 1.0, ..RoomParams::default() };
        assert_eq!(count(every_cell), 1, "one room at 0.2");
        assert_eq!(count(RoomParams { theta: 0.5, ..every_cell }), 2);
        assert_eq!(count(RoomParams { theta: 0.5, linkage: Linkage::Single, ..every_cell }), 1);
    }

    #[test]
    fn every_method_finds_rooms() {
        for method in [
            RoomFinder::Auto,
            RoomFinder::Combined,
            RoomFinder::Doors,
            RoomFinder::FreeSpace,
            RoomFinder::Visibility,
            RoomFinder::Watershed,
        ] {
            assert!(count(RoomParams { method, ..RoomParams::default() }) >= 1, "{method:?}");
        }
    }
}
