//! Baron's cross correlation: how well the values of map and truth go together over all cells.
//!
//! ```text
//! C = (<G M> - <G> <M>) / (sigma(G) sigma(M))
//! on binary maps: C = (N TP - nG nM) / sqrt(nG (N - nG) nM (N - nM))
//! ```
//!
//! Unit: 1. Range: -1 to 1. Better: higher.
//! Paper: Collins et al., section 3.1; Balaguer et al. 2009, section 5.
//! Departure: Balaguer et al. call it normalised between 0 and 1; it is a correlation and can be negative. The
//! signed value is returned, `clamp` cuts it at 0.
//! Unknown: counts as free for `input = binary` (`unknown_as`), as 0.5 for the other inputs.
//! Variants: `input = binary` (Balaguer et al.), `trinary` (0, 0.5, 1) or `probability` (Collins et al.).
//! Known bias: both maps must share one frame exactly; a wall shifted by its own thickness correlates with nothing.
//! Sees: shift, rotate, bend, cut, thick_walls, blur, resolution, scale, mirror; late: noise, moved_room, missing_wing,
//! unseen, closed_door, opened_wall; saturates: ghost_walls. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has the same value in every cell, even if both are identical.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::number_pairs::{NumberPairs, Source, UnknownNumber};
use crate::floors::pooled_counts;
use crate::prelude::*;
use crate::{Detail, facts};

/// What the correlation is taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Occupied or not.
    #[default]
    Binary,
    /// 0, 0.5, 1 for free, unknown, occupied.
    Trinary,
    /// Probabilities where a map has them, else its classes as numbers.
    Probability,
}

/// Parameters of Baron's cross correlation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaronCorrelation {
    /// What the correlation is taken over. Default `binary`, from Balaguer et al. 2009.
    pub input: Input,
    /// What an unknown cell counts as for `input = binary`. Default `free`, from Balaguer et al. 2009.
    pub unknown_as: UnknownAs,
    /// Return 0 instead of a negative value. Default false: a negative value says more.
    pub clamp: bool,
}

impl Metric for BaronCorrelation {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Cells, "baron_correlation", "M-BARON", "Baron's cross correlation")
            .measured_in(Unit::Ratio, Better::Higher)
            .between(1.0, -1.0)
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let (correlation, detail) = match self.input {
            Input::Binary => phi(case, self.unknown_as)?,
            Input::Trinary => of_numbers(case, Source::Classes)?,
            Input::Probability => of_numbers(case, Source::Probabilities)?,
        };
        let value = if self.clamp { correlation.max(0.0) } else { correlation };
        let worst = if self.clamp { 0.0 } else { -1.0 };
        Ok(Score::new(value).between(1.0, worst).with_all(detail))
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        if self.input != Input::Binary {
            return Err(Reason::NoAggregate.into());
        }
        let value = phi_of(&pooled_counts(floors, self.unknown_as)?)?;
        Ok(Score::new(if self.clamp { value.max(0.0) } else { value }))
    }
}

/// The phi coefficient of two binary maps, in whole numbers up to the last step.
fn phi(case: &Case, unknown_as: UnknownAs) -> Result<(f64, Detail), Undefined> {
    let counts = BinaryCounts::of_case(case, unknown_as)?;
    let detail = counts.detail(case);
    match phi_of(&counts) {
        Ok(value) => Ok((value, detail)),
        Err(undefined) => Err(undefined.with_all(detail)),
    }
}

fn phi_of(counts: &BinaryCounts) -> Result<f64, Undefined> {
    let (n, n_g, n_m) = (counts.compared(), counts.truth_occupied(), counts.map_occupied());
    if [n_g, n - n_g, n_m, n - n_m].contains(&0) {
        return Err(Undefined::because(Reason::ZeroVariance)
            .also_if(n_g == 0, Reason::NoOccupiedGt)
            .also_if(n_m == 0, Reason::NoOccupiedMap));
    }
    let covariance = i128::from(n) * i128::from(counts.hits) - i128::from(n_g) * i128::from(n_m);
    let spread = |occupied: u64| (u128::from(occupied) * u128::from(n - occupied)) as f64;
    Ok(covariance as f64 / (spread(n_g).sqrt() * spread(n_m).sqrt()))
}

fn of_numbers(case: &Case, source: Source) -> Result<(f64, Detail), Undefined> {
    let correlation = NumberPairs::of(case, source, UnknownNumber::Half)?.correlation(|_, _| true);
    let detail = facts([
        ("compared", correlation.cells.into()),
        ("mean_truth", correlation.mean_truth.into()),
        ("mean_map", correlation.mean_map.into()),
        ("coverage", case.coverage()?.into()),
    ]);
    Ok((correlation.coefficient()?, detail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, case_of_probabilities, nearly};

    #[test]
    fn e1_binary_maps_give_the_phi_coefficient() {
        let case = case(&["#####", "#...#", "#...#", "#####"], &["####.", "#...#", "#..#.", "####."]);
        let of =
            |input| Metric::evaluate(&BaronCorrelation { input, ..Default::default() }, &case).unwrap().value;
        nearly(of(Input::Binary), 0.579066, 5e-7);
        nearly(of(Input::Trinary), of(Input::Binary), 1e-12);
    }

    #[test]
    fn e2_probabilities() {
        let case = case_of_probabilities(
            &[&[1.0, 0.0, 0.5], &[0.0, 1.0, 0.0]],
            &[&[0.9, 0.2, 0.5], &[0.1, 0.6, 0.4]],
        );
        let params = BaronCorrelation { input: Input::Probability, ..Default::default() };
        nearly(Metric::evaluate(&params, &case).unwrap().value, 0.882597, 5e-7);
    }

    #[test]
    fn a_negated_map_is_anticorrelated_unless_clamped() {
        let case = case(&["#.#."], &[".#.#"]);
        assert_eq!(Metric::evaluate(&BaronCorrelation::default(), &case).unwrap().value, -1.0);
        let clamped = BaronCorrelation { clamp: true, ..Default::default() };
        assert_eq!(Metric::evaluate(&clamped, &case).unwrap().value, 0.0);
    }

    #[test]
    fn constant_maps_are_undefined_even_if_equal() {
        let refused = Metric::evaluate(&BaronCorrelation::default(), &case(&["##"], &["##"])).unwrap_err();
        assert_eq!(refused.reasons, [Reason::ZeroVariance]);
    }
}
