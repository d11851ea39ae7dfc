//! Brings a map into the frame and onto the grid of its ground truth.
//!
//! One method per file; each finds `truth_from_map`. A metric never aligns silently: it is handed
//! [`AlignedGrids`], made by [`common_grid`] from what a method found.

mod common_grid;
mod georeference;

pub use common_grid::{AlignedGrids, CommonGridError, Window, common_grid};
pub use georeference::{Anchoring, Method, truth_from_map};
pub use raster::resample::Resample;
