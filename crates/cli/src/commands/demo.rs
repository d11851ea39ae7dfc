//! `mapjudge demo`: a generated rescue arena, four teams, their contest.

use std::path::PathBuf;
use std::process::ExitCode;

use report::{Format, ranking};

use crate::output::{Failure, note, print};

/// The whole tool on data it makes itself: a rescue arena with victims, hazards, labels and barrels, the submissions of
/// four teams, their scores, the ranking with how sure it is, score sheets and appeal bundles. Maps of an office floor for
/// the other commands lie beside it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mapjudge demo                 writes everything into mapjudge-demo/; open mapjudge-demo/result/index.html
  mapjudge demo --seed 7 out    another arena, into out/
  mapjudge contest out/contest/contest.toml --out again       scores the teams once more
  mapjudge score out/noise.yaml --truth out/truth.yaml        scores a map of the office floor")]
pub struct Demo {
    /// Folder to write into; made if it is not there.
    #[arg(default_value = "mapjudge-demo", value_name = "DIR")]
    folder: PathBuf,
}

impl Demo {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        if !quiet {
            note(&format!("making a rescue arena (seed {seed}) and the submissions of four teams"));
        }
        let demo = mapjudge::demo(&self.folder, seed, &|_| {})?;
        let table = ranking(&demo.contest, Format::Table).map_err(|error| Failure::new(error.to_string()))?;
        print(&format!("{table}\nContest: {}\nRanking: {}\n", demo.file.display(), demo.html.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
