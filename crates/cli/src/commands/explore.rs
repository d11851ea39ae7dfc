//! `mapjudge explore ARENA`: robots explore a place.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use explore::{Choice, Discomfort, Laser, Planning, RunParams};
use indicatif::ProgressBar;
use mapjudge::{Comparison, ExplorationReport, ExploreJob, Explored, RunReport, explore_place};
use model::Pose2;

use crate::output::{Failure, print, progress_steps};
use crate::reading::ReadingFlags;

/// Explore a place with one or several robots that know where they are: scan, plan by the exploration transform, drive,
/// until nothing unknown can be reached.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge explore arena/
      the arena that `mapjudge arena` wrote: coverage, distance, time, collisions
  mapjudge explore truth.yaml --start 1,1 --robots 2 --out result
      any map as the place, two robots; result/ gets map, report and pictures
  mapjudge explore arena/ --baseline --format json
      also the nearest-frontier explorer from the same start, and how much longer the way is")]
pub struct Explore {
    /// Folder or plan of an arena, or a map that is taken as the truth.
    #[arg(value_name = "ARENA")]
    place: PathBuf,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    robot: ExplorerFlags,
    #[command(flatten)]
    planning: PlanningFlags,
    /// How to print.
    #[arg(long, default_value = "text", help_heading = "Output")]
    format: ExploreFormat,
    /// Also write the map, exploration.json and pictures into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ExploreFormat {
    Text,
    Json,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Robots")]
struct ExplorerFlags {
    /// Number of robots [default: 1].
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    robots: usize,
    /// Start of the first robot in metres and radians [default: where the arena says].
    #[arg(long, value_name = "X,Y[,YAW]", allow_hyphen_values = true, value_parser = parse_start)]
    start: Option<[f64; 3]>,
    /// Radius of a robot in metres [default: 0.2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    robot_radius: Option<f64>,
    /// Field of view of the laser in degrees [default: 240].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    laser_fov_deg: Option<f64>,
    /// Beams of the laser [default: 668].
    #[arg(long, value_name = "N")]
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
    /// Smallest distance to walls in metres [default: 0.25].
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
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        const STEPS: u64 = 1000;
        let bar = if quiet { ProgressBar::hidden() } else { progress_steps(STEPS) };
        bar.set_message("explored, of 1000 parts");
        let explored = explore_place(&self.job()?, &|share| bar.set_position((share * STEPS as f64) as u64))?;
        bar.finish_and_clear();
        if let Some(folder) = &self.out {
            write_files(folder, &explored)?;
        }
        print(&match self.format {
            ExploreFormat::Text => as_text(&explored.report),
            ExploreFormat::Json => as_json(&explored.report)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn job(&self) -> Result<ExploreJob, Failure> {
        let laser = Laser::default();
        let fov_rad = self.robot.laser_fov_deg.map_or(laser.field_of_view_rad, f64::to_radians);
        Ok(ExploreJob {
            place: self.place.clone(),
            read: self.reading.options()?,
            start: self.robot.start.map(|[x_m, y_m, theta_rad]| Pose2::new(x_m, y_m, theta_rad)),
            robots: self.robot.robots,
            laser: Laser {
                field_of_view_rad: fov_rad,
                beams: self.robot.laser_beams.unwrap_or(laser.beams),
                max_range_m: self.robot.laser_range.unwrap_or(laser.max_range_m),
            },
            params: self.params(),
            comparison: if self.planning.baseline { Comparison::NearestFrontier } else { Comparison::None },
        })
    }

    fn params(&self) -> RunParams {
        let (flags, params) = (&self.planning, RunParams::default());
        let comfort = params.planning.discomfort;
        let discomfort = Discomfort {
            alpha: flags.alpha.unwrap_or(comfort.alpha),
            d_min_m: flags.d_min.unwrap_or(comfort.d_min_m),
            d_opt_m: flags.d_opt.unwrap_or(comfort.d_opt_m),
            ..comfort
        };
        let choice = match flags.choice {
            ChoiceName::Transform => Choice::ExplorationTransform,
            ChoiceName::Nearest => Choice::NearestFrontier,
        };
        let robot_radius_m = self.robot.robot_radius.unwrap_or(params.planning.robot_radius_m);
        RunParams {
            planning: Planning { choice, discomfort, robot_radius_m, ..params.planning },
            replan_m: flags.replan.unwrap_or(params.replan_m),
            max_time_s: flags.max_time.unwrap_or(params.max_time_s),
            max_distance_m: flags.max_distance,
            ..params
        }
    }
}

fn parse_start(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x_m, y_m]) => Ok([x_m, y_m, 0.0]),
        Ok(&[x_m, y_m, yaw_rad]) => Ok([x_m, y_m, yaw_rad]),
        _ => Err("expected X,Y or X,Y,YAW in metres and radians".to_owned()),
    }
}

fn as_json(report: &ExplorationReport) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(report).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

fn as_text(report: &ExplorationReport) -> String {
    let mut text = format!("{}: {:.1} m² can be reached\n", report.place, report.reachable_m2);
    add_run(&mut text, &report.run);
    if let Some(baseline) = &report.baseline {
        add_run(&mut text, baseline);
    }
    if let Some(ratio) = report.path_ratio {
        let _ = writeln!(text, "path {ratio:.3} times that of the nearest frontier");
    }
    text
}

fn add_run(text: &mut String, run: &RunReport) {
    let name = match run.choice {
        Choice::ExplorationTransform => "exploration transform",
        Choice::NearestFrontier => "nearest frontier",
    };
    let seconds = |time_s: Option<f64>| time_s.map_or("never".to_owned(), |time_s| format!("{time_s:.0} s"));
    let scores: Vec<String> = run
        .map_score
        .iter()
        .map(|score| {
            format!("{} {}", score.id, score.value.map_or("-".to_owned(), |value| format!("{value:.4}")))
        })
        .collect();
    let _ = write!(
        text,
        "{name}, {} robots\n\
         \x20 coverage    {:.2} %, ended: {:?}\n\
         \x20 distance    {:.1} m in {:.0} s, {} scans\n\
         \x20 90 / 95 / 99 % known after {} / {} / {}\n\
         \x20 collisions  {}\n\
         \x20 plans       {} ({} re-targets), {:.1} ms median, {:.1} ms at 95 %\n\
         \x20 final map   {}\n",
        run.robots,
        100.0 * run.coverage,
        run.ending,
        run.distance_m,
        run.time_s,
        run.scans,
        seconds(run.time_to_90_s),
        seconds(run.time_to_95_s),
        seconds(run.time_to_99_s),
        run.collisions,
        run.replans,
        run.retargets,
        run.plan_ms.p50,
        run.plan_ms.p95,
        scores.join(", ")
    );
}

fn write_files(folder: &Path, explored: &Explored) -> Result<(), Failure> {
    let failed = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::new(format!("{}: {error}", path.display())).hint("choose a folder that can be written to")
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| failed(&path, &error))
    };
    let (yaml, pgm) = formats::write_ros_map(&explored.map, "map.pgm");
    write("map.yaml", yaml.as_bytes())?;
    write("map.pgm", &pgm)?;
    write("exploration.json", as_json(&explored.report)?.as_bytes())?;
    for figure in &explored.figures {
        write(&figure.file_name(), figure.bytes())?;
    }
    Ok(())
}
