//! The edge of exploration: places from files.

use std::path::PathBuf;

use formats::{ReadOptions, read_map};
use model::{Grid, Pose2};

use super::{ExplorePlan, Explored, explore_map};
use crate::files::shown_path as shown;
use crate::{JobError, read_arena};

/// A file to explore.
#[derive(Clone, Debug)]
pub struct ExploreJob {
    /// A truth map, the plan of an arena, or the folder of an arena.
    pub place: PathBuf,
    /// How a map is read.
    pub read: ReadOptions,
    /// Where the first robot starts; without it where the arena has its start.
    pub start: Option<Pose2>,
    /// How it is explored.
    pub plan: ExplorePlan,
}

/// Explores the place of a file. `progress` is told the known share of the reachable area, 0 to 1.
///
/// # Errors
/// The place cannot be read, there is no start or no room for the robots, or a parameter makes no sense.
pub fn explore_place(job: &ExploreJob, progress: &dyn Fn(f64)) -> Result<Explored, JobError> {
    let (truth, start) = place_and_start(job)?;
    let mut explored = explore_map(&truth, start, &job.plan, progress)?;
    explored.report.place = shown(&job.place);
    Ok(explored)
}

/// The truth of a place and the start of the first robot.
fn place_and_start(job: &ExploreJob) -> Result<(Grid, Pose2), JobError> {
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

#[cfg(test)]
mod tests {
    use explore::{Laser, RunParams};

    use super::*;
    use crate::Comparison;

    #[test]
    fn a_map_without_a_start_says_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("place.txt");
        std::fs::write(&place, "resolution: 0.05\norigin: 0 0 0\n###\n#.#\n###\n").unwrap();
        let (laser, params) = (Laser::default(), RunParams::default());
        let plan = ExplorePlan { robots: 1, laser, params, comparison: Comparison::None };
        let job = ExploreJob { place, read: ReadOptions::default(), start: None, plan };
        let error = explore_place(&job, &|_| {}).unwrap_err();
        assert!(error.to_string().contains("start"), "{error}");
    }
}
