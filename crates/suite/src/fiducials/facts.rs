//! What a report says about the fiducials of a case, beside their metrics.

use metrics::fiducials::{Fiducials, FoundPart, LayoutFrame};
use metrics::{Case, Detail, facts};
use model::{FiducialPart, Pose2};
use report::{Alignment, Transform};
use serde::Serialize;
use serde_json::{Value, json};

use super::detect::BarrelRecord;

/// One part of the layout. Places are in the frame of the map unless their name says `truth`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PartRecord {
    pub id: String,
    pub fiducial: String,
    pub found: bool,
    /// Index into `detections`.
    pub detection: Option<usize>,
    pub x_m: Option<f64>,
    pub y_m: Option<f64>,
    pub x_truth_m: Option<f64>,
    pub y_truth_m: Option<f64>,
    /// Distance to the true place, in the frame in which parts were assigned.
    pub error_m: Option<f64>,
    pub cells: usize,
    pub rms_m: Option<f64>,
}

impl PartRecord {
    fn of(part: &FiducialPart, found: Option<&FoundPart>, pose: Pose2) -> Self {
        let in_truth = found.map(|found| pose * found.center_in_map);
        let error_m = in_truth.map(|place| (place.x_m - part.center.x_m).hypot(place.y_m - part.center.y_m));
        Self {
            id: part.part.clone(),
            fiducial: part.fiducial.clone(),
            found: found.is_some(),
            detection: found.map(|found| found.barrel),
            x_m: found.map(|found| found.center_in_map.x_m),
            y_m: found.map(|found| found.center_in_map.y_m),
            x_truth_m: in_truth.map(|place| place.x_m),
            y_truth_m: in_truth.map(|place| place.y_m),
            error_m,
            cells: found.map_or(0, |found| found.cells),
            rms_m: found.map(|found| found.rms_m),
        }
    }
}

pub(super) fn part_records(fiducials: &Fiducials<'_>) -> Vec<PartRecord> {
    let pose = fiducials.located.truth_from_map.unwrap_or(Pose2::IDENTITY);
    let parts = fiducials.inputs.layout.parts.iter().zip(&fiducials.located.parts);
    parts.map(|(part, found)| PartRecord::of(part, found.as_ref(), pose)).collect()
}

/// Detections, parts and how they were brought together; none without a layout, or if nothing could be looked for.
pub(crate) fn fiducial_facts(case: &Case) -> Option<Value> {
    let fiducials = case.fiducials().ok()?;
    let detections: Vec<BarrelRecord> = fiducials.located.barrels.iter().map(BarrelRecord::from).collect();
    let frame = match fiducials.inputs.frame {
        LayoutFrame::Known(_) => "given",
        LayoutFrame::Unknown => "found from the fiducials",
    };
    Some(json!({
        "frame": frame,
        "d_max_m": fiducials.inputs.d_max_m(),
        "objective": fiducials.inputs.search.objective,
        "detections": detections,
        "parts": part_records(&fiducials),
    }))
}

/// The frame that the fiducials gave, with what supports it.
pub(crate) fn alignment_of(case: &Case) -> Option<Alignment> {
    let fiducials = case.fiducials().ok()?;
    let pose = fiducials.located.truth_from_map?;
    let method = match fiducials.inputs.frame {
        LayoutFrame::Known(_) => align::Method::Georeference,
        LayoutFrame::Unknown => align::Method::Fiducials,
    };
    let parts = part_records(&fiducials);
    let errors: Vec<f64> = parts.iter().filter_map(|part| part.error_m).collect();
    let mean_m = (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64);
    let certificate: Detail = facts([
        ("parts_found", errors.len().into()),
        ("parts", parts.len().into()),
        ("mean_error_m", mean_m.into()),
    ]);
    let (method, truth_from_map) = (method.name().to_owned(), Transform::from(pose));
    Some(Alignment { method, truth_from_map, certificate: Some(certificate) })
}
