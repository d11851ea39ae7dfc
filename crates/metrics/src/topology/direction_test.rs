//! Direction test: would spoken directions from the map lead to the same places?
//!
//! ```text
//! score = 1 - edit_distance(a, b) / max(|a|, |b|),   a, b = turns at the junctions on the route, truth and map
//! S: |d| <= 45    L: 45 < d <= 135    R: -135 <= d < -45    B: else        (d = change of heading, left positive)
//! ```
//!
//! Unit: 1. Range: 0 to 1, the mean over the targets. Better: higher.
//! Paper: Balaguer et al. 2009, section 4.2 (right turn, then the second door, which was really the third).
//! Departure: the paper gives the example only; symbols, edit distance and score are ours. A route that the map lacks
//! scores 0, and a target whose nearest node is that of the start has none. A heading is taken 1 m before and behind
//! a junction, because lines of a skeleton bend where they meet.
//! Unknown: cannot be driven, so that routes through it are missing on the map.
//! Known bias: small branches are junctions too; a map with more of them than the truth scores lower.
//! Sees: ghost_walls, mirror; late: shift, rotate, bend, cut, moved_room, missing_wing, closed_door, opened_wall, blur,
//! resolution, scale; saturates: noise, thick_walls; blind to: unseen. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.80);
//! `tolerance_f1_area` does.
//! Variants: a drawn skeleton instead of the map's graph; one of the truth with edges instead of the truth's graph.
//! Undefined: `UNREACHABLE_START`; `NO_TARGETS` if no target has a route on the truth.

use model::Point2;

use super::place_graph::PlaceGraph;
use crate::paths::path_space::Target;
use crate::prelude::*;

/// Parameters of the direction test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DirectionTest {
    /// How far before and behind a junction the heading is taken, metres. Default 1, ours.
    pub heading_reach_m: f64,
}

impl Default for DirectionTest {
    fn default() -> Self {
        Self { heading_reach_m: 1.0 }
    }
}

/// One route in words.
#[derive(Serialize)]
struct Spoken {
    x_m: f64,
    y_m: f64,
    truth: String,
    map: Option<String>,
    score: f64,
}

impl Metric for DirectionTest {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Topology, "direction_test", "A-ROUTE", "Direction test")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let mut spoken: Vec<Spoken> = self.spoken(case)?.into_iter().flatten().collect();
        if spoken.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let mean = spoken.iter().map(|route| route.score).sum::<f64>() / spoken.len() as f64;
        spoken.sort_by(|a, b| a.score.total_cmp(&b.score));
        Ok(Score::new(mean).with("routes", spoken.len()).with_table("spoken", spoken))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok(spoken) = self.spoken(case) else { return Vec::new() };
        let part = |route: &Option<Spoken>| route.as_ref().map_or((0.0, 0.0), |route| (route.score, 1.0));
        let unit = SampleUnit::new("targets", spoken.len());
        vec![Samples::own(unit, Make::ratio(spoken.iter().map(part)))]
    }
}

impl DirectionTest {
    /// The directions to each target, in their order; none where the truth has no route.
    fn spoken(&self, case: &Case) -> Result<Vec<Option<Spoken>>, Undefined> {
        let space = case.paths()?;
        let start = space.start()?;
        let reference = space.reference_routes()?;
        let team = space.team_skeleton()?;
        let (on_truth, on_map) = (self.routes(&reference, start.place), self.routes(&team, start.place));
        let spoken = |target: Target| {
            let truth = on_truth.to(target.place)?;
            let map = on_map.to(target.place);
            let score = map.as_deref().map_or(0.0, |map| similarity(&truth, map));
            Some(Spoken { x_m: target.place.x_m, y_m: target.place.y_m, truth, map, score })
        };
        Ok(space.targets()?.into_iter().map(spoken).collect())
    }

    fn routes<'a>(&self, graph: &'a PlaceGraph, start: Point2) -> Routes<'a> {
        let home = graph.nearest(start);
        let (length_m, reached_by) = home.map_or_else(Default::default, |node| graph.lengths_from(node));
        Routes { graph, home, length_m, reached_by, degrees: degrees(graph), reach_m: self.heading_reach_m }
    }
}

fn degrees(graph: &PlaceGraph) -> Vec<usize> {
    graph.edges_of_nodes().iter().map(Vec::len).collect()
}

/// Shortest routes from one place of a graph.
struct Routes<'a> {
    graph: &'a PlaceGraph,
    home: Option<usize>,
    length_m: Vec<f64>,
    reached_by: Vec<Option<usize>>,
    degrees: Vec<usize>,
    reach_m: f64,
}

impl Routes<'_> {
    /// The turns on the route to the node nearest to a place; none if there is no route.
    fn to(&self, place: Point2) -> Option<String> {
        let target = self.graph.nearest(place)?;
        if self.length_m[target].is_infinite() || Some(target) == self.home {
            return None;
        }
        let mut turns = Vec::new();
        let (mut node, mut after) = (target, None);
        while let Some(edge) = self.reached_by[node] {
            if let Some(after) = after.filter(|_| self.degrees[node] >= 3) {
                let [before, behind] =
                    [edge, after].map(|edge: usize| self.graph.edges[edge].point_from(node, self.reach_m));
                turns.push(turn(before, self.graph.nodes[node], behind));
            }
            after = Some(edge);
            node = self.graph.edges[edge].other(node);
        }
        Some(turns.iter().rev().collect())
    }
}

/// The symbol of a change of heading.
fn turn(before: Point2, here: Point2, behind: Point2) -> char {
    let heading = |from: Point2, to: Point2| (to.y_m - from.y_m).atan2(to.x_m - from.x_m);
    let change = model::wrap(heading(here, behind) - heading(before, here)).to_degrees();
    // Headings of equal cells must not fall on either side of a limit by rounding.
    let change = (change * 1e6).round() / 1e6;
    match change {
        c if c.abs() <= 45.0 => 'S',
        c if c > 45.0 && c <= 135.0 => 'L',
        c if (-135.0..-45.0).contains(&c) => 'R',
        _ => 'B',
    }
}

/// 1 - edit distance / length of the longer.
fn similarity(a: &str, b: &str) -> f64 {
    let longer = a.len().max(b.len());
    if longer == 0 { 1.0 } else { 1.0 - edit_distance(a.as_bytes(), b.as_bytes()) as f64 / longer as f64 }
}

/// Insertions, deletions and replacements that make one of the other.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{nearly, path_case_with};
    use crate::paths::path_inputs::PathInputs;

    #[test]
    fn e8_a_walk_in_words() {
        let walk =
            [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (4.0, 2.0), (4.0, 0.0)].map(|(x, y)| Point2::new(x, y));
        let turns: String = walk.windows(3).map(|w| turn(w[0], w[1], w[2])).collect();
        assert_eq!(turns, "LRR");
        let at = |x: f64, y: f64| turn(Point2::new(-1.0, 0.0), Point2::new(0.0, 0.0), Point2::new(x, y));
        assert_eq!([at(1.0, 1.0), at(-1.0, 1.0), at(-1.0, -1.0), at(-1.0, 0.0)], ['S', 'L', 'R', 'B']);
    }

    #[test]
    fn e9_one_junction_more() {
        nearly(similarity("SLSR", "SLSSR"), 0.8, 1e-12);
        assert_eq!([similarity("", ""), similarity("L", ""), similarity("LR", "RL")], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn the_second_door_on_the_left_that_the_map_does_not_have() {
        // A corridor with three doors on its upper side; the map misses the first of them.
        let (closed, corridor) = ("#################", "#...............#");
        let (three, two) = ("####.###.###.####", "########.###.####");
        let truth = [closed, three, three, corridor, closed];
        let map = [closed, two, two, corridor, closed];
        let inputs = PathInputs {
            robot_radius_m: 0.0,
            start: Some([1.5, 1.5]),
            targets: vec![[12.5, 3.5]],
            ..Default::default()
        };
        let metric = DirectionTest { heading_reach_m: 1.0 };
        let own = metric.evaluate(&path_case_with(&truth, &truth, &inputs)).unwrap();
        assert_eq!(own.value, 1.0);
        let score = metric.evaluate(&path_case_with(&truth, &map, &inputs)).unwrap();
        let spoken = &score.detail["spoken"][0];
        assert_eq!((spoken["truth"].as_str(), spoken["map"].as_str()), (Some("SSL"), Some("SL")));
        nearly(score.value, 2.0 / 3.0, 1e-12);
    }

    #[test]
    fn a_route_that_the_map_does_not_have_scores_zero() {
        let inputs = PathInputs { robot_radius_m: 0.0, start: Some([0.5, 0.5]), ..Default::default() };
        let score =
            DirectionTest::default().evaluate(&path_case_with(&["......"], &["..#..."], &inputs)).unwrap();
        assert!(score.value < 1.0, "{score:?}");
    }
}
