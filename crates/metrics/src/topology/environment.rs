//! Difficulty of an environment (X-ENV): cycles, path length, corners, width, corridors without features.
//!
//! Paper: Collins et al., section 5, where it is planned. From the graph of free space and the outlines of walls:
//!
//! ```text
//! cycles = E - V + C        path length = Σ edges        mean corridor width = 2 · mean clearance on edges
//! corners = vertices of the outlines of free space, simplified to 1.5 cells, by the angle on the free side
//! featureless = share of edge cells without a corner or end of a wall within the sensor's range
//! ```
//!
//! A corner lies between two walls: where free space ends at unknown cells or at the border of the image there is none. Two
//! vertices within 3 cells that turn the same way are one corner, whose angle is what both together leave: the tip of a
//! wedge is blunt in cells. The range is counted straight, through walls too.

use model::CellClass;
use raster::euclidean::squared_distance_rows;
use raster::outlines::{Corner, cells_beside, interior_angles_deg, outlines, simplified};
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
    /// Corners sharper than 60 degrees on the free side: wedges that a robot looks into.
    pub sharp_corners: usize,
    /// Corners by the angle on the free side, six classes of 60 degrees from 0 to 360.
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
    let wall_corners = wall_corners(ground.classes(), width, height);
    let mut corner_angles = [0; 6];
    for corner in &wall_corners {
        corner_angles[(corner.free_angle_deg / 60.0) as usize % 6] += 1;
    }
    let corners: Vec<Corner> = wall_corners.iter().map(|corner| corner.place).collect();
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

/// A corner of the walls that free space touches.
struct WallCorner {
    place: Corner,
    free_angle_deg: f64,
}

/// Vertices of one corner are at most this far apart: twice the tolerance of the outlines.
const ONE_CORNER_CELLS: f64 = 2.0 * OUTLINE_TOLERANCE_CELLS;
/// Together they turn by less than this: two right corners of a pillar stay two.
const MAX_JOINT_TURN_DEG: f64 = 170.0;

/// The corners of all outlines of free space, without those at unknown cells and at the border of the image.
fn wall_corners(classes: &[u8], width: usize, height: usize) -> Vec<WallCorner> {
    // A frame of cells that are not free: free space then has an outline there too, which is no wall.
    let (wide, high) = (width + 2, height + 2);
    let mut filled = vec![1_u8; wide * high];
    for (row, cells) in classes.chunks(width.max(1)).enumerate() {
        for (column, &class) in cells.iter().enumerate() {
            filled[(row + 1) * wide + column + 1] = u8::from(class != CellClass::Free as u8);
        }
    }
    let is_wall = |(x, y): Corner| {
        let inside = x >= 1 && y >= 1 && x as usize <= width && y as usize <= height;
        inside && classes[(y - 1) as usize * width + (x - 1) as usize] == CellClass::Occupied as u8
    };
    let mut found = Vec::new();
    for outline in outlines(&filled, wide, high) {
        let between_walls = |place: &Corner| {
            let number = outline.iter().position(|corner| corner == place);
            number.is_some_and(|number| cells_beside(&outline, number).into_iter().all(is_wall))
        };
        let simple = simplified(&outline, OUTLINE_TOLERANCE_CELLS);
        // What is smaller than the tolerance has no shape: specks, and single cells at the tip of a wedge.
        if simple.len() < 3 {
            continue;
        }
        let corners = joined_corners(&simple);
        found.extend(corners.into_iter().filter(|corner| between_walls(&corner.place)));
    }
    found
        .iter_mut()
        .for_each(|corner: &mut WallCorner| corner.place = (corner.place.0 - 1, corner.place.1 - 1));
    found
}

/// The vertices of a closed outline with the angle on the free side, near ones that turn the same way taken together.
fn joined_corners(outline: &[Corner]) -> Vec<WallCorner> {
    let count = outline.len();
    // Positive where free space bulges into the walls.
    let turns: Vec<f64> = interior_angles_deg(outline).iter().map(|angle| angle - 180.0).collect();
    let apart = |a: Corner, b: Corner| f64::from(a.0 - b.0).hypot(f64::from(a.1 - b.1));
    let mut is_taken = vec![false; count];
    let mut corners = Vec::new();
    for here in 0..count {
        let next = (here + 1) % count;
        if std::mem::replace(&mut is_taken[here], true) {
            continue;
        }
        let joint = turns[here] + turns[next];
        let is_one = !is_taken[next]
            && apart(outline[here], outline[next]) <= ONE_CORNER_CELLS
            && turns[here] * turns[next] > 0.0
            && joint.abs() < MAX_JOINT_TURN_DEG;
        is_taken[next] |= is_one;
        let turn = if is_one { joint } else { turns[here] };
        corners.push(WallCorner { place: outline[here], free_angle_deg: 180.0 - turn });
    }
    corners
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
    fn a_room_has_four_right_corners_and_a_corridor_its_width() {
        let room: Vec<String> = (0..12)
            .map(|y| {
                (0..30).map(|x| if x == 0 || y == 0 || x == 29 || y == 11 { '#' } else { '.' }).collect()
            })
            .collect();
        let found = of(&room.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.corners, 4, "the border of the image is no wall with corners of its own");
        assert_eq!(found.corner_angles, [0, 4, 0, 0, 0, 0]);
        assert_eq!(found.sharp_corners, 0);
        let width_m = found.mean_corridor_width_m.unwrap();
        assert!((9.0..=11.0).contains(&width_m), "{width_m}");
        assert!(found.featureless_share.unwrap() > 0.2);
    }

    fn drawn(size: usize, letter: impl Fn(f64, f64) -> char) -> Environment {
        let rows: Vec<String> =
            (0..size).map(|y| (0..size).map(|x| letter(x as f64 + 0.5, y as f64 + 0.5)).collect()).collect();
        of(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn c3_07_a_square_room_with_a_pillar_has_eight_corners() {
        let found = drawn(40, |x, y| {
            let outside = !(1.0..39.0).contains(&x) || !(1.0..39.0).contains(&y);
            let pillar = (15.0..24.0).contains(&x) && (15.0..24.0).contains(&y);
            if outside || pillar { '#' } else { '.' }
        });
        assert_eq!((found.corners, found.sharp_corners), (8, 0));
        assert_eq!(found.corner_angles, [0, 4, 0, 0, 4, 0], "four of the room, four around the pillar");
    }

    /// A star with five tips of 37 degrees: its outer corners lie on a circle, its inner ones where the edges cross.
    fn is_in_star(x: f64, y: f64, radius: f64) -> bool {
        let (half, step) = (37_f64.to_radians() / 2.0, std::f64::consts::TAU / 5.0);
        // The inner radius at which the edge of a tip reaches the ray between two tips.
        let inner = radius * half.sin() / (half + step / 2.0).sin();
        let angle = y.atan2(x).rem_euclid(step);
        let off = (angle - step / 2.0).abs();
        // Along the edge from the inner corner (off 0) to the tip (off step / 2).
        let (ax, ay) = (inner, 0.0);
        let (bx, by) = (radius * (step / 2.0).cos(), radius * (step / 2.0).sin());
        let (px, py) = (x.hypot(y) * off.cos(), x.hypot(y) * off.sin());
        (bx - ax) * (py - ay) - (by - ay) * (px - ax) >= 0.0
    }

    #[test]
    fn c3_07_a_star_of_five_tips_has_five_sharp_corners() {
        for size in [121_u32, 200, 331] {
            let (middle, radius) = (f64::from(size) / 2.0, f64::from(size) / 2.0 - 3.0);
            let star = |x: f64, y: f64| is_in_star(x - middle, middle - y, radius);
            let found = drawn(size as usize, |x, y| if star(x, y) { '.' } else { '#' });
            assert_eq!((found.sharp_corners, found.corners), (5, 10), "{size}: {:?}", found.corner_angles);
            // The other way round the tips are walls, and nothing that a robot looks into is sharp.
            let solid = drawn(size as usize, |x, y| if star(x, y) { '#' } else { '.' });
            assert_eq!((solid.sharp_corners, solid.corners), (0, 10), "{size}: {:?}", solid.corner_angles);
        }
    }

    #[test]
    fn free_space_that_ends_at_unknown_cells_or_the_image_has_no_corner_there() {
        // A corridor that leaves the image on the left and fades into unknown cells on the right.
        assert_eq!(of(&["######????", "......????", "......????", "......????", "######????"]).corners, 0);
    }

    #[test]
    fn places_without_ways_have_no_width() {
        let found = of(&["##", "##"]);
        assert_eq!((found.mean_corridor_width_m, found.featureless_share), (None, None));
        assert_eq!(of(&["..."]).featureless_share, Some(1.0));
    }
}
