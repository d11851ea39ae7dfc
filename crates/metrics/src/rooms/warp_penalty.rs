//! Warp penalty: how far the map must be bent before its rooms lie on those of the truth.
//!
//! ```text
//! penalty = sqrt(Σ over degrees d of ω_d |b_d|²),  ω = (0, 0.25, 1, 1)
//! φ(p) = z + Σ over u + v <= D of b_uv ξ^u η^v,  z = R p + t
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. ξ and η run from -1 to 1 over the rooms of the map.
//! Paper: Pellenz, IV-F, eq. 8: |φ_b(m1) - m0| + μ |b|.
//! Departure: the printed |b| punishes the identity and plain translation too, so the best rigid motion comes first and
//! b describes the rest (`penalty = literal` keeps the printed form). The first part of the judgement, the picture
//! distance after the warp, and the sum of both stand in the detail.
//! Unknown: bounds rooms like a wall; cells that the warp brings from nowhere are unknown.
//! Known bias: rests on the centres of a handful of rooms; damage inside a room or beside the rooms is not seen.
//! Undefined: if no two rooms of the map can be matched.

use align::closed_form::PointPair;
use align::rooms::{Feature, Matching, RoomAligner};
use align::warp::{DEGREE_WEIGHTS, MAX_DEGREE, Warp, fit_warp, supported_degree};
use model::{CellClass, Grid};

use super::segmentation::{RoomFinder, features};
use super::wall_fit::picture_distance_m;
use crate::prelude::*;

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
    /// Degree of the polynomial, 1 to 3; lower if there are too few pairs. Default 2.
    pub degree: usize,
    /// Which length counts. Default `residual`, ours.
    pub penalty: Penalty,
    /// Weights of the degrees 0 to 3. Default 0, 0.25, 1, 1, ours: the paper suggests milder linear terms.
    pub weights: [f64; MAX_DEGREE + 1],
    /// Weight of the penalty in the sum of the detail. Default 1.
    pub mu: f64,
    /// How rooms are found. Default `combined`, ours; `visibility` is the paper's method.
    pub method: RoomFinder,
}

impl Default for WarpPenalty {
    fn default() -> Self {
        Self {
            degree: 2,
            penalty: Penalty::default(),
            weights: DEGREE_WEIGHTS,
            mu: 1.0,
            method: RoomFinder::default(),
        }
    }
}

impl Metric for WarpPenalty {
    const SPEC: MetricSpec = MetricSpec::new(Family::Rooms, "warp_penalty", "R-WARP", "Warp penalty")
        .measured_in(Unit::Metres, Better::Lower);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let aligner = RoomAligner { rooms: self.method, ..RoomAligner::default() };
        let [truth, map] = features(case, &aligner)?;
        let matchings = aligner.matchings(&truth, &map);
        let best = matchings.first().ok_or(Reason::NoMatch)?;
        let pairs = point_pairs(best, &truth, &map);
        let degree = supported_degree(pairs.len(), self.degree);
        let warp = fit_warp(&pairs, degree).ok_or(Reason::NoMatch)?;
        let value = match self.penalty {
            Penalty::Residual => warp.penalty_m(&self.weights),
            Penalty::Literal => warp.literal_norm_m(),
        };
        let grids = case.grids()?;
        let (warped, folded) = warped_map(&grids.map, &warp);
        let fit_m = picture_distance_m(&grids.truth, &warped);
        Ok(Score::new(value)
            .warn_if(degree < self.degree, Reason::InsufficientPoints)
            .with("degree", degree)
            .with("pairs", pairs.len())
            .with("coefficients_m", &warp.lengths_m()[..=degree])
            .with("rigid_rms_m", warp.rigid_rms_m)
            .with("warped_rms_m", warp.rms_m)
            .with("picture_distance_m", fit_m)
            .with("judgement_m", fit_m.map(|fit_m| fit_m + self.mu * value))
            .with("folded_cells", folded)
            .with("coverage", case.coverage()?))
    }
}

fn point_pairs(matching: &Matching, truth: &[Feature], map: &[Feature]) -> Vec<PointPair> {
    let pair = |p: &align::rooms::FeaturePair| PointPair {
        in_map: map[p.map].place,
        in_truth: truth[p.truth].place,
    };
    matching.pairs.iter().map(pair).collect()
}

/// The map after the warp on its own cells, and the number of known cells at which the warp turns it over.
fn warped_map(map: &Grid, warp: &Warp) -> (Vec<u8>, u64) {
    const TOLERANCE_CELLS: f64 = 1e-4;
    let geometry = map.geometry();
    let tolerance_m = TOLERANCE_CELLS * geometry.cell_size_m();
    let mut folded = 0;
    let class_at = |index: usize| {
        let source = warp.unapply(geometry.center_of(geometry.cell_of(index)), tolerance_m)?;
        let class = map.classes()[geometry.index_of(geometry.cell_at(source)?)];
        folded += u64::from(class.is_known() && warp.folds_at(source));
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

    #[test]
    fn a_shifted_map_need_not_bend() {
        let score = Metric::evaluate(&WarpPenalty::default(), &case_of(building(0), building(3))).unwrap();
        nearly(score.value, 0.0, 1e-9);
        nearly(score.detail["picture_distance_m"].as_f64().unwrap(), 0.0, 1e-9);
        assert_eq!(score.detail["degree"], 1, "six rooms carry a linear warp");
        assert_eq!(score.warnings, [Reason::InsufficientPoints]);
    }

    #[test]
    fn the_printed_form_punishes_even_the_identity() {
        let literal = WarpPenalty { penalty: Penalty::Literal, ..WarpPenalty::default() };
        let score = Metric::evaluate(&literal, &case_of(building(0), building(0))).unwrap();
        assert!(score.value > 1.0, "{}", score.value);
    }

    #[test]
    fn maps_without_rooms_are_undefined() {
        let wall = testkit::grid(["###", "###"]);
        assert!(Metric::evaluate(&WarpPenalty::default(), &case_of(wall.clone(), wall)).is_err());
    }
}
