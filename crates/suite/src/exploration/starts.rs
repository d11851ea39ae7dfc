//! Where robots start.

use explore::{Discomfort, ExploreError, Terrain, Transform};
use model::{Grid, Point2, Pose2};

use super::ExplorePlan;
use crate::JobError;

/// Starts of all robots: the first as given, the others at the nearest places by path length where they fit.
pub(super) fn starts(truth: &Grid, first: Pose2, plan: &ExplorePlan) -> Result<Vec<Pose2>, JobError> {
    let mut starts = vec![first];
    if plan.robots == 1 {
        return Ok(starts);
    }
    let geometry = truth.geometry();
    let ground = Discomfort { alpha: 0.0, ..plan.params.planning.discomfort };
    let mut terrain = Terrain::of(geometry, truth.classes(), &ground)?;
    let outside = || ExploreError::Start { x_m: first.x_m, y_m: first.y_m };
    let cell = geometry.cell_at(Point2::new(first.x_m, first.y_m)).ok_or_else(outside)?;
    let cell = geometry.index_of(cell);
    terrain.allow_leaving(cell);
    let transform = Transform::to_goals(&terrain, &[cell as u32], None);
    let reached = (0..geometry.cells()).filter_map(|cell| Some((transform.phi(cell)?, cell)));
    let mut reached: Vec<(f64, usize)> = reached.collect();
    reached.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let apart_m = 2.0 * plan.params.planning.robot_radius_m + 0.2;
    for (_, cell) in reached {
        let place = geometry.center_of(geometry.cell_of(cell));
        let is_apart = |other: &Pose2| (other.x_m - place.x_m).hypot(other.y_m - place.y_m) >= apart_m;
        if starts.len() < plan.robots && starts.iter().all(is_apart) {
            starts.push(Pose2::new(place.x_m, place.y_m, first.theta_rad));
        }
    }
    if starts.len() < plan.robots {
        let why = format!("there is room for {} robots at the start, not for {}", starts.len(), plan.robots);
        return Err(JobError::Robot(why));
    }
    Ok(starts)
}
