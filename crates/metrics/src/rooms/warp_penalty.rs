//! Warp penalty: how far the map must be bent before its rooms lie on those of the truth.
//!
//! ```text
//! penalty = sqrt(Σ over degrees d of ω_d |b_d|²),  ω = (0, 0.25, 1, 1)
//! φ(p) = z + Σ over u + v <= D of b_uv ξ^u η^v,  z = R p + t
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. ξ and η count from the middle of the box around the rooms of the map, in halves of
//! its diagonal.
//! Paper: Pellenz, IV-F, eq. 8: |φ_b(m1) - m0| + μ |b|.
//! Departure: the printed |b| punishes the identity and plain translation too, so the best rigid motion comes first and
//! b describes the rest (`penalty = literal` keeps the printed form). Eq. 8 minimises over b and W together; here W comes
//! from eq. 7 and b from the pairs (`optimise = together` alternates both, as printed). The first part of the judgement, the
//! picture distance after the warp, and the sum of both stand in the detail. A transform that the walls contradict is refused.
//! Rooms and their matching are those of `room_match_error`, with its departures; `min_share` and pairs that were cut differently
//! have no part here.
//! Unknown: bounds rooms like a wall; cells that the warp brings from nowhere are unknown.
//! Known bias: rests on the centres of a handful of rooms; damage inside a room or beside the rooms is not seen. Where there are
//! rooms enough it grows with a bend (five floors of 24 x 16 m: tau 0.94), where there are few it does not (floors of 16 x 12 m).
//! `wall_distortion` grows on all of them, to the centimetre; `brokenness` counts tears, `tolerance_f1_area` follows all damage.
//! Sees: bend, mirror; late: noise, shift, rotate, cut, moved_room, thick_walls, closed_door, opened_wall, resolution,
//! scale; saturates: ghost_walls; blind to: unseen; undefined under: missing_wing, blur. Damage of docs/lab.md, five
//! generated floors.
//! Real maps: undefined on nearly all maps of the ten of two simulated worlds that five programs made; `tolerance_f1_area`
//! separates them.
//! Variants: `smoothing_m = 0` takes walls as they are drawn. On two worlds of a simulator mapped by four programs 0.1 lowers 5 of the 6 values
//! that both define, by 0.11 m in the median; on maps of houses and halls there are too few rooms with either.
//! Undefined: if there are not more pairs than coefficients per axis (4, 7 and 11 pairs for degree 1, 2 and 3), so that all
//! maps of a comparison are bent by the same degree; or if the walls contradict every matching.

use align::closed_form::PointPair;
use align::rooms::{FeatureKind, FeatureMatcher, Matching};
use align::warp::{DEGREE_WEIGHTS, MAX_DEGREE, Warp, fit_warp, supported_degree};
use model::{CellClass, Grid};
use serde_json::json;

use super::matched_features::{MatchedFeatures, WallCheck};
use super::room_match_error::MIN_PAIRS;
use super::segmentation::RoomParams;
use super::wall_fit::picture_distance_m;
use crate::plane_distance::distance_m;
use crate::prelude::*;

/// What is optimised over what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Optimise {
    /// The matching W under the best rigid motion, then the warp b of its pairs.
    #[default]
    InTurn,
    /// W and b alternate until the cost stays: eq. 8 as printed.
    Together,
}

/// What happens where there are too few pairs for the degree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TooFewPairs {
    /// The value is undefined: penalties of different degrees cannot be compared.
    #[default]
    Refuse,
    /// The degree is lowered, with a warning.
    Lower,
}

/// Which length of the coefficients counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Penalty {
    /// What remains after the best rigid motion, by degree.
    #[default]
    Residual,
    /// All coefficients of φ, as printed.
    Literal,
}

/// Parameters of the warp penalty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarpPenalty {
    /// Degree of the polynomial, 1 to 3, the same for all maps. Default 2, ours.
    pub degree: usize,
    /// What happens with too few pairs for the degree. Default `refuse`, ours.
    pub too_few: TooFewPairs,
    /// Whether matching and warp are optimised `in_turn` or `together`. Default `in_turn`, ours; the paper prints `together`.
    pub optimise: Optimise,
    /// Which length counts. Default `residual`, ours.
    pub penalty: Penalty,
    /// Weights of the degrees 0 to 3. Default 0, 0.25, 1, 1, ours: the paper suggests milder linear terms.
    pub weights: [f64; MAX_DEGREE + 1],
    /// Weight of the penalty in the sum of the detail. Default 1.
    pub mu: f64,
    /// What is matched. Default `rooms`; the paper compares them with `surf`, and `corners` are ours.
    pub features: FeatureKind,
    /// How rooms are found.
    #[serde(flatten)]
    pub rooms: RoomParams,
    /// What the walls have to say about the matching, as in `room_match_error`. Default `check`, ours: the warp has a rigid
    /// motion of its own.
    pub walls: WallCheck,
}

impl Default for WarpPenalty {
    fn default() -> Self {
        Self {
            degree: 2,
            too_few: TooFewPairs::default(),
            optimise: Optimise::default(),
            penalty: Penalty::default(),
            weights: DEGREE_WEIGHTS,
            mu: 1.0,
            features: FeatureKind::default(),
            // Noise that roughens walls moves the centres of rooms.
            rooms: RoomParams { smoothing_m: 0.1, ..RoomParams::default() },
            walls: WallCheck::Check,
        }
    }
}

impl Metric for WarpPenalty {
    const SPEC: MetricSpec = MetricSpec::new(Family::Rooms, "warp_penalty", "R-WARP", "Warp penalty")
        .measured_in(Unit::Metres, Better::Lower)
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let found = MatchedFeatures::of(case, &self.matcher(), self.walls, MIN_PAIRS)?;
        let (matching, warp) = self.warp(&found)?;
        let value = match self.penalty {
            Penalty::Residual => warp.penalty_m(&self.weights),
            Penalty::Literal => warp.literal_norm_m(),
        };
        let grids = case.grids()?;
        let (warped, folded) = warped_map(&grids.map, &warp);
        let fit_m = picture_distance_m(&grids.truth, &warped);
        Ok(Score::new(value)
            .warn_if(warp.degree < self.asked_degree(), Reason::InsufficientPoints)
            .with_all(found.facts())
            .with("pairs", matching.pairs.len())
            .with("degree", warp.degree)
            .with("cost_m2", matching.cost_m2)
            .with("coefficients_m", &warp.lengths_m()[..=warp.degree])
            .with("rigid_rms_m", warp.rigid_rms_m)
            .with("warped_rms_m", warp.rms_m)
            .with("picture_distance_m", fit_m)
            .with("judgement_m", fit_m.map(|fit_m| fit_m + self.mu * value))
            .with("folded_cells", folded)
            .with("coverage", case.coverage()?))
    }
}

impl WarpPenalty {
    fn matcher(&self) -> FeatureMatcher {
        FeatureMatcher { kind: self.features, rooms: self.rooms, ..FeatureMatcher::default() }
    }

    fn asked_degree(&self) -> usize {
        self.degree.clamp(1, MAX_DEGREE)
    }

    /// The matching and the warp of the degree asked for, or of a lower one.
    fn warp(&self, found: &MatchedFeatures) -> Result<(Matching, Warp), Undefined> {
        let (pairs, asked) = (found.matching().pairs.len(), self.asked_degree());
        let degree = supported_degree(pairs, asked);
        if degree < asked && self.too_few == TooFewPairs::Refuse {
            let facts = [("degree", json!(asked)), ("pairs_needed", json!(pairs_needed(asked)))];
            return Err(Undefined::because(Reason::InsufficientPoints)
                .with_all(found.facts())
                .with_all(crate::facts(facts)));
        }
        let features = [found.truth.as_slice(), found.map.as_slice()];
        let warped = match self.optimise {
            Optimise::InTurn => {
                let warp = fit_warp(&point_pairs(found), degree);
                warp.map(|warp| (found.matching().clone(), warp))
            }
            Optimise::Together => self.matcher().warped(features, found.matching(), degree),
        };
        warped.ok_or_else(|| Undefined::because(Reason::NoMatch).with_all(found.facts()))
    }
}

/// Pairs that a degree needs: one more than it has coefficients per axis.
fn pairs_needed(degree: usize) -> usize {
    (degree + 1) * (degree + 2) / 2 + 1
}

fn point_pairs(found: &MatchedFeatures) -> Vec<PointPair> {
    let pair = |p: &align::rooms::FeaturePair| PointPair {
        in_map: found.map[p.map].place,
        in_truth: found.truth[p.truth].place,
    };
    found.matching().pairs.iter().map(pair).collect()
}

/// The map after the warp on its own cells, and the number of known cells at which the warp turns it over.
fn warped_map(map: &Grid, warp: &Warp) -> (Vec<u8>, u64) {
    const TOLERANCE_CELLS: f64 = 1e-4;
    let geometry = map.geometry();
    let tolerance_m = TOLERANCE_CELLS * geometry.cell_size_m();
    let (width, height) = (geometry.width() as f64, geometry.height() as f64);
    let corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)];
    let middle_m = |(x, y)| distance_m(warp.rigid * geometry.world_of_grid_point(x, y), warp.center());
    let may_fold = warp.may_fold_within(corners.into_iter().map(middle_m).fold(0.0, f64::max));
    let mut folded = 0;
    let in_map = warp.inverse(tolerance_m);
    let class_at = |index: usize| {
        let source = in_map(geometry.center_of(geometry.cell_of(index)))?;
        let class = map.classes()[geometry.index_of(geometry.cell_at(source)?)];
        folded += u64::from(may_fold && class.is_known() && warp.folds_at(source));
        Some(class)
    };
    let classes = (0..geometry.cells()).map(class_at);
    let classes = classes.map(|class| class.unwrap_or(CellClass::Unknown) as u8).collect();
    (classes, folded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{building, case_of, nearly};

    fn lowered() -> WarpPenalty {
        WarpPenalty { too_few: TooFewPairs::Lower, ..WarpPenalty::default() }
    }

    #[test]
    fn six_rooms_are_too_few_for_the_common_degree() {
        let case = case_of(building(0), building(3));
        let error = Metric::evaluate(&WarpPenalty::default(), &case).unwrap_err();
        assert_eq!(error.reasons, [Reason::InsufficientPoints]);
        assert_eq!((&error.detail["pairs"], &error.detail["pairs_needed"]), (&json!(6), &json!(7)));
        assert_eq!([1, 2, 3].map(pairs_needed), [4, 7, 11]);
        let linear = WarpPenalty { degree: 1, ..WarpPenalty::default() };
        nearly(Metric::evaluate(&linear, &case).unwrap().value, 0.0, 1e-9);
    }

    #[test]
    fn a_matching_that_fits_already_is_the_same_together_and_in_turn() {
        let together = WarpPenalty { degree: 1, optimise: Optimise::Together, ..WarpPenalty::default() };
        let score = Metric::evaluate(&together, &case_of(building(0), building(3))).unwrap();
        nearly(score.value, 0.0, 1e-9);
        assert_eq!(score.detail["pairs"], 6);
    }

    #[test]
    fn a_shifted_map_need_not_bend() {
        let score = Metric::evaluate(&lowered(), &case_of(building(0), building(3))).unwrap();
        nearly(score.value, 0.0, 1e-9);
        nearly(score.detail["picture_distance_m"].as_f64().unwrap(), 0.0, 1e-9);
        assert_eq!(score.detail["degree"], 1, "six rooms carry a linear warp");
        assert_eq!(score.warnings, [Reason::InsufficientPoints]);
    }

    #[test]
    fn the_printed_form_punishes_even_the_identity() {
        let literal = WarpPenalty { penalty: Penalty::Literal, ..lowered() };
        let score = Metric::evaluate(&literal, &case_of(building(0), building(0))).unwrap();
        assert!(score.value > 1.0, "{}", score.value);
    }

    #[test]
    fn maps_without_rooms_are_undefined() {
        let wall = testkit::grid(["###", "###"]);
        assert!(Metric::evaluate(&WarpPenalty::default(), &case_of(wall.clone(), wall)).is_err());
    }
}
