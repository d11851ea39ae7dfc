//! What lies around a centre: one ray per cell of the circumference.

use std::f64::consts::TAU;

use super::padded::fixed;
use super::{Arc, Padded};

/// Radial samples lie half a cell apart, from 1.5 cells within the circle to 3.5 beyond it.
const SAMPLES: usize = 11;
const FIRST_CELLS: f32 = -1.5;
const STEP_CELLS: f32 = 0.5;
/// Samples within one cell of the circle: the outline is met there.
const NEAR: u32 = 0b000_0011_1110;
/// Samples within 1.5 cells: from these the place of the outline is taken.
const WIDE: u32 = 0b000_0111_1111;
/// Samples 2 to 3.5 cells beyond the circle, where a barrel has nothing.
const BEYOND: u32 = 0b111_1000_0000;
/// Rays without outline that an arc may bridge.
const MAX_BRIDGE: usize = 2;

/// What a ray meets near the circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meets {
    /// The outline, with nothing behind it.
    Outline,
    /// Nothing: the outline is broken here.
    Nothing,
    /// Something beyond the circle: a wall that joins it, or the corner of a box.
    Beyond,
}

/// One ray from the centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub meets: Meets,
    /// Direction, y down.
    pub direction: [f32; 2],
    /// Mean distance of the outline from the circle, in cells, where it is met.
    pub offset: f32,
}

/// Directions of rays, counter-clockwise as seen in the image (y down), one per cell of the circumference.
pub(super) fn directions(radius: f64) -> Vec<[f32; 2]> {
    let count = (TAU * radius).round() as usize;
    let direction = |index: usize| {
        let (sin, cos) = (index as f64 * TAU / count as f64).sin_cos();
        [cos as f32, -sin as f32]
    };
    (0..count).map(direction).collect()
}

/// Looks along all directions.
pub(super) fn look(mask: &Padded, x: f32, y: f32, radius: f32, directions: &[[f32; 2]]) -> Vec<Ray> {
    directions.iter().map(|&direction| ray(mask, x, y, radius, direction)).collect()
}

fn ray(mask: &Padded, x: f32, y: f32, radius: f32, direction: [f32; 2]) -> Ray {
    let [right, down] = direction;
    let first = radius + FIRST_CELLS;
    let (mut column, mut row) = (fixed(x + right * first), fixed(y + down * first));
    let (right, down) = (fixed(right * STEP_CELLS), fixed(down * STEP_CELLS));
    let mut seen = 0_u32;
    for sample in 0..SAMPLES {
        seen |= u32::from(mask.at_fixed(column, row)) << sample;
        (column, row) = (column + right, row + down);
    }
    let meets = if seen & BEYOND != 0 {
        Meets::Beyond
    } else if seen & NEAR != 0 {
        Meets::Outline
    } else {
        Meets::Nothing
    };
    let wide = seen & WIDE;
    let sum: f32 =
        (0..7_u8).filter(|i| wide >> i & 1 == 1).map(|i| f32::from(i) * STEP_CELLS + FIRST_CELLS).sum();
    Ray { meets, direction, offset: sum / wide.count_ones().max(1) as f32 }
}

/// Neighbouring rays that meet the outline, short breaks bridged: first ray and number of rays.
pub(super) fn runs(rays: &[Ray]) -> Vec<(usize, usize)> {
    let count = rays.len();
    let met: Vec<bool> = bridged(rays);
    let Some(first_break) = met.iter().position(|met| !met) else {
        return vec![(0, count)];
    };
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in (first_break..first_break + count).map(|index| index % count) {
        if !met[index] {
            continue;
        }
        match runs.last_mut() {
            Some((start, length)) if (*start + *length) % count == index => *length += 1,
            _ => runs.push((index, 1)),
        }
    }
    runs
}

/// Which rays belong to an arc: those that meet the outline, and short breaks between two of them unless they have
/// more than one ray with something beyond.
fn bridged(rays: &[Ray]) -> Vec<bool> {
    let count = rays.len();
    let at = |index: usize| rays[index % count].meets;
    let mut met: Vec<bool> = rays.iter().map(|ray| ray.meets == Meets::Outline).collect();
    for start in (0..count).filter(|&start| at(start) == Meets::Outline) {
        for gap in 1..=MAX_BRIDGE {
            let between = start + 1..start + 1 + gap;
            let beyond = between.clone().filter(|&index| at(index) == Meets::Beyond).count();
            if at(start + 1 + gap) == Meets::Outline && beyond <= 1 {
                between.for_each(|index| met[index % count] = true);
            }
        }
    }
    met
}

/// The rays of a run.
pub(super) fn rays_of(rays: &[Ray], run: (usize, usize)) -> impl Iterator<Item = &Ray> {
    (run.0..run.0 + run.1).map(|index| &rays[index % rays.len()])
}

/// The visible part that a run of rays stands for: each ray is one cell wide.
pub(super) fn arc_of(rays: usize, (start, length): (usize, usize)) -> Arc {
    let step = TAU / rays as f64;
    let start_rad = if length == rays { 0.0 } else { ((start as f64 - 0.5) * step).rem_euclid(TAU) };
    Arc { start_rad, opening_rad: length as f64 * step }
}
