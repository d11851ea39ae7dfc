//! `mapjudge relations make|check|filter|convert`: ground-truth relations as files.

pub mod check;
mod make;
mod select;

use std::path::Path;

use clap::Subcommand;
use mapjudge::files::relations::Written;

use crate::Global;
use crate::failure::Failure;
use crate::output::{Answer, finding_line};

/// Make, check, filter and convert ground-truth relations.
///
/// A relation is the pose at one timestamp seen from the pose at another; relations judge a run without any alignment.
/// The ending of a file names its form: relations (rows), jsonl (records with tags and verdicts), csv, json.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge relations make truth.tum truth.jsonl
      consecutive keyframes and revisited places of a trajectory that is taken as true
  mapjudge relations make truth.tum random.relations --pairs random --precision 0.02
      as many random pairs as give the mean to 2 %
  mapjudge relations check truth.jsonl --run run.tum
      loops that do not close, contradictions, gaps; and whether the relations come from the run
  mapjudge relations check --published 1.08,1.81,4.44
      whether a printed mean, deviation and mean square can belong together
  mapjudge relations filter truth.jsonl loops.relations --tag loop --max-distance 1
  mapjudge relations convert truth.jsonl truth.relations --lossy")]
pub struct Relations {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Make relations from a trajectory that is taken as true.
    Make(make::Make),
    /// Tell what is wrong with relations: loops, contradictions, repetitions, gaps. Exit code 1 if a rule is broken.
    Check(check::Check),
    /// Write a part of the relations.
    Filter(select::Filter),
    /// Write relations in another form.
    Convert(select::Convert),
}

impl Relations {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        match &self.action {
            Action::Make(make) => make.run(global),
            Action::Check(check) => check.run(),
            Action::Filter(filter) => filter.run(global),
            Action::Convert(convert) => convert.run(),
        }
    }
}

/// The lines about a file of relations that was written.
pub fn written(written: &Written, output: &Path, of: &str) -> Answer {
    let counts =
        format!("wrote {}: {} relations of {} {of}", output.display(), written.relations, written.of);
    let lost = (!written.lost.is_empty()).then(|| format!("lost: {}", written.lost.join(", ")));
    Answer::notes(written.findings.iter().map(finding_line).chain([counts]).chain(lost).collect())
}
