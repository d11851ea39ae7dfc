//! The portals of a truth, and which of them a map has or a robot's path passes.

use formats::Content;
use metrics::MetricEvidence;
use metrics::paths::ground::Ground;
use metrics::paths::path_inputs::PathInputs;
use metrics::topology::portals::{Portal, passed_by_path, portals};
use model::{Point2, Shape};
use serde::Serialize;

use crate::judge::check_map_memory;
use crate::{JobError, Loaded, Map, Plan, Subject, Truth, judge};

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
    Map(Box<Subject>),
    /// A robot's path: did it pass them?
    Path(Vec<Point2>),
}

/// A path passes a portal that it comes this near to, whatever the portal's width. Ours.
const PASSING_M: f64 = 0.5;

/// Finds the portals of a truth and holds a map or a path against them. The plan says how the map is aligned.
///
/// # Errors
/// A parameter makes no sense, or the truth is too large for exact distances.
pub fn find_portals(
    truth: &Loaded<Map>,
    inputs: &PathInputs,
    against: &PortalsOf,
    plan: &Plan,
) -> Result<PortalReport, JobError> {
    if let Some(fault) = inputs.fault() {
        return Err(JobError::Robot(fault));
    }
    check_map_memory(&truth.value.grid, metrics::Family::Topology)?;
    let ground = Ground::new(&truth.value.grid, inputs);
    let found = portals(&ground).map_err(|reason| JobError::Robot(reason.meaning().to_owned()))?;
    drop(ground);
    let verdicts: Option<Vec<bool>> = match against {
        PortalsOf::Nothing => None,
        PortalsOf::Map(subject) => Some(on_map(truth, subject, inputs, plan, &found)?),
        PortalsOf::Path(path) => Some(passed_by_path(&found, path, PASSING_M)),
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

/// Which portals the map has, from `portal_coverage` of the pair; none if that is undefined.
fn on_map(
    truth: &Loaded<Map>,
    subject: &Subject,
    inputs: &PathInputs,
    plan: &Plan,
    found: &[Portal],
) -> Result<Vec<bool>, JobError> {
    let plan =
        Plan { metrics: vec!["portal_coverage".to_owned()], paths: Some(inputs.clone()), ..plan.clone() };
    let truth = Truth { map: Some(truth.clone()), ..Truth::default() };
    let report = judge(subject, &truth, &plan)?;
    let evidence = report.metric("portal_coverage").and_then(|record| record.evidence.of_metric.as_ref());
    let Some(MetricEvidence::Portals(portals)) = evidence else { return Ok(vec![false; found.len()]) };
    Ok(found.iter().map(|portal| portals.reached.contains(&portal.id)).collect())
}

/// The positions of a trajectory, or the points of the lines of a layer; none of anything else.
#[must_use]
pub fn path_points(content: &Content) -> Option<Vec<Point2>> {
    match content {
        Content::Trajectory(trajectory) => {
            let positions = trajectory.poses.iter().map(|pose| pose.world_from_robot.position_m);
            Some(positions.map(|[x_m, y_m, _]| Point2::new(x_m, y_m)).collect())
        }
        Content::Vector(layer) => {
            let lines = layer.features.iter().filter_map(|feature| match &feature.shape {
                Shape::Lines(lines) => Some(lines.concat()),
                _ => None,
            });
            Some(lines.flatten().collect())
        }
        _ => None,
    }
}
