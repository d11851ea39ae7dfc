//! Coverage: the share of the truth's known cells that the map knows too.
//!
//! ```text
//! coverage = #(g known, m known) / #(g known)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; stands beside every score, because a metric that ignores unknown cells can be good on a
//! map that shows next to nothing.
//! Unknown: what is counted.
//! Known bias: says nothing about whether the known cells are right.
//! Sees: shift, rotate, bend, cut, moved_room, missing_wing, unseen, scale, mirror; saturates: blur; blind to: noise,
//! thick_walls, ghost_walls, closed_door, opened_wall, resolution. Damage of docs/lab.md, five generated floors.
//! Undefined: if the truth has no known cell.

use raster::contingency::Contingency;

use crate::floors::pooled_table;
use crate::prelude::*;

/// Coverage has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownCoverage {}

impl Metric for KnownCoverage {
    const SPEC: MetricSpec = MetricSpec::share(Family::Cells, "known_coverage", "M-COVER", "Coverage")
        .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let table = case.table()?;
        let [truth_free, _, truth_occupied] = table.truth_counts();
        let [map_free, _, map_occupied] = table.map_counts();
        let covered = case.coverage()?.ok_or(Reason::EmptyWindow)?;
        Ok(Score::new(covered)
            .with("truth_known", truth_free + truth_occupied)
            .with("map_known", map_free + map_occupied)
            .with("both_known_free", table.counts[0][0] + table.counts[2][0])
            .with("both_known_occupied", table.counts[0][2] + table.counts[2][2]))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let parts = |table: &Contingency| {
            let [free, _, occupied] = table.counts;
            (free[0] + free[2] + occupied[0] + occupied[2], free.iter().chain(&occupied).sum())
        };
        case.blocks().map(|blocks| blocks.ratio_of_tables(parts)).into_iter().collect()
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        let [free, _, occupied] = pooled_table(floors)?.counts;
        let known: u64 = free.iter().chain(&occupied).sum();
        let covered = free[0] + free[2] + occupied[0] + occupied[2];
        if known == 0 {
            return Err(Reason::EmptyWindow.into());
        }
        Ok(Score::new(covered as f64 / known as f64).with("truth_known", known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::case;

    #[test]
    fn counts_what_the_map_knows_of_the_truth() {
        let score = Metric::evaluate(&KnownCoverage {}, &case(&["#.??"], &["?#.."])).unwrap();
        assert_eq!(score.value, 0.5);
    }

    #[test]
    fn an_unknown_truth_has_no_coverage() {
        assert!(Metric::evaluate(&KnownCoverage {}, &case(&["??"], &["#."])).is_err());
    }
}
