//! Areas and points of a contest.

pub mod areas;
pub mod cleared_area;
pub mod explored_area;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[entry::<cleared_area::ClearedArea>(), entry::<explored_area::ExploredArea>()];
