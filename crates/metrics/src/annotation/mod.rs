//! What is written on the map: groups, attributes, paths for responders.
//!
//! Skeleton and directions live in the topology family, metric quality with the rooms.

pub mod attribution;
pub mod grouping_quality;
pub mod inputs;
pub mod red_marks;
pub mod regions;
mod robot_stretch;
pub mod utility;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<attribution::Attribution>(),
    entry::<grouping_quality::GroupingQuality>(),
    entry::<utility::Utility>(),
];
