//! `sonar-elfes`: the evidence grid of Moravec and Elfes 1985, the first paradigm that Collins et al. compare.
//!
//! A reading of range R says that its cone is empty up to R and that something is at R somewhere on its arc:
//!
//! ```text
//! empty     f_E(d, a) = (1 - (d / (R - e))^2) (1 - (2 a / w)^2)      d < R - e
//! occupied  f_O(d, a) = (1 - ((d - R) / e)^2) (1 - (2 a / w)^2)      R - e <= d <= R + e
//! ```
//!
//! with d the distance of a cell, a its angle off the axis, w the opening of the cone and e the error of the range. Per
//! sweep, as published: all empty regions are added, Emp := Emp + f - Emp f; what is known to be empty cancels
//! the occupied region, f := f (1 - Emp); that is normalised to a sum of 1, since one obstacle made the echo; then
//! Occ := Occ + f - Occ f. A cell has the larger of the two: +Occ or -Emp, from -1 to 1.
//!
//! Departure: the map has probabilities, p = (1 + value) / 2; readings without an echo empty their cone as far as the
//! transducer sees and occupy nothing, where the paper drops readings beyond a range; f_E falls from the transducer on,
//! in the paper from the shortest range on.

use model::{Grid, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plane::{ConeCell, Plane};
use super::{Cone, ListedSonarMapping, SonarMapping};
use crate::{MapperParams, RangeLimits};

/// Parameters of [`Elfes`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElfesParams {
    /// Edge of a cell in metres. Default 0.1; ours, as `sonar-last`. The paper has 0.5 feet, 0.15 m.
    #[schemars(range(min = 0.005, max = 10.0))]
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Default 0.02, as the other mappers.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_min_m: f64,
    /// Echoes from here on are not believed, metres. Default 5, the usual range of a ring.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub range_max_m: f64,
    /// Half depth of the occupied region, e, metres. Default 0.1; ours, one cell: the noise is less.
    #[schemars(range(min = 0.001, max = 10.0))]
    pub range_error_m: f64,
}

impl Default for ElfesParams {
    fn default() -> Self {
        Self { cell_size_m: 0.1, range_min_m: 0.02, range_max_m: 5.0, range_error_m: 0.1 }
    }
}

impl MapperParams for ElfesParams {}

/// Evidence of one cell, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Evidence {
    empty: f64,
    occupied: f64,
}

impl Evidence {
    /// The larger of both with its sign; none where nothing was said.
    fn value(self) -> Option<f64> {
        let value = if self.occupied >= self.empty { self.occupied } else { -self.empty };
        (value != 0.0).then_some(value)
    }
}

/// Adds evidence as a probability that either of two independent sources is right.
fn enhanced(known: f64, said: f64) -> f64 {
    known + said - known * said
}

/// Evidence for free and occupied cells.
pub struct Elfes {
    params: ElfesParams,
    plane: Plane<Evidence>,
}

impl Elfes {
    /// Nothing has come yet.
    #[must_use]
    pub const fn new(params: ElfesParams) -> Self {
        Self { plane: Plane::new(params.cell_size_m), params }
    }

    /// The cells of a cone, as far as the reading says something; none if they are too far away.
    fn covered(&mut self, cone: &Cone, map_from_transducer: Pose2) -> Vec<ConeCell> {
        let reach_m = cone.range_m + self.params.range_error_m;
        if !self.plane.make_room(map_from_transducer, reach_m) {
            return Vec::new();
        }
        self.plane.cells_of(map_from_transducer, cone, reach_m)
    }

    /// f_E: how surely a cell is empty.
    fn empty(&self, cone: &Cone, cell: &ConeCell) -> f64 {
        let end_m = if cone.is_echo { cone.range_m - self.params.range_error_m } else { cone.range_m };
        if cell.range_m >= end_m {
            return 0.0;
        }
        (1.0 - (cell.range_m / end_m).powi(2)) * across(cell)
    }

    /// f_O: how surely a cell made the echo, before normalisation.
    fn occupied(&self, cone: &Cone, cell: &ConeCell) -> f64 {
        let off = (cell.range_m - cone.range_m) / self.params.range_error_m;
        if !cone.is_echo || off.abs() > 1.0 {
            return 0.0;
        }
        (1.0 - off * off) * across(cell)
    }
}

/// The factor of the angle: 1 on the axis, 0 at the edge of the cone.
fn across(cell: &ConeCell) -> f64 {
    1.0 - cell.off_axis * cell.off_axis
}

impl SonarMapping for Elfes {
    fn limits(&self) -> RangeLimits {
        RangeLimits { min_m: self.params.range_min_m, max_m: self.params.range_max_m }
    }

    fn add(&mut self, cones: &[Cone], map_from_robot: Pose2) {
        for cone in cones {
            for cell in self.covered(cone, map_from_robot * cone.robot_from_transducer) {
                let said = self.empty(cone, &cell);
                let known = self.plane.at(cell.index);
                known.empty = enhanced(known.empty, said);
            }
        }
        for cone in cones.iter().filter(|cone| cone.is_echo) {
            let cells = self.covered(cone, map_from_robot * cone.robot_from_transducer);
            let cancelled = |cell: &ConeCell| {
                (cell.index, self.occupied(cone, cell) * (1.0 - self.plane.get(cell.index).empty))
            };
            let said: Vec<(usize, f64)> = cells.iter().map(cancelled).filter(|(_, f)| *f > 0.0).collect();
            let sum: f64 = said.iter().map(|(_, f)| f).sum();
            for (index, f) in said {
                let known = self.plane.at(index);
                known.occupied = enhanced(known.occupied, f / sum);
            }
        }
    }

    fn grid(&self) -> Option<Grid> {
        self.plane.to_grid(|_, evidence| evidence.value().map(|value| (1.0 + value) / 2.0))
    }
}

impl ListedSonarMapping for Elfes {
    const NAME: &'static str = "sonar-elfes";
    const SUMMARY: &'static str =
        "Sonar at the poses of the odometry: evidence for free and occupied cells (Moravec and Elfes 1985)";
    type Params = ElfesParams;

    fn with_params(params: ElfesParams) -> Self {
        Self::new(params)
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;

    /// A cone along x over cells of 1 m whose middles lie on the axis, narrow enough to hold these alone.
    fn row() -> (Elfes, Cone, Pose2) {
        let params =
            ElfesParams { cell_size_m: 1.0, range_error_m: 1.0, range_max_m: 50.0, ..ElfesParams::default() };
        let cone = Cone { opening_rad: 0.01, range_m: 4.5, is_echo: true, ..Cone::default() };
        (Elfes::new(params), cone, Pose2::new(0.0, 0.5, 0.0))
    }

    fn probability(mapping: &Elfes, x_m: f64) -> Option<f64> {
        let grid = mapping.grid()?;
        let cell = grid.geometry().cell_at(Point2::new(x_m, 0.5))?;
        Some(grid.number(grid.geometry().index_of(cell)))
    }

    #[test]
    fn by_hand_a_cone_over_single_cells() {
        let (mut mapping, cone, pose) = row();
        mapping.add(&[cone], pose);
        // Empty up to 3.5: f_E = 1 - (d / 3.5)^2 at 0.5, 1.5, 2.5. p = (1 - f_E) / 2.
        for (x_m, f) in [(0.5, 1.0 - 1.0 / 49.0), (1.5, 1.0 - 9.0 / 49.0), (2.5, 1.0 - 25.0 / 49.0)] {
            assert!((probability(&mapping, x_m).unwrap() - (1.0 - f) / 2.0).abs() < 1e-12, "{x_m}");
        }
        // Occupied at 4.5 alone: at 3.5 and 5.5 f_O is 0. The sum is 1, so the cell gets all of it.
        assert_eq!(probability(&mapping, 4.5), Some(1.0));
        assert_eq!(probability(&mapping, 3.5), Some(0.5));
        // Again: Emp + f - Emp f.
        mapping.add(&[cone], pose);
        let f = 1.0 - 25.0 / 49.0;
        let twice = 2.0 * f - f * f;
        assert!((probability(&mapping, 2.5).unwrap() - (1.0 - twice) / 2.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_empty_cancels_the_echo_and_one_obstacle_is_shared_out() {
        let (mut mapping, cone, pose) = row();
        // Two cells may have made this echo: 4.5 and 5.5 are equally far from 5.0.
        mapping.add(&[Cone { range_m: 5.0, ..cone }], pose);
        assert_eq!((probability(&mapping, 4.5), probability(&mapping, 5.5)), (Some(0.75), Some(0.75)));
        // A look without echo empties both: what comes after is cancelled by 1 - Emp in each.
        mapping.add(&[Cone { range_m: 9.0, is_echo: false, ..cone }], pose);
        assert!(probability(&mapping, 4.5).unwrap() < 0.5);
    }

    #[test]
    fn misses_occupy_nothing() {
        let (mut mapping, cone, pose) = row();
        mapping.add(&[Cone { is_echo: false, ..cone }], pose);
        let grid = mapping.grid().unwrap();
        assert!((0..grid.classes().len()).all(|index| grid.number(index) <= 0.5));
    }
}
