//! What values are held against: limits and a baseline.

use std::path::PathBuf;

use mapjudge::files::RuleFiles;

use super::over_option;

/// What values are held against.
#[derive(clap::Args)]
#[command(next_help_heading = "Judging")]
pub struct JudgingFlags {
    /// File of rules such as `overall_error <= 5000` or `ate_translation <= 0.05`; one missed makes the exit code 1. Its
    /// table [tolerances] tells how far single metrics may move against --baseline.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// Earlier JSON report; a value that got worse makes the exit code 1.
    #[arg(long, value_name = "REPORT")]
    baseline: Option<PathBuf>,
    /// Relative change that still counts as the same [default: 1e-9].
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    baseline_tolerance: Option<f64>,
}

impl JudgingFlags {
    /// Puts the flags over the rules of a job.
    pub fn apply(&self, rules: &mut RuleFiles) {
        over_option(&mut rules.limits, &self.limits);
        over_option(&mut rules.baseline, &self.baseline);
        over_option(&mut rules.baseline_tolerance, &self.baseline_tolerance);
    }
}
