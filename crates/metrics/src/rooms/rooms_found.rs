//! Rooms and corners of both maps, found once for all metrics of a case that ask for them in the same way.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use align::AlignedGrids;
use align::features::corners_of;
use raster::rooms::FoundRooms;

use super::segmentation::RoomParams;
use crate::{Reason, Undefined};

/// What was found in truth and map.
#[derive(Debug, Default)]
pub(crate) struct RoomsFound {
    /// Rooms by each set of parameters that a metric asked for.
    rooms: Mutex<Vec<(RoomParams, Arc<[FoundRooms; 2]>)>>,
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
        let known = || self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known().iter().find(|(of, _)| of == params) {
            return Ok(Arc::clone(found));
        }
        let truth = params.found(&grids.truth).ok_or(Reason::TooLarge)?;
        let map = params.settled_by(&truth).found(&grids.map).ok_or(Reason::TooLarge)?;
        let found = Arc::new([truth, map]);
        known().push((*params, Arc::clone(&found)));
        Ok(found)
    }
}
