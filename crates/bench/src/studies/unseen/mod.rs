//! Claims about maps nobody chose a number by: every set is split into halves by place, numbers are chosen on one half
//! and reported on the other.

pub mod alignment;
pub mod barrels;
pub mod brokenness;
mod copies;
mod halls;
pub mod rooms;
mod truths;
