//! Brings a trajectory onto its ground truth: in time (which pose belongs to which timestamp) and in space (the
//! transform that lays one path on the other).

mod covered;
mod fill;
mod fit;
mod lookup;
mod matches;
mod reduce;
mod reflection;
mod relation_offset;
mod time_base;
mod time_offset;
mod track;

pub use covered::{Covered, covered};
pub use fit::{Fit, FitMethod, Fittable, fit};
pub use lookup::{Associate, Association, Fill, Found, FoundBy, Lookup};
pub use matches::{LookupCounts, Matches, Pair, associate};
pub use reduce::{Plane, after_motion, downsampled, in_time_range};
pub use reflection::{Reflection, reflection};
pub use relation_offset::{RelationOffset, estimate_relation_offset};
pub use time_base::{clock_findings, no_common_time};
pub use time_offset::{TimeOffset, estimate_time_offset};
pub use track::{Track, is_planar, path_lengths_m};
