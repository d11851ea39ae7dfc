//! A uniform grid over the upright surfaces: each cell lists the surfaces that cross it.

use model::Point2;
use raster::line_cells::crossed_cells;

use super::grid_walk::GridWalk;
use super::surface::Surfaces;
use super::{HitKind, PlaneRay};

/// Side of a cell where the world is small enough. A third of a pallet; half a cell off, so that walls on the borders
/// of pallets run through the middle of cells. Tried: 0.3 to 0.6 m cost about the same in the maze.
const SIDE_M: f64 = 0.4;
/// At most about so many cells; cells grow with the world.
const MAX_CELLS: f64 = 1e6;
/// Surfaces on the border of a cell belong to both.
const BORDER_M: f64 = 1e-6;
/// Arcs are entered as polygons of this many corners per turn; the cells around each are entered too.
const ARC_STEPS: usize = 48;

/// Surfaces by cell.
#[derive(Clone, Debug)]
pub(super) struct SurfaceIndex {
    corner: Point2,
    side_m: f64,
    columns: i64,
    rows: i64,
    /// Where the list of each cell starts; one more at the end.
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl SurfaceIndex {
    pub(super) fn new(surfaces: &Surfaces) -> Self {
        let (low, high) = extent(surfaces);
        let (width_m, height_m) = (high.x_m - low.x_m, high.y_m - low.y_m);
        let side_m =
            SIDE_M.max((width_m * height_m / MAX_CELLS).sqrt()).max(width_m.max(height_m) / MAX_CELLS);
        let corner = Point2::new(low.x_m - 1.5 * side_m, low.y_m - 1.5 * side_m);
        let cells = |length_m: f64| (length_m / side_m) as i64 + 4;
        let (columns, rows) = (cells(width_m), cells(height_m));
        let mut index = Self { corner, side_m, columns, rows, starts: Vec::new(), numbers: Vec::new() };
        let mut entries = index.entries(surfaces);
        entries.sort_unstable();
        entries.dedup();
        index.starts = vec![0; (columns * rows) as usize + 1];
        for (cell, _) in &entries {
            index.starts[*cell as usize + 1] += 1;
        }
        for cell in 1..index.starts.len() {
            index.starts[cell] += index.starts[cell - 1];
        }
        index.numbers = entries.into_iter().map(|(_, number)| number).collect();
        index
    }

    /// Pairs of cell and surface.
    fn entries(&self, surfaces: &Surfaces) -> Vec<(u32, u32)> {
        let mut entries = Vec::new();
        for (number, segment) in surfaces.segments.iter().enumerate() {
            let to = Point2::new(segment.from.x_m + segment.along.x_m, segment.from.y_m + segment.along.y_m);
            self.enter(&mut entries, number as u32, segment.from, to);
        }
        for (index, arc) in surfaces.arcs.iter().enumerate() {
            let number = (surfaces.segments.len() + index) as u32;
            // The polygon around the circle and the circle itself: a chord alone would cut off a little of the arc.
            for radius_m in [arc.radius_m, arc.radius_m / (std::f64::consts::PI / ARC_STEPS as f64).cos()] {
                let corner = |step: usize| {
                    let (sin, cos) = (std::f64::consts::TAU * step as f64 / ARC_STEPS as f64).sin_cos();
                    Point2::new(arc.center.x_m + radius_m * cos, arc.center.y_m + radius_m * sin)
                };
                (0..ARC_STEPS).for_each(|s| self.enter(&mut entries, number, corner(s), corner(s + 1)));
            }
        }
        entries
    }

    /// Enters a line, a hair to its left and right too.
    fn enter(&self, entries: &mut Vec<(u32, u32)>, number: u32, from: Point2, to: Point2) {
        let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
        let length_m = dx.hypot(dy).max(f64::MIN_POSITIVE);
        let (ux, uy) = (dx / length_m * BORDER_M, dy / length_m * BORDER_M);
        for side in [-1.0, 0.0, 1.0] {
            let at = |p: Point2, along: f64| {
                let x_m = p.x_m + along * ux - side * uy;
                let y_m = p.y_m + along * uy + side * ux;
                ((x_m - self.corner.x_m) / self.side_m, (y_m - self.corner.y_m) / self.side_m)
            };
            crossed_cells(at(from, -1.0), at(to, 1.0), |cell, _| {
                entries.extend(self.cell(cell).map(|c| (c, number)));
            });
        }
    }

    #[inline]
    fn cell(&self, (column, row): (i64, i64)) -> Option<u32> {
        let is_inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        is_inside.then(|| (row * self.columns + column) as u32)
    }

    #[inline]
    fn numbers_in(&self, cell: u32) -> &[u32] {
        &self.numbers[self.starts[cell as usize] as usize..self.starts[cell as usize + 1] as usize]
    }

    /// The first surface that a ray meets within reach.
    #[inline]
    pub(super) fn first_hit(
        &self,
        surfaces: &Surfaces,
        ray: &PlaneRay,
        reach_m: f64,
    ) -> Option<(f64, HitKind)> {
        let from_m = self.enter_m(ray)?;
        let mut walk = GridWalk::new(ray.origin, ray.direction, self.corner, self.side_m, from_m);
        let mut best: Option<(f64, HitKind)> = None;
        let mut best_m = reach_m;
        // A ray that starts outside may round to the cell before the border.
        let mut is_inside = false;
        while walk.enter_m <= best_m {
            match self.cell(walk.cell) {
                Some(cell) => {
                    is_inside = true;
                    for &number in self.numbers_in(cell) {
                        if let Some((s, kind)) = surfaces.hit(number, ray)
                            && s <= best_m
                            && best.is_none_or(|(before, _)| s < before)
                        {
                            (best, best_m) = (Some((s, kind)), s);
                        }
                    }
                }
                None if is_inside || walk.enter_m > from_m + self.side_m => break,
                None => {}
            }
            walk.advance();
        }
        best
    }

    /// Where a ray enters the grid; none if it never does.
    #[inline]
    fn enter_m(&self, ray: &PlaneRay) -> Option<f64> {
        let high = Point2::new(
            self.corner.x_m + self.columns as f64 * self.side_m,
            self.corner.y_m + self.rows as f64 * self.side_m,
        );
        let axis = |at: f64, along: f64, low: f64, high: f64| {
            if at >= low && at <= high {
                return Some(0.0);
            }
            let s = if at < low { (low - at) / along } else { (high - at) / along };
            (s >= 0.0 && s.is_finite()).then_some(s)
        };
        let x = axis(ray.origin.x_m, ray.direction.x_m, self.corner.x_m, high.x_m)?;
        let y = axis(ray.origin.y_m, ray.direction.y_m, self.corner.y_m, high.y_m)?;
        Some(x.max(y))
    }

    /// Numbers of surfaces in the cells around a place.
    pub(super) fn near(&self, place: Point2, radius_m: f64) -> impl Iterator<Item = u32> + '_ {
        let cell = |v_m: f64, corner_m: f64| ((v_m - corner_m) / self.side_m).floor() as i64;
        let clamp = |v: i64, side: i64| v.clamp(0, side - 1);
        let columns = clamp(cell(place.x_m - radius_m, self.corner.x_m), self.columns)
            ..=clamp(cell(place.x_m + radius_m, self.corner.x_m), self.columns);
        let rows = clamp(cell(place.y_m - radius_m, self.corner.y_m), self.rows)
            ..=clamp(cell(place.y_m + radius_m, self.corner.y_m), self.rows);
        rows.flat_map(move |row| columns.clone().map(move |column| (row * self.columns + column) as u32))
            .flat_map(|cell| self.numbers_in(cell).iter().copied())
    }
}

/// Corners of the box around all surfaces.
fn extent(surfaces: &Surfaces) -> (Point2, Point2) {
    let ends = surfaces.segments.iter().flat_map(|segment| {
        let to = Point2::new(segment.from.x_m + segment.along.x_m, segment.from.y_m + segment.along.y_m);
        [segment.from, to]
    });
    let arcs = surfaces.arcs.iter().flat_map(|arc| {
        [-1.0, 1.0].map(|along| {
            Point2::new(arc.center.x_m + along * arc.radius_m, arc.center.y_m + along * arc.radius_m)
        })
    });
    let points: Vec<Point2> = ends.chain(arcs).collect();
    let Some(&first) = points.first() else { return (Point2::default(), Point2::default()) };
    points.iter().fold((first, first), |(low, high), point| {
        (
            Point2::new(low.x_m.min(point.x_m), low.y_m.min(point.y_m)),
            Point2::new(high.x_m.max(point.x_m), high.y_m.max(point.y_m)),
        )
    })
}
