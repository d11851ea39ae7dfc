//! What a matching of rooms costs (R-OBJ; Pellenz, IV-F, eq. 7).
//!
//! ```text
//! J  = Σ over pairs of |p(f) - (R p(g) + t)|² + λ d(f, g)
//! J' = J + c · (features without a partner) + w_topo · (broken adjacencies)
//! d  = mean over area, elongation, compactness of |a - b| / (a + b)          for rooms
//! ```
//!
//! The paper's sum alone is smallest without any pair, so each feature that stays alone costs c: a pair is worth making
//! exactly if it costs less than 2 c. Two neighbouring rooms of the map whose partners are not neighbours break an
//! adjacency (`topology.rs`).

use model::{Point2, Similarity2};

use super::topology;
use crate::assignment::cheapest;
use crate::closed_form::{Motion, PointPair, fit};
use crate::warp::{Warp, fit_warp, supported_degree};

/// Matching and fitting in turn ends after so many rounds.
const ROUNDS: usize = 10;

/// Something found in a map: where it lies, numbers that describe it, and what it touches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feature {
    pub place: Point2,
    /// What it looks like.
    pub descriptor: Vec<f64>,
    /// Numbers, in the list that this feature is part of, of the features that border on it; rooms only.
    pub neighbours: Vec<usize>,
    /// Number of the room among those of its map; none for points.
    pub room: Option<u32>,
}

/// How different two descriptors are, 0 to 1.
pub type Difference = fn(&[f64], &[f64]) -> f64;

/// Mean over positive numbers of |a - b| / (a + b), in [0, 1).
pub fn relative_difference(one: &[f64], other: &[f64]) -> f64 {
    let parts = one.iter().zip(other);
    let terms = parts.map(|(a, b)| if a + b > 0.0 { (a - b).abs() / (a + b) } else { 0.0 });
    terms.sum::<f64>() / one.len().max(1) as f64
}

/// Weights of the objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Weight of the descriptors, square metres. Default 1; the symbol is lost in our copy of the paper.
    pub lambda_m2: f64,
    /// Cost of a feature without a partner, square metres. Default 0.5, which gates pairs at 1 m.
    pub alone_m2: f64,
    /// Cost of two neighbours of the map whose partners are no neighbours, square metres. Default 0.
    pub topology_m2: f64,
}

impl Default for Objective {
    fn default() -> Self {
        Self { lambda_m2: 1.0, alone_m2: 0.5, topology_m2: 0.0 }
    }
}

/// A pair of features and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeaturePair {
    /// Index in the truth's list.
    pub truth: usize,
    /// Index in the map's list.
    pub map: usize,
    /// Squared distance under the transform, square metres.
    pub position_m2: f64,
    /// Weighted difference of the descriptors, square metres.
    pub descriptor_m2: f64,
}

/// A matching and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// The transform it was made under.
    pub truth_from_map: Similarity2,
    /// Pairs in order of the truth's features.
    pub pairs: Vec<FeaturePair>,
    /// Features of the truth without a partner.
    pub truth_alone: usize,
    /// Features of the map without a partner.
    pub map_alone: usize,
    /// Neighbours of the map whose partners are no neighbours.
    pub broken_adjacencies: usize,
    /// J', square metres.
    pub cost_m2: f64,
}

impl Matching {
    /// J: the cost of the pairs alone, square metres.
    pub fn pair_cost_m2(&self) -> f64 {
        self.pairs.iter().map(|pair| pair.position_m2 + pair.descriptor_m2).sum()
    }

    /// The paper's quality value: J over the number of pairs; none without a pair.
    pub fn mean_match_error_m2(&self) -> Option<f64> {
        (!self.pairs.is_empty()).then(|| self.pair_cost_m2() / self.pairs.len() as f64)
    }

    /// What the matching saves of the cost of leaving everything alone: 0 for no pair, 1 for a perfect fit.
    pub fn score(&self, objective: &Objective) -> f64 {
        let features = self.truth_alone + self.map_alone + 2 * self.pairs.len();
        let nothing_m2 = objective.alone_m2 * features as f64;
        if nothing_m2 > 0.0 { (1.0 - self.cost_m2 / nothing_m2).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Two lists of features and how their pairs are valued.
pub(crate) struct Problem<'a> {
    pub(crate) truth: &'a [Feature],
    pub(crate) map: &'a [Feature],
    pub(crate) objective: Objective,
    /// Difference of each feature of the truth (rows) to each of the map.
    differences: Vec<f64>,
    /// Features of the truth from left to right: x in metres, and the number.
    from_left: Vec<(f64, usize)>,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(
        [truth, map]: [&'a [Feature]; 2],
        objective: Objective,
        difference: Difference,
    ) -> Self {
        let row = |f: &'a Feature| map.iter().map(move |g| difference(&f.descriptor, &g.descriptor));
        let mut from_left: Vec<(f64, usize)> =
            truth.iter().enumerate().map(|(number, feature)| (feature.place.x_m, number)).collect();
        from_left.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { truth, map, objective, differences: truth.iter().flat_map(row).collect(), from_left }
    }

    pub(crate) fn difference(&self, truth: usize, map: usize) -> f64 {
        self.differences[truth * self.map.len() + map]
    }

    /// The two parts of eq. (7) for a pair: squared distance, and weighted difference of the descriptors.
    pub(super) fn parts_m2(&self, truth: usize, moved: Point2, map: usize) -> (f64, f64) {
        let place = self.truth[truth].place;
        let position_m2 = (place.x_m - moved.x_m).powi(2) + (place.y_m - moved.y_m).powi(2);
        (position_m2, self.objective.lambda_m2 * self.difference(truth, map))
    }

    /// Cost if every feature of the map took its cheapest partner, whether another wants it too: never above J'.
    pub(crate) fn bound_m2(&self, truth_from_map: Similarity2) -> f64 {
        let alone_m2 = self.objective.alone_m2;
        // A pair farther apart gains nothing, whatever it looks like; a little more, for rounding.
        let is_gated = self.objective.lambda_m2 >= 0.0;
        let reach_m = if is_gated { (2.0 * alone_m2).max(0.0).sqrt() + 1e-6 } else { f64::INFINITY };
        let in_truth = truth_from_map.function();
        let gains = self.map.iter().enumerate().map(|(map, feature)| {
            let moved = in_truth(feature.place);
            let first = self.from_left.partition_point(|(x_m, _)| *x_m < moved.x_m - reach_m);
            let near = self.from_left[first..].iter().take_while(|(x_m, _)| *x_m <= moved.x_m + reach_m);
            let costs = near.map(|&(_, truth)| self.parts_m2(truth, moved, map));
            costs.map(|(p, d)| p + d - 2.0 * alone_m2).fold(0.0, f64::min)
        });
        gains.sum::<f64>() + alone_m2 * (self.truth.len() + self.map.len()) as f64
    }

    /// The cheapest matching under a transform; with a weight of the topology, the cheapest of a local search.
    pub(crate) fn matched(&self, truth_from_map: Similarity2) -> Matching {
        let moved: Vec<Point2> = self.map.iter().map(|feature| truth_from_map * feature.place).collect();
        self.matched_at(&moved, truth_from_map)
    }

    /// The same where the features of the map were moved by something else than a transform.
    pub(crate) fn matched_at(&self, moved: &[Point2], truth_from_map: Similarity2) -> Matching {
        let gate_m2 = 2.0 * self.objective.alone_m2;
        let gain = |truth: usize, map: usize| {
            let (position_m2, descriptor_m2) = self.parts_m2(truth, moved[map], map);
            position_m2 + descriptor_m2 - gate_m2
        };
        let chosen = cheapest(self.truth.len(), self.map.len(), gain);
        let chosen = topology::improved(self, chosen, gain);
        let pair = |(truth, map): (usize, Option<usize>)| {
            let map = map?;
            let (position_m2, descriptor_m2) = self.parts_m2(truth, moved[map], map);
            Some(FeaturePair { truth, map, position_m2, descriptor_m2 })
        };
        let broken_adjacencies = topology::broken(self, &chosen);
        let pairs: Vec<FeaturePair> = chosen.into_iter().enumerate().filter_map(pair).collect();
        let (truth_alone, map_alone) = (self.truth.len() - pairs.len(), self.map.len() - pairs.len());
        let cost: f64 = pairs.iter().map(|pair| pair.position_m2 + pair.descriptor_m2).sum();
        let cost_m2 = cost
            + self.objective.alone_m2 * (truth_alone + map_alone) as f64
            + self.objective.topology_m2 * broken_adjacencies as f64;
        Matching { truth_from_map, pairs, truth_alone, map_alone, broken_adjacencies, cost_m2 }
    }

    /// Matching and closed-form fit in turn until the matching stays, at most ten rounds; the cheapest of them.
    pub(crate) fn settled(&self, start: Similarity2) -> Matching {
        let mut best = self.matched(start);
        for _ in 0..ROUNDS {
            let points = self.point_pairs(&best);
            let Some(refit) = (points.len() >= 2).then(|| fit(&points, Motion::Rigid)).flatten() else {
                break;
            };
            let next = self.matched(refit);
            if next.cost_m2 >= best.cost_m2 {
                break;
            }
            best = next;
        }
        best
    }

    /// Matching and polynomial warp in turn, as eq. (8) minimises over b and W together: at most ten rounds from a rigid
    /// matching, as long as J' falls. None where there are too few pairs for the degree.
    pub(crate) fn settled_warped(&self, start: &Matching, degree: usize) -> Option<(Matching, Warp)> {
        let fitted = |matching: &Matching| {
            let points = self.point_pairs(matching);
            let is_supported = supported_degree(points.len(), degree) == degree;
            is_supported.then(|| fit_warp(&points, degree)).flatten()
        };
        let mut best: Option<(Matching, Warp)> = None;
        let mut warp = fitted(start)?;
        for _ in 0..ROUNDS {
            let moved: Vec<Point2> = self.map.iter().map(|feature| warp.apply(feature.place)).collect();
            let next = self.matched_at(&moved, warp.rigid);
            if best.as_ref().is_some_and(|(best, _)| next.cost_m2 >= best.cost_m2) {
                break;
            }
            let refit = fitted(&next);
            best = Some((next, warp));
            match refit {
                Some(refit) => warp = refit,
                None => break,
            }
        }
        best.filter(|(matching, _)| supported_degree(matching.pairs.len(), degree) == degree)
    }

    pub(crate) fn point_pairs(&self, matching: &Matching) -> Vec<PointPair> {
        matching.pairs.iter().map(|pair| self.points(pair.truth, pair.map)).collect()
    }

    pub(crate) fn points(&self, truth: usize, map: usize) -> PointPair {
        PointPair { in_map: self.map[map].place, in_truth: self.truth[truth].place }
    }
}
