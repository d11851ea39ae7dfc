//! Moves a circle onto its outline by robust least squares.

use super::Padded;
use super::rays::{Meets, look};

/// Rounds of the fit; it converges in three or four.
const ROUNDS: usize = 4;
/// Residuals of this many cells count half.
const ROBUST_CELLS: f64 = 0.5;
/// How strongly the radius is held, as a share of the number of rays.
const RADIUS_PRIOR: f64 = 0.2;
/// How strongly the centre is held, in rays: an arc hardly fixes it across its chord.
const CENTER_PRIOR: f64 = 1.0;
/// A candidate that moves further than this is another one.
const MAX_MOVE_CELLS: f32 = 2.5;
const MAX_RADIUS_CHANGE_CELLS: f32 = 0.75;
/// Share of the rays that must meet the outline in each round: less than an arc of 120 degrees.
const MIN_SHARE: f64 = 0.28;
/// A round that moves the circle by less than this many cells is the last.
const SETTLED_CELLS: f64 = 0.03;

/// A circle in the padded mask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub x: f32,
    pub y: f32,
    pub radius: f32,
}

/// The circle near a first guess that fits the outline best, or none if the guess runs away.
pub(super) fn refine(mask: &Padded, guess: Fit, directions: &[[f32; 2]]) -> Option<Fit> {
    let mut fit = guess;
    for _ in 0..ROUNDS {
        let rays = look(mask, fit.x, fit.y, fit.radius, directions);
        let outline = rays.iter().filter(|ray| ray.meets == Meets::Outline);
        let points: Vec<([f32; 2], f32)> = outline.map(|ray| (ray.direction, ray.offset)).collect();
        if (points.len() as f64) < MIN_SHARE * rays.len() as f64 {
            return None;
        }
        let [dx, dy, dr] = correction(&points, f64::from(fit.radius - guess.radius))?;
        fit = Fit { x: fit.x + dx as f32, y: fit.y + dy as f32, radius: fit.radius + dr as f32 };
        let moved = (fit.x - guess.x).hypot(fit.y - guess.y);
        // Written so that a value that is not a number is refused too.
        let is_near = moved <= MAX_MOVE_CELLS && (fit.radius - guess.radius).abs() <= MAX_RADIUS_CHANGE_CELLS;
        if !is_near {
            return None;
        }
        if dx.abs() + dy.abs() + dr.abs() < SETTLED_CELLS {
            break;
        }
    }
    Some(fit)
}

/// Change of centre and radius: an offset e along direction u is explained by u . dc + dr.
fn correction(points: &[([f32; 2], f32)], radius_change: f64) -> Option<[f64; 3]> {
    let mut normal = [[0.0; 3]; 3];
    let mut right = [0.0; 3];
    for &([x, y], offset) in points {
        let (row, e) = ([f64::from(x), f64::from(y), 1.0], f64::from(offset));
        let weight = 1.0 / (1.0 + (e / ROBUST_CELLS).powi(2));
        for i in 0..3 {
            for j in 0..3 {
                normal[i][j] += weight * row[i] * row[j];
            }
            right[i] += weight * row[i] * e;
        }
    }
    let prior = RADIUS_PRIOR * points.len() as f64;
    normal[0][0] += CENTER_PRIOR;
    normal[1][1] += CENTER_PRIOR;
    normal[2][2] += prior;
    right[2] -= prior * radius_change;
    solve(normal, right)
}

/// Cramer's rule for three unknowns.
fn solve(matrix: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&matrix);
    let unknown = |column: usize| {
        let mut replaced = matrix;
        for (row, value) in replaced.iter_mut().zip(right) {
            row[column] = value;
        }
        determinant(&replaced) / whole
    };
    (whole.abs() > 1e-9).then(|| [unknown(0), unknown(1), unknown(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_equations_with_a_known_answer() {
        let matrix = [[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 0.0, 4.0]];
        assert_eq!(solve(matrix, [4.0, 6.0, 9.0]), Some([1.0, 2.0, 2.0]));
        assert_eq!(solve([[1.0; 3]; 3], [1.0; 3]), None);
    }
}
