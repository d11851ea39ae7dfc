//! Room IoU: how exactly the matched rooms cover each other.
//!
//! ```text
//! IoU = mean over matched rooms of |found and reference| / |found or reference|
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: higher. Two rooms match if they share more than half of their union.
//! Paper: none of the five; the measure of the room segmentation literature (Bormann et al. 2016).
//! Unknown: bounds rooms like a wall, so a room that was not seen is not there.
//! Known bias: only matched rooms count: a single perfect room among many wrong ones has 1.
//! Sees: shift, rotate, thick_walls, ghost_walls, resolution, scale, mirror; late: noise, moved_room, missing_wing,
//! closed_door, opened_wall, blur; saturates: bend, cut; blind to: unseen. Damage of docs/lab.md, five generated
//! floors.
//! Undefined: without a matched room.

use super::segmentation::{RoomParams, room_samples, score_of};
use crate::prelude::*;

/// Parameters of the room IoU.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoomIou {
    /// How rooms are found in both maps, where none are given.
    #[serde(flatten)]
    pub rooms: RoomParams,
}

impl Metric for RoomIou {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Rooms, "room_iou", "R-SEGI", "Room IoU").over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.has_rooms() || case.is_aligned_by_search()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score_of(case, &self.rooms, raster::rooms::agreement::Agreement::mean_iou)
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        room_samples(case, &self.rooms, |room| (room.iou, 1.0), (0.0, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use raster::rooms::Rooms;

    use super::*;

    #[test]
    fn the_matched_room_shares_four_of_five_cells() {
        // One room of 5 cells found with 4 of them, one split in halves, one found that is none.
        let reference = Rooms::of_marks(&[1, 1, 1, 1, 1, 2, 2, 2, 2, 0], 10);
        let found = Rooms::of_marks(&[1, 1, 1, 1, 0, 2, 2, 3, 3, 4], 10);
        let case = Case::without_maps().with_rooms(reference.clone(), found);
        let score = Metric::evaluate(&RoomIou::default(), &case).unwrap();
        assert!((score.value - 0.8).abs() < 1e-12, "{}", score.value);
        let none = Rooms::of_marks(&[0; 10], 10);
        let case = Case::without_maps().with_rooms(reference, none);
        assert!(Metric::evaluate(&RoomIou::default(), &case).is_err());
    }
}
