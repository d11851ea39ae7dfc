//! The place that is explored, and where robots start in it.

use explore::{Discomfort, ExploreError, Terrain, Transform};
use formats::read_map;
use model::{Grid, Point2, Pose2};

use super::ExploreJob;
use crate::{JobError, read_arena};

/// The truth of a place and the start of the first robot.
pub(super) fn place_and_start(job: &ExploreJob) -> Result<(Grid, Pose2), JobError> {
    let is_plan = job.place.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    if !(is_plan || job.place.is_dir()) {
        let truth = read_map(&job.place, &job.read)?.grid;
        let start = job.start.ok_or(JobError::Incomplete("start"))?;
        return Ok((truth, start));
    }
    let arena = read_arena(&job.place)?;
    let lowest_m = arena.slice_heights_m.iter().copied().fold(f64::INFINITY, f64::min);
    let truth = arena.truth(if lowest_m.is_finite() { lowest_m } else { 0.0 })?;
    Ok((truth, job.start.unwrap_or(arena.start)))
}

/// Starts of all robots: the first as given, the others at the nearest places by the way where they fit.
pub(super) fn starts(truth: &Grid, first: Pose2, job: &ExploreJob) -> Result<Vec<Pose2>, JobError> {
    let mut starts = vec![first];
    if job.robots == 1 {
        return Ok(starts);
    }
    let geometry = truth.geometry();
    let ground = Discomfort { alpha: 0.0, ..job.params.planning.discomfort };
    let mut terrain = Terrain::of(geometry, truth.classes(), &ground)?;
    let outside = || ExploreError::Start { x_m: first.x_m, y_m: first.y_m };
    let cell = geometry.cell_at(Point2::new(first.x_m, first.y_m)).ok_or_else(outside)?;
    let cell = geometry.index_of(cell);
    terrain.allow_leaving(cell);
    let transform = Transform::to_goals(&terrain, &[cell as u32], None);
    let reached = (0..geometry.cells()).filter_map(|cell| Some((transform.phi(cell)?, cell)));
    let mut reached: Vec<(f64, usize)> = reached.collect();
    reached.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let apart_m = 2.0 * job.params.planning.robot_radius_m + 0.2;
    for (_, cell) in reached {
        let place = geometry.center_of(geometry.cell_of(cell));
        let is_apart = |other: &Pose2| (other.x_m - place.x_m).hypot(other.y_m - place.y_m) >= apart_m;
        if starts.len() < job.robots && starts.iter().all(is_apart) {
            starts.push(Pose2::new(place.x_m, place.y_m, first.theta_rad));
        }
    }
    if starts.len() < job.robots {
        let why = format!("there is room for {} robots at the start, not for {}", starts.len(), job.robots);
        return Err(JobError::Robot(why));
    }
    Ok(starts)
}
