//! What the exploration loop knows of a place: poses, scans, and driving.

use model::{CellClass, GridGeometry, Point2, Pose2};

/// What a movement took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Seconds.
    pub time_s: f64,
    /// Metres.
    pub distance_m: f64,
    /// Whether the robot touched something.
    pub has_collided: bool,
}

/// A place with robots in it: a truth grid, a simulator, a real arena.
pub trait World {
    /// Size and place of the map that is being made.
    fn geometry(&self) -> &GridGeometry;

    fn robots(&self) -> usize;

    /// Where a robot takes itself to be.
    fn pose(&self, robot: usize) -> Pose2;

    /// Takes a scan and enters it into the map. How many more cells are free now than before.
    fn observe(&mut self, robot: usize, map: &mut [CellClass]) -> i64;

    /// Turns a robot once around, with scans, and enters them into the map.
    fn look_around(&mut self, robot: usize, map: &mut [CellClass]) -> (Moved, i64);

    /// Drives a robot straight to a position nearby.
    fn move_to(&mut self, robot: usize, position: Point2) -> Moved;
}
