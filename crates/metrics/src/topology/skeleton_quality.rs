//! Skeleton quality: how well a map's places, reduced to nodes, are those of the truth.
//!
//! ```text
//! F1 = 2·TP / (2·TP + FP + FN)
//! FP = nodes that are not free in the truth, or not connected to the start although the truth has no place there
//! TP = pairs of nodes at most r apart along a path of the truth, FN = places of the truth without partner
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.2; Schwertfeger et al. 2010, section 5 (what is false).
//! Departure: the papers let people rank; the arithmetic is ours, and so is that nodes match along paths of the truth.
//! Accessible nodes without partner are `extra` and neutral, and so are nodes on islands where the truth has places too: a map
//! is never false where it equals the truth. Edges are counted beside the value and are no part of it.
//! Unknown: with `scope = explored` places of the truth that the map does not know are ignored.
//! Known bias: the nodes of a rough outline are many; prune the graph before comparing maps of unequal noise.
//! Sees: thick_walls, mirror; late: noise, shift, rotate, bend, cut, moved_room, missing_wing, closed_door,
//! opened_wall, blur, resolution, scale; saturates: ghost_walls; blind to: unseen. Damage of docs/lab.md, five
//! generated floors.
//! Variants: `scope`, `match_radius_m`; a drawn skeleton instead of the map's graph, and one of the truth (a layer
//! `skeleton` of its annotations) instead of the truth's graph. `reference` states which of the two was used.
//! Undefined: `NO_MATCH` if there is nothing to count; `UNREACHABLE_START`.

use std::collections::BTreeSet;

use model::{CellClass, Point2};
use raster::components::{Connectivity, components_of};
use raster::geodesic_matching::geodesic_matching;
use raster::line_cells::crossed_cells;

use super::place_graph::{PlaceEdge, PlaceGraph};
use crate::paths::ground::Ground;
use crate::paths::path_space::PathSpace;
use crate::prelude::*;

/// Parameters of the skeleton quality.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkeletonQuality {
    /// How far partners may be apart along a path of the truth, metres. Default 1, from the specification.
    pub match_radius_m: f64,
    /// Which places of the truth count. Default `explored`.
    pub scope: Scope,
}

impl Default for SkeletonQuality {
    fn default() -> Self {
        Self { match_radius_m: 1.0, scope: Scope::Explored }
    }
}

/// Which places of the truth count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Those that the map knows.
    #[default]
    Explored,
    /// All.
    All,
}

impl Scope {
    /// The coverage, where what the map does not know costs nothing.
    pub(crate) fn judged_share(self, case: &Case) -> Result<Option<f64>, Undefined> {
        match self {
            Self::Explored => case.coverage(),
            Self::All => Ok(None),
        }
    }
}

/// A path in the team's skeleton may be this many times as long as the edge it stands for.
const MAX_LENGTH_RATIO: f64 = 1.2;

impl Metric for SkeletonQuality {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Topology, "skeleton_quality", "A-SKEL", "Skeleton quality")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let reference = space.reference_skeleton()?;
        let team = space.team_skeleton()?;
        let matched = self.matched(space, &reference, &team)?;
        let (tp, fp, missed) = (matched.pairs.len(), matched.false_nodes.len(), matched.missed);
        if tp + fp + missed == 0 {
            return Err(Reason::NoMatch.into());
        }
        let edges = judge_edges(space, &reference, &team, &matched);
        Ok(Score::new(f1(tp, fp, missed))
            .with("reference", space.reference_name())
            .with("true_nodes", tp)
            .with("false_nodes", fp)
            .with("missed_nodes", missed)
            .with("extra_nodes", matched.extra)
            .with("edges_found", edges.found)
            .with("edges_missed", edges.missed)
            .with("edges_false", edges.through_walls)
            .with("f1_edges", edges.f1())
            .of_seen(self.scope.judged_share(case)?))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        self.node_samples(case).into_iter().collect()
    }
}

fn f1(true_positives: usize, false_positives: usize, false_negatives: usize) -> f64 {
    let twice = 2.0 * true_positives as f64;
    twice / (twice + false_positives as f64 + false_negatives as f64)
}

/// Nodes of the truth and of the team that belong together.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchedPlaces {
    /// Node of the truth, node of the team.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Whether a node of the truth counts.
    pub(crate) in_scope: Vec<bool>,
    /// Nodes of the team that are none of the truth's.
    pub(crate) false_nodes: Vec<usize>,
    pub(crate) missed: usize,
    pub(crate) extra: usize,
}

impl SkeletonQuality {
    /// F1 of nodes by block of cells: true and missed nodes where the truth has them, false ones where the map does.
    fn node_samples(&self, case: &Case) -> Result<Samples, Undefined> {
        let (space, blocks) = (case.paths()?, case.blocks()?);
        let (reference, team) = (space.reference_skeleton()?, space.team_skeleton()?);
        let matched = self.matched(space, &reference, &team)?;
        let mut is_found = vec![false; reference.nodes.len()];
        matched.pairs.iter().for_each(|&(ours, _)| is_found[ours] = true);
        let counted = (0..reference.nodes.len()).filter(|&node| matched.in_scope[node]);
        let ours = counted.map(|node| match is_found[node] {
            true => (reference.nodes[node], 2.0, 2.0),
            false => (reference.nodes[node], 0.0, 1.0),
        });
        let theirs = matched.false_nodes.iter().map(|&node| (team.nodes[node], 0.0, 1.0));
        Ok(blocks.ratio(ours.chain(theirs).map(|(place, of, by)| (blocks.nearest(place), of, by))))
    }

    pub(crate) fn matched(
        &self,
        space: &PathSpace,
        reference: &PlaceGraph,
        team: &PlaceGraph,
    ) -> Result<MatchedPlaces, Undefined> {
        let ground = &space.truth;
        let (width, height) = ground.size();
        let free: Vec<u8> = ground.classes().iter().map(|&c| u8::from(c == CellClass::Free as u8)).collect();
        let parts = components_of(&free, 1, width, height, Connectivity::Four);
        let start = parts.component_at(space.start()?.on_truth);
        let accessible = |place: &Point2| {
            let cell = ground.cell_at(*place)?;
            (parts.component_at(cell) == start).then_some(cell)
        };
        let team_cells: Vec<Option<usize>> = team.nodes[..team.places].iter().map(accessible).collect();
        let part_of = |place: &Point2| parts.component_at(ground.cell_at(*place)?);
        let with_places: BTreeSet<_> = reference.nodes.iter().filter_map(part_of).collect();
        let is_false = |&node: &usize| {
            let on_island = || part_of(&team.nodes[node]).is_some_and(|part| with_places.contains(&part));
            team_cells[node].is_none() && !on_island()
        };
        let counts = |place: &Point2| {
            let explored = |cell: usize| self.scope == Scope::All || !space.map.is(cell, CellClass::Unknown);
            accessible(place).filter(|&cell| explored(cell))
        };
        let reference_cells: Vec<Option<usize>> = reference.nodes.iter().map(counts).collect();
        let listed = |cells: &[Option<usize>]| -> Vec<(usize, usize)> {
            cells.iter().enumerate().filter_map(|(node, cell)| Some((node, (*cell)?))).collect()
        };
        let (ours, theirs) = (listed(&reference_cells), listed(&team_cells));
        let cells = |list: &[(usize, usize)]| list.iter().map(|(_, cell)| *cell).collect::<Vec<_>>();
        let limit = self.match_radius_m / ground.cell_size_m();
        let matching = geodesic_matching(&free, width, height, &cells(&ours), &cells(&theirs), limit);
        let pairs: Vec<(usize, usize)> =
            matching.pairs.iter().map(|&(left, right, _)| (ours[left].0, theirs[right].0)).collect();
        Ok(MatchedPlaces {
            in_scope: reference_cells.iter().map(Option::is_some).collect(),
            false_nodes: (0..team_cells.len()).filter(is_false).collect(),
            missed: ours.len() - pairs.len(),
            extra: theirs.len() - pairs.len(),
            pairs,
        })
    }
}

/// How the edges of the truth fare in the team's skeleton.
struct EdgeCounts {
    found: usize,
    missed: usize,
    through_walls: usize,
}

impl EdgeCounts {
    fn f1(&self) -> Option<f64> {
        let any = self.found + self.missed + self.through_walls > 0;
        any.then(|| f1(self.found, self.through_walls, self.missed))
    }
}

fn judge_edges(
    space: &PathSpace,
    reference: &PlaceGraph,
    team: &PlaceGraph,
    matched: &MatchedPlaces,
) -> EdgeCounts {
    let mut partner = vec![None; reference.nodes.len()];
    matched.pairs.iter().for_each(|&(ours, theirs)| partner[ours] = Some(theirs));
    let edges_of = team.edges_of_nodes();
    let is_found = |edge: &PlaceEdge| {
        let (Some(a), Some(b)) = (partner[edge.a], partner[edge.b]) else { return false };
        team.has_way_within(&edges_of, a, b, MAX_LENGTH_RATIO * edge.length_m * (1.0 + 1e-9))
    };
    let counted = reference.edges.iter().filter(|e| matched.in_scope[e.a] && matched.in_scope[e.b]);
    let verdicts: Vec<bool> = counted.map(is_found).collect();
    let found = verdicts.iter().filter(|found| **found).count();
    let through_walls = team
        .edges
        .iter()
        .filter(|edge| length_in(&space.truth, &edge.line, CellClass::Occupied) > 0.0)
        .count();
    EdgeCounts { found, missed: verdicts.len() - found, through_walls }
}

/// Metres of a line that lie in cells of a class of the map.
#[must_use]
pub fn length_in(ground: &Ground, line: &[Point2], class: CellClass) -> f64 {
    let mut inside = 0.0;
    for pair in line.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|point| ground.grid_point(point));
        crossed_cells(from, to, |cell, length| {
            if ground.index_of(cell).is_some_and(|cell| ground.is(cell, class)) {
                inside += length;
            }
        });
    }
    inside * ground.cell_size_m()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use testkit::PLUS;

    use super::*;
    use crate::drawing::{nearly, path_case_with};
    use crate::paths::path_inputs::PathInputs;
    use crate::plane_distance::distance_m;

    /// (row, column) of a drawing with so many rows.
    fn place(rows: usize, (row, column): (usize, usize)) -> Point2 {
        Point2::new(column as f64 + 0.5, rows as f64 - 0.5 - row as f64)
    }

    fn score(
        truth: &[&str],
        map: &[&str],
        start: (usize, usize),
        team: &[(usize, usize)],
        radius: f64,
    ) -> Score {
        let rows = truth.len();
        let nodes: Vec<Point2> = team.iter().map(|&at| place(rows, at)).collect();
        let at = place(rows, start);
        let inputs = PathInputs {
            robot_radius_m: 0.0,
            start: Some([at.x_m, at.y_m]),
            skeleton: Some(PlaceGraph { places: nodes.len(), nodes, edges: Vec::new() }),
            ..Default::default()
        };
        let metric = SkeletonQuality { match_radius_m: radius, ..Default::default() };
        metric.evaluate(&path_case_with(truth, map, &inputs)).unwrap()
    }

    #[test]
    fn e1_identical_nodes() {
        let nodes = [(1, 4), (4, 1), (4, 4), (4, 7), (7, 4)];
        let found = score(&PLUS, &PLUS, (4, 4), &nodes, 1.0);
        assert_eq!((found.value, found.detail["true_nodes"].as_u64()), (1.0, Some(5)));
    }

    #[test]
    fn e2_one_node_in_a_wall_and_two_places_missed() {
        let nodes = [(1, 4), (4, 2), (4, 4), (2, 2)];
        let found = score(&PLUS, &PLUS, (4, 4), &nodes, 1.0);
        let counts =
            ["true_nodes", "false_nodes", "missed_nodes"].map(|key| found.detail[key].as_u64().unwrap());
        assert_eq!(counts, [3, 1, 2]);
        nearly(found.value, 0.666_667, 1e-6);
        let mut seen: Vec<String> = vec!["?".repeat(9); 9];
        for row in &mut seen[1..5] {
            row.replace_range(4..5, ".");
        }
        seen[4] = "#....????".to_owned();
        let map: Vec<&str> = seen.iter().map(String::as_str).collect();
        let explored = score(&PLUS, &map, (4, 4), &nodes, 1.0);
        assert_eq!(explored.detail["missed_nodes"], 0);
        nearly(explored.value, 0.857_143, 1e-6);
    }

    #[test]
    fn e3_a_wall_between_keeps_places_apart() {
        let rows = ["#######", "#..#..#", "#..#..#", "#.....#", "#######"];
        let at = |row, column| place(rows.len(), (row, column));
        assert_eq!(distance_m(at(1, 2), at(1, 4)), 2.0);
        let ground = Ground::new(
            &Arc::new(testkit::grid(rows)),
            &PathInputs { robot_radius_m: 0.0, ..Default::default() },
        );
        let free: Vec<u8> = ground.classes().iter().map(|&class| u8::from(class == 0)).collect();
        let matching = geodesic_matching(&free, 7, 5, &[9], &[11], 2.5);
        assert!(matching.pairs.is_empty());
    }

    #[test]
    fn e3_a_drawn_skeleton_of_the_truth_is_what_the_map_is_judged_by() {
        let rows = ["#######", "#..#..#", "#..#..#", "#.....#", "#######"];
        let drawn = |at| {
            let nodes = vec![place(rows.len(), at)];
            Some(PlaceGraph { places: 1, nodes, edges: Vec::new() })
        };
        let judged = |reference, radius| {
            let inputs = PathInputs {
                robot_radius_m: 0.0,
                skeleton: drawn((1, 4)),
                truth_skeleton: drawn(reference),
                ..Default::default()
            };
            let metric = SkeletonQuality { match_radius_m: radius, ..Default::default() };
            let score = metric.evaluate(&path_case_with(&rows, &rows, &inputs)).unwrap();
            let counts = ["true_nodes", "false_nodes", "missed_nodes", "extra_nodes"];
            (score.value, counts.map(|key| score.detail[key].as_u64().unwrap()))
        };
        assert_eq!(judged((1, 2), 2.5), (0.0, [0, 0, 1, 1]));
        assert_eq!(judged((1, 2), 6.0), (1.0, [1, 0, 0, 0]), "the path around the wall is 6 m long");
        assert_eq!(judged((1, 5), 2.5), (1.0, [1, 0, 0, 0]));
    }

    #[test]
    fn islands_that_the_truth_has_are_not_false() {
        let rows = ["#########", "#...#...#", "#...#...#", "#...#...#", "#########"];
        let inputs = PathInputs { robot_radius_m: 0.0, start: Some([2.5, 2.5]), ..Default::default() };
        let own = SkeletonQuality::default().evaluate(&path_case_with(&rows, &rows, &inputs)).unwrap();
        assert_eq!((own.value, own.detail["false_nodes"].as_u64()), (1.0, Some(0)));
        let solid = ["#########", "#...#####", "#...#####", "#...#####", "#########"];
        let open = SkeletonQuality::default().evaluate(&path_case_with(&solid, &rows, &inputs)).unwrap();
        assert!(open.detail["false_nodes"].as_u64() > Some(0), "a room where the truth is solid");
    }

    #[test]
    fn e7_share_of_a_path_in_free_space() {
        let ground = Ground::new(
            &Arc::new(testkit::grid(PLUS)),
            &PathInputs { robot_radius_m: 0.0, ..Default::default() },
        );
        let line = |cells: &[(usize, usize)]| cells.iter().map(|&at| place(9, at)).collect::<Vec<_>>();
        nearly(length_in(&ground, &line(&[(4, 1), (4, 7)]), CellClass::Free), 6.0, 1e-12);
        nearly(length_in(&ground, &line(&[(4, 4), (1, 4), (1, 6)]), CellClass::Free), 3.5, 1e-12);
    }

    #[test]
    fn the_own_graph_is_found_whole_with_its_edges() {
        let inputs = PathInputs { robot_radius_m: 0.0, ..Default::default() };
        let score = SkeletonQuality::default().evaluate(&path_case_with(&PLUS, &PLUS, &inputs)).unwrap();
        assert_eq!((score.value, score.detail["f1_edges"].as_f64()), (1.0, Some(1.0)));
        assert_eq!(score.detail["edges_found"], 4);
    }
}
