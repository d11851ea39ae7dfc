//! The rooms of both maps, and how they agree.

use raster::rooms::agreement::{Agreement, MatchedRoom};
pub use raster::rooms::{Linkage, RoomFinder, RoomParams};
use serde_json::json;

use crate::{Case, Make, Reason, SampleUnit, Samples, Score, Undefined};

/// A share of matched rooms as a score, with the counts behind it.
///
/// # Errors
/// There are no rooms to compare, or the share has nothing to be a share of.
pub(super) fn score_of(
    case: &Case,
    rooms: &RoomParams,
    share: impl Fn(&Agreement) -> Option<f64>,
) -> Result<Score, Undefined> {
    let agreement = case.room_agreement(rooms)?;
    let facts = crate::facts([
        ("rooms_truth", json!(agreement.reference_count)),
        ("rooms_map", json!(agreement.found_count)),
        ("matched", json!(agreement.matches.len())),
        ("f1", json!(agreement.f1())),
        ("coverage", json!(case.coverage().ok().flatten())),
        ("room_finder", json!(room_finder(case, rooms))),
    ]);
    match share(&agreement) {
        Some(value) => Ok(Score::new(value).with_all(facts)),
        None => Err(Undefined::because(Reason::NoMatch).with_all(facts)),
    }
}

/// The method that found the rooms; none where rooms were given.
pub(super) fn room_finder(case: &Case, rooms: &RoomParams) -> Option<&'static str> {
    if case.has_rooms() {
        return None;
    }
    case.found_rooms(rooms).ok().map(|found| found[0].method.name())
}

/// Samples of a share of rooms: what each reference room adds above and below the line.
pub(super) fn room_samples(
    case: &Case,
    rooms: &RoomParams,
    matched: impl Fn(&MatchedRoom) -> (f64, f64),
    missed: (f64, f64),
) -> Vec<Samples> {
    let Ok(agreement) = case.room_agreement(rooms) else { return Vec::new() };
    let mut parts = vec![missed; agreement.reference_count as usize];
    for room in &agreement.matches {
        if let Some(part) = (room.reference as usize).checked_sub(1).and_then(|index| parts.get_mut(index)) {
            *part = matched(room);
        }
    }
    vec![Samples::own(SampleUnit::new("rooms", parts.len()), Make::ratio(parts))]
}
