//! Occupied share: occupied cells per free cell of the map.
//!
//! ```text
//! share = occupied / free                          reading = of_free
//! share = (occupied + unknown) / all cells         reading = not_free_of_all
//! ```
//!
//! Unit: 1. Range: 0 upwards for `of_free`, 0 to 1 for `not_free_of_all`. Better: neither, it describes the map.
//! Paper: Filatov et al. 2017, one of three signs of a map without a truth; a wall that is drawn twice raises it.
//! Departure: classes are those of the map; the programs divide the grey values at their mean.
//! Unknown: not looked at in `of_free`; counts as occupied in `not_free_of_all`, so that the border of the image decides.
//! Known bias: a description, not a sign of quality: it grows with thick walls, furniture and small rooms. Compare maps of one
//! place and one cell size.
//! Variants: on one map two public programs print 0.036 and 0.427. `of_free` is the reading of SLAM-maps-evaluation,
//! `not_free_of_all` that of a program which counts unknown cells as occupied, as their code reads; neither was run here.
//! Undefined: if the map has no free cell (`of_free`).

use crate::prelude::*;

/// Parameters of the occupied share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedShare {
    /// What is divided by what. Default `of_free`, the words of the paper.
    pub reading: ShareReading,
}

/// What is divided by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShareReading {
    /// Occupied cells per free cell.
    #[default]
    OfFree,
    /// Occupied and unknown cells of all cells.
    NotFreeOfAll,
}

impl Metric for OccupiedShare {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Plausibility, "occupied_share", "X-PLAUS-O", "Occupied share")
            .measured_in(Unit::Ratio, Better::Neither)
            .over_floors(Aggregate::None);

    /// Only where it is asked for by name.
    fn applies(_: &Case) -> bool {
        false
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let [free, unknown, occupied] = case.map()?.class_counts();
        let (part, whole) = match self.reading {
            ShareReading::OfFree => (occupied, free),
            ShareReading::NotFreeOfAll => (occupied + unknown, free + unknown + occupied),
        };
        if whole == 0 {
            return Err(Reason::EmptyWindow.into());
        }
        Ok(Score::new(part as f64 / whole as f64)
            .with("free_cells", free)
            .with("unknown_cells", unknown)
            .with("occupied_cells", occupied))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn value(reading: ShareReading, rows: &[&str]) -> Result<f64, Undefined> {
        let case = Case::of_map_alone(Arc::new(testkit::grid(rows)));
        Metric::evaluate(&OccupiedShare { reading }, &case).map(|score| score.value)
    }

    #[test]
    fn both_readings_by_hand() {
        // 3 occupied, 4 free, 1 unknown.
        let rows = ["##..", "#..?"];
        assert_eq!(value(ShareReading::OfFree, &rows).unwrap(), 3.0 / 4.0);
        assert_eq!(value(ShareReading::NotFreeOfAll, &rows).unwrap(), 4.0 / 8.0);
    }

    #[test]
    fn without_a_free_cell_only_one_reading_has_a_value() {
        assert!(value(ShareReading::OfFree, &["#?"]).is_err());
        assert_eq!(value(ShareReading::NotFreeOfAll, &["#?"]).unwrap(), 1.0);
    }
}
