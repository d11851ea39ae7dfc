//! How well straight lines explain points, to tell arcs from walls and corners.

/// Sums over points from which the best line follows.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Moments {
    fn add(mut self, [x, y]: [f64; 2], weight: f64) -> Self {
        self.count += weight;
        self.x += weight * x;
        self.y += weight * y;
        self.xx += weight * x * x;
        self.yy += weight * y * y;
        self.xy += weight * x * y;
        self
    }

    fn of(points: &[[f64; 2]]) -> Self {
        points.iter().fold(Self::default(), |sums, &point| sums.add(point, 1.0))
    }

    /// Sum of the squared distances from the best line: the smaller eigenvalue of the scatter.
    fn squared_from_line(self) -> f64 {
        let xx = self.xx - self.x * self.x / self.count;
        let yy = self.yy - self.y * self.y / self.count;
        let xy = self.xy - self.x * self.y / self.count;
        (0.5 * (xx + yy - ((xx - yy).powi(2) + 4.0 * xy * xy).sqrt())).max(0.0)
    }
}

/// Root mean square distance of points from the best straight line.
pub(super) fn line_rms(points: &[[f64; 2]]) -> f64 {
    if points.is_empty() {
        return 0.0;
    }
    (Moments::of(points).squared_from_line() / points.len() as f64).sqrt()
}

/// Root mean square distance of a chain of points from its best split into two straight lines; 0 for fewer than six
/// points, which two lines explain anyhow.
pub(super) fn two_line_rms(points: &[[f64; 2]]) -> f64 {
    if points.len() < 6 {
        return 0.0;
    }
    let (mut left, mut right) = (Moments::of(&points[..2]), Moments::of(&points[2..]));
    let mut best = f64::INFINITY;
    for &point in &points[2..points.len() - 3] {
        (left, right) = (left.add(point, 1.0), right.add(point, -1.0));
        best = best.min(left.squared_from_line() + right.squared_from_line());
    }
    (best / points.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_and_on_a_corner() {
        let line: Vec<_> = (0..7).map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
        assert!(line_rms(&line) < 1e-6);
        let corner: Vec<_> = (-5..=5).map(|i: i32| [f64::from(i.min(0)), f64::from(i.max(0))]).collect();
        assert!(two_line_rms(&corner) < 1e-6);
        assert!(line_rms(&corner) > 1.0);
    }

    #[test]
    fn two_points_beside_a_line() {
        // (0,0), (1,1), (2,0), (3,1): the best line is the diagonal-free y = 0.2 x + 0.2 or close to it.
        let points = [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]];
        // Scatter: xx = 5, yy = 1, xy = 1; smaller eigenvalue 3 - sqrt(5).
        assert!((line_rms(&points) - ((3.0 - 5.0_f64.sqrt()) / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(two_line_rms(&points), 0.0);
    }
}
