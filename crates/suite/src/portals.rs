//! The portals of a truth, and which of them a map has or a robot's path passes.

use std::path::{Path, PathBuf};

use formats::{Content, ReadOptions, read_document};
use metrics::paths::ground::Ground;
use metrics::paths::path_inputs::PathInputs;
use metrics::topology::portals::{Portal, passed_by_path, portals};
use model::{Point2, Shape};
use serde::Serialize;

use crate::inputs::MapInput;
use crate::{Job, JobError, Pictures, evaluate};

/// The portals of a truth and how many were found.
#[derive(Debug, Serialize)]
pub struct PortalReport {
    /// All portals.
    pub portals: Vec<FoundPortal>,
    /// N.
    pub total: usize,
    /// n; null if nothing was compared.
    pub found: Option<usize>,
    /// S = n / N; null without a portal, or if nothing was compared.
    pub share: Option<f64>,
}

/// A portal and whether it was found.
#[derive(Debug, Serialize)]
pub struct FoundPortal {
    /// Where and what it is.
    #[serde(flatten)]
    pub portal: Portal,
    /// Whether it was found; null if nothing was compared.
    pub found: Option<bool>,
}

/// What is held against the portals.
#[derive(Clone, Debug)]
pub enum PortalsOf {
    /// Nothing: they are listed only.
    Nothing,
    /// A map: could the robot drive there?
    Map(PathBuf),
    /// A robot's path: did it pass them?
    Path(PathBuf),
}

/// A path passes a portal that it comes this near to, whatever the portal's width. Ours.
const PASSING_M: f64 = 0.5;

/// Finds the portals of a truth and holds a map or a path against them. The job says how maps are read and aligned.
///
/// # Errors
/// A file cannot be read, a parameter makes no sense, or the truth is too large for exact distances.
pub fn find_portals(
    truth: &Path,
    inputs: &PathInputs,
    against: &PortalsOf,
    job: &Job,
) -> Result<PortalReport, JobError> {
    if let Some(fault) = inputs.fault() {
        return Err(JobError::Robot(fault));
    }
    let options = job.read.options()?;
    let ground = Ground::new(&MapInput::read(truth, "truth", &options)?.grid, inputs);
    let found = portals(&ground).map_err(|reason| JobError::Robot(reason.meaning().to_owned()))?;
    drop(ground);
    let verdicts: Option<Vec<bool>> = match against {
        PortalsOf::Nothing => None,
        PortalsOf::Map(map) => Some(on_map(truth, map, inputs, job, &found)?),
        PortalsOf::Path(path) => Some(passed_by_path(&found, &read_path(path, &options)?, PASSING_M)),
    };
    let count = verdicts.as_ref().map(|list| list.iter().filter(|found| **found).count());
    let total = found.len();
    let verdict = |index: usize| verdicts.as_ref().map(|list| list[index]);
    Ok(PortalReport {
        portals: found
            .into_iter()
            .enumerate()
            .map(|(index, portal)| FoundPortal { portal, found: verdict(index) })
            .collect(),
        total,
        found: count,
        share: count.filter(|_| total > 0).map(|count| count as f64 / total as f64),
    })
}

/// Which portals the map has, from `portal_coverage` of the pair; all or none if that is undefined.
fn on_map(
    truth: &Path,
    map: &Path,
    inputs: &PathInputs,
    job: &Job,
    found: &[Portal],
) -> Result<Vec<bool>, JobError> {
    let job = Job {
        truth: Some(truth.to_owned()),
        maps: vec![map.to_owned()],
        metrics: vec!["portal_coverage".to_owned()],
        paths: Some(inputs.clone()),
        ..job.clone()
    };
    let evaluation = evaluate(&job, Pictures::None, &|_| {})?;
    let record = evaluation.report.cases.iter().find_map(|case| case.metric("portal_coverage"));
    let reached = record.and_then(|record| record.detail.get("reached")).and_then(|list| list.as_array());
    let is_reached = |portal: &Portal| reached.is_some_and(|ids| ids.iter().any(|id| *id == portal.id));
    Ok(found.iter().map(is_reached).collect())
}

/// The positions of a trajectory, or the points of the lines of a layer.
fn read_path(path: &Path, options: &ReadOptions) -> Result<Vec<Point2>, JobError> {
    match read_document(path, options)?.content {
        Content::Trajectory(trajectory) => Ok(trajectory
            .poses
            .iter()
            .map(|pose| pose.world_from_robot.position_m)
            .map(|[x_m, y_m, _]| Point2::new(x_m, y_m))
            .collect()),
        Content::Vector(layer) => {
            let lines = layer.features.into_iter().filter_map(|feature| match feature.shape {
                Shape::Lines(lines) => Some(lines.concat()),
                _ => None,
            });
            Ok(lines.flatten().collect())
        }
        other => Err(JobError::Robot(format!(
            "{}: a {}: expected a trajectory or a layer of lines",
            path.display(),
            other.kind().name()
        ))),
    }
}
