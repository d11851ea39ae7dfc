//! Claims on maps that were not used to choose a number.

pub mod rooms;
