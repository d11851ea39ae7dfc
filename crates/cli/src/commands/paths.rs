//! `mapjudge paths MAP --truth MAP`: can a robot get from A to B with this map?

use std::path::PathBuf;
use std::process::ExitCode;

use mapjudge::Job;
use report::Format;

use crate::commands::score::{ComparingFlags, carry_out, parse_format};
use crate::output::Failure;
use crate::reading::ReadingFlags;
use crate::robot::RobotFlags;

/// Whether a map is of use for getting from A to B: all metrics of ways, junctions and connections, with one picture
/// of the routes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge paths map.yaml --truth truth.yaml
      every junction of the truth as target, a robot of 0.25 m radius
  mapjudge paths map.yaml --truth truth.yaml --start 1.5,2 --target 7,2 --target 7,5.5 --robot-radius 0.2
      given start and targets; --format json lists what became of each
  mapjudge paths map.yaml --truth truth.yaml --despeckle 4 --out result
      single wrong cells removed; result/report.html shows the routes, the worst first")]
pub struct Paths {
    /// Maps to judge.
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// The ground truth.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    /// How to print the report.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format, help_heading = "Output")]
    format: Format,
    /// Also write report.json, report.html and the pictures into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Paths {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let mut job = Job {
            truth: Some(self.truth.clone()),
            maps: self.maps.clone(),
            metrics: vec!["paths".to_owned(), "topology".to_owned()],
            paths: Some(self.robot.inputs(seed)?),
            ..Job::default()
        };
        self.reading.lay_over(&mut job.read)?;
        self.comparing.lay_over(&mut job)?;
        carry_out(&job, self.format, self.out.as_deref(), quiet)
    }
}
