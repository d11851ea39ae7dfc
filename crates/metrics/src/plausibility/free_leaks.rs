//! Free leaks: share of the free area that lies in no closed room.
//!
//! ```text
//! l = free cells outside closed rooms / free cells
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: neither, it describes the map. A room is closed up to `max_open` of its border, see `unclosed_rooms`.
//! Paper: Schwertfeger et al. 2010, section 5 (after Chandran-Ramesh and Newman, there in 3D).
//! Departure: the paper gives no rule; rooms are found by watershed.
//! Unknown: what it borders is open.
//! Known bias: a description, not a sign of quality: thick walls, blur, lost walls and added objects move it either way.  Beams through windows leak, and so does the outside of a building that was mapped
//! on purpose.
//! Undefined: if the map has no free cell.

use model::CellClass;

use super::enclosure::enclosed_rooms;
use super::places::with_cells;
use super::unclosed_rooms::UnclosedRooms;
use crate::prelude::*;

/// Parameters of the free leaks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FreeLeaks {
    /// A room is closed up to this open share of its border. Default 0.2, ours.
    pub max_open: f64,
}

impl Default for FreeLeaks {
    fn default() -> Self {
        Self { max_open: UnclosedRooms::default().max_open }
    }
}

impl Metric for FreeLeaks {
    const SPEC: MetricSpec = MetricSpec::new(Family::Plausibility, "free_leaks", "X-PLAUS-L", "Free leaks")
        .measured_in(Unit::Ratio, Better::Neither)
        .worst(1.0)
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let map = case.map()?;
        let (rooms, enclosed) = enclosed_rooms(map)?;
        let is_closed = |label: u32| label != 0 && enclosed[label as usize - 1].open_share() <= self.max_open;
        let is_free = |&cell: &usize| map.classes()[cell] == CellClass::Free;
        let free: Vec<usize> = (0..map.classes().len()).filter(is_free).collect();
        if free.is_empty() {
            return Err(Reason::EmptyWindow.into());
        }
        let leaked: Vec<usize> =
            free.iter().copied().filter(|&cell| !is_closed(rooms.labels[cell])).collect();
        let score = Score::new(leaked.len() as f64 / free.len() as f64).with("free_cells", free.len());
        Ok(with_cells(score, "leak_places", map, &leaked))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::drawing::nearly;

    #[test]
    fn what_lies_beyond_a_missing_wall_leaks() {
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
        let score = Metric::evaluate(&FreeLeaks::default(), &case).unwrap();
        nearly(score.value, 15.0 / 40.0, 1e-12);
        assert_eq!(score.detail["leak_places"][0]["cells"], 15);
    }

    #[test]
    fn a_map_without_free_cells_is_undefined() {
        let case = Case::of_map_alone(Arc::new(testkit::grid(["##"])));
        assert!(Metric::evaluate(&FreeLeaks::default(), &case).is_err());
    }
}
