//! Edge cells of a mask with the direction of their normal.

use super::Padded;
use super::padded::marked;
use crate::dispatch::dispatched;

/// An occupied cell beside one that is not, and the unit normal there (modulo 180 degrees).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeCell {
    pub x: u32,
    pub y: u32,
    pub normal: [f32; 2],
}

/// Cells whose surroundings have no common direction do not vote: the coherence of the structure tensor, 0 to 1.
const MIN_COHERENCE: f32 = 0.2;
/// Binomial weights: a Gaussian of one cell.
const WEIGHTS: [i32; 5] = [1, 4, 6, 4, 1];

/// Rows that are smoothed together; their planes stay in the cache.
const BAND_ROWS: usize = 32;
/// Rows beyond a band from which its normals are made: two for the smoothing after the gradient.
const HALO_ROWS: usize = 2;

/// All edge cells with a direction, row by row. The margin of the mask must have at least five cells.
pub(super) fn edge_cells(mask: &Padded) -> Vec<EdgeCell> {
    let mut cells = Vec::new();
    let mut gradients = Gradients::new(mask.stride);
    let rows = mask.rows();
    let mut is_edge = vec![0; mask.stride];
    for top in rows.clone().step_by(BAND_ROWS) {
        let band = top..(top + BAND_ROWS).min(rows.end);
        gradients.fill(mask, top - HALO_ROWS, band.len() + 2 * HALO_ROWS);
        for y in band {
            mask.mark_edges(y, &mut is_edge);
            for x in marked(&is_edge, mask.columns()) {
                let normal = gradients.normal_at(x, y - top + HALO_ROWS);
                cells.extend(normal.map(|normal| EdgeCell { x: x as u32, y: y as u32, normal }));
            }
        }
    }
    cells
}

/// Gradient of the smoothed mask in a band of rows.
struct Gradients {
    stride: usize,
    along: Vec<i16>,
    smooth: Vec<i16>,
    right: Vec<i16>,
    down: Vec<i16>,
}

impl Gradients {
    fn new(stride: usize) -> Self {
        let plane = |rows: usize| vec![0; stride * rows];
        let rows = BAND_ROWS + 2 * HALO_ROWS;
        Self {
            stride,
            along: plane(rows + 6),
            smooth: plane(rows + 2),
            right: plane(rows),
            down: plane(rows),
        }
    }

    /// Computes `count` rows from row `first` of the mask.
    fn fill(&mut self, mask: &Padded, first: usize, count: usize) {
        let Self { stride, along, smooth, right, down } = self;
        let stride = *stride;
        let source = mask.cells[(first - 3) * stride..].chunks(stride);
        for (from, to) in source.zip(along.chunks_mut(stride)).take(count + 6) {
            smooth_along(from, to);
        }
        for (row, to) in smooth.chunks_mut(stride).take(count + 2).enumerate() {
            smooth_across(&along[row * stride..][..5 * stride], to);
        }
        for row in 0..count {
            let start = row * stride;
            differences(
                &smooth[start..][..3 * stride],
                &mut right[start..][..stride],
                &mut down[start..][..stride],
            );
        }
    }

    /// The main axis of the structure tensor, or none where there is none.
    fn normal_at(&self, x: usize, y: usize) -> Option<[f32; 2]> {
        let (mut xx, mut yy, mut xy) = (0_i64, 0_i64, 0_i64);
        for (row, wy) in WEIGHTS.iter().enumerate() {
            let start = (y + row - 2) * self.stride + x - 2;
            let (right, down) = (&self.right[start..start + 5], &self.down[start..start + 5]);
            let (mut row_xx, mut row_yy, mut row_xy) = (0, 0, 0);
            for ((&right, &down), w) in right.iter().zip(down).zip(WEIGHTS) {
                let (right, down) = (i32::from(right), i32::from(down));
                row_xx += w * right * right;
                row_yy += w * down * down;
                row_xy += w * right * down;
            }
            xx += i64::from(wy * (row_xx >> 4));
            yy += i64::from(wy * (row_yy >> 4));
            xy += i64::from(wy * (row_xy >> 4));
        }
        main_axis(xx as f32, yy as f32, xy as f32)
    }
}

fn main_axis(xx: f32, yy: f32, xy: f32) -> Option<[f32; 2]> {
    let (difference, double) = (xx - yy, 2.0 * xy);
    let strength = (difference * difference + double * double).sqrt();
    if strength <= MIN_COHERENCE * (xx + yy) || strength == 0.0 {
        return None;
    }
    // Half of the angle of (difference, double).
    let cos = (0.5 * (1.0 + difference / strength)).max(0.0).sqrt();
    let sin = (0.5 * (1.0 - difference / strength)).max(0.0).sqrt().copysign(double);
    Some([cos, sin])
}

dispatched! {
    /// A Gaussian of one cell along a row, times 16.
    fn smooth_along(from: &[u8], to: &mut [i16]) = smooth_along_kernel;
}
dispatched! {
    /// A Gaussian of one cell across five rows, times 16.
    fn smooth_across(rows: &[i16], to: &mut [i16]) = smooth_across_kernel;
}
dispatched! {
    /// Differences along a row and across it, of three rows.
    fn differences(rows: &[i16], right: &mut [i16], down: &mut [i16]) = differences_kernel;
}

#[inline(always)]
fn differences_kernel(rows: &[i16], right: &mut [i16], down: &mut [i16]) {
    let stride = right.len();
    let [above, here, below] = [0, 1, 2].map(|row| &rows[row * stride..][..stride]);
    for ((to, next), before) in right[1..stride - 1].iter_mut().zip(&here[2..]).zip(here) {
        *to = next - before;
    }
    for ((to, below), above) in down.iter_mut().zip(below).zip(above) {
        *to = below - above;
    }
}

#[inline(always)]
fn smooth_along_kernel(from: &[u8], to: &mut [i16]) {
    let inner = to.len() - 4;
    for (to, from) in to[2..][..inner].iter_mut().zip(from.windows(5)) {
        let from = |i: usize| i16::from(from[i]);
        *to = from(0) + from(4) + 4 * (from(1) + from(3)) + 6 * from(2);
    }
}

#[inline(always)]
fn smooth_across_kernel(rows: &[i16], to: &mut [i16]) {
    let width = to.len();
    let row = |index: usize| &rows[index * width..][..width];
    let outer = row(0).iter().zip(row(4));
    let inner = row(1).iter().zip(row(3)).zip(row(2));
    for ((to, (a, e)), ((b, d), c)) in to.iter_mut().zip(outer).zip(inner) {
        *to = a + e + 4 * (b + d) + 6 * c;
    }
}
