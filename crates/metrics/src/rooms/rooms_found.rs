//! Rooms of both maps, found once for all metrics of a case that ask for them in the same way.

use std::sync::{Arc, Mutex, PoisonError};

use align::AlignedGrids;
use raster::rooms::FoundRooms;

use super::segmentation::RoomParams;
use crate::{Reason, Undefined};

/// Rooms of truth and map by each set of parameters that a metric asked for.
#[derive(Debug, Default)]
pub(crate) struct RoomsFound(Mutex<Vec<(RoomParams, Arc<[FoundRooms; 2]>)>>);

impl RoomsFound {
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
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
