//! Room match error: how far the rooms of the map lie from their partners in the truth, and how different they look.
//!
//! ```text
//! e = J / number of pairs,  J = Σ over pairs of |p(f) - (R p(g) + t)|² + λ d(f, g)
//! d = mean over area, elongation, compactness of |a - b| / (a + b)
//! ```
//!
//! Unit: m2. Range: 0 to 2 `alone_m2`, 1 by default (a pair that costs more is not made). Better: lower.
//! Paper: Pellenz, IV-E, eq. 7: the mean match error. The smallest over all rotations and translations.
//! Departure: rooms without a partner cost `alone_m2` each while the matching is searched, because the paper's sum is
//! smallest without any pair; they are not part of the value, but counted in the detail. `w_topo_m2` adds the topology that
//! the paper wants kept (default 0). The rooms say about where the map lies, the walls refine rotation and translation,
//! because centres of rooms that were cut differently would turn the map; a transform that the walls contradict is refused, and
//! fewer pairs than `min_pairs`, or than `min_share` of the rooms, are too few. Pairs of rooms that share half of their union or
//! less were cut differently and do not count (`cut_differently`). `walls = ignore`, `min_pairs = 2` and `min_share = 0` keep
//! the printed form, which minimises over rotation and translation. Compactness is taken from the simplified border, so that
//! ragged walls do not change it. RANSAC and PROSAC are replaced by trying all hypotheses, and the 60 largest rooms are matched.
//! Rooms are cut by `method = auto` after `smoothing_m`; the paper's are those of `visibility` with walls as they are drawn.
//! `features` takes SURF points instead of rooms, as the paper compares them, or corners, which are ours.
//! Unknown: bounds rooms like a wall.
//! Known bias: noise cuts rooms differently, so that an intact noisy map may have a larger error than a clean one that is bent a
//! little; `median_position_m2` is hardly touched by that. Says nothing about rooms without a partner, and nothing about the
//! coordinate frame the map was given in: the motion that was found stands in the detail, and one far from the frame of the
//! comparison gives a warning.
//! Sees: resolution; late: noise, shift, rotate, bend, cut, moved_room, ghost_walls, closed_door, opened_wall, scale;
//! saturates: missing_wing; blind to: unseen; undefined under: thick_walls, blur, mirror. Damage of docs/lab.md, five
//! generated floors.
//! Variants: `smoothing_m = 0` takes walls as they are drawn. On 36 maps of robots (two houses, two
//! worlds of a simulator mapped by four programs, 22 variants of one hall) 0.1 defines 13 values where 0 defines 9, and lowers 7
//! of these 9, by 0.007 m2 in the median.
//! Undefined: if too few rooms of the map can be matched, or the walls contradict every matching.

use align::rooms::{FeatureKind, FeatureMatcher, Matching, Objective};
use serde_json::{Value, json};

use super::matched_features::{MatchedFeatures, WallCheck};
use super::segmentation::RoomParams;
use crate::plane_distance::distance_m;
use crate::prelude::*;

/// Parameters of the room match error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoomMatchError {
    /// What is matched. Default `rooms`; the paper compares them with `surf`, and `corners` are ours.
    pub features: FeatureKind,
    /// How rooms are found.
    #[serde(flatten)]
    pub rooms: RoomParams,
    /// Weight of the descriptors, square metres. Default 1, ours: the paper's symbol is lost.
    pub lambda_m2: f64,
    /// Cost of a room without a partner, square metres. Default 0.5, ours: pairs up to 1 m apart.
    pub alone_m2: f64,
    /// Cost of two neighbouring rooms whose partners are no neighbours, square metres. Default 0, ours: the paper wants
    /// topology kept and gives no weight.
    pub w_topo_m2: f64,
    /// What the walls have to say: `refine` takes the transform that fits them best near the matching's own, `check` refuses
    /// one that they contradict, `ignore` takes the cheapest matching. Default `refine`, ours; the paper prints `ignore`.
    pub walls: WallCheck,
    /// Fewer pairs are no answer. Default 3, ours: two pairs always fit something.
    pub min_pairs: usize,
    /// Fewer pairs than this share of the smaller number of rooms are no answer. Default 2/3, ours: what is left of a map whose
    /// rooms were cut differently says little.
    pub min_share: f64,
}

impl Default for RoomMatchError {
    fn default() -> Self {
        let Objective { lambda_m2, alone_m2, topology_m2 } = Objective::default();
        Self {
            features: FeatureKind::default(),
            // Noise that roughens walls moves the centres of rooms.
            rooms: RoomParams { smoothing_m: 0.1, ..RoomParams::default() },
            lambda_m2,
            alone_m2,
            w_topo_m2: topology_m2,
            walls: WallCheck::default(),
            min_pairs: MIN_PAIRS,
            min_share: 2.0 / 3.0,
        }
    }
}

/// Pairs that a matching must have; two always fit something.
pub(super) const MIN_PAIRS: usize = 3;
/// A motion beyond this is another transform than the one of the comparison, metres and degrees.
const SAME_FRAME_M: f64 = 1.0;
const SAME_FRAME_DEG: f64 = 10.0;

impl Metric for RoomMatchError {
    const SPEC: MetricSpec = MetricSpec::new(Family::Rooms, "room_match_error", "R-OBJ", "Room match error")
        .measured_in(Unit::SquareMetres, Better::Lower)
        .best(0.0)
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        if ![self.lambda_m2, self.alone_m2, self.w_topo_m2, self.min_share]
            .iter()
            .all(|weight| weight.is_finite())
        {
            return Err(Reason::NotFinite.into());
        }
        let found = MatchedFeatures::of(case, &self.matcher(), self.walls, self.min_pairs)?;
        let best = found.matching();
        let needed = self.min_share * found.truth.len().min(found.map.len()) as f64;
        if (best.pairs.len() as f64) < needed - 1e-9 {
            return Err(Undefined::because(Reason::InsufficientPoints)
                .with_all(found.facts())
                .with_all(crate::facts([("pairs_needed", json!(needed.ceil()))])));
        }
        let value = best.mean_match_error_m2().ok_or(Reason::NoMatch)?;
        let middle = case.grids()?.geometry();
        let middle = middle.world_of_grid_point(middle.width() as f64 / 2.0, middle.height() as f64 / 2.0);
        let moved = best.truth_from_map * middle;
        let shift_m = distance_m(moved, middle);
        let turn_deg = best.truth_from_map.theta_rad.to_degrees();
        Ok(Score::new(value)
            .warn_if(shift_m > SAME_FRAME_M || turn_deg.abs() > SAME_FRAME_DEG, Reason::FrameMismatch)
            .with_all(found.facts())
            .with_all(facts_of(best))
            .with("shift_m", shift_m)
            .with("turn_deg", turn_deg)
            .with("coverage", case.coverage()?))
    }
}

impl RoomMatchError {
    fn matcher(&self) -> FeatureMatcher {
        let objective =
            Objective { lambda_m2: self.lambda_m2, alone_m2: self.alone_m2, topology_m2: self.w_topo_m2 };
        FeatureMatcher { kind: self.features, rooms: self.rooms, objective, ..FeatureMatcher::default() }
    }
}

/// Median of the squared distances, square metres; 0 without a pair.
fn median(matching: &Matching) -> f64 {
    let mut squares: Vec<f64> = matching.pairs.iter().map(|pair| pair.position_m2).collect();
    squares.sort_by(f64::total_cmp);
    let at = |index: usize| squares.get(index).copied().unwrap_or(0.0);
    (at(squares.len() / 2) + at(squares.len().saturating_sub(1) / 2)) / 2.0
}

fn facts_of(best: &Matching) -> crate::Detail {
    let mean = |of: fn(&align::rooms::FeaturePair) -> f64| {
        best.pairs.iter().map(of).sum::<f64>() / best.pairs.len() as f64
    };
    let pairs: Vec<Value> = best
        .pairs
        .iter()
        .map(|p| {
            let (position_m2, descriptor_m2) = (p.position_m2, p.descriptor_m2);
            json!({"truth": p.truth + 1, "map": p.map + 1, "position_m2": position_m2, "descriptor_m2": descriptor_m2})
        })
        .collect();
    crate::facts([
        ("truth_alone", json!(best.truth_alone)),
        ("map_alone", json!(best.map_alone)),
        ("broken_adjacencies", json!(best.broken_adjacencies)),
        ("position_m2", json!(mean(|pair| pair.position_m2))),
        ("descriptor_m2", json!(mean(|pair| pair.descriptor_m2))),
        ("median_position_m2", json!(median(best))),
        ("cost_m2", json!(best.cost_m2)),
        ("matches", Value::from(pairs)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{building, case_of, nearly};

    #[test]
    fn the_same_building_has_no_error() {
        let score = Metric::evaluate(&RoomMatchError::default(), &case_of(building(0), building(0))).unwrap();
        nearly(score.value, 0.0, 1e-9);
        assert_eq!(score.detail["pairs"], 6);
        assert!(score.warnings.is_empty());
    }

    #[test]
    fn a_map_elsewhere_fits_as_well_and_is_warned_about() {
        let score =
            Metric::evaluate(&RoomMatchError::default(), &case_of(building(0), building(12))).unwrap();
        nearly(score.value, 0.0, 1e-9);
        nearly(score.detail["shift_m"].as_f64().unwrap(), 1.2, 1e-9);
        assert_eq!(score.warnings, [Reason::FrameMismatch]);
    }

    #[test]
    fn a_map_with_one_room_is_undefined() {
        let open = testkit::grid_at(vec![".".repeat(85); 65], 0.1, model::Pose2::IDENTITY);
        let error = Metric::evaluate(&RoomMatchError::default(), &case_of(building(0), open)).unwrap_err();
        assert_eq!(error.reasons, [Reason::NoMatch]);
    }

    #[test]
    fn too_few_pairs_are_refused_with_their_number() {
        let strict = RoomMatchError { min_pairs: 7, ..RoomMatchError::default() };
        let error = Metric::evaluate(&strict, &case_of(building(0), building(0))).unwrap_err();
        assert_eq!(error.reasons, [Reason::InsufficientPoints]);
        assert_eq!(error.detail["pairs"], 6);
    }

    #[test]
    fn points_of_the_image_can_stand_in_for_rooms() {
        for features in [FeatureKind::Surf, FeatureKind::Corners] {
            let metric = RoomMatchError { features, ..RoomMatchError::default() };
            let score = Metric::evaluate(&metric, &case_of(building(0), building(0))).unwrap();
            nearly(score.value, 0.0, 1e-6);
            assert!(score.detail["pairs"].as_u64().unwrap() > 6, "{features:?}");
        }
    }
}
