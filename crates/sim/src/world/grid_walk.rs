//! The walk of a ray through the cells of a grid (Amanatides and Woo 1987), in metres along the ray.

use model::Point2;

/// A ray that passes through square cells.
#[derive(Clone, Copy)]
pub(super) struct GridWalk {
    /// Column and row.
    pub cell: (i64, i64),
    /// Where the ray entered the cell, metres along the ray.
    pub enter_m: f64,
    step: (i64, i64),
    next_m: (f64, f64),
    per_cell_m: (f64, f64),
}

impl GridWalk {
    /// Starts `from_m` along the ray. Cell (0, 0) has its lower-left corner at `corner`.
    #[inline]
    pub(super) fn new(origin: Point2, direction: Point2, corner: Point2, side_m: f64, from_m: f64) -> Self {
        let axis = |origin_m: f64, direction: f64, corner_m: f64| {
            let at = (origin_m + from_m * direction - corner_m) / side_m;
            let cell = at.floor();
            // Division by 0 gives an infinite distance to the next border: that axis never steps.
            let per_cell_m = side_m / direction.abs();
            if direction > 0.0 {
                (cell as i64, 1, from_m + (cell + 1.0 - at) * per_cell_m, per_cell_m)
            } else if direction < 0.0 {
                (cell as i64, -1, from_m + (at - cell) * per_cell_m, per_cell_m)
            } else {
                (cell as i64, 0, f64::INFINITY, f64::INFINITY)
            }
        };
        let x = axis(origin.x_m, direction.x_m, corner.x_m);
        let y = axis(origin.y_m, direction.y_m, corner.y_m);
        Self {
            cell: (x.0, y.0),
            enter_m: from_m,
            step: (x.1, y.1),
            next_m: (x.2, y.2),
            per_cell_m: (x.3, y.3),
        }
    }

    /// Where the ray leaves the cell, metres along the ray.
    #[inline]
    pub(super) fn leave_m(&self) -> f64 {
        self.next_m.0.min(self.next_m.1)
    }

    /// Goes on to the next cell.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.enter_m = self.leave_m();
        if self.next_m.0 < self.next_m.1 {
            self.cell.0 += self.step.0;
            self.next_m.0 += self.per_cell_m.0;
        } else {
            self.cell.1 += self.step.1;
            self.next_m.1 += self.per_cell_m.1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_ray_visits_each_cell_once() {
        let mut walk =
            GridWalk::new(Point2::new(0.5, 0.25), Point2::new(0.6, 0.8), Point2::new(0.0, 0.0), 1.0, 0.0);
        let mut cells = Vec::new();
        for _ in 0..4 {
            cells.push(walk.cell);
            walk.advance();
        }
        // Borders: x = 1 at 0.833, y = 1 at 0.9375, y = 2 at 2.1875, x = 2 at 2.5.
        assert_eq!(cells, [(0, 0), (1, 0), (1, 1), (1, 2)]);
        assert!((walk.enter_m - 2.5).abs() < 1e-12 && walk.cell == (2, 2));
    }

    #[test]
    fn a_ray_along_an_axis_never_steps_sideways() {
        let mut walk =
            GridWalk::new(Point2::new(0.5, 0.5), Point2::new(-1.0, 0.0), Point2::new(0.0, 0.0), 1.0, 0.0);
        walk.advance();
        assert_eq!((walk.cell, walk.enter_m), ((-1, 0), 0.5));
        assert_eq!(walk.leave_m(), 1.5);
    }
}
