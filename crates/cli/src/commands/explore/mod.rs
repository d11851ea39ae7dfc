//! `mapjudge explore ARENA`: robots explore a place.

mod explored;

use std::path::PathBuf;

use clap::ValueEnum;
use explore::{Choice, Laser, RunParams};
use mapjudge::{Comparison, ExploreJob, ExplorePlan, explore_place};
use model::Pose2;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, over};
use crate::output::{Answer, OutputFlags};
use crate::progress::Progress;

/// Let robots explore a place.
///
/// One or several robots that know where they are scan, plan by the exploration transform and drive, until nothing
/// unknown can be reached.
#[derive(clap::Args)]
#[command(
    mut_arg("out", |out| out.help("Also write the page index.html, the map, exploration.json and figures into this folder")),
    after_help = "\
Examples:
  mapjudge explore arena/
      the arena that `mapjudge arena` wrote: coverage, distance, time, collisions
  mapjudge explore truth.yaml --start 1,1 --robots 2 --out result
      any map as the place, two robots; result/ gets a page to play, map, report and figures
  mapjudge explore arena/ --baseline --format json
      also the nearest-frontier explorer from the same start, and how much longer the path is"
)]
pub struct Explore {
    /// Folder or plan of an arena, or a map that is taken as the truth.
    #[arg(value_name = "ARENA")]
    place: PathBuf,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    robot: ExplorerFlags,
    #[command(flatten)]
    planning: PlanningFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Robots")]
struct ExplorerFlags {
    /// Number of robots [default: 1].
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = crate::flags::count)]
    robots: usize,
    /// Start of the first robot in metres and radians [default: that of the arena].
    #[arg(long, value_name = "X,Y[,YAW]", allow_hyphen_values = true, value_parser = parse_start)]
    start: Option<[f64; 3]>,
    /// Radius of a robot in metres [default: 0.2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    robot_radius: Option<f64>,
    /// Field of view of the laser in degrees [default: 240].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    laser_fov_deg: Option<f64>,
    /// Beams of the laser [default: 668].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    laser_beams: Option<usize>,
    /// Range of the laser in metres [default: 5.6].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    laser_range: Option<f64>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Planning")]
struct PlanningFlags {
    /// Also run the nearest-frontier explorer from the same start.
    #[arg(long)]
    baseline: bool,
    /// Choose by the transform or always the nearest frontier.
    #[arg(long, default_value = "transform")]
    choice: ChoiceName,
    /// Weight of discomfort against length [default: 0.03].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// Min. distance to walls in metres [default: 0.25].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    d_min: Option<f64>,
    /// Most comfortable distance to walls in metres [default: 0.75].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    d_opt: Option<f64>,
    /// Driven before planning again, in metres [default: 1].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    replan: Option<f64>,
    /// End of the run in seconds [default: 1200].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    max_time: Option<f64>,
    /// End of the run in metres driven by all robots.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_distance: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ChoiceName {
    Transform,
    Nearest,
}

impl Explore {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        const PARTS: usize = 1000;
        let bar = Progress::steps(PARTS, global.quiet).counting("parts of the place explored");
        let explored = explore_place(&self.job(), &|share| bar.done((share * PARTS as f64) as usize))?;
        Ok(self.output.answer(explored))
    }

    fn job(&self) -> ExploreJob {
        let mut laser = Laser::default();
        over(&mut laser.field_of_view_rad, &self.robot.laser_fov_deg.map(f64::to_radians));
        over(&mut laser.beams, &self.robot.laser_beams);
        over(&mut laser.max_range_m, &self.robot.laser_range);
        let plan = ExplorePlan {
            robots: self.robot.robots,
            laser,
            params: self.params(),
            comparison: if self.planning.baseline { Comparison::NearestFrontier } else { Comparison::None },
        };
        let start = self.robot.start.map(|[x_m, y_m, theta_rad]| Pose2::new(x_m, y_m, theta_rad));
        ExploreJob { place: self.place.clone(), read: self.force.over(&self.reading.options), start, plan }
    }

    fn params(&self) -> RunParams {
        let (flags, mut params) = (&self.planning, RunParams::default());
        let planning = &mut params.planning;
        planning.choice = match flags.choice {
            ChoiceName::Transform => Choice::ExplorationTransform,
            ChoiceName::Nearest => Choice::NearestFrontier,
        };
        over(&mut planning.discomfort.alpha, &flags.alpha);
        over(&mut planning.discomfort.d_min_m, &flags.d_min);
        over(&mut planning.discomfort.d_opt_m, &flags.d_opt);
        over(&mut planning.robot_radius_m, &self.robot.robot_radius);
        over(&mut params.replan_m, &flags.replan);
        over(&mut params.max_time_s, &flags.max_time);
        params.max_distance_m = flags.max_distance;
        params
    }
}

pub(super) fn parse_start(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x_m, y_m]) => Ok([x_m, y_m, 0.0]),
        Ok(&[x_m, y_m, yaw_rad]) => Ok([x_m, y_m, yaw_rad]),
        _ => Err("expected X,Y or X,Y,YAW in metres and radians".to_owned()),
    }
}
