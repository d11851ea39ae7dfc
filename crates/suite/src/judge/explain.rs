//! Step 4: what a report says beside the numbers: transform, grid, findings, facts, figures.

use align::trajectory::{Covered, Fittable, covered};
use metrics::topology::environment::environment;
use metrics::trajectory::relative_displacement::RelativeDisplacement;
use metrics::trajectory::trajectory_coverage::TrajectoryCoverage;
use metrics::trajectory::{Run, Runs};
use metrics::{Case, Detail, Metric, MetricEvidence, facts};
use model::Finding;
use report::{Alignment, CaseReport, ErrorTable, Figure, GridRecord, MetricRecord, Transform};
use serde_json::{Value, json};

use super::diagnose::diagnose;
use super::nonsense::{nonsense, relation_angles};
use super::placement::Placement;
use super::runs::JudgedRun;
use crate::fiducials::{alignment_of, fiducial_facts};
use crate::illustrate::{before_and_after, illustrate};
use crate::points::{point_figure, point_findings};
use crate::subject::{Group, PartRecord, findings_of};
use crate::trajectory::{error_tables, run_figures};
use crate::{Figures, JobError, Plan, Subject, Truth};

/// A case with everything that explains it.
pub(super) struct Explained<'a> {
    subject: &'a Subject,
    truth: &'a Truth,
    plan: &'a Plan,
    case: &'a Case,
    run: Option<&'a JudgedRun>,
    /// Share of the truth that the run was compared with; none without a run.
    run_coverage: Option<f64>,
}

impl<'a> Explained<'a> {
    pub(super) fn new(
        subject: &'a Subject,
        truth: &'a Truth,
        plan: &'a Plan,
        case: &'a Case,
        run: Option<&'a JudgedRun>,
    ) -> Self {
        let run_coverage = run.and_then(|_| run_coverage(case, truth, plan));
        Self { subject, truth, plan, case, run, run_coverage }
    }

    /// How the map, or else the run, came into the coordinate frame of the truth.
    pub(super) fn alignment(
        &self,
        placement: Option<&Placement>,
        metrics: &[MetricRecord],
    ) -> Option<Alignment> {
        placement.map(Placement::record).or_else(|| alignment_of(self.case)).or_else(|| self.fit(metrics))
    }

    /// The fit of a run, as the absolute error used it; of a run in space the part seen from above, and all of it beside.
    fn fit(&self, records: &[MetricRecord]) -> Option<Alignment> {
        let fit = records.iter().find_map(|record| match &record.evidence.of_metric {
            Some(MetricEvidence::Fit(fit)) => Some(fit),
            _ => None,
        })?;
        let [x_m, y_m, _] = fit.translation_m;
        let is_spatial = matches!(self.case.run(), Ok(Runs::Spatial(_)));
        Some(Alignment {
            method: fit.method.clone(),
            truth_from_map: Some(Transform { x_m, y_m, theta_rad: fit.yaw_rad, scale: fit.scale }),
            certificate: is_spatial.then(|| json!(fit).as_object().cloned()).flatten(),
            ..Alignment::default()
        })
    }

    /// The compared cells; none if no two maps were compared.
    pub(super) fn grid(&self) -> Option<GridRecord> {
        let grids = self.case.grids().ok()?;
        let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
        Some(GridRecord {
            width: grids.geometry().width(),
            height: grids.geometry().height(),
            cell_size_m: grids.geometry().cell_size_m(),
            origin: grids.geometry().origin(),
            window: word(json!(self.plan.window)),
            resample: word(json!(self.plan.resample)),
            coverage: self.case.coverage().ok().flatten(),
            outside_free: grids.outside_free,
            outside_occupied: grids.outside_occupied,
        })
    }

    /// Findings of the readers, of the search for the transform, and about what was compared.
    pub(super) fn findings(
        &self,
        parts: &[PartRecord],
        placement: Option<&Placement>,
        metrics: &[MetricRecord],
    ) -> Vec<Finding> {
        let mut findings = findings_of(parts, Group::Maps);
        findings.extend(placement.into_iter().flat_map(|placement| placement.findings.clone()));
        findings.extend(findings_of(parts, Group::SideInputs));
        findings.extend(self.no_overlap());
        findings.extend(self.run_findings(parts));
        findings.extend(findings_of(parts, Group::Points));
        if let Ok(points) = self.case.points() {
            findings.extend(point_findings(points, metrics));
        }
        findings
    }

    fn run_findings(&self, parts: &[PartRecord]) -> Vec<Finding> {
        let (Some(run), Ok(runs)) = (self.run, self.case.run()) else { return Vec::new() };
        let mut findings = findings_of(parts, Group::Run);
        // The matched run says it with the numbers that count: those of the chosen records.
        findings.retain(|finding| {
            finding.code != "STAMPS_REPEATED" || !finding.message.starts_with("trajectory: ")
        });
        findings.extend(run.findings.iter().cloned());
        let found = diagnose(runs, run.poses, self.run_coverage, &self.plan.matching, &findings);
        findings.extend(found);
        findings.extend(nonsense(runs, self.plan));
        let relations = self.truth.relations.as_ref().map_or(&[][..], |loaded| loaded.value.as_slice());
        findings.extend(relation_angles(relations, runs));
        findings
    }

    /// A map that shows nothing of the truth can look good by accident; say so before any number.
    fn no_overlap(&self) -> Option<Finding> {
        let nothing = self.case.coverage().ok().flatten() == Some(0.0);
        nothing.then(|| {
            Finding::warning("NO_OVERLAP", "the map knows none of the cells that the truth knows")
                .hint("check the origins, or align the map")
        })
    }

    /// Facts by family.
    pub(super) fn detail(&self) -> Option<Detail> {
        let mut detail = Detail::new();
        let mut add = |key: &str, fact: Value| _ = detail.insert(key.to_owned(), fact);
        if let Some(map) = &self.subject.map {
            add("reading", json!(map.provenance.reading));
        }
        let of_truth = self.truth.map.as_ref().and_then(|truth| truth.provenance.reading.as_ref());
        if let Some(reading) = of_truth.filter(|reading| reading.is_of_array()) {
            add("truth_reading", json!(reading));
        }
        if self.case.has_fiducials() {
            add("fiducials", fiducial_facts(self.case).unwrap_or(Value::Null));
        }
        if let Ok(space) = self.case.paths() {
            add("paths", json!(space.inputs));
            add("environment", json!(environment(&space.truth).ok()));
        }
        if let Some(run) = self.run {
            add("trajectory", self.run_facts(run));
        }
        if !self.plan.profile.is_empty() {
            add("profile", json!(self.plan.profile));
        }
        Some(detail)
    }

    /// How the run was matched.
    fn run_facts(&self, run: &JudgedRun) -> Value {
        let (dimensions, association) = match self.case.run() {
            Ok(Runs::Planar(run)) => (2, run.association),
            Ok(Runs::Spatial(run)) => (3, run.association),
            Err(_) => (0, self.plan.matching.association(true)),
        };
        let mut facts = json!({
            "coverage": self.run_coverage,
            "dimensions": dimensions,
            "associate": association.rule,
            "max_dt_s": association.max_dt_s,
            "max_gap_s": association.max_gap_s,
            "time_offset_s": run.offset_s,
            "records": self.subject.trajectory.as_ref().map(|loaded| &loaded.provenance.records),
        });
        if let Some(covered) = self.covered_by_relations() {
            let matched = self.run_coverage.unwrap_or(0.0);
            facts["coverage"] = json!(matched.min(covered.time).min(covered.path));
            facts["relations"] = json!({
                "matched": matched, "time": covered.time, "path": covered.path, "parts": covered.parts,
            });
        }
        facts
    }

    /// What relations say about the run; none where a true trajectory says more.
    fn covered_by_relations(&self) -> Option<Covered> {
        if self.truth.trajectory.is_some() {
            return None;
        }
        match self.case.run().ok()? {
            Runs::Planar(run) => covered_by_relations(run),
            Runs::Spatial(run) => covered_by_relations(run),
        }
    }

    /// Errors of single poses, pairs and relations; none if the plan asks for no figures, which rest on the same.
    pub(super) fn errors(&self, metrics: &[MetricRecord]) -> Vec<ErrorTable> {
        match (self.plan.figures, self.case.run()) {
            (Figures::Draw, Ok(runs)) => error_tables(runs, metrics),
            _ => Vec::new(),
        }
    }

    /// The figures of the case; none if the plan asks for none.
    pub(super) fn figures(
        &self,
        placement: Option<&Placement>,
        metrics: &[MetricRecord],
    ) -> Result<Vec<Figure>, JobError> {
        if self.plan.figures == Figures::None {
            return Ok(Vec::new());
        }
        let mut figures = illustrate(self.case, metrics)?;
        if let (Some(placement), Some(map), Some(truth)) = (placement, &self.subject.map, &self.truth.map)
            && placement.is_searched()
        {
            let truth_from_map = placement.alignment.truth_from_map;
            figures.extend(before_and_after(&truth.value.grid, &map.value.grid, truth_from_map)?);
        }
        if let Ok(runs) = self.case.run() {
            figures.extend(run_figures(runs, metrics, self.truth.background.as_ref())?);
        }
        if let Ok(points) = self.case.points() {
            figures.extend(point_figure(points, metrics));
        }
        Ok(figures)
    }
}

fn covered_by_relations<P: Fittable>(run: &Run<P>) -> Option<Covered> {
    let found = RelativeDisplacement::default().errors(run).ok()?;
    let times: Vec<(f64, f64)> = found.errors.iter().map(|error| (error.from_s, error.to_s)).collect();
    covered(&run.estimate, &times)
}

/// Share of the truth's time and path that was compared; of the relations where there is no true trajectory.
fn run_coverage(case: &Case, truth: &Truth, plan: &Plan) -> Option<f64> {
    if truth.trajectory.is_some() {
        let metric = TrajectoryCoverage { max_gap_s: plan.matching.max_gap_s };
        return Metric::evaluate(&metric, case).ok().map(|score| score.value);
    }
    match Metric::evaluate(&RelativeDisplacement::default(), case) {
        Ok(score) => score.evidence.number("coverage"),
        Err(undefined) => undefined.number("coverage"),
    }
}

/// Facts of a family, joined with those that a case has already.
pub(crate) fn add_facts(report: &mut CaseReport, key: &str, fact: Value) {
    report.detail.get_or_insert_with(Detail::new).extend(facts([(key, fact)]));
}
