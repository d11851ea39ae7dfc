//! The cells that support a circle, and the centre that fits them best.

use std::f64::consts::TAU;

use super::padded::Padded;

/// Rounds of the Gauss-Newton fit of a centre.
const ROUNDS: usize = 10;

/// Cells near a circle, row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct Support {
    /// Positions in the mask, ascending.
    pub cells: Vec<usize>,
    pub points: Vec<[f64; 2]>,
}

impl Support {
    /// Set cells within `tolerance` of the circle whose direction is wanted.
    pub fn collect(
        mask: &Padded,
        [x, y]: [f64; 2],
        radius: f64,
        tolerance: f64,
        is_wanted: impl Fn(f64) -> bool,
    ) -> Self {
        let outer = radius + tolerance + 1.0;
        let span = |middle: f64, side: usize| {
            (middle - outer).max(0.0) as usize..((middle + outer).max(0.0) as usize + 1).min(side)
        };
        let mut support = Self::default();
        for row in span(y, mask.height()) {
            for column in span(x, mask.stride) {
                let cell = row * mask.stride + column;
                let point = [column as f64 + 0.5, row as f64 + 0.5];
                let is_near = || ((point[0] - x).hypot(point[1] - y) - radius).abs() <= tolerance;
                if mask.cells[cell] == 1 && is_near() && is_wanted(angle_of(point, [x, y])) {
                    support.cells.push(cell);
                    support.points.push(point);
                }
            }
        }
        support
    }

    /// Root mean square distance of the cells from a circle; none without cells.
    pub fn rms_from(&self, center: [f64; 2], radius: f64) -> Option<f64> {
        let squares = self.points.iter().map(|&point| (distance(point, center) - radius).powi(2));
        (!self.points.is_empty()).then(|| (squares.sum::<f64>() / self.points.len() as f64).sqrt())
    }

    /// Directions of the cells from a centre, ascending from 0.
    pub fn angles(&self, center: [f64; 2]) -> Vec<f64> {
        let mut angles: Vec<f64> = self.points.iter().map(|&point| angle_of(point, center)).collect();
        angles.sort_by(f64::total_cmp);
        angles
    }

    /// Number of cells that both have.
    pub fn shared_with(&self, other: &Self) -> usize {
        self.cells.iter().filter(|cell| other.cells.binary_search(cell).is_ok()).count()
    }
}

/// Direction of a point from a centre, counter-clockwise as seen in the image, in [0, 2 pi).
pub(super) fn angle_of(point: [f64; 2], center: [f64; 2]) -> f64 {
    (center[1] - point[1]).atan2(point[0] - center[0]).rem_euclid(TAU)
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The centre that minimises the squares of |p - c| - r for a fixed radius; none if the points do not determine it.
pub(super) fn fit_center(points: &[[f64; 2]], start: [f64; 2], radius: f64) -> Option<[f64; 2]> {
    let mut center = start;
    for _ in 0..ROUNDS {
        let (mut xx, mut yy, mut xy, mut bx, mut by) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &point in points {
            let away = distance(point, center).max(1e-9);
            let (ux, uy) = ((point[0] - center[0]) / away, (point[1] - center[1]) / away);
            let residual = away - radius;
            xx += ux * ux;
            yy += uy * uy;
            xy += ux * uy;
            bx += ux * residual;
            by += uy * residual;
        }
        let determinant = xx * yy - xy * xy;
        if determinant <= 1e-6 {
            return None;
        }
        let (dx, dy) = ((bx * yy - by * xy) / determinant, (by * xx - bx * xy) / determinant);
        center = [center[0] + dx, center[1] + dy];
        if dx.abs() + dy.abs() < 1e-6 {
            break;
        }
    }
    // A fit that leaves its neighbourhood has found something else.
    (distance(center, start) <= radius).then_some(center)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_of_points_on_a_circle_is_found_from_beside() {
        let points: Vec<_> =
            (0..10).map(|i| f64::from(i) * 0.3).map(|a| [3.0 + 6.0 * a.cos(), 4.0 + 6.0 * a.sin()]).collect();
        let center = fit_center(&points, [4.0, 3.0], 6.0).unwrap();
        assert!(distance(center, [3.0, 4.0]) < 1e-6, "{center:?}");
    }

    #[test]
    fn two_equal_points_determine_nothing() {
        assert_eq!(fit_center(&[[1.0, 0.0], [1.0, 0.0]], [0.0, 0.0], 1.0), None);
    }

    #[test]
    fn directions_turn_as_seen_in_the_picture() {
        assert!((angle_of([0.0, -1.0], [0.0, 0.0]) - TAU / 4.0).abs() < 1e-12, "up is a quarter turn");
    }
}
