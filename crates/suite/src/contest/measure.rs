//! One submission: every part of it judged by itself, so that whatever is wrong with one part stays with it.

use metrics::contest::point_rules::PointRules;
use metrics::{Make, Quantity, SampleUnit, Samples};
use serde_json::json;

use super::artifact_points::artifact_points;
use super::character_matrix::matrix_score;
use super::entrants::{Contest, Fault, FaultKind, FileFinding, Mission, Reads, Submission, reads};
use super::false_alarms::false_alarms;
use super::hand_frame::{as_searched, hand_table};
use super::measured::Measured;
use super::missing_truth::needs_layout_alone;
use super::role::Role;
use super::sheet_tables::sheet_tables;
use crate::{JobError, Plan, Resampling, Subject, judge};

/// Measures a submission. A submission that cannot be scored is a result too.
pub(super) fn measure(
    contest: &Contest,
    mission: &Mission,
    plan: &Plan,
    submission: &Submission,
) -> Measured {
    let is_required = |role: &Role| contest.profile.inputs.get(role).is_some_and(|rule| rule.required);
    let mut measured = Measured::default();
    let is_missing = |fault: &Fault| fault.kind == FaultKind::Missing;
    let missing = submission.faults.iter().find(|(role, fault)| is_missing(fault) && is_required(role));
    if let Some((role, Fault { why, .. })) = missing {
        return Measured::broken(format!("{}: {why}", role.name()));
    }
    measured.findings.clone_from(&submission.findings);
    measured.inputs.clone_from(&submission.inputs);
    let place = Place { contest, mission, plan, submission };
    let steps: [(Role, Step); 5] = [
        (Role::Map, measure_map),
        (Role::Points, measure_points),
        (Role::Trajectory, measure_trajectory),
        (Role::Artifacts, measure_artifacts),
        (Role::Matrix, measure_matrix),
    ];
    let of_kind = |kind: FaultKind| {
        let faults = submission.faults.iter().filter(move |(_, fault)| fault.kind == kind);
        faults.map(|(role, fault)| (*role, fault.why.clone())).collect::<Vec<_>>()
    };
    let mut whys = of_kind(FaultKind::Unreadable);
    for (role, step) in &steps {
        if let Err(error) = step(&place, &mut measured) {
            whys.push((*role, error.to_string()));
        }
    }
    let ambiguous = of_kind(FaultKind::Ambiguous);
    // Victims and paths may also stand in other layers; a missing file of theirs decides nothing.
    let missing =
        of_kind(FaultKind::Missing).into_iter().filter(|(role, _)| steps.iter().any(|(r, _)| r == role));
    for (role, why) in missing.chain(ambiguous.clone()).chain(whys.clone()) {
        measured.undefined.insert(role.name().to_owned(), why);
    }
    let undecided = ambiguous.into_iter().find(|(role, _)| is_required(role));
    let undecided = undecided.map(|(role, why)| format!("{}: {why}", role.name()));
    measured.undecided = undecided.or(measured.undecided);
    if let Some((role, why)) = whys.into_iter().find(|(role, _)| is_required(role)) {
        measured.broken = Some(format!("{}: {why}", role.name()));
    }
    measured.automatic = as_searched(submission).map(|searched| {
        let mut automatic = measure(contest, mission, plan, &searched);
        automatic.figures.clear();
        Box::new(automatic)
    });
    let by_hand = submission.transform.as_ref().and_then(|chosen| hand_table(chosen, &measured));
    measured.tables = by_hand.into_iter().chain(sheet_tables(&measured.cases)).collect();
    let file = submission.inputs.iter().find(|input| input.role == Role::Victims.name());
    let file = file.map_or_else(String::new, |input| input.path.clone());
    let found = false_alarms(&measured.cases).map(|finding| FileFinding { file, finding });
    measured.findings.extend(found);
    measured
}

/// What a step of the measurement sees.
struct Place<'a> {
    contest: &'a Contest,
    mission: &'a Mission,
    plan: &'a Plan,
    submission: &'a Submission,
}

type Step = fn(&Place<'_>, &mut Measured) -> Result<(), JobError>;

impl Place<'_> {
    /// The plan with the metrics of one part of the subject.
    fn plan_for(&self, part: Reads) -> Plan {
        let mut plan = self.plan.clone();
        plan.metrics.retain(|id| reads(id) == part);
        plan.set.retain(|id, _| reads(id) == part);
        plan
    }

    /// Judges one part of the subject and keeps report, samples and figures.
    fn judge(&self, part: &Subject, plan: &Plan, measured: &mut Measured) -> Result<(), JobError> {
        // An empty list would ask for everything, and its records would stand beside those of the owner.
        if plan.metrics.is_empty() {
            return Ok(());
        }
        let plan = Plan { resampling: Resampling::Keep, ..plan.clone() };
        measured.add(judge(part, &self.mission.truth, &plan)?);
        Ok(())
    }
}

/// What the truth lacks leaves a value undefined; it never breaks a submission.
fn no_truth(measured: &mut Measured, role: Role, what: &str) -> Result<(), JobError> {
    measured.undefined.insert(role.name().to_owned(), format!("the contest names no true {what}"));
    Ok(())
}

fn measure_map(place: &Place<'_>, measured: &mut Measured) -> Result<(), JobError> {
    let subject = &place.submission.subject;
    if subject.map.is_none() {
        return Ok(());
    }
    let mut plan = place.plan_for(Reads::Map);
    if place.mission.truth.map.is_none() {
        // A layout is all that fiducials need.
        plan.metrics.retain(|id| needs_layout_alone(id));
        plan.set.retain(|id, _| needs_layout_alone(id));
        if plan.metrics.is_empty() || place.mission.truth.layout.is_none() {
            return no_truth(measured, Role::Map, "map");
        }
    }
    let part = Subject { trajectory: None, odometry: None, points: None, ..subject.clone() };
    if let Some(transform) = &place.submission.transform {
        plan.transform = Some(transform.clone());
    }
    match place.judge(&part, &plan, measured) {
        // The judges laid an earlier file on the truth: no fault of the team.
        Err(error @ JobError::FrameOfOtherFiles { .. }) => {
            measured.undecided = Some(error.to_string());
            Ok(())
        }
        other => other,
    }
}

fn measure_trajectory(place: &Place<'_>, measured: &mut Measured) -> Result<(), JobError> {
    let Subject { name, trajectory, odometry, .. } = &place.submission.subject;
    if trajectory.is_none() {
        return Ok(());
    }
    let truth = &place.mission.truth;
    if truth.trajectory.is_none() && truth.relations.is_none() {
        return no_truth(measured, Role::Trajectory, "trajectory and no relations");
    }
    let (trajectory, odometry) = (trajectory.clone(), odometry.clone());
    let part = Subject { name: name.clone(), trajectory, odometry, ..Subject::default() };
    place.judge(&part, &place.plan_for(Reads::Trajectory), measured)
}

/// The rules of labelled points stand in the profile as parameters of their metric.
fn measure_points(place: &Place<'_>, measured: &mut Measured) -> Result<(), JobError> {
    let Subject { name, points, .. } = &place.submission.subject;
    if points.is_none() {
        return Ok(());
    }
    if place.mission.truth.points.is_none() {
        return no_truth(measured, Role::Points, "points");
    }
    let set = place.plan.set.get("point_score").cloned().unwrap_or_default();
    let rules: PointRules = serde_json::from_value(json!(set)).map_err(|error| {
        let hint = "`mapjudge metrics point_score` lists them";
        JobError::contest("[plan.set.point_score]", error.to_string(), hint)
    })?;
    let figures = place.plan.figures;
    let plan = Plan { figures, ..crate::points_plan(&place.contest.profile.full_name(), &rules)? };
    let part = Subject { name: name.clone(), points: points.clone(), ..Subject::default() };
    place.judge(&part, &plan, measured)
}

fn measure_artifacts(place: &Place<'_>, measured: &mut Measured) -> Result<(), JobError> {
    let Some(reports) = &place.submission.artifacts else { return Ok(()) };
    let (Some(truth), Some(rules)) = (&place.mission.artifacts, &place.contest.profile.artifacts) else {
        return no_truth(measured, Role::Artifacts, "artifacts, or the profile no [artifacts]");
    };
    let score = artifact_points(truth, reports, rules);
    let unit = SampleUnit::new("artifacts", truth.len());
    let make = Make::List(score.points.iter().copied().map(Some).collect());
    measured.samples.insert("artifacts.points".to_owned(), Samples::named("points", unit, make));
    measured.values.extend([
        ("artifacts.points".to_owned(), Quantity::List(score.points)),
        ("artifacts.errors_m".to_owned(), Quantity::List(score.errors_m)),
        ("artifacts.false_reports".to_owned(), Quantity::Number(score.false_reports as f64)),
    ]);
    Ok(())
}

fn measure_matrix(place: &Place<'_>, measured: &mut Measured) -> Result<(), JobError> {
    let Some(matrix) = &place.submission.matrix else { return Ok(()) };
    let Some(answer) = &place.mission.matrix else {
        return no_truth(measured, Role::Matrix, "matrix");
    };
    let hint = "each matrix needs a start tile, a cell '5'";
    let score =
        matrix_score(answer, matrix).map_err(|error| JobError::contest("matrix", error.to_string(), hint))?;
    let numbers = [
        ("correctness", score.value),
        ("correct", score.correct as f64),
        ("incorrect", score.incorrect as f64),
        ("quarter_turns", score.quarter_turns as f64),
    ];
    let named = numbers.map(|(name, number)| (format!("matrix.{name}"), Quantity::Number(number)));
    measured.values.extend(named);
    Ok(())
}

#[cfg(test)]
mod tests {
    use metrics::Quantity;
    use metrics::contest::marked_points::MarkedPoint;

    use super::*;
    use crate::contest::{Combine, Profile};
    use crate::{Loaded, Map, Truth};

    const RULES: &str = "name = 'both'\ntitle = 'Both'\nsource = 'test'\nformula = 'I + P'\nbetter = 'higher'\n\
                         inputs = {}\n[[parts]]\nname = 'I'\ntitle = 'Walls'\n\
                         from = { kind = 'measured', value = 'occupied_iou' }\n[[parts]]\nname = 'P'\n\
                         title = 'Points'\nfrom = { kind = 'measured', value = 'point_score.points' }\n";

    #[test]
    fn map_and_points_together_are_judged_by_both() {
        let point = |name: &str, x_m: f64| MarkedPoint {
            name: name.to_owned(),
            position_m: [x_m, 0.0, 0.0],
            ..MarkedPoint::default()
        };
        let points = || Some(Loaded::in_memory(vec![point("qr A", 0.0), point("qr B", 3.0)]));
        let map = || Some(Loaded::in_memory(Map::new(testkit::grid(["#.", ".#"]))));
        let mission = Mission::new(Truth { map: map(), points: points(), ..Truth::default() });
        let contest = Contest {
            title: String::new(),
            profile: Profile::parse(RULES, "rules").unwrap(),
            combine: Combine::Sum,
            missions: vec![mission.clone()],
            teams: vec!["team".to_owned()],
        };
        let subject = Subject { map: map(), points: points(), ..Subject::default() };
        let plan = contest.plan(&mission);
        let measured = measure(&contest, &mission, &plan, &Submission::new(subject));
        assert_eq!(measured.value("occupied_iou"), Ok(Quantity::Number(1.0)));
        let Ok(Quantity::Number(points)) = measured.value("point_score.points") else {
            panic!("{:?}", measured.value("point_score.points"))
        };
        assert!(points > 0.0, "{points}");
    }
}
