//! Both maps at the two levels of coarseness on which candidates are searched and judged.

use std::sync::Arc;

use model::Grid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AlignError;
use crate::candidate::Candidate;
use crate::pooled::{KnownBox, Pooled};
use crate::wall_score::{Fit, Side, WallScore};

/// How far walls may be apart, and which scales are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Allowance {
    /// Distance at which a wall counts as missed; none for 0.3 m, or 1.5 % of the diagonal of the truth's known
    /// part where metres mean nothing (a scale is searched, or 0.3 m is less than a cell).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tol_m: Option<f64>,
    /// Min scale of the map; 1 if both maps are in metres.
    pub scale_min: f64,
    /// Max scale of the map.
    pub scale_max: f64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { tol_m: None, scale_min: 1.0, scale_max: 1.0 }
    }
}

/// Default tolerance in metres (spec 07).
const TOL_M: f64 = 0.3;
/// The same as a ratio to the diagonal of the truth's known part.
const TOL_RATIO: f64 = 0.015;
/// Cells of the fine images per tolerance.
const CELLS_PER_TOL: f64 = 4.0;
/// Cells along the longer diagonal of the fine images, at most: more take time and say no more.
const FINE_DIAGONAL: f64 = 1500.0;
/// The tolerance in fine cells, at least.
const FINE_TOL: f64 = 1.5;
/// A coarse cell is no larger than this, where metres mean something: rooms must not melt into one.
const COARSE_CELL_M: f64 = 1.0;
/// Cells along the longer diagonal of the coarse images.
const COARSE_DIAGONAL: f64 = 110.0;
/// Tolerance in coarse cells, at least.
const COARSE_TOL: f64 = 2.5;
/// Cells of the truth per cell of the map between which a fit means anything; beyond, a search would not end either.
const CELL_RATIOS: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
/// Cells of the truth that are looked at for the overlap, about.
const OVERLAP_CELLS: usize = 20_000;
/// The largest ratio of scales that is searched.
const MAX_SCALE_RATIO: f64 = 100.0;

impl Allowance {
    /// Whether the numbers make sense.
    ///
    /// # Errors
    /// A tolerance or a scale that is not above 0, or a range that runs backwards.
    pub fn check(&self) -> Result<(), AlignError> {
        let refuse = |name, value: f64, expected| Err(AlignError::parameter(name, value, expected));
        if let Some(tol_m) = self.tol_m.filter(|tol_m| !(tol_m.is_finite() && *tol_m > 0.0)) {
            return refuse("tol_m", tol_m, "a finite number above 0");
        }
        if !(self.scale_min.is_finite() && self.scale_min > 0.0) {
            return refuse("scale_min", self.scale_min, "a finite number above 0");
        }
        if !(self.scale_max.is_finite() && self.scale_max >= self.scale_min) {
            return refuse("scale_max", self.scale_max, "a finite number not below scale_min");
        }
        if self.scale_max / self.scale_min > MAX_SCALE_RATIO {
            return refuse("scale_max", self.scale_max, "at most 100 times scale_min");
        }
        Ok(())
    }

    /// Whether metres mean something.
    fn is_metric(&self, truth: &Grid) -> bool {
        self.scale_min == self.scale_max && TOL_M >= truth.geometry().cell_size_m()
    }

    fn tol_cells(&self, truth: &Grid, known: KnownBox) -> f64 {
        let cell_size_m = truth.geometry().cell_size_m();
        let default = if self.is_metric(truth) { TOL_M / cell_size_m } else { TOL_RATIO * known.diagonal() };
        self.tol_m.map_or(default, |tol_m| tol_m / cell_size_m).max(1.0)
    }
}

/// What follows from the sizes of the two maps and the allowance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Final tolerance in cells of the truth.
    pub(crate) tol_cells: f64,
    /// Tolerance on the coarse images.
    pub(crate) coarse_tol_cells: f64,
    /// Half the longer side of the map in its own cells.
    pub(crate) half_side_cells: f64,
    /// Largest side in coarse cells of the part of the map that the coarse image shows.
    probe_side: usize,
    /// Cells of the truth per cell of the map.
    pub(crate) scale_range: (f64, f64),
    /// Pooling of truth and map: original cells per fine cell, fine cells per coarse cell.
    truth_factors: [usize; 2],
    map_factors: [usize; 2],
}

impl Sizes {
    fn new(allowance: &Allowance, truth: &Grid, map: &Grid, [truth_part, map_part]: [KnownBox; 2]) -> Self {
        let per_scale = map.geometry().cell_size_m() / truth.geometry().cell_size_m();
        let scale_range = (allowance.scale_min * per_scale, allowance.scale_max * per_scale);
        let middle_scale = (scale_range.0 * scale_range.1).sqrt();
        let tol_cells = allowance.tol_cells(truth, truth_part);
        let diagonal = truth_part.diagonal().max(map_part.diagonal() * middle_scale);
        let fine = (tol_cells / CELLS_PER_TOL).floor().max((diagonal / FINE_DIAGONAL).round()).max(1.0);
        let tol_cells = tol_cells.max(FINE_TOL * fine);
        let coarse_cells = if allowance.is_metric(truth) {
            (diagonal / COARSE_DIAGONAL).min(COARSE_CELL_M / truth.geometry().cell_size_m())
        } else {
            diagonal / COARSE_DIAGONAL
        };
        let times = (coarse_cells / fine).round().max(1.0);
        let map_fine = (fine / middle_scale).round().max(1.0);
        let map_times = (times * fine / middle_scale / map_fine).round().max(1.0);
        Self {
            tol_cells,
            coarse_tol_cells: tol_cells.max(COARSE_TOL * fine * times),
            half_side_cells: map_part.width.max(map_part.height) as f64 / 2.0,
            probe_side: COARSE_DIAGONAL as usize,
            scale_range,
            truth_factors: [fine as usize, times as usize],
            map_factors: [map_fine as usize, map_times as usize],
        }
    }
}

/// Fine and coarse images of truth and map.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    pub(crate) sizes: Sizes,
    truth: Arc<[Side; 2]>,
    map: [Arc<Side>; 2],
    /// A second part of a map that is too large for one coarse image.
    other_part: Option<Arc<Side>>,
    /// The middle of the coarse image's walls, about which candidates turn.
    pub(crate) pivot: [f64; 2],
    pub(crate) charge: Charge,
}

/// Which walls of the map a candidate is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    /// All: the truth is the whole place.
    All,
    /// Those where the truth makes a claim: it may be a part of the place.
    Shared,
}

impl Levels {
    /// Prepares both maps; none if one of them has no wall.
    pub(crate) fn new(allowance: &Allowance, truth: &Grid, map: &Grid) -> Option<Self> {
        let parts = [Pooled::known_part(truth)?, Pooled::known_part(map)?];
        let sizes = Sizes::new(allowance, truth, map, parts);
        // No wall of one map can be told from another in cells that are a thousand times as large.
        if !CELL_RATIOS.contains(&sizes.scale_range.0) || !CELL_RATIOS.contains(&sizes.scale_range.1) {
            return None;
        }
        let reach = [sizes.tol_cells, sizes.coarse_tol_cells];
        let (fine, coarse, _) = sides(truth, parts[0], sizes.truth_factors, reach, usize::MAX);
        middle(coarse.walls())?;
        Self::with_map(sizes, Arc::new([fine, coarse]), map, parts[1])
    }

    /// The same truth with the mirror image of the map.
    pub(crate) fn with_mirror_image(&self, mirrored: &Grid) -> Option<Self> {
        let levels =
            Self::with_map(self.sizes, Arc::clone(&self.truth), mirrored, Pooled::known_part(mirrored)?)?;
        Some(Self { charge: self.charge, ..levels })
    }

    /// The same maps, charged otherwise.
    pub(crate) fn charged(&self, charge: Charge) -> Self {
        Self { charge, ..self.clone() }
    }

    fn with_map(sizes: Sizes, truth: Arc<[Side; 2]>, map: &Grid, part: KnownBox) -> Option<Self> {
        let reach = [sizes.tol_cells, sizes.coarse_tol_cells].map(|tol| tol / sizes.scale_range.0);
        let (fine, coarse, other_part) = sides(map, part, sizes.map_factors, reach, sizes.probe_side);
        let pivot = middle(coarse.walls())?;
        let map = [Arc::new(fine), Arc::new(coarse)];
        Some(Self { sizes, truth, map, other_part: other_part.map(Arc::new), pivot, charge: Charge::All })
    }

    /// The same maps with another part of the map as its coarse image; none if there is but one, or no wall in it.
    pub(crate) fn with_other_part(&self) -> Option<Self> {
        let other = self.other_part.as_ref()?;
        let pivot = middle(other.walls())?;
        let map = [Arc::clone(&self.map[0]), Arc::clone(other)];
        Some(Self {
            sizes: self.sizes,
            truth: Arc::clone(&self.truth),
            map,
            other_part: None,
            pivot,
            charge: self.charge,
        })
    }

    /// The score on the fine images with the final tolerance.
    pub(crate) fn fine(&self, max_walls: usize) -> WallScore<'_> {
        self.score(0, self.sizes.tol_cells, max_walls)
    }

    /// The score on the coarse images with the wide tolerance.
    pub(crate) fn coarse(&self, max_walls: usize) -> WallScore<'_> {
        self.score(1, self.sizes.coarse_tol_cells, max_walls)
    }

    fn score(&self, level: usize, tol_cells: f64, max_walls: usize) -> WallScore<'_> {
        let sides = [&self.truth[level], &*self.map[level]];
        WallScore::new(sides, self.pivot, tol_cells, max_walls, self.sizes.scale_range.0)
            .charging(self.charge)
    }

    /// How well the map fits itself under the motion that leads from one candidate to another: a map that does so elsewhere
    /// as well as it fits the truth repeats itself. The other candidate may be one of the mirror image.
    pub(crate) fn fit_to_itself(&self, from: &Candidate, (of, to): (&Self, &Candidate), walls: usize) -> Fit {
        let map_from_truth = from.motion(self.pivot).inverse();
        let motion = Candidate {
            at: map_from_truth.apply(to.at),
            theta_rad: to.theta_rad - from.theta_rad,
            scale: to.scale / from.scale,
        };
        let tol_cells = self.sizes.tol_cells / from.scale;
        WallScore::new([&*self.map[0], &*of.map[0]], of.pivot, tol_cells, walls, motion.scale).fit(&motion)
    }

    /// Half the longer side of the part of the map that the coarse image shows, in cells of the map.
    pub(crate) fn probe_half_side_cells(&self) -> f64 {
        let probe = &self.map[1].pooled;
        (probe.width.max(probe.height) * probe.factor) as f64 / 2.0
    }

    /// Whether a point, in cells of the map, lies within the box around all that it knows.
    pub(crate) fn is_within_map(&self, [x, y]: [f64; 2]) -> bool {
        let Pooled { factor, corner, width, height, .. } = self.map[0].pooled;
        let within = |at: f64, corner: usize, cells: usize| {
            (corner as f64..=(corner + cells * factor) as f64).contains(&at)
        };
        within(x, corner.0, width) && within(y, corner.1, height)
    }

    /// How much of what bounds the maps is no wall: the lower openness of the two.
    pub(crate) fn openness(&self) -> f64 {
        self.truth[0].pooled.openness().min(self.map[0].pooled.openness())
    }

    /// Share of the truth's known cells that the map knows under a candidate.
    pub(crate) fn overlap(&self, candidate: &Candidate) -> f64 {
        const UNKNOWN: u8 = 1;
        let (truth, map) = (&self.truth[0], &self.map[0]);
        let classes = &truth.pooled.classes;
        // An odd step, so that no column is looked at alone.
        let step = (classes.len() / OVERLAP_CELLS) | 1;
        let map_from_truth = candidate.motion(self.pivot).inverse();
        let width = truth.pooled.width;
        let (mut known, mut shared) = (0_u32, 0_u32);
        for index in (0..classes.len()).step_by(step).filter(|&index| classes[index] != UNKNOWN) {
            let center = truth.pooled.center_of(index % width, index / width);
            known += 1;
            shared += u32::from(map.knows(map_from_truth.apply(center)));
        }
        f64::from(shared) / f64::from(known.max(1))
    }

    /// Whether the two maps can be compared by so many walls under a candidate, in cells of the fine images: by those of the
    /// truth where the map knows something, and by those of the map where the truth does.
    pub(crate) fn share_walls(&self, candidate: &Candidate, least: usize) -> bool {
        let (truth, map) = (&self.truth[0], &self.map[0]);
        let truth_from_map = candidate.motion(self.pivot);
        let map_from_truth = truth_from_map.inverse();
        let of_truth = truth.walls().iter().filter(|&&wall| map.knows(map_from_truth.apply(wall)));
        let of_map = map.walls().iter().filter(|&&wall| truth.knows(truth_from_map.apply(wall)));
        of_truth.take(least).count() == least && of_map.take(least).count() == least
    }

    /// Whether two candidates are different answers, and not the same one found twice.
    pub(crate) fn differ(&self, a: &Candidate, b: &Candidate) -> bool {
        a.apart(b) > 2.0 * self.sizes.tol_cells
            || a.yaw_rad(b) > 5_f64.to_radians()
            || a.growth(b) > 1.08_f64.ln()
    }
}

/// Fine and coarse image of a map; the coarse one shows a part of large maps only, and then there is another part.
fn sides(
    grid: &Grid,
    part: KnownBox,
    [fine, times]: [usize; 2],
    [reach, coarse_reach]: [f64; 2],
    probe_side: usize,
) -> (Side, Side, Option<Side>) {
    let pooled = Pooled::of(grid, part, fine);
    let (coarse, other) = pooled.coarser(times).busiest_parts(probe_side);
    let coarse_side = |part: Pooled| Side::new(part, coarse_reach);
    (Side::new(pooled, reach), coarse_side(coarse), other.map(coarse_side))
}

fn middle(points: &[[f64; 2]]) -> Option<[f64; 2]> {
    let count = points.len() as f64;
    let sum = points.iter().fold([0.0, 0.0], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
    (count > 0.0).then(|| [sum[0] / count, sum[1] / count])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_allowances_are_refused() {
        let good = Allowance::default();
        assert_eq!(good.check(), Ok(()));
        for bad in [
            Allowance { tol_m: Some(0.0), ..good },
            Allowance { tol_m: Some(f64::NAN), ..good },
            Allowance { scale_min: -1.0, ..good },
            Allowance { scale_min: 2.0, scale_max: 1.0, ..good },
            Allowance { scale_min: 0.001, scale_max: 1.0, ..good },
            Allowance { scale_max: f64::INFINITY, ..good },
        ] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn maps_without_walls_have_no_levels() {
        let (walls, free) = (testkit::grid(["#."]), testkit::grid([".."]));
        let unknown = testkit::grid(["??"]);
        for (truth, map) in [(&walls, &free), (&free, &walls), (&walls, &unknown), (&unknown, &walls)] {
            assert!(Levels::new(&Allowance::default(), truth, map).is_none());
        }
        assert!(Levels::new(&Allowance::default(), &walls, &walls).is_some());
    }
}
