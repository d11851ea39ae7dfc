//! `mapjudge truth propose LOG --out RECORD.jsonl`.

use std::path::PathBuf;

use mapjudge::ground_truth::{PosesFrom, ProposeJob, ProposePlan, propose};
use mapper::{Graph, MapperEntry, RangeLimits};

use super::super::map::{mappers, settings};
use super::rule::RuleFlags;
use super::tables::proposal_table;
use crate::Global;
use crate::failure::Failure;
use crate::flags::KeyframeFlags;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};
use crate::progress::Progress;

#[derive(clap::Args)]
pub struct Propose {
    /// Log with scans.
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Record to begin; one that exists is not overwritten.
    #[arg(long, value_name = "RECORD.jsonl")]
    out: PathBuf,
    /// Poses that tell what is near, and where matches begin.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["own_poses", "mapper"])]
    trajectory: Option<PathBuf>,
    /// Take the poses of the scans in the log, as a corrected log has them.
    #[arg(long, conflicts_with = "mapper")]
    own_poses: bool,
    /// Mapper that finds the poses [default: graph].
    #[arg(long, value_parser = mappers())]
    mapper: Option<MapperEntry>,
    /// A parameter of the mapper; may be given many times.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    #[command(flatten)]
    keyframes: KeyframeFlags,
    /// Ranges from here on are no returns, metres.
    #[arg(long, value_name = "METRES", default_value_t = 80.0, allow_negative_numbers = true)]
    range_max: f64,
    /// Accept at once what meets the rule.
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    rule: RuleFlags,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

impl Propose {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let bar = Progress::steps(0, global.quiet).counting("pairs of scans matched");
        let job = self.job(global.seed())?;
        let proposal = propose(&job, &self.reading.options, &|done, all| bar.done_of(done, all))?;
        let findings = proposal.findings.clone();
        Ok(self.format.answer(Printed::new(proposal, proposal_table).noting(&findings)))
    }

    fn job(&self, seed: u64) -> Result<ProposeJob, Failure> {
        let poses = match (&self.trajectory, self.own_poses) {
            (Some(path), _) => PosesFrom::Trajectory(path.clone()),
            (None, true) => PosesFrom::Log,
            (None, false) => PosesFrom::Mapper {
                mapper: self.mapper.unwrap_or(MapperEntry::of::<Graph>()),
                settings: settings(None, &self.settings)?,
                seed,
            },
        };
        Ok(ProposeJob {
            log: self.log.clone(),
            poses,
            plan: ProposePlan {
                params: self.keyframes.params(),
                range: RangeLimits { min_m: 0.02, max_m: self.range_max },
                accept: self.accept.then(|| self.rule.rule()),
                time: self.rule.time.clone(),
            },
            record: self.out.clone(),
        })
    }
}
