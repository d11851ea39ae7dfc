//! The one line of the tool: read, align, measure, judge.

use align::{CommonGridError, common_grid};
use metrics::fiducials::{FiducialInputs, LayoutFrame};
use metrics::paths::path_inputs::PathInputs;
use metrics::topology::environment::environment;
use metrics::{Case, Family, Reason, Resample, Window};
use model::{Finding, Similarity2};
use rayon::prelude::*;
use report::{
    Alignment, CasePictures, CaseReport, GridRecord, MetricRecord, Report, Status, Tool, Transform,
};
use serde_json::json;

use crate::annotations::{AnnotationFiles, in_truth};
use crate::fiducials::{LayoutInput, fiducial_facts};
use crate::frame::{Frame, find_frame};
use crate::illustrate::{Pictures, before_and_after, illustrate};
use crate::inputs::{MapInput, case_names};
use crate::judge::{Verdict, judge};
use crate::{Chosen, Job, JobError, choose};

/// What a job gave.
#[derive(Debug)]
pub struct Evaluation {
    /// The report.
    pub report: Report,
    /// One entry per case if pictures were asked for, else none.
    pub pictures: Vec<CasePictures>,
    /// Whether limits, baseline and the metrics asked for by name held.
    pub verdict: Verdict,
}

/// Carries out a job. `progress` is called with the number of finished cases.
///
/// # Errors
/// A file that cannot be read, a name or parameter that does not exist, maps without a common frame.
pub fn evaluate(
    job: &Job,
    pictures: Pictures,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Evaluation, JobError> {
    let chosen = choose(&job.metrics, &job.set)?;
    if let Some(fault) = job.paths.as_ref().and_then(PathInputs::fault) {
        return Err(JobError::Robot(fault));
    }
    let truth_path = job.truth.as_ref().ok_or(JobError::Incomplete("truth"))?;
    if job.maps.is_empty() {
        return Err(JobError::Incomplete("map"));
    }
    let options = job.read.options()?;
    let truth = MapInput::read(truth_path, "truth", &options)?;
    let layout = job.layout.as_deref().map(|path| LayoutInput::read(path, &options)).transpose()?;
    let (of_map, of_truth) = (
        notes(job, &job.annotations, "annotations")?,
        notes(job, &job.truth_annotations, "truth_annotations")?,
    );
    let beside = Beside { layout: layout.as_ref(), map: of_map.as_ref(), truth: of_truth.as_ref() };
    let done = std::sync::atomic::AtomicUsize::new(0);
    let judge_map = |(path, name): (&std::path::PathBuf, String)| {
        let map = MapInput::read(path, "map", &options)?;
        let result = judge_case(job, &chosen, (&truth, beside), &map, name, pictures);
        progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        result
    };
    let named: Vec<_> = job.maps.iter().zip(case_names(&job.maps)).collect();
    let results: Vec<_> = named.into_par_iter().map(judge_map).collect::<Result<_, JobError>>()?;
    let (cases, pictures): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let mut report = new_report(cases);
    let verdict = judge(job.into(), &chosen, &mut report)?;
    Ok(Evaluation { report, pictures: pictures.into_iter().flatten().collect(), verdict })
}

/// A report of these cases that no rule was held against yet.
pub(crate) fn new_report(cases: Vec<CaseReport>) -> Report {
    Report {
        schema: report::SCHEMA.to_owned(),
        tool: Tool { name: "mapjudge".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        cases,
        limits: Vec::new(),
        baseline: None,
        comparison: None,
    }
}

/// What lies beside the maps.
#[derive(Clone, Copy)]
pub(crate) struct Beside<'a> {
    /// Where fiducials stand.
    pub layout: Option<&'a LayoutInput>,
    /// What the team wrote.
    pub map: Option<&'a AnnotationFiles>,
    /// What is there.
    pub truth: Option<&'a AnnotationFiles>,
}

impl<'a> Beside<'a> {
    fn records(self) -> impl Iterator<Item = &'a report::Input> {
        let notes = self.map.into_iter().chain(self.truth).flat_map(|files| &files.records);
        self.layout.into_iter().map(|layout| &layout.record).chain(notes)
    }

    fn findings(self) -> impl Iterator<Item = &'a Finding> {
        let notes = self.map.into_iter().chain(self.truth).flat_map(|files| &files.findings);
        self.layout.into_iter().flat_map(|layout| &layout.findings).chain(notes)
    }
}

/// The annotations of these files; none without a file.
fn notes(job: &Job, paths: &[std::path::PathBuf], role: &str) -> Result<Option<AnnotationFiles>, JobError> {
    if paths.is_empty() {
        return Ok(None);
    }
    if role == "annotations" && job.maps.len() > 1 {
        return Err(JobError::WhoseAnnotations(job.maps.len()));
    }
    AnnotationFiles::read(paths, role, &job.read.options()?).map(Some)
}

/// One map: align, bring onto one grid, measure.
fn judge_case(
    job: &Job,
    chosen: &[Chosen],
    (truth, beside): (&MapInput, Beside<'_>),
    map: &MapInput,
    name: String,
    pictures: Pictures,
) -> Result<(CaseReport, Option<CasePictures>), JobError> {
    let (report, drawn, _) = judge_map(job, chosen, (truth, beside), map, name, pictures)?;
    Ok((report, drawn))
}

/// As [`judge_case`], with the case itself.
pub(crate) fn judge_map(
    job: &Job,
    chosen: &[Chosen],
    (truth, beside): (&MapInput, Beside<'_>),
    map: &MapInput,
    name: String,
    pictures: Pictures,
) -> Result<(CaseReport, Option<CasePictures>, Case), JobError> {
    let frame = find_frame(job, truth, beside.layout, map)?;
    let case = with_fiducials(job, case_of(job, truth, map, &frame)?, beside.layout, map, &frame);
    let case = with_annotations(job, case, beside, &frame);
    let case = match robot(job, chosen, &case) {
        Some(robot) => case.with_paths(robot),
        None => case,
    };
    let findings = [&truth.findings, &map.findings, &frame.findings].into_iter().flatten();
    let findings = findings.chain(beside.findings()).cloned();
    let asked = |c: &&Chosen| c.is_asked(&case);
    let report = CaseReport {
        name,
        inputs: truth.records.iter().chain(&map.records).chain(beside.records()).cloned().collect(),
        alignment: Some(alignment_record(&frame)),
        grid: grid_record(job, &case),
        metrics: chosen.iter().filter(asked).map(|c| measure(c, &case, frame.doubt)).collect(),
        findings: findings.chain(no_overlap(&case)).collect(),
        detail: Some(case_detail(job, &case)),
    };
    let drawn = (pictures == Pictures::Draw).then(|| draw(&case, &frame, truth, map)).transpose()?;
    Ok((report, drawn, case))
}

/// Adds the layout: it stands in the frame of the truth.
fn with_fiducials(
    job: &Job,
    case: Case,
    layout: Option<&LayoutInput>,
    map: &MapInput,
    frame: &Frame,
) -> Case {
    let Some(layout) = layout else { return case };
    // A frame that may not be used, or that scales, is left to the fiducials.
    let frame = frame.usable(job).ok().filter(|frame| frame.scale == 1.0);
    case.with_fiducials(FiducialInputs {
        layout: layout.layout.clone(),
        map: map.grid.clone(),
        frame: frame.map_or(LayoutFrame::Unknown, |frame| LayoutFrame::Known(frame.pose())),
        search: job.fiducials,
    })
}

/// Adds what is written on map and truth, in the frame of the truth.
fn with_annotations(job: &Job, case: Case, beside: Beside<'_>, frame: &Frame) -> Case {
    if beside.map.is_none() && beside.truth.is_none() {
        return case;
    }
    let none = AnnotationFiles::default();
    let (map, truth) = (beside.map.unwrap_or(&none), beside.truth.unwrap_or(&none));
    match frame.usable(job) {
        Ok(truth_from_map) => case.with_annotations(in_truth(map, truth, truth_from_map)),
        Err(reason) => case.without_annotations(reason),
    }
}

/// Facts by family.
fn case_detail(job: &Job, case: &Case) -> metrics::Detail {
    let mut detail = metrics::facts([("reading", json!(job.read))]);
    if case.has_fiducials() {
        detail.insert("fiducials".to_owned(), fiducial_facts(case).unwrap_or(serde_json::Value::Null));
    }
    if let Ok(space) = case.paths() {
        detail.insert("paths".to_owned(), json!(space.inputs));
        detail.insert("environment".to_owned(), json!(environment(&space.truth).ok()));
    }
    detail
}

/// The pictures of a case, and of its alignment if that was searched.
fn draw(case: &Case, frame: &Frame, truth: &MapInput, map: &MapInput) -> Result<CasePictures, JobError> {
    let mut pictures = illustrate(case)?;
    if frame.is_searched() {
        let figures = before_and_after(&truth.grid, &map.grid, frame.alignment.truth_from_map)?;
        pictures.figures.splice(0..0, figures);
    }
    Ok(pictures)
}

/// Both maps on one grid, or why there is none.
fn case_of(job: &Job, truth: &MapInput, map: &MapInput, frame: &Frame) -> Result<Case, JobError> {
    let truth_from_map = match frame.usable(job) {
        Ok(truth_from_map) => truth_from_map,
        Err(reason) => return Ok(Case::without_grids(reason)),
    };
    let (window, rule) = (Window::from(job.window), Resample::from(job.resample));
    match common_grid(&truth.grid, &map.grid, truth_from_map, window, rule) {
        Ok(grids) if frame.is_searched() => Ok(Case::new(grids).aligned_by_search()),
        Ok(grids) => Ok(Case::new(grids)),
        Err(CommonGridError::EmptyWindow) => Ok(Case::without_grids(Reason::EmptyWindow)),
        Err(source) => Err(JobError::CommonGrid { map: map.path.display().to_string(), source }),
    }
}

/// The frame as the report shows it; the identity stands for a search that found nothing.
fn alignment_record(frame: &Frame) -> Alignment {
    let align::Alignment { method, truth_from_map, certificate, hypotheses } = &frame.alignment;
    let Similarity2 { x_m, y_m, theta_rad, scale } = truth_from_map.unwrap_or(Similarity2::IDENTITY);
    let facts = || {
        let mut facts = json!(certificate).as_object().cloned()?;
        facts.insert("hypotheses".to_owned(), json!(hypotheses));
        Some(facts)
    };
    Alignment {
        method: method.name().to_owned(),
        truth_from_map: Transform { x_m, y_m, theta_rad, scale },
        certificate: if frame.is_searched() { facts() } else { None },
    }
}

fn grid_record(job: &Job, case: &Case) -> Option<GridRecord> {
    let word = |value| serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned));
    let [window, resample] =
        [word(json!(job.window)), word(json!(job.resample))].map(Option::unwrap_or_default);
    grid_record_of(case, &window, &resample)
}

/// The compared cells as the report shows them.
pub(crate) fn grid_record_of(case: &Case, window: &str, resample: &str) -> Option<GridRecord> {
    let grids = case.grids().ok()?;
    Some(GridRecord {
        width: grids.geometry().width(),
        height: grids.geometry().height(),
        cell_size_m: grids.geometry().cell_size_m(),
        window: window.to_owned(),
        resample: resample.to_owned(),
        coverage: case.coverage().ok().flatten(),
        outside_free: grids.outside_free,
        outside_occupied: grids.outside_occupied,
    })
}

/// The robot of the path family: as the job says, or the default one if the family was asked for or a skeleton drawn.
fn robot(job: &Job, chosen: &[Chosen], case: &Case) -> Option<PathInputs> {
    let plans = |c: &Chosen| {
        let spec = c.metric.spec();
        matches!(spec.family, Family::Paths | Family::Topology) || spec.id == "utility"
    };
    let is_asked = !job.metrics.is_empty() && chosen.iter().any(plans);
    let skeleton = case.annotations().ok().and_then(|given| given.map.skeleton.clone());
    let robot = job.paths.clone().or_else(|| (is_asked || skeleton.is_some()).then(PathInputs::default))?;
    Some(PathInputs { skeleton: skeleton.or(robot.skeleton.clone()), ..robot })
}

/// A map that shows nothing of the truth can look good by accident; say so before any number.
fn no_overlap(case: &Case) -> Option<Finding> {
    let nothing = case.coverage().ok().flatten() == Some(0.0);
    nothing.then(|| {
        Finding::warning("NO_OVERLAP", "the map knows none of the cells that the truth knows")
            .hint("check the origins, or align the map")
    })
}

/// One metric of one case as a record of the report. Under a doubtful alignment every value carries the doubt.
pub(crate) fn measure(chosen: &Chosen, case: &Case, doubt: Option<Reason>) -> MetricRecord {
    let spec = chosen.metric.spec();
    let (value, best, worst, status, reasons, detail) = match chosen.metric.evaluate(case) {
        Ok(mut score) => {
            score.warnings.extend(doubt.filter(|doubt| !score.warnings.contains(doubt)));
            let status = if score.warnings.is_empty() { Status::Ok } else { Status::Warning };
            let (best, worst) = (score.best.or(spec.best), score.worst.or(spec.worst));
            (Some(score.value), best, worst, status, score.warnings, score.detail)
        }
        Err(undefined) => {
            (None, spec.best, spec.worst, Status::Undefined, undefined.reasons, undefined.detail)
        }
    };
    MetricRecord {
        id: spec.id.to_owned(),
        code: spec.code.to_owned(),
        title: spec.title.to_owned(),
        value,
        unit: spec.unit,
        better: spec.better,
        best,
        worst,
        status,
        reasons,
        params: chosen.metric.params(),
        detail,
    }
}
