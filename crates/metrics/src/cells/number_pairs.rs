//! Pairs of cell numbers (0, 0.5, 1 or probabilities) of truth and map, for sums and correlations.
//!
//! Two three-value maps have only nine different pairs, so their sums come from the contingency table; a map
//! with probabilities is read cell by cell.

use model::{CellClass, Grid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Case, Undefined};

/// The number of an unknown cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownNumber {
    /// 0.5, as in Collins et al.
    #[default]
    Half,
    /// 0.
    Free,
    /// 1.
    Occupied,
    /// A cell unknown in either map is not compared.
    Exclude,
}

impl UnknownNumber {
    const fn number(self) -> Option<f64> {
        match self {
            Self::Half => Some(0.5),
            Self::Free => Some(0.0),
            Self::Occupied => Some(1.0),
            Self::Exclude => None,
        }
    }
}

/// Where the numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The classes, whatever probabilities there are.
    Classes,
    /// The probabilities of a map that has them, else its classes.
    Probabilities,
}

/// All pairs of numbers of a case.
pub enum NumberPairs<'a> {
    /// Nine pairs with their frequencies.
    Table(Vec<(f64, f64, u64)>),
    /// One pair per cell.
    Cells(&'a Grid, &'a Grid, UnknownNumber),
}

impl<'a> NumberPairs<'a> {
    /// The pairs of a case.
    ///
    /// # Errors
    /// There are no maps to compare.
    pub fn of(case: &'a Case, source: Source, unknown: UnknownNumber) -> Result<Self, Undefined> {
        let grids = case.grids()?;
        let has_probabilities = grids.truth.probabilities().is_some() || grids.map.probabilities().is_some();
        if source == Source::Probabilities && has_probabilities {
            return Ok(Self::Cells(&grids.truth, &grids.map, unknown));
        }
        let number =
            |class: CellClass| if class.is_known() { Some(class.number()) } else { unknown.number() };
        let counts = case.table()?.counts;
        let pairs = CellClass::ALL.into_iter().flat_map(|g| CellClass::ALL.map(|m| (g, m)));
        let weighted = pairs.filter_map(|(g, m)| {
            let cells = counts[g as usize][m as usize];
            Some((number(g)?, number(m)?, cells)).filter(|_| cells > 0)
        });
        Ok(Self::Table(weighted.collect()))
    }

    /// Calls with every pair (truth, map) and its frequency, in a fixed order.
    pub fn for_each(&self, mut call: impl FnMut(f64, f64, f64)) {
        match self {
            Self::Table(pairs) => pairs.iter().for_each(|&(g, m, cells)| call(g, m, cells as f64)),
            Self::Cells(truth, map, unknown) => {
                pairs_by_cell(truth, map, *unknown).for_each(|(_, g, m)| call(g, m, 1.0));
            }
        }
    }

    /// Sum of squared differences over the pairs that `keep` accepts, and their number.
    #[must_use]
    pub fn squared_differences(&self, keep: impl Fn(f64, f64) -> bool) -> SquaredDifferences {
        let mut result = SquaredDifferences { sum: 0.0, cells: 0.0 };
        self.for_each(|g, m, cells| {
            if keep(g, m) {
                result.sum += cells * (g - m) * (g - m);
                result.cells += cells;
            }
        });
        result
    }

    /// Correlation over the pairs that `keep` accepts; in two passes, so that nothing cancels.
    #[must_use]
    pub fn correlation(&self, keep: impl Fn(f64, f64) -> bool) -> Correlation {
        let (mut n, mut sum_g, mut sum_m) = (0.0, 0.0, 0.0);
        self.for_each(|g, m, cells| {
            if keep(g, m) {
                n += cells;
                sum_g += cells * g;
                sum_m += cells * m;
            }
        });
        let (mean_g, mean_m) = (sum_g / n, sum_m / n);
        let (mut cov, mut var_g, mut var_m) = (0.0, 0.0, 0.0);
        self.for_each(|g, m, cells| {
            if keep(g, m) {
                cov += cells * (g - mean_g) * (m - mean_m);
                var_g += cells * (g - mean_g) * (g - mean_g);
                var_m += cells * (m - mean_m) * (m - mean_m);
            }
        });
        // A constant map has deviations of rounding size only.
        let constant = |var: f64| var <= n * 1e-28;
        let r = (n > 0.0 && !constant(var_g) && !constant(var_m))
            .then(|| (cov / (var_g.sqrt() * var_m.sqrt())).clamp(-1.0, 1.0));
        Correlation { cells: n, mean_truth: mean_g, mean_map: mean_m, r }
    }
}

/// The compared cells with their numbers in truth and map.
pub(super) fn pairs_by_cell(
    truth: &Grid,
    map: &Grid,
    unknown: UnknownNumber,
) -> impl Iterator<Item = (usize, f64, f64)> {
    let number = move |grid: &Grid, index: usize| {
        if grid.classes()[index].is_known() { Some(grid.number(index)) } else { unknown.number() }
    };
    (0..truth.classes().len())
        .filter_map(move |index| Some((index, number(truth, index)?, number(map, index)?)))
}

/// A sum of squared differences and what it was taken over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredDifferences {
    /// Σ (g - m)².
    pub sum: f64,
    pub cells: f64,
}

/// A correlation and what it was taken over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    pub cells: f64,
    /// Mean of the truth's numbers.
    pub mean_truth: f64,
    /// Mean of the map's numbers.
    pub mean_map: f64,
    /// The coefficient; none if one side is constant.
    pub r: Option<f64>,
}

impl Correlation {
    /// The coefficient of enough pairs with spread on both sides.
    ///
    /// # Errors
    /// No pair at all, fewer than two, or one side constant.
    pub fn coefficient(&self) -> Result<f64, Undefined> {
        use crate::Reason::{EmptyWindow, InsufficientPoints, ZeroVariance};
        if self.cells < 1.0 {
            return Err(EmptyWindow.into());
        }
        if self.cells < 2.0 {
            return Err(InsufficientPoints.into());
        }
        self.r.ok_or_else(|| ZeroVariance.into())
    }
}
