//! The rule that accepts proposals, and `mapjudge truth accept RECORD.jsonl`.

use std::path::PathBuf;

use mapjudge::ground_truth::{Decision, accept};
use truth::AcceptRule;

use super::tables::accepted_table;
use crate::failure::Failure;
use crate::flags::over;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};

/// The rule that accepts proposals.
#[derive(clap::Args)]
#[command(next_help_heading = "Rule")]
pub struct RuleFlags {
    /// Min. share of the points with a partner in the other scan [default: 0.5].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    min_overlap: Option<f64>,
    /// Min. share of the pairs within 3 cm [default: 0.9].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    min_inliers: Option<f64>,
    /// Max. root mean square distance of the pairs, metres [default: 0.025].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_rms: Option<f64>,
    /// Max. share of the points where the other scan sees through [default: 0.05].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    max_contradicted: Option<f64>,
    /// How far the match may move from the poses it began with, metres [default: 0.15].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_moved: Option<f64>,
    /// How far it may change the heading, degrees [default: 5].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    max_turned: Option<f64>,
    /// Max. standard deviation of the position, metres [default: 0.02].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_sigma: Option<f64>,
    /// Max. standard deviation of the heading, degrees [default: 0.5].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    max_sigma_deg: Option<f64>,
    /// Min. number of other revisits of the place, from other keyframes, that agree [default: 1].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    min_witnesses: Option<usize>,
    /// Max. number of steps between two visits that their scans correct by more than a degree or 0.1 m [default: 0].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    max_bent_steps: Option<usize>,
    /// What entries carry as their time, such as 2026-05-01T10:00:00Z [default: none, so that the same input gives the
    /// same bytes].
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
}

impl RuleFlags {
    /// The default rule with the flags over it.
    pub fn rule(&self) -> AcceptRule {
        let mut rule = AcceptRule::default();
        over(&mut rule.min_overlap, &self.min_overlap);
        over(&mut rule.min_inliers, &self.min_inliers);
        over(&mut rule.max_rms_m, &self.max_rms);
        over(&mut rule.max_contradicted, &self.max_contradicted);
        over(&mut rule.max_moved_m, &self.max_moved);
        over(&mut rule.max_turned_rad, &self.max_turned.map(f64::to_radians));
        over(&mut rule.max_sigma_m, &self.max_sigma);
        over(&mut rule.max_sigma_rad, &self.max_sigma_deg.map(f64::to_radians));
        over(&mut rule.min_witnesses, &self.min_witnesses);
        over(&mut rule.max_bent_steps, &self.max_bent_steps);
        rule
    }
}

#[derive(clap::Args)]
pub struct Accept {
    /// Record to append to.
    #[arg(value_name = "RECORD.jsonl")]
    record: PathBuf,
    #[command(flatten)]
    rule: RuleFlags,
    /// Tell what the rule would do, and write nothing.
    #[arg(long = "try")]
    is_trial: bool,
    #[command(flatten)]
    format: FormatFlag,
}

impl Accept {
    pub fn run(&self) -> Result<Answer, Failure> {
        let decision = if self.is_trial { Decision::Tried } else { Decision::Written };
        let accepted = accept(&self.record, &self.rule.rule(), self.rule.time.as_deref(), decision)?;
        let findings = accepted.findings.clone();
        Ok(self.format.answer(Printed::new(accepted, accepted_table).noting(&findings)))
    }
}
