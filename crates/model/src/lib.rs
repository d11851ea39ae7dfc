//! The data that every other crate of mapjudge speaks about: poses, grids and the classes of their cells.
//!
//! No input or output and no algorithms live here. Conventions (frames, indices, units) are those of
//! `docs/conventions.md`: metres and radians inside, x to the right, y up, yaw counter-clockwise.

mod angle;
mod cell;
mod count_grid;
mod finding;
mod geometry;
mod grid;
mod pose;

pub use angle::wrap;
pub use cell::{Cell, CellClass, NavigationClass};
pub use count_grid::CountGrid;
pub use finding::{Finding, Level};
pub use geometry::{GeometryError, GridGeometry, MAX_CELLS};
pub use grid::{Grid, GridError};
pub use pose::{Point2, Pose2};
