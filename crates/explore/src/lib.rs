//! Where a robot drives next: frontiers of the known, discomfort near walls, the exploration transform, paths, and the
//! loop of scanning, planning and driving around them.
//!
//! Paper: Pellenz, about 2008, section III-D; frontiers after Yamauchi, path transform after Zelinsky. Planes are in
//! image order. The loop ([`run`]) knows the place only through [`World`], so that it drives on a truth grid
//! ([`GridWorld`]) as well as in a simulator.

mod area_log;
mod assignment;
mod beams;
mod discomfort;
mod error;
mod frontier;
mod grid_world;
mod known;
mod known_part;
mod path;
mod planner;
mod run;
mod terrain;
mod transform;
mod unreachable;
mod world;

pub use area_log::{AreaLog, AreaSample};
pub use beams::Laser;
pub use discomfort::{Discomfort, Sides, Units, UnknownIs, Weighting};
pub use error::ExploreError;
pub use frontier::{Frontiers, NeighboursOfUnknown, find_frontiers};
pub use grid_world::{GridWorld, GridWorldParams};
pub use known::cells_within;
pub use path::Path;
pub use planner::{Choice, Plan, Planner, Planning};
pub use run::{Ending, Exploration, RunParams, run, run_timed};
pub use terrain::Terrain;
pub use transform::Transform;
pub use world::{Moved, World};
