//! Routes through the map: can a robot get from A to B with it?
//!
//! `ground.rs` is one map to drive on, `path_space.rs` both of them with start and targets.

pub mod ground;
pub mod linked_floors;
pub mod navigation_success;
pub mod path_false_negatives;
pub mod path_false_positives;
pub mod path_inputs;
pub mod path_space;
pub mod path_usefulness;
mod speck_loops;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<navigation_success::NavigationSuccess>(),
    entry::<path_false_negatives::PathFalseNegatives>(),
    entry::<path_false_positives::PathFalsePositives>(),
    entry::<path_usefulness::PathUsefulness>(),
];
