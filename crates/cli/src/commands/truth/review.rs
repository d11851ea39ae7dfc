//! `mapjudge truth review RECORD.jsonl --log LOG`: proposals decided by a person, in the browser or at the terminal.

use std::path::PathBuf;

#[cfg(feature = "serve")]
use mapjudge::ground_truth::open_review;
use mapjudge::ground_truth::{ReviewJob, review};
use mapper::RangeLimits;
#[cfg(feature = "serve")]
use server::{Desk, ReviewDesk};
use truth::SecondOpinions;

use super::rule::RuleFlags;
use super::tables::review_table;
use crate::Global;
use crate::failure::Failure;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, note};
#[cfg(feature = "serve")]
use crate::pages::PageFlags;

/// Decide what is proposed, one after the other.
///
/// What the rule doubts most comes first. Each decision is appended to the record at once, so that a review can stop at any
/// time and the next one goes on; what somebody else decided meanwhile stays. A share of the relations goes to another
/// person too; where two opinions differ, nothing is exported until a third person settles it. With --terminal the two scans
/// are drawn into a file after every change: keep it open in a viewer that loads it again.
#[derive(clap::Args)]
#[command(after_help = "\
Commands of --terminal, one per line from standard input:
  accept [NOTE], reject [NOTE]     decide; a displacement that was changed is accepted as adjusted
  adjust DX DY DYAW, set X Y YAW   change it by, or to, metres and degrees
  match                            lay the scans on each other again from here
  second                           ask another person too
  undo, reopen ID, skip, show, status, help, quit
Examples:
  mapjudge truth review record.jsonl --log run.log --reviewer 'Ada Lovelace' --open
      decide in the browser
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
    /// Read commands from standard input instead of showing a page.
    #[arg(long)]
    terminal: bool,
    /// Who decides; stands in every decision.
    #[arg(long, value_name = "NAME")]
    reviewer: String,
    /// Share of the decided relations that go to another person, who does not see the first decision; adjusted ones go
    /// anyway. `--seed` chooses them.
    #[arg(long, value_name = "SHARE", default_value_t = SecondOpinions::default().share, allow_negative_numbers = true)]
    second: f64,
    /// File for the figure of the two scans [default: the record with the ending .svg].
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
    /// Ranges from here on are no returns, metres.
    #[arg(long, value_name = "METRES", default_value_t = 80.0, allow_negative_numbers = true)]
    range_max: f64,
    #[command(flatten)]
    rule: RuleFlags,
    #[cfg(feature = "serve")]
    #[command(flatten)]
    page: PageFlags,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

impl Review {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if self.reviewer.trim().is_empty() {
            return Err(Failure::new("--reviewer is empty: expected the name of who decides"));
        }
        if !(0.0..=1.0).contains(&self.second) {
            return Err(Failure::new(format!("--second {}: expected a share from 0 to 1", self.second)));
        }
        let job = ReviewJob {
            figure: self.figure.clone().unwrap_or_else(|| self.record.with_extension("svg")),
            record: self.record.clone(),
            log: self.log.clone(),
            reviewer: self.reviewer.clone(),
            time: self.rule.time.clone(),
            rule: self.rule.rule(),
            range: RangeLimits { min_m: 0.02, max_m: self.range_max },
            second: SecondOpinions { share: self.second, seed: global.seed() },
        };
        if !self.terminal {
            return self.show(&job);
        }
        let reviewed = review(&job, &self.reading.options, &mut std::io::stdin().lock(), &note)?;
        Ok(self.format.answer(Printed::new(reviewed, review_table)))
    }
}

impl Review {
    /// Shows the page until the work is done. Decisions stand in the record as they are made.
    #[cfg(feature = "serve")]
    fn show(&self, job: &ReviewJob) -> Result<Answer, Failure> {
        let review = open_review(job, &self.reading.options)?;
        let desk = ReviewDesk::new(review, job.reviewer.clone(), job.time.clone());
        let app = self.page.show(Desk::Review(Box::new(desk)))?;
        Ok(Answer::notes(vec![app.review_in_words().unwrap_or_default()]))
    }

    #[cfg(not(feature = "serve"))]
    fn show(&self, _: &ReviewJob) -> Result<Answer, Failure> {
        let message = "this program was built without pages: expected --terminal";
        Err(Failure::new(message).hint("`--terminal` reads commands from standard input"))
    }
}
