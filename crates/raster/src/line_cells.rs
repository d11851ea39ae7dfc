//! The cells that a straight line crosses, with the length of the line in each.
//!
//! Paper: Amanatides, Woo 1987, "A fast voxel traversal algorithm for ray tracing".

/// A point in cells; cell (i, j) covers [i, i+1) x [j, j+1).
pub type Point = (f64, f64);

/// Calls `each` with every cell that the segment crosses, in order, and the length of the segment in it.
/// Points that are not finite, or farther apart than 2³¹ cells, cross nothing.
pub fn crossed_cells(from: Point, to: Point, mut each: impl FnMut((i64, i64), f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if !(length < f64::from(i32::MAX) && from.0.abs() < 1e15 && from.1.abs() < 1e15) {
        return;
    }
    let mut cell = (from.0.floor() as i64, from.1.floor() as i64);
    let last = (to.0.floor() as i64, to.1.floor() as i64);
    let (mut x, mut y) = (Axis::new(from.0, dx), Axis::new(from.1, dy));
    let mut ratio = 0.0_f64;
    while cell != last {
        let next = x.next.min(y.next);
        // Rounding may put the last border just behind the end.
        if next >= 1.0 {
            break;
        }
        each(cell, (next - ratio).max(0.0) * length);
        ratio = ratio.max(next);
        if x.next <= y.next {
            cell.0 += x.step;
            x.next += x.per_cell;
        } else {
            cell.1 += y.step;
            y.next += y.per_cell;
        }
    }
    each(cell, (1.0 - ratio) * length);
}

/// Where the segment crosses borders of cells along one axis, as ratios of its length.
struct Axis {
    step: i64,
    next: f64,
    per_cell: f64,
}

impl Axis {
    fn new(from: f64, delta: f64) -> Self {
        if delta == 0.0 {
            return Self { step: 0, next: f64::INFINITY, per_cell: f64::INFINITY };
        }
        let to_border = if delta > 0.0 { from.floor() + 1.0 - from } else { from - from.floor() };
        Self {
            step: if delta > 0.0 { 1 } else { -1 },
            next: to_border / delta.abs(),
            per_cell: 1.0 / delta.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn crossed(from: Point, to: Point) -> Vec<((i64, i64), f64)> {
        let mut found = Vec::new();
        crossed_cells(from, to, |cell, length| found.push((cell, length)));
        found
    }

    #[test]
    fn a_line_along_a_row_and_back() {
        assert_eq!(crossed((4.5, 1.5), (6.5, 1.5)), [((4, 1), 0.5), ((5, 1), 1.0), ((6, 1), 0.5)]);
        assert_eq!(crossed((6.5, 1.5), (4.5, 1.5)), [((6, 1), 0.5), ((5, 1), 1.0), ((4, 1), 0.5)]);
        assert_eq!(crossed((0.2, 0.7), (0.2, 0.7)), [((0, 0), 0.0)]);
        assert_eq!(crossed((f64::NAN, 0.0), (1.0, 1.0)), []);
        assert_eq!(crossed((0.0, 0.0), (f64::INFINITY, 1.0)), []);
    }

    proptest! {
        #[test]
        fn lengths_add_up_and_cells_are_neighbours(
            a in (-50.0..50.0_f64, -50.0..50.0_f64), b in (-50.0..50.0_f64, -50.0..50.0_f64),
        ) {
            let cells = crossed(a, b);
            let sum: f64 = cells.iter().map(|(_, length)| length).sum();
            prop_assert!((sum - (b.0 - a.0).hypot(b.1 - a.1)).abs() < 1e-9);
            for pair in cells.windows(2) {
                let ((x, y), (u, v)) = (pair[0].0, pair[1].0);
                prop_assert_eq!(x.abs_diff(u) + y.abs_diff(v), 1);
            }
        }
    }
}
