//! `mapjudge traj EST.. [--truth TRAJECTORY] [--relations FILE]`: trajectories against their truth.

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::ProgressBar;
use mapjudge::{Pictures, TrajectoryJob, evaluate_trajectories};
use report::{Format, render};
use serde_json::Value;

use crate::choice::set_word;
use crate::commands::score::{Setting, note_findings, parse_format, parse_setting, write_files};
use crate::output::{Failure, exit_code, print};
use crate::reading::ReadingFlags;

/// Judge trajectories against a true trajectory, against relations (true displacements), or both.
///
/// Reads TUM, KITTI, EuRoC, pose logs, CARMEN logs, bags and pose graphs. Several runs are compared on what all of
/// them have, with intervals; a run that covers too little of the truth is listed and not ranked.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge traj slam.tum --truth groundtruth.tum
      errors of positions, headings and displacements, drift and coverage
  mapjudge traj a.tum b.tum c.tum --truth groundtruth.tum --out result
      three runs with ranking, intervals and paired tests; result/report.html has the plots
  mapjudge traj corrected.log --relations intel.relations --records odom,flaser --associate nearest --max-dt 0.006
      the metric of the Freiburg benchmark and of the Interleague Challenge
  mapjudge traj est.kitti --truth gt.kitti --align sim3 --delta 1m --pairs all
      matched by number, because the files have no times; other alignment, other pairs
  mapjudge traj keyframes.tum --truth gt.tum --associate interpolate --estimate-offset 5
      truth interpolated at the times of the estimate, clocks up to 5 s apart
What evo prints: --align se3 (evo -a), --max-dt 0.01, --set rpe_translation.pairs_from=estimate, .cut=past")]
pub struct Traj {
    /// Trajectories to judge.
    #[arg(value_name = "EST")]
    estimates: Vec<PathBuf>,
    /// The true trajectory.
    #[arg(long, value_name = "TRAJECTORY")]
    truth: Option<PathBuf>,
    /// True displacements: rows of t1 t2 x y z roll pitch yaw.
    #[arg(long, value_name = "FILE")]
    relations: Option<PathBuf>,
    /// Odometry of the run, for --associate filled.
    #[arg(long, value_name = "FILE")]
    odometry: Option<PathBuf>,
    /// A map to draw the paths on.
    #[arg(long, value_name = "MAP")]
    map: Option<PathBuf>,
    /// TOML file that says what these flags say.
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    matching: MatchingFlags,
    #[command(flatten)]
    measuring: MeasuringFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    /// How to print the report.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format, help_heading = "Output")]
    format: Format,
    /// Also write report.json, report.html and the plots into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Matching")]
struct MatchingFlags {
    /// Records of a log whose poses are taken: odom, flaser, rlaser, robotlaser, truepos [default: scans].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    records: Vec<String>,
    /// Leave out up to so many faulty rows instead of stopping at the first [default: 0].
    #[arg(long, value_name = "N")]
    skip_bad: Option<usize>,
    /// How a pose is looked up by its time [default: nearest; index where a file has no times].
    #[arg(long, value_name = "nearest|interpolate|exact|index|filled")]
    associate: Option<String>,
    /// Largest distance in time of `nearest` [default: 0.05].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    max_dt: Option<f64>,
    /// Largest gap that is interpolated, and that counts as covered [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    max_gap: Option<f64>,
    /// How `filled` fills: the odometry since the last pose, or with the correction spread [default: chain].
    #[arg(long, value_name = "chain|spread")]
    fill: Option<String>,
    /// Added to the times of the estimates [default: 0].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time_offset: Option<f64>,
    /// Estimate the offset between the clocks, within so many seconds, from how the runs move.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    estimate_offset: Option<f64>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Measuring")]
struct MeasuringFlags {
    /// What the fit of an estimate to the truth may move, for ATE [default: se2 in the plane, se3 in space].
    #[arg(long, value_name = "none|origin|se2|yaw|se3|sim3")]
    align: Option<String>,
    /// Fit with the first poses only.
    #[arg(long, value_name = "N")]
    align_first: Option<usize>,
    /// What an error counts for, for ATE [default: pose].
    #[arg(long, value_name = "pose|time|distance")]
    weight: Option<String>,
    /// How far apart the poses of a pair are, for RPE [default: 1f].
    #[arg(long, value_name = "1f|1m|1s|0.1rad")]
    delta: Option<String>,
    /// Which pairs are taken, for RPE [default: consecutive].
    #[arg(long, value_name = "consecutive|all")]
    pairs: Option<String>,
    /// Which product is the error of a relation [default: left].
    #[arg(long, value_name = "left|right|symmetric")]
    relation_error: Option<String>,
    /// Which way a relation is read [default: forward].
    #[arg(long, value_name = "forward|backward")]
    order: Option<String>,
    /// Ids and families to compute, with commas [default: all that apply].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    metrics: Vec<String>,
    /// A parameter of a metric; may be repeated.
    #[arg(long, value_name = "METRIC.NAME=VALUE", value_parser = parse_setting)]
    set: Vec<Setting>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Comparing and judging")]
struct ComparingFlags {
    /// Coverage below which a run is listed but not ranked [default: 0.8].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    min_coverage: Option<f64>,
    /// The metric that ranks [default: ate_translation, without a truth relative_displacement].
    #[arg(long, value_name = "ID")]
    rank_by: Option<String>,
    /// Resamples of the bootstrap behind intervals and tests [default: 1000].
    #[arg(long, value_name = "N")]
    resamples: Option<usize>,
    /// File of rules such as `ate_translation <= 0.05`; one missed makes the exit code 1.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// Earlier JSON report; a value that got worse makes the exit code 1.
    #[arg(long, value_name = "REPORT")]
    baseline: Option<PathBuf>,
    /// Relative change that still counts as the same [default: 1e-9].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    baseline_tolerance: Option<f64>,
}

impl Traj {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let job = self.job(seed)?;
        let needs_pictures = self.out.is_some() || self.format == Format::Html;
        let pictures = if needs_pictures { Pictures::Draw } else { Pictures::None };
        let bar = if quiet || job.estimates.len() < 2 {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(job.estimates.len() as u64)
        };
        let evaluation = evaluate_trajectories(&job, pictures, &|done| bar.set_position(done as u64))?;
        bar.finish_and_clear();
        if !quiet && self.format != Format::Table {
            note_findings(&evaluation);
        }
        if let Some(folder) = &self.out {
            write_files(folder, &evaluation)?;
        }
        let text = render(&evaluation.report, self.format, &evaluation.pictures);
        print(&text.map_err(|error| Failure::new(error.to_string()))?)?;
        Ok(exit_code(evaluation.verdict))
    }

    /// The job file, if there is one, with the flags laid over it.
    fn job(&self, seed: u64) -> Result<TrajectoryJob, Failure> {
        let mut job =
            self.job.as_deref().map_or_else(|| Ok(TrajectoryJob::default()), TrajectoryJob::from_file)?;
        if !self.estimates.is_empty() {
            job.estimates.clone_from(&self.estimates);
        }
        let files = [
            (&mut job.truth, &self.truth),
            (&mut job.relations, &self.relations),
            (&mut job.odometry, &self.odometry),
            (&mut job.map, &self.map),
            (&mut job.limits, &self.comparing.limits),
            (&mut job.baseline, &self.comparing.baseline),
        ];
        for (slot, flag) in files {
            if flag.is_some() {
                slot.clone_from(flag);
            }
        }
        job.seed = seed;
        self.reading.lay_over(&mut job.read)?;
        self.matching.lay_over(&mut job)?;
        self.measuring.lay_over(&mut job);
        self.comparing.lay_over(&mut job);
        Ok(job)
    }
}

impl MatchingFlags {
    fn lay_over(&self, job: &mut TrajectoryJob) -> Result<(), Failure> {
        if !self.records.is_empty() {
            job.records.clone_from(&self.records);
        }
        job.skip_bad = self.skip_bad.unwrap_or(job.skip_bad);
        job.max_dt_s = self.max_dt.unwrap_or(job.max_dt_s);
        job.max_gap_s = self.max_gap.unwrap_or(job.max_gap_s);
        job.time_offset_s = self.time_offset.unwrap_or(job.time_offset_s);
        job.estimate_offset_s = self.estimate_offset.or(job.estimate_offset_s);
        if let Some(word) = &self.associate {
            let mut name = mapjudge::AssociateName::Nearest;
            set_word(&mut name, "--associate", Some(word))?;
            job.associate = Some(name);
        }
        set_word(&mut job.fill, "--fill", self.fill.as_deref())
    }
}

impl MeasuringFlags {
    /// The flags are short names for parameters of metrics.
    fn lay_over(&self, job: &mut TrajectoryJob) {
        const ATE: [&str; 3] = ["ate_translation", "ate_rotation", "ate_full"];
        const RPE: [&str; 2] = ["rpe_translation", "rpe_rotation"];
        const RELATIONS: [&str; 1] = ["relative_displacement"];
        let word = |flag: &Option<String>| flag.clone().map(Value::from);
        let settings: [(&[&str], &str, Option<Value>); 7] = [
            (&ATE, "align", word(&self.align)),
            (&ATE, "first", self.align_first.map(Value::from)),
            (&ATE, "weight", word(&self.weight)),
            (&RPE, "delta", word(&self.delta)),
            (&RPE, "pairs", word(&self.pairs)),
            (&RELATIONS, "side", word(&self.relation_error)),
            (&RELATIONS, "order", word(&self.order)),
        ];
        for (metrics, name, value) in settings {
            for metric in metrics.iter().filter(|_| value.is_some()) {
                let params = job.set.entry((*metric).to_owned()).or_default();
                params.extend(value.clone().map(|value| (name.to_owned(), value)));
            }
        }
        if !self.metrics.is_empty() {
            job.metrics.clone_from(&self.metrics);
        }
        for setting in &self.set {
            let params = job.set.entry(setting.metric.clone()).or_default();
            params.insert(setting.name.clone(), setting.value.clone());
        }
    }
}

impl ComparingFlags {
    fn lay_over(&self, job: &mut TrajectoryJob) {
        job.min_coverage = self.min_coverage.unwrap_or(job.min_coverage);
        job.rank_by = self.rank_by.clone().or_else(|| job.rank_by.take());
        job.resamples = self.resamples.unwrap_or(job.resamples);
        job.baseline_tolerance = self.baseline_tolerance.or(job.baseline_tolerance);
    }
}
