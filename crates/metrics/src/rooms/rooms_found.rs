//! Rooms and corners of both maps and what follows from them, found once for all metrics of a case that ask in the same way.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use align::AlignedGrids;
use align::features::corners_of;
use align::rooms::{FeatureKind, FeatureMatcher};
use raster::rooms::FoundRooms;
use raster::rooms::agreement::{Agreement, agreement};

use super::matched_features::PlacedFeatures;
use super::segmentation::RoomParams;
use crate::{Case, Reason, Undefined};

/// What was found in truth and map.
#[derive(Debug, Default)]
pub(crate) struct RoomsFound {
    rooms: Kept<RoomParams, [FoundRooms; 2]>,
    agreements: Kept<RoomParams, Agreement>,
    /// By the matcher, and whether it ignores the walls.
    placed: Kept<(FeatureMatcher, bool), PlacedFeatures>,
    /// Corners by column and row.
    corners: OnceLock<[Vec<[f64; 2]>; 2]>,
}

impl RoomsFound {
    pub(crate) fn corners_of_both(&self, grids: &AlignedGrids) -> &[Vec<[f64; 2]>; 2] {
        self.corners.get_or_init(|| [corners_of(&grids.truth), corners_of(&grids.map)])
    }

    /// The rooms of truth and map; those of the map by the method of the truth.
    ///
    /// # Errors
    /// The parameters are no numbers, or a map is too long for exact distances.
    pub(crate) fn in_both(
        &self,
        grids: &AlignedGrids,
        params: &RoomParams,
    ) -> Result<Arc<[FoundRooms; 2]>, Undefined> {
        if !params.is_finite() {
            return Err(Reason::NotFinite.into());
        }
        self.rooms.get_or_find(params, || {
            let truth = params.found(&grids.truth).ok_or(Reason::TooLarge)?;
            let map = params.settled_by(&truth).found(&grids.map).ok_or(Reason::TooLarge)?;
            Ok([truth, map])
        })
    }

    /// How the rooms of the map agree with those of the truth.
    ///
    /// # Errors
    /// As for the rooms.
    pub(crate) fn agreement(
        &self,
        grids: &AlignedGrids,
        params: &RoomParams,
    ) -> Result<Arc<Agreement>, Undefined> {
        self.agreements.get_or_find(params, || {
            let [truth, map] = &*self.in_both(grids, params)?;
            Ok(agreement(&truth.rooms, &map.rooms))
        })
    }

    /// The features of truth and map, matched.
    ///
    /// # Errors
    /// As for the rooms, where they are the features; or a map is too large.
    pub(crate) fn placed(
        &self,
        grids: &AlignedGrids,
        matcher: &FeatureMatcher,
        ignores_walls: bool,
    ) -> Result<Arc<PlacedFeatures>, Undefined> {
        self.placed.get_or_find(&(*matcher, ignores_walls), || {
            let rooms = match matcher.kind {
                FeatureKind::Rooms => Some(self.in_both(grids, &matcher.rooms)?),
                FeatureKind::Surf | FeatureKind::Corners => None,
            };
            PlacedFeatures::of(grids, rooms.as_deref(), matcher, ignores_walls)
        })
    }
}

/// Results by the question that they answer.
#[derive(Debug)]
struct Kept<K, V>(Mutex<Vec<(K, Arc<V>)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Clone + PartialEq, V> Kept<K, V> {
    /// The result for this question. It is found without a lock, because searches share their threads with whoever waits:
    /// two who ask at once both find it.
    fn get_or_find(&self, key: &K, find: impl FnOnce() -> Result<V, Undefined>) -> Result<Arc<V>, Undefined> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known().iter().find(|(of, _)| of == key) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(find()?);
        known().push((key.clone(), Arc::clone(&found)));
        Ok(found)
    }
}

impl Case {
    /// The rooms of truth and map, found once per set of parameters; those of the map by the method of the truth.
    ///
    /// # Errors
    /// There are no two maps, the parameters are no numbers, or a map is too long for exact distances.
    pub fn found_rooms(&self, params: &RoomParams) -> Result<Arc<[FoundRooms; 2]>, Undefined> {
        self.rooms_found.in_both(self.grids()?, params)
    }

    /// Features of truth and map as this matcher finds and places them, once.
    ///
    /// # Errors
    /// There are no two maps, the parameters are no numbers, or a map is too long for exact distances.
    pub(crate) fn placed_features(
        &self,
        matcher: &FeatureMatcher,
        ignores_walls: bool,
    ) -> Result<Arc<PlacedFeatures>, Undefined> {
        self.rooms_found.placed(self.grids()?, matcher, ignores_walls)
    }

    /// Corners of truth and map by column and row, found once.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn corners(&self) -> Result<&[Vec<[f64; 2]>; 2], Undefined> {
        Ok(self.rooms_found.corners_of_both(self.grids()?))
    }
}
