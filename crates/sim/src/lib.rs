//! Arenas and simulated robots in them, places that a robot could have mapped, and damaged maps of them.
//!
//! [`arena`] builds rescue arenas from plans and seeds, [`world`] casts rays in them, [`run`] drives a [`robot`] with
//! its [`sensor`]s through them, [`usarsim`] and [`replay`] serve live and recorded runs. [`place`] makes ground truth
//! from a seed; [`damage`] spoils a map in a known way, so that a score can be compared with what was really done to the
//! map. The same seed gives the same cells on every machine; the few steps that rest on a sine or an arc tangent say so.

pub mod arena;
mod barrel_arena;
pub mod damage;
mod error;
mod line_splitter;
pub mod place;
pub mod replay;
pub mod robot;
pub mod run;
mod seats;
pub mod sensor;
pub mod usarsim;
pub mod world;

pub use barrel_arena::{BarrelArena, MappedArena};
pub use error::SimError;
