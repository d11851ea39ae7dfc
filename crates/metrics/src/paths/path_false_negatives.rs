//! Path false negatives: paths of the truth that cannot be driven on the map.
//!
//! ```text
//! FN = 100 · incomplete / edges
//! edge of the truth's graph is incomplete  <=>  its two ends are not connected on the map
//! ```
//!
//! Unit: percent. Range: 0 to 100. Better: lower.
//! Paper: Collins et al., section 3.3.
//! Departure: the paper's Voronoi graph is the thinned free space for a robot of `robot_radius_m` (0.25 m, ours),
//! with short dead ends removed, and connected parts are labelled once instead of planning each path. Edges whose
//! ends the planner cannot join on the truth itself (the graph may touch at a corner that a robot does not squeeze
//! through) are no pairs "with a path between them" and are left out; `not_drivable` counts them. An end that is not
//! traversable on the map is moved to the nearest traversable cell within `snap_m`.
//! Unknown: blocks, as it does for a careful planner; `by_obstacle` counts what would still be blocked if unknown
//! were free, `by_unknown` the rest.
//! Known bias: only asks whether there is a path, not how long it is; one closed door counts once for a cul-de-sac and
//! many times for the only link of two wings with `pairs = all`.
//! Sees: noise, shift, bend, missing_wing, thick_walls, ghost_walls, resolution, mirror; late: rotate, cut, moved_room,
//! closed_door, scale; saturates: blur; blind to: unseen, opened_wall. Damage of docs/lab.md, five generated floors.
//! Variants: `pairs = edges` (the paper's denominator) or `all` connected pairs of nodes.
//! Undefined: `NO_EDGES` if the truth's graph has no edge; `TOO_LARGE` for windows too long for exact distances.

use std::collections::BTreeMap;

use raster::components::Components;
use raster::skeleton_graph::SkeletonGraph;

use super::path_space::{PathSpace, Place};
use crate::prelude::*;

/// Parameters of the path false negatives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathFalseNegatives {
    /// Which pairs of end points are tried. Default `edges`, the paper's denominator.
    pub pairs: Pairs,
}

/// Which pairs of end points are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pairs {
    /// The two ends of each edge.
    #[default]
    Edges,
    /// All pairs of nodes that are connected on the truth.
    All,
}

impl Metric for PathFalseNegatives {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Paths, "path_false_negatives", "P-FNFP", "Path false negatives")
            .measured_in(Unit::Percent, Better::Lower)
            .between(0.0, 100.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let graph = space.truth.skeleton()?;
        let on_truth = nodes_on_truth(space, graph)?;
        let on_map = nodes_on_map(space, graph)?;
        match self.pairs {
            Pairs::Edges => edges_score(space, graph, &on_truth, &on_map),
            Pairs::All => all_pairs_score(space, graph, &on_truth, &on_map),
        }
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        if self.pairs == Pairs::All {
            return Vec::new();
        }
        edge_samples(case).into_iter().collect()
    }
}

/// For each node of the truth's graph the connected part it lies in; none if it cannot be reached at all.
type PartOfNode = Vec<Option<u32>>;

fn nodes_on_truth(space: &PathSpace, graph: &SkeletonGraph) -> Result<PartOfNode, Undefined> {
    let parts = space.truth.parts()?;
    Ok(graph.nodes.iter().map(|node| parts.component_at(node.cell as usize)).collect())
}

fn nodes_on_map(space: &PathSpace, graph: &SkeletonGraph) -> Result<PartOfNode, Undefined> {
    Ok(snapped_parts(space, graph, space.map.roads()?, space.map.parts()?))
}

fn nodes_if_unknown_were_free(space: &PathSpace, graph: &SkeletonGraph) -> Result<PartOfNode, Undefined> {
    let (roads, parts) = space.map.if_unknown_were_free()?;
    Ok(snapped_parts(space, graph, roads, parts))
}

fn snapped_parts(space: &PathSpace, graph: &SkeletonGraph, roads: &[u8], parts: &Components) -> PartOfNode {
    let part_at = |cell: u32| parts.component_at(space.map.snapped(roads, cell as usize)?);
    graph.nodes.iter().map(|node| part_at(node.cell)).collect()
}

fn joined(parts: &PartOfNode, a: usize, b: usize) -> bool {
    parts[a].is_some() && parts[a] == parts[b]
}

/// An edge that cannot be driven on the map.
#[derive(Serialize)]
struct Offence {
    from: Place,
    to: Place,
    length_m: f64,
    by: &'static str,
}

fn edges_score(
    space: &PathSpace,
    graph: &SkeletonGraph,
    on_truth: &PartOfNode,
    on_map: &PartOfNode,
) -> Result<Score, Undefined> {
    let drivable: Vec<_> = graph.edges.iter().filter(|edge| joined(on_truth, edge.a, edge.b)).collect();
    if drivable.is_empty() {
        return Err(Reason::NoEdges.into());
    }
    let incomplete: Vec<_> = drivable.iter().filter(|edge| !joined(on_map, edge.a, edge.b)).collect();
    let hopeful = if incomplete.is_empty() { Vec::new() } else { nodes_if_unknown_were_free(space, graph)? };
    let mut offences: Vec<Offence> = incomplete
        .iter()
        .map(|edge| Offence {
            from: space.place(graph.nodes[edge.a].cell),
            to: space.place(graph.nodes[edge.b].cell),
            length_m: space.metres(edge.steps),
            by: if joined(&hopeful, edge.a, edge.b) { "unknown" } else { "obstacle" },
        })
        .collect();
    let by_obstacle = offences.iter().filter(|offence| offence.by == "obstacle").count();
    offences.sort_by(|a, b| b.length_m.total_cmp(&a.length_m));
    Ok(Score::new(100.0 * incomplete.len() as f64 / drivable.len() as f64)
        .with("edges", drivable.len())
        .with("incomplete", incomplete.len())
        .with("by_obstacle", by_obstacle)
        .with("by_unknown", incomplete.len() - by_obstacle)
        .with("not_drivable", graph.edges.len() - drivable.len())
        .with_table("offending", offences))
}

/// Each edge of the truth's graph: whether it counts, and whether it cannot be driven.
fn edge_samples(case: &Case) -> Result<Samples, Undefined> {
    let space = case.paths()?;
    let graph = space.truth.skeleton()?;
    let (on_truth, on_map) = (nodes_on_truth(space, graph)?, nodes_on_map(space, graph)?);
    let part = |edge: &raster::skeleton_graph::Edge| match joined(&on_truth, edge.a, edge.b) {
        true if joined(&on_map, edge.a, edge.b) => (0.0, 1.0),
        true => (100.0, 1.0),
        false => (0.0, 0.0),
    };
    let unit = SampleUnit::new("edges of the graph", graph.edges.len());
    Ok(Samples::own(unit, Make::ratio(graph.edges.iter().map(part))))
}

/// Counts pairs by the parts they lie in, so that no pair is looked at one by one.
fn all_pairs_score(
    space: &PathSpace,
    graph: &SkeletonGraph,
    on_truth: &PartOfNode,
    on_map: &PartOfNode,
) -> Result<Score, Undefined> {
    let whole = vec![Some(0); graph.nodes.len()];
    let pairs = pairs_joined_in_both(on_truth, &whole);
    if pairs == 0 {
        return Err(Reason::NoEdges.into());
    }
    let incomplete = pairs - pairs_joined_in_both(on_truth, on_map);
    let hopeful = if incomplete == 0 { whole } else { nodes_if_unknown_were_free(space, graph)? };
    let by_obstacle = pairs - pairs_joined_in_both(on_truth, &hopeful);
    Ok(Score::new(100.0 * incomplete as f64 / pairs as f64)
        .with("pairs", pairs)
        .with("edges", graph.edges.len())
        .with("incomplete", incomplete)
        .with("by_obstacle", by_obstacle)
        .with("by_unknown", incomplete - by_obstacle))
}

fn pairs_joined_in_both(one: &PartOfNode, other: &PartOfNode) -> u64 {
    let mut sizes: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for (a, b) in one.iter().zip(other) {
        if let (Some(a), Some(b)) = (a, b) {
            *sizes.entry((*a, *b)).or_default() += 1;
        }
    }
    sizes.values().map(|size| size * (size - 1) / 2).sum()
}

#[cfg(test)]
mod tests {
    use testkit::PLUS;

    use super::*;
    use crate::drawing::path_case;

    const EDGES: PathFalseNegatives = PathFalseNegatives { pairs: Pairs::Edges };
    const ALL: PathFalseNegatives = PathFalseNegatives { pairs: Pairs::All };

    fn plus_with(cell: &str) -> Vec<String> {
        let mut rows: Vec<String> = PLUS.iter().map(|row| (*row).to_owned()).collect();
        rows[4].replace_range(5..6, cell);
        rows
    }

    fn score(metric: &PathFalseNegatives, truth: &[&str], map: &[&str]) -> Score {
        metric.evaluate(&path_case(truth, map)).unwrap()
    }

    fn counts(score: &Score) -> [u64; 3] {
        ["incomplete", "by_obstacle", "by_unknown"].map(|key| score.detail[key].as_u64().unwrap())
    }

    #[test]
    fn e1_a_map_against_itself() {
        let own = score(&EDGES, &PLUS, &PLUS);
        assert_eq!((own.value, own.detail["edges"].as_u64()), (0.0, Some(4)));
        let all = score(&ALL, &PLUS, &PLUS);
        assert_eq!((all.value, all.detail["pairs"].as_u64()), (0.0, Some(10)));
    }

    #[test]
    fn e2_an_arm_is_cut_off() {
        let blocked = plus_with("#");
        let map: Vec<&str> = blocked.iter().map(String::as_str).collect();
        let found = score(&EDGES, &PLUS, &map);
        assert_eq!((found.value, counts(&found)), (25.0, [1, 1, 0]));
        assert_eq!(score(&ALL, &PLUS, &map).value, 40.0);
        let unseen = plus_with("?");
        let map: Vec<&str> = unseen.iter().map(String::as_str).collect();
        let found = score(&EDGES, &PLUS, &map);
        assert_eq!((found.value, counts(&found)), (25.0, [1, 0, 1]));
        assert_eq!(score(&ALL, &PLUS, &map).detail["by_unknown"], 4);
    }

    #[test]
    fn e3_a_link_more_or_less_is_no_false_negative() {
        let (one, two) = ladders();
        assert_eq!(score(&EDGES, &one, &two).value, 0.0);
        let swapped = score(&EDGES, &two, &one);
        assert_eq!((swapped.value, swapped.detail["edges"].as_u64()), (0.0, Some(4)));
    }

    fn ladders() -> (Vec<&'static str>, Vec<&'static str>) {
        let (closed, corridor) = ("###########", "#.........#");
        let ladder = |rung| [&[closed, corridor][..], &[rung; 5], &[corridor, closed]].concat();
        (ladder("####.######"), ladder("####.####.#"))
    }

    #[test]
    fn e4_a_ring_cut_once_and_twice() {
        let ring = ["#######", "#.....#", "#.###.#", "#.....#", "#######"];
        let once = ["#######", "#..#..#", "#.###.#", "#.....#", "#######"];
        let twice = ["#######", "#..#..#", "#.###.#", "#..#..#", "#######"];
        assert_eq!(score(&EDGES, &ring, &once).value, 0.0);
        assert_eq!(score(&EDGES, &ring, &twice).value, 100.0);
    }

    #[test]
    fn a_map_without_free_cells_has_no_way_at_all() {
        let found = score(&EDGES, &PLUS, &["?????????"; 9]);
        assert_eq!((found.value, counts(&found)), (100.0, [4, 0, 4]));
    }

    #[test]
    fn truths_without_an_edge_are_undefined() {
        for rows in [&["."][..], &["#"], &["?"], &["##", "##"]] {
            assert_eq!(EDGES.evaluate(&path_case(rows, rows)).unwrap_err().reasons, [Reason::NoEdges]);
            assert_eq!(ALL.evaluate(&path_case(rows, rows)).unwrap_err().reasons, [Reason::NoEdges]);
        }
    }

    #[test]
    fn an_edge_over_a_corner_that_nobody_squeezes_through_is_not_counted() {
        let rows = ["..##", "..##", "##..", "##.."];
        let undefined = EDGES.evaluate(&path_case(&rows, &rows)).unwrap_err();
        assert_eq!(undefined.reasons, [Reason::NoEdges], "its only edge crosses the corner");
    }
}
