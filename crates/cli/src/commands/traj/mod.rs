//! `mapjudge traj EST.. [--truth TRAJECTORY] [--relations FILE]`: trajectories against their truth.

mod compare;
mod matching;
mod measuring;
mod selecting;

use std::path::PathBuf;

use mapjudge::files::{Job, read_regions};
use mapjudge::{JobError, RankBy, relation_table};

use serde_json::json;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{JudgingFlags, TableFlags, over, over_list, over_option};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, OutputFlags};
use crate::word::file_word;
use compare::Compare;
use matching::MatchingFlags;
use measuring::MeasuringFlags;
use selecting::SelectingFlags;

/// Judge trajectories against a truth, or against relations.
///
/// Reads TUM, KITTI, EuRoC, pose logs, CARMEN logs, bags and pose graphs. Several runs are compared on what all of
/// them have, with intervals; a run that covers too little of the truth is listed and not ranked.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    mut_arg("format", Format::offer(REPORT)),
    mut_arg("out", |out| out.help("Also write report.json, report.html, errors.csv and the figures (SVG and PDF) into this folder")),
    after_help = "\
Examples:
  mapjudge traj slam.tum --truth groundtruth.tum
      errors of positions, headings and displacements, drift and coverage
  mapjudge traj a.tum b.tum c.tum --truth groundtruth.tum --out result
      three runs with ranking, intervals and paired tests; result/report.html has the plots
  mapjudge traj corrected.log --relations intel.relations --records odom,flaser --associate nearest --max-dt 0.006
      the metric of the Freiburg benchmark and of the Interleague Challenge
  mapjudge traj est.kitti --truth gt.kitti --align sim3 --delta 1m --pairs all
      matched by index, because the files have no times; other alignment, other pairs
  mapjudge traj keyframes.tum --truth gt.tum --associate interpolate --estimate-offset 5
      truth interpolated at the times of the estimate, clocks up to 5 s apart
  mapjudge traj run.bag --topic /slam/pose --truth run.bag --truth-topic /mocap/pose
      estimate and truth from one bag
  mapjudge traj a.xyt b.xyt c.xyt --relations truth.relations --regions regions.csv
      Table 1 of Kleiner et al. 2009 for all teams, and their errors by region and by ground
  mapjudge traj compare results/*
      results that --out saved earlier, side by side
What evo prints: --align se3 (evo -a), --max-dt 0.01, --set rpe_translation.pairs_from=estimate, .cut=past"
)]
pub struct Traj {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// Trajectories to judge.
    #[arg(value_name = "EST")]
    estimates: Vec<PathBuf>,
    /// The true trajectory.
    #[arg(long, value_name = "TRAJECTORY")]
    truth: Option<PathBuf>,
    /// Topic of the truth, if it is a bag [default: that of --topic].
    #[arg(long, value_name = "TOPIC")]
    truth_topic: Option<String>,
    /// True displacements: rows of t1 t2 x y z roll pitch yaw.
    #[arg(long, value_name = "FILE")]
    relations: Option<PathBuf>,
    /// Where the robot was when: rows of from_s,to_s,region[,ground]. Errors of relations are told by region and ground.
    #[arg(long, value_name = "FILE", requires = "relations")]
    regions: Option<PathBuf>,
    /// Odometry of the run, for --associate filled.
    #[arg(long, value_name = "FILE")]
    odometry: Option<PathBuf>,
    /// A map to draw the paths on.
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,
    /// TOML file with the same choices as these flags; `mapjudge help job` describes it.
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    #[command(flatten)]
    reading: formats::LogReadOptions,
    #[command(flatten)]
    matching: MatchingFlags,
    #[command(flatten)]
    selecting: SelectingFlags,
    #[command(flatten)]
    measuring: MeasuringFlags,
    #[command(flatten)]
    ranking: RankingFlags,
    #[command(flatten)]
    judging: JudgingFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(clap::Subcommand)]
enum Subcommand {
    /// Compare results that `traj --out` saved.
    Compare(Compare),
}

#[derive(clap::Args)]
#[command(next_help_heading = "Ranking")]
struct RankingFlags {
    /// Coverage below which a run is listed but not ranked, 0 to 1 [default: 0.8].
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    min_coverage: Option<f64>,
    /// The metric that ranks [default: ate_translation, without a truth relative_displacement].
    #[arg(long, value_name = "ID", value_parser = file_word::<RankBy>)]
    rank_by: Option<RankBy>,
    /// Resamples of the bootstrap behind intervals and tests [default: 1000].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    resamples: Option<usize>,
}

impl Traj {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if let Some(Subcommand::Compare(compare)) = &self.command {
            return compare.run(global);
        }
        let job = self.job(global)?;
        if job.inputs.trajectories.is_empty() {
            return Err(JobError::Incomplete("trajectory").into());
        }
        let mut judged = Judged::of_job(&job, global)?;
        judged.below_table = relation_table(&judged.report.cases);
        Ok(self.output.answer(self.tables.apply(judged)?))
    }

    /// The job file, if there is one, with the flags over it.
    fn job(&self, global: &Global) -> Result<Job, Failure> {
        let mut job = self.job.as_deref().map_or_else(|| Ok(Job::default()), Job::from_file)?;
        let (inputs, plan) = (&mut job.inputs, &mut job.plan);
        over_list(&mut inputs.trajectories, &self.estimates);
        over_option(&mut inputs.truth_trajectory, &self.truth);
        over_option(&mut inputs.truth_topic, &self.truth_topic);
        over_option(&mut inputs.relations, &self.relations);
        over_option(&mut inputs.odometry, &self.odometry);
        over_option(&mut inputs.background, &self.map);
        self.matching.apply(inputs, &mut plan.matching);
        self.selecting.apply(&mut plan.poses);
        self.measuring.apply(plan);
        if let Some(regions) = &self.regions {
            plan.set("relative_displacement", "regions", json!(read_regions(regions)?));
        }
        over(&mut plan.matching.min_coverage, &self.ranking.min_coverage);
        over_option(&mut plan.ranking.rank_by, &self.ranking.rank_by);
        over(&mut plan.ranking.resamples, &self.ranking.resamples);
        over(&mut plan.ranking.seed, &global.seed);
        plan.figures = self.output.figures();
        job.read = job.read.overridden_by(&self.reading.options);
        self.judging.apply(&mut job.rules);
        Ok(job)
    }
}
