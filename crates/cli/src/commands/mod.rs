//! One command per file.

pub mod demo;
pub mod metrics;
pub mod schema;
pub mod score;
