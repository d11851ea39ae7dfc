//! Where the cells of a grid lie in the world. The only place that knows how rows, cells and metres relate.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cell, Point2, Pose2, Similarity2};

/// The largest number of cells a grid may have (32768 x 32768): more is refused before memory is taken.
pub const MAX_CELLS: usize = MAX_SIDE_CELLS * MAX_SIDE_CELLS;
/// The longest side of a grid. Squared distances between any two cells fit into 31 bits, and a strip of one row cannot
/// keep an algorithm busy that is quadratic along a side.
pub const MAX_SIDE_CELLS: usize = 1 << 15;
/// Cell sizes that a map of a robot or of its surroundings can have: a tenth of a millimetre to 1 km, as satellite images have. Lengths in metres
/// become counts of cells, which these bounds keep small.
pub const CELL_SIZES_M: RangeInclusive<f64> = 1e-4..=1000.0;
/// The longest side of a grid in metres.
pub const MAX_EXTENT_M: f64 = 1e6;
/// The largest coordinate of an origin in metres. Projected coordinates stay below 3e7 m, and at 1e9 m numbers still tell
/// tenths of a micrometre apart.
pub const MAX_ORIGIN_M: f64 = 1e9;

/// Why a grid's geometry was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// Width or height is zero.
    #[error("grid of {width} x {height} cells: expected at least 1 x 1")]
    Empty { width: usize, height: usize },
    /// More cells than [`MAX_CELLS`].
    #[error("grid of {width} x {height} cells: expected at most {MAX_CELLS} cells")]
    TooLarge { width: usize, height: usize },
    /// A side is longer than [`MAX_SIDE_CELLS`].
    #[error("grid of {width} x {height} cells: expected at most {MAX_SIDE_CELLS} cells along a side")]
    TooLong { width: usize, height: usize },
    /// The cell size is no number within [`CELL_SIZES_M`].
    #[error("cell size {0} m: expected {low} to {high} m", low = CELL_SIZES_M.start(), high = CELL_SIZES_M.end())]
    CellSize(f64),
    /// A side is longer than [`MAX_EXTENT_M`].
    #[error("a side of {0} m: expected at most {MAX_EXTENT_M} m")]
    Extent(f64),
    /// The origin holds an infinity, is not a number, or lies farther out than [`MAX_ORIGIN_M`].
    #[error(
        "origin ({x_m}, {y_m}, {theta_rad}): expected three finite numbers, the first two within {MAX_ORIGIN_M} m of 0",
        x_m = .0.x_m, y_m = .0.y_m, theta_rad = .0.theta_rad
    )]
    Origin(Pose2),
}

impl GeometryError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "GRID_EMPTY",
            Self::TooLarge { .. } | Self::TooLong { .. } => "GRID_TOO_LARGE",
            Self::Extent(_) => "GRID_EXTENT",
            Self::CellSize(_) => "CELL_SIZE",
            Self::Origin(_) => "GRID_ORIGIN",
        }
    }
}

/// Size, cell size and origin of a grid.
///
/// The origin is the world pose of the **lower-left corner** of cell (0, 0). Cell (i, j) covers
/// `[i, i+1) x [j, j+1)` cell sizes in the grid's own frame. Planes are stored in image order: top row
/// first, left to right, so that cell (i, j) has index `(height - 1 - j) * width + i`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Unchecked")]
#[schemars(!try_from)]
pub struct GridGeometry {
    width: usize,
    height: usize,
    cell_size_m: f64,
    origin: Pose2,
    /// Sine and cosine of the origin's heading, which every conversion between cells and metres needs.
    #[serde(skip)]
    #[schemars(skip)]
    turn: (f64, f64),
}

/// A geometry as a file holds it.
#[derive(Deserialize)]
struct Unchecked {
    width: usize,
    height: usize,
    cell_size_m: f64,
    origin: Pose2,
}

impl TryFrom<Unchecked> for GridGeometry {
    type Error = GeometryError;

    fn try_from(Unchecked { width, height, cell_size_m, origin }: Unchecked) -> Result<Self, GeometryError> {
        Self::new(width, height, cell_size_m, origin)
    }
}

impl GridGeometry {
    /// Checks size, cell size and origin.
    ///
    /// # Errors
    /// A side of zero or above [`MAX_SIDE_CELLS`] or [`MAX_EXTENT_M`], a cell size outside of [`CELL_SIZES_M`], an origin
    /// that is not finite or beyond [`MAX_ORIGIN_M`].
    pub fn new(width: usize, height: usize, cell_size_m: f64, origin: Pose2) -> Result<Self, GeometryError> {
        if width == 0 || height == 0 {
            return Err(GeometryError::Empty { width, height });
        }
        if width.checked_mul(height).is_none_or(|cells| cells > MAX_CELLS) {
            return Err(GeometryError::TooLarge { width, height });
        }
        if width.max(height) > MAX_SIDE_CELLS {
            return Err(GeometryError::TooLong { width, height });
        }
        if !CELL_SIZES_M.contains(&cell_size_m) {
            return Err(GeometryError::CellSize(cell_size_m));
        }
        let extent_m = width.max(height) as f64 * cell_size_m;
        if extent_m > MAX_EXTENT_M {
            return Err(GeometryError::Extent(extent_m));
        }
        if !(origin.is_finite() && origin.x_m.abs().max(origin.y_m.abs()) <= MAX_ORIGIN_M) {
            return Err(GeometryError::Origin(origin));
        }
        Ok(Self { width, height, cell_size_m, origin, turn: origin.theta_rad.sin_cos() })
    }

    pub const fn width(&self) -> usize {
        self.width
    }

    pub const fn height(&self) -> usize {
        self.height
    }

    /// Edge of a cell in metres.
    pub const fn cell_size_m(&self) -> f64 {
        self.cell_size_m
    }

    /// World pose of the lower-left corner of the grid.
    pub const fn origin(&self) -> Pose2 {
        self.origin
    }

    pub const fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The same cells seen from another frame; under a similarity the cells grow with its scale.
    #[must_use]
    pub fn moved_by(&self, world_from_here: impl Into<Similarity2>) -> Self {
        let moved = world_from_here.into() * Similarity2::from(self.origin);
        let cell_size_m = self.cell_size_m * moved.scale;
        Self { origin: moved.pose(), cell_size_m, turn: moved.theta_rad.sin_cos(), ..*self }
    }

    /// The geometry itself, if it still makes sense: a transform may have left none.
    ///
    /// # Errors
    /// As [`GridGeometry::new`].
    pub fn checked(self) -> Result<Self, GeometryError> {
        Self::new(self.width, self.height, self.cell_size_m, self.origin)
    }

    /// World position of the middle of a cell; the cell may lie beyond the grid.
    pub fn center_of(&self, cell: Cell) -> Point2 {
        self.world_of_grid_point(cell.i as f64 + 0.5, cell.j as f64 + 0.5)
    }

    /// World position of a point given in cells from the lower-left corner of the grid.
    pub fn world_of_grid_point(&self, right_cells: f64, up_cells: f64) -> Point2 {
        let ((sin, cos), Pose2 { x_m, y_m, .. }) = (self.turn, self.origin);
        let (right_m, up_m) = (right_cells * self.cell_size_m, up_cells * self.cell_size_m);
        Point2::new(x_m + cos * right_m - sin * up_m, y_m + sin * right_m + cos * up_m)
    }

    /// The same position counted in cells from the lower-left corner of the grid: (right, up).
    pub fn grid_point_of_world(&self, point: Point2) -> (f64, f64) {
        let (sin, cos) = self.turn;
        let (dx_m, dy_m) = (point.x_m - self.origin.x_m, point.y_m - self.origin.y_m);
        ((cos * dx_m + sin * dy_m) / self.cell_size_m, (cos * dy_m - sin * dx_m) / self.cell_size_m)
    }

    /// The cell that holds a world position, or none if the position lies beyond the grid.
    pub fn cell_at(&self, point: Point2) -> Option<Cell> {
        let (right_cells, up_cells) = self.grid_point_of_world(point);
        let inside = |v: f64, side: usize| (v >= 0.0 && v < side as f64).then_some(v as usize);
        Some(Cell { i: inside(right_cells, self.width)?, j: inside(up_cells, self.height)? })
    }

    /// Position of a cell in a plane stored in image order. The cell must lie in the grid.
    pub const fn index_of(&self, cell: Cell) -> usize {
        (self.height - 1 - cell.j) * self.width + cell.i
    }

    /// The cell at a position of a plane stored in image order.
    pub const fn cell_of(&self, index: usize) -> Cell {
        Cell { i: index % self.width, j: self.height - 1 - index / self.width }
    }

    /// True if both grids cover the same cells: equal size, and corners within a millionth of a cell.
    pub fn same_cells_as(&self, other: &Self) -> bool {
        let limit_m = 1e-6 * self.cell_size_m;
        let corner = |g: &Self, right: usize, up: usize| g.world_of_grid_point(right as f64, up as f64);
        self.width == other.width
            && self.height == other.height
            && [(0, 0), (self.width, 0), (0, self.height)].iter().all(|&(right, up)| {
                let (a, b) = (corner(self, right, up), corner(other, right, up));
                (a.x_m - b.x_m).abs() <= limit_m && (a.y_m - b.y_m).abs() <= limit_m
            })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn close(a: Point2, x_m: f64, y_m: f64) -> bool {
        (a.x_m - x_m).abs() < 1e-9 && (a.y_m - y_m).abs() < 1e-9
    }

    #[test]
    fn f_geo_cells_of_a_centred_grid() {
        let grid = GridGeometry::new(400, 400, 0.05, Pose2::new(-10.0, -10.0, 0.0)).unwrap();
        let top = Cell { i: 200, j: 399 };
        assert_eq!(grid.index_of(top), 200);
        assert_eq!(grid.cell_of(200), top);
        assert!(close(grid.center_of(top), 0.025, 9.975));
        assert_eq!(grid.cell_at(Point2::new(0.0, 0.0)), Some(Cell { i: 200, j: 200 }));
    }

    #[test]
    fn f_geo_a_turned_origin() {
        let grid = GridGeometry::new(10, 10, 0.1, Pose2::new(2.0, 1.0, FRAC_PI_2)).unwrap();
        assert!(close(grid.center_of(Cell { i: 3, j: 0 }), 1.95, 1.35));
        assert_eq!(grid.cell_at(Point2::new(1.95, 1.35)), Some(Cell { i: 3, j: 0 }));
    }

    #[test]
    fn positions_beyond_the_grid_have_no_cell() {
        let grid = GridGeometry::new(2, 3, 1.0, Pose2::IDENTITY).unwrap();
        for (x_m, y_m) in [(-1e-12, 0.0), (2.0, 0.0), (0.0, 3.0), (f64::NAN, 0.0), (f64::INFINITY, 0.0)] {
            assert_eq!(grid.cell_at(Point2::new(x_m, y_m)), None, "({x_m}, {y_m})");
        }
        assert_eq!(grid.cell_at(Point2::new(1.999, 2.999)), Some(Cell { i: 1, j: 2 }));
    }

    #[test]
    fn senseless_geometry_is_refused() {
        let origin = Pose2::IDENTITY;
        assert_eq!(GridGeometry::new(0, 3, 1.0, origin), Err(GeometryError::Empty { width: 0, height: 3 }));
        assert!(matches!(
            GridGeometry::new(1_000_000, 1_000_000, 1.0, origin),
            Err(GeometryError::TooLarge { .. })
        ));
        assert!(matches!(GridGeometry::new(usize::MAX, 2, 1.0, origin), Err(GeometryError::TooLarge { .. })));
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 9.9e-5, 1000.1, 1e300, f64::MIN_POSITIVE] {
            assert!(matches!(GridGeometry::new(1, 1, size, origin), Err(GeometryError::CellSize(_))));
        }
        assert!(matches!(
            GridGeometry::new(1, 1, 1.0, Pose2::new(f64::NAN, 0.0, 0.0)),
            Err(GeometryError::Origin(_))
        ));
    }

    #[test]
    fn strips_wide_lands_and_far_origins_are_refused() {
        let at = |width, height, size_m, x_m| {
            GridGeometry::new(width, height, size_m, Pose2::new(x_m, 0.0, 0.0)).map(|_| ())
        };
        for (width, height) in [(1_000_000, 1), (1, 1_000_000), (32_769, 1)] {
            assert_eq!(at(width, height, 0.05, 0.0), Err(GeometryError::TooLong { width, height }));
        }
        assert_eq!(at(32_768, 32_768, 1.0, 0.0), Ok(()));
        assert_eq!(at(20_000, 1, 100.0, 0.0), Err(GeometryError::Extent(2e6)));
        assert!(matches!(at(1, 1, 1.0, 1.1e9), Err(GeometryError::Origin(_))));
        assert!(matches!(at(1, 1, 1.0, -1e300), Err(GeometryError::Origin(_))));
        // UTM and Web Mercator.
        assert_eq!(at(1, 1, 1.0, 2.1e7), Ok(()));
    }

    #[test]
    fn a_geometry_from_a_file_is_checked_too() {
        let text = |size: &str| {
            format!(
                r#"{{"width":2,"height":1,"cell_size_m":{size},"origin":{{"x_m":0,"y_m":0,"theta_rad":0}}}}"#
            )
        };
        assert!(serde_json::from_str::<GridGeometry>(&text("0.05")).is_ok());
        assert!(serde_json::from_str::<GridGeometry>(&text("1e-300")).is_err());
    }
}
