//! `mapjudge truth propose|accept|review|check|export|import`: ground-truth relations from scans.

mod propose;
mod record;
mod review;
mod rule;
mod tables;

use clap::Subcommand;

use crate::Global;
use crate::failure::Failure;
use crate::output::Answer;

/// Propose ground-truth relations from scans, accept, check and export them.
///
/// A proposal is measured by two scans alone, and carries what it rests on. The record is a file of JSON Lines that is
/// only ever appended to: the last entry of an id is valid, and each accepted relation names the person or the rule that
/// accepted it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge truth propose run.log --out record.jsonl
      maps the log with `graph`, and proposes relations between its keyframes
  mapjudge truth propose run.log --trajectory good.tum --accept --out record.jsonl
      poses of a file tell what is near; the rule accepts what is beyond doubt
  mapjudge truth accept record.jsonl --max-sigma 0.01 --try
      how many a stricter rule would accept
  mapjudge truth review record.jsonl --log run.log --terminal --reviewer 'Ada Lovelace'
      what the rule doubts, decided one by one
  mapjudge truth check record.jsonl
  mapjudge truth export record.jsonl --out truth.relations
  mapjudge truth import published.relations --out record.jsonl --reviewer 'table 2 of the paper'")]
pub struct Truth {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Propose relations between the scans of a log; begins a record.
    Propose(Box<propose::Propose>),
    /// Accept the proposals of a record that meet a rule; the doubtful stay proposed.
    Accept(rule::Accept),
    /// Decide about proposals, in the browser or at the terminal.
    Review(Box<review::Review>),
    /// Tell what is wrong with a record or with relations: loops, contradictions, gaps, decisions without a reviewer.
    Check(record::Check),
    /// Write what was accepted as relations.
    Export(record::Export),
    /// Begin a record with the relations of a file.
    Import(record::Import),
}

impl Truth {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        match &self.action {
            Action::Propose(action) => action.run(global),
            Action::Accept(action) => action.run(),
            Action::Review(action) => action.run(global),
            Action::Check(action) => action.run(),
            Action::Export(action) => action.run(),
            Action::Import(action) => action.run(),
        }
    }
}
