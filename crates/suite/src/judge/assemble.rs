//! Step 2: everything that the metrics of a case read, in the coordinate frame of the truth.

use align::{CommonGridError, common_grid};
use metrics::annotation::inputs::{AnnotationInputs, Annotations};
use metrics::annotation::red_marks::{MAX_MARKS, red_marks};
use metrics::contest::marked_points::PointInputs;
use metrics::fiducials::{FiducialInputs, LayoutFrame};
use metrics::paths::path_inputs::PathInputs;
use metrics::{Case, Family, Reason};
use model::{Finding, Grid, Level, Pose2};

use super::placement::Placement;
use super::runs::{JudgedRun, Poses, judged_run};
use super::selection::Chosen;
use crate::{AlignBy, JobError, Plan, Subject, Truth};

/// A case, and how its run was matched.
pub(super) struct Assembled {
    pub(super) case: Case,
    pub(super) run: Option<JudgedRun>,
    /// What to know about the annotations that were taken from the map itself.
    pub(super) findings: Vec<Finding>,
}

/// Brings the parts of a subject and of the truth together.
pub(super) fn assemble(
    (subject, truth, poses): (&Subject, &Truth, Poses<'_>),
    plan: &Plan,
    chosen: &[Chosen],
    placement: Option<&Placement>,
) -> Result<Assembled, JobError> {
    let mut case = match (&subject.map, placement) {
        (Some(_), Some(placement)) => on_one_grid(subject, truth, plan, placement)?,
        (Some(map), None) => Case::of_map_alone(map.value.grid.clone()),
        (None, _) => Case::without_maps(),
    };
    case = with_fiducials(case, subject, truth, plan, placement);
    let mut findings = Vec::new();
    case = with_annotations(case, subject, truth, placement, &mut findings);
    if let Some(robot) = robot(plan, chosen, &case) {
        case = case.with_paths(robot);
    }
    if let (Some(submission), Some(points)) = (&subject.points, &truth.points) {
        let (truth, submission) = (points.value.clone(), submission.value.clone());
        case = case.with_points(PointInputs { truth, submission });
    }
    let Some(mut run) = judged_run(poses, (subject, truth), plan)? else {
        return Ok(Assembled { case, run: None, findings });
    };
    case = match run.runs.take() {
        Some(runs) => case.with_run(runs),
        None => case,
    };
    Ok(Assembled { case, run: Some(run), findings })
}

/// Both maps on the cells of the window, or why there is none.
fn on_one_grid(
    subject: &Subject,
    truth: &Truth,
    plan: &Plan,
    placement: &Placement,
) -> Result<Case, JobError> {
    let (Some(map), Some(true_map)) = (&subject.map, &truth.map) else { return Ok(Case::without_maps()) };
    let truth_from_map = match placement.usable() {
        Ok(truth_from_map) => truth_from_map,
        Err(reason) => return Ok(Case::without_grids(reason)),
    };
    let grids =
        common_grid(&true_map.value.grid, &map.value.grid, truth_from_map, plan.window, plan.resample);
    match grids {
        Ok(grids) if placement.is_searched() => Ok(Case::new(grids).aligned_by_search()),
        Ok(grids) => Ok(Case::new(grids)),
        Err(CommonGridError::EmptyWindow) => Ok(Case::without_grids(Reason::EmptyWindow)),
        Err(source) => Err(JobError::CommonGrid { map: subject.name.clone(), source }),
    }
}

/// Adds the layout. Without a true map the plan says whether the map lies on it already.
fn with_fiducials(
    case: Case,
    subject: &Subject,
    truth: &Truth,
    plan: &Plan,
    placement: Option<&Placement>,
) -> Case {
    let (Some(map), Some(layout)) = (&subject.map, &truth.layout) else { return case };
    let frame = match placement {
        // A transform that may not be used, or that scales, is left to the fiducials.
        Some(placement) => placement.usable().ok().filter(|t| t.scale == 1.0).map(|t| t.pose()),
        None if matches!(plan.align, AlignBy::None) => Some(Pose2::IDENTITY),
        None => None,
    };
    case.with_fiducials(FiducialInputs {
        layout: layout.value.clone(),
        map: map.value.grid.clone(),
        frame: frame.map_or(LayoutFrame::Unknown, LayoutFrame::Known),
        search: plan.fiducials,
    })
}

/// Adds the annotations of map and truth, in the coordinate frame of the truth. Red cells of a navigation layer are
/// reports of victims too.
fn with_annotations(
    case: Case,
    subject: &Subject,
    truth: &Truth,
    placement: Option<&Placement>,
    findings: &mut Vec<Finding>,
) -> Case {
    if subject.annotations.is_none() && truth.annotations.is_none() {
        return case;
    }
    let Some(placement) = placement else { return case };
    match placement.usable() {
        Ok(truth_from_map) => {
            let mut map = subject.annotations.as_ref().map(|given| given.value.clone()).unwrap_or_default();
            if let Some(marked) = &subject.map {
                findings.extend(add_red_marks(&mut map, &marked.value.grid));
            }
            case.with_annotations(AnnotationInputs {
                map: map.moved(truth_from_map),
                truth: truth.annotations.as_ref().map(|given| given.value.clone()).unwrap_or_default(),
            })
        }
        Err(reason) => case.without_annotations(reason),
    }
}

fn add_red_marks(annotations: &mut Annotations, grid: &Grid) -> Option<Finding> {
    match red_marks(grid) {
        Ok(marks) if marks.is_empty() => None,
        Ok(marks) => {
            let listed = annotations.add_red_marks(&marks);
            let message = format!(
                "{} victims are marked in red in the navigation layer, {listed} of them listed in a vector layer too",
                marks.len()
            );
            Some(Finding::new(Level::Info, "VICTIMS_MARKED", message))
        }
        Err(count) => {
            let message = format!("{count} separate groups of red cells: not read as victims");
            let hint = format!("mark each victim by one group of red cells; at most {MAX_MARKS} are read");
            Some(Finding::warning("RED_CELLS_SCATTERED", message).hint(hint))
        }
    }
}

/// The robot of the path family: as the plan says, or the default one if the family was asked for or a skeleton drawn.
fn robot(plan: &Plan, chosen: &[Chosen], case: &Case) -> Option<PathInputs> {
    let plans_paths = |c: &Chosen| {
        let spec = c.metric.spec();
        matches!(spec.family, Family::Paths | Family::Topology) || spec.id == "utility"
    };
    let is_asked = !plan.metrics.is_empty() && chosen.iter().any(plans_paths);
    let given = case.annotations().ok();
    let skeleton = given.and_then(|given| given.map.skeleton.clone());
    let truth_skeleton = given.and_then(|given| given.truth.skeleton.clone());
    let is_drawn = skeleton.is_some() || truth_skeleton.is_some();
    let robot = plan.paths.clone().or_else(|| (is_asked || is_drawn).then(PathInputs::default))?;
    Some(PathInputs {
        skeleton: skeleton.or(robot.skeleton.clone()),
        truth_skeleton: truth_skeleton.or(robot.truth_skeleton.clone()),
        ..robot
    })
}
