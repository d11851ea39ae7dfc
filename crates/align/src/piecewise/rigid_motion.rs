//! A rigid motion of cells about the middle of the map.

use model::{GridGeometry, Point2, Pose2};
use raster::worth_of_points::CellMotion;

/// Turns about `center` and moves; everything in cells, (column, row from below) being the middle of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RigidMotion {
    pub(super) center: (f64, f64),
    pub(super) theta_rad: f64,
    pub(super) translation: (f64, f64),
}

impl RigidMotion {
    /// The motion with the sine and cosine of its angle, for many cells.
    pub(super) fn of_cells(&self) -> CellMotion {
        let (sin, cos) = self.theta_rad.sin_cos();
        CellMotion { center: self.center, sin, cos, translation: self.translation }
    }

    /// Where the motion sends a cell, not rounded.
    pub(super) fn apply(&self, point: (f64, f64)) -> (f64, f64) {
        self.of_cells().apply(point)
    }

    /// Where the motion sends each of many cells.
    pub(super) fn apply_all<'a>(&'a self, points: &'a [(f64, f64)]) -> impl Iterator<Item = (f64, f64)> + 'a {
        let motion = self.of_cells();
        points.iter().map(move |&point| motion.apply(point))
    }

    /// The same motion, written as a turn about another place.
    pub(super) fn about(&self, center: (f64, f64)) -> Self {
        let (x, y) = self.apply(center);
        Self { center, theta_rad: self.theta_rad, translation: (x - center.0, y - center.1) }
    }

    /// A motion of the world of the grid, about a place in cells; the inverse of [`Self::in_world`].
    pub(super) fn of_world(motion: Pose2, geometry: &GridGeometry, center: (f64, f64)) -> Self {
        let from = geometry.world_of_grid_point(center.0 + 0.5, center.1 + 0.5);
        let (x, y) = geometry.grid_point_of_world(motion * from);
        let translation = (x - 0.5 - center.0, y - 0.5 - center.1);
        Self { center, theta_rad: motion.theta_rad, translation }
    }

    /// City-block length of the translation: what ties are broken by.
    pub(super) fn translation_length(&self) -> f64 {
        self.translation.0.abs() + self.translation.1.abs()
    }

    /// The same motion in the world of the grid.
    pub(super) fn in_world(self, geometry: &GridGeometry) -> Pose2 {
        let middle = |(x, y): (f64, f64)| geometry.world_of_grid_point(x + 0.5, y + 0.5);
        let (from, to): (Point2, Point2) = (middle((0.0, 0.0)), middle(self.apply((0.0, 0.0))));
        let turn = Pose2::new(0.0, 0.0, self.theta_rad);
        let turned = turn * from;
        Pose2::new(to.x_m - turned.x_m, to.y_m - turned.y_m, self.theta_rad)
    }
}
