//! How sure the placement of a layout is: its score against that of its best rival, and against chance.
//!
//! ```text
//! score  = 1 - Σ_parts min(d, d_max) / (parts * d_max), with d_max for a part that was not found at its place
//! chance = the highest score of random layouts of the same fiducials (placement searched),
//!          or of the layout itself at random poses on the map (placement given)
//! gain   = (score - other) / (1 - other)
//! ```
//!
//! `by_chance`: score <= chance. `certain`: the gain over chance reaches [`CLEAR_OF_CHANCE`], that over the rival
//! [`align::CERTAIN`], and three fiducials were found: two fix a transform, only a third can contradict it. `ambiguous`: the
//! rest. Ours; the paper marked barrels by hand.

use std::collections::BTreeSet;
use std::f64::consts::TAU;
use std::fmt;

use align::{CERTAIN, Certificate};
use model::{FiducialLayout, FiducialPart, Point2, Pose2, SeededRng};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::inputs::{FiducialInputs, LayoutFrame};
use super::located::{FoundPart, TriedFrame};
use super::part_search::Search;

/// Gain over chance from which a placement is certain. Ours, chosen on the tuning half of the study `unseen-barrels`.
pub const CLEAR_OF_CHANCE: f64 = 0.2;
/// Fiducials that must be found for certainty, and that a layout has at least for a verdict of chance.
const CONFIRMING_FIDUCIALS: usize = 3;
/// Random layouts that are searched for; fewer for layouts so large that one search takes long.
const RANDOM_LAYOUTS: usize = 8;
const MIN_RANDOM_LAYOUTS: usize = 4;
/// Fiducials in all random layouts together.
const RANDOM_FIDUCIALS: usize = 160;
/// Hypotheses for a random layout that are tried in full.
const TRIED_FOR_CHANCE: usize = 3;
/// Random poses at which a given placement is compared.
const RANDOM_POSES: usize = 24;

/// Where the placement of a layout comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlacementSource {
    /// It was searched among all that fit two fiducials.
    Searched,
    /// It was given: by the georeference, or by an alignment of the maps.
    Given,
}

/// What follows from the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlacementVerdict {
    /// Clearly better than every rival and than chance.
    Certain,
    /// Better than chance, but not clearly, or a rival is about as good.
    Ambiguous,
    /// A random layout fits as well: the metrics are undefined.
    ByChance,
}

/// How sure a placement is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlacementCertificate {
    pub source: PlacementSource,
    pub verdict: PlacementVerdict,
    /// 1 if all parts were found at their places, 0 if none was.
    pub score: f64,
    /// Score of the best placement that puts a fiducial elsewhere; none if the placement was given or nothing else fits.
    pub rival_score: Option<f64>,
    /// The highest score that chance reached.
    pub chance_score: f64,
    /// Number of random layouts or poses behind it.
    pub trials: usize,
}

impl PlacementCertificate {
    /// Of a placement that was searched; none if nothing was found. `frames` has the winner first.
    pub(super) fn searched(
        search: &Search<'_>,
        frames: &[TriedFrame],
        found: &[Option<FoundPart>],
    ) -> Option<Self> {
        let score = frames.first()?.score;
        let rival_score = frames.get(1).map(|frame| frame.score);
        let fiducials = search.places.len();
        let trials = (RANDOM_FIDUCIALS / fiducials.max(1)).clamp(MIN_RANDOM_LAYOUTS, RANDOM_LAYOUTS);
        let random = |trial: usize| {
            let inputs = FiducialInputs {
                layout: random_layout(search.inputs, trial as u64),
                ..search.inputs.clone()
            };
            let guessed = search.for_layout(&inputs).in_unknown_frame(TRIED_FOR_CHANCE);
            guessed.frames.first().map_or(0.0, |frame| frame.score)
        };
        let chance_score = (0..trials).map(random).fold(0.0, f64::max);
        let found = fiducials_found(&search.inputs.layout, found);
        let verdict = Scores { score, rival_score, chance_score, fiducials, found }.verdict();
        Some(Self { source: PlacementSource::Searched, verdict, score, rival_score, chance_score, trials })
    }

    /// Of a given placement; none if no part was found.
    pub(super) fn given(search: &Search<'_>, pose: Pose2, found: &[Option<FoundPart>]) -> Option<Self> {
        if found.iter().all(Option::is_none) {
            return None;
        }
        let score = search.score(pose, found);
        let mut rng = SeededRng::new(search.inputs.search.seed).stream(72);
        let chance_score = (0..RANDOM_POSES)
            .map(|_| random_pose(search, &mut rng))
            .map(|pose| search.score(pose, &search.assigned(pose)))
            .fold(0.0, f64::max);
        let (fiducials, found) = (search.places.len(), fiducials_found(&search.inputs.layout, found));
        let verdict = Scores { score, rival_score: None, chance_score, fiducials, found }.verdict();
        let (source, trials) = (PlacementSource::Given, RANDOM_POSES);
        Some(Self { source, verdict, score, rival_score: None, chance_score, trials })
    }

    /// The same of a map whose mirror image fits: its barrels are no accident.
    pub(super) fn of_mirrored(self) -> Self {
        match self.verdict {
            PlacementVerdict::ByChance => Self { verdict: PlacementVerdict::Ambiguous, ..self },
            PlacementVerdict::Certain | PlacementVerdict::Ambiguous => self,
        }
    }
}

/// For people: `certain: score 0.962, best rival 0.410, chance 0.781 (best of 8 random layouts)`.
impl fmt::Display for PlacementCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            PlacementVerdict::Certain => "certain",
            PlacementVerdict::Ambiguous => "ambiguous",
            PlacementVerdict::ByChance => "by chance",
        };
        let (given, what) = match self.source {
            PlacementSource::Searched => ("", "random layouts"),
            PlacementSource::Given => ("given, ", "random placements"),
        };
        write!(f, "{given}{verdict}: score {:.3}", self.score)?;
        if let Some(rival) = self.rival_score {
            write!(f, ", best rival {rival:.3}")?;
        }
        write!(f, ", chance {:.3} (best of {} {what})", self.chance_score, self.trials)
    }
}

/// What a verdict rests on.
struct Scores {
    score: f64,
    rival_score: Option<f64>,
    chance_score: f64,
    /// Fiducials of the layout.
    fiducials: usize,
    /// Those of which a part was found at its place.
    found: usize,
}

impl Scores {
    fn verdict(&self) -> PlacementVerdict {
        // One or two fiducials fit everywhere; that says nothing against them.
        if self.fiducials >= CONFIRMING_FIDUCIALS && self.score <= self.chance_score {
            return PlacementVerdict::ByChance;
        }
        let gain = |other: f64| Certificate::gain(self.score, other);
        let is_clear =
            gain(self.chance_score) >= CLEAR_OF_CHANCE && gain(self.rival_score.unwrap_or(0.0)) >= CERTAIN;
        if is_clear && self.found >= CONFIRMING_FIDUCIALS {
            PlacementVerdict::Certain
        } else {
            PlacementVerdict::Ambiguous
        }
    }
}

/// Number of fiducials of which a part was found at its place.
fn fiducials_found(layout: &FiducialLayout, found: &[Option<FoundPart>]) -> usize {
    let parts = layout.parts.iter().zip(found);
    let is_near = |found: &Option<FoundPart>| found.is_some_and(|found| !found.is_displaced);
    let names = parts.filter(|(_, found)| is_near(found)).map(|(part, _)| part.fiducial.as_str());
    names.collect::<BTreeSet<&str>>().len()
}

/// The fiducials of a layout, each rotated and moved as a whole to a random place of the box around them all.
fn random_layout(inputs: &FiducialInputs, trial: u64) -> FiducialLayout {
    let mut rng = SeededRng::new(inputs.search.seed).stream(1000 + trial);
    let parts = &inputs.layout.parts;
    let [low, high] = corners(parts, inputs.d_max_m());
    let mut layout = inputs.layout.clone();
    let names: BTreeSet<&str> = parts.iter().map(|part| part.fiducial.as_str()).collect();
    for name in names {
        let first = parts.iter().find(|part| part.fiducial == name).map(|part| part.center);
        let Some(from) = first else { continue };
        let to = Point2::new(
            low.x_m + rng.uniform() * (high.x_m - low.x_m),
            low.y_m + rng.uniform() * (high.y_m - low.y_m),
        );
        let turn_rad = rng.uniform() * TAU;
        let moved = Pose2::new(to.x_m, to.y_m, turn_rad) * Pose2::new(-from.x_m, -from.y_m, 0.0);
        for part in layout.parts.iter_mut().filter(|part| part.fiducial == name) {
            part.center = moved * part.center;
            part.direction_rad = model::wrap(part.direction_rad + turn_rad);
        }
    }
    layout
}

/// A pose that brings the middle of the layout to a random place of the map, in a random direction.
fn random_pose(search: &Search<'_>, rng: &mut SeededRng) -> Pose2 {
    let geometry = search.inputs.map.geometry();
    let [columns, rows] = [geometry.width(), geometry.height()].map(|cells| cells as f64 * rng.uniform());
    let on_map = geometry.world_of_grid_point(columns, rows);
    let [low, high] = corners(&search.inputs.layout.parts, 0.0);
    let middle = Point2::new((low.x_m + high.x_m) / 2.0, (low.y_m + high.y_m) / 2.0);
    let turned = Pose2::new(0.0, 0.0, rng.uniform() * TAU);
    let there = turned * on_map;
    Pose2::new(middle.x_m - there.x_m, middle.y_m - there.y_m, model::wrap(turned.theta_rad))
}

/// Lower left and upper right corner of the box around points, widened by a margin.
fn corners(parts: &[FiducialPart], margin_m: f64) -> [Point2; 2] {
    let ends = |of: fn(&Point2) -> f64| {
        let all = parts.iter().map(|part| of(&part.center));
        (
            all.clone().fold(f64::INFINITY, f64::min) - margin_m,
            all.fold(f64::NEG_INFINITY, f64::max) + margin_m,
        )
    };
    let ((left, right), (low, high)) = (ends(|p| p.x_m), ends(|p| p.y_m));
    [Point2::new(left, low), Point2::new(right, high)]
}

/// Whether a placement is known well enough for metrics.
pub(super) fn is_by_chance(certificate: Option<&PlacementCertificate>) -> bool {
    certificate.is_some_and(|certificate| certificate.verdict == PlacementVerdict::ByChance)
}

/// Whether a placement was searched and is not certain.
pub(super) fn is_ambiguous(certificate: Option<&PlacementCertificate>, frame: LayoutFrame) -> bool {
    frame == LayoutFrame::Unknown
        && certificate.is_some_and(|certificate| certificate.verdict == PlacementVerdict::Ambiguous)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(
        score: f64,
        rival: f64,
        chance_score: f64,
        [fiducials, found]: [usize; 2],
    ) -> PlacementVerdict {
        Scores { score, rival_score: Some(rival), chance_score, fiducials, found }.verdict()
    }

    #[test]
    fn a_placement_is_certain_if_neither_chance_nor_a_rival_comes_near() {
        // Gains of 0.96 over 0.79 and 0.5: 0.81 and 0.92.
        assert_eq!(verdict(0.96, 0.5, 0.79, [8, 8]), PlacementVerdict::Certain);
        assert_eq!(verdict(0.79, 0.5, 0.79, [8, 8]), PlacementVerdict::ByChance);
        // A gain of 0.02 / 0.21 = 0.095 over chance.
        assert_eq!(verdict(0.81, 0.5, 0.79, [8, 8]), PlacementVerdict::Ambiguous);
        // A gain of 0.01 / 0.05 is enough over chance, one of 0.003 / 0.043 over the rival is not.
        assert_eq!(verdict(0.96, 0.957, 0.79, [8, 8]), PlacementVerdict::Ambiguous);
    }

    #[test]
    fn two_fiducials_are_neither_certain_nor_chance() {
        assert_eq!(verdict(1.0, 0.2, 0.3, [2, 2]), PlacementVerdict::Ambiguous);
        assert_eq!(verdict(0.3, 0.2, 0.3, [2, 2]), PlacementVerdict::Ambiguous);
        assert_eq!(verdict(1.0, 0.2, 0.3, [8, 2]), PlacementVerdict::Ambiguous);
    }

    #[test]
    fn a_certificate_reads_as_a_sentence() {
        let searched = PlacementCertificate {
            source: PlacementSource::Searched,
            verdict: PlacementVerdict::Certain,
            score: 0.962,
            rival_score: Some(0.41),
            chance_score: 0.7814,
            trials: 12,
        };
        assert_eq!(
            searched.to_string(),
            "certain: score 0.962, best rival 0.410, chance 0.781 (best of 12 random layouts)"
        );
        let verdict = PlacementVerdict::ByChance;
        let given =
            PlacementCertificate { source: PlacementSource::Given, verdict, rival_score: None, ..searched };
        assert_eq!(
            given.to_string(),
            "given, by chance: score 0.962, chance 0.781 (best of 12 random placements)"
        );
    }
}
