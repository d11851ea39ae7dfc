//! `mapjudge truth review RECORD.jsonl --log LOG --terminal`: proposals decided by a person.

use std::path::PathBuf;

use mapjudge::ground_truth::{ReviewJob, review};
use mapper::RangeLimits;

use super::rule::RuleFlags;
use super::tables::review_table;
use crate::failure::Failure;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, note};

/// Decide what is proposed, one after the other.
///
/// What the rule doubts comes first. Each decision is appended to the record at once, so that a review can stop at any time
/// and the next one goes on; what somebody else decided meanwhile stays. The two scans are drawn into a file after every
/// change: keep it open in a viewer that loads it again.
#[derive(clap::Args)]
#[command(after_help = "\
Commands, one per line from standard input:
  accept [NOTE], reject [NOTE]     decide; a displacement that was changed is accepted as adjusted
  adjust DX DY DYAW, set X Y YAW   change it by, or to, metres and degrees
  match                            lay the scans on each other again from here
  undo, reopen ID, skip, show, status, help, quit
Examples:
  mapjudge truth review record.jsonl --log run.log --terminal --reviewer 'Ada Lovelace'
      decide at the terminal, with record.svg in a viewer
  printf 'adjust 0 0.01 0\\naccept\\nquit\\n' | mapjudge truth review record.jsonl --log run.log --terminal --reviewer Ada
      the same from a script")]
pub struct Review {
    /// Record to decide about, and to append to.
    #[arg(value_name = "RECORD.jsonl")]
    record: PathBuf,
    /// Log with the scans.
    #[arg(long, value_name = "LOG")]
    log: PathBuf,
    /// Read commands from standard input. The page in a browser is to come.
    #[arg(long)]
    terminal: bool,
    /// Who decides; stands in every decision.
    #[arg(long, value_name = "NAME", required_if_eq("terminal", "true"))]
    reviewer: Option<String>,
    /// File for the figure of the two scans [default: the record with the ending .svg].
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
    /// Ranges from here on are no returns, metres.
    #[arg(long, value_name = "METRES", default_value_t = 80.0, allow_negative_numbers = true)]
    range_max: f64,
    #[command(flatten)]
    rule: RuleFlags,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

impl Review {
    pub fn run(&self) -> Result<Answer, Failure> {
        let Some(reviewer) = self.reviewer.clone().filter(|_| self.terminal) else {
            let message = "the page for reviews is to come: expected --terminal";
            return Err(
                Failure::new(message).hint("`--terminal --reviewer NAME` reads commands from standard input")
            );
        };
        if reviewer.trim().is_empty() {
            return Err(Failure::new("--reviewer is empty: expected the name of who decides"));
        }
        let job = ReviewJob {
            figure: self.figure.clone().unwrap_or_else(|| self.record.with_extension("svg")),
            record: self.record.clone(),
            log: self.log.clone(),
            reviewer,
            time: self.rule.time.clone(),
            rule: self.rule.rule(),
            range: RangeLimits { min_m: 0.02, max_m: self.range_max },
        };
        let reviewed = review(&job, &self.reading.options, &mut std::io::stdin().lock(), &note)?;
        Ok(self.format.answer(Printed::new(reviewed, review_table)))
    }
}
