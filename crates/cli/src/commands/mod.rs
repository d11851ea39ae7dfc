//! One command per file.

pub mod align;
pub mod consensus;
pub mod convert;
pub mod demo;
pub mod fiducials;
pub mod info;
pub mod lint;
pub mod metrics;
pub mod rooms;
pub mod schema;
pub mod score;
