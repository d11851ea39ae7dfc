//! `mapjudge demo`: a generated place, five damaged maps of it, scores, ranking, HTML report.

use std::path::PathBuf;
use std::process::ExitCode;

use report::{Format, render};

use crate::output::{Failure, note, print};

/// The whole tool on data it makes itself: a generated office floor, five damaged maps of it, their scores, the
/// ranking, and an HTML report to open in a browser.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mapjudge demo                 writes maps and report into mapjudge-demo/
  mapjudge demo --seed 7 out    another place, into out/
  mapjudge score out/noise.yaml --truth out/truth.yaml     scores one of its maps")]
pub struct Demo {
    /// Folder to write into; made if it is not there.
    #[arg(default_value = "mapjudge-demo", value_name = "DIR")]
    folder: PathBuf,
}

impl Demo {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        if !quiet {
            note(&format!("making an office floor (seed {seed}) and five damaged maps of it"));
        }
        let demo = mapjudge::demo(&self.folder, seed, &|_| {})?;
        let table = render(&demo.evaluation.report, Format::Table, &[])
            .map_err(|error| Failure::new(error.to_string()))?;
        let places = demo.ranking.iter().enumerate().map(|(index, (name, value))| {
            let value = value.map_or_else(|| "undefined".to_owned(), |v| format!("{v:.4}"));
            format!("  {}. {name:<14} {value}\n", index + 1)
        });
        let ranking: String = places.collect();
        print(&format!(
            "{table}\nRanking by \"{}\", 1 is perfect:\n{ranking}\nReport: {}\n",
            demo.ranked_by,
            demo.html.display()
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
