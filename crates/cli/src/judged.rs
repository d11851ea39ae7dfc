//! A judged job as an output: the report in every format, its folder, its warnings, its verdict.

use mapjudge::Verdict;
use mapjudge::files::{Evaluation, Job, OutputFolder, evaluate, write_report};
use model::Level;
use report::{Report, render};

use crate::Global;
use crate::failure::Failure;
use crate::format::Format;
use crate::output::Output;
use crate::progress::Progress;

/// A report with its verdict.
pub struct Judged {
    pub report: Report,
    pub verdict: Verdict,
    /// Printed below the table.
    pub below_table: String,
}

impl Judged {
    /// Carries out a job with a progress bar.
    pub fn of_job(job: &Job, global: &Global) -> Result<Self, Failure> {
        let inputs = &job.inputs;
        let cases = inputs.maps.len() + inputs.trajectories.len() + inputs.points.len();
        let bar = Progress::steps(cases, global.quiet);
        Ok(evaluate(job, &|done| bar.done(done))?.into())
    }
}

impl From<Evaluation> for Judged {
    fn from(evaluation: Evaluation) -> Self {
        Self { report: evaluation.report, verdict: evaluation.verdict, below_table: String::new() }
    }
}

impl Output for Judged {
    fn render(&self, format: Format) -> Result<String, Failure> {
        let text = render(&self.report, format.of_report())?;
        Ok(if format == Format::Table { text + &self.below_table } else { text })
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        Ok(write_report(folder, &self.report)?)
    }

    /// The table shows the findings itself.
    fn notes(&self, format: Format) -> Vec<String> {
        if format == Format::Table { Vec::new() } else { warnings(&self.report) }
    }

    fn verdict(&self) -> Verdict {
        self.verdict
    }
}

/// The warnings of a report.
pub fn warnings(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for case in &report.cases {
        for finding in case.findings.iter().filter(|finding| finding.level >= Level::Warning) {
            let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            lines.push(format!("warning: {}: {}: {}{hint}", case.name, finding.code, finding.message));
        }
    }
    lines
}
