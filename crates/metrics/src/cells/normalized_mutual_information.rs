//! Normalised mutual information: how much the class of a cell in one map tells about its class in the other.
//!
//! ```text
//! NMI = (H(G) + H(M)) / H(G, M)      H entropy of the classes, H(G, M) of their pairs
//! ```
//!
//! Unit: 1. Range: 1 (independent) to 2 (one determines the other). Better: higher.
//! Paper: Studholme et al. 1999; none of the five, used by scripts that compare robot maps.
//! Unknown: a class of its own for `input = trinary`, free for `binary`.
//! Variants: `input = trinary` (free, unknown, occupied) or `binary` (occupied or not).
//! Known bias: a map with all classes renamed scores 2, so a negated map looks perfect; read it beside a
//! correlation. On the same map `binary` is far below `trinary`.
//! Sees: shift, rotate, bend, cut, missing_wing, thick_walls, blur, resolution, scale, mirror; late: noise, moved_room,
//! unseen, closed_door, opened_wall; saturates: ghost_walls. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell, or if both maps are constant.

use super::binary_counts::{BinaryCounts, UnknownAs};
use crate::floors::pooled_table;
use crate::prelude::*;

/// Which classes are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Free, unknown, occupied.
    #[default]
    Trinary,
    /// Occupied or not.
    Binary,
}

/// Parameters of the normalised mutual information.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NormalizedMutualInformation {
    /// Which classes are told apart. Default `trinary`, ours: unknown is a class of its own.
    pub input: Input,
}

impl Metric for NormalizedMutualInformation {
    const SPEC: MetricSpec = MetricSpec::new(
        Family::Cells,
        "normalized_mutual_information",
        "M-NMI",
        "Normalised mutual information",
    )
    .measured_in(Unit::Ratio, Better::Higher)
    .between(2.0, 1.0)
    .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let table = case.table()?.counts;
        let counts = BinaryCounts::of(case.table()?, UnknownAs::Free);
        let binary = [[counts.agreed_free, counts.invented], [counts.missed, counts.hits]];
        let occupied_only = nmi(&binary);
        let value = match self.input {
            Input::Trinary => nmi(&table),
            Input::Binary => occupied_only,
        };
        let reason = if case.table()?.total() == 0 { Reason::EmptyWindow } else { Reason::ZeroVariance };
        Ok(Score::new(value.ok_or(reason)?)
            .with("occupied_only", occupied_only)
            .with("compared", case.table()?.total())
            .with("coverage", case.coverage()?))
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        let table = pooled_table(floors)?;
        let counts = BinaryCounts::of(&table, UnknownAs::Free);
        let value = match self.input {
            Input::Trinary => nmi(&table.counts),
            Input::Binary => nmi(&[[counts.agreed_free, counts.invented], [counts.missed, counts.hits]]),
        };
        Ok(Score::new(value.ok_or(Reason::ZeroVariance)?).with("compared", table.total()))
    }
}

/// The ratio of a table of counts; none if all cells are of one pair of classes.
fn nmi<const K: usize>(table: &[[u64; K]; K]) -> Option<f64> {
    let of_truth = table.map(|row| row.iter().sum());
    let of_map: [u64; K] = std::array::from_fn(|m| table.iter().map(|row| row[m]).sum());
    let joint = entropy(table.as_flattened());
    (joint > 0.0).then(|| (entropy(&of_truth) + entropy(&of_map)) / joint)
}

/// Entropy of counts, in nats.
fn entropy(counts: &[u64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let shares = counts.iter().filter(|&&c| c > 0).map(|&c| c as f64 / total);
    -shares.map(|p| p * p.ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(truth: &[&str], map: &[&str]) -> Result<Score, Undefined> {
        Metric::evaluate(&NormalizedMutualInformation::default(), &case(truth, map))
    }

    #[test]
    fn equal_maps_have_two_and_independent_ones_have_one() {
        nearly(score(&["#.?#"], &["#.?#"]).unwrap().value, 2.0, 1e-12);
        nearly(score(&["##.."], &["#.#."]).unwrap().value, 1.0, 1e-12);
    }

    #[test]
    fn half_determined() {
        // H(G) = ln 2, H(M) = H(G, M) = 1.5 ln 2
        nearly(score(&["##.."], &["#?.."]).unwrap().value, 2.5 / 1.5, 1e-12);
    }

    #[test]
    fn two_constant_maps_are_undefined() {
        assert_eq!(score(&["##"], &[".."]).unwrap_err().reasons, [Reason::ZeroVariance]);
    }
}
