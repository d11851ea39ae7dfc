//! `mapjudge history add|show|check`: reports over time.

mod add;
mod check;
mod show;

use std::path::PathBuf;

use clap::Subcommand;
use mapjudge::files::{HistoryFolder, LoadedHistory};
use report::{History as Reports, nearest};

use crate::Global;
use crate::failure::Failure;
use crate::output::Answer;

/// Keep reports over time, show how metrics moved, and tell when one got worse.
///
/// The history is a folder: one small file per report, nothing to start and nothing to lock. Jobs may add at the same
/// time and be killed at any time.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge score maps/*.yaml --truth truth.yaml --out result
  mapjudge history add nightly result/report.json --label \"$COMMIT\"
      keep the report of tonight
  mapjudge history check nightly
      exit code 1 if a value is worse than the median of the last 10 by 3 sigma
  mapjudge history check nightly --metrics overall_error --sigma 4 --last 20 --limits limits.toml
      another rule; tolerances and rules of single metrics come from the limits file
  mapjudge history show nightly --out trend
      trend/history.html has a figure per metric")]
pub struct History {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Keep a JSON report.
    Add(add::Add),
    /// Show how every metric moved; --out writes a page with a figure per metric.
    Show(show::Show),
    /// Tell whether the newest values stand out from those before.
    Check(check::Check),
}

impl History {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        match &self.action {
            Action::Add(action) => action.run(),
            Action::Show(action) => action.run(),
            Action::Check(action) => action.run(),
        }
    }
}

/// The folder, and which metrics of it.
#[derive(clap::Args)]
struct Selection {
    /// The folder of the history.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Ids of metrics, with commas [default: all].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    metrics: Vec<String>,
}

impl Selection {
    /// The newest entries, and lines about files that are none.
    fn load(&self, newest: Option<usize>) -> Result<(Reports, Vec<String>), Failure> {
        let LoadedHistory { history, skipped } = HistoryFolder::new(&self.folder).load(newest)?;
        let known: Vec<&str> = history
            .entries
            .iter()
            .rev()
            .flat_map(|entry| &entry.metrics)
            .map(|facts| facts.id.as_str())
            .collect();
        if let Some(name) = self.metrics.iter().find(|name| !known.contains(&name.as_str())) {
            let hint = match nearest(name, known.iter().copied()) {
                Some(id) => format!("did you mean '{id}'?"),
                None => "`mapjudge history show DIR` lists the metrics of a history".to_owned(),
            };
            return Err(Failure::new(format!("no metric '{name}' in the history")).hint(hint));
        }
        let notes = skipped.into_iter().map(|why| format!("warning: no entry of a history: {why}")).collect();
        Ok((history, notes))
    }
}
