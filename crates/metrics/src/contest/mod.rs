//! Areas and points of a contest.
//!
//! What needs all teams at once ([`exploration`](exploration::exploration),
//! [`map_quality`](map_quality::map_quality), [`contest_score`](contest_score::contest_score),
//! [`non_dominated`](pareto::non_dominated)) is a plain function; what one map shows is a metric.

pub mod areas;
pub mod cleared_area;
pub mod contest_score;
pub mod effort;
mod error;
pub mod exploration;
pub mod explored_area;
pub mod line_of_sight;
pub mod lost;
pub mod map_quality;
pub mod marked_points;
pub mod pareto;
pub mod point_rules;
pub mod point_score;
#[cfg(test)]
mod point_score_tests;
pub mod victims;

pub use error::ContestError;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<cleared_area::ClearedArea>(),
    entry::<explored_area::ExploredArea>(),
    entry::<point_rules::PointRules>(),
    entry::<victims::Victims>(),
];
