//! A map that a person lays on the truth: its numbers while it moves, its fit from pairs of places, the climb to the
//! nearest top of the wall score, tiles to look at, and the file that keeps the result (specification X-OVERLAY).
//!
//! Values only: the page in a browser, and any other shell, moves and draws; every number is that of [`judge`](crate::judge).

mod bending;
mod drawn_layers;
mod live;
mod pair_fit;
mod saving;
mod tiles;

use std::sync::{Arc, OnceLock};

use align::{Alignment, Climbed, WallFit};
use model::Similarity2;

use crate::align_maps::{AlignMethod, align_maps};
use crate::{Aligning, JobError, Loaded, Map, SearchMethod};

pub use bending::BentPicture;
pub use drawn_layers::{
    DrawnItem, DrawnLayer, ItemShape, ItemState, LayerFrame, barrel_layer, barrel_outlines, place_layer,
    room_layer, shape_layer, vector_layers,
};
pub use live::{LiveNumber, LiveNumbers, Precision};
pub use pair_fit::{BentMap, ClickedPair, FitMotion, FitRefusal, FittedPairs, PairResidual, fit_pairs};
pub use saving::{FrameRefusal, HandFrame};
pub use tiles::{Ink, TILE_CELLS, TiledMap, difference_tile};

/// A map and what it is laid on, prepared once for many transforms.
#[derive(Debug)]
pub struct OverlayPair {
    map: Loaded<Map>,
    truth: Loaded<Map>,
    pooled: OnceLock<Option<live::PooledPair>>,
    walls: OnceLock<Option<WallFit>>,
    automatic: OnceLock<Alignment>,
}

impl OverlayPair {
    /// A map on a truth, or on another map that takes the place of the truth.
    #[must_use]
    pub fn new(map: Loaded<Map>, truth: Loaded<Map>) -> Self {
        Self { map, truth, pooled: OnceLock::new(), walls: OnceLock::new(), automatic: OnceLock::new() }
    }

    /// The map.
    #[must_use]
    pub const fn map(&self) -> &Loaded<Map> {
        &self.map
    }

    /// What it is laid on.
    #[must_use]
    pub const fn truth(&self) -> &Loaded<Map> {
        &self.truth
    }

    /// Where the map lies before anybody moved it: in the frame of the truth if both files state an origin, else with its
    /// middle on the middle of the truth.
    #[must_use]
    pub fn start(&self) -> Similarity2 {
        let middle = |map: &Map| {
            let geometry = map.grid.geometry();
            geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0)
        };
        match align::truth_from_map(self.truth.value.anchoring, self.map.value.anchoring) {
            Some(_) => Similarity2::IDENTITY,
            None => Similarity2::sending(middle(&self.map.value), middle(&self.truth.value), 0.0, 1.0),
        }
    }

    /// The automatic alignment with its certificate; that of the default method is searched once.
    ///
    /// # Errors
    /// Parameters out of their range, or maps too large to search.
    pub fn align(&self, method: SearchMethod) -> Result<Alignment, JobError> {
        let is_default = method == SearchMethod::Correlative;
        if let Some(known) = self.automatic.get().filter(|_| is_default) {
            return Ok(known.clone());
        }
        let how = AlignMethod::Search(method);
        let found = align_maps(&self.map, &self.truth, &how, &Aligning::default())?.file.alignment;
        Ok(if is_default { self.automatic.get_or_init(|| found).clone() } else { found })
    }

    /// What the automatic alignment found, if somebody asked for it.
    #[must_use]
    pub fn automatic(&self) -> Option<&Alignment> {
        self.automatic.get()
    }

    /// Moves the map from where it lies to the nearest top of the wall score; none if one of the two has no wall.
    #[must_use]
    pub fn climb(&self, start: Similarity2) -> Option<Climbed> {
        Some(self.wall_fit()?.climb(start))
    }

    fn wall_fit(&self) -> Option<&WallFit> {
        let make = || WallFit::new(Arc::clone(&self.truth.value.grid), Arc::clone(&self.map.value.grid));
        self.walls.get_or_init(make).as_ref()
    }
}
