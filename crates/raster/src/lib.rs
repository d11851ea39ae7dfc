//! Algorithms on one grid, or on two grids of equal size: counting, distance transforms, thinning,
//! components, similarity. Planes are slices in image order with one byte per cell.

mod bits;
pub mod circles;
pub mod city_block;
pub mod columns;
pub mod components;
pub mod consensus;
pub mod contingency;
pub mod despeckle;
pub mod dilation;
pub mod disjoint_sets;
mod dispatch;
pub mod distance_thinning;
pub mod euclidean;
pub mod footprint;
pub mod free_space_graph;
pub mod geodesic_matching;
pub mod grid_rays;
pub mod line_cells;
pub mod moved_points;
pub mod near_field;
pub mod near_walls;
mod nearness;
pub mod neighbours;
pub mod outline;
pub mod outlines;
pub mod packed_classes;
mod parabolas;
mod path_key;
pub mod pooling;
pub mod resample;
pub mod rooms;
pub mod sampled_sum;
pub mod shortest_paths;
pub mod sight;
pub mod skeleton_graph;
mod spread;
mod steps;
pub mod structural_similarity;
pub mod thinning;
pub mod wall_corners;
pub mod weighted_rows;
pub mod worth_of_points;

pub use steps::Steps;
