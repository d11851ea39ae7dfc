//! One command per file.

pub mod align;
pub mod arena;
pub mod challenge;
pub mod compare;
pub mod consensus;
pub mod contest;
pub mod convert;
pub mod demo;
pub mod explore;
pub mod fiducials;
pub mod graph;
pub mod info;
pub mod lint;
pub mod metrics;
pub mod paths;
pub mod points;
pub mod portals;
pub mod record;
pub mod relations;
pub mod replay;
pub mod rooms;
pub mod schema;
pub mod score;
pub mod simulate;
pub mod traj;
