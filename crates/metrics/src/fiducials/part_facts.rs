//! One part of a layout and what the map shows of it.

use model::{FiducialPart, Pose2};
use serde::{Deserialize, Serialize};

use super::{FoundPart, PlacementCertificate};
use crate::plane_distance::distance_m;

/// One part of the layout. Places are in the coordinate frame of the map unless their name says `truth`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartFacts {
    pub id: String,
    /// `barrel`, `corner` or `pole`.
    #[serde(default = "barrel")]
    pub kind: String,
    pub fiducial: String,
    pub found: bool,
    /// Index into the detections.
    pub detection: Option<usize>,
    pub x_m: Option<f64>,
    pub y_m: Option<f64>,
    pub x_truth_m: Option<f64>,
    pub y_truth_m: Option<f64>,
    /// Distance to the true place, in the coordinate frame in which parts were assigned.
    pub error_m: Option<f64>,
    /// It lies further than `d_max` from its place.
    #[serde(default)]
    pub displaced: bool,
    /// Cells of its outline, of its walls or of the pole.
    pub cells: usize,
    pub rms_m: Option<f64>,
}

/// What the map shows of a layout, and how sure it is that the layout lies there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FiducialEvidence {
    /// One for each part of the layout, found or not.
    pub parts: Vec<PartFacts>,
    /// None if nothing was found, or if the layout has no positions.
    pub placement: Option<PlacementCertificate>,
}

/// Reports of earlier versions know barrels alone.
fn barrel() -> String {
    model::PartKind::Barrel.name().to_owned()
}

impl PartFacts {
    pub(super) fn new(part: &FiducialPart, found: Option<&FoundPart>, truth_from_map: Option<Pose2>) -> Self {
        let in_truth = found.zip(truth_from_map).map(|(found, pose)| pose * found.center_in_map);
        let error_m = in_truth.map(|place| distance_m(place, part.center));
        Self {
            id: part.part.clone(),
            kind: part.kind.name().to_owned(),
            fiducial: part.fiducial.clone(),
            found: found.is_some(),
            detection: found.map(|found| found.detection),
            x_m: found.map(|found| found.center_in_map.x_m),
            y_m: found.map(|found| found.center_in_map.y_m),
            x_truth_m: in_truth.map(|place| place.x_m),
            y_truth_m: in_truth.map(|place| place.y_m),
            error_m,
            displaced: found.is_some_and(|found| found.is_displaced),
            cells: found.map_or(0, |found| found.cells),
            rms_m: found.map(|found| found.rms_m),
        }
    }
}
