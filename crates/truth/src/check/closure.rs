//! Loops of the graph of timestamps: relations composed around a loop should lead back to where it began.
//!
//! A tree of shortest paths from the first timestamp of each part gives every timestamp a pose; each relation outside the tree
//! closes one loop, and what is left is the difference between the relation and those poses. One pass, whatever the
//! number of loops.

use std::collections::{HashMap, VecDeque};

use model::{Pose3, Relation, Rigid};
use schemars::JsonSchema;
use serde::Serialize;

/// A loop and what is left after going round it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LoopClosure {
    /// What is left of the translation, in metres.
    pub translation_m: f64,
    /// What is left of the rotation, in radians.
    pub rotation_rad: f64,
    /// Number of relations of the loop.
    pub edges: usize,
    /// Translation that is left per relation, in metres: independent errors add up with the root of their number.
    pub per_relation_m: f64,
    /// The relations of the loop by their place in the file, counted from 1; the first one closes it. Long loops are
    /// cut after 20.
    pub relations: Vec<usize>,
}

/// Relations of a loop that are listed.
const MAX_LISTED: usize = 20;

/// What the graph says.
pub(super) struct Graph {
    pub(super) timestamps: usize,
    pub(super) parts: usize,
    pub(super) loops: usize,
    pub(super) rms_m: Option<f64>,
    pub(super) worst: Vec<LoopClosure>,
}

/// How a timestamp hangs on the tree.
#[derive(Clone, Copy)]
struct Place {
    root_from_here: Pose3,
    /// The timestamp before it and the relation that leads there; none for a root.
    parent: Option<(usize, usize)>,
    /// An ancestor far up, so that common ancestors are found in few steps (Myers 1983).
    jump: usize,
    depth: usize,
}

/// What is left after a loop.
struct Rest {
    translation_m: f64,
    rotation_rad: f64,
    edges: usize,
    closing: usize,
}

impl Rest {
    fn per_relation_m(&self) -> f64 {
        self.translation_m / (self.edges as f64).sqrt()
    }
}

/// Closes every loop.
pub(super) fn close(relations: &[Relation], worst: usize) -> Graph {
    let (timestamps, ends) = numbered_timestamps(relations);
    let (places, parts) = tree(relations, &ends, timestamps);
    let is_in_tree = |index: usize, (from, to): (usize, usize)| {
        [from, to].iter().any(|&end| places[end].parent.is_some_and(|(_, relation)| relation == index))
    };
    let mut left: Vec<Rest> = Vec::new();
    for (index, (relation, &pair)) in relations.iter().zip(&ends).enumerate() {
        if is_in_tree(index, pair) {
            continue;
        }
        let around = places[pair.1].root_from_here.seen_from(places[pair.0].root_from_here);
        let rest = around.seen_from(relation.pose());
        left.push(Rest {
            translation_m: rest.distance_m(),
            rotation_rad: rest.angle_rad(),
            edges: tree_distance(&places, pair) + 1,
            closing: index,
        });
    }
    let mean_square = left.iter().map(|rest| rest.translation_m.powi(2)).sum::<f64>() / left.len() as f64;
    let (loops, rms_m) = (left.len(), (!left.is_empty()).then(|| mean_square.sqrt()));
    left.sort_by(|a, b| b.per_relation_m().total_cmp(&a.per_relation_m()).then(a.closing.cmp(&b.closing)));
    left.truncate(worst);
    let listed = |rest: &Rest| LoopClosure {
        translation_m: rest.translation_m,
        rotation_rad: rest.rotation_rad,
        edges: rest.edges,
        per_relation_m: rest.per_relation_m(),
        relations: loop_relations(&places, rest.closing, ends[rest.closing]),
    };
    Graph { timestamps, parts, loops, rms_m, worst: left.iter().map(listed).collect() }
}

/// The number of different timestamps, and the two of each relation, numbered in order of time.
fn numbered_timestamps(relations: &[Relation]) -> (usize, Vec<(usize, usize)>) {
    let mut times: Vec<f64> =
        relations.iter().flat_map(|relation| [relation.from_s, relation.to_s]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| a == b);
    let number = |time_s: f64| times.partition_point(|&time| time < time_s);
    let ends = relations.iter().map(|relation| (number(relation.from_s), number(relation.to_s))).collect();
    (times.len(), ends)
}

/// Shortest paths from the first timestamp of each part to all others of it, and the number of parts.
fn tree(relations: &[Relation], ends: &[(usize, usize)], timestamps: usize) -> (Vec<Place>, usize) {
    let mut edges: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, &(from, to)) in ends.iter().enumerate() {
        edges.entry(from).or_default().push(index);
        edges.entry(to).or_default().push(index);
    }
    let root = |timestamp| Place { root_from_here: Pose3::IDENTITY, parent: None, jump: timestamp, depth: 0 };
    let mut places: Vec<Place> = (0..timestamps).map(root).collect();
    let mut is_reached = vec![false; timestamps];
    let mut parts = 0;
    for start in 0..timestamps {
        if is_reached[start] {
            continue;
        }
        is_reached[start] = true;
        parts += 1;
        let mut queue = VecDeque::from([start]);
        while let Some(here) = queue.pop_front() {
            for &index in edges.get(&here).into_iter().flatten() {
                let (from, to) = ends[index];
                let there = if from == here { to } else { from };
                if std::mem::replace(&mut is_reached[there], true) {
                    continue;
                }
                let step = relations[index].pose();
                let step = if from == here { step } else { step.inverse() };
                places[there] = Place {
                    root_from_here: places[here].root_from_here * step,
                    parent: Some((here, index)),
                    jump: jump_below(&places, here),
                    depth: places[here].depth + 1,
                };
                queue.push_back(there);
            }
        }
    }
    (places, parts)
}

/// The far ancestor of a child of `parent`: as far again as the last two jumps, if these are of one length.
fn jump_below(places: &[Place], parent: usize) -> usize {
    let first = places[parent].jump;
    let second = places[first].jump;
    let lengths = (places[parent].depth - places[first].depth, places[first].depth - places[second].depth);
    if lengths.0 == lengths.1 { second } else { parent }
}

/// The number of relations between two timestamps of one part along the tree.
fn tree_distance(places: &[Place], (a, b): (usize, usize)) -> usize {
    let parent = |timestamp: usize| places[timestamp].parent.map_or(timestamp, |(parent, _)| parent);
    let depth = |timestamp: usize| places[timestamp].depth;
    let (mut deep, mut high) = if depth(a) >= depth(b) { (a, b) } else { (b, a) };
    while depth(deep) > depth(high) {
        let jump = places[deep].jump;
        deep = if depth(jump) >= depth(high) { jump } else { parent(deep) };
    }
    while deep != high {
        let jumps = (places[deep].jump, places[high].jump);
        (deep, high) = if jumps.0 == jumps.1 { (parent(deep), parent(high)) } else { jumps };
    }
    depth(a) + depth(b) - 2 * depth(deep)
}

/// The relation that closes a loop and those of the tree between its two timestamps, from 1; the first of many.
fn loop_relations(places: &[Place], closing: usize, (mut a, mut b): (usize, usize)) -> Vec<usize> {
    let mut relations = vec![closing + 1];
    while a != b && relations.len() < MAX_LISTED {
        let deeper = if places[a].depth >= places[b].depth { &mut a } else { &mut b };
        let Some((parent, relation)) = places[*deeper].parent else { break };
        relations.push(relation + 1);
        *deeper = parent;
    }
    relations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::relation;

    #[test]
    fn a_chain_has_no_loop_and_two_chains_are_two_parts() {
        let chain = [
            relation(0.0, 1.0, 1.0, 0.0, 0.0),
            relation(1.0, 2.0, 1.0, 0.0, 0.0),
            relation(7.0, 8.0, 1.0, 0.0, 0.0),
        ];
        let graph = close(&chain, 10);
        assert_eq!((graph.timestamps, graph.parts, graph.loops, graph.rms_m), (5, 2, 0, None));
    }

    #[test]
    fn a_repeated_relation_is_a_loop_of_two() {
        let twice = [relation(0.0, 1.0, 1.0, 0.0, 0.0), relation(1.0, 0.0, -1.5, 0.0, 0.1)];
        let graph = close(&twice, 10);
        assert_eq!((graph.loops, graph.worst[0].edges, graph.worst[0].relations.clone()), (1, 2, vec![2, 1]));
        assert!((graph.worst[0].rotation_rad - 0.1).abs() < 1e-12);
    }

    /// Errors of 1 cm in each of 100 steps are no reason to doubt; 0.3 m in a loop of three is.
    #[test]
    fn a_short_loop_with_a_gross_error_comes_before_a_long_one_with_small_ones() {
        let mut relations: Vec<_> =
            (0..100).map(|i| relation(f64::from(i), f64::from(i + 1), 1.01, 0.0, 0.0)).collect();
        relations.push(relation(0.0, 100.0, 100.0, 0.0, 0.0));
        relations.push(relation(40.0, 42.0, 2.32, 0.0, 0.0));
        let graph = close(&relations, 2);
        // The long loop takes the short cut: 99 steps and it.
        assert_eq!((graph.loops, graph.worst[0].edges, graph.worst[1].edges), (2, 3, 100));
        assert!(
            (graph.worst[0].translation_m - 0.3).abs() < 1e-9
                && (graph.worst[1].translation_m - 1.3).abs() < 1e-9
        );
    }

    #[test]
    fn a_relation_of_a_moment_with_itself_should_be_nothing() {
        let graph = close(&[relation(3.0, 3.0, 0.5, 0.0, 0.0)], 10);
        assert_eq!((graph.timestamps, graph.loops, graph.worst[0].translation_m), (1, 1, 0.5));
    }

    #[test]
    fn a_long_chain_with_many_closures_is_quick() {
        let step = |i: u32| relation(f64::from(i), f64::from(i + 1), 1.0, 0.0, 0.0);
        let closure = |i: u32| relation(f64::from(i), f64::from(i + 500), 500.25, 0.0, 0.0);
        let relations: Vec<_> = (0..100_000).map(step).chain((0..99_000).map(closure)).collect();
        let graph = close(&relations, 3);
        assert_eq!((graph.loops, graph.worst.len()), (99_000, 3));
    }

    proptest::proptest! {
        /// The short search for the common ancestor counts what climbing step by step counts.
        #[test]
        fn the_number_of_relations_of_a_loop_is_that_of_its_way(pairs in proptest::collection::vec((0_u8..40, 0_u8..40), 1..60)) {
            let relations: Vec<_> =
                pairs.iter().map(|&(a, b)| relation(f64::from(a), f64::from(b), 0.0, 0.0, 0.0)).collect();
            let (timestamps, ends) = numbered_timestamps(&relations);
            let (places, _) = tree(&relations, &ends, timestamps);
            for &(mut a, mut b) in &ends {
                let counted = tree_distance(&places, (a, b));
                let mut steps = 0;
                while a != b {
                    let deeper = if places[a].depth >= places[b].depth { &mut a } else { &mut b };
                    *deeper = places[*deeper].parent.unwrap().0;
                    steps += 1;
                }
                proptest::prop_assert_eq!(counted, steps);
            }
        }
    }
}
