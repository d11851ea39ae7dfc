//! What a matching of rooms costs (R-OBJ; Pellenz, IV-F, eq. 7).
//!
//! ```text
//! J  = Σ over pairs of |p(f) - (R p(g) + t)|² + λ d(f, g)
//! J' = J + c · (rooms without a partner)
//! d  = mean over area, elongation, compactness of |a - b| / (a + b)
//! ```
//!
//! The paper's sum alone is smallest without any pair, so each room that stays alone costs c: a pair is worth making
//! exactly if it costs less than 2 c.

use model::{Point2, Similarity2};

use crate::assignment::cheapest;
use crate::closed_form::{Motion, PointPair, fit};

/// Something found in a map: where it lies, and positive numbers that describe it.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub place: Point2,
    /// What it looks like.
    pub descriptor: Vec<f64>,
}

impl Feature {
    /// Difference of two descriptors, in [0, 1).
    pub fn difference(&self, other: &Self) -> f64 {
        let parts = self.descriptor.iter().zip(&other.descriptor);
        let terms = parts.map(|(a, b)| if a + b > 0.0 { (a - b).abs() / (a + b) } else { 0.0 });
        terms.sum::<f64>() / self.descriptor.len().max(1) as f64
    }
}

/// Weights of the objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Weight of the descriptors, square metres. Default 1; the symbol is lost in our copy of the paper.
    pub lambda_m2: f64,
    /// Cost of a room without a partner, square metres. Default 0.5, which gates pairs at 1 m.
    pub alone_m2: f64,
}

impl Default for Objective {
    fn default() -> Self {
        Self { lambda_m2: 1.0, alone_m2: 0.5 }
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
}

impl Problem<'_> {
    fn parts_m2(&self, truth: usize, moved: Point2, map: usize) -> (f64, f64) {
        let place = self.truth[truth].place;
        let position_m2 = (place.x_m - moved.x_m).powi(2) + (place.y_m - moved.y_m).powi(2);
        // A pair that is too far apart needs no descriptors.
        let descriptor_m2 = if position_m2 < 2.0 * self.objective.alone_m2 {
            self.objective.lambda_m2 * self.truth[truth].difference(&self.map[map])
        } else {
            0.0
        };
        (position_m2, descriptor_m2)
    }

    /// Cost if every feature of the map took its cheapest partner, whether another wants it too: never above J'.
    pub(crate) fn bound_m2(&self, truth_from_map: Similarity2) -> f64 {
        let alone_m2 = self.objective.alone_m2;
        let gains = self.map.iter().enumerate().map(|(map, feature)| {
            let moved = truth_from_map * feature.place;
            let costs = (0..self.truth.len()).map(|truth| self.parts_m2(truth, moved, map));
            costs.map(|(p, d)| p + d - 2.0 * alone_m2).fold(0.0, f64::min)
        });
        gains.sum::<f64>() + alone_m2 * (self.truth.len() + self.map.len()) as f64
    }

    /// The cheapest matching under a transform.
    pub(crate) fn matched(&self, truth_from_map: Similarity2) -> Matching {
        let moved: Vec<Point2> = self.map.iter().map(|feature| truth_from_map * feature.place).collect();
        let gate_m2 = 2.0 * self.objective.alone_m2;
        let gain = |truth: usize, map: usize| {
            let (position_m2, descriptor_m2) = self.parts_m2(truth, moved[map], map);
            position_m2 + descriptor_m2 - gate_m2
        };
        let chosen = cheapest(self.truth.len(), self.map.len(), gain);
        let pairs: Vec<FeaturePair> = (0..)
            .zip(&chosen)
            .filter_map(|(truth, map)| map.map(|map| (truth, map)))
            .map(|(truth, map)| {
                let (position_m2, descriptor_m2) = self.parts_m2(truth, moved[map], map);
                FeaturePair { truth, map, position_m2, descriptor_m2 }
            })
            .collect();
        let (truth_alone, map_alone) = (self.truth.len() - pairs.len(), self.map.len() - pairs.len());
        let cost: f64 = pairs.iter().map(|pair| pair.position_m2 + pair.descriptor_m2).sum();
        let cost_m2 = cost + self.objective.alone_m2 * (truth_alone + map_alone) as f64;
        Matching { truth_from_map, pairs, truth_alone, map_alone, cost_m2 }
    }

    /// Matching and closed-form fit in turn until the matching stays, at most ten rounds; the cheapest of them.
    pub(crate) fn settled(&self, start: Similarity2) -> Matching {
        const ROUNDS: usize = 10;
        let mut best = self.matched(start);
        for _ in 0..ROUNDS {
            let points: Vec<PointPair> =
                best.pairs.iter().map(|pair| self.points(pair.truth, pair.map)).collect();
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

    pub(crate) fn points(&self, truth: usize, map: usize) -> PointPair {
        PointPair { in_map: self.map[map].place, in_truth: self.truth[truth].place }
    }
}
