//! `mapjudge map LOG`: a map and a trajectory from scans and odometry.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use mapjudge::mapping::{MapJob, MapReport, MapperName, Settings, make_map};
use mapper::Hindsight;

use super::info::finding_line;
use crate::output::{Failure, note, print, progress_steps};
use crate::reading::ReadingFlags;

/// Make a map and a trajectory from the scans and the odometry of a log. `robbie` is the particle filter of Pellenz 2008,
/// exactly as published; `graph` matches scans on submaps, closes loops and solves a pose graph.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge map run.log --mapper graph --out map
      writes map.pgm + map.yaml, map.tif, trajectory.xyt, trajectory.tum, corrected.log, graph.g2o, report.json
  mapjudge map run.log --mapper robbie --out map --seed 7 --set icp=off --set cell_size_m=0.10 --set range_max_m=80
  mapjudge map run.log --out map --params mine.toml --online
      parameters from a file; the trajectory as it was known when each scan came")]
pub struct Map {
    /// Log with scans: CARMEN, rawlog, a bag with --topic, and what else `mapjudge info` calls a log.
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Which mapper.
    #[arg(long, default_value = "graph")]
    mapper: MapperChoice,
    /// Folder to write into; made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The trajectory as it is known after the last scan. The default.
    #[arg(long, conflicts_with = "online")]
    r#final: bool,
    /// The trajectory as it was known when each scan came.
    #[arg(long)]
    online: bool,
    /// A parameter of the mapper; may be given many times. docs/mapping.md lists them.
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

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum MapperChoice {
    Robbie,
    Graph,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum MapFormat {
    Table,
    Json,
}

impl Map {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let mut settings = Settings::default();
        if let Some(path) = &self.params {
            settings.read(path)?;
        }
        for text in &self.settings {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::new(format!("--set {text}: expected NAME=VALUE")).hint("for example --set icp=off")
            })?;
            settings.set_text(name, value)?;
        }
        let job = MapJob {
            log: self.log.clone(),
            mapper: match self.mapper {
                MapperChoice::Robbie => MapperName::Robbie,
                MapperChoice::Graph => MapperName::Graph,
            },
            settings,
            seed,
            hindsight: if self.online { Hindsight::Online } else { Hindsight::Final },
            folder: self.out.clone(),
        };
        let report = self.make(&job, quiet)?;
        if !quiet {
            report.findings.iter().for_each(|finding| note(&finding_line(finding)));
        }
        print(&match self.format {
            MapFormat::Table => as_text(&report),
            MapFormat::Json => {
                let text = serde_json::to_string_pretty(&report);
                text.map_err(|error| Failure::new(error.to_string()))? + "\n"
            }
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
