//! `mapjudge compare A B --truth T`: two maps of one place side by side, for instance simulated and real.

use std::path::PathBuf;
use std::process::ExitCode;

use mapjudge::{ComparedMaps, Job, Pictures, compare_maps};
use report::{Format, side_by_side_html};

use super::score::{ComparingFlags, note_findings, write_files};
use crate::aligning::AligningFlags;
use crate::output::{Failure, exit_code, print, progress_steps};
use crate::reading::ReadingFlags;
use crate::robot::RobotFlags;

/// Hold two maps of one place against each other: every metric of both, the difference, which is better, and their
/// pictures side by side.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge compare simulated.yaml real.yaml --truth truth.yaml
      every metric of both, and under how many each is better
  mapjudge compare before.yaml after.yaml --truth truth.yaml --out result
      result/compare.html shows the overlays side by side, result/report.html everything else
  mapjudge compare a.yaml b.yaml --truth truth.yaml --metrics cells --format csv
      a family of metrics with every digit")]
pub struct Compare {
    /// The first map.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second map.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// The ground truth of both.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    aligning: AligningFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    /// How to print.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|html", value_parser = parse_pair_format, help_heading = "Output")]
    format: Format,
    /// Also write compare.json, compare.html, report.json, report.html and the pictures into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Compare {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let job = self.job(seed)?;
        let needs_pictures = self.out.is_some() || self.format == Format::Html;
        let pictures = if needs_pictures { Pictures::Draw } else { Pictures::None };
        let bar = if quiet { indicatif::ProgressBar::hidden() } else { progress_steps(2) };
        let found = compare_maps(&job, pictures, &|done| bar.set_position(done as u64))?;
        bar.finish_and_clear();
        if !quiet {
            note_findings(&found.evaluation);
        }
        if let Some(folder) = &self.out {
            write_files(folder, &found.evaluation)?;
            for (name, format) in [("compare.json", Format::Json), ("compare.html", Format::Html)] {
                let path = folder.join(name);
                let wrong = |error| Failure::new(format!("{}: {error}", path.display()));
                std::fs::write(&path, rendered(&found, format)?).map_err(wrong)?;
            }
        }
        print(&rendered(&found, self.format)?)?;
        Ok(exit_code(found.evaluation.verdict))
    }

    fn job(&self, seed: u64) -> Result<Job, Failure> {
        let mut job = Job {
            truth: Some(self.truth.clone()),
            maps: vec![self.a.clone(), self.b.clone()],
            ..Job::default()
        };
        self.reading.lay_over(&mut job.read)?;
        self.aligning.lay_over(&mut job.aligning);
        self.comparing.lay_over(&mut job)?;
        self.robot.lay_over(&mut job.paths, seed)?;
        Ok(job)
    }
}

fn rendered(found: &ComparedMaps, format: Format) -> Result<String, Failure> {
    let pair = &found.comparison;
    match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(pair);
            Ok(text.map_err(|error| Failure::new(error.to_string()))? + "\n")
        }
        Format::Csv => Ok(pair.csv()),
        Format::Md => Ok(pair.markdown()),
        Format::Html => side_by_side_html(pair, &found.evaluation.pictures)
            .map_err(|error| Failure::new(error.to_string())),
        _ => Ok(pair.text()),
    }
}

fn parse_pair_format(text: &str) -> Result<Format, String> {
    let known = [Format::Table, Format::Json, Format::Csv, Format::Md, Format::Html];
    let found = known.into_iter().find(|format| format.name() == text);
    found.ok_or_else(|| format!("no format '{text}': expected {}", known.map(Format::name).join(", ")))
}
