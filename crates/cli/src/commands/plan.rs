//! `mapjudge plan MAP --start X,Y`: frontiers, transform and path on a given map.

use std::fmt::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use explore::{NeighboursOfUnknown, Planning, Sides, Units, UnknownIs, Weighting};
use mapjudge::files::{Loader, OutputFolder};
use mapjudge::{JobError, RouteGoal, RoutePlan, RouteReport, RouteRequest, Verdict, plan_route};
use model::{Point2, Pose2};

use super::explore::parse_start;
use super::rooms::{geojson, write_layer};
use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, over};
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, json};
use crate::progress::Progress;

/// Plan a path on a map: to a target, or to where it can be extended.
///
/// Frontiers are free cells beside unknown ones. The transform of a cell is the cost of the cheapest path from it to any
/// safe frontier, or to the target: its length, plus alpha times the discomfort of its cells. Without a path the exit code
/// is 3, and the reason is printed.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Csv, Format::Geojson])),
    mut_arg("out", |out| out.help("Also write plan.json, the layers plan.tif, the image plan.svg, path and frontiers into this folder")),
    after_help = "\
Examples:
  mapjudge plan partial.yaml --start 1.2,0.8
      frontiers with their sizes, and the path of the exploration transform to the cheapest one
  mapjudge plan map.yaml --start 1.2,0.8 --target 9,4 --alpha 0
      the shortest path that keeps the minimum distance to walls; a larger alpha prefers safe ground
  mapjudge plan partial.yaml --start 1.2,0.8 --out plan
      plan/ gets plan.json, plan.tif (transform, danger, clearance, frontiers), plan.svg with a legend,
      path.csv, and path and frontiers as GeoJSON and MIF
  mapjudge plan grid.txt --start 1.5,1.5 --alpha 0.5 --d-min 1 --d-opt 2 --units cells --format json
      lengths and distances in cells, as the worked examples of the specification"
)]
pub struct Plan {
    /// Map, may be partial: ROS map YAML, PGM, PNG, BMP, GeoTIFF or text grid.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// Where the robot stands, in metres and radians.
    #[arg(long, value_name = "X,Y[,YAW]", allow_hyphen_values = true, value_parser = parse_start)]
    start: [f64; 3],
    /// Where it shall go, in metres.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_target, conflicts_with = "explore")]
    target: Option<[f64; 2]>,
    /// To the cheapest frontier; the default.
    #[arg(long)]
    explore: bool,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    planning: PathFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Planning")]
struct PathFlags {
    /// Weight of discomfort against length [default: 0.03].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    alpha: Option<f64>,
    /// Min. distance to walls in metres [default: 0.25].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    d_min: Option<f64>,
    /// Most comfortable distance to walls in metres [default: 0.75].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    d_opt: Option<f64>,
    /// Units of lengths and distances inside the formula.
    #[arg(long, default_value = "metres")]
    units: UnitName,
    /// No discomfort beyond the most comfortable distance; the paper has it on both sides.
    #[arg(long)]
    one_sided: bool,
    /// Weigh discomfort by the length of each step, so that it does not depend on the cell size.
    #[arg(long)]
    per_metre: bool,
    /// Unknown cells are obstacles to keep away from.
    #[arg(long)]
    unknown_is_obstacle: bool,
    /// Radius of the robot in metres: frontiers shorter than its diameter are dropped [default: 0.2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    robot_radius: Option<f64>,
    /// Frontiers shorter than this are dropped, in metres [default: the robot's diameter].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    min_frontier: Option<f64>,
    /// A free cell is a frontier by its 4 or by its 8 neighbours.
    #[arg(long, default_value = "4")]
    neighbours: NeighbourCount,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum UnitName {
    Metres,
    Cells,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum NeighbourCount {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

/// Steps that the progress bar shows.
const STEPS: usize = 2;

impl Plan {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let bar = Progress::steps(STEPS, global.quiet).counting("steps");
        bar.next("reading");
        let map = Loader::new(self.force.over(&self.reading.options)).map(&self.map)?;
        bar.next("planning");
        let [x_m, y_m, theta_rad] = self.start;
        let goal = match self.target {
            Some([x_m, y_m]) => RouteGoal::Target(Point2::new(x_m, y_m)),
            None => RouteGoal::Explore,
        };
        let start = Pose2::new(x_m, y_m, theta_rad);
        let found = plan_route(&map, &RouteRequest { start, goal, planning: self.planning.planning() })?;
        Ok(self.output.answer(found))
    }
}

impl PathFlags {
    fn planning(&self) -> Planning {
        let mut planning = Planning::default();
        let discomfort = &mut planning.discomfort;
        over(&mut discomfort.alpha, &self.alpha);
        over(&mut discomfort.d_min_m, &self.d_min);
        over(&mut discomfort.d_opt_m, &self.d_opt);
        discomfort.units = match self.units {
            UnitName::Metres => Units::Metres,
            UnitName::Cells => Units::Cells,
        };
        discomfort.sides = if self.one_sided { Sides::Near } else { Sides::Both };
        discomfort.weighting = if self.per_metre { Weighting::PerMetre } else { Weighting::PerCell };
        discomfort.unknown_is = if self.unknown_is_obstacle { UnknownIs::Obstacle } else { UnknownIs::Open };
        over(&mut planning.robot_radius_m, &self.robot_radius);
        planning.min_frontier_m = self.min_frontier;
        planning.frontier_neighbours = match self.neighbours {
            NeighbourCount::Four => NeighboursOfUnknown::Four,
            NeighbourCount::Eight => NeighboursOfUnknown::Eight,
        };
        planning
    }
}

fn parse_target(text: &str) -> Result<[f64; 2], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x_m, y_m]) => Ok([x_m, y_m]),
        _ => Err("expected X,Y in metres".to_owned()),
    }
}

impl Output for RoutePlan {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.report),
            Format::Csv => Ok(self.path_csv()),
            Format::Geojson => geojson(&self.path_layer()),
            _ => Ok(table(&self.report)),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        let unwritable = |error: formats::GeoTiffWriteError| JobError::Unwritable {
            output: folder.path().join("plan.tif").display().to_string(),
            why: error.to_string(),
        };
        folder.write("plan.json", json(&self.report)?)?;
        folder.write("plan.tif", self.geotiff().map_err(unwritable)?)?;
        folder.write_figure("", &self.figure()?)?;
        folder.write("path.csv", self.path_csv())?;
        write_layer(folder, &self.path_layer())?;
        write_layer(folder, &self.frontier_layer())
    }

    fn errors(&self) -> Vec<String> {
        self.report.reason.iter().map(|reason| format!("no path: {reason}")).collect()
    }

    fn verdict(&self) -> Verdict {
        self.report.verdict()
    }
}

fn table(report: &RouteReport) -> String {
    let mut text = format!(
        "{}: {} frontier{}, {} cells, {} of them safe\n",
        report.map,
        report.frontiers.len(),
        if report.frontiers.len() == 1 { "" } else { "s" },
        report.frontier_cells,
        report.safe_frontier_cells
    );
    for frontier in &report.frontiers {
        let chosen = if frontier.is_chosen { "  <- path" } else { "" };
        let _ = writeln!(
            text,
            "  frontier {:>3}  ({}, {}) m  {:.2} m, {} cells, {} safe{chosen}",
            frontier.id,
            report::fixed(frontier.x_m, 2),
            report::fixed(frontier.y_m, 2),
            frontier.length_m,
            frontier.cells,
            frontier.safe_cells
        );
    }
    let transform = if report.target_m.is_some() { "path transform" } else { "exploration transform" };
    if let (Some(path), Some(phi)) = (&report.path, report.phi) {
        let clearance = path.min_clearance_m.map_or("-".to_owned(), |m| format!("{m:.4} m"));
        let [x_m, y_m] =
            path.points_m.last().copied().unwrap_or_default().map(|metres| report::fixed(metres, 2));
        let _ = write!(
            text,
            "path to ({x_m}, {y_m}) m\n  \
                 length         {:.4} m, {} cells\n  \
                 danger         {:.4} summed\n  \
                 min. clearance {clearance}\n  \
                 {transform} at the start {phi:.6}\n",
            path.length_m,
            path.row_column.len(),
            path.summed_danger,
        );
    }
    text
}
