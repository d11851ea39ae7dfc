//! `mapjudge traj compare RESULT..`: results that were saved earlier, side by side.

use std::path::PathBuf;

use mapjudge::files::read_saved_runs;
use mapjudge::{RankBy, Ranking, Verdict};
use report::TableStyle;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{TableFlags, over, over_option};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, OutputFlags};
use crate::word::file_word;

/// Compare results that `traj --out` saved.
///
/// Nothing is measured again: values, statistics and errors are those of the folders. Runs of one truth that kept their
/// errors are ranked with intervals, by a bootstrap over poses or relations that all of them have. Runs that were judged
/// by another truth or with other options carry a warning, and nothing is ranked.
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
    ranking: RankingFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Ranking")]
struct RankingFlags {
    /// The metric that ranks [default: ate_translation where every result kept errors of poses, else
    /// relative_displacement].
    #[arg(long, value_name = "ID", value_parser = file_word::<RankBy>)]
    rank_by: Option<RankBy>,
    /// Resamples of the bootstrap behind intervals and tests [default: 1000].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    resamples: Option<usize>,
}

impl Compare {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let mut ranking = Ranking::default();
        over_option(&mut ranking.rank_by, &self.ranking.rank_by);
        over(&mut ranking.resamples, &self.ranking.resamples);
        over(&mut ranking.seed, &global.seed);
        let report = read_saved_runs(&self.results, &ranking)?;
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
