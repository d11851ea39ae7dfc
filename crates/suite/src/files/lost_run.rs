//! The files of [`relocalize`]: a map, a log, and the true poses.

use std::path::Path;

use super::Loader;
use super::names::shown_path;
use crate::JobError;
use crate::relocalize::{LostPlan, Relocalized, relocalize};

/// Reads a map, a log and the true poses, and lets robots find themselves.
///
/// # Errors
/// A file cannot be read; nothing tells the true poses; the map has no walls or no free cell; there are too few scans.
pub fn relocalize_files(
    map: &Path,
    log: &Path,
    truth: Option<&Path>,
    plan: &LostPlan,
    loader: &Loader,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Relocalized, JobError> {
    let grid = loader.map(map)?.value.grid;
    let sensor_log = loader.log(log)?.value;
    let trajectory = truth.map(|path| loader.trajectory(path)).transpose()?;
    let starts = relocalize(&grid, &sensor_log, trajectory.as_ref().map(|t| &t.value), plan, progress)?;
    Ok(Relocalized::of(shown_path(map), shown_path(log), plan.rules, starts))
}
