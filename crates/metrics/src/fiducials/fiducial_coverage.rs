//! Fiducial coverage: the share of the fiducial parts that the map shows.
//!
//! ```text
//! coverage = assigned parts / all parts
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 2.2.
//! Departure: found by the program, where the authors marked barrels by hand. 2/3 of a part's arc must be visible, as
//! there, measured to one cell over the radius. A part further than `d_max` from its place counts as found if a verified
//! outline stands for it within `reach_m` (`displaced = missing`: it does not).
//! Corners and poles as parts are the paper's outlook, and ours: a corner is found where two walls of at least 0.4 m meet, its
//! opening and direction within 30 degrees of those of the layout, a pole where a small group of cells stands alone.
//! Unknown: a barrel may be filled with unknown or with free cells; only its outline counts.
//! Known bias: walls closer than 3.5 cells to a barrel hide it, and below six cells of radius fewer parts are found.
//! Undefined: if there is no layout, it has no positions, or a barrel's radius is below two cells. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use super::placed;
use crate::prelude::*;

/// Fiducial coverage has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialCoverage {}

/// The parts are shown even if they say nothing about the map.
fn with_parts(undefined: Undefined, case: &Case) -> Undefined {
    match case.fiducials() {
        Ok(fiducials) => undefined.with_evidence(MetricEvidence::Fiducials(fiducials.evidence())),
        Err(_) => undefined,
    }
}

impl Metric for FiducialCoverage {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Fiducials, "fiducial_coverage", "Q-COV", "Fiducial coverage")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let fiducials = placed(case).map_err(|undefined| with_parts(undefined, case))?;
        let parts = &fiducials.inputs.layout.parts;
        let missing: Vec<&str> = parts
            .iter()
            .zip(&fiducials.located.parts)
            .filter(|(_, found)| found.is_none())
            .map(|(part, _)| part.part.as_str())
            .collect();
        let coverage = fiducials.located.found() as f64 / parts.len() as f64;
        let score = Score::new(coverage)
            .with_all(fiducials.basis())
            .with_all(fiducials.placement())
            .with("missing", missing);
        Ok(fiducials.warned(score).with_evidence(MetricEvidence::Fiducials(fiducials.evidence())))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok(fiducials) = case.fiducials() else { return Vec::new() };
        let parts = &fiducials.located.parts;
        let make = Make::ratio(parts.iter().map(|found| (f64::from(u8::from(found.is_some())), 1.0)));
        vec![Samples::own(SampleUnit::new("fiducial parts", parts.len()), make)]
    }
}
