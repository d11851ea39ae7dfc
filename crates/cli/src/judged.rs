//! A judged job as an output: the report in every format, its folder, its warnings, its verdict.

use mapjudge::files::{Evaluation, Job, OutputFolder, evaluate, write_report};
use mapjudge::{JobError, Plan, Verdict};
use model::Level;
use report::{Report, TableStyle, render_styled, table_on};

use crate::Global;
use crate::failure::Failure;
use crate::format::Format;
use crate::hints::with_flags;
use crate::output::Output;
use crate::progress::Progress;
use crate::terminal::screen;

/// A report with its verdict.
pub struct Judged {
    pub report: Report,
    pub verdict: Verdict,
    /// Printed below the table.
    pub below_table: String,
    /// How tables show their numbers.
    pub style: TableStyle,
    /// Why some of the cases could not be judged.
    pub failures: Vec<String>,
}

/// Failures that are told one by one on stderr; the report has them all.
const MAX_TOLD: usize = 10;

impl Judged {
    /// Carries out a job with a progress bar.
    pub fn of_job(job: &Job, global: &Global) -> Result<Self, Failure> {
        let inputs = &job.inputs;
        let cases = inputs.maps.len() + inputs.trajectories.len() + inputs.points.len();
        let bar = Progress::steps(cases, global.quiet).counting(what_is_judged(job));
        let plan = Plan { stop: global.stop.clone(), ..job.plan.clone() };
        let job = Job { plan, ..job.clone() };
        Ok(evaluate(&job, &|done| bar.done(done))?.into())
    }
}

/// What the steps of a job are.
fn what_is_judged(job: &Job) -> &'static str {
    let inputs = &job.inputs;
    match (inputs.trajectories.is_empty(), inputs.points.is_empty()) {
        (false, _) => "trajectories judged",
        (_, false) => "lists of points judged",
        _ => "maps judged",
    }
}

impl From<Evaluation> for Judged {
    fn from(evaluation: Evaluation) -> Self {
        let Evaluation { mut report, verdict, failures } = evaluation;
        for finding in report.cases.iter_mut().flat_map(|case| &mut case.findings) {
            finding.hint = finding.hint.as_deref().map(with_flags);
        }
        let failures = failure_lines(failures, report.cases.len());
        Self { report, verdict, below_table: String::new(), style: TableStyle::default(), failures }
    }
}

/// What failed, file by file, and how many of all.
fn failure_lines(failures: Vec<(String, JobError)>, cases: usize) -> Vec<String> {
    let failed = failures.len();
    let told = failures.into_iter().take(MAX_TOLD).map(|(_, error)| Failure::from(error).words());
    let mut lines: Vec<String> = told.collect();
    if failed > MAX_TOLD {
        lines.push(format!("error: and {} more, which the report lists", failed - MAX_TOLD));
    }
    if failed > 0 {
        lines
            .push(format!("error: {failed} of {cases} cases could not be judged; the report has the others"));
    }
    lines
}

impl Output for Judged {
    fn render(&self, format: Format) -> Result<String, Failure> {
        if format == Format::Table {
            return Ok(table_on(&self.report, screen()) + &self.below_table);
        }
        Ok(render_styled(&self.report, format.of_report(), self.style)?)
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        Ok(write_report(folder, &self.report)?)
    }

    /// The table shows the findings itself.
    fn notes(&self, format: Format) -> Vec<String> {
        if format == Format::Table { Vec::new() } else { warnings(&self.report) }
    }

    fn errors(&self) -> Vec<String> {
        self.failures.clone()
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }
}

/// The warnings of a report.
pub fn warnings(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for case in report.cases.iter().filter(|case| case.error.is_none()) {
        for finding in case.findings.iter().filter(|finding| finding.level >= Level::Warning) {
            let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            lines.push(format!("warning: {}: {}: {}{hint}", case.name, finding.code, finding.message));
        }
    }
    lines
}
