//! Barrels, corners and poles of known place (Schwertfeger et al. 2010).

pub mod accuracy;
pub mod assignment;
mod barrels;
mod consistency;
pub mod errors;
#[cfg(test)]
mod example;
mod features;
pub mod fiducial_coverage;
pub mod fiducial_global_accuracy;
pub mod fiducial_long_consistency;
pub mod fiducial_pass_rate;
pub mod fiducial_relative_accuracy;
pub mod fiducial_resolution;
pub mod fiducial_score;
pub mod fiducial_short_consistency;
pub mod fiducial_topology;
mod frame;
mod inputs;
mod located;
mod pair_sites;
mod part_facts;
mod part_search;
mod placement;
#[cfg(test)]
mod score_tables;

pub use barrels::Barrel;
pub use consistency::{PairError, is_group, pairs_of_range};
pub use features::{Feature, corners, poles};
pub use inputs::{Displaced, FiducialInputs, FiducialSearch, LayoutFrame, MAX_PARTS, MIN_RADIUS_CELLS};
pub use located::{FoundPart, Located, TriedFrame};
pub use part_facts::{FiducialEvidence, PartFacts};
pub use placement::{CLEAR_OF_CHANCE, PlacementCertificate, PlacementSource, PlacementVerdict};

use align::closed_form::PointPair;
use model::{Pose2, Positions};
use serde_json::json;

use crate::metric::{Entry, entry};
use crate::{Case, Detail, Make, Reason, SampleUnit, Samples, Score, Undefined, facts};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<fiducial_coverage::FiducialCoverage>(),
    entry::<fiducial_global_accuracy::FiducialGlobalAccuracy>(),
    entry::<fiducial_long_consistency::FiducialLongConsistency>(),
    entry::<fiducial_pass_rate::FiducialPassRate>(),
    entry::<fiducial_relative_accuracy::FiducialRelativeAccuracy>(),
    entry::<fiducial_resolution::FiducialResolution>(),
    entry::<fiducial_score::FiducialScore>(),
    entry::<fiducial_short_consistency::FiducialShortConsistency>(),
    entry::<fiducial_topology::FiducialTopology>(),
];

/// The fiducials of a case: what was asked for and what was found.
#[derive(Clone, Copy, Debug)]
pub struct Fiducials<'a> {
    /// Layout, map and frame.
    pub inputs: &'a FiducialInputs,
    /// The parts in the map.
    pub located: &'a Located,
}

impl Fiducials<'_> {
    /// Found and true place of each part that was found.
    #[must_use]
    pub fn pairs(&self) -> Vec<PointPair> {
        let parts = self.inputs.layout.parts.iter().zip(&self.located.parts);
        let pair = |found: &FoundPart, in_truth| PointPair { in_map: found.center_in_map, in_truth };
        parts.filter_map(|(part, found)| found.as_ref().map(|found| pair(found, part.center))).collect()
    }

    /// Every part of the layout as a report has it.
    #[must_use]
    pub fn part_facts(&self) -> Vec<PartFacts> {
        let pose = match self.inputs.layout.positions {
            Positions::Given => Some(self.located.truth_from_map.unwrap_or(Pose2::IDENTITY)),
            Positions::Unknown => None,
        };
        let parts = self.inputs.layout.parts.iter().zip(&self.located.parts);
        parts.map(|(part, found)| PartFacts::new(part, found.as_ref(), pose)).collect()
    }

    /// Every part of the layout, and how sure its placement is.
    #[must_use]
    pub fn evidence(&self) -> FiducialEvidence {
        FiducialEvidence { parts: self.part_facts(), placement: self.located.certificate }
    }

    /// Samples of a mean over found parts: `values` has one entry per found part, in their order.
    fn samples_of_found(&self, values: &[f64]) -> Samples {
        let mut values = values.iter();
        let part = |found: &Option<FoundPart>| match found {
            Some(_) => (values.next().copied().unwrap_or(0.0), 1.0),
            None => (0.0, 0.0),
        };
        let make = Make::ratio(self.located.parts.iter().map(part));
        Samples::own(SampleUnit::new("fiducial parts", self.located.parts.len()), make)
    }

    /// A score with the warnings of detection and frame.
    fn warned(&self, score: Score) -> Score {
        self.located.warnings.iter().fold(score, |score, reason| score.warn_if(true, *reason))
    }

    /// Number of parts that lie further than `d_max` from their place.
    fn displaced(&self) -> usize {
        self.located.parts.iter().flatten().filter(|found| found.is_displaced).count()
    }

    /// How much a value rests on: it stands beside each of them.
    fn basis(&self) -> Detail {
        let (found, parts) = (self.located.found(), self.inputs.layout.parts.len());
        facts([
            ("found", found.into()),
            ("parts", parts.into()),
            ("coverage", (found as f64 / parts as f64).into()),
        ])
    }

    /// How sure the placement is, as facts; empty where it was not judged.
    fn placement(&self) -> Detail {
        self.located.certificate.map_or_else(Detail::new, |found| facts([("placement", json!(found))]))
    }
}

/// The fiducials of a case, unless chance places their layout as well.
fn judged(case: &Case) -> Result<Fiducials<'_>, Undefined> {
    let fiducials = case.fiducials()?;
    match placement::is_by_chance(fiducials.located.certificate.as_ref()) {
        false => Ok(fiducials),
        true => Err(Undefined::because(Reason::PlacementByChance)
            .with_all(fiducials.basis())
            .with_all(fiducials.placement())),
    }
}

/// The fiducials of a case whose layout has positions.
fn placed(case: &Case) -> Result<Fiducials<'_>, Undefined> {
    let fiducials = judged(case)?;
    match fiducials.inputs.layout.positions {
        Positions::Given => Ok(fiducials),
        Positions::Unknown => Err(Undefined::because(Reason::NoReference).with_all(fiducials.basis())),
    }
}

/// The fiducials of a case with positions in which at least one part was found.
fn matched(case: &Case) -> Result<Fiducials<'_>, Undefined> {
    let fiducials = placed(case)?;
    if fiducials.located.found() > 0 {
        return Ok(fiducials);
    }
    Err(Undefined::because(Reason::NoMatch).with_all(fiducials.basis()))
}
