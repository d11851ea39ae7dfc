//! Difficulty of an environment (X-ENV): cycles, path length, corners, width, corridors without features.
//!
//! Paper: Collins et al., section 5, where it is planned. From the graph of free space and the outlines of walls:
//!
//! ```text
//! cycles = E - V + C        path length = Σ edges        mean corridor width = 2 · mean clearance on edges
//! corners = vertices of wall outlines simplified to 1.5 cells, by interior angle
//! featureless = share of edge cells without a corner or end of a wall within the sensor's range
//! ```
//!
//! The range is counted straight, through walls too.

use model::CellClass;
use raster::euclidean::squared_distance_rows;
use raster::outlines::{Corner, interior_angles_deg, outlines, simplified};
use serde::Serialize;

use crate::Reason;
use crate::paths::ground::Ground;

/// How hard a place is for a robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Environment {
    /// Independent cycles of the graph.
    pub cycles: usize,
    /// Total length of its edges.
    pub path_length_m: f64,
    pub corners: usize,
    /// Corners sharper than 60 degrees.
    pub sharp_corners: usize,
    /// Corners by interior angle, six classes of 60 degrees from 0 to 360.
    pub corner_angles: [usize; 6],
    /// Twice the mean clearance along the edges; null without an edge.
    pub mean_corridor_width_m: Option<f64>,
    /// Share of the edges' cells from which no corner lies within `sensor_range_m`; null without an edge.
    pub featureless_share: Option<f64>,
    /// Range that counts for it. Ours: 4 m, a common small laser scanner.
    pub sensor_range_m: f64,
}

/// Outlines are simplified to this many cells.
const OUTLINE_TOLERANCE_CELLS: f64 = 1.5;
const SENSOR_RANGE_M: f64 = 4.0;

/// The difficulty of the place that a map shows.
///
/// # Errors
/// The map is too large for exact distances.
pub fn environment(ground: &Ground) -> Result<Environment, Reason> {
    let found = ground.graph()?;
    let (width, height) = ground.size();
    let walls: Vec<u8> = ground.classes().iter().map(|&c| u8::from(c == CellClass::Occupied as u8)).collect();
    let mut corners = Vec::new();
    let mut corner_angles = [0; 6];
    for outline in outlines(&walls, width, height) {
        let simple = simplified(&outline, OUTLINE_TOLERANCE_CELLS);
        for angle in interior_angles_deg(&simple) {
            corner_angles[(angle / 60.0) as usize % 6] += 1;
        }
        corners.extend(simple);
    }
    let steps = found.graph.edges.iter().map(|edge| edge.steps.length_cells());
    Ok(Environment {
        cycles: found.graph.cycles(),
        path_length_m: steps.sum::<f64>() * ground.cell_size_m(),
        corners: corners.len(),
        sharp_corners: corner_angles[0],
        corner_angles,
        mean_corridor_width_m: found.mean_clearance_cells().map(|cells| 2.0 * cells * ground.cell_size_m()),
        featureless_share: featureless_share(ground, &corners)?,
        sensor_range_m: SENSOR_RANGE_M,
    })
}

fn featureless_share(ground: &Ground, corners: &[Corner]) -> Result<Option<f64>, Reason> {
    let (width, height) = ground.size();
    let mut on_edges: Vec<u32> =
        ground.skeleton()?.edges.iter().flat_map(|edge| edge.cells.iter().copied()).collect();
    on_edges.sort_unstable();
    on_edges.dedup();
    if on_edges.is_empty() {
        return Ok(None);
    }
    if corners.is_empty() {
        return Ok(Some(1.0));
    }
    let mut marked = vec![0_u8; width * height];
    for &(x, y) in corners {
        // The cell on the lower right of the corner, or the last one.
        let (x, y) = ((x.max(0) as usize).min(width - 1), (y.max(0) as usize).min(height - 1));
        marked[y * width + x] = 1;
    }
    let range_cells = SENSOR_RANGE_M / ground.cell_size_m();
    let mut next = on_edges.iter().peekable();
    let mut featureless = 0_usize;
    squared_distance_rows(&marked, 1, width, height, |row, squared| {
        while let Some(&&cell) = next.peek().filter(|cell| ***cell as usize / width == row) {
            let far = f64::from(squared[cell as usize % width]) > range_cells * range_cells;
            featureless += usize::from(far);
            next.next();
        }
    })
    .map_err(|_| Reason::TooLarge)?;
    Ok(Some(featureless as f64 / on_edges.len() as f64))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::paths::path_inputs::PathInputs;

    fn of(rows: &[&str]) -> Environment {
        let inputs = PathInputs { robot_radius_m: 0.0, ..Default::default() };
        environment(&Ground::new(&Arc::new(testkit::grid(rows)), &inputs)).unwrap()
    }

    #[test]
    fn x_env_a_plus_has_no_cycle_and_twelve_metres() {
        let (closed, arm, bar) = ("#########", "####.####", "#.......#");
        let rows = [closed, arm, arm, arm, bar, arm, arm, arm, closed];
        let found = of(&rows);
        assert_eq!((found.cycles, found.path_length_m), (0, 12.0));
    }

    #[test]
    fn x_env_a_ring_and_two_meshes() {
        assert_eq!(of(&["#######", "#.....#", "#.###.#", "#.....#", "#######"]).cycles, 1);
        let meshes = ["###########", "#.........#", "#.###.###.#", "#.........#", "###########"];
        assert_eq!(of(&meshes).cycles, 2);
    }

    #[test]
    fn a_room_has_eight_right_corners_and_a_corridor_its_width() {
        let room: Vec<String> = (0..12)
            .map(|y| {
                (0..30).map(|x| if x == 0 || y == 0 || x == 29 || y == 11 { '#' } else { '.' }).collect()
            })
            .collect();
        let found = of(&room.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.corners, 8, "four outside, four inside");
        assert_eq!(found.corner_angles, [0, 4, 0, 0, 4, 0]);
        assert_eq!(found.sharp_corners, 0);
        let width_m = found.mean_corridor_width_m.unwrap();
        assert!((9.0..=11.0).contains(&width_m), "{width_m}");
        assert!(found.featureless_share.unwrap() > 0.2);
    }

    #[test]
    fn places_without_ways_have_no_width() {
        let found = of(&["##", "##"]);
        assert_eq!((found.mean_corridor_width_m, found.featureless_share), (None, None));
        assert_eq!(of(&["..."]).featureless_share, Some(1.0));
    }
}
