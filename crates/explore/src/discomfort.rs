//! Discomfort of a cell (N-DANGER): how little a robot likes to be there.
//!
//! ```text
//! c_danger(d) = ∞               if d < d_min
//!             = (d_opt - d)²    otherwise,    d = distance to the nearest obstacle       (eq. 3)
//! ```
//!
//! The square counts on both sides of `d_opt`: far from walls the robot loses its landmarks. Paper: Pellenz, about 2008,
//! section III-D; it prints no values. Departure: where a map has no obstacle at all, no cell is uncomfortable.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ExploreError;

/// On which sides of the best distance discomfort grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sides {
    /// On both, as in the paper.
    #[default]
    Both,
    /// Only nearer than the best distance; beyond it there is none.
    Near,
}

/// What unknown cells are to the distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnknownIs {
    #[default]
    Open,
    Obstacle,
}

/// In what lengths and distances are counted inside the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Units {
    /// Cells.
    #[default]
    Cells,
    /// Metres.
    Metres,
}

/// What a cell's discomfort is multiplied by in the sum along a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weighting {
    /// By 1 for each cell, as in the paper.
    #[default]
    PerCell,
    /// By the length in metres of the step out of the cell, which makes the sum independent of the cell size.
    PerMetre,
}

/// Parameters of the discomfort. All defaults are ours, as the paper has none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Discomfort {
    /// Cells nearer to an obstacle are not entered, metres. Default 0.25 m.
    pub d_min_m: f64,
    /// The most comfortable distance, metres. Default 0.75 m.
    pub d_opt_m: f64,
    /// Weight of discomfort against length. Default 0.1.
    pub alpha: f64,
    /// Which sides count. Default both.
    pub sides: Sides,
    /// What unknown cells are. Default open.
    pub unknown_is: UnknownIs,
    /// Units inside the formula. Default cells.
    pub units: Units,
    /// Weights in the sum. Default per cell.
    pub weighting: Weighting,
}

impl Default for Discomfort {
    fn default() -> Self {
        Self {
            d_min_m: 0.25,
            d_opt_m: 0.75,
            alpha: 0.1,
            sides: Sides::Both,
            unknown_is: UnknownIs::Open,
            units: Units::Cells,
            weighting: Weighting::PerCell,
        }
    }
}

impl Discomfort {
    /// Refuses distances and weights below 0, and values that are not finite.
    pub(crate) fn check(&self) -> Result<(), ExploreError> {
        let at_least_zero = "a number from 0 on";
        ExploreError::check("d_min_m", self.d_min_m, self.d_min_m >= 0.0, at_least_zero)?;
        ExploreError::check("d_opt_m", self.d_opt_m, self.d_opt_m >= 0.0, at_least_zero)?;
        ExploreError::check("alpha", self.alpha, self.alpha >= 0.0, at_least_zero)
    }

    /// Length of a unit of the formula, metres.
    pub(crate) const fn unit_m(&self, cell_size_m: f64) -> f64 {
        match self.units {
            Units::Cells => cell_size_m,
            Units::Metres => 1.0,
        }
    }

    /// Whether a distance in cells is below `d_min`. A limit that is a whole number of cells up to rounding counts as
    /// that number.
    pub(crate) fn is_too_close(&self, distance_cells: f64, cell_size_m: f64) -> bool {
        distance_cells < self.d_min_m / cell_size_m * (1.0 - 1e-9)
    }

    /// Discomfort at a distance in cells, in squared units of the formula; infinite below `d_min`.        eq. (3)
    #[must_use]
    pub fn at(&self, distance_cells: f64, cell_size_m: f64) -> f64 {
        if self.is_too_close(distance_cells, cell_size_m) {
            return f64::INFINITY;
        }
        self.at_any_distance(distance_cells, cell_size_m)
    }

    /// As [`Discomfort::at`], without the limit below `d_min`.
    pub(crate) fn at_any_distance(&self, distance_cells: f64, cell_size_m: f64) -> f64 {
        if distance_cells.is_infinite() {
            return 0.0;
        }
        let missing = (self.d_opt_m - distance_cells * cell_size_m) / self.unit_m(cell_size_m);
        if missing < 0.0 && self.sides == Sides::Near { 0.0 } else { missing * missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_danger_e2_both_sides_and_one() {
        let both = Discomfort { d_min_m: 1.0, d_opt_m: 3.0, ..Discomfort::default() };
        let of = |params: &Discomfort| [0.5, 1.0, 2.0, 3.0, 4.0, 5.0].map(|d| params.at(d, 1.0));
        assert_eq!(of(&both), [f64::INFINITY, 4.0, 1.0, 0.0, 1.0, 4.0]);
        let near = Discomfort { sides: Sides::Near, ..both };
        assert_eq!(of(&near), [f64::INFINITY, 4.0, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn units_scale_the_square() {
        let cells = Discomfort::default();
        let metres = Discomfort { units: Units::Metres, ..cells };
        assert!((cells.at(5.0, 0.05) - 100.0).abs() < 1e-9);
        assert!((metres.at(5.0, 0.05) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_limit_of_whole_cells_is_not_spoiled_by_rounding() {
        assert!(Discomfort { d_min_m: 0.3, ..Discomfort::default() }.at(3.0, 0.1).is_finite());
    }

    #[test]
    fn negative_and_infinite_parameters_are_refused() {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Discomfort { alpha: wrong, ..Discomfort::default() }.check().is_err());
            assert!(Discomfort { d_min_m: wrong, ..Discomfort::default() }.check().is_err());
        }
        assert_eq!(Discomfort::default().check(), Ok(()));
    }
}
