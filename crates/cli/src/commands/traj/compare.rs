//! `mapjudge traj compare RESULT..`: results that were saved earlier, side by side.

use std::path::PathBuf;

use mapjudge::Verdict;
use mapjudge::files::read_saved_runs;
use report::TableStyle;

use crate::failure::Failure;
use crate::flags::TableFlags;
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, OutputFlags};

/// Compare results that `traj --out` saved.
///
/// Nothing is measured again: values, statistics and errors are those of the folders. Runs that were judged by another
/// truth or with other options carry a warning.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(REPORT)),
    after_help = "\
Examples:
  mapjudge traj compare results/*
      one table of all saved runs, the best values marked
  mapjudge traj compare results/* --out paper --format latex --digits 3 --unit cm
      the table of a paper; paper/paths.pdf and paper/errors_over_time.pdf show all runs"
)]
pub struct Compare {
    /// Folders that `traj --out` wrote, or their report.json.
    #[arg(value_name = "RESULT", required = true)]
    results: Vec<PathBuf>,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Compare {
    pub fn run(&self) -> Result<Answer, Failure> {
        let report = read_saved_runs(&self.results)?;
        let judged = Judged {
            report,
            verdict: Verdict::Fine,
            below_table: String::new(),
            style: TableStyle::default(),
            failures: Vec::new(),
        };
        Ok(self.output.answer(self.tables.apply(judged)?))
    }
}
