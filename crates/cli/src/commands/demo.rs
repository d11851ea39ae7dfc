//! `mapjudge demo`: a generated rescue arena, four teams, their contest; with `--mapping`, a maze and three maps of it.

use std::path::PathBuf;

use mapjudge::files::OutputFolder;
use report::{ranking_on, table_on};

use crate::Global;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::invocation::run;
use crate::output::{Answer, finish, note};
use crate::progress::Progress;
use crate::terminal::screen;

/// The whole tool on data it makes itself; needs nothing.
///
/// Makes a rescue arena with victims, hazards, labels and barrels, the submissions of four teams, their scores, the
/// ranking with how sure it is, score sheets and appeal bundles. Maps of an office floor for the other commands lie
/// beside it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mapjudge demo                       writes everything into mapjudge-demo/; open mapjudge-demo/result/index.html
  mapjudge demo --seed 7 --out out    another arena, into out/
  mapjudge demo --mapping --out maze  a walk through a maze, mapped by odometry, robbie and graph; open maze/result/index.html
  mapjudge contest out/contest/contest.toml --out again       scores the teams once more
  mapjudge score out/noise.yaml --truth out/truth.yaml        scores a map of the office floor")]
pub struct Demo {
    /// Folder to write into; made if it is not there [default: mapjudge-demo].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The same folder without the flag.
    #[arg(value_name = "DIR", conflicts_with = "out", hide = true)]
    folder: Option<PathBuf>,
    /// Simulate a walk through a maze, map it with both mappers and with odometry alone, and score all three.
    #[arg(long)]
    mapping: bool,
    #[command(flatten)]
    overwrite: OverwriteFlag,
}

impl Demo {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let seed = global.seed();
        let folder = self.out.clone().or_else(|| self.folder.clone());
        let folder = folder.unwrap_or_else(|| PathBuf::from("mapjudge-demo"));
        let run = run(&folder, &[&seed.to_string(), if self.mapping { "mapping" } else { "contest" }]);
        let folder = OutputFolder::guarded(folder, run, self.overwrite.overwrite());
        if self.mapping {
            let bar = Progress::steps(5, global.quiet).counting("steps");
            let demo = mapjudge::mapping_demo(&folder, seed, &|done| bar.done(done))?;
            finish(&folder, global.quiet)?;
            let table = table_on(&demo.report, screen());
            let (log, page) = (demo.log.display(), demo.html.display());
            return Ok(Answer::text(format!("{table}\nLog:    {log}\nReport: {page}\n")));
        }
        if !global.quiet {
            note(&format!("making a rescue arena (seed {seed}) and the submissions of four teams"));
        }
        let demo = mapjudge::demo(&folder, seed, &|_| {})?;
        finish(&folder, global.quiet)?;
        let table = ranking_on(&demo.contest, screen());
        let (file, page) = (demo.file.display(), demo.html.display());
        Ok(Answer::text(format!("{table}\nContest: {file}\nRanking: {page}\n")))
    }
}
