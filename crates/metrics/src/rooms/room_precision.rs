//! Room precision: share of the map's rooms that are rooms of the truth.
//!
//! ```text
//! precision = matched rooms / rooms of the map
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: higher. Two rooms match if they share more than half of their union.
//! Paper: none of the five; the measure of the room segmentation literature (Bormann et al. 2016).
//! Unknown: bounds rooms like a wall, so a room that was not seen is not there.
//! Known bias: rewards a map that shows few rooms; read it beside the recall.
//! Sees: mirror; late: noise, shift, rotate, bend, cut, moved_room, missing_wing, thick_walls, ghost_walls,
//! closed_door, opened_wall, blur, resolution, scale; blind to: unseen. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.80);
//! `tolerance_f1_area` does.
//! Undefined: without a room in the map.

use super::segmentation::{RoomParams, score_of};
use crate::prelude::*;

/// Parameters of the room precision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoomPrecision {
    /// How rooms are found in both maps, where none are given.
    #[serde(flatten)]
    pub rooms: RoomParams,
}

impl Metric for RoomPrecision {
    const SPEC: MetricSpec = MetricSpec::share(Family::Rooms, "room_precision", "R-SEGP", "Room precision")
        .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.has_rooms() || case.is_aligned_by_search()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score_of(case, &self.rooms, raster::rooms::agreement::Agreement::precision)
    }
}

#[cfg(test)]
mod tests {
    use raster::rooms::Rooms;

    use super::*;

    #[test]
    fn a_quarter_of_the_found_rooms_is_right() {
        // One room of 5 cells found with 4 of them, one split in halves, one found that is none.
        let reference = Rooms::of_marks(&[1, 1, 1, 1, 1, 2, 2, 2, 2, 0], 10);
        let found = Rooms::of_marks(&[1, 1, 1, 1, 0, 2, 2, 3, 3, 4], 10);
        let case = Case::without_maps().with_rooms(reference.clone(), found);
        let score = Metric::evaluate(&RoomPrecision::default(), &case).unwrap();
        assert!((score.value - 0.25).abs() < 1e-12, "{}", score.value);
        let none = Rooms::of_marks(&[0; 10], 10);
        let case = Case::without_maps().with_rooms(reference, none);
        assert!(Metric::evaluate(&RoomPrecision::default(), &case).is_err());
    }
}
