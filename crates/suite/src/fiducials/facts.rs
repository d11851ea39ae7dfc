//! What a report says about the fiducials of a case, beside their metrics.

use metrics::fiducials::LayoutFrame;
use metrics::{Case, Detail, facts};
use model::Positions;
use report::{Alignment, Transform};
use serde_json::{Value, json};

use super::detect::{BarrelRecord, FeatureRecord};

/// Detections, parts and how they were brought together; none without a layout, or if nothing could be looked for.
pub(crate) fn fiducial_facts(case: &Case) -> Option<Value> {
    let fiducials = case.fiducials().ok()?;
    let barrels = fiducials.located.barrels.iter().map(|barrel| json!(BarrelRecord::from(barrel)));
    let features = fiducials.located.features.iter().map(|feature| json!(FeatureRecord::from(feature)));
    let detections: Vec<Value> = barrels.chain(features).collect();
    let frame = match fiducials.inputs.frame {
        LayoutFrame::Known(_) => "given",
        LayoutFrame::Unknown if fiducials.inputs.layout.positions == Positions::Unknown => {
            "none: the layout has no positions"
        }
        LayoutFrame::Unknown => "found from the fiducials",
    };
    Some(json!({
        "frame": frame,
        "d_max_m": fiducials.inputs.d_max_m(),
        "objective": fiducials.inputs.search.objective,
        "displaced": fiducials.inputs.search.displaced,
        "reach_m": fiducials.inputs.reach_m(),
        "detections": detections,
        "parts": fiducials.part_facts(),
        "placement": fiducials.located.certificate,
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
    let parts = fiducials.part_facts();
    let errors: Vec<f64> = parts.iter().filter_map(|part| part.error_m).collect();
    let mean_m = (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64);
    let mut certificate: Detail = facts([
        ("parts_found", errors.len().into()),
        ("parts", parts.len().into()),
        ("mean_error_m", mean_m.into()),
    ]);
    if let Some(Value::Object(placement)) = fiducials.located.certificate.map(|placement| json!(placement)) {
        certificate.extend(placement);
    }
    let (method, truth_from_map) = (method.name().to_owned(), Some(Transform::from(pose)));
    Some(Alignment { method, truth_from_map, certificate: Some(certificate), ..Alignment::default() })
}
