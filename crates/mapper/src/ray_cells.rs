//! The cells on a ray, by Bresenham's algorithm: one cell per step along the longer axis.

/// Calls `each` with every cell from the first to the last, both included. Half way between two rows or columns, the
/// one towards the end is taken.
pub(crate) fn ray_cells(from: (i64, i64), to: (i64, i64), mut each: impl FnMut((i64, i64))) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.abs().max(dy.abs());
    if steps == 0 {
        return each(from);
    }
    // round-half-away(k d / steps), in integers.
    let along = |k: i64, d: i64| (2 * k * d.abs() + steps).div_euclid(2 * steps) * d.signum();
    for k in 0..=steps {
        each((from.0 + along(k, dx), from.1 + along(k, dy)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(from: (i64, i64), to: (i64, i64)) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        ray_cells(from, to, |cell| found.push(cell));
        found
    }

    #[test]
    fn rays_by_hand() {
        assert_eq!(cells((0, 0), (4, 2)), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)]);
        assert_eq!(cells((0, 0), (-2, 1)), [(0, 0), (-1, 1), (-2, 1)]);
        assert_eq!(cells((3, 3), (3, 3)), [(3, 3)]);
        assert_eq!(cells((0, 0), (0, -2)), [(0, 0), (0, -1), (0, -2)]);
    }
}
