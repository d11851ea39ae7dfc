//! Places that a robot could have mapped, and damaged maps of them.
//!
//! [`place`] makes ground truth from a seed; [`damage`] spoils a map in a known way, so that a score can be
//! compared with what was really done to the map. The same seed gives the same cells on every machine; the
//! few steps that rest on a sine or an arc tangent say so.

mod barrel_arena;
pub mod damage;
mod dice;
mod error;
pub mod place;
pub mod replay;

pub use barrel_arena::{BarrelArena, MappedArena};
pub use error::SimError;
