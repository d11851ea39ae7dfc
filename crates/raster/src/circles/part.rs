//! Where one part of a fiducial lies: only the cells of its own arc count.
//!
//! Two halves behind a thin wall may come out as one full circle. Each part is therefore fitted again from the cells in
//! its own interval, shortened at both ends because the other part and the wall reach in there.

use std::f64::consts::{PI, TAU};

use model::wrap;

use super::padded::Padded;
use super::rays::{arc_of, directions, look, runs};
use super::support::{Support, fit_center};
use super::{Arc, check_radius};

/// Cells within this distance of the circle support it.
const TOLERANCE_CELLS: f64 = 1.5;
/// Cells by which the interval is shortened at each end.
const SHORTENED_CELLS: f64 = 1.5;
const ROUNDS: usize = 5;
const MIN_SUPPORT: usize = 5;
/// Cells within this distance of the circle show the outline.
const VISIBLE_TOLERANCE_CELLS: f64 = 1.0;
/// The longest break in a visible arc, in cells, as in [`super::hough`].
const MAX_GAP_CELLS: f64 = 2.5;
/// Shorter runs of cells are the ends of walls that join the part.
const MIN_RUN_CELLS: f64 = 2.0;
/// An arc that is this much longer than the part belongs to both parts, and does not show the ends of one.
const MAX_OPENING_RATIO: f64 = 1.25;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartFit {
    /// Column of the centre, in cells.
    pub x_cells: f64,
    /// Row of the centre, in cells, downwards.
    pub y_cells: f64,
    /// Cells that support it.
    pub support: usize,
    /// Their root mean square distance from the circle, in cells.
    pub rms_cells: f64,
    /// Share of its opening that the outline fills, good to one cell over the radius (both ends together).
    pub visible: f64,
    /// Direction of the middle of the visible arc, as far as the walls that join it show its ends; else the middle
    /// of the interval asked for. In [0, 2 pi).
    pub middle_rad: f64,
}

/// A map in which parts are fitted.
pub struct PartFitter {
    mask: Padded,
    radius: f64,
}

impl PartFitter {
    /// Prepares a plane of classes for parts of one radius; none if the radius is too small or too large.
    pub fn new(plane: &[u8], occupied: u8, width: usize, radius_cells: f64) -> Option<Self> {
        let radius = check_radius(radius_cells).ok()?;
        let margin = radius.ceil() as usize + 6;
        (width > 0).then(|| Self { mask: Padded::of(plane, occupied, width, margin), radius })
    }

    /// The centre of the part with this arc near a first guess; none if there are too few cells.
    pub fn fit(&self, x_cells: f64, y_cells: f64, arc: Arc) -> Option<PartFit> {
        let margin = self.mask.margin as f64;
        let mut center = [x_cells + margin, y_cells + margin];
        let cut = (SHORTENED_CELLS / self.radius).min(arc.opening_rad / 4.0);
        let own = Arc { start_rad: arc.start_rad + cut, opening_rad: arc.opening_rad - 2.0 * cut };
        for _ in 0..ROUNDS {
            let support = self.support(center, own);
            if support.points.len() < MIN_SUPPORT {
                return None;
            }
            let next = fit_center(&support.points, center, self.radius)?;
            let is_settled = (next[0] - center[0]).abs() + (next[1] - center[1]).abs() < 1e-4;
            center = next;
            if is_settled {
                break;
            }
        }
        let side = |along: f64, side: usize| (margin - 1.0..=side as f64 - margin + 1.0).contains(&along);
        if !(side(center[0], self.mask.stride) && side(center[1], self.mask.height())) {
            return None;
        }
        let support = self.support(center, own);
        Some(PartFit {
            x_cells: center[0] - margin,
            y_cells: center[1] - margin,
            support: support.points.len(),
            rms_cells: support.rms_from(center, self.radius)?,
            visible: self.visible(center, arc),
            middle_rad: self.middle_rad(center, arc),
        })
    }

    /// The middle of the run of rays that meet the outline around the middle of the arc.
    fn middle_rad(&self, [x, y]: [f64; 2], arc: Arc) -> f64 {
        let directions = directions(self.radius);
        let rays = look(&self.mask, x as f32, y as f32, self.radius as f32, &directions);
        let expected = (arc.start_rad + arc.opening_rad / 2.0).rem_euclid(TAU);
        let seen = runs(&rays).into_iter().map(|run| arc_of(rays.len(), run));
        let holds = |seen: &Arc| (expected - seen.start_rad).rem_euclid(TAU) <= seen.opening_rad;
        let own = seen.filter(holds).find(|seen| seen.opening_rad <= MAX_OPENING_RATIO * arc.opening_rad);
        own.map_or(expected, |seen| (seen.start_rad + seen.opening_rad / 2.0).rem_euclid(TAU))
    }

    fn support(&self, center: [f64; 2], own: Arc) -> Support {
        let is_wanted = |angle: f64| (angle - own.start_rad).rem_euclid(TAU) <= own.opening_rad;
        Support::collect(&self.mask, center, self.radius, TOLERANCE_CELLS, is_wanted)
    }

    /// Share of the opening that the outline fills: the extents of its runs of cells, each from the middle of its first
    /// to the middle of its last cell. A drawn arc ends half a cell before or after the middle of its last cell with
    /// the same chance, so that the extent is that of the arc on average.
    fn visible(&self, center: [f64; 2], arc: Arc) -> f64 {
        let ring = Support::collect(&self.mask, center, self.radius, VISIBLE_TOLERANCE_CELLS, |_| true);
        let angles = ring.angles(center);
        let half = arc.opening_rad.min(TAU) / 2.0;
        let is_whole = half >= PI - 1e-9;
        let middle =
            if is_whole { opposite_of_longest_gap(&angles) } else { arc.start_rad + arc.opening_rad / 2.0 };
        let mut along: Vec<f64> = angles.iter().map(|angle| wrap(angle - middle)).collect();
        along.sort_by(f64::total_cmp);
        let extent = |run: &[f64]| match (run.first(), run.last()) {
            (Some(first), Some(last)) => last.min(half) - first.max(-half),
            _ => 0.0,
        };
        let runs = along.chunk_by(|a, b| b - a <= MAX_GAP_CELLS / self.radius);
        let filled: f64 = runs.map(extent).filter(|extent| *extent >= MIN_RUN_CELLS / self.radius).sum();
        filled / (2.0 * half)
    }
}

/// The direction from which a whole ring is unrolled, so that no run of cells is cut.
fn opposite_of_longest_gap(angles: &[f64]) -> f64 {
    let next = |index: usize| angles[(index + 1) % angles.len()];
    let gap = |index: usize| (next(index) - angles[index]).rem_euclid(TAU);
    let longest = (0..angles.len()).max_by(|&a, &b| gap(a).total_cmp(&gap(b)));
    longest.map_or(0.0, |index| angles[index] + gap(index) / 2.0 + PI)
}
