//! Candidates for centres: edge cells vote along their normals.

use super::Padded;
use super::edges::EdgeCell;
use super::padded::fixed;

/// A place that may be a centre, with the votes it got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub x: u32,
    pub y: u32,
    pub votes: u32,
}

/// Directions of the fan around a normal: cosine and sine of -8 and 8 degrees.
const FAN: [[f32; 2]; 2] = [[0.990_268, -0.139_173], [0.990_268, 0.139_173]];

/// Local maxima of the votes, summed over 3 x 3 cells, with at least `min_votes`, in row-major order.
pub(super) fn candidates(mask: &Padded, edges: &[EdgeCell], radii: &[f64], min_votes: u32) -> Vec<Candidate> {
    let votes = summed(&cast(mask, edges, radii), mask.stride);
    let stride = mask.stride;
    let mut found = Vec::new();
    for y in mask.rows() {
        for x in mask.columns() {
            let here = votes[y * stride + x];
            if u32::from(here) < min_votes {
                continue;
            }
            let beats = |dx: isize, dy: isize| {
                let there = votes[(y * stride + x).wrapping_add_signed(dy * stride as isize + dx)];
                // Of equal neighbours the first in row-major order wins.
                if (dy, dx) < (0, 0) { here > there } else { here >= there }
            };
            let is_peak = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
                .iter()
                .all(|&(dx, dy)| beats(dx, dy));
            if is_peak {
                found.push(Candidate { x: x as u32, y: y as u32, votes: u32::from(here) });
            }
        }
    }
    found
}

fn cast(mask: &Padded, edges: &[EdgeCell], radii: &[f64]) -> Vec<u16> {
    let mut votes = vec![0_u16; mask.cells.len()];
    let smallest = radii[0] as f32;
    for edge in edges {
        let [nx, ny] = edge.normal;
        let (x, y) = (edge.x as f32 + 0.5, edge.y as f32 + 0.5);
        for [cos, sin] in FAN {
            let (dx, dy) = (cos * nx - sin * ny, sin * nx + cos * ny);
            for side in [1.0, -1.0] {
                let (dx, dy) = (side * dx, side * dy);
                let (mut column, mut row) = (fixed(x + smallest * dx), fixed(y + smallest * dy));
                let (right, down) = (fixed(dx), fixed(dy));
                for _ in radii {
                    votes[mask.index_of_fixed(column, row)] += 1;
                    (column, row) = (column + right, row + down);
                }
            }
        }
    }
    votes
}

/// Sums over 3 x 3 cells.
fn summed(votes: &[u16], stride: usize) -> Vec<u16> {
    let mut along = vec![0_u16; votes.len()];
    for (to, from) in along[1..].iter_mut().zip(votes.windows(3)) {
        *to = from[0] + from[1] + from[2];
    }
    let mut sums = vec![0_u16; votes.len()];
    for y in 1..votes.len() / stride - 1 {
        let row = |y: usize| &along[y * stride..][..stride];
        let (above, here, below) = (row(y - 1), row(y), row(y + 1));
        for (x, to) in sums[y * stride..][..stride].iter_mut().enumerate() {
            *to = above[x] + here[x] + below[x];
        }
    }
    sums
}
