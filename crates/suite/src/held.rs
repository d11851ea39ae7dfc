//! Limits and baseline: did the values hold?

use report::{
    BaselineError, CaseReport, Change, DEFAULT_RELATIVE_TOLERANCE, Limits, Report, Status, Tolerances, check,
    compare,
};

/// What the values of a report are held against.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Rules such as `overall_error <= 5000`.
    pub limits: Option<Limits>,
    /// An earlier report.
    pub baseline: Option<Report>,
    /// Relative change that still counts as the same; none: 1e-9.
    pub baseline_tolerance: Option<f64>,
}

/// Whether a run may be called a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything asked for was computed, and every limit held.
    Fine,
    /// A limit was missed, or a value is worse than the baseline.
    Missed,
    /// A metric asked for by name is undefined, or a run and its truth have no time in common.
    Undefined,
    /// A case could not be judged; the report has the others.
    NotJudged,
}

/// Checks limits and baseline, writes both into the report, and concludes. `is_named` tells whether a metric was asked
/// for by its id.
///
/// # Errors
/// The baseline cannot be compared with.
pub fn hold(
    report: &mut Report,
    rules: &Rules,
    is_named: &dyn Fn(&str) -> bool,
) -> Result<Verdict, BaselineError> {
    if let Some(limits) = &rules.limits {
        report.limits = check(report, limits);
    }
    if let Some(baseline) = &rules.baseline {
        let ratio = rules.baseline_tolerance.unwrap_or(DEFAULT_RELATIVE_TOLERANCE);
        let own = rules.limits.as_ref().map(|limits| limits.tolerances.clone()).unwrap_or_default();
        let tolerances = Tolerances { own, ..Tolerances::relative(ratio) };
        report.baseline = Some(compare(report, baseline, &tolerances)?);
    }
    if report.cases.iter().any(|case| case.error.is_some()) {
        return Ok(Verdict::NotJudged);
    }
    let worse = report.baseline.iter().flatten().any(|row| row.change == Change::Worse);
    if worse || report.limits.iter().any(|limit| !limit.held) {
        return Ok(Verdict::Missed);
    }
    let mut records = report.cases.iter().flat_map(|case| &case.metrics);
    let undefined = records.any(|record| record.status == Status::Undefined && is_named(&record.id));
    // Runs whose times never meet were not compared at all, whatever was asked for.
    let is_apart = |case: &CaseReport| case.findings.iter().any(|finding| finding.code == "NO_COMMON_TIME");
    Ok(if undefined || report.cases.iter().any(is_apart) { Verdict::Undefined } else { Verdict::Fine })
}
