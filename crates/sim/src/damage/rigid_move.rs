//! A map that is right in itself but lies in the wrong place: moved and turned as a whole on its grid. The kinds `shift` and
//! `rotate` do one of both each, and let the grid grow.
//!
//! The cells rest on one sine and one cosine; a platform that rounds them differently could flip a cell whose
//! border passes within 1e-12 cells of a looked-up point.

use model::{Grid, GridGeometry, Pose2};

use super::resample::{Source, resample};
use crate::SimError;

/// Parameters of [`rigid_move`], in the frame of the grid: x along its rows, y up its columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMove {
    /// Displacement to the right in metres. Default 0.3; ours, clearly wrong but within a search.
    pub x_m: f64,
    /// Displacement upwards in metres. Default -0.2; ours, as above.
    pub y_m: f64,
    /// Turn about the middle of the grid, counter-clockwise, in radians. Default 2 degrees; ours: a map of
    /// 24 m stays on its grid.
    pub theta_rad: f64,
}

impl Default for RigidMove {
    fn default() -> Self {
        Self { x_m: 0.3, y_m: -0.2, theta_rad: 2.0_f64.to_radians() }
    }
}

impl RigidMove {
    /// Where a point of the truth appears in the damaged map, both in the world's frame: what an alignment
    /// should undo.
    #[must_use]
    pub fn map_from_truth(&self, geometry: &GridGeometry) -> Pose2 {
        let (width, height) = (geometry.width() as f64, geometry.height() as f64);
        let middle =
            Pose2::new(width / 2.0 * geometry.cell_size_m(), height / 2.0 * geometry.cell_size_m(), 0.0);
        let grid_from_grid = Pose2::new(self.x_m, self.y_m, 0.0)
            * middle
            * Pose2::new(0.0, 0.0, self.theta_rad)
            * middle.inverse();
        geometry.origin() * grid_from_grid * geometry.origin().inverse()
    }
}

/// Moves and turns the map on its grid; what leaves the grid is lost, what enters is unknown.
///
/// # Errors
/// A displacement or turn that is not finite.
pub fn rigid_move(truth: &Grid, params: &RigidMove) -> Result<Grid, SimError> {
    for (name, value) in [("x_m", params.x_m), ("y_m", params.y_m), ("theta_rad", params.theta_rad)] {
        SimError::check_range(name, value, f64::MIN..=f64::MAX, "a finite number")?;
    }
    let geometry = truth.geometry();
    let (sin, cos) = params.theta_rad.sin_cos();
    let (middle_right, middle_up) = (geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0);
    let (right_cells, up_cells) = (params.x_m / geometry.cell_size_m(), params.y_m / geometry.cell_size_m());
    resample(truth, |right, up| {
        let (dx, dy) = (right - right_cells - middle_right, up - up_cells - middle_up);
        let point = (middle_right + cos * dx + sin * dy, middle_up + cos * dy - sin * dx);
        Source { point, per_right: (cos, -sin), per_up: (sin, cos) }
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use model::{CellClass, Point2};
    use proptest::prelude::*;

    use super::*;
    use crate::place::{OfficePlan, office};

    #[test]
    fn one_metre_to_the_right_is_one_cell() {
        let truth = testkit::grid(["#..", "...", ".#."]);
        let map = rigid_move(&truth, &RigidMove { x_m: 1.0, y_m: 0.0, theta_rad: 0.0 }).unwrap();
        assert_eq!(testkit::rows(&map), ["?#.", "?..", "?.#"]);
    }

    #[test]
    fn a_quarter_turn_runs_counter_clockwise_about_the_middle() {
        let truth = testkit::grid(["...", "..#", "..."]);
        let map = rigid_move(&truth, &RigidMove { x_m: 0.0, y_m: 0.0, theta_rad: FRAC_PI_2 }).unwrap();
        assert_eq!(testkit::rows(&map), [".#.", "...", "..."]);
    }

    #[test]
    fn the_pose_says_where_a_wall_went() {
        let origin = Pose2::new(5.0, -3.0, 0.4);
        let truth = testkit::grid_at([".....", "...#.", "....."], 0.5, origin);
        let params = RigidMove { x_m: 0.0, y_m: -0.5, theta_rad: FRAC_PI_2 };
        let map = rigid_move(&truth, &params).unwrap();
        let wall = |g: &Grid| {
            let index = g.classes().iter().position(|c| *c == CellClass::Occupied).unwrap();
            g.geometry().center_of(g.geometry().cell_of(index))
        };
        let expected: Point2 = params.map_from_truth(truth.geometry()) * wall(&truth);
        let found = wall(&map);
        assert!((expected.x_m - found.x_m).abs() < 1e-9 && (expected.y_m - found.y_m).abs() < 1e-9);
    }

    #[test]
    fn values_that_are_not_finite_are_refused() {
        let truth = testkit::grid(["."]);
        assert!(rigid_move(&truth, &RigidMove { x_m: f64::NAN, ..RigidMove::default() }).is_err());
        assert!(rigid_move(&truth, &RigidMove { theta_rad: f64::INFINITY, ..RigidMove::default() }).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn one_cell_walls_never_break(x_m in -0.3..0.3f64, y_m in -0.3..0.3f64, turn in -0.05..0.05f64) {
            let plan = OfficePlan { wall_thickness_m: 0.05, ..OfficePlan::default() };
            let truth = office(&plan).unwrap();
            let map = rigid_move(&truth, &RigidMove { x_m, y_m, theta_rad: turn }).unwrap();
            // A gap in a wall would let free floor touch the unknown outside or a shaft.
            let (width, classes) = (map.geometry().width(), map.classes());
            for index in width..classes.len() - width {
                if classes[index] == CellClass::Free {
                    for near in [index - 1, index + 1, index - width, index + width] {
                        prop_assert_ne!(classes[near], CellClass::Unknown);
                    }
                }
            }
        }
    }
}
