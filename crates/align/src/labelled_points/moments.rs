//! Sums from which the residual of the best rigid fit follows without the fit itself.
//!
//! ```text
//! Σ |b - R a - t|²  at its least  =  A + B - 2 sqrt(dot² + cross²)      a, b centred on their means
//! ```
//!
//! The residual never falls when a pair is added, which is what the search rests on.

use crate::closed_form::PointPair;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    count: f64,
    map: [f64; 2],
    truth: [f64; 2],
    map_squared: f64,
    truth_squared: f64,
    dot: f64,
    cross: f64,
}

impl Moments {
    /// The same sums with one pair more.
    pub(super) fn with(&self, PointPair { in_map: a, in_truth: b }: PointPair) -> Self {
        Self {
            count: self.count + 1.0,
            map: [self.map[0] + a.x_m, self.map[1] + a.y_m],
            truth: [self.truth[0] + b.x_m, self.truth[1] + b.y_m],
            map_squared: self.map_squared + a.x_m * a.x_m + a.y_m * a.y_m,
            truth_squared: self.truth_squared + b.x_m * b.x_m + b.y_m * b.y_m,
            dot: self.dot + a.x_m * b.x_m + a.y_m * b.y_m,
            cross: self.cross + a.x_m * b.y_m - a.y_m * b.x_m,
        }
    }

    /// Sum of the squared distances under the best rotation and translation.
    pub(super) fn residual_squares(&self) -> f64 {
        if self.count == 0.0 {
            return 0.0;
        }
        let ([ax, ay], [bx, by]) = (self.map, self.truth);
        let dot = self.dot - (ax * bx + ay * by) / self.count;
        let cross = self.cross - (ax * by - ay * bx) / self.count;
        let truth_squares = self.truth_squared - (bx * bx + by * by) / self.count;
        (self.map_squares() + truth_squares - 2.0 * dot.hypot(cross)).max(0.0)
    }

    /// Sum of the squared distances of the map's points from their middle.
    pub(super) fn map_squares(&self) -> f64 {
        if self.count == 0.0 {
            return 0.0;
        }
        let [ax, ay] = self.map;
        (self.map_squared - (ax * ax + ay * ay) / self.count).max(0.0)
    }

    /// Sum of the squares of all coordinates: below about 1e-12 of it a residual is rounding.
    pub(super) fn magnitude(&self) -> f64 {
        self.map_squared + self.truth_squared
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;
    use crate::closed_form::{Motion, fit, rms_m};

    #[test]
    fn equals_the_residual_of_the_fit_and_never_falls() {
        let mut random = testkit::Random(7);
        let mut place = || Point2::new(random.below(900) as f64 / 100.0, random.below(900) as f64 / 100.0);
        let pairs: Vec<PointPair> =
            (0..8).map(|_| PointPair { in_map: place(), in_truth: place() }).collect();
        let (mut moments, mut before) = (Moments::default(), 0.0);
        for count in 1..=pairs.len() {
            moments = moments.with(pairs[count - 1]);
            let some = &pairs[..count];
            let expected = rms_m(some, fit(some, Motion::Rigid).unwrap()).unwrap().powi(2) * count as f64;
            assert!((moments.residual_squares() - expected).abs() < 1e-9, "{count}");
            assert!(moments.residual_squares() >= before - 1e-9);
            before = moments.residual_squares();
        }
    }
}
