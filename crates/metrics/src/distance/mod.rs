//! Distances between the walls of two maps.

use crate::metric::Entry;

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[];
