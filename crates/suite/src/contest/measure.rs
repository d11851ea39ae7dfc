//! One submission: lint, read, align, measure. Whatever is wrong with it stays with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use metrics::contest::point_rules::PointRules;
use model::{Finding, Level};
use report::{CasePictures, Image};
use serde_json::{Value, json};

use super::artifact_points::artifact_points;
use super::character_matrix::matrix_score;
use super::file::Contest;
use super::measured::{FileFinding, Measured, PictureRecord};
use super::mission_truth::{
    MissionTruth, NOTES, annotations, hashed, read_matrix, read_places, relative, shown,
};
use super::role::Role;
use super::samples::{Make, Sample, point_samples, samples_of};
use super::submission::Submission;
use crate::annotations::AnnotationFiles;
use crate::evaluate::{Beside, judge_map};
use crate::inputs::MapInput;
use crate::lint::lint;
use crate::{JobError, Pictures, PointsJob, TrajectoryJob, evaluate_trajectories, score_points};

/// What was measured, and the bytes of its pictures.
pub struct Drawn {
    /// The values.
    pub measured: Measured,
    /// One entry per picture of the record.
    pub pictures: Vec<Vec<u8>>,
}

/// Measures a submission. A submission that cannot be scored is a result too.
#[must_use]
pub fn measure(
    contest: &Contest,
    truth: &MissionTruth,
    submission: &Submission<'_>,
    pictures: Pictures,
) -> Drawn {
    let attempt = || attempt(contest, truth, submission, pictures);
    let why = match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok(drawn)) => return drawn,
        Ok(Err(error)) => without_folder(&error.to_string(), &contest.folder),
        Err(_) => "an internal error; please report it with the file".to_owned(),
    };
    Drawn { measured: Measured::broken(why), pictures: Vec::new() }
}

/// A message without the folder of the contest: it says nothing about a machine.
fn without_folder(message: &str, folder: &Path) -> String {
    let folder = folder.display().to_string();
    if folder.is_empty() { message.to_owned() } else { message.replace(&format!("{folder}/"), "") }
}

fn attempt(
    contest: &Contest,
    truth: &MissionTruth,
    submission: &Submission<'_>,
    pictures: Pictures,
) -> Result<Drawn, JobError> {
    let mut drawn = Drawn { measured: Measured::default(), pictures: Vec::new() };
    let required = submission.missing.iter().find(|(_, missing)| missing.is_required);
    if let Some((role, missing)) = required {
        let why = format!("{}: {}", role.name(), missing.why);
        return Ok(Drawn { measured: Measured::broken(why), pictures: Vec::new() });
    }
    drawn.measured.findings = lint_findings(contest, truth, submission);
    for (role, paths) in &submission.files {
        for path in paths.iter().filter(|_| *role != Role::Map) {
            drawn.measured.inputs.push(hashed(path, role.name(), &contest.folder)?);
        }
    }
    let steps: [(Role, Step); 5] = [
        (Role::Map, measure_map),
        (Role::Points, measure_points),
        (Role::Trajectory, measure_trajectory),
        (Role::Artifacts, measure_artifacts),
        (Role::Matrix, measure_matrix),
    ];
    let mut whys = Vec::new();
    for (role, step) in steps {
        let Some(path) = submission.file(role) else { continue };
        let place = Place { contest, truth, submission, path, pictures };
        if let Err(error) = step(&place, &mut drawn) {
            let why = without_folder(&error.to_string(), &contest.folder);
            drawn.measured.rules.insert(role.name().to_owned(), json!({ "undefined": why }));
            whys.push((role, why));
        }
    }
    let is_required = |role: &Role| contest.profile.inputs.get(role).is_some_and(|rule| rule.required);
    if let Some((role, why)) = whys.into_iter().find(|(role, _)| is_required(role)) {
        drawn.measured.broken = Some(format!("{}: {why}", role.name()));
    }
    Ok(drawn)
}

/// What a step of the measurement sees.
struct Place<'a> {
    contest: &'a Contest,
    truth: &'a MissionTruth,
    submission: &'a Submission<'a>,
    path: &'a Path,
    pictures: Pictures,
}

impl Place<'_> {
    fn is_required(&self, role: Role) -> bool {
        self.contest.profile.inputs.get(&role).is_some_and(|rule| rule.required)
    }
}

type Step = fn(&Place<'_>, &mut Drawn) -> Result<(), JobError>;

fn lint_findings(contest: &Contest, truth: &MissionTruth, submission: &Submission<'_>) -> Vec<FileFinding> {
    let linted = lint(&submission.all_files(), contest.profile.lint, &truth.options);
    let of_file = |linted: crate::lint::Linted| {
        let file = shown(&linted.path, &contest.folder);
        let clean = |finding: Finding| Finding {
            message: without_folder(&finding.message, &contest.folder),
            hint: finding.hint.map(|hint| without_folder(&hint, &contest.folder)),
            ..finding
        };
        linted
            .findings
            .into_iter()
            .map(move |finding| FileFinding { file: file.clone(), finding: clean(finding) })
    };
    let mut findings: Vec<FileFinding> = linted.into_iter().flat_map(of_file).collect();
    findings.retain(|finding| finding.finding.level >= Level::Warning);
    findings
}

fn measure_map(place: &Place<'_>, drawn: &mut Drawn) -> Result<(), JobError> {
    let Some(truth) = &place.truth.map else {
        return Err(JobError::contest("truth", "the contest names no true map", "add map under [truth]"));
    };
    let map = MapInput::read(place.path, "map", &place.truth.options)?;
    inside(&map, &place.submission.folder)?;
    let map = relative(map, &place.contest.folder);
    let notes = notes(place, drawn)?;
    let beside = Beside {
        layout: place.truth.layout.as_ref(),
        map: notes.as_ref(),
        truth: place.truth.annotations.as_ref(),
    };
    let name = place.submission.team.name.clone();
    let (report, pictures, case) =
        judge_map(&place.truth.job, &place.truth.chosen, (truth, beside), &map, name, place.pictures)?;
    drawn.measured.inputs.splice(0..0, map.records);
    drawn.measured.samples.extend(samples_of(&case, &report));
    if let Some(pictures) = pictures {
        keep(pictures, drawn);
    }
    drawn.measured.cases.push(report);
    Ok(())
}

/// What the team wrote on its map. A file that cannot be read is left out with a finding, unless it is required.
fn notes(place: &Place<'_>, drawn: &mut Drawn) -> Result<Option<AnnotationFiles>, JobError> {
    let (options, folder) = (&place.truth.options, &place.contest.folder);
    let mut good: Vec<PathBuf> = Vec::new();
    for (role, path) in place.submission.files_of(&NOTES) {
        match annotations(std::slice::from_ref(path), role.name(), options, folder) {
            Ok(_) if good.contains(path) => {}
            Ok(_) => good.push(path.clone()),
            Err(error) if place.is_required(role) => return Err(error),
            Err(error) => {
                let message = without_folder(&error.to_string(), folder);
                let finding =
                    Finding::warning("CANNOT_READ", message).hint("the score goes on without this file");
                drawn.measured.findings.push(FileFinding { file: shown(path, folder), finding });
            }
        }
    }
    if good.is_empty() {
        return Ok(None);
    }
    annotations(&good, "annotations", options, folder).map(Some)
}

/// A map whose picture lies outside of the team's folder is somebody else's.
fn inside(map: &MapInput, folder: &Path) -> Result<(), JobError> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let is_outside = |path: &&PathBuf| !path.canonicalize().is_ok_and(|path| path.starts_with(&folder));
    match map.files.iter().find(is_outside) {
        None => Ok(()),
        Some(path) => {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let message = "the picture lies outside of the folder of the team";
            Err(JobError::contest(name, message, "hand in the picture beside its description"))
        }
    }
}

fn keep(pictures: CasePictures, drawn: &mut Drawn) {
    let mut add = |file: String, title: &str, caption: &str, bytes: Vec<u8>| {
        if !bytes.is_empty() {
            let (title, caption) = (title.to_owned(), caption.to_owned());
            drawn.measured.pictures.push(PictureRecord { file, title, caption });
            drawn.pictures.push(bytes);
        }
    };
    add("overlay.png".into(), "Overlay", "Truth and map laid over each other.", pictures.overlay_png);
    let caption =
        format!("Each wrong cell by its distance, up to {} m.", report::shown_number(pictures.heat_max_m));
    add("errors.png".into(), "Errors", &caption, pictures.heat_png);
    for figure in pictures.figures {
        let file = figure.file_name();
        let bytes = match figure.image {
            Image::Png(bytes) => bytes,
            Image::Svg(text) => text.into_bytes(),
        };
        add(file, &figure.title, &figure.caption, bytes);
    }
}

fn measure_trajectory(place: &Place<'_>, drawn: &mut Drawn) -> Result<(), JobError> {
    let truth = |role: Role| place.truth.paths.get(&role).and_then(|paths| paths.first()).cloned();
    let is_known = |id: &String| place.truth.trajectory_metrics.contains(id);
    let set = place.contest.profile.job.set.clone();
    let job = TrajectoryJob {
        estimates: vec![place.path.to_owned()],
        truth: truth(Role::Trajectory),
        relations: truth(Role::Relations),
        read: place.truth.job.read.clone(),
        metrics: place.truth.trajectory_metrics.clone(),
        set: set.into_iter().filter(|(id, _)| is_known(id)).collect(),
        resamples: 0,
        ..TrajectoryJob::default()
    };
    let evaluation = evaluate_trajectories(&job, place.pictures, &|_| {})?;
    for mut case in evaluation.report.cases {
        case.name.clone_from(&place.submission.team.name);
        drawn.measured.cases.push(case);
    }
    evaluation.pictures.into_iter().for_each(|pictures| keep(pictures, drawn));
    Ok(())
}

/// The rules of labelled points stand in the profile as parameters of their metric.
fn measure_points(place: &Place<'_>, drawn: &mut Drawn) -> Result<(), JobError> {
    let Some(truth) = place.truth.paths.get(&Role::Points).and_then(|paths| paths.first()) else {
        return Err(JobError::contest(
            "truth",
            "the contest names no true points",
            "add points under [truth]",
        ));
    };
    let set = place.truth.job.set.get("point_score").cloned().unwrap_or_default();
    let rules: PointRules = serde_json::from_value(json!(set)).map_err(|error| {
        JobError::contest(
            "[job.set.point_score]",
            error.to_string(),
            "`mapjudge metrics point_score` lists them",
        )
    })?;
    let job = PointsJob {
        submission: place.path.to_owned(),
        truth: truth.clone(),
        profile: place.contest.profile.full_name(),
        rules,
        limits: None,
    };
    let scored = score_points(&job)?;
    for mut case in scored.evaluation.report.cases {
        case.name.clone_from(&place.submission.team.name);
        for (input, path) in case.inputs.iter_mut().zip([truth.as_path(), place.path]) {
            input.path = shown(path, &place.contest.folder);
        }
        drawn.measured.samples.extend(point_samples(&case));
        drawn.measured.cases.push(case);
    }
    if place.pictures == Pictures::Draw {
        scored.evaluation.pictures.into_iter().for_each(|pictures| keep(pictures, drawn));
    }
    Ok(())
}

fn measure_artifacts(place: &Place<'_>, drawn: &mut Drawn) -> Result<(), JobError> {
    let (Some(truth), Some(rules)) = (&place.truth.artifacts, &place.contest.profile.artifacts) else {
        let hint = "add artifacts under [truth] of the contest and [artifacts] of the profile";
        return Err(JobError::contest("truth", "the contest names no true artifacts, or no rules", hint));
    };
    let score = artifact_points(truth, &read_places(place.path, &place.truth.options)?, rules);
    let unit = format!("{} artifacts", truth.len());
    let make = Make::List(score.points.iter().copied().map(Some).collect());
    drawn.measured.samples.insert("artifacts.points".into(), Sample { unit, make });
    drawn.measured.rules.insert("artifacts".into(), json!(score));
    Ok(())
}

fn measure_matrix(place: &Place<'_>, drawn: &mut Drawn) -> Result<(), JobError> {
    let Some(answer) = &place.truth.matrix else {
        return Err(JobError::contest(
            "truth",
            "the contest names no true matrix",
            "add matrix under [truth]",
        ));
    };
    let hint = "each matrix needs a start tile, a cell '5'";
    let score = matrix_score(answer, &read_matrix(place.path)?)
        .map_err(|error| JobError::contest("matrix", error.to_string(), hint))?;
    let facts = json!({
        "correctness": score.value,
        "correct": score.correct,
        "incorrect": score.incorrect,
        "quarter_turns": score.quarter_turns,
    });
    drawn.measured.rules.insert("matrix".into(), Value::clone(&facts));
    Ok(())
}
