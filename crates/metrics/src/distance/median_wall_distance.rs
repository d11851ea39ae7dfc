//! Median wall distance: half of the walls lie no farther than this from a wall of the other map.
//!
//! ```text
//! d = max(median over walls of G of d(p, M), median over walls of M of d(p, G))
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. Distances are Euclidean between cell centres.
//! Paper: none of the five; a robust companion of the mean.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: blind to what happens to the worse half of the walls; a map with a missing wing can have
//! 0.
//! Undefined: if either map has no occupied cell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// The median wall distance has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MedianWallDistance {}

impl Metric for MedianWallDistance {
    const SPEC: MetricSpec = MetricSpec {
        id: "median_wall_distance",
        code: "M-MEDIAN",
        title: "Median wall distance",
        family: Family::Distance,
        unit: Unit::Metres,
        better: Better::Lower,
        best: Some(0.0),
        worst: None,
        source: include_str!("median_wall_distance.rs"),
    };

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let distances = case.wall_distances()?;
        let (there, back) = (&distances.truth_to_map, &distances.map_to_truth);
        let value_cells = there.quantile_cells(0.5).max(back.quantile_cells(0.5));
        let cell_size_m = case.grids()?.geometry().cell_size_m();
        Ok(Score::new(value_cells * cell_size_m)
            .with("value_cells", value_cells)
            .with_all(distances.facts(cell_size_m))
            .with("coverage", case.coverage()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(truth: &[&str], map: &[&str]) -> f64 {
        Metric::evaluate(&MedianWallDistance {}, &case(truth, map)).unwrap().value
    }

    #[test]
    fn the_larger_median_counts() {
        // G to M: 0, 1, 2, 3 with median 1.5; M to G: 0
        nearly(score(&["####"], &["#..."]), 1.5, 1e-12);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        assert!(Metric::evaluate(&MedianWallDistance {}, &case(&["#."], &[".."])).is_err());
        assert!(Metric::evaluate(&MedianWallDistance {}, &case(&[".."], &["#."])).is_err());
    }
}
