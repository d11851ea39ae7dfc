//! Frontier cells (N-FRONT): free cells beside unknown ones.
//!
//! ```text
//! frontier(c)  <=>  free(c) and a neighbour of c is unknown
//! ```
//!
//! Frontier cells that touch, also over corners, are a cluster; clusters of fewer cells than the robot is wide are
//! dropped. A frontier is safe where the robot may stand. Paper: Pellenz, about 2008, section III-D, after Yamauchi.

use model::CellClass;
use raster::components::{Connectivity, label};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Terrain;

/// Which neighbours make a free cell a frontier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NeighboursOfUnknown {
    /// The four that share an edge.
    #[default]
    Four,
    /// All eight.
    Eight,
}

/// The frontiers of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontiers {
    /// Frontier cells of clusters that are large enough, in image order.
    pub cells: Vec<u32>,
    /// Those of them where the robot may stand.
    pub safe: Vec<u32>,
}

impl Frontiers {
    /// True if nothing is left to explore (`NO_FRONTIER`).
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.cells.is_empty()
    }
}

/// The frontiers of a map. Clusters of fewer than `min_cells` cells are dropped.
#[must_use]
pub fn find_frontiers(
    classes: &[CellClass],
    terrain: &Terrain,
    neighbours: NeighboursOfUnknown,
    min_cells: usize,
) -> Frontiers {
    let (width, height) = (terrain.width(), terrain.height());
    let mask = frontier_mask(classes, width, height, neighbours);
    let labels = label(&mask, width, height, Connectivity::Eight);
    let mut sizes = vec![0_usize; labels.count as usize + 1];
    let of_frontier = || mask.iter().zip(&labels.labels).enumerate().filter(|(_, (is, _))| **is != 0);
    for (_, (_, &cluster)) in of_frontier() {
        sizes[cluster as usize] += 1;
    }
    let large = of_frontier().filter(|(_, (_, cluster))| sizes[**cluster as usize] >= min_cells);
    let cells: Vec<u32> = large.map(|(cell, _)| cell as u32).collect();
    let safe = cells.iter().copied().filter(|&cell| terrain.is_safe(cell as usize)).collect();
    Frontiers { cells, safe }
}

fn frontier_mask(
    classes: &[CellClass],
    width: usize,
    height: usize,
    neighbours: NeighboursOfUnknown,
) -> Vec<u8> {
    let unknown = |x: usize, y: usize| classes[y * width + x] == CellClass::Unknown;
    let is_frontier = |cell: usize| {
        if classes[cell] != CellClass::Free {
            return false;
        }
        let (x, y) = (cell % width, cell / width);
        let beside = x > 0 && unknown(x - 1, y)
            || x + 1 < width && unknown(x + 1, y)
            || y > 0 && unknown(x, y - 1)
            || y + 1 < height && unknown(x, y + 1);
        beside
            || neighbours == NeighboursOfUnknown::Eight && {
                let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
                corners.iter().any(|&(dx, dy)| {
                    let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                    x < width && y < height && unknown(x, y)
                })
            }
    };
    (0..classes.len()).map(|cell| u8::from(is_frontier(cell))).collect()
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;
    use crate::Discomfort;

    /// Frontier cells of a drawing as (row, column): all, and the safe ones.
    fn found(rows: &[&str], d_min_m: f64, min_cells: usize) -> [Vec<(usize, usize)>; 2] {
        let map = grid(rows);
        let params = Discomfort { d_min_m, ..Discomfort::default() };
        let terrain = Terrain::of(map.geometry(), map.classes(), &params).unwrap();
        let frontiers = find_frontiers(map.classes(), &terrain, NeighboursOfUnknown::Four, min_cells);
        let place = |cells: Vec<u32>| {
            cells.iter().map(|&c| (c as usize / rows[0].len(), c as usize % rows[0].len())).collect()
        };
        [place(frontiers.cells), place(frontiers.safe)]
    }

    /// 10-E1.
    const E1: [&str; 6] = ["#########", "#.....??#", "#.###.??#", "#.#.....#", "#.......#", "#########"];

    #[test]
    fn n_front_e1_four_frontier_cells() {
        assert_eq!(found(&E1, 0.0, 1)[0], [(1, 5), (2, 5), (3, 6), (3, 7)]);
        assert_eq!(found(&E1, 0.0, 4)[0].len(), 4, "all four touch");
        assert_eq!(found(&E1, 0.0, 5)[0], []);
    }

    #[test]
    fn n_front_e4_safe_ones_have_clearance() {
        let room = "#...........?";
        let upper = "#...........#";
        let (wall, door) = ("#############", "#####...#####");
        let rows = [wall, upper, upper, upper, upper, upper, door, room, room, room, room, room, wall];
        let safe = |d_min_m: f64| found(&rows, d_min_m, 1)[1].len();
        assert_eq!([safe(1.0), safe(2.0), safe(2.1)], [5, 3, 1]);
    }

    #[test]
    fn n_front_e5_a_closed_room_has_none() {
        assert_eq!(found(&["####", "#..#", "####"], 0.0, 1), [vec![], vec![]]);
        assert_eq!(found(&["???"], 0.0, 1), [vec![], vec![]]);
        assert_eq!(found(&["."], 0.0, 1), [vec![], vec![]]);
    }

    #[test]
    fn corners_count_only_if_asked() {
        let map = grid(["?#", "#."]);
        let terrain =
            Terrain::of(map.geometry(), map.classes(), &Discomfort { d_min_m: 0.0, ..Discomfort::default() })
                .unwrap();
        let count = |n| find_frontiers(map.classes(), &terrain, n, 1).cells.len();
        assert_eq!([count(NeighboursOfUnknown::Four), count(NeighboursOfUnknown::Eight)], [0, 1]);
    }
}
