//! A transform between the cells of two images (y **down**), mirror images included.

use super::Hypothesis;

/// Where the corner and the two unit vectors of the map's image lie in that of the truth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    right: [f64; 2],
    down: [f64; 2],
    corner: [f64; 2],
}

impl Affine {
    /// The transform of a hypothesis for a map with this pivot and so many columns.
    pub(super) fn of(hypothesis: &Hypothesis, pivot: [f64; 2], columns: f64) -> Self {
        let motion = hypothesis.candidate.motion(hypothesis.pivot(pivot, columns));
        let corner = motion.apply([0.0, 0.0]);
        let from_corner = |point: [f64; 2]| {
            let [x, y] = motion.apply(point);
            [x - corner[0], y - corner[1]]
        };
        let plain = Self { right: from_corner([1.0, 0.0]), down: from_corner([0.0, 1.0]), corner };
        if !hypothesis.mirrored {
            return plain;
        }
        let last = [plain.right[0] * columns, plain.right[1] * columns];
        let corner = [corner[0] + last[0], corner[1] + last[1]];
        Self { right: plain.right.map(|part| -part), corner, ..plain }
    }

    /// The transform back; none if it shrinks everything to a line.
    pub(super) fn inverse(&self) -> Option<Self> {
        let ([a, c], [b, d], [x, y]) = (self.right, self.down, self.corner);
        let area = a * d - b * c;
        if !(area.is_finite() && area != 0.0) {
            return None;
        }
        let (right, down) = ([d / area, -c / area], [-b / area, a / area]);
        let corner = [-(right[0] * x + down[0] * y), -(right[1] * x + down[1] * y)];
        Some(Self { right, down, corner })
    }

    /// The same onto cells of another size, counted from a corner: for x the factors of x, y and 1, then those for y.
    pub(super) fn onto(&self, corner: [f64; 2], per_cell: f64) -> [f32; 6] {
        let axis = |axis: usize| {
            [self.right[axis], self.down[axis], self.corner[axis] - corner[axis]]
                .map(|part| (part * per_cell) as f32)
        };
        let ([a, b, c], [d, e, f]) = (axis(0), axis(1));
        [a, b, c, d, e, f]
    }
}
