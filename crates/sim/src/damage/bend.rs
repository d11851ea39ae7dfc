//! Drift: the heading error of the mapper grows with the distance along x, so that the far end is bent away.
//!
//! A straight corridor becomes an arc of radius `R = 1 / k`, `k` being the drift per metre. With `x` along the
//! corridor from where the drift starts and `y` up from the middle of the grid, a point of the truth appears at
//!
//! ```text
//! X = (R - y) sin(k x),   Y = R - (R - y) cos(k x)
//! ```
//!
//! and the inverse, which is what the look-up needs, is
//!
//! ```text
//! x = R atan2(X, R - Y),   y = R - √(X² + (R - Y)²)
//! ```
//!
//! The cells rest on an arc tangent; a platform that rounds it differently could flip a cell whose border
//! passes within 1e-12 cells of a looked-up point.

use model::Grid;

use super::resample::{Source, resample};
use crate::SimError;

/// Parameters of [`bend`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Heading error per metre along x, counter-clockwise, in radians per metre. Default 0.25 degrees per
    /// metre; ours: the end of a 24 m floor lies about 1 m off, as after a long corridor without loop closure.
    pub heading_drift_rad_per_m: f64,
    /// Where the drift starts, in metres from the left border of the grid. Default 2; ours, so that the first
    /// room is right.
    pub start_m: f64,
}

impl Default for Bend {
    fn default() -> Self {
        Self { heading_drift_rad_per_m: 0.25_f64.to_radians(), start_m: 2.0 }
    }
}

/// Bends the map to the left (positive drift) or right from where the drift starts.
///
/// # Errors
/// A start that is not finite, or a drift of more than one radian over the longer side of the grid: the map
/// would fold over itself.
pub fn bend(truth: &Grid, params: &Bend) -> Result<Grid, SimError> {
    let geometry = truth.geometry();
    let longer_side_m = geometry.width().max(geometry.height()) as f64 * geometry.cell_size_m();
    SimError::check_range(
        "heading_drift_rad_per_m",
        params.heading_drift_rad_per_m,
        -1.0 / longer_side_m..=1.0 / longer_side_m,
        "at most one radian over the longer side of the grid",
    )?;
    SimError::check_range("start_m", params.start_m, f64::MIN..=f64::MAX, "a finite number")?;
    let drift_rad_per_cell = params.heading_drift_rad_per_m * geometry.cell_size_m();
    let straight = |right, up| Source { point: (right, up), per_right: (1.0, 0.0), per_up: (0.0, 1.0) };
    // Below this the arc is straighter than the numbers can tell.
    if drift_rad_per_cell.abs() < 1e-12 {
        return resample(truth, straight);
    }
    let radius_cells = 1.0 / drift_rad_per_cell.abs();
    let (start_cells, middle_cells) =
        (params.start_m / geometry.cell_size_m(), geometry.height() as f64 / 2.0);
    let side = drift_rad_per_cell.signum();
    resample(truth, |right, up| {
        let (along, beside) = (right - start_cells, side * (up - middle_cells));
        if along <= 0.0 {
            return straight(right, up);
        }
        let to_centre = radius_cells - beside;
        // Not `hypot`: no overflow can happen here, and a square root rounds alike on every machine.
        let distance = (along * along + to_centre * to_centre).sqrt();
        let x = radius_cells * along.atan2(to_centre);
        // R - distance without subtracting two large numbers of nearly the same size.
        let y = (2.0 * radius_cells * beside - along * along - beside * beside) / (radius_cells + distance);
        let (sin, cos) = (along / distance, to_centre / distance);
        let stretch = radius_cells / distance;
        Source {
            point: (start_cells + x, middle_cells + side * y),
            per_right: (stretch * cos, -side * sin),
            per_up: (side * stretch * sin, cos),
        }
    })
}

#[cfg(test)]
mod tests {
    use model::{Cell, CellClass, GridGeometry, Pose2};

    use super::*;

    /// A wall of one cell along the middle row of 401 x 101 cells of 0.1 m.
    fn long_wall() -> Grid {
        let geometry = GridGeometry::new(401, 101, 0.1, Pose2::IDENTITY).unwrap();
        let is_wall = |index: usize| geometry.cell_of(index).j == 50;
        let class = |index| if is_wall(index) { CellClass::Occupied } else { CellClass::Free };
        Grid::new(geometry, (0..geometry.cells()).map(class).collect()).unwrap()
    }

    fn wall_row(map: &Grid, i: usize) -> usize {
        let occupied =
            |j: &usize| map.classes()[map.geometry().index_of(Cell { i, j: *j })] == CellClass::Occupied;
        (0..map.geometry().height()).find(occupied).unwrap()
    }

    #[test]
    fn no_drift_changes_nothing() {
        let truth = testkit::grid(["#.?", "..#"]);
        let params = Bend { heading_drift_rad_per_m: 0.0, start_m: 0.0 };
        assert_eq!(bend(&truth, &params).unwrap(), truth);
    }

    #[test]
    fn the_far_end_lies_half_drift_times_length_squared_away() {
        // k = 0.002 rad/m, 40 m: 0.5 * 0.002 * 1600 = 1.6 m = 16 cells, less a little for the arc.
        let truth = long_wall();
        let params = Bend { heading_drift_rad_per_m: 0.002, start_m: 0.0 };
        let map = bend(&truth, &params).unwrap();
        assert_eq!(wall_row(&map, 0), 50);
        // 20 m: 0.4 m = 4 cells; the wall is one cell thick, so it may fill the row before.
        assert!((53..=54).contains(&wall_row(&map, 200)));
        assert!((65..=66).contains(&wall_row(&map, 399)));
    }

    #[test]
    fn negative_drift_bends_down_and_the_start_is_left_alone() {
        let params = Bend { heading_drift_rad_per_m: -0.002, start_m: 20.0 };
        let map = bend(&long_wall(), &params).unwrap();
        assert!((0..=200).all(|i| wall_row(&map, i) == 50));
        // 20 m after the start: 4 cells down.
        assert!((45..=46).contains(&wall_row(&map, 399)));
    }

    #[test]
    fn a_bent_wall_of_one_cell_has_no_gap() {
        let map = bend(&long_wall(), &Bend { heading_drift_rad_per_m: 0.002, start_m: 0.0 }).unwrap();
        let rows: Vec<usize> = (0..400).map(|i| wall_row(&map, i)).collect();
        assert!(rows.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= 1));
    }

    #[test]
    fn drift_that_would_fold_the_map_is_refused() {
        let params = Bend { heading_drift_rad_per_m: 0.03, start_m: 0.0 };
        assert!(bend(&long_wall(), &params).is_err());
        assert!(bend(&long_wall(), &Bend { start_m: f64::NAN, ..Bend::default() }).is_err());
    }
}
