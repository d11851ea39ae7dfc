//! Algorithms on one grid, or on two grids of equal size: counting, distance transforms, thinning,
//! components, similarity. Planes are slices in image order with one byte per cell.

pub mod contingency;
pub mod resample;
mod dispatch;
