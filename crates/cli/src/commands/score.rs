//! `mapjudge score MAP.. --truth MAP`: all applicable metrics of maps against their ground truth.

use std::path::PathBuf;

use mapjudge::files::Job;

use crate::Global;
use crate::commands::score_rows::ManifestFlags;
use crate::failure::Failure;
use crate::flags::{
    AligningFlags, ComparingFlags, JudgingFlags, ResolutionFlags, RobotFlags, TableFlags, over_list,
    over_option,
};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, OutputFlags};

/// Score maps against their ground truth.
///
/// Every metric that applies, with what it rests on. Flags go over a job file (--job), the job file over the defaults.
/// Reading flags hold for map and truth, and go over the values in a YAML file, with a finding in the report; --resolution
/// is for files that state none.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(REPORT)),
    after_help = "\
Examples:
  mapjudge score map.yaml --truth truth.yaml
      a ROS map against its ground truth, as a table
  mapjudge score a.yaml b.yaml c.yaml --truth truth.yaml --out result
      three maps side by side; result/report.html has the figures
  mapjudge score map.pgm --truth truth.pgm --align none --resolution 0.05
      plain images of equal size, laid on each other
  mapjudge score map.png --truth plan.png --align auto --scale-min 0.5 --scale-max 2
      two images with nothing in common but the place; the certificate tells whether to trust the transform
  mapjudge score map.yaml --metrics plausibility
      what a map alone tells: no ground truth is needed
  mapjudge score map.yaml --truth truth.yaml --limits limits.txt --format junit
      for CI: exit code 1 if a limit such as `overall_error <= 5000` is missed
  mapjudge score map.png --truth truth.png --annotations victims.mif robot_path.mif --truth-annotations truth_victims.mif
      what is written on the map: victims, area seen from the path, labels, groups
  mapjudge score map.yaml --truth truth.yaml --metrics cells,picture_distance --set baron_correlation.input=trinary
      a selection of metrics, and a parameter; `mapjudge metrics` lists both
  mapjudge score --manifest pairs.jsonl --metrics cells --shard 3/16 --out results
      many pairs, one row each; run it again after a kill and only what is missing is scored; then `mapjudge merge`"
)]
pub struct Score {
    /// Maps to judge: ROS map YAML, PGM, PNG, BMP, GeoTIFF or text grids.
    #[arg(value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// The ground truth.
    #[arg(long, value_name = "MAP")]
    truth: Option<PathBuf>,
    /// Where the fiducials stand, in the coordinate frame of the truth; adds their metrics.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// What is written on the map: MIF/MID or GeoJSON layers named after their kind (victims, robot_path, responder_path,
    /// skeleton, groups, labels, hazards, snapshots), detection lists, a trajectory as robot path. May be repeated.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    annotations: Vec<PathBuf>,
    /// What is written on the truth, in the same formats; adds the metrics of annotations and victims.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    truth_annotations: Vec<PathBuf>,
    /// TOML file with the same choices as these flags; `mapjudge help job` describes it.
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    resolution: ResolutionFlags,
    #[command(flatten)]
    aligning: AligningFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    #[command(flatten)]
    judging: JudgingFlags,
    #[command(flatten)]
    tables: TableFlags,
    #[command(flatten)]
    rows: ManifestFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Score {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if self.rows.is_worker() {
            return ManifestFlags::work(global);
        }
        keep_freed_memory();
        let job = self.job(global)?;
        if let Some(answer) = self.rows.run(job.clone(), &self.output, global) {
            return answer;
        }
        Ok(self.output.answer(self.tables.apply(Judged::of_job(&job, global)?)?))
    }

    /// The job file, if there is one, with the flags over it.
    fn job(&self, global: &Global) -> Result<Job, Failure> {
        let mut job = self.job.as_deref().map_or_else(|| Ok(Job::default()), Job::from_file)?;
        over_option(&mut job.inputs.truth, &self.truth);
        over_option(&mut job.inputs.layout, &self.layout);
        over_list(&mut job.inputs.maps, &self.maps);
        over_list(&mut job.inputs.annotations, &self.annotations);
        over_list(&mut job.inputs.truth_annotations, &self.truth_annotations);
        job.read = job.read.overridden_by(&self.reading.options);
        self.resolution.apply(&mut job.resolutions);
        self.aligning.apply(&mut job.plan.aligning);
        self.comparing.apply(&mut job)?;
        self.robot.apply(&mut job.plan.paths, global.seed());
        self.judging.apply(&mut job.rules);
        job.plan.figures = self.output.figures();
        Ok(job)
    }
}

/// Metrics take and give back planes of the same size many times. The allocator of glibc returns them to the system each time,
/// which then clears them anew (6 % of the processor time of a pair of 800 x 800), until a block has been given back that was
/// larger; it learns from one that is never touched. Other allocators are not harmed.
fn keep_freed_memory() {
    // Up to 32 MiB are learnt from.
    const BYTES: usize = 31 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(BYTES)));
}
