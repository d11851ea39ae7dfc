//! What a map says about itself, without a truth: warning signs only, a good-looking map may still be broken.

pub mod corner_count;
pub mod double_walls;
pub mod enclosed_areas;
pub mod enclosure;
pub mod free_leaks;
mod harris;
pub mod occupied_share;
pub mod places;
pub mod straight_walls;
pub mod unclosed_rooms;
pub mod wall_straightness;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<corner_count::CornerCount>(),
    entry::<double_walls::DoubleWalls>(),
    entry::<enclosed_areas::EnclosedAreas>(),
    entry::<free_leaks::FreeLeaks>(),
    entry::<occupied_share::OccupiedShare>(),
    entry::<unclosed_rooms::UnclosedRooms>(),
    entry::<wall_straightness::WallStraightness>(),
];
