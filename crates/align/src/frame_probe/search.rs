//! Hypotheses about a map on a prepared truth: scored, found by translation, and led to the top of their score.

use model::{Grid, Similarity2};

use super::affine::Affine;
use super::probed_truth::{Layer, TruthLevels};
use super::sheet::{FEW_WALLS, Sheet, WALLS};
use crate::candidate::Candidate;

/// Map walls that are laid on the truth for all translations at once.
const LAID: usize = 128;
/// Cells around a peak that belong to it.
const PEAK_RADIUS: usize = 2;
/// Two hypotheses are one if they lie closer than so many tolerances, radians and ratio of scales.
const SAME_TOL: f64 = 2.0;
const SAME_YAW_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;
const SAME_GROWTH: f64 = 1.05;

/// A transform of the map, or of its mirror image (columns from right to left).
#[derive(Clone, Copy, Debug)]
pub(super) struct Hypothesis {
    pub(super) candidate: Candidate,
    pub(super) mirrored: bool,
}

impl Hypothesis {
    /// The point of the image about which it turns.
    pub(super) fn pivot(&self, pivot: [f64; 2], columns: f64) -> [f64; 2] {
        if self.mirrored { [columns - pivot[0], pivot[1]] } else { pivot }
    }
}

/// A hypothesis and its score.
pub(super) type Scored = (f64, Hypothesis);

/// Which level a score is taken at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Coarse,
    /// Fine, by a part of the sample.
    Quick,
    Fine,
    /// Fine, and interpolated between cells.
    Smooth,
}

/// Whether the scale of a hypothesis is searched too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ScaleIs {
    Given,
    Free,
}

/// Both maps, ready for any number of hypotheses.
pub(super) struct Search<'a> {
    truth: &'a TruthLevels,
    truth_grid: &'a Grid,
    map_grid: &'a Grid,
    fine: Sheet,
    coarse: Sheet,
    /// Walls that are laid on the truth, from the pivot, in cells of the map.
    laid: Vec<[f64; 2]>,
    pivot: [f64; 2],
    half_side_cells: f64,
}

impl<'a> Search<'a> {
    /// None if the map has no wall.
    pub(super) fn new(truth: &'a TruthLevels, truth_grid: &'a Grid, map_grid: &'a Grid) -> Option<Self> {
        let cell_m = map_grid.geometry().cell_size_m();
        let fine = Sheet::fine(map_grid, truth.tol_m)?;
        let times = (truth.coarse_cell_m / (fine.pooled.factor as f64 * cell_m)).round().max(1.0);
        let coarse = fine.coarser(times as usize, truth.coarse_tol_m / cell_m)?;
        let walls: Vec<[f64; 2]> = fine.walls().collect();
        let mean = |axis: usize| walls.iter().map(|wall| wall[axis]).sum::<f64>() / walls.len() as f64;
        let pivot = [mean(0), mean(1)];
        let step = walls.len().div_ceil(LAID).max(1);
        let laid = walls.iter().step_by(step).map(|wall| [wall[0] - pivot[0], wall[1] - pivot[1]]).collect();
        let half_side_cells = (fine.pooled.width.max(fine.pooled.height) * fine.pooled.factor) as f64 / 2.0;
        Some(Self { truth, truth_grid, map_grid, fine, coarse, laid, pivot, half_side_cells })
    }

    /// The hypothesis of a transform in metres.
    pub(super) fn hypothesis(&self, truth_from_map: Similarity2, mirrored: bool) -> Hypothesis {
        let turned_about = Hypothesis { candidate: Candidate::ORIGIN, mirrored };
        let pivot = turned_about.pivot(self.pivot, self.columns());
        Hypothesis {
            candidate: Candidate::of(truth_from_map, self.truth_grid, self.map_grid, pivot),
            mirrored,
        }
    }

    /// The transform of a hypothesis in metres.
    pub(super) fn truth_from_map(&self, hypothesis: &Hypothesis) -> Option<Similarity2> {
        let pivot = hypothesis.pivot(self.pivot, self.columns());
        hypothesis.candidate.truth_from_map(self.truth_grid, self.map_grid, pivot)
    }

    fn columns(&self) -> f64 {
        self.map_grid.geometry().width() as f64
    }

    /// S of a hypothesis.
    pub(super) fn score(&self, hypothesis: &Hypothesis, level: Level) -> f64 {
        let transform = Affine::of(hypothesis, self.pivot, self.columns());
        match level {
            Level::Coarse => self.truth.coarse.score(&self.coarse, &transform, FEW_WALLS),
            Level::Quick => self.truth.fine.score(&self.fine, &transform, FEW_WALLS),
            Level::Fine => self.truth.fine.score(&self.fine, &transform, WALLS),
            Level::Smooth => self.truth.fine.smooth_score(&self.fine, &transform),
        }
    }

    /// The best translations of a heading, a scale and a handedness, that put the middle of the map on the truth.
    pub(super) fn peaks(
        &self,
        layer: &Layer,
        like: &Hypothesis,
        max: usize,
        sums: &mut Vec<u16>,
    ) -> Vec<Hypothesis> {
        let Candidate { theta_rad, scale, .. } = like.candidate;
        let (sin, cos) = (theta_rad.sin() * scale / layer.factor, theta_rad.cos() * scale / layer.factor);
        let flip = if like.mirrored { -1.0 } else { 1.0 };
        let place = |&[x, y]: &[f64; 2]| {
            let x = flip * x;
            ((cos * x - sin * y).round() as i32, (sin * x + cos * y).round() as i32)
        };
        let points: Vec<(i32, i32)> = self.laid.iter().map(place).collect();
        layer.field.sums_on_cells(&points, sums);
        let at = |index: usize| {
            let center = |cell: usize, axis: usize| layer.corner[axis] + (cell as f64 + 0.5) * layer.factor;
            [center(index % layer.width, 0), center(index / layer.width, 1)]
        };
        let hypothesis =
            |index| Hypothesis { candidate: Candidate { at: at(index), ..like.candidate }, ..*like };
        highest(sums, layer.width, max).into_iter().map(hypothesis).collect()
    }

    /// The best few of some hypotheses at a level, all different, best first.
    pub(super) fn best(&self, hypotheses: &[Hypothesis], level: Level, max: usize) -> Vec<Scored> {
        let scored =
            hypotheses.iter().map(|hypothesis| (self.score(hypothesis, level), *hypothesis)).collect();
        self.distinct(scored, max)
    }

    /// The first few different ones, best first; equal scores keep their order.
    fn distinct(&self, mut scored: Vec<Scored>, max: usize) -> Vec<Scored> {
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let apart = SAME_TOL * self.truth.tol_m / self.truth_grid.geometry().cell_size_m();
        let differ = |a: &Candidate, b: &Candidate| {
            a.apart(b) > apart || a.yaw_rad(b) > SAME_YAW_RAD || a.growth(b) > SAME_GROWTH.ln()
        };
        let mut kept: Vec<Scored> = Vec::new();
        for (score, hypothesis) in scored {
            if kept.len() == max {
                break;
            }
            if kept.iter().all(|(_, other)| differ(&hypothesis.candidate, &other.candidate)) {
                kept.push((score, hypothesis));
            }
        }
        kept
    }

    /// The best of some coarse hypotheses after a climb of each on the coarse image, and of the best `fine` of them on the
    /// fine one.
    pub(super) fn top_of(&self, coarse: &[Scored], fine: usize, scale: ScaleIs) -> Option<Scored> {
        let climbed = coarse.iter().map(|(_, start)| self.climb(start, Level::Coarse, scale)).collect();
        let climbed = self.distinct(climbed, fine);
        let finely = climbed.iter().map(|(_, start)| self.climb_finely(start, scale));
        finely.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The top of the fine score: by few walls first, then scored by all.
    pub(super) fn climb_finely(&self, start: &Hypothesis, scale: ScaleIs) -> Scored {
        let (_, top) = self.climb(start, Level::Quick, scale);
        (self.score(&top, Level::Fine), top)
    }

    /// Moves, turns and, if asked, scales a hypothesis as long as its score rises.
    pub(super) fn climb(&self, start: &Hypothesis, level: Level, scale: ScaleIs) -> Scored {
        let cell_m = self.truth_grid.geometry().cell_size_m();
        let (first_m, last_m) = match level {
            Level::Coarse => (self.truth.coarse_tol_m / 2.0, self.truth.coarse_tol_m / 8.0),
            Level::Quick | Level::Fine => (self.truth.tol_m / 2.0, self.truth.tol_m / 8.0),
            Level::Smooth => (self.truth.tol_m / 8.0, self.truth.tol_m / 16.0),
        };
        let (mut best, mut top) = (self.score(start, level), *start);
        let mut step = first_m / cell_m;
        while step >= last_m / cell_m {
            let mut improved = false;
            for axis in 0..if scale == ScaleIs::Free { 4 } else { 3 } {
                // The other direction only if this one does not help.
                if let Some(better) = self.ahead((best, top), axis, step, level) {
                    ((best, top), improved) = (better, true);
                } else if let Some(better) = self.ahead((best, top), axis, -step, level) {
                    ((best, top), improved) = (better, true);
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        (best, top)
    }

    /// As far in a direction as it helps; none if it does not.
    fn ahead(&self, from: Scored, axis: usize, step: f64, level: Level) -> Option<Scored> {
        let mut found = None;
        let mut here = from;
        loop {
            let moved = self.moved(&here.1, axis, step);
            let score = self.score(&moved, level);
            if score <= here.0 {
                return found;
            }
            here = (score, moved);
            found = Some(here);
        }
    }

    /// Right, down, turned or grown by a step at the rim of the map, in cells of the truth.
    fn moved(&self, hypothesis: &Hypothesis, axis: usize, step: f64) -> Hypothesis {
        let mut candidate = hypothesis.candidate;
        let rim = self.half_side_cells * candidate.scale;
        match axis {
            0 | 1 => candidate.at[axis] += step,
            2 => candidate.theta_rad += step / rim,
            _ => candidate.scale *= (step / rim).exp(),
        }
        Hypothesis { candidate, ..*hypothesis }
    }
}

/// Indices of the highest sums, each with its surroundings taken out before the next is looked for.
fn highest(sums: &mut [u16], width: usize, max: usize) -> Vec<usize> {
    let row_best = |row: &[u16]| row.iter().fold(0, |best: u16, &sum| best.max(sum));
    let mut rows: Vec<u16> = sums.chunks_exact(width).map(row_best).collect();
    let mut found = Vec::with_capacity(max);
    for _ in 0..max {
        let best = row_best(&rows);
        if best == 0 {
            break;
        }
        let row = rows.iter().position(|&value| value == best).unwrap_or(0);
        let column = sums[row * width..][..width].iter().position(|&value| value == best).unwrap_or(0);
        found.push(row * width + column);
        let columns = column.saturating_sub(PEAK_RADIUS)..(column + PEAK_RADIUS + 1).min(width);
        for near in row.saturating_sub(PEAK_RADIUS)..(row + PEAK_RADIUS + 1).min(rows.len()) {
            sums[near * width..][columns.clone()].fill(0);
            rows[near] = row_best(&sums[near * width..][..width]);
        }
    }
    found
}
