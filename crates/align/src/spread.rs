//! How finely the walls fix a candidate: the covariance of the rigid motion that the matched walls leave.
//!
//! ```text
//! H = Σ matched walls J Jᵀ,  J = (n_x, n_y, n · (p - pivot turned by 90°)),   covariance = σ² H⁻¹
//! ```
//!
//! n is the normal of the wall at p, σ the root mean square distance of the matched walls, at least that of
//! rounding to a cell. Wall cells are taken as independent, so the true spread is larger; the directions and their
//! proportions are what to read. A corridor shows as a long axis along it.

use crate::candidate::Candidate;
use crate::wall_score::WallScore;

/// What remains of the freedom of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// Of x, y in metres (y up) and theta in radians; none if the walls fix no candidate.
    pub(crate) covariance: Option<[[f64; 3]; 3]>,
    /// Root mean square distance of the matched walls in metres.
    pub(crate) residual_m: f64,
}

/// Cells around a wall cell from which its normal is taken.
const NORMAL_RADIUS: isize = 3;

/// The spread of a candidate; none if no wall is matched.
pub(crate) fn spread(score: &WallScore, candidate: &Candidate, metres_per_cell: f64) -> Option<Spread> {
    let motion = candidate.motion(score.pivot);
    let (walls, share) = score.sample(score.map);
    let mut information = [[0.0; 3]; 3];
    let (mut squares, mut matched) = (0.0, 0.0);
    for &wall in walls {
        let there = motion.apply(wall);
        let Some(distance) = score.truth.distance(there).filter(|&distance| distance <= score.tol_cells)
        else {
            continue;
        };
        squares += distance * distance;
        matched += 1.0;
        let Some(normal) = normal(score, wall) else {
            continue;
        };
        // Turned into the truth, y up, lever arm about the pivot's place.
        let (sin, cos) = candidate.theta_rad.sin_cos();
        let n = [cos * normal[0] - sin * normal[1], -(sin * normal[0] + cos * normal[1])];
        let arm =
            [(there[0] - candidate.at[0]) * metres_per_cell, -(there[1] - candidate.at[1]) * metres_per_cell];
        let row = [n[0], n[1], n[1] * arm[0] - n[0] * arm[1]];
        for (line, a) in information.iter_mut().zip(row) {
            line.iter_mut().zip(row).for_each(|(sum, b)| *sum += a * b / share);
        }
    }
    let rounding = (score.truth.pooled.factor as f64).powi(2) / 12.0;
    let variance = (squares / matched).max(rounding) * metres_per_cell * metres_per_cell;
    let covariance = inverse(&information).map(|inverse| inverse.map(|row| row.map(|v| v * variance)));
    (matched > 0.0).then(|| Spread { covariance, residual_m: (squares / matched).sqrt() * metres_per_cell })
}

/// Unit normal of the wall through a cell: the short axis of the occupied cells around it; none for a blob.
fn normal(score: &WallScore, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
    let pooled = &score.map.pooled;
    let column = ((x - pooled.corner.0 as f64) / pooled.factor as f64) as isize;
    let row = ((y - pooled.corner.1 as f64) / pooled.factor as f64) as isize;
    let occupied = |dx: isize, dy: isize| {
        let (column, row) = (column + dx, row + dy);
        let inside =
            column >= 0 && row >= 0 && column < pooled.width as isize && row < pooled.height as isize;
        inside && pooled.classes[row as usize * pooled.width + column as usize] == 2
    };
    let (mut count, mut sx, mut sy, mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for dy in -NORMAL_RADIUS..=NORMAL_RADIUS {
        for dx in -NORMAL_RADIUS..=NORMAL_RADIUS {
            if occupied(dx, dy) {
                let (dx, dy) = (dx as f64, dy as f64);
                (count, sx, sy) = (count + 1.0, sx + dx, sy + dy);
                (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
            }
        }
    }
    let (xx, xy, yy) = (xx - sx * sx / count, xy - sx * sy / count, yy - sy * sy / count);
    let difference = ((xx - yy) / 2.0).hypot(xy);
    let mean = f64::midpoint(xx, yy);
    if difference < 0.5 * mean || mean == 0.0 {
        return None;
    }
    // Direction of the long axis, turned by 90 degrees.
    let along = 0.5 * (2.0 * xy).atan2(xx - yy);
    Some([-along.sin(), along.cos()])
}

/// Inverse of a symmetric matrix; none if it is singular.
fn inverse(m: &[[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let minor = |i: usize, j: usize| {
        let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant = (0..3).map(|j| m[0][j] * minor(0, j)).sum::<f64>();
    let size = m[0][0] * m[1][1] * m[2][2];
    (determinant > 1e-9 * size && size > 0.0)
        .then(|| std::array::from_fn(|i| std::array::from_fn(|j| minor(j, i) / determinant)))
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;
    use crate::{Allowance, levels::Levels};

    fn spread_of(rows: &[&str]) -> Spread {
        let map = grid(rows);
        let levels =
            Levels::new(&Allowance { tol_m: Some(2.0), ..Allowance::default() }, &map, &map).unwrap();
        let candidate = Candidate { at: levels.pivot, theta_rad: 0.0, scale: 1.0 };
        spread(&levels.fine(usize::MAX), &candidate, 1.0).unwrap()
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let m = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]];
        let inverse = inverse(&m).unwrap();
        for (i, row) in m.iter().enumerate() {
            for (j, column) in [0, 1, 2].map(|j| inverse.map(|line| line[j])).iter().enumerate() {
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        assert_eq!(super::inverse(&[[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), None);
    }

    #[test]
    fn one_wall_fixes_no_frame_and_a_corner_does() {
        let wall = spread_of(&["..........", "##########", ".........."]);
        assert_eq!((wall.covariance, wall.residual_m), (None, 0.0));
        let corner = spread_of(&["##########", "#.........", "#.........", "#.........", "#........."]);
        let covariance = corner.covariance.unwrap();
        assert!(covariance[0][0] > covariance[1][1], "the short wall says less about x: {covariance:?}");
    }
}
