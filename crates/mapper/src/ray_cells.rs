//! The cells on a ray, by Bresenham's algorithm: one cell per step along the longer axis.

/// Calls `each` with every cell from the first to the last, both included. Half way between two rows or columns, the
/// one towards the end is taken.
pub(crate) fn ray_cells(from: (i64, i64), to: (i64, i64), mut each: impl FnMut((i64, i64))) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.abs().max(dy.abs());
    if steps == 0 {
        return each(from);
    }
    // round-half-away(k d / steps), in integers: the remainder is carried from step to step.
    let (mut x, mut y) = (Rounded::of(dx), Rounded::of(dy));
    x.remainder += steps;
    y.remainder += steps;
    for _ in 0..=steps {
        each((from.0 + x.whole, from.1 + y.whole));
        x.step(2 * steps);
        y.step(2 * steps);
    }
}

/// A coordinate along a ray.
struct Rounded {
    whole: i64,
    remainder: i64,
    /// What a step adds to the remainder, and a whole cell to the coordinate.
    added: i64,
    sign: i64,
}

impl Rounded {
    const fn of(distance: i64) -> Self {
        Self { whole: 0, remainder: 0, added: 2 * distance.abs(), sign: distance.signum() }
    }

    const fn step(&mut self, cell: i64) {
        self.remainder += self.added;
        if self.remainder >= cell {
            self.remainder -= cell;
            self.whole += self.sign;
        }
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

    #[test]
    fn every_cell_is_the_rounded_place_on_the_line() {
        for (dx, dy) in (-9..=9).flat_map(|dx| (-9..=9).map(move |dy| (dx, dy))) {
            let steps = i64::max(dx, -dx).max(i64::max(dy, -dy)).max(1);
            let along = |k: i64, d: i64| (2 * k * d.abs() + steps).div_euclid(2 * steps) * d.signum();
            let expected: Vec<(i64, i64)> =
                (0..=dx.abs().max(dy.abs())).map(|k| (3 + along(k, dx), along(k, dy) - 2)).collect();
            assert_eq!(cells((3, -2), (3 + dx, dy - 2)), expected);
        }
    }
}
