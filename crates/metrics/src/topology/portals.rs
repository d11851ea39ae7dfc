//! Portals: junctions and doorways of the truth, each with an id that stays the same.
//!
//! The rule book of the virtual league scores S = n / N with N hidden portals at junctions and doorways, and says that
//! they could be generated from a Voronoi decomposition; here they come from the graph of free space.
//!
//! A junction is a node where three or more edges meet. A doorway is the narrowest place of an edge between two wider
//! ones: at most `widest_door_m` wide, and at most `narrowing` times as wide as the widest place on either side.

use model::Point2;
use serde::Serialize;

use crate::Reason;
use crate::paths::ground::Ground;
use crate::plane_distance::{distance_m, distance_to_segment_m};

/// A place that a robot should have passed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Portal {
    /// `J` for a junction or `D` for a doorway, and the place in decimetres: the same truth gives the same ids.
    pub id: String,
    pub kind: PortalKind,
    /// To the right.
    pub x_m: f64,
    /// Up.
    pub y_m: f64,
    /// Twice the clearance.
    pub width_m: f64,
    #[serde(skip)]
    pub cell: usize,
}

/// What a portal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PortalKind {
    /// Three or more edges meet.
    Junction,
    /// A narrow place between two wider ones.
    Doorway,
}

/// A doorway is at most this wide. Ours: a double door.
const MAX_DOOR_M: f64 = 2.0;
/// A doorway is at most this share as wide as the widest place on either side of it. Ours.
const NARROWING: f64 = 0.75;
/// Portals nearer to each other than this are one. Ours: the rule book's error of a mark.
const APART_M: f64 = 1.0;

/// The portals of a truth, junctions first, each kind in image order.
///
/// # Errors
/// The map is too large for exact distances.
pub fn portals(truth: &Ground) -> Result<Vec<Portal>, Reason> {
    let found = truth.graph()?;
    let cell_size_m = truth.cell_size_m();
    let degrees = found.graph.degrees();
    let junctions = found.graph.nodes.iter().enumerate().filter(|(node, _)| degrees[*node] >= 3);
    let mut candidates: Vec<(PortalKind, usize, f64)> = junctions
        .map(|(node, place)| {
            (PortalKind::Junction, place.cell as usize, found.node_clearance_cells[node] * 2.0 * cell_size_m)
        })
        .collect();
    let mut doors: Vec<(PortalKind, usize, f64)> = Vec::new();
    for (edge, clearances) in found.graph.edges.iter().zip(&found.edge_clearances_cells) {
        for narrow in narrow_places(clearances) {
            let width_m = f64::from(clearances[narrow]) * 2.0 * cell_size_m;
            if width_m <= MAX_DOOR_M {
                doors.push((PortalKind::Doorway, edge.cells[narrow] as usize, width_m));
            }
        }
    }
    doors.sort_by_key(|(_, cell, _)| *cell);
    candidates.extend(doors);
    let mut kept: Vec<Portal> = Vec::new();
    for (kind, cell, width_m) in candidates {
        let place = truth.place_of(cell);
        if kept.iter().all(|portal| distance_m(place, Point2::new(portal.x_m, portal.y_m)) >= APART_M) {
            kept.push(Portal { id: id_of(kind, place), kind, x_m: place.x_m, y_m: place.y_m, width_m, cell });
        }
    }
    Ok(kept)
}

/// The cells of a line that are narrow against what lies on both sides: the narrowest one, then those of the two
/// parts that it leaves.
fn narrow_places(clearances: &[f32]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut parts = vec![(0, clearances.len())];
    while let Some((start, end)) = parts.pop() {
        if let Some(narrow) = narrowest_between(&clearances[start..end]).map(|index| start + index) {
            found.push(narrow);
            parts.extend([(start, narrow), (narrow + 1, end)]);
        }
    }
    found.sort_unstable();
    found
}

/// The narrowest cell that has a wider one on both sides.
fn narrowest_between(clearances: &[f32]) -> Option<usize> {
    let widest_up_to = |widest: &mut f32, &clearance: &f32| {
        *widest = widest.max(clearance);
        Some(*widest)
    };
    let before: Vec<f32> = clearances.iter().scan(0.0, widest_up_to).collect();
    let mut behind: Vec<f32> = clearances.iter().rev().scan(0.0, widest_up_to).collect();
    behind.reverse();
    let is_narrow = |&index: &usize| {
        f64::from(clearances[index]) <= NARROWING * f64::from(before[index].min(behind[index]))
    };
    (0..clearances.len()).filter(is_narrow).min_by(|&a, &b| clearances[a].total_cmp(&clearances[b]))
}

fn id_of(kind: PortalKind, place: Point2) -> String {
    let letter = match kind {
        PortalKind::Junction => 'J',
        PortalKind::Doorway => 'D',
    };
    let decimetres = |metres: f64| (metres * 10.0).round() as i64;
    format!("{letter}{}_{}", decimetres(place.x_m), decimetres(place.y_m))
}

/// Which portals a robot's path passes: it comes within half the portal's width, and within `min_reach_m` anyway.
#[must_use]
pub fn passed_by_path(portals: &[Portal], path: &[Point2], min_reach_m: f64) -> Vec<bool> {
    let passes = |portal: &Portal| {
        let (place, reach_m) = (Point2::new(portal.x_m, portal.y_m), (portal.width_m / 2.0).max(min_reach_m));
        let near = |pair: &[Point2]| distance_to_segment_m(place, pair[0], pair[1]) <= reach_m;
        path.windows(2).any(near) || path.iter().any(|point| distance_m(*point, place) <= reach_m)
    };
    portals.iter().map(passes).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::paths::path_inputs::PathInputs;

    fn of(rows: &[&str]) -> Vec<Portal> {
        let inputs = PathInputs { robot_radius_m: 0.0, ..Default::default() };
        portals(&Ground::new(&Arc::new(testkit::grid(rows)), &inputs)).unwrap()
    }

    const TWO_ROOMS: [&str; 9] = [
        "#####################",
        "#.........#.........#",
        "#.........#.........#",
        "#.........#.........#",
        "#...................#",
        "#.........#.........#",
        "#.........#.........#",
        "#.........#.........#",
        "#####################",
    ];

    #[test]
    fn a_door_between_two_rooms_is_a_doorway() {
        let found = of(&TWO_ROOMS);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].kind, found[0].id.as_str()), (PortalKind::Doorway, "D105_45"));
        assert_eq!((found[0].x_m, found[0].y_m, found[0].width_m), (10.5, 4.5, 2.0));
    }

    #[test]
    fn a_crossing_is_a_junction_and_a_plain_corridor_has_nothing() {
        let (closed, arm, bar) = ("#########", "####.####", "#.......#");
        let found = of(&[closed, arm, arm, arm, bar, arm, arm, arm, closed]);
        assert_eq!(found.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(), ["J45_45"]);
        assert_eq!(of(&["#########", "#.......#", "#########"]), []);
        assert_eq!(of(&["?"]), []);
    }

    #[test]
    fn a_path_through_the_door_passes_it_and_one_in_a_room_does_not() {
        let found = of(&TWO_ROOMS);
        let path = |points: &[(f64, f64)]| points.iter().map(|&(x, y)| Point2::new(x, y)).collect::<Vec<_>>();
        assert_eq!(passed_by_path(&found, &path(&[(2.0, 4.5), (18.0, 4.5)]), 0.5), [true]);
        assert_eq!(passed_by_path(&found, &path(&[(2.0, 2.0), (8.0, 7.0)]), 0.5), [false]);
        assert_eq!(passed_by_path(&found, &[], 0.5), [false]);
    }
}
