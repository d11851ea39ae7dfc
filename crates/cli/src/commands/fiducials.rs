//! `mapjudge fiducials`: maps judged by barrels of known place, barrels found without a layout, and a first layout.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use indicatif::ProgressBar;
use mapjudge::{
    DetectionList, Job, Pictures, Radius, detect_barrels, draft_layout, judge_fiducials, part_table,
};
use metrics::fiducials::LayoutFrame;
use model::Pose2;
use report::{Format, render};

use super::score::{Setting, note_findings, parse_format, parse_setting, write_files};
use crate::choice::set_word;
use crate::output::{Failure, exit_code, print};
use crate::reading::ReadingFlags;

/// Judge maps by fiducials: barrels or split cylinders whose places are known (Schwertfeger et al. 2010).
///
/// Barrels are found, assigned to the layout and aligned without a click. `--out` writes the map with every part
/// ringed and a crop per fiducial, for the appeal.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  mapjudge fiducials map.yaml --layout arena.toml
      coverage, accuracy, consistency and the score, with a table of all parts
  mapjudge fiducials a.yaml b.yaml --layout arena.toml --out result
      two maps; result/report.html shows every part
  mapjudge fiducials map.yaml --layout arena.toml --align georeference
      the map's own frame is that of the layout, so that global accuracy is defined
  mapjudge fiducials detect map.png --radius-px 6
      barrels without a layout, best first; --radius-px 4..10 if the radius is unknown
  mapjudge fiducials init map.yaml --radius-m 0.3 > arena.toml
      a first layout from a map, to be corrected by hand"
)]
pub struct Fiducials {
    #[command(subcommand)]
    command: Option<Subcommand>,
    #[command(flatten)]
    judge: Judge,
}

#[derive(clap::Subcommand)]
enum Subcommand {
    /// List the barrels of a map, best first.
    Detect(Detect),
    /// Draft a layout from the barrels of a map.
    Init(Init),
}

#[derive(clap::Args)]
struct Judge {
    /// Maps to judge.
    #[arg(value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// Where the fiducials stand: TOML or CSV, see docs/fiducials.md.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// How maps lie on the layout: `fiducials` finds it from the barrels, `georeference` takes the map's own frame.
    #[arg(long, default_value = "fiducials")]
    align: AlignFlag,
    /// What the best assignment is: `cost` or `coverage` [default: cost].
    #[arg(long, value_name = "cost|coverage")]
    objective: Option<String>,
    /// Largest distance of a part from its place in metres [default: one diameter].
    #[arg(long, value_name = "M")]
    d_max: Option<f64>,
    #[command(flatten)]
    reading: ReadingFlags,
    /// Ids and families to compute, with commas [default: fiducials].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    metrics: Vec<String>,
    /// A parameter of a metric; may be repeated.
    #[arg(long, value_name = "METRIC.NAME=VALUE", value_parser = parse_setting)]
    set: Vec<Setting>,
    /// File of rules such as `fiducial_score >= 0.8`; one missed makes the exit code 1.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// How to print the report.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format)]
    format: Format,
    /// Also write report.json, report.html and the pictures into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum AlignFlag {
    Fiducials,
    Georeference,
}

#[derive(clap::Args)]
struct Detect {
    #[command(flatten)]
    search: Search,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: ListFormat,
}

#[derive(clap::Args)]
struct Init {
    #[command(flatten)]
    search: Search,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ListFormat {
    Table,
    Json,
}

#[derive(clap::Args)]
struct Search {
    /// The map.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// Radius of the barrels in metres, or a range such as 0.2..0.4.
    #[arg(long, value_name = "R|R..R", value_parser = parse_range, required_unless_present = "radius_px", conflicts_with = "radius_px")]
    radius_m: Option<(f64, f64)>,
    /// Radius of the barrels in cells, or a range such as 4..10.
    #[arg(long, value_name = "R|R..R", value_parser = parse_range)]
    radius_px: Option<(f64, f64)>,
    /// Least quality of an entry, 0 to 2.5.
    #[arg(long, value_name = "Q", default_value_t = mapjudge::MIN_BARREL_QUALITY)]
    min_quality: f64,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Fiducials {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        match &self.command {
            Some(Subcommand::Detect(detect)) => detect.run(),
            Some(Subcommand::Init(init)) => init.run(),
            None => self.judge.run(seed, quiet),
        }
    }
}

impl Judge {
    fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let job = self.job(seed)?;
        let frame = match self.align {
            AlignFlag::Fiducials => LayoutFrame::Unknown,
            AlignFlag::Georeference => LayoutFrame::Known(Pose2::IDENTITY),
        };
        let needs_pictures = self.out.is_some() || self.format == Format::Html;
        let pictures = if needs_pictures { Pictures::Draw } else { Pictures::None };
        let maps = job.maps.len() as u64;
        let bar = if quiet || maps < 2 { ProgressBar::hidden() } else { ProgressBar::new(maps) };
        let evaluation = judge_fiducials(&job, frame, pictures, &|done| bar.set_position(done as u64))?;
        bar.finish_and_clear();
        if !quiet && self.format != Format::Table {
            note_findings(&evaluation);
        }
        if let Some(folder) = &self.out {
            write_files(folder, &evaluation)?;
        }
        let text = render(&evaluation.report, self.format, &evaluation.pictures);
        let mut text = text.map_err(|error| Failure::new(error.to_string()))?;
        if self.format == Format::Table {
            text += &part_table(&evaluation.report.cases);
        }
        print(&text)?;
        Ok(exit_code(evaluation.verdict))
    }

    fn job(&self, seed: u64) -> Result<Job, Failure> {
        let mut job = Job {
            maps: self.maps.clone(),
            layout: self.layout.clone(),
            metrics: self.metrics.clone(),
            limits: self.limits.clone(),
            ..Default::default()
        };
        self.reading.lay_over(&mut job.read)?;
        set_word(&mut job.fiducials.objective, "--objective", self.objective.as_deref())?;
        (job.fiducials.d_max_m, job.fiducials.seed) = (self.d_max, seed);
        for setting in &self.set {
            let params = job.set.entry(setting.metric.clone()).or_default();
            params.insert(setting.name.clone(), setting.value.clone());
        }
        Ok(job)
    }
}

impl Search {
    fn radius(&self) -> Result<Radius, Failure> {
        let in_cells = self.radius_px.map(|(low, high)| Radius::Cells(low, high));
        let in_metres = self.radius_m.map(|(low, high)| Radius::Metres(low, high));
        in_cells
            .or(in_metres)
            .ok_or_else(|| Failure::new("no radius: expected --radius-m R or --radius-px R"))
    }
}

impl Detect {
    fn run(&self) -> Result<ExitCode, Failure> {
        let Search { map, min_quality, reading, .. } = &self.search;
        let list = detect_barrels(map, &reading.options()?, self.search.radius()?, *min_quality)?;
        match self.format {
            ListFormat::Table => print(&as_table(&list))?,
            ListFormat::Json => {
                let text =
                    serde_json::to_string_pretty(&list).map_err(|error| Failure::new(error.to_string()))?;
                print(&(text + "\n"))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Init {
    fn run(&self) -> Result<ExitCode, Failure> {
        let Search { map, min_quality, reading, .. } = &self.search;
        let layout = draft_layout(map, &reading.options()?, self.search.radius()?, *min_quality)?;
        print(
            "# Drafted from a map: correct places, openings and names, and set range = \"short\" or \"long\".\n",
        )?;
        print(&layout)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn as_table(list: &DetectionList) -> String {
    let mut text = format!("{} barrels\n", list.detections.len());
    if !list.detections.is_empty() {
        text += "    x [m]    y [m]    r [m]   x [px]   y [px]  arc from  opening  cells  quality\n";
    }
    for barrel in &list.detections {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{:>9.3}{:>9.3}{:>9.3}{:>9.2}{:>9.2}{:>10.0}{:>9.0}{:>7}{:>9.2}",
            barrel.x_m,
            barrel.y_m,
            barrel.radius_m,
            barrel.x_px,
            barrel.y_px,
            barrel.arc_start_deg,
            barrel.arc_opening_deg,
            barrel.cells,
            barrel.quality
        );
    }
    text
}

/// A number, or two with dots between them.
fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| {
        text.trim().parse::<f64>().map_err(|_| format!("'{text}' is no number: expected R or R..R"))
    };
    match text.split_once("..") {
        Some((low, high)) => Ok((number(low)?, number(high)?)),
        None => number(text).map(|radius| (radius, radius)),
    }
}
