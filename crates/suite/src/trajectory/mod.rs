//! Trajectories: read, match in time, measure, compare. [`evaluate_trajectories`] is that line.

mod bootstrap;
mod compare;
mod diagnose;
mod evaluate;
mod figures;
mod input;
mod job;

pub use evaluate::evaluate_trajectories;
pub use job::{AssociateName, FillName, TrajectoryJob};
