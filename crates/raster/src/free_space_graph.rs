//! The graph of all paths through free space (V-GRAPH): where a robot fits, thinned, as nodes and edges.
//!
//! Paper: Collins et al., section 3.3, the Voronoi graph of all possible paths.
//!
//! 1. Traversable = free cells with more clearance than the robot's radius.
//! 2. Clearance D = distance to the nearest cell that is not free.
//! 3. Thinning, in the order of D or after Zhang and Suen.
//! 4. Skeleton to graph, then pruning of dead ends shorter than `max(prune_min, prune_factor · D(junction))`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::components::{Connectivity, components_of};
use crate::distance_thinning::thin_by_distance;
use crate::euclidean::EuclideanError;
use crate::footprint::{squared_clearance, squared_radius};
use crate::skeleton_graph::{SkeletonGraph, skeleton_graph};
use crate::thinning::zhang_suen;

/// How free space is thinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Thinning {
    /// Cells near walls first: the lines run in the middle.
    #[default]
    Distance,
    /// Zhang and Suen 1984.
    ZhangSuen,
}

/// Parameters of the graph, lengths in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphRules {
    /// Radius of the robot.
    pub radius_cells: f64,
    /// How free space is thinned.
    pub thinning: Thinning,
    /// Dead ends shorter than this go.
    pub prune_min_cells: f64,
    /// Dead ends shorter than this many times the clearance of their junction go.
    pub prune_factor: f64,
    /// Only the part that holds this cell counts.
    pub seed: Option<usize>,
}

/// The graph with the clearance along it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreeSpaceGraph {
    pub graph: SkeletonGraph,
    /// Clearance of each node, in cells.
    pub node_clearance_cells: Vec<f64>,
    /// Clearance of each cell of each edge, in cells.
    pub edge_clearances_cells: Vec<Vec<f32>>,
}

impl FreeSpaceGraph {
    /// Clearance at the narrowest cell of an edge, in cells.
    pub fn narrowest_cells(&self, edge: usize) -> f64 {
        f64::from(self.edge_clearances_cells[edge].iter().copied().fold(f32::INFINITY, f32::min))
    }

    /// Mean clearance over the cells of all edges, in cells; none without an edge.
    pub fn mean_clearance_cells(&self) -> Option<f64> {
        let count: usize = self.edge_clearances_cells.iter().map(Vec::len).sum();
        let all = self.edge_clearances_cells.iter().flatten();
        (count > 0).then(|| all.map(|&clearance| f64::from(clearance)).sum::<f64>() / count as f64)
    }
}

/// The graph of the free cells, which are not 0.
///
/// # Errors
/// A plane too large for exact distances.
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn free_space_graph(
    free: &[u8],
    width: usize,
    height: usize,
    rules: &GraphRules,
) -> Result<FreeSpaceGraph, EuclideanError> {
    let squared = squared_clearance(free, width, height)?;
    let limit = squared_radius(rules.radius_cells);
    let mut mask: Vec<u8> = squared.iter().map(|&square| u8::from(square > limit)).collect();
    if let Some(seed) = rules.seed {
        keep_part_of(&mut mask, width, height, seed);
    }
    match rules.thinning {
        Thinning::Distance => thin_by_distance(&mut mask, &squared, width, height),
        Thinning::ZhangSuen => zhang_suen(&mut mask, width, height),
    }
    let clearance = |cell: u32| f64::from(squared[cell as usize]).sqrt();
    let graph = skeleton_graph(&mask, width, height)
        .pruned(|node| rules.prune_min_cells.max(rules.prune_factor * clearance(node.cell)));
    Ok(with_clearance(graph, clearance))
}

/// Clears all cells that are not connected with the seed.
fn keep_part_of(mask: &mut [u8], width: usize, height: usize, seed: usize) {
    let parts = components_of(mask, 1, width, height, Connectivity::Eight);
    let kept = parts.component_at(seed);
    for (part, cells) in parts.runs() {
        if Some(part) != kept {
            mask[cells].fill(0);
        }
    }
}

fn with_clearance(graph: SkeletonGraph, clearance: impl Fn(u32) -> f64) -> FreeSpaceGraph {
    let along = |cells: &[u32]| cells.iter().map(|&cell| clearance(cell) as f32).collect();
    FreeSpaceGraph {
        node_clearance_cells: graph.nodes.iter().map(|node| clearance(node.cell)).collect(),
        edge_clearances_cells: graph.edges.iter().map(|edge| along(&edge.cells)).collect(),
        graph,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::PLUS;

    use super::*;
    use crate::components::label;
    use crate::footprint::traversable;

    const RULES: GraphRules = GraphRules {
        radius_cells: 0.0,
        thinning: Thinning::Distance,
        prune_min_cells: 0.0,
        prune_factor: 1.0,
        seed: None,
    };

    fn drawn(rows: &[&str], rules: &GraphRules) -> SkeletonGraph {
        let cells: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        free_space_graph(&cells, rows[0].len(), rows.len(), rules).unwrap().graph
    }

    fn size(graph: &SkeletonGraph) -> [usize; 3] {
        [graph.nodes.len(), graph.edges.len(), graph.cycles()]
    }

    fn length(graph: &SkeletonGraph) -> f64 {
        graph.edges.iter().map(|edge| edge.steps.length_cells()).sum()
    }

    fn both(rows: &[&str]) -> [[usize; 3]; 2] {
        [Thinning::Distance, Thinning::ZhangSuen]
            .map(|thinning| size(&drawn(rows, &GraphRules { thinning, ..RULES })))
    }

    #[test]
    fn e1_a_plus() {
        let graph = drawn(&PLUS, &RULES);
        assert_eq!(size(&graph), [5, 4, 0]);
        assert_eq!(length(&graph), 12.0, "12 (X-ENV)");
    }

    #[test]
    fn e3_a_ladder_with_one_rung_and_with_two() {
        let rung = ["###########", "#.........#"];
        let gap = "####.######";
        let one: Vec<&str> = [&rung[..], &[gap; 5], &[rung[1], rung[0]]].concat();
        assert_eq!(size(&drawn(&one, &RULES)), [6, 5, 0]);
        let gaps = "####.####.#";
        let two: Vec<&str> = [&rung[..], &[gaps; 5], &[rung[1], rung[0]]].concat();
        assert_eq!(size(&drawn(&two, &RULES)), [4, 4, 1]);
    }

    #[test]
    fn e4_a_ring() {
        let ring = ["#######", "#.....#", "#.###.#", "#.....#", "#######"];
        assert_eq!(both(&ring), [[2, 2, 1]; 2]);
    }

    #[test]
    fn x_env_two_meshes() {
        let rows = ["###########", "#.........#", "#.###.###.#", "#.........#", "###########"];
        assert_eq!(size(&drawn(&rows, &RULES)), [2, 3, 2]);
    }

    #[test]
    fn e5_a_plus_with_wide_arms_and_an_empty_room() {
        let (closed, arm, bar) = ("###############", "######...######", "#.............#");
        let plus: Vec<&str> = [&[closed][..], &[arm; 5], &[bar; 3], &[arm; 5], &[closed]].concat();
        assert_eq!(both(&plus), [[5, 4, 0]; 2]);
        assert_eq!(size(&drawn(&[".........."; 6], &RULES)), [2, 1, 0]);
        let room: Vec<&str> = [&["############"][..], &["#..........#"; 6], &["############"]].concat();
        assert_eq!(size(&drawn(&room, &RULES)), [2, 1, 0]);
    }

    #[test]
    fn a_seed_keeps_its_part() {
        let rows = ["...#...", "#######", "......."];
        assert_eq!(drawn(&rows, &RULES).components(), 3);
        let graph = drawn(&rows, &GraphRules { seed: Some(4), ..RULES });
        assert_eq!(graph.components(), 1);
        assert!(graph.nodes.iter().all(|node| (4..7).contains(&node.cell)));
        assert_eq!(size(&drawn(&rows, &GraphRules { seed: Some(3), ..RULES })), [0, 0, 0], "a wall");
    }

    #[test]
    fn a_robot_too_wide_for_the_door_sees_two_rooms() {
        let rows = ["#########", "#...#...#", "#.......#", "#...#...#", "#########"];
        assert_eq!(drawn(&rows, &RULES).components(), 1);
        assert_eq!(drawn(&rows, &GraphRules { radius_cells: 1.0, ..RULES }).components(), 2);
        assert_eq!(size(&drawn(&rows, &GraphRules { radius_cells: 9.0, ..RULES })), [0, 0, 0]);
    }

    #[test]
    fn clearance_stands_beside_nodes_and_edges() {
        let cells: Vec<u8> = PLUS.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        let found = free_space_graph(&cells, 9, 9, &RULES).unwrap();
        assert_eq!(found.node_clearance_cells, [1.0, 1.0, 2_f64.sqrt(), 1.0, 1.0]);
        assert_eq!([0, 1, 2, 3].map(|edge| found.narrowest_cells(edge)), [1.0; 4]);
        let mean = (12.0 + 4.0 * 2_f64.sqrt()) / 16.0;
        assert!((found.mean_clearance_cells().unwrap() - mean).abs() < 1e-6);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// V-GRAPH's invariants: components, cycles, traversability.
        #[test]
        fn the_graph_has_the_topology_of_the_traversable_cells(
            width in 1..40_usize, height in 1..30_usize, walls in 3..40_usize, radius in 0..3_u32,
            zhang_suen in any::<bool>(), seed in any::<u64>(),
        ) {
            let mut random = testkit::Random(seed | 1);
            let free: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(walls) != 0)).collect();
            let radius_cells = f64::from(radius) * 0.8;
            let thinning = if zhang_suen { Thinning::ZhangSuen } else { Thinning::Distance };
            let graph = free_space_graph(&free, width, height, &GraphRules { radius_cells, thinning, ..RULES }).unwrap().graph;
            let mask = traversable(&free, width, height, radius_cells).unwrap();
            let mut background = vec![1; (width + 2) * (height + 2)];
            for (index, &cell) in mask.iter().enumerate() {
                background[(index / width + 1) * (width + 2) + index % width + 1] = 1 - cell;
            }
            let holes = label(&background, width + 2, height + 2, Connectivity::Four).count as usize - 1;
            prop_assert_eq!(graph.cycles(), holes);
            let parts = label(&mask, width, height, Connectivity::Eight).count as usize;
            // Zhang and Suen's rules delete blocks of two by two cells altogether.
            if !zhang_suen {
                prop_assert_eq!(graph.components(), parts);
            }
            for edge in &graph.edges {
                prop_assert!(edge.cells.iter().all(|&cell| mask[cell as usize] == 1));
                prop_assert!(edge.a < edge.b);
            }
        }
    }
}
