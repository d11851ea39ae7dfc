//! Topology match: which junctions and connections of the truth the map has, and what would repair it.
//!
//! ```text
//! F1 = 2·TP / (2·TP + FP + FN)  over connections between matched places
//! TP = in both, FN = missing on the map, FP = only on the map
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 6 (topological accuracy, planned); the arithmetic is ours.
//! Departure: not from a paper. Places are matched one to one along paths of the truth, as in skeleton_quality; a
//! connection leads from one matched place to another over places that have no partner, so that a junction more
//! in between breaks nothing.
//! Unknown: cannot be driven; with `scope = explored` places that the map does not know are left out.
//! Known bias: small rooms with noisy outlines have junctions that come and go; prune and despeckle first.
//! Sees: bend, thick_walls, ghost_walls, closed_door, opened_wall, mirror; late: shift, rotate, cut, moved_room,
//! missing_wing, blur, resolution, scale; saturates: noise; blind to: unseen. Damage of docs/lab.md, five generated
//! floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.83);
//! `tolerance_f1_area` does.
//! Variants: `scope`, `match_radius_m`.
//! Undefined: `NO_MATCH` without two matched places or any connection; `UNREACHABLE_START`.

use std::collections::{BTreeMap, BTreeSet};

use super::headings::{cyclic_order_differs, heading_deg, side_of};
use super::place_graph::PlaceGraph;
use super::skeleton_quality::{MatchedPlaces, Scope, SkeletonQuality};
use crate::prelude::*;

/// Parameters of the topology match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopologyMatch {
    /// How far partners may be apart along a path of the truth, metres. Default 1, as in skeleton_quality.
    pub match_radius_m: f64,
    /// Which places of the truth count. Default `explored`.
    pub scope: Scope,
}

impl Default for TopologyMatch {
    fn default() -> Self {
        Self { match_radius_m: 1.0, scope: Scope::Explored }
    }
}

impl Metric for TopologyMatch {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Topology, "topology_match", "P-TOPO", "Topology match")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let (truth, map) = (PlaceGraph::of_ground(&space.truth)?, PlaceGraph::of_ground(&space.map)?);
        let rules = SkeletonQuality { match_radius_m: self.match_radius_m, scope: self.scope };
        let matched = rules.matched(space, &truth, &map)?;
        let both = BothGraphs::new(&truth, &map, &matched);
        let in_both: usize = both.pairs().map(|pair| both.on_truth(pair).min(both.on_map(pair))).sum();
        let missing: usize =
            both.pairs().map(|pair| both.on_truth(pair).saturating_sub(both.on_map(pair))).sum();
        let extra: usize =
            both.pairs().map(|pair| both.on_map(pair).saturating_sub(both.on_truth(pair))).sum();
        if in_both + missing + extra == 0 {
            return Err(Reason::NoMatch.into());
        }
        let wrong_order = both.wrong_order();
        let twice = 2.0 * in_both as f64;
        Ok(Score::new(twice / (twice + missing as f64 + extra as f64))
            .with("matched_places", matched.pairs.len())
            .with("missing_places", matched.missed)
            .with("extra_places", matched.extra)
            .with("connections", in_both)
            .with("missing_connections", missing)
            .with("extra_connections", extra)
            .with("wrong_order", wrong_order.len())
            .with("edit_script", both.edit_script(&wrong_order))
            .of_seen(self.scope.judged_share(case)?))
    }
}

/// Two matched places by their number in the list of pairs, the smaller first.
type Connected = (usize, usize);

/// The connections of both graphs between matched places.
struct BothGraphs<'a> {
    truth: &'a PlaceGraph,
    matched: &'a MatchedPlaces,
    truth_links: Vec<Vec<Link>>,
    map_links: Vec<Vec<Link>>,
    truth_count: BTreeMap<Connected, usize>,
    map_count: BTreeMap<Connected, usize>,
}

/// A connection as it leaves a matched place.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: usize,
    heading_deg: f64,
    length_m: f64,
}

/// How far from a place the heading of a connection is taken.
const HEADING_REACH_M: f64 = 1.0;

impl<'a> BothGraphs<'a> {
    fn new(truth: &'a PlaceGraph, map: &'a PlaceGraph, matched: &'a MatchedPlaces) -> Self {
        let truth_nodes: Vec<usize> = matched.pairs.iter().map(|pair| pair.0).collect();
        let map_nodes: Vec<usize> = matched.pairs.iter().map(|pair| pair.1).collect();
        let (truth_links, map_links) = (links(truth, &truth_nodes), links(map, &map_nodes));
        let (truth_count, map_count) = (counted(&truth_links), counted(&map_links));
        Self { truth, matched, truth_links, map_links, truth_count, map_count }
    }

    fn pairs(&self) -> impl Iterator<Item = Connected> {
        let all: BTreeSet<Connected> =
            self.truth_count.keys().chain(self.map_count.keys()).copied().collect();
        all.into_iter()
    }

    fn on_truth(&self, pair: Connected) -> usize {
        self.truth_count.get(&pair).copied().unwrap_or(0)
    }

    fn on_map(&self, pair: Connected) -> usize {
        self.map_count.get(&pair).copied().unwrap_or(0)
    }

    /// Matched places around which the common connections come in another order on the map.
    fn wrong_order(&self) -> Vec<usize> {
        let around = |links: &[Link], other: &[Link]| -> Vec<usize> {
            let mut sorted: Vec<&Link> =
                links.iter().filter(|link| other.iter().any(|o| o.to == link.to)).collect();
            sorted.sort_by(|a, b| a.heading_deg.total_cmp(&b.heading_deg));
            sorted.iter().map(|link| link.to).collect()
        };
        let differs = |&place: &usize| {
            let (ours, theirs) = (&self.truth_links[place], &self.map_links[place]);
            cyclic_order_differs(&around(ours, theirs), &around(theirs, ours))
        };
        (0..self.matched.pairs.len()).filter(differs).collect()
    }

    /// What would make the map's graph that of the truth, one sentence each.
    fn edit_script(&self, wrong_order: &[usize]) -> Vec<String> {
        let mut script = Vec::new();
        let matched: BTreeSet<usize> = self.matched.pairs.iter().map(|pair| pair.0).collect();
        for (node, place) in self.truth.nodes.iter().enumerate() {
            if self.matched.in_scope[node] && !matched.contains(&node) {
                script.push(format!("add the place at ({:.2}, {:.2}) m", place.x_m, place.y_m));
            }
        }
        for pair in self.pairs() {
            let (on_truth, on_map) = (self.on_truth(pair), self.on_map(pair));
            for _ in on_map..on_truth {
                script.push(self.sentence("add", "is missing", &self.truth_links, &self.map_links, pair));
            }
            for _ in on_truth..on_map {
                script.push(self.sentence(
                    "remove",
                    "does not exist",
                    &self.map_links,
                    &self.truth_links,
                    pair,
                ));
            }
        }
        for &place in wrong_order {
            let at = self.truth.nodes[self.matched.pairs[place].0];
            script.push(format!(
                "reorder the paths at ({:.2}, {:.2}) m: they leave it in another order",
                at.x_m, at.y_m
            ));
        }
        script
    }

    /// Says where a connection is, as somebody sees it who comes along one that both have.
    fn sentence(
        &self,
        verb: &str,
        verdict: &str,
        having: &[Vec<Link>],
        lacking: &[Vec<Link>],
        (a, b): Connected,
    ) -> String {
        let place = |number: usize| self.truth.nodes[self.matched.pairs[number].0];
        let (from, to) = (place(a), place(b));
        let link = having[a].iter().find(|link| link.to == b);
        let length_m = link.map_or(0.0, |link| link.length_m);
        let common = having[a].iter().find(|l| l.to != b && lacking[a].iter().any(|other| other.to == l.to));
        let seen = match (link, common) {
            (Some(link), Some(common)) => {
                let came = place(common.to);
                let side = side_of(common.heading_deg + 180.0, link.heading_deg);
                let before = having[a]
                    .iter()
                    .filter(|l| {
                        l.to != common.to && side_of(common.heading_deg + 180.0, l.heading_deg) == side
                    })
                    .filter(|l| is_before(common.heading_deg, l.heading_deg, link.heading_deg))
                    .count();
                format!(
                    "; coming from ({:.2}, {:.2}) m the {} path {side} {verdict}",
                    came.x_m,
                    came.y_m,
                    ordinal(before)
                )
            }
            _ => String::new(),
        };
        format!(
            "{verb} the connection from ({:.2}, {:.2}) m to ({:.2}, {:.2}) m, {length_m:.1} m long{seen}",
            from.x_m, from.y_m, to.x_m, to.y_m
        )
    }
}

/// Whether a path is met before another one on the same side: it points further back.
fn is_before(came_by_deg: f64, one_deg: f64, other_deg: f64) -> bool {
    let back = |heading: f64| {
        (heading - came_by_deg).rem_euclid(360.0).min((came_by_deg - heading).rem_euclid(360.0))
    };
    back(one_deg) < back(other_deg)
}

const fn ordinal(before: usize) -> &'static str {
    match before {
        0 => "first",
        1 => "second",
        2 => "third",
        _ => "next",
    }
}

/// For each matched place the connections to other matched places, over places without partner.
fn links(graph: &PlaceGraph, nodes: &[usize]) -> Vec<Vec<Link>> {
    let mut number = vec![None; graph.nodes.len()];
    nodes.iter().enumerate().for_each(|(index, &node)| number[node] = Some(index));
    let edges_of = graph.edges_of_nodes();
    let leave = |&start: &usize| {
        let mut found = Vec::new();
        for &first in &edges_of[start] {
            let heading =
                heading_deg(graph.nodes[start], graph.edges[first].point_from(start, HEADING_REACH_M));
            let mut seen = BTreeSet::from([start]);
            let mut open = vec![(graph.edges[first].other(start), graph.edges[first].length_m)];
            while let Some((node, length_m)) = open.pop() {
                if !seen.insert(node) {
                    continue;
                }
                if let Some(to) = number[node] {
                    found.push(Link { to, heading_deg: heading, length_m });
                    continue;
                }
                for &edge in &edges_of[node] {
                    open.push((graph.edges[edge].other(node), length_m + graph.edges[edge].length_m));
                }
            }
        }
        found
    };
    nodes.iter().map(leave).collect()
}

/// Connections by the places they join; each is met from both of its ends.
fn counted(links: &[Vec<Link>]) -> BTreeMap<Connected, usize> {
    let mut count = BTreeMap::new();
    for (from, list) in links.iter().enumerate() {
        for link in list.iter().filter(|link| from < link.to) {
            *count.entry((from, link.to)).or_default() += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::path_case_with;
    use crate::paths::path_inputs::PathInputs;

    fn score(truth: &[&str], map: &[&str]) -> Score {
        let inputs = PathInputs { robot_radius_m: 0.0, ..Default::default() };
        TopologyMatch::default().evaluate(&path_case_with(truth, map, &inputs)).unwrap()
    }

    const LADDER: [&str; 9] = [
        "#############",
        "#...........#",
        "###.#####.###",
        "###.#####.###",
        "###.#####.###",
        "###.#####.###",
        "###.#####.###",
        "#...........#",
        "#############",
    ];

    #[test]
    fn a_map_has_its_own_topology() {
        let own = score(&LADDER, &LADDER);
        assert_eq!(own.value, 1.0);
        assert_eq!(own.detail["edit_script"].as_array().unwrap().len(), 0);
        assert_eq!(own.detail["wrong_order"], 0);
    }

    #[test]
    fn a_closed_path_is_named_in_the_script() {
        let mut map = LADDER;
        map[4] = "###.#########";
        let found = score(&LADDER, &map);
        assert!(found.value < 1.0);
        assert_eq!(found.detail["missing_connections"], 1);
        let script = found.detail["edit_script"].as_array().unwrap();
        let sentence = script
            .iter()
            .map(|line| line.as_str().unwrap())
            .find(|line| line.starts_with("add the connection"));
        assert!(sentence.unwrap().contains("(9.50, "), "{script:?}");
    }

    #[test]
    fn a_path_too_many_is_to_be_removed() {
        let mut truth = LADDER;
        truth[4] = "###.#########";
        let found = score(&truth, &LADDER);
        assert_eq!(found.detail["extra_connections"], 1);
    }

    #[test]
    fn disjoint_maps_have_no_match() {
        let case = path_case_with(
            &LADDER,
            &["?????????????"; 9],
            &PathInputs { robot_radius_m: 0.0, ..Default::default() },
        );
        assert_eq!(TopologyMatch::default().evaluate(&case).unwrap_err().reasons, [Reason::NoMatch]);
    }
}
