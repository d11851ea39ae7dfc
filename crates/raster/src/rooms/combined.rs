//! Rooms by sight and by passes together: basins of the distance to the walls, each given to the room whose walls see
//! each other there.
//!
//! Points that see the same walls find every room, but their borders lie anywhere; basins end exactly at passes, but
//! furniture parts rooms into several. So:
//!
//! 1. rooms by [`super::visibility`];
//! 2. basins as in [`super::watershed`], before any is merged;
//! 3. each basin goes to the room that holds most of its cells (of equals the first);
//! 4. the two neighbours with the largest ratio of pass width to the smaller room width become one room while that ratio
//!    is at least `merge_ratio`; small rooms are flooded by their neighbours.

use model::Grid;

use super::Rooms;
use super::visibility::{Visibility, visibility_rooms};
use super::watershed::{Flooded, Watershed};

/// Parameters of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combined {
    /// How rooms are seen.
    pub visibility: Visibility,
    /// How basins are found and joined. `merge_ratio` defaults to 0.85, ours: what is seen as two rooms stays two unless
    /// the pass is nearly as wide as the room.
    pub basins: Watershed,
}

impl Default for Combined {
    fn default() -> Self {
        let basins = Watershed { merge_ratio: 0.85, ..Watershed::default() };
        Self { visibility: Visibility::default(), basins }
    }
}

/// Finds the rooms of a map; none if it is too long for exact distances (46340 cells along its diagonal).
pub fn combined_rooms(grid: &Grid, params: &Combined) -> Option<Rooms> {
    Some(combined_in(grid, &Flooded::of(grid, &params.basins)?, params))
}

/// The same from basins that are known.
pub(super) fn combined_in(grid: &Grid, flooded: &Flooded, params: &Combined) -> Rooms {
    flooded.joined(&visibility_rooms(grid, &params.visibility).rooms, &params.basins)
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    /// Every wall cell a point, every room a room.
    fn params() -> Combined {
        let visibility = Visibility {
            spacing_m: 1.0,
            min_points: 0,
            min_area_m2: 0.0,
            min_obstacle_m: 0.0,
            ..Visibility::default()
        };
        let basins = Watershed { min_obstacle_m: 0.0, min_area_m2: 0.0, ..Combined::default().basins };
        Combined { visibility, basins }
    }

    #[test]
    fn a_door_parts_two_rooms_at_the_door() {
        let rows = [
            "###########",
            "#....#....#",
            "#....#....#",
            "#.........#",
            "#....#....#",
            "#....#....#",
            "###########",
        ];
        let rooms = combined_rooms(&grid(rows), &params()).unwrap();
        assert_eq!(rooms.count, 2);
        let at = |column: usize, row: usize| rooms.labels[row * 11 + column];
        for row in 1..6 {
            assert!((1..5).all(|column| at(column, row) == at(1, 1)), "left of the door");
            assert!((6..10).all(|column| at(column, row) == at(9, 1)), "right of it");
        }
    }

    #[test]
    fn maps_without_walls_and_without_free_cells() {
        assert_eq!(combined_rooms(&grid(["##", "??"]), &params()).unwrap().count, 0);
        assert_eq!(combined_rooms(&grid(["......"]), &params()).unwrap().count, 1);
    }
}
