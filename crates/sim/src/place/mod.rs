//! Places made from a seed: what a perfect map of them would show.

mod canvas;
mod door_leaf;
mod furniture;
mod layout;
mod office;
mod piece;

pub use office::{OfficePlan, office};
