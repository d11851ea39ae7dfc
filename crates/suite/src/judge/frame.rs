//! Whether two maps that nobody aligned lie in one frame, and whether both are what they are taken for.
//!
//! Origins are trusted, but not blindly: a map in another frame, a mirror image, a wrong cell size, swapped colours or
//! swapped arguments give numbers that look like those of a bad map. Nothing is corrected here; it is said.

use std::sync::Arc;

use align::{
    BetterFrame, FrameProbe, GOOD_FIT, MapTexture, Misfit, ProbedTruth, class_agreement, probe_frame,
    sampled_fit,
};
use metrics::Reason;
use model::{CellClass, Finding, Grid, Point2, Similarity2};

use crate::Map;

/// What there is to say about a transform that nobody searched.
#[derive(Default)]
pub(super) struct FrameCheck {
    pub(super) findings: Vec<Finding>,
    /// Every value carries this.
    pub(super) warning: Option<Reason>,
    /// No value may be computed.
    pub(super) refusal: Option<Reason>,
}

impl FrameCheck {
    fn doubt(finding: Finding, reason: Reason) -> Self {
        Self { findings: vec![finding], warning: Some(reason), refusal: None }
    }
}

/// Sizes of cells, and ratios of those of truth and map, in which a frame is looked at.
const CELL_SIZES_M: std::ops::RangeInclusive<f64> = 0.001..=10.0;
const CELL_RATIOS: std::ops::RangeInclusive<f64> = 0.05..=20.0;
/// Neighbours that agree less than this are no map.
const MIN_AGREEMENT: f64 = 0.1;
/// A map in which fewer or more of the known cells are occupied has too little structure to be called random.
const RANDOM_OCCUPIED: std::ops::RangeInclusive<f64> = 0.02..=0.98;
/// More than this share of occupied cells in one map, and less than the rest of 1 in the other, suggests swapped colours.
const MOSTLY_OCCUPIED: f64 = 0.6;
/// Share of the cells known to both that must differ in class before swapped colours are thought of: 1 minus this.
const MIN_CLASS_AGREEMENT: f64 = 0.4;
/// A truth with a larger share of occupied cells has a wall near everything, also near random cells.
const DENSE: f64 = 0.4;
/// Open borders of a robot's map, at least, and of a finished plan, at most.
const OPEN_BORDERS: (f64, f64) = (0.05, 0.005);

/// Looks at two maps under a given transform.
pub(super) fn check_frame(map: &Map, true_map: &Map, truth_from_map: Similarity2) -> FrameCheck {
    let (truth, map) = (true_map.probed(), &map.grid);
    if !truth.has_known_cells() {
        let finding = Finding::warning("NO_KNOWN_CELLS_IN_TRUTH", "every cell of the truth is unknown")
            .hint("check the thresholds and the image of the truth");
        return FrameCheck {
            findings: vec![finding],
            refusal: Some(Reason::NoKnownGt),
            ..FrameCheck::default()
        };
    }
    if !are_comparable(truth.grid(), map) {
        return FrameCheck::default();
    }
    // What a map is goes before where it lies: random or negated cells may fit better elsewhere by chance.
    if class_agreement(&truth, map, truth_from_map).is_some_and(|agreement| agreement < MIN_CLASS_AGREEMENT)
        && let Some(finding) = swapped_classes(&truth, map, truth_from_map)
    {
        return FrameCheck::doubt(finding, Reason::MapNegated);
    }
    let Some(FrameProbe { score, better }) = probe_frame(&truth, map, truth_from_map) else {
        return FrameCheck::default();
    };
    if (score < GOOD_FIT || is_dense(&truth))
        && let Some(finding) = random_cells(map)
    {
        return FrameCheck { findings: vec![finding], ..FrameCheck::default() };
    }
    let Some(better) = better else {
        let findings = swapped_arguments(&truth, map).into_iter().collect();
        return FrameCheck { findings, ..FrameCheck::default() };
    };
    doubt_of(map, truth_from_map, &better, score)
}

/// What a better transform says about the given one.
fn doubt_of(map: &Grid, given: Similarity2, better: &BetterFrame, score: f64) -> FrameCheck {
    let [better_score, score] = [better.score, score].map(|score| report::fixed(score, 2));
    let scores = format!("score {better_score} instead of {score}");
    match better.misfit {
        Misfit::Moved => FrameCheck::doubt(moved(map, given, better, &scores), Reason::FrameDoubtful),
        Misfit::Mirrored => {
            let message = format!("the mirror image of the map fits far better: {scores}");
            let hint = "export the map again with its axes the right way round";
            FrameCheck::doubt(Finding::warning("MAP_MIRRORED", message).hint(hint), Reason::MapMirrored)
        }
        Misfit::Scaled => {
            let size_m = map.geometry().cell_size_m();
            let message = format!(
                "cells of {:.4} m instead of {size_m:.4} m fit far better: {scores}",
                size_m * better.truth_from_map.scale
            );
            let hint = "check the resolution of the map and of the truth";
            FrameCheck::doubt(Finding::warning("SCALE_DOUBTFUL", message).hint(hint), Reason::ScaleDoubtful)
        }
    }
}

/// Whether the cells of both maps are of sizes that robots use; a search in others says nothing.
fn are_comparable(truth: &Grid, map: &Grid) -> bool {
    let sizes_m = [truth, map].map(|grid| grid.geometry().cell_size_m());
    let ratio = sizes_m[0] / sizes_m[1];
    sizes_m.iter().all(|size_m| CELL_SIZES_M.contains(size_m)) && CELL_RATIOS.contains(&ratio)
}

/// Another place of the map, as the movement of its middle.
fn moved(map: &Grid, given: Similarity2, better: &BetterFrame, scores: &str) -> Finding {
    let geometry = map.geometry();
    let middle: Point2 =
        geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0);
    let (from, to) = (given * middle, better.truth_from_map * middle);
    let [right, up] = [to.x_m - from.x_m, to.y_m - from.y_m].map(|metres| report::fixed(metres, 2));
    let shift = format!("a shift of {right}, {up} m");
    let yaw_deg = model::wrap(better.truth_from_map.theta_rad - given.theta_rad).to_degrees();
    let movement = if yaw_deg.abs() < 0.5 {
        shift
    } else {
        let yaw = report::fixed(yaw_deg, 1);
        format!("a rotation by {yaw} degrees about the middle of the map and {shift}")
    };
    let message = format!("{movement} fits far better: {scores}");
    Finding::warning("FRAME_DOUBTFUL", message)
        .hint("use align = auto, or correct the origin of the map or of the truth")
}

fn is_dense(truth: &ProbedTruth) -> bool {
    truth.texture().is_some_and(|texture| texture.occupied > DENSE)
}

/// Cells that agree with their neighbours no more often than by chance.
fn random_cells(map: &Grid) -> Option<Finding> {
    let texture = MapTexture::of(map)?;
    let is_random =
        texture.neighbour_agreement < MIN_AGREEMENT && RANDOM_OCCUPIED.contains(&texture.occupied);
    is_random.then(|| {
        let message = format!(
            "neighbouring cells of the map agree hardly more often than by chance ({} of 1)",
            report::fixed(texture.neighbour_agreement, 2)
        );
        Finding::warning("MAP_WITHOUT_STRUCTURE", message).hint("check that the image is the one of the map")
    })
}

/// A map that fits better when free and occupied cells change places.
fn swapped_classes(truth: &ProbedTruth, map: &Grid, truth_from_map: Similarity2) -> Option<Finding> {
    let (in_truth, in_map) = (truth.texture()?.occupied, MapTexture::of(map)?.occupied);
    let who = match (in_map > MOSTLY_OCCUPIED, in_truth > MOSTLY_OCCUPIED) {
        (true, false) if in_truth < 1.0 - MOSTLY_OCCUPIED => "map",
        (false, true) if in_map < 1.0 - MOSTLY_OCCUPIED => "truth",
        _ => return None,
    };
    let score = sampled_fit(truth, map, truth_from_map)?;
    let swapped = match who {
        "map" => sampled_fit(truth, &negative(map)?, truth_from_map)?,
        _ => sampled_fit(&ProbedTruth::new(Arc::new(negative(truth.grid())?)), map, truth_from_map)?,
    };
    (swapped > score).then(|| {
        let [swapped, score] = [swapped, score].map(|score| report::fixed(score, 2));
        let message = format!(
            "free and occupied seem to have changed places in the {who}: swapped, it fits far better (score {swapped} \
             instead of {score})"
        );
        Finding::warning("MAP_NEGATED", message).hint("check `negate` and the colours of the image")
    })
}

/// The map with free and occupied cells exchanged.
fn negative(map: &Grid) -> Option<Grid> {
    let swapped = |class: &CellClass| match class {
        CellClass::Free => CellClass::Occupied,
        CellClass::Occupied => CellClass::Free,
        CellClass::Unknown => CellClass::Unknown,
    };
    Grid::new(*map.geometry(), map.classes().iter().map(swapped).collect()).ok()
}

/// A truth that borders on the unknown as the map of a robot does, judged by a map that is closed like a plan.
fn swapped_arguments(truth: &ProbedTruth, map: &Grid) -> Option<Finding> {
    let in_truth = truth.texture().filter(|texture| texture.open_borders >= OPEN_BORDERS.0)?;
    (MapTexture::of(map)?.open_borders <= OPEN_BORDERS.1).then(|| {
        let message = format!(
            "free space of the truth borders on unknown cells ({:.0} % of its border) as in the map of a robot, that of \
             the map nowhere: map and truth may have been exchanged",
            100.0 * in_truth.open_borders
        );
        Finding::warning("TRUTH_LIKE_A_ROBOT_MAP", message).hint("name the ground truth as truth, the robot's map as map")
    })
}
