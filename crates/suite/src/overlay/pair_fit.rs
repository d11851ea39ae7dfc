//! The transform from pairs of places that a person pointed out, with what each pair says about it.

use align::closed_form::{Motion, PointPair, fit, rms_m};
use align::warp::{DEGREE_WEIGHTS, Warp, fit_warp, supported_degree};
use model::{GridGeometry, Point2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines of the bent grid along each axis, and points of each line.
const GRID_LINES: usize = 13;
const LINE_POINTS: usize = 49;

/// What a fit may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FitMotion {
    /// Move only.
    Move,
    /// Move and turn.
    #[default]
    Turn,
    /// Move, turn and scale.
    Scale,
    /// Move, turn and bend; the transform stays the rigid part.
    Polynomial,
}

/// One place in both maps; pairs that are off do not count, but have a residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClickedPair {
    /// Where it is.
    pub pair: PointPair,
    /// Whether it counts.
    pub is_on: bool,
}

/// What the pairs come to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FittedPairs {
    /// The transform; null if it was refused.
    pub truth_from_map: Option<Similarity2>,
    /// Why there is none.
    pub refused: Option<FitRefusal>,
    /// Root mean square of the lengths of those that count; null without a transform.
    pub rms_m: Option<f64>,
    /// How that is computed.
    pub formula: &'static str,
    /// By pair, in their order.
    pub residuals: Vec<PairResidual>,
    /// The map as the polynomial bends it.
    pub bent: Option<BentMap>,
    /// The polynomial itself.
    #[serde(skip)]
    pub warp: Option<Warp>,
}

/// Why the pairs determine nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FitRefusal {
    /// In words.
    pub reason: String,
    /// Pairs that the motion needs.
    pub pairs_needed: usize,
}

/// How far a pair is from the transform: the truth minus the moved point of the map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairResidual {
    /// Metres.
    pub dx_m: f64,
    /// Metres.
    pub dy_m: f64,
    /// Metres.
    pub length_m: f64,
    /// In cells of the truth.
    pub length_cells: f64,
    /// Length under the transform of all other pairs: a wrong pair has a large one. Null where they are too few.
    pub if_left_out_m: Option<f64>,
}

/// A map as a polynomial bends it, in the frame of the truth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BentMap {
    /// Lines that are straight in the map.
    pub grid: Vec<Vec<[f64; 2]>>,
    /// The border of the map.
    pub outline: Vec<[f64; 2]>,
    /// Whether the polynomial turns a part of the map over.
    pub folds: bool,
    /// How much the map had to bend, metres: R-WARP.
    pub penalty_m: f64,
    /// The part of each degree, 0 upwards, metres.
    pub lengths_m: Vec<f64>,
    /// Root mean square of the pairs under the rigid motion alone.
    pub rigid_rms_m: f64,
}

impl FitMotion {
    const fn motion(self) -> Motion {
        match self {
            Self::Move => Motion::Translation,
            Self::Turn | Self::Polynomial => Motion::Rigid,
            Self::Scale => Motion::Similarity,
        }
    }

    /// Pairs that a fit needs so that it is determined; a polynomial needs one more than it has coefficients per axis.
    #[must_use]
    pub const fn pairs_needed(self, degree: usize) -> usize {
        match self {
            Self::Move => 1,
            Self::Turn | Self::Scale => 2,
            Self::Polynomial => (degree + 1) * (degree + 2) / 2 + 1,
        }
    }
}

/// Fits a transform to the pairs that are on. `map` is the grid that a polynomial bends, `cell_size_m` that of the truth.
#[must_use]
pub fn fit_pairs(
    pairs: &[ClickedPair],
    motion: FitMotion,
    degree: usize,
    map: &GridGeometry,
    cell_size_m: f64,
) -> FittedPairs {
    let degree = degree.clamp(1, align::warp::MAX_DEGREE);
    let on: Vec<PointPair> =
        pairs.iter().filter(|clicked| clicked.is_on).map(|clicked| clicked.pair).collect();
    match fitted(&on, motion, degree) {
        Err(refused) => FittedPairs { refused: Some(refused), ..FittedPairs::nothing() },
        Ok(found) => FittedPairs {
            truth_from_map: Some(found.rigid()),
            rms_m: found.rms_m(&on),
            residuals: residuals(pairs, &found, motion, degree, cell_size_m),
            bent: match &found {
                Found::Bent(warp) => Some(bent_map(warp, map)),
                Found::Moved(_) => None,
            },
            warp: match found {
                Found::Bent(warp) => Some(warp),
                Found::Moved(_) => None,
            },
            ..FittedPairs::nothing()
        },
    }
}

impl FittedPairs {
    const fn nothing() -> Self {
        Self {
            truth_from_map: None,
            refused: None,
            rms_m: None,
            formula: "rms = sqrt((r1² + r2² + .. + rn²) / n) over the pairs that are on",
            residuals: Vec::new(),
            bent: None,
            warp: None,
        }
    }
}

/// A fit of either kind.
enum Found {
    Moved(Similarity2),
    Bent(Warp),
}

impl Found {
    fn apply(&self, point: Point2) -> Point2 {
        match self {
            Self::Moved(transform) => *transform * point,
            Self::Bent(warp) => warp.apply(point),
        }
    }

    const fn rigid(&self) -> Similarity2 {
        match self {
            Self::Moved(transform) => *transform,
            Self::Bent(warp) => warp.rigid,
        }
    }

    fn rms_m(&self, pairs: &[PointPair]) -> Option<f64> {
        match self {
            Self::Moved(transform) => rms_m(pairs, *transform),
            Self::Bent(warp) => Some(warp.rms_m),
        }
    }
}

fn fitted(pairs: &[PointPair], motion: FitMotion, degree: usize) -> Result<Found, FitRefusal> {
    let pairs_needed = motion.pairs_needed(degree);
    let refuse = |reason: String| FitRefusal { reason, pairs_needed };
    if pairs.len() < pairs_needed {
        let what = match motion {
            FitMotion::Polynomial => format!("a polynomial of degree {degree}"),
            _ => "this motion".to_owned(),
        };
        return Err(refuse(format!("{what} needs {pairs_needed} pairs, there are {}", pairs.len())));
    }
    if motion == FitMotion::Polynomial {
        let is_supported = supported_degree(pairs.len(), degree) == degree;
        let warp = is_supported.then(|| fit_warp(pairs, degree)).flatten();
        return warp.map(Found::Bent).ok_or_else(|| refuse("the pairs determine no polynomial".to_owned()));
    }
    let is_turned = motion != FitMotion::Move;
    if is_turned && pairs.iter().all(|pair| pair.in_map.distance_m(pairs[0].in_map) < 1e-9) {
        return Err(refuse("all pairs are one place of the map: it cannot be turned about them".to_owned()));
    }
    let found = fit(pairs, motion.motion()).map(Found::Moved);
    found.ok_or_else(|| refuse("the pairs determine no transform".to_owned()))
}

fn residuals(
    pairs: &[ClickedPair],
    found: &Found,
    motion: FitMotion,
    degree: usize,
    cell_size_m: f64,
) -> Vec<PairResidual> {
    let left_out = |index: usize| {
        let others = pairs.iter().enumerate().filter(|(other, clicked)| *other != index && clicked.is_on);
        let others: Vec<PointPair> = others.map(|(_, clicked)| clicked.pair).collect();
        let pair = pairs[index].pair;
        fitted(&others, motion, degree).ok().map(|found| found.apply(pair.in_map).distance_m(pair.in_truth))
    };
    let residual = |(index, clicked): (usize, &ClickedPair)| {
        let moved = found.apply(clicked.pair.in_map);
        let (dx_m, dy_m) = (clicked.pair.in_truth.x_m - moved.x_m, clicked.pair.in_truth.y_m - moved.y_m);
        let length_m = dx_m.hypot(dy_m);
        let if_left_out_m = if clicked.is_on { left_out(index) } else { Some(length_m) };
        PairResidual { dx_m, dy_m, length_m, length_cells: length_m / cell_size_m, if_left_out_m }
    };
    pairs.iter().enumerate().map(residual).collect()
}

fn bent_map(warp: &Warp, map: &GridGeometry) -> BentMap {
    let (width, height) = (map.width() as f64, map.height() as f64);
    let at = |right: f64, up: f64| warp.apply(map.world_of_grid_point(right * width, up * height));
    let share = |step: usize, steps: usize| step as f64 / (steps - 1) as f64;
    let line = |from: (f64, f64), to: (f64, f64)| -> Vec<[f64; 2]> {
        let point = |step| {
            let along = share(step, LINE_POINTS);
            let place = at(from.0 + along * (to.0 - from.0), from.1 + along * (to.1 - from.1));
            [place.x_m, place.y_m]
        };
        (0..LINE_POINTS).map(point).collect()
    };
    let lines = (0..GRID_LINES).flat_map(|step| {
        let place = share(step, GRID_LINES);
        [line((place, 0.0), (place, 1.0)), line((0.0, place), (1.0, place))]
    });
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
    let outline = corners.windows(2).flat_map(|pair| line(pair[0], pair[1])).collect();
    let mut places = (0..LINE_POINTS).flat_map(|row| (0..LINE_POINTS).map(move |column| (column, row)));
    let folds = places.any(|(column, row)| {
        let place = (share(column, LINE_POINTS) * width, share(row, LINE_POINTS) * height);
        warp.folds_at(map.world_of_grid_point(place.0, place.1))
    });
    BentMap {
        grid: lines.collect(),
        outline,
        folds,
        penalty_m: warp.penalty_m(&DEGREE_WEIGHTS),
        lengths_m: warp.lengths_m()[..=warp.degree].to_vec(),
        rigid_rms_m: warp.rigid_rms_m,
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn clicked(map: (f64, f64), truth: (f64, f64)) -> ClickedPair {
        let pair = PointPair { in_map: Point2::new(map.0, map.1), in_truth: Point2::new(truth.0, truth.1) };
        ClickedPair { pair, is_on: true }
    }

    fn fit_turn(pairs: &[ClickedPair]) -> FittedPairs {
        let geometry = GridGeometry::new(100, 80, 0.1, Pose2::IDENTITY).unwrap();
        fit_pairs(pairs, FitMotion::Turn, 1, &geometry, 0.1)
    }

    #[test]
    fn a_pair_fit_is_that_of_the_method_points() {
        let pairs = [
            clicked((0.0, 0.0), (1.0, 2.0)),
            clicked((2.0, 0.0), (1.0, 4.1)),
            clicked((0.0, 1.0), (0.0, 2.0)),
        ];
        let found = fit_turn(&pairs);
        let plain: Vec<PointPair> = pairs.iter().map(|clicked| clicked.pair).collect();
        let expected = align::align_points(&plain, Motion::Rigid);
        assert_eq!(found.truth_from_map, expected.truth_from_map);
        assert_eq!(found.rms_m, expected.certificate.residual_m);
    }

    #[test]
    fn the_wrong_pair_is_the_one_that_is_far_off_when_left_out() {
        let mut pairs: Vec<_> = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)]
            .map(|at| clicked(at, (at.0 + 1.0, at.1)))
            .to_vec();
        pairs[2].pair.in_truth.x_m += 0.5;
        let found = fit_turn(&pairs);
        let left_out: Vec<f64> = found.residuals.iter().map(|r| r.if_left_out_m.unwrap()).collect();
        assert!(
            (left_out[2] - 0.5).abs() < 1e-9 && left_out.iter().all(|&m| m <= left_out[2]),
            "{left_out:?}"
        );
        assert!(found.residuals[2].length_m < 0.5, "the others pull towards it");
        pairs[2].is_on = false;
        let without = fit_turn(&pairs);
        assert!(without.rms_m.unwrap() < 1e-12, "{without:?}");
        assert!((without.residuals[2].dx_m - 0.5).abs() < 1e-9, "a pair that is off has its residual");
    }

    #[test]
    fn too_few_pairs_are_refused_with_their_number() {
        let geometry = GridGeometry::new(100, 80, 0.1, Pose2::IDENTITY).unwrap();
        let needed =
            |motion, degree| fit_pairs(&[], motion, degree, &geometry, 0.1).refused.unwrap().pairs_needed;
        assert_eq!([1, 2, 3].map(|degree| needed(FitMotion::Polynomial, degree)), [4, 7, 11]);
        assert_eq!([FitMotion::Move, FitMotion::Turn, FitMotion::Scale].map(|m| needed(m, 1)), [1, 2, 2]);
        let one_place = [clicked((1.0, 1.0), (0.0, 0.0)), clicked((1.0, 1.0), (2.0, 0.0))];
        assert!(fit_turn(&one_place).refused.unwrap().reason.contains("one place"));
    }

    #[test]
    fn a_polynomial_bends_the_grid_and_says_what_it_cost() {
        let geometry = GridGeometry::new(100, 80, 0.1, Pose2::IDENTITY).unwrap();
        let bend = |(x, y): (f64, f64)| clicked((x, y), (x, y + 0.02 * x * x));
        let places = (0..4).flat_map(|i| (0..3).map(move |j| (3.0 * f64::from(i), 4.0 * f64::from(j))));
        let pairs: Vec<_> = places.map(bend).collect();
        let found = fit_pairs(&pairs, FitMotion::Polynomial, 2, &geometry, 0.1);
        let bent = found.bent.unwrap();
        assert!(
            found.rms_m.unwrap() < 1e-9 && bent.rigid_rms_m > 0.1,
            "{:?} {}",
            found.rms_m,
            bent.rigid_rms_m
        );
        assert!(!bent.folds && bent.penalty_m > 0.1 && bent.lengths_m.len() == 3);
        assert_eq!(bent.grid.len(), 2 * GRID_LINES);
    }
}
