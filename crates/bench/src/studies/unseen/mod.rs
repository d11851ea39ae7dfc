//! Studies on maps that no number was chosen by.

pub mod barrels;
