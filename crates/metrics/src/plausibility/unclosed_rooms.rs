//! Unclosed rooms: share of the rooms whose border is open over a large part.
//!
//! ```text
//! u = rooms with open border / (open border + wall) above `max_open` / rooms
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: neither, it describes the map. Open is a border along unknown cells or the end of the map.
//! Paper: Schwertfeger et al. 2010, section 5 (after Chandran-Ramesh and Newman, there in 3D).
//! Departure: the paper gives no rule; rooms are found by watershed.
//! Unknown: what it borders is open.
//! Known bias: a description, not a sign of quality: thick walls, blur, lost walls and added objects move it either way.  A partial map has unclosed rooms where exploration ended.
//! Undefined: if the map has no room.

use serde_json::json;

use super::enclosure::enclosed_rooms;
use crate::prelude::*;

/// Parameters of the unclosed rooms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnclosedRooms {
    /// A room is closed up to this open share of its border. Default 0.2, ours.
    pub max_open: f64,
}

impl Default for UnclosedRooms {
    fn default() -> Self {
        Self { max_open: 0.2 }
    }
}

impl Metric for UnclosedRooms {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Plausibility, "unclosed_rooms", "X-PLAUS-U", "Unclosed rooms")
            .measured_in(Unit::Ratio, Better::Neither)
            .worst(1.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let map = case.map()?;
        let (_, rooms) = enclosed_rooms(map)?;
        if rooms.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let cell_size_m = map.geometry().cell_size_m();
        let unclosed: Vec<_> = rooms.iter().filter(|room| room.open_share() > self.max_open).collect();
        let places = unclosed.iter().map(|e| {
            let (x_m, y_m) = (e.room.center.x_m, e.room.center.y_m);
            let open_m = e.open_cells as f64 * cell_size_m;
            json!({"x_m": x_m, "y_m": y_m, "area_m2": e.room.area_m2, "open_m": open_m, "open_share": e.open_share()})
        });
        Ok(Score::new(unclosed.len() as f64 / rooms.len() as f64)
            .with("rooms", rooms.len())
            .with("unclosed_places", places.collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::drawing::nearly;

    #[test]
    fn a_room_with_a_missing_wall_is_found_with_its_place() {
        // Left a closed room of 5 x 5 m, right one whose right wall was never seen.
        let rows = [
            "###########",
            "#.....#...?",
            "#.....#...?",
            "#.....#...?",
            "#.....#...?",
            "#.....#...?",
            "###########",
        ];
        let case = Case::of_map_alone(Arc::new(testkit::grid(rows)));
        let score = Metric::evaluate(&UnclosedRooms::default(), &case).unwrap();
        nearly(score.value, 0.5, 1e-12);
        let place = &score.detail["unclosed_places"][0];
        nearly(place["x_m"].as_f64().unwrap(), 8.5, 1e-9);
        nearly(place["open_m"].as_f64().unwrap(), 5.0, 1e-9);
    }

    #[test]
    fn a_map_without_rooms_is_undefined() {
        let case = Case::of_map_alone(Arc::new(testkit::grid(["##", "??"])));
        assert!(Metric::evaluate(&UnclosedRooms::default(), &case).is_err());
    }
}
