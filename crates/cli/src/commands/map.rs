//! `mapjudge map LOG`: a map and a trajectory from scans and odometry.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use indicatif::ProgressBar;
use mapjudge::mapping::{MapJob, MapReport, MapperName, Settings, make_map, map_live, parameters};
use mapper::Hindsight;
use serde::Serialize;
use sim::replay::{Init, RecordOptions};

use super::info::finding_line;
use crate::output::{Failure, note, print, progress_steps};
use crate::reading::ReadingFlags;

/// Make a map and a trajectory from the scans and the odometry of a log. `robbie` is the particle filter of Pellenz 2008,
/// exactly as published; `graph` matches scans on submaps, closes loops and solves a pose graph; `odometry` believes the
/// odometry, to compare with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge map run.log --mapper graph --out map
      writes map.pgm + map.yaml, map.tif, trajectory.xyt, trajectory.tum, corrected.log, graph.g2o, report.json
  mapjudge map run.log --mapper robbie --out map --seed 7 --set icp=off --set cell_size_m=0.10 --set range_max_m=80
  mapjudge map run.log --out map --params mine.toml --online
      parameters from a file; the trajectory as it was known when each scan came
  mapjudge map run.bag --topic /scan --odometry-topic /odom --out map
  mapjudge map --from tcp://127.0.0.1:3000 --out map --duration 60
      maps what a USARSim server or `mapjudge replay` sends, scan by scan, for a minute at most
  mapjudge map --mapper robbie --list-settings
      the parameters of a mapper with their defaults")]
pub struct Map {
    /// Log with scans: CARMEN, rawlog, a bag with --topic, and what else `mapjudge info` calls a log.
    #[arg(value_name = "LOG", required_unless_present_any = ["from", "list_settings"])]
    log: Option<PathBuf>,
    /// Topic of the bag that has the odometry, such as /odom or /tf:odom.base_link; --topic names the scans.
    #[arg(long, value_name = "TOPIC", requires = "log")]
    odometry_topic: Option<String>,
    /// Map what a USARSim server or a replay sends: tcp://HOST:PORT or HOST:PORT.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "log")]
    from: Option<String>,
    /// End a live run after so many seconds [default: when the server closes].
    #[arg(long, value_name = "S", requires = "from", allow_negative_numbers = true)]
    duration: Option<f64>,
    /// For so long a server that is not there yet is tried, seconds.
    #[arg(long, value_name = "S", default_value_t = 5.0, allow_negative_numbers = true)]
    wait: f64,
    /// Do not send INIT to the server.
    #[arg(long, requires = "from")]
    no_init: bool,
    /// Print the parameters of the mapper with their defaults, and end.
    #[arg(long)]
    list_settings: bool,
    /// Which mapper.
    #[arg(long, default_value = "graph")]
    mapper: MapperChoice,
    /// Folder to write into; made if it is not there.
    #[arg(long, value_name = "DIR", required_unless_present = "list_settings")]
    out: Option<PathBuf>,
    /// The trajectory as it is known after the last scan. The default.
    #[arg(long, conflicts_with = "online")]
    r#final: bool,
    /// The trajectory as it was known when each scan came.
    #[arg(long)]
    online: bool,
    /// A parameter of the mapper; may be given many times. --list-settings lists them.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Parameters of the mapper in a TOML file; --set goes before it.
    #[arg(long, value_name = "FILE.toml")]
    params: Option<PathBuf>,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: MapFormat,
    #[command(flatten)]
    reading: ReadingFlags,
}

/// A mapper by its name.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum MapperChoice {
    Robbie,
    Graph,
    Odometry,
}

impl MapperChoice {
    pub const fn name(self) -> MapperName {
        match self {
            Self::Robbie => MapperName::Robbie,
            Self::Graph => MapperName::Graph,
            Self::Odometry => MapperName::Odometry,
        }
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum MapFormat {
    Table,
    Json,
}

/// Parameters of a mapper: those of a file, and those of the command line laid over.
pub fn settings(file: Option<&Path>, given: &[String]) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(path) = file {
        settings.read(path)?;
    }
    for text in given {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            Failure::new(format!("--set {text}: expected NAME=VALUE")).hint("for example --set icp=off")
        })?;
        settings.set_text(name, value)?;
    }
    Ok(settings)
}

impl Map {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let settings = settings(self.params.as_deref(), &self.settings)?;
        if self.list_settings {
            return self.list(&settings, seed);
        }
        let source = self.from.as_ref().map(PathBuf::from).or_else(|| self.log.clone());
        let job = MapJob {
            log: source.unwrap_or_default(),
            odometry_topic: self.odometry_topic.clone(),
            mapper: self.mapper.name(),
            settings,
            seed,
            hindsight: if self.online { Hindsight::Online } else { Hindsight::Final },
            folder: self.out.clone().unwrap_or_default(),
        };
        let report = if self.from.is_some() { self.listen(&job, quiet)? } else { self.make(&job, quiet)? };
        if !quiet {
            report.findings.iter().for_each(|finding| note(&finding_line(finding)));
        }
        print(&match self.format {
            MapFormat::Table => as_text(&report),
            MapFormat::Json => as_json(&report)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn list(&self, settings: &Settings, seed: u64) -> Result<ExitCode, Failure> {
        let list = parameters(self.mapper.name(), settings, seed)?;
        print(&match self.format {
            MapFormat::Table => {
                list.iter().map(|p| format!("{} = {}\n    {}\n", p.name, p.value, p.meaning)).collect()
            }
            MapFormat::Json => as_json(&list)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn make(&self, job: &MapJob, quiet: bool) -> Result<MapReport, Failure> {
        let bar = progress_steps(0);
        let progress = |done: usize, all: usize| {
            if !quiet {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
                bar.set_message(format!("{:.0} scans/s", bar.per_sec()));
            }
        };
        let report = make_map(job, &self.reading.options()?, &progress);
        bar.finish_and_clear();
        Ok(report?)
    }

    /// Maps what a server sends.
    fn listen(&self, job: &MapJob, quiet: bool) -> Result<MapReport, Failure> {
        let robot = Init::Robot { class: "USARBot.P3AT".to_owned(), name: "mapper".to_owned() };
        let connection = RecordOptions {
            init: if self.no_init { Init::Silent } else { robot },
            max_time_s: self.duration.unwrap_or(f64::INFINITY),
            patience_s: self.wait,
            ..RecordOptions::default()
        };
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.enable_steady_tick(Duration::from_millis(200));
        let progress = |scans: usize| {
            bar.set_position(scans as u64);
            bar.set_message(format!("{scans} scans, {:.0} scans/s", bar.per_sec()));
        };
        let report = map_live(job, &connection, &self.reading.options()?, &progress);
        bar.finish_and_clear();
        Ok(report?)
    }
}

fn as_json<T: Serialize>(value: &T) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    Ok(text.map_err(|error| Failure::new(error.to_string()))? + "\n")
}

fn as_text(report: &MapReport) -> String {
    let MapReport { log, scans, matched, loops, counts, .. } = report;
    let times = report.ms_per_scan.map_or_else(String::new, |ms| {
        format!("  time        {:.2} ms per scan, {:.2} ms in one of a hundred\n", ms.p50, ms.p99)
    });
    let key_poses = report.key_poses.map_or_else(String::new, |count| format!(", {count} key poses"));
    format!(
        "{log}\n  scans       {scans}, {matched} matched{key_poses}\n  loops       {loops}\n{times}  \
         left out    {} without odometry, {} not finite; {} back in time, {} without a return\n  \
         files       {}\n",
        counts.without_odometry,
        counts.not_finite,
        counts.back_in_time,
        counts.without_hits,
        report.files.join(", ")
    )
}
