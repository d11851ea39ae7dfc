//! Comparison cell by cell. All three-value metrics follow from one contingency table.

pub mod binary_counts;
pub mod overall_error;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[entry::<overall_error::OverallError>()];
