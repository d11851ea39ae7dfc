//! Pearson correlation of occupied space: how well the values go together where there are walls.
//!
//! ```text
//! r = Σ (g - <g>)(m - <m>) / sqrt(Σ (g - <g>)² Σ (m - <m>)²)      over the cells of `domain`
//! on binary maps, domain = union: r = -sqrt(FN FP / ((TP + FN) (TP + FP)))
//! ```
//!
//! Unit: 1. Range: -1 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, section 5 (after Guyon et al. 2006).
//! Departure: the paper says "occupied space only" and no more, and its printed values fit none of the obvious
//! readings; so all of them are here, and `domain` says which.
//! Unknown: 0.5.
//! Variants: `union`: cells that either map calls occupied (above 0.5), for probability maps; `band`: cells within
//! `band_cells` (Chebyshev) of an occupied cell of the truth, meaningful for binary maps too; `coords`: the two
//! lists of occupied cells in row-major order, cut to the shorter one, mean of the correlations of columns and
//! rows, a historical reading that is not recommended; `all`: the same as Baron's correlation.
//! Known bias: on binary maps `union` is never positive, so it carries a warning there, and it is undefined where the maps are
//! equal; outliers weigh much. `baron_correlation` has neither fault.
//! Sees: nothing early; undefined under: noise, shift, rotate, bend, cut, moved_room, missing_wing, thick_walls,
//! unseen, ghost_walls, closed_door, opened_wall, blur, resolution, scale, mirror. Damage of docs/lab.md, five
//! generated floors.
//! Undefined: fewer than two cells, or one side constant.

use model::{CellClass, Grid};

use super::number_pairs::{NumberPairs, Source, UnknownNumber};
use crate::AlignedGrids;
use crate::prelude::*;

/// Over which cells the correlation is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    /// Cells above 0.5 in either map.
    #[default]
    Union,
    /// Cells near an occupied cell of the truth.
    Band,
    /// The coordinates of the occupied cells, paired by their rank.
    Coords,
    /// All cells.
    All,
}

/// Parameters of the Pearson correlation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PearsonCorrelation {
    /// Over which cells the correlation is taken. Default `union`, ours: nearest to the paper's words.
    pub domain: Domain,
    /// Half width of the band in cells. Default 1, ours: the cells that touch a wall.
    pub band_cells: u32,
}

impl Default for PearsonCorrelation {
    fn default() -> Self {
        Self { domain: Domain::Union, band_cells: 1 }
    }
}

impl Metric for PearsonCorrelation {
    const SPEC: MetricSpec = MetricSpec::new(
        Family::Cells,
        "pearson_correlation",
        "M-PEARSON",
        "Pearson correlation of occupied space",
    )
    .measured_in(Unit::Ratio, Better::Higher)
    .between(1.0, -1.0)
    .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let score = match self.domain {
            Domain::Union => over_numbers(case, |g, m| g > 0.5 || m > 0.5)?,
            Domain::All => over_numbers(case, |_, _| true)?,
            Domain::Band => over_band(case.grids()?, self.band_cells as usize)?,
            Domain::Coords => over_coordinates(case.grids()?)?,
        };
        Ok(score.with("coverage", case.coverage()?))
    }
}

fn over_numbers(case: &Case, keep: impl Fn(f64, f64) -> bool) -> Result<Score, Undefined> {
    let pairs = NumberPairs::of(case, Source::Probabilities, UnknownNumber::Half)?;
    let correlation = pairs.correlation(&keep);
    let mut binary = true;
    pairs.for_each(|g, m, _| binary &= !keep(g, m) || ([0.0, 1.0].contains(&g) && [0.0, 1.0].contains(&m)));
    Ok(Score::new(correlation.coefficient()?)
        .with("cells", correlation.cells as u64)
        .warn_if(binary && correlation.r < Some(0.0), Reason::BinaryInput))
}

fn over_band(grids: &AlignedGrids, band_cells: usize) -> Result<Score, Undefined> {
    let occupied = |grid: &Grid| -> Vec<u8> {
        grid.classes().iter().map(|&c| u8::from(c == CellClass::Occupied)).collect()
    };
    let band = raster::dilation::dilated(&occupied(&grids.truth), grids.geometry().width(), band_cells);
    let inside = || band.iter().enumerate().filter(|(_, near)| **near == 1).map(|(index, _)| index);
    let pairs = || inside().map(|index| (grids.truth.number(index), grids.map.number(index)));
    let (r, cells) = pearson(pairs)?;
    Ok(Score::new(r).with("cells", cells))
}

fn over_coordinates(grids: &AlignedGrids) -> Result<Score, Undefined> {
    let width = grids.geometry().width();
    let occupied = |grid: &Grid| -> Vec<usize> {
        (0..grid.classes().len()).filter(|&i| grid.classes()[i] == CellClass::Occupied).collect()
    };
    let (truth, map) = (occupied(&grids.truth), occupied(&grids.map));
    let ranked = |of: fn(usize, usize) -> usize| {
        let (truth, map) = (truth.iter(), map.iter());
        move || {
            let pairs = truth.clone().zip(map.clone());
            pairs.map(move |(&t, &m)| (of(t, width) as f64, of(m, width) as f64))
        }
    };
    let (r_x, cells) = pearson(ranked(|index, width| index % width))?;
    let (r_y, _) = pearson(ranked(|index, width| index / width))?;
    Ok(Score::new((r_x + r_y) / 2.0).with("r_x", r_x).with("r_y", r_y).with("cells", cells))
}

/// The coefficient of pairs that can be listed twice, and their number.
fn pearson<I: Iterator<Item = (f64, f64)>>(pairs: impl Fn() -> I) -> Result<(f64, u64), Undefined> {
    let (n, sum_a, sum_b) = pairs().fold((0u64, 0.0, 0.0), |(n, a, b), (x, y)| (n + 1, a + x, b + y));
    if n < 2 {
        return Err(Reason::InsufficientPoints.into());
    }
    let (mean_a, mean_b) = (sum_a / n as f64, sum_b / n as f64);
    let (mut cov, mut var_a, mut var_b) = (0.0, 0.0, 0.0);
    for (a, b) in pairs() {
        cov += (a - mean_a) * (b - mean_b);
        var_a += (a - mean_a) * (a - mean_a);
        var_b += (b - mean_b) * (b - mean_b);
    }
    let constant = |var: f64| var <= n as f64 * 1e-28;
    if constant(var_a) || constant(var_b) {
        return Err(Reason::ZeroVariance.into());
    }
    Ok(((cov / (var_a.sqrt() * var_b.sqrt())).clamp(-1.0, 1.0), n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, case_of_probabilities, nearly};

    const G: [&str; 4] = ["#####", "#...#", "#...#", "#####"];
    const M: [&str; 4] = ["####.", "#...#", "#..#.", "####."];

    fn over(domain: Domain) -> PearsonCorrelation {
        PearsonCorrelation { domain, ..Default::default() }
    }

    #[test]
    fn e1_all_domains() {
        let of = |domain| Metric::evaluate(&over(domain), &case(&G, &M)).unwrap();
        let union = of(Domain::Union);
        nearly(union.value, -(3.0f64 / (14.0 * 12.0)).sqrt(), 1e-12);
        assert_eq!(union.warnings, [Reason::BinaryInput]);
        nearly(of(Domain::Band).value, 0.579066, 5e-7);
        nearly(of(Domain::All).value, 0.579066, 5e-7);
        let coords = of(Domain::Coords);
        nearly(coords.detail["r_x"].as_f64().unwrap(), -0.427282, 5e-7);
        nearly(coords.detail["r_y"].as_f64().unwrap(), 0.939788, 5e-7);
        assert_eq!(coords.detail["cells"], 12);
    }

    #[test]
    fn e2_a_constant_side_is_undefined() {
        let case = case_of_probabilities(
            &[&[1.0, 0.0, 0.5], &[0.0, 1.0, 0.0]],
            &[&[0.9, 0.2, 0.5], &[0.1, 0.6, 0.4]],
        );
        let refused = Metric::evaluate(&over(Domain::Union), &case).unwrap_err();
        assert_eq!(refused.reasons, [Reason::ZeroVariance]);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        for domain in [Domain::Union, Domain::Band, Domain::Coords, Domain::All] {
            assert!(Metric::evaluate(&over(domain), &case(&["...."], &["...."])).is_err(), "{domain:?}");
        }
    }
}
