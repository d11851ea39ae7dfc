//! Which parts of the layout the map shows, and where: detection, frame, assignment.

use model::{Point2, Pose2, Positions};

use super::barrels::Barrel;
use super::features::Feature;
use super::frame::TRIED_IN_FULL;
use super::inputs::{FiducialInputs, LayoutFrame};
use super::pair_sites::in_pairs;
use super::part_search::Search;
use super::placement::{PlacementCertificate, is_ambiguous};
use crate::Reason;

/// The parts of the layout in the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// All barrels that were considered, verified ones first.
    pub barrels: Vec<Barrel>,
    /// All corners and poles that were considered.
    pub features: Vec<Feature>,
    /// For each part of the layout where it was found.
    pub parts: Vec<Option<FoundPart>>,
    /// The transform in which parts were assigned; none if nothing was found in an unknown frame, or if the layout has
    /// no positions.
    pub truth_from_map: Option<Pose2>,
    /// The best transforms that were tried, the winner first; empty if the transform was given.
    pub frames: Vec<TriedFrame>,
    /// How sure the transform is; none if nothing was found, or if the layout has no positions.
    pub certificate: Option<PlacementCertificate>,
    /// What to keep in mind.
    pub warnings: Vec<Reason>,
}

/// A part of the layout in the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPart {
    /// Index of what shows it: into the barrels, then into the corners and poles.
    pub detection: usize,
    /// Where its centre lies, fitted from its own cells.
    pub center_in_map: Point2,
    /// Direction of the middle of its visible arc or free side, in the frame of the map.
    pub direction_in_map_rad: f64,
    /// Root mean square distance of its cells from its circle or its lines, in metres.
    pub rms_m: f64,
    pub cells: usize,
    /// It lies further than `d_max` from its place: found, with the largest error.
    pub is_displaced: bool,
}

/// A transform that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriedFrame {
    pub truth_from_map: Pose2,
    /// 1 if all parts were found at their places, 0 if none was found.
    pub score: f64,
}

impl Located {
    /// Looks for the parts.
    ///
    /// # Errors
    /// The reason why nothing can be looked for.
    pub fn of(inputs: &FiducialInputs) -> Result<Self, Reason> {
        inputs.check()?;
        let search = Search::new(inputs)?;
        Ok(match (inputs.layout.positions, inputs.frame) {
            (Positions::Unknown, _) => Self::without_positions(search),
            (Positions::Given, LayoutFrame::Known(pose)) => Self::in_frame(search, pose),
            (Positions::Given, LayoutFrame::Unknown) => Self::in_unknown_frame(search),
        })
    }

    fn in_frame(search: Search<'_>, pose: Pose2) -> Self {
        let parts = search.with_displaced(pose, search.assigned(pose));
        let warnings = search.is_merged(&parts).then_some(Reason::DetectionMerged);
        let certificate = PlacementCertificate::given(&search, pose, &parts);
        Self {
            certificate,
            parts,
            truth_from_map: Some(pose),
            frames: Vec::new(),
            warnings: warnings.into_iter().collect(),
            barrels: search.barrels,
            features: search.features,
        }
    }

    fn in_unknown_frame(search: Search<'_>) -> Self {
        let guessed = search.in_unknown_frame(TRIED_IN_FULL);
        let truth_from_map = guessed.frames.first().map(|frame| frame.truth_from_map);
        let parts = match truth_from_map {
            Some(pose) => search.with_displaced(pose, guessed.parts),
            None => guessed.parts,
        };
        let is_mirrored = search.is_mirrored(guessed.least_cost_m);
        let certificate = PlacementCertificate::searched(&search, &guessed.frames, &parts);
        let certificate = certificate.map(|found| if is_mirrored { found.of_mirrored() } else { found });
        let is_guess = is_ambiguous(certificate.as_ref(), search.inputs.frame);
        let warnings = [
            (search.places.len() < 2 || is_guess, Reason::AlignAmbiguous),
            (is_mirrored, Reason::MapMirrored),
            (search.is_merged(&parts), Reason::DetectionMerged),
        ];
        Self {
            parts,
            truth_from_map,
            certificate,
            frames: guessed.frames,
            warnings: warnings.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect(),
            barrels: search.barrels,
            features: search.features,
        }
    }

    /// Only the distances of pairs are known: which barrels are a pair is all that is asked.
    fn without_positions(search: Search<'_>) -> Self {
        let parts = in_pairs(&search);
        Self {
            parts,
            truth_from_map: None,
            certificate: None,
            frames: Vec::new(),
            warnings: Vec::new(),
            barrels: search.barrels,
            features: search.features,
        }
    }

    /// Number of parts that were found.
    #[must_use]
    pub fn found(&self) -> usize {
        self.parts.iter().flatten().count()
    }
}
