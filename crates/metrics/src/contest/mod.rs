//! Areas and points of a contest.

use crate::metric::Entry;

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[];
