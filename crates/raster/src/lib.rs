//! Algorithms on one grid, or on two grids of equal size: counting, distance transforms, thinning,
//! components, similarity. Planes are slices in image order with one byte per cell.

mod bits;
pub mod city_block;
pub mod components;
pub mod contingency;
pub mod dilation;
mod dispatch;
pub mod euclidean;
mod nearness;
mod parabolas;
pub mod resample;
mod spread;
pub mod structural_similarity;
pub mod thinning;
