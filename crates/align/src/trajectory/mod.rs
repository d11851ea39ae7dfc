//! Brings a trajectory onto its ground truth: in time (which pose belongs to which timestamp) and in space (the
//! transform that lays one path on the other).

mod fill;
mod fit;
mod lookup;
mod matches;
mod reduce;
mod reflection;
mod time_base;
mod time_offset;
mod track;

pub use fit::{Fit, FitMethod, Fittable, fit};
pub use lookup::{Associate, Association, Fill, Found, FoundBy, Lookup};
pub use matches::{LookupCounts, Matches, Pair, associate};
pub use reduce::{Plane, after_motion, downsampled, in_time_range};
pub use reflection::{Reflection, reflection};
pub use time_base::{clock_findings, no_common_time};
pub use time_offset::{TimeOffset, estimate_time_offset};
pub use track::{Track, is_planar, path_lengths_m};
