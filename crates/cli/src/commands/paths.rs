//! `mapjudge paths MAP --truth MAP`: can a robot get from A to B with this map?

use std::path::PathBuf;

use mapjudge::files::Job;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ComparingFlags, ResolutionFlags, RobotFlags};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, OutputFlags};

/// Whether a map is of use for getting from A to B.
///
/// All metrics of paths, junctions and connections, with one figure of the routes.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(REPORT)),
    after_help = "\
Examples:
  mapjudge paths map.yaml --truth truth.yaml
      every junction of the truth as target, a robot of 0.25 m radius
  mapjudge paths map.yaml --truth truth.yaml --start 1.5,2 --target 7,2 --target 7,5.5 --robot-radius 0.2
      given start and targets; --format json lists what became of each
  mapjudge paths map.yaml --truth truth.yaml --despeckle 4 --out result
      single wrong cells removed; result/report.html shows the routes, the worst first"
)]
pub struct Paths {
    /// Maps to judge.
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// The ground truth.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    resolution: ResolutionFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Paths {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let mut job = Job { read: self.reading.options.clone(), ..Job::default() };
        self.resolution.apply(&mut job.resolutions);
        job.inputs.truth = Some(self.truth.clone());
        job.inputs.maps.clone_from(&self.maps);
        job.plan.metrics = vec!["paths".to_owned(), "topology".to_owned()];
        job.plan.paths = Some(self.robot.inputs(global.seed()));
        job.plan.figures = self.output.figures();
        self.comparing.apply(&mut job)?;
        Ok(self.output.answer(Judged::of_job(&job, global)?))
    }
}
