//! Mistakes that files come with, each a hypothesis that can be scored at once: the image turned or mirrored on its own
//! rectangle, an origin of zeros, of exchanged numbers or with a yaw in degrees, a wrong cell size. In places of one grid,
//! such as mazes, a search cannot tell them from chance, because every pose fits a little.

use std::f64::consts::{FRAC_PI_2, PI};

use model::{Grid, Pose2, Similarity2};

/// Ratio of neighbouring cell sizes, and how many are tried to both sides.
const SCALE_STEP: f64 = 1.02;
const SCALE_STEPS: i32 = 12;

/// The image turned by 90, 180 or 270 degrees: where the map lies when it is turned back.
pub(super) fn turned(map: &Grid, truth_from_map: Similarity2) -> [Similarity2; 3] {
    let geometry = map.geometry();
    let [width_m, height_m] =
        [geometry.width(), geometry.height()].map(|cells| cells as f64 * geometry.cell_size_m());
    // Each leads the rectangle of the image to where it lies when the image is turned back.
    [
        Pose2::new(width_m, height_m, PI),
        Pose2::new(0.0, width_m, -FRAC_PI_2),
        Pose2::new(height_m, 0.0, FRAC_PI_2),
    ]
    .map(|turn| {
        let world = geometry.origin() * turn * geometry.origin().inverse();
        truth_from_map * Similarity2::from(world)
    })
}

/// Origins as they may have been meant, of the map and of the truth.
pub(super) fn other_origins(truth: &Grid, map: &Grid, truth_from_map: Similarity2) -> Vec<Similarity2> {
    let [of_truth, of_map] = [truth, map].map(|grid| grid.geometry().origin());
    // Cells of the map lie where its origin is right: world of the right origin from that of the stated one.
    let map_meant = |right: Pose2| truth_from_map * Similarity2::from(right * of_map.inverse());
    let truth_meant = |right: Pose2| Similarity2::from(of_truth * right.inverse()) * truth_from_map;
    let mut found = vec![map_meant(of_truth)];
    found.extend(meant(of_map).map(map_meant));
    found.extend(meant(of_truth).map(truth_meant));
    found
}

/// What an origin may have been before it was written down wrongly.
fn meant(origin: Pose2) -> impl Iterator<Item = Pose2> {
    let Pose2 { x_m, y_m, theta_rad } = origin;
    let in_degrees = theta_rad.to_radians();
    let swapped = [Pose2::new(y_m, x_m, theta_rad), Pose2::new(-x_m, -y_m, theta_rad)];
    let turned = [Pose2::new(x_m, y_m, in_degrees)];
    let swapped = swapped.into_iter().filter(move |_| x_m != 0.0 || y_m != 0.0);
    swapped.chain(turned.into_iter().filter(move |_| theta_rad != 0.0))
}

/// Cells of another size, with the origin where it is, and with an origin in the same wrong units.
pub(super) fn other_cell_sizes(map: &Grid, truth_from_map: Similarity2) -> Vec<Similarity2> {
    let origin = map.geometry().origin();
    let steps = (-SCALE_STEPS..=SCALE_STEPS).filter(|step| *step != 0).map(|step| SCALE_STEP.powi(step));
    let mut found = Vec::new();
    for scale in steps.chain([0.5, 2.0]) {
        let (x_m, y_m) = (origin.x_m * (1.0 - scale), origin.y_m * (1.0 - scale));
        found.push(truth_from_map * Similarity2::new(x_m, y_m, 0.0, scale));
        if x_m != 0.0 || y_m != 0.0 {
            found.push(truth_from_map * Similarity2::new(0.0, 0.0, 0.0, scale));
        }
    }
    found
}
