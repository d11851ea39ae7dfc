//! What a map says about itself, without a truth: warning signs only, a good-looking map may still be broken.

pub mod double_walls;
pub mod enclosure;
pub mod free_leaks;
pub mod places;
pub mod straight_walls;
pub mod unclosed_rooms;
pub mod wall_straightness;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<double_walls::DoubleWalls>(),
    entry::<free_leaks::FreeLeaks>(),
    entry::<unclosed_rooms::UnclosedRooms>(),
    entry::<wall_straightness::WallStraightness>(),
];
