//! The one line of the tool: read, align, measure, judge.

use align::{Anchoring, CommonGridError, Method, common_grid};
use metrics::fiducials::{FiducialInputs, LayoutFrame};
use metrics::{Case, Reason, Resample, Window};
use model::{Finding, Pose2};
use rayon::prelude::*;
use report::{Alignment, CasePictures, CaseReport, GridRecord, MetricRecord, Report, Status, Tool};
use serde_json::json;

use crate::fiducials::{LayoutInput, fiducial_facts};
use crate::illustrate::{Pictures, illustrate};
use crate::inputs::{MapInput, case_names};
use crate::judge::{Verdict, judge};
use crate::{AlignBy, Chosen, Job, JobError, choose};

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
    let truth_path = job.truth.as_ref().ok_or(JobError::Incomplete("truth"))?;
    if job.maps.is_empty() {
        return Err(JobError::Incomplete("map"));
    }
    let options = job.read.options()?;
    let truth = MapInput::read(truth_path, "truth", &options)?;
    let layout = job.layout.as_deref().map(|path| LayoutInput::read(path, &options)).transpose()?;
    let done = std::sync::atomic::AtomicUsize::new(0);
    let judge_map = |(path, name): (&std::path::PathBuf, String)| {
        let map = MapInput::read(path, "map", &options)?;
        let result = judge_case(job, &chosen, (&truth, layout.as_ref()), &map, name, pictures);
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

/// One map: align, bring onto one grid, measure.
fn judge_case(
    job: &Job,
    chosen: &[Chosen],
    (truth, layout): (&MapInput, Option<&LayoutInput>),
    map: &MapInput,
    name: String,
    pictures: Pictures,
) -> Result<(CaseReport, Option<CasePictures>), JobError> {
    let frame = find_frame(job, truth, map)?;
    let (window, rule) = (Window::from(job.window), Resample::from(job.resample));
    let case = match common_grid(&truth.grid, &map.grid, frame.truth_from_map, window, rule) {
        Ok(grids) => Case::new(grids),
        Err(CommonGridError::EmptyWindow) => Case::without_grids(Reason::EmptyWindow),
        Err(source) => return Err(JobError::CommonGrid { map: map.path.display().to_string(), source }),
    };
    let case = with_fiducials(job, case, layout, map, frame.truth_from_map);
    let layout_findings = layout.into_iter().flat_map(|layout| &layout.findings);
    let findings = [&truth.findings, &map.findings, &frame.findings].into_iter().flatten();
    let findings = findings.chain(layout_findings).cloned();
    let asked = |c: &&Chosen| c.is_asked(&case);
    let report = CaseReport {
        name,
        inputs: truth.records.iter().chain(&map.records).chain(layout.map(|l| &l.record)).cloned().collect(),
        alignment: Some(Alignment {
            method: frame.method.name().to_owned(),
            truth_from_map: frame.truth_from_map.into(),
            certificate: None,
        }),
        grid: grid_record(job, &case),
        metrics: chosen.iter().filter(asked).map(|c| measure(c, &case)).collect(),
        findings: findings.chain(no_overlap(&case)).collect(),
        detail: Some(case_detail(job, &case)),
    };
    let drawn = (pictures == Pictures::Draw).then(|| illustrate(&case)).transpose()?;
    Ok((report, drawn))
}

/// Adds the layout: it stands in the frame of the truth.
fn with_fiducials(
    job: &Job,
    case: Case,
    layout: Option<&LayoutInput>,
    map: &MapInput,
    truth_from_map: Pose2,
) -> Case {
    let Some(layout) = layout else { return case };
    case.with_fiducials(FiducialInputs {
        layout: layout.layout.clone(),
        map: map.grid.clone(),
        frame: LayoutFrame::Known(truth_from_map),
        search: job.fiducials,
    })
}

/// Facts by family.
fn case_detail(job: &Job, case: &Case) -> metrics::Detail {
    let mut detail = metrics::facts([("reading", json!(job.read))]);
    if case.has_fiducials() {
        detail.insert("fiducials".to_owned(), fiducial_facts(case).unwrap_or(serde_json::Value::Null));
    }
    detail
}

/// How the map lies on the truth.
struct Frame {
    method: Method,
    truth_from_map: Pose2,
    findings: Vec<Finding>,
}

fn find_frame(job: &Job, truth: &MapInput, map: &MapInput) -> Result<Frame, JobError> {
    let as_read = |findings| Frame { method: Method::None, truth_from_map: Pose2::IDENTITY, findings };
    if job.align == AlignBy::None {
        return Ok(as_read(Vec::new()));
    }
    if let Some(truth_from_map) = align::truth_from_map(truth.anchoring, map.anchoring) {
        return Ok(Frame { method: Method::Georeference, truth_from_map, findings: Vec::new() });
    }
    let (t, m) = (truth.grid.geometry(), map.grid.geometry());
    let why = match (truth.anchoring, map.anchoring) {
        (Anchoring::Assumed, Anchoring::Assumed) if t.same_cells_as(m) => {
            let message = "neither map says where it lies; both have the same size, so the pictures were laid on each \
                           other corner to corner";
            let finding = Finding::warning("FRAME_ASSUMED", message)
                .hint("say --align none if that is right, or give the origins");
            return Ok(as_read(vec![finding]));
        }
        (Anchoring::Assumed, Anchoring::Assumed) => "neither the map nor the truth has an origin",
        (Anchoring::Given, Anchoring::Assumed) => "the map has no origin",
        (_, Anchoring::Given) => "the truth has no origin",
    };
    let shown = |input: &MapInput| input.path.display().to_string();
    Err(JobError::NoFrame { map: shown(map), truth: shown(truth), why })
}

fn grid_record(job: &Job, case: &Case) -> Option<GridRecord> {
    let grids = case.grids().ok()?;
    let word = |value| serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned));
    Some(GridRecord {
        width: grids.geometry().width(),
        height: grids.geometry().height(),
        cell_size_m: grids.geometry().cell_size_m(),
        window: word(json!(job.window)).unwrap_or_default(),
        resample: word(json!(job.resample)).unwrap_or_default(),
        coverage: case.coverage().ok().flatten(),
        outside_free: grids.outside_free,
        outside_occupied: grids.outside_occupied,
    })
}

/// A map that shows nothing of the truth can look good by accident; say so before any number.
fn no_overlap(case: &Case) -> Option<Finding> {
    let nothing = case.coverage().ok().flatten() == Some(0.0);
    nothing.then(|| {
        Finding::warning("NO_OVERLAP", "the map knows none of the cells that the truth knows")
            .hint("check the origins, or align the map")
    })
}

/// One metric of one case as a record of the report.
pub(crate) fn measure(chosen: &Chosen, case: &Case) -> MetricRecord {
    let spec = chosen.metric.spec();
    let (value, best, worst, status, reasons, detail) = match chosen.metric.evaluate(case) {
        Ok(score) => {
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
