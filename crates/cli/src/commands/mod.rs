//! One command per file.

pub mod align;
pub mod consensus;
pub mod convert;
pub mod demo;
pub mod fiducials;
pub mod graph;
pub mod info;
pub mod lint;
pub mod map;
pub mod metrics;
pub mod optimize;
pub mod paths;
pub mod portals;
pub mod relations;
pub mod rooms;
pub mod schema;
pub mod score;
pub mod traj;
