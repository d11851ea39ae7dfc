//! A candidate transform between two images, in original cells with y **down**, turned about a pivot of the map.

use model::{Grid, Point2, Similarity2};

use crate::closed_form::{Motion, PointPair, fit};

/// Sends the pivot of the map to `at` in the truth, turned by `theta_rad` (from x towards y, so clockwise on the
/// screen) and scaled by `scale` (cells of the truth per cell of the map).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) at: [f64; 2],
    pub(crate) theta_rad: f64,
    pub(crate) scale: f64,
}

/// A candidate ready to be applied: `truth = a * map + b` with complex numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion2 {
    a: [f64; 2],
    b: [f64; 2],
}

impl Candidate {
    /// The corner of the map on the corner of the truth, cell on cell.
    pub(crate) const ORIGIN: Self = Self { at: [0.0, 0.0], theta_rad: 0.0, scale: 1.0 };

    /// The transform of this candidate for a map with this pivot.
    pub(crate) fn motion(&self, pivot: [f64; 2]) -> Motion2 {
        let (sin, cos) = self.theta_rad.sin_cos();
        let a = [self.scale * cos, self.scale * sin];
        let b =
            [self.at[0] - a[0] * pivot[0] + a[1] * pivot[1], self.at[1] - a[1] * pivot[0] - a[0] * pivot[1]];
        Motion2 { a, b }
    }

    /// The same transform, turned about another pivot.
    pub(crate) fn about(&self, pivot: [f64; 2], other: [f64; 2]) -> Self {
        Self { at: self.motion(pivot).apply(other), ..*self }
    }

    /// Distance between where two candidates put the pivot, in cells of the truth.
    pub(crate) fn apart(&self, other: &Self) -> f64 {
        (self.at[0] - other.at[0]).hypot(self.at[1] - other.at[1])
    }

    /// Angle between two candidates, 0 to pi.
    pub(crate) fn yaw_rad(&self, other: &Self) -> f64 {
        model::wrap(self.theta_rad - other.theta_rad).abs()
    }

    /// Logarithm of the ratio of two scales, without sign.
    pub(crate) fn growth(&self, other: &Self) -> f64 {
        (self.scale / other.scale).ln().abs()
    }

    /// The transform in the frames of the two maps, in metres and with y up.
    pub(crate) fn truth_from_map(&self, truth: &Grid, map: &Grid, pivot: [f64; 2]) -> Option<Similarity2> {
        let motion = self.motion(pivot);
        let pair = |x: f64, y: f64| {
            let world = |grid: &Grid, [x, y]: [f64; 2]| -> Point2 {
                let geometry = grid.geometry();
                geometry.world_of_grid_point(x, geometry.height() as f64 - y)
            };
            PointPair { in_map: world(map, [x, y]), in_truth: world(truth, motion.apply([x, y])) }
        };
        let (w, h) = (map.geometry().width() as f64, map.geometry().height() as f64);
        fit(&[pair(0.0, 0.0), pair(w, 0.0), pair(0.0, h), pair(w, h)], Motion::Similarity)
    }

    /// The candidate of a transform in metres; the inverse of [`Candidate::truth_from_map`].
    pub(crate) fn of(truth_from_map: Similarity2, truth: &Grid, map: &Grid, pivot: [f64; 2]) -> Self {
        let cell = |x: f64, y: f64| {
            let (from, to) = (map.geometry(), truth.geometry());
            let world = from.world_of_grid_point(x, from.height() as f64 - y);
            let (right, up) = to.grid_point_of_world(truth_from_map * world);
            [right, to.height() as f64 - up]
        };
        let (at, beside) = (cell(pivot[0], pivot[1]), cell(pivot[0] + 1.0, pivot[1]));
        let (dx, dy) = (beside[0] - at[0], beside[1] - at[1]);
        Self { at, theta_rad: dy.atan2(dx), scale: dx.hypot(dy) }
    }
}

impl Motion2 {
    /// Where a point of the map lies in the truth.
    #[inline]
    pub(crate) fn apply(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.a[0] * x - self.a[1] * y + self.b[0], self.a[1] * x + self.a[0] * y + self.b[1]]
    }

    /// The same between points counted from `from` and points counted from `to` in units of `1 / per_cell`: both parts
    /// of the factor, and of the sum.
    pub(crate) fn between(&self, from: [f64; 2], to: [f64; 2], per_cell: f64) -> [f64; 4] {
        let [x, y] = self.apply(from);
        [self.a[0], self.a[1], x - to[0], y - to[1]].map(|value| value * per_cell)
    }

    pub(crate) fn inverse(&self) -> Self {
        let square = self.a[0] * self.a[0] + self.a[1] * self.a[1];
        let a = [self.a[0] / square, -self.a[1] / square];
        let b = [-(a[0] * self.b[0] - a[1] * self.b[1]), -(a[1] * self.b[0] + a[0] * self.b[1])];
        Self { a, b }
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::grid_at;

    use super::*;

    #[test]
    fn pictures_and_metres_say_the_same() {
        let truth = grid_at(["....", "....", "...."], 0.5, Pose2::new(3.0, -1.0, 0.3));
        let map = grid_at(["..", ".."], 0.25, Pose2::new(-2.0, 5.0, -1.1));
        let pivot = [0.7, 1.2];
        let candidate = Candidate { at: [2.5, 0.5], theta_rad: 0.8, scale: 1.3 };
        let transform = candidate.truth_from_map(&truth, &map, pivot).unwrap();
        assert!((transform.scale - 1.3 * 0.5 / 0.25).abs() < 1e-12, "{transform:?}");
        let pivot_in_map = map.geometry().world_of_grid_point(0.7, 2.0 - 1.2);
        let expected = truth.geometry().world_of_grid_point(2.5, 3.0 - 0.5);
        let found = transform * pivot_in_map;
        assert!((found.x_m - expected.x_m).abs() < 1e-12 && (found.y_m - expected.y_m).abs() < 1e-12);
        let back = Candidate::of(transform, &truth, &map, pivot);
        assert!((back.theta_rad - 0.8).abs() < 1e-12 && (back.scale - 1.3).abs() < 1e-12);
        assert!((back.at[0] - 2.5).abs() < 1e-12 && (back.at[1] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_inverse_leads_back() {
        let motion = Candidate { at: [2.0, 3.0], theta_rad: 2.2, scale: 0.6 }.motion([5.0, -1.0]);
        let [x, y] = motion.inverse().apply(motion.apply([7.0, 4.0]));
        assert!((x - 7.0).abs() < 1e-12 && (y - 4.0).abs() < 1e-12);
    }
}
