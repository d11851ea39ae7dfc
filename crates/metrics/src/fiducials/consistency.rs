//! Local consistency: distances between the parts of a pair, whatever the frame.
//!
//! ```text
//! e = min(|d_barrel - d_fiducial|, d_max) / d_max,  1 if one part is missing;  value = 1 - mean e
//! ```
//!
//! A pair of which no part was found does not count (Schwertfeger et al. 2010). Their numbering of the steps has a
//! slip: the difference of steps 1 and 3 is meant.

use model::FiducialLayout;
use serde::Serialize;

use super::errors::ErrorScale;
use super::judged;
use super::located::FoundPart;
use crate::plane_distance::distance_m;
use crate::{Case, Make, Reason, SampleUnit, Samples, Score, Undefined};

/// A pair of parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairError {
    pub parts: [String; 2],
    /// Their true distance in metres.
    pub true_m: f64,
    /// Their distance in the map in metres; none if one is missing.
    pub found_m: Option<f64>,
    /// The error, from 0 to 1.
    pub error: f64,
}

/// The pairs of one range with at least one part found.
#[must_use]
pub fn pairs_of_range(
    layout: &FiducialLayout,
    found: &[Option<FoundPart>],
    range: &str,
    scale: &ErrorScale,
) -> Vec<PairError> {
    pairs_of_layout(layout, found, range, scale).into_iter().flatten().collect()
}

/// All pairs of one range in the layout; none where no part was found.
fn pairs_of_layout(
    layout: &FiducialLayout,
    found: &[Option<FoundPart>],
    range: &str,
    scale: &ErrorScale,
) -> Vec<Option<PairError>> {
    let parts = &layout.parts;
    let mut pairs = Vec::new();
    for first in 0..parts.len() {
        for second in first + 1..parts.len() {
            let in_range = parts[first].range == range && parts[second].range == range;
            // Short and long pairs are the two sides of one fiducial; any other word is a group of parts.
            let is_pair = is_group(range) || parts[first].fiducial == parts[second].fiducial;
            let is_seen = found[first].is_some() || found[second].is_some();
            if in_range && is_pair {
                pairs.push(is_seen.then(|| pair_error(layout, found, [first, second], scale)));
            }
        }
    }
    pairs
}

/// Whether a range names a group, such as a room, of which all pairs count.
#[must_use]
pub fn is_group(range: &str) -> bool {
    !matches!(range, "short" | "long" | "none" | "")
}

fn pair_error(
    layout: &FiducialLayout,
    found: &[Option<FoundPart>],
    [first, second]: [usize; 2],
    scale: &ErrorScale,
) -> PairError {
    let (a, b) = (&layout.parts[first], &layout.parts[second]);
    let given = layout
        .pair_distances_m
        .iter()
        .find(|(fiducial, _)| a.fiducial == b.fiducial && *fiducial == a.fiducial);
    let true_m = given.map_or_else(|| distance_m(a.center, b.center), |(_, distance_m)| *distance_m);
    let both = found[first].zip(found[second]);
    let found_m = both.map(|(a, b)| distance_m(a.center_in_map, b.center_in_map));
    let error = found_m.map_or(1.0, |found_m| scale.error((found_m - true_m).abs()));
    PairError { parts: [a.part.clone(), b.part.clone()], true_m, found_m, error }
}

/// The value of a range for a case.
pub(super) fn score(case: &Case, range: &str, scale: &ErrorScale) -> Result<Score, Undefined> {
    let fiducials = judged(case)?;
    let score = consistency(&fiducials.inputs.layout, &fiducials.located.parts, range, scale)?;
    Ok(score.with_all(fiducials.basis()))
}

/// The value of a range, with its pairs.
fn consistency(
    layout: &FiducialLayout,
    found: &[Option<FoundPart>],
    range: &str,
    scale: &ErrorScale,
) -> Result<Score, Undefined> {
    let scale = scale.checked()?;
    let pairs = pairs_of_range(layout, found, range, &scale);
    let errors: Vec<f64> = pairs.iter().map(|pair| pair.error).collect();
    let value = ErrorScale::value(&errors).ok_or(Reason::NoMatch)?;
    let whole = pairs.iter().filter(|pair| pair.found_m.is_some()).count();
    Ok(Score::new(value)
        .with("pairs_seen", pairs.len())
        .with("pairs_whole", whole)
        .with_table("pairs", pairs))
}

/// The pairs of a range of which a part was found, among all of the layout.
pub(super) fn samples(case: &Case, range: &str, scale: &ErrorScale) -> Vec<Samples> {
    let Ok(fiducials) = case.fiducials() else { return Vec::new() };
    let pairs = pairs_of_layout(&fiducials.inputs.layout, &fiducials.located.parts, range, scale);
    let part = |pair: &Option<PairError>| pair.as_ref().map_or((0.0, 0.0), |pair| (1.0 - pair.error, 1.0));
    let unit = SampleUnit::new(format!("{range} fiducial pairs"), pairs.len());
    vec![Samples::own(unit, Make::ratio(pairs.iter().map(part)))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;
    use crate::fiducials::errors::Rounding;
    use crate::fiducials::example::{found_at, pair_layout};

    const SCALE: ErrorScale = ErrorScale { d_max_m: 0.3, step_m: 0.0, rounding: Rounding::Floor };

    /// Pairs given as found distance (none: one part missing) and true distance.
    fn value(pairs: &[(Option<f64>, f64)], scale: &ErrorScale) -> f64 {
        let truth: Vec<f64> = pairs.iter().map(|(_, truth)| *truth).collect();
        let layout = pair_layout(&truth, "short");
        let found: Vec<Option<FoundPart>> = pairs
            .iter()
            .flat_map(|(found, _)| [Some(found_at(0.0, 0.0)), found.map(|d| found_at(d, 0.0))])
            .collect();
        consistency(&layout, &found, "short", scale).unwrap().value
    }

    #[test]
    fn e5_pairs_with_a_missing_part_and_in_steps() {
        let pairs = [(Some(0.02), 0.02), (Some(0.35), 0.05), (None, 0.02)];
        nearly(value(&pairs, &SCALE), 1.0 / 3.0, 1e-9);
        let rough = [(Some(0.25), 0.02), (Some(0.33), 0.02), (None, 0.02)];
        nearly(value(&rough, &SCALE), 0.077_778, 1e-6);
        nearly(value(&rough, &ErrorScale { step_m: 0.3, ..SCALE }), 1.0 / 3.0, 1e-9);
    }

    #[test]
    fn pairs_without_any_part_do_not_count_and_none_is_undefined() {
        let layout = pair_layout(&[0.05, 0.05], "long");
        let half = [Some(found_at(0.0, 0.0)), Some(found_at(0.05, 0.0)), None, None];
        nearly(consistency(&layout, &half, "long", &SCALE).unwrap().value, 1.0, 1e-12);
        let error = consistency(&layout, &[None; 4], "long", &SCALE).unwrap_err();
        assert_eq!(error.reasons, [Reason::NoMatch]);
        assert_eq!(consistency(&layout, &half, "short", &SCALE).unwrap_err().reasons, [Reason::NoMatch]);
    }

    #[test]
    fn all_pairs_of_another_group_count() {
        let layout = pair_layout(&[0.05, 0.05], "kitchen");
        let found = [0.0, 0.05, 0.0, 0.05].map(|x| Some(found_at(x, 0.0)));
        assert_eq!(pairs_of_range(&layout, &found, "kitchen", &SCALE).len(), 6);
    }
}
