//! Polynomial warp (R-WARP; Pellenz, IV-F, eq. 8): what remains of a mismatch if the map may bend, and how much it must.
//!
//! ```text
//! φ(p) = z + Σ over u + v ≤ D of b_uv ξ^u η^v,   z = R p + t
//! penalty = sqrt(Σ over degrees d of ω_d |b_d|²),   ω = (0, 0.25, 1, 1)
//! ```
//!
//! Read literally, the paper's |b| punishes the identity and plain translation too; so the best rigid motion comes first,
//! and b describes the displacement that it leaves. (ξ, η) are the moved points, centred on their bounding box and
//! divided by its half diagonal: coefficients are metres, and do not depend on the frame the map was drawn in.

use model::{Point2, Similarity2};

use crate::closed_form::{Motion, PointPair, fit};

pub const MAX_DEGREE: usize = 3;
/// Number of terms of that degree and those below.
const ALL_TERMS: usize = (MAX_DEGREE + 1) * (MAX_DEGREE + 2) / 2;
/// Weights of the degrees 0 to 3 in the penalty: the paper suggests to be milder with linear terms.
pub const DEGREE_WEIGHTS: [f64; MAX_DEGREE + 1] = [0.0, 0.25, 1.0, 1.0];

/// Exponents (u, v) of the terms up to a degree, lower degrees first.
fn exponents(degree: usize) -> Vec<(usize, usize)> {
    (0..=degree).flat_map(|d| (0..=d).map(move |v| (d - v, v))).collect()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Warp {
    /// The rigid motion that comes first.
    pub rigid: Similarity2,
    /// Degree of the polynomial.
    pub degree: usize,
    /// Coefficients (x, y) in metres, in the order of [`exponents`].
    coefficients: Vec<(f64, f64)>,
    center: Point2,
    half_diagonal_m: f64,
    /// Root mean square distance of the pairs after the rigid motion, metres.
    pub rigid_rms_m: f64,
    /// The same after the warp.
    pub rms_m: f64,
}

/// The largest degree, not above the one asked for, with fewer coefficients per axis than there are pairs. A
/// polynomial with more of them goes through every point and proves nothing.
pub fn supported_degree(pairs: usize, asked: usize) -> usize {
    let enough = |degree: &usize| pairs > exponents(*degree).len();
    (0..=asked.min(MAX_DEGREE)).rev().find(enough).unwrap_or(0)
}

/// Fits a warp of this degree (at most 3); see [`supported_degree`].
///
/// None with fewer than two pairs.
pub fn fit_warp(pairs: &[PointPair], degree: usize) -> Option<Warp> {
    let rigid = (pairs.len() >= 2).then(|| fit(pairs, Motion::Rigid)).flatten()?;
    let degree = degree.min(MAX_DEGREE);
    let moved: Vec<Point2> = pairs.iter().map(|pair| rigid * pair.in_map).collect();
    let (center, half_diagonal_m) = frame_of(&moved);
    let left: Vec<(f64, f64)> =
        pairs.iter().zip(&moved).map(|(p, z)| (p.in_truth.x_m - z.x_m, p.in_truth.y_m - z.y_m)).collect();
    let mut warp = Warp {
        rigid,
        degree,
        coefficients: Vec::new(),
        center,
        half_diagonal_m,
        rigid_rms_m: rms(left.iter().copied()),
        rms_m: 0.0,
    };
    let terms = exponents(degree).len();
    let rows: Vec<Vec<f64>> = moved.iter().map(|&z| warp.powers(z)[..terms].to_vec()).collect();
    let axis = |of: fn(&(f64, f64)) -> f64| least_squares(rows.clone(), left.iter().map(of).collect());
    warp.coefficients = axis(|l| l.0).into_iter().zip(axis(|l| l.1)).collect();
    let remaining = pairs.iter().map(|pair| {
        let sent = warp.apply(pair.in_map);
        (pair.in_truth.x_m - sent.x_m, pair.in_truth.y_m - sent.y_m)
    });
    warp.rms_m = rms(remaining);
    Some(warp)
}

impl Warp {
    /// Where the warp sends a point of the map.
    pub fn apply(&self, in_map: Point2) -> Point2 {
        let moved = self.rigid * in_map;
        let (x_m, y_m) = self.displacement(moved);
        Point2::new(moved.x_m + x_m, moved.y_m + y_m)
    }

    /// The point of the map that the warp sends to a point of the truth: 20 rounds of fixed-point iteration, to
    /// `tolerance_m`. None where it does not settle. A function, because it is asked for every cell of a map.
    pub fn inverse(&self, tolerance_m: f64) -> impl Fn(Point2) -> Option<Point2> + '_ {
        const ROUNDS: usize = 20;
        let settled_m2 = tolerance_m * tolerance_m;
        let map_from_moved = self.rigid.inverse().function();
        move |in_truth| {
            let mut moved = in_truth;
            for _ in 0..ROUNDS {
                let (x_m, y_m) = self.displacement(moved);
                let next = Point2::new(in_truth.x_m - x_m, in_truth.y_m - y_m);
                let step_m2 = (next.x_m - moved.x_m).powi(2) + (next.y_m - moved.y_m).powi(2);
                moved = next;
                if step_m2 <= settled_m2 {
                    return Some(map_from_moved(moved));
                }
            }
            None
        }
    }

    /// Whether the warp turns the map over at this point of the map: a negative Jacobian.
    pub fn folds_at(&self, in_map: Point2) -> bool {
        const STEP_M: f64 = 1e-4;
        let at = |dx: f64, dy: f64| self.apply(Point2::new(in_map.x_m + dx, in_map.y_m + dy));
        let (left, right, below, above) =
            (at(-STEP_M, 0.0), at(STEP_M, 0.0), at(0.0, -STEP_M), at(0.0, STEP_M));
        let (xx, xy) = (right.x_m - left.x_m, above.x_m - below.x_m);
        let (yx, yy) = (right.y_m - left.y_m, above.y_m - below.y_m);
        xx * yy - xy * yx < 0.0
    }

    /// Whether the warp can turn the map over at all within a distance of the middle of its points: not if the four
    /// slopes of the displacement stay below one half, since (1 + a)(1 + d) - bc is then positive.
    pub fn may_fold_within(&self, distance_m: f64) -> bool {
        let reach = (distance_m / self.half_diagonal_m).max(1.0);
        let slope = |(u, v): (usize, usize), b: f64| {
            b.abs() * (u.max(v) as f64) * reach.powi((u + v).saturating_sub(1) as i32) / self.half_diagonal_m
        };
        let terms = || exponents(self.degree).into_iter().zip(&self.coefficients);
        let steepest = |of: fn(&(f64, f64)) -> f64| terms().map(|(term, b)| slope(term, of(b))).sum::<f64>();
        steepest(|b| b.0) >= 0.5 || steepest(|b| b.1) >= 0.5
    }

    /// The middle of the box around the points that the warp was fitted to, where the rigid motion sends them.
    pub fn center(&self) -> Point2 {
        self.center
    }

    /// Length of the coefficients of each degree, metres.
    pub fn lengths_m(&self) -> [f64; MAX_DEGREE + 1] {
        let mut squares = [0.0; MAX_DEGREE + 1];
        for ((u, v), (x, y)) in exponents(self.degree).into_iter().zip(&self.coefficients) {
            squares[u + v] += x * x + y * y;
        }
        squares.map(f64::sqrt)
    }

    /// How much the map had to bend, metres.
    pub fn penalty_m(&self, weights: &[f64; MAX_DEGREE + 1]) -> f64 {
        self.lengths_m()
            .iter()
            .zip(weights)
            .map(|(length, weight)| weight * length * length)
            .sum::<f64>()
            .sqrt()
    }

    /// The paper's |b|: the length of all coefficients of φ itself, in the coordinates that b is written in.
    pub fn literal_norm_m(&self) -> f64 {
        let mut squares = 0.0;
        for ((u, v), &(x, y)) in exponents(self.degree).into_iter().zip(&self.coefficients) {
            // φ = z + displacement, and z itself is center + half diagonal * (ξ, η).
            let (own_x, own_y) = match (u, v) {
                (0, 0) => (self.center.x_m, self.center.y_m),
                (1, 0) => (self.half_diagonal_m, 0.0),
                (0, 1) => (0.0, self.half_diagonal_m),
                _ => (0.0, 0.0),
            };
            squares += (x + own_x).powi(2) + (y + own_y).powi(2);
        }
        squares.sqrt()
    }

    fn displacement(&self, moved: Point2) -> (f64, f64) {
        let powers = self.powers(moved);
        let terms = powers.iter().zip(&self.coefficients);
        terms.fold((0.0, 0.0), |(x, y), (power, b)| (x + power * b.0, y + power * b.1))
    }

    /// The terms of all degrees at a point, in the order of [`exponents`], which is written out here: a warp is applied to
    /// every cell.
    fn powers(&self, moved: Point2) -> [f64; ALL_TERMS] {
        let x = (moved.x_m - self.center.x_m) / self.half_diagonal_m;
        let y = (moved.y_m - self.center.y_m) / self.half_diagonal_m;
        let (x2, y2) = (x * x, y * y);
        [1.0, x, y, x2, x * y, y2, x2 * x, x2 * y, x * y2, y2 * y]
    }
}

/// Middle and half diagonal of the bounding box; 1 m where all points coincide.
fn frame_of(points: &[Point2]) -> (Point2, f64) {
    let span = |of: fn(&Point2) -> f64| {
        points.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |s, v| (s.0.min(v), s.1.max(v)))
    };
    let (x, y) = (span(|p| p.x_m), span(|p| p.y_m));
    let half_m = (x.1 - x.0).hypot(y.1 - y.0) / 2.0;
    let center = Point2::new((x.0 + x.1) / 2.0, (y.0 + y.1) / 2.0);
    (center, if half_m > 0.0 { half_m } else { 1.0 })
}

fn rms(lengths: impl ExactSizeIterator<Item = (f64, f64)>) -> f64 {
    let count = lengths.len() as f64;
    (lengths.map(|(x, y)| x * x + y * y).sum::<f64>() / count).sqrt()
}

/// The least-squares solution by Householder reflections; a coefficient that the rows do not determine is 0.
fn least_squares(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    const UNDETERMINED: f64 = 1e-10;
    let columns = rows.first().map_or(0, Vec::len);
    // Columns that got a row of their own, in order.
    let mut pivots = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        let length = rows[top..].iter().map(|row| row[column].powi(2)).sum::<f64>().sqrt();
        if length <= UNDETERMINED {
            continue;
        }
        reflect(&mut rows[top..], &mut right[top..], column, length);
        pivots.push(column);
    }
    let mut solution = vec![0.0; columns];
    for (row, &column) in pivots.iter().enumerate().rev() {
        let known: f64 = (column + 1..columns).map(|c| rows[row][c] * solution[c]).sum();
        solution[column] = (right[row] - known) / rows[row][column];
    }
    solution
}

/// Mirrors all rows so that below the first one the column becomes 0.
fn reflect(rows: &mut [Vec<f64>], right: &mut [f64], column: usize, length: f64) {
    let mut normal: Vec<f64> = rows.iter().map(|row| row[column]).collect();
    normal[0] += length.copysign(normal[0]);
    let square: f64 = normal.iter().map(|n| n * n).sum();
    for c in column..rows[0].len() {
        let dot: f64 = normal.iter().zip(&*rows).map(|(n, row)| n * row[c]).sum();
        for (n, row) in normal.iter().zip(&mut *rows) {
            row[c] -= 2.0 * dot / square * n;
        }
    }
    let dot: f64 = normal.iter().zip(&*right).map(|(n, r)| n * r).sum();
    for (n, r) in normal.iter().zip(right) {
        *r -= 2.0 * dot / square * n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3 x 3 points at -2, 0, 2 as the truth, and where a map has them.
    fn pairs(in_map: impl Fn(f64, f64) -> (f64, f64)) -> Vec<PointPair> {
        let places = [-2.0, 0.0, 2.0];
        let all = places.iter().flat_map(|&x| places.map(move |y| (x, y)));
        let pair = |(x, y): (f64, f64)| {
            let (u, v) = in_map(x, y);
            PointPair { in_map: Point2::new(u, v), in_truth: Point2::new(x, y) }
        };
        all.map(pair).collect()
    }

    #[track_caller]
    fn nearly(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
    }

    #[test]
    fn e7_radial_distortion() {
        let pairs = pairs(|x, y| {
            let stretch = 1.0 + 0.02 * (x * x + y * y);
            (x * stretch, y * stretch)
        });
        for (degree, rms_m) in [(1, 0.076804), (2, 0.076804), (3, 0.0)] {
            let warp = fit_warp(&pairs, degree).unwrap();
            nearly(warp.rigid_rms_m, 0.32, 5e-3);
            nearly(warp.rms_m, rms_m, 5e-7);
        }
        let lengths = fit_warp(&pairs, 2).unwrap().lengths_m();
        for (length, expected) in lengths.iter().zip([0.0, 0.550411, 0.0]) {
            nearly(*length, expected, 5e-7);
        }
        nearly(fit_warp(&pairs, 2).unwrap().penalty_m(&DEGREE_WEIGHTS), 0.550411 / 2.0, 5e-7);
    }

    #[test]
    fn a_degree_needs_more_pairs_than_coefficients_per_axis() {
        let degrees = [2, 3, 4, 6, 7, 10, 11].map(|pairs| supported_degree(pairs, 3));
        assert_eq!(degrees, [0, 0, 1, 1, 2, 2, 3]);
        assert_eq!(supported_degree(100, 2), 2);
    }

    #[test]
    fn e8_a_stretched_map() {
        let pairs = pairs(|x, y| (1.05 * x + 1.0, y - 0.5));
        let warp = fit_warp(&pairs, 1).unwrap();
        nearly(warp.rigid_rms_m, 0.081650, 5e-7);
        nearly(warp.rms_m, 0.0, 1e-12);
        for (length, expected) in fit_warp(&pairs, 2).unwrap().lengths_m().iter().zip([0.0, 0.138095, 0.0]) {
            nearly(*length, expected, 5e-7);
        }
    }

    #[test]
    fn a_rigid_motion_costs_nothing_and_the_printed_form_punishes_it() {
        let (sin, cos) = 0.7_f64.sin_cos();
        let warp = fit_warp(&pairs(|x, y| (cos * x - sin * y + 30.0, sin * x + cos * y)), 2).unwrap();
        nearly(warp.penalty_m(&DEGREE_WEIGHTS), 0.0, 1e-9);
        assert!(warp.literal_norm_m() > 1.0);
    }

    #[test]
    fn the_way_back_ends_where_it_began_and_folds_are_seen() {
        let warp = fit_warp(&pairs(|x, y| (x + 0.05 * x * y, y + 0.03 * x * x)), 2).unwrap();
        let start = Point2::new(1.3, -0.7);
        let back = warp.inverse(1e-9)(warp.apply(start)).unwrap();
        nearly(back.x_m, start.x_m, 1e-6);
        nearly(back.y_m, start.y_m, 1e-6);
        assert!(!warp.folds_at(start) && !warp.may_fold_within(0.5));
        let folded = fit_warp(&pairs(|x, y| (x, if y > 1.0 { 0.5 } else { y })), 2).unwrap();
        assert!((-60..60).any(|k| folded.folds_at(Point2::new(0.0, f64::from(k) / 10.0))));
        assert!(folded.may_fold_within(6.0));
    }

    #[test]
    fn points_on_a_line_leave_the_other_direction_alone() {
        let line: Vec<PointPair> = (0..8)
            .map(|k| PointPair {
                in_map: Point2::new(f64::from(k), 0.0),
                in_truth: Point2::new(1.1 * f64::from(k), 0.0),
            })
            .collect();
        let warp = fit_warp(&line, 2).unwrap();
        nearly(warp.rms_m, 0.0, 1e-9);
        assert!(fit_warp(&line[..1], 2).is_none());
    }
}
