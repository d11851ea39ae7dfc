//! Mistakes that files come with, tried one by one on a sample of the walls: the image turned or mirrored on its own
//! rectangle, and a wrong cell size about a right origin. In places of one grid, such as mazes, a search cannot tell them
//! from chance, because every pose fits a little.

use std::f64::consts::{FRAC_PI_2, PI};

use model::{Grid, Pose2, Similarity2};

use super::sampled_fit::sampled_fit;
use super::{BetterFrame, MIN_GAIN, Misfit};
use crate::Certificate;
use crate::correlative::mirror_image;

/// What a mistake must gain in score. Few are tried, so that chance gains less than in a search.
const MIN_RISE: f64 = 0.2;
/// Ratio of neighbouring cell sizes, and how many are tried to both sides.
const SCALE_STEP: f64 = 1.02;
const SCALE_STEPS: i32 = 12;

/// The image turned by 90, 180 or 270 degrees, mirrored, or upside down.
pub(super) fn turned_or_mirrored(
    truth: &Grid,
    map: &Grid,
    truth_from_map: Similarity2,
    score: f64,
) -> Option<BetterFrame> {
    let geometry = map.geometry();
    let (width_m, height_m) =
        (geometry.width() as f64 * geometry.cell_size_m(), geometry.height() as f64 * geometry.cell_size_m());
    // Each leads the rectangle of the image to where it lies when the image is turned back.
    let undone = |turn: Pose2| {
        let world = geometry.origin() * turn * geometry.origin().inverse();
        truth_from_map * Similarity2::from(world)
    };
    let half = undone(Pose2::new(width_m, height_m, PI));
    let right = undone(Pose2::new(0.0, width_m, -FRAC_PI_2));
    let left = undone(Pose2::new(height_m, 0.0, FRAC_PI_2));
    let fit = |misfit, grid: &Grid, truth_from_map| {
        let score = sampled_fit(truth, grid, truth_from_map)?;
        Some(BetterFrame { misfit, truth_from_map, score })
    };
    let turned = [half, right, left].map(|transform| fit(Misfit::Moved, map, transform));
    let image = mirror_image(map)?;
    let mirrored = [truth_from_map, half].map(|transform| fit(Misfit::Mirrored, &image, transform));
    best(turned.into_iter().chain(mirrored), score)
}

/// Cells of another size, with the origin where it is.
pub(super) fn wrong_cell_size(
    truth: &Grid,
    map: &Grid,
    truth_from_map: Similarity2,
    score: f64,
) -> Option<BetterFrame> {
    let origin = map.geometry().origin();
    let steps = (-SCALE_STEPS..=SCALE_STEPS).filter(|step| *step != 0).map(|step| SCALE_STEP.powi(step));
    let fits = steps.chain([0.5, 2.0]).map(|scale| {
        let about_origin =
            Similarity2::new(origin.x_m * (1.0 - scale), origin.y_m * (1.0 - scale), 0.0, scale);
        let truth_from_map = truth_from_map * about_origin;
        let score = sampled_fit(truth, map, truth_from_map)?;
        Some(BetterFrame { misfit: Misfit::Scaled, truth_from_map, score })
    });
    best(fits, score)
}

/// The best of some mistakes, if it explains most of what does not fit.
fn best(fits: impl Iterator<Item = Option<BetterFrame>>, score: f64) -> Option<BetterFrame> {
    let best = fits.flatten().max_by(|a, b| a.score.total_cmp(&b.score))?;
    let explains = best.score - score >= MIN_RISE && Certificate::gain(best.score, score) >= MIN_GAIN;
    explains.then_some(best)
}
