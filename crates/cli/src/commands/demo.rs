//! `mapjudge demo`: a generated rescue arena, four teams, their contest; with `--mapping`, a maze and three maps of it.

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::ProgressBar;
use report::{Format, ranking, render};

use crate::output::{Failure, note, print, progress_steps};

/// The whole tool on data it makes itself: a rescue arena with victims, hazards, labels and barrels, the submissions of
/// four teams, their scores, the ranking with how sure it is, score sheets and appeal bundles. Maps of an office floor for
/// the other commands lie beside it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mapjudge demo                 writes everything into mapjudge-demo/; open mapjudge-demo/result/index.html
  mapjudge demo --seed 7 out    another arena, into out/
  mapjudge demo --mapping maze  a walk through a maze, mapped by odometry, robbie and graph; open maze/result/index.html
  mapjudge contest out/contest/contest.toml --out again       scores the teams once more
  mapjudge score out/noise.yaml --truth out/truth.yaml        scores a map of the office floor")]
pub struct Demo {
    /// Folder to write into; made if it is not there.
    #[arg(default_value = "mapjudge-demo", value_name = "DIR")]
    folder: PathBuf,
    /// Simulate a walk through a maze, map it with both mappers and with odometry alone, and score all three.
    #[arg(long)]
    mapping: bool,
}

impl Demo {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        if self.mapping {
            return self.map(seed, quiet);
        }
        if !quiet {
            note(&format!("making a rescue arena (seed {seed}) and the submissions of four teams"));
        }
        let demo = mapjudge::demo(&self.folder, seed, &|_| {})?;
        let table = ranking(&demo.contest, Format::Table).map_err(|error| Failure::new(error.to_string()))?;
        print(&format!("{table}\nContest: {}\nRanking: {}\n", demo.file.display(), demo.html.display()))?;
        Ok(ExitCode::SUCCESS)
    }

    fn map(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let bar = if quiet { ProgressBar::hidden() } else { progress_steps(5) };
        let demo = mapjudge::mapping_demo(&self.folder, seed, &|done| bar.set_position(done as u64));
        bar.finish_and_clear();
        let demo = demo?;
        let table =
            render(&demo.report, Format::Table, &[]).map_err(|error| Failure::new(error.to_string()))?;
        print(&format!("{table}\nLog:    {}\nReport: {}\n", demo.log.display(), demo.html.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
