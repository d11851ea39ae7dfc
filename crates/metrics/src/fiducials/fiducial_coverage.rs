//! Fiducial coverage: the share of the fiducial parts that the map shows.
//!
//! ```text
//! coverage = assigned parts / all parts
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 3.1.
//! Departure: found by the program, where the authors marked barrels by hand; 2/3 of a part's arc must be visible, as
//! there.
//! Unknown: a barrel may be filled with unknown or with free cells; only its outline counts.
//! Known bias: walls closer than 3.5 cells to a barrel hide it, and below six cells of radius fewer parts are found.
//! Undefined: if there is no layout, or a barrel's radius is below two cells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Fiducial coverage has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialCoverage {}

impl Metric for FiducialCoverage {
    const SPEC: MetricSpec = MetricSpec {
        id: "fiducial_coverage",
        code: "Q-COV",
        title: "Fiducial coverage",
        family: Family::Fiducials,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        source: include_str!("fiducial_coverage.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.has_fiducials()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let fiducials = case.fiducials()?;
        let parts = &fiducials.inputs.layout.parts;
        let missing: Vec<&str> = parts
            .iter()
            .zip(&fiducials.located.parts)
            .filter(|(_, found)| found.is_none())
            .map(|(part, _)| part.part.as_str())
            .collect();
        let coverage = fiducials.located.found() as f64 / parts.len() as f64;
        let score = Score::new(coverage).with_all(fiducials.basis()).with("missing", missing);
        Ok(fiducials.warned(score))
    }
}
