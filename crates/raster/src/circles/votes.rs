//! Candidates for centres: edge cells vote along their normals.

use super::Padded;
use super::edges::EdgeCell;
use super::padded::{fixed, marked};
use crate::dispatch::dispatched;

/// A place that may be a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub x: u32,
    pub y: u32,
}

/// Directions of the fan around a normal: cosine and sine of -8 and 8 degrees.
const FAN: [[f32; 2]; 2] = [[0.990_268, -0.139_173], [0.990_268, 0.139_173]];

/// Local maxima of the votes, summed over 3 x 3 cells, with at least `min_votes`, in row-major order.
pub(super) fn candidates(mask: &Padded, edges: &[EdgeCell], radii: &[f64], min_votes: u32) -> Vec<Candidate> {
    let votes = cast(mask, edges, radii);
    let least = u16::try_from(min_votes.max(1)).unwrap_or(u16::MAX);
    // Sums of three rows at a time: a plane of them would only be written and read once.
    let mut sums = [(); 3].map(|()| vec![0_u16; mask.stride]);
    let rows = mask.rows();
    sum_around(&votes, mask.stride, rows.start - 1, &mut sums[0]);
    sum_around(&votes, mask.stride, rows.start, &mut sums[1]);
    let (mut found, mut is_peak) = (Vec::new(), vec![0; mask.stride]);
    for y in rows {
        sum_around(&votes, mask.stride, y + 1, &mut sums[2]);
        let [above, here, below] = &sums;
        mark_peaks(above, here, below, least, &mut is_peak);
        let places = marked(&is_peak, mask.columns()).map(|x| Candidate { x: x as u32, y: y as u32 });
        found.extend(places);
        sums.rotate_left(1);
    }
    found
}

dispatched! {
    /// Marks by 1 where no neighbour has more votes, and none before it in row-major order as many. No branch, so that a row is
    /// compared many cells at a time.
    fn mark_peaks(above: &[u16], here: &[u16], below: &[u16], least: u16, is_peak: &mut [u8]) = mark_peaks_kernel;
}
dispatched! {
    /// Sums of three by three cells around each cell of a row but its first and last.
    fn sum_rows(above: &[u16], here: &[u16], below: &[u16], sums: &mut [u16]) = sum_rows_kernel;
}

#[inline(always)]
fn sum_rows_kernel(above: &[u16], here: &[u16], below: &[u16], sums: &mut [u16]) {
    let columns = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
    for (sum, ((above, here), below)) in sums[1..].iter_mut().zip(columns) {
        let column = |x: usize| above[x].saturating_add(here[x]).saturating_add(below[x]);
        *sum = column(0).saturating_add(column(1)).saturating_add(column(2));
    }
}

#[inline(always)]
fn mark_peaks_kernel(above: &[u16], here: &[u16], below: &[u16], least: u16, is_peak: &mut [u8]) {
    let columns = above.windows(3).zip(here.windows(3)).zip(below.windows(3));
    for (mark, ((above, around), below)) in is_peak[1..].iter_mut().zip(columns) {
        let here = around[1];
        let before = (above[0] < here) & (above[1] < here) & (above[2] < here) & (around[0] < here);
        let after = (around[2] <= here) & (below[0] <= here) & (below[1] <= here) & (below[2] <= here);
        *mark = u8::from((here >= least) & before & after);
    }
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
                    let vote = &mut votes[mask.index_of_fixed(column, row)];
                    *vote = vote.saturating_add(1);
                    (column, row) = (column + right, row + down);
                }
            }
        }
    }
    votes
}

/// Sums over 3 x 3 cells around each cell of a row but its first and last.
fn sum_around(votes: &[u16], stride: usize, y: usize, sums: &mut [u16]) {
    let [above, here, below] = [y - 1, y, y + 1].map(|row| &votes[row * stride..][..stride]);
    sum_rows(above, here, below, sums);
}
