//! The rooms of both maps, and how they agree.

use align::rooms::{Feature, RoomAligner};
use model::Grid;
pub use raster::rooms::RoomFinder;
use raster::rooms::agreement::{Agreement, MatchedRoom};
use serde_json::json;

use crate::{Case, Make, Reason, SampleUnit, Samples, Score, Undefined};

/// Rooms of the truth and of the map as features.
pub(super) fn features(case: &Case, aligner: &RoomAligner) -> Result<[Vec<Feature>; 2], Undefined> {
    let grids = case.grids()?;
    let of = |grid: &Grid| aligner.features(grid).map_err(|_| Undefined::because(Reason::TooLarge));
    Ok([of(&grids.truth)?, of(&grids.map)?])
}

/// A share of matched rooms as a score, with the counts behind it.
///
/// # Errors
/// There are no rooms to compare, or the share has nothing to be a share of.
pub(super) fn score_of(
    case: &Case,
    method: RoomFinder,
    share: impl Fn(&Agreement) -> Option<f64>,
) -> Result<Score, Undefined> {
    let agreement = case.room_agreement(method)?;
    let facts = crate::facts([
        ("rooms_truth", json!(agreement.reference_count)),
        ("rooms_map", json!(agreement.found_count)),
        ("matched", json!(agreement.matches.len())),
        ("f1", json!(agreement.f1())),
        ("coverage", json!(case.coverage().ok().flatten())),
    ]);
    match share(&agreement) {
        Some(value) => Ok(Score::new(value).with_all(facts)),
        None => Err(Undefined::because(Reason::NoMatch).with_all(facts)),
    }
}

/// Samples of a share of rooms: what each reference room adds above and below the line.
pub(super) fn room_samples(
    case: &Case,
    method: RoomFinder,
    matched: impl Fn(&MatchedRoom) -> (f64, f64),
    missed: (f64, f64),
) -> Vec<Samples> {
    let Ok(agreement) = case.room_agreement(method) else { return Vec::new() };
    let mut parts = vec![missed; agreement.reference_count as usize];
    for room in &agreement.matches {
        if let Some(part) = (room.reference as usize).checked_sub(1).and_then(|index| parts.get_mut(index)) {
            *part = matched(room);
        }
    }
    vec![Samples::own(SampleUnit::new("rooms", parts.len()), Make::ratio(parts))]
}
