//! `fiducials`: the frame from the barrels of a layout that the map shows.

use std::sync::Arc;

use align::closed_form::{Motion, PointPair};
use align::{Alignment, Certificate, Hypothesis, Method, Mirror, Verdict, align_points};
use metrics::Reason;
use metrics::fiducials::{
    FiducialInputs, FiducialSearch, FoundPart, LayoutFrame, Located, PlacementVerdict, TriedFrame,
};
use model::{FiducialLayout, FiducialPart, Grid, Positions};

/// How a map lies on a layout. Certain if the certificate of the fiducials is: at least three were found, and neither another
/// transform nor chance explains nearly as much; the score is 1 if all parts were found at their places.
pub(crate) fn align_by_fiducials(
    layout: &FiducialLayout,
    map: &Arc<Grid>,
    search: FiducialSearch,
) -> Alignment {
    if layout.positions == Positions::Unknown {
        return Alignment::failed(Method::Fiducials);
    }
    let inputs =
        FiducialInputs { layout: layout.clone(), map: Arc::clone(map), frame: LayoutFrame::Unknown, search };
    let Ok(located) = Located::of(&inputs) else { return Alignment::failed(Method::Fiducials) };
    let Some(winner) = located.frames.first() else { return Alignment::failed(Method::Fiducials) };
    let pairs = pairs(layout, &located);
    let fitted = align_points(&pairs, Motion::Rigid).certificate;
    let second_score = located.frames.get(1).map(|frame| frame.score);
    let value = Certificate::gain(winner.score, second_score.unwrap_or(0.0));
    let verdict = located.certificate.map(|certificate| certificate.verdict);
    let is_mirrored = located.warnings.contains(&Reason::MapMirrored);
    let certificate = Certificate {
        verdict: match is_mirrored {
            true => Verdict::Mirrored,
            false if verdict == Some(PlacementVerdict::Certain) => Verdict::Certain,
            false if verdict == Some(PlacementVerdict::ByChance) => Verdict::Failed,
            false => Verdict::Ambiguous,
        },
        score: Some(winner.score),
        second_score,
        value: Some(value),
        mirror: if is_mirrored { Mirror::Mirrored } else { fitted.mirror },
        ..fitted
    };
    let hypothesis = |frame: &TriedFrame| Hypothesis {
        truth_from_map: frame.truth_from_map.into(),
        score: frame.score,
        mirrored: false,
    };
    Alignment {
        method: Method::Fiducials,
        truth_from_map: Some(winner.truth_from_map.into()),
        certificate,
        hypotheses: located.frames.iter().take(5).map(hypothesis).collect(),
    }
}

fn pairs(layout: &FiducialLayout, located: &Located) -> Vec<PointPair> {
    let parts = layout.parts.iter().zip(&located.parts);
    let pair = |(part, found): (&FiducialPart, &Option<FoundPart>)| {
        // A displaced part says where the map is wrong, not how it lies.
        let near = found.filter(|found| !found.is_displaced);
        near.map(|found| PointPair { in_map: found.center_in_map, in_truth: part.center })
    };
    parts.filter_map(pair).collect()
}
