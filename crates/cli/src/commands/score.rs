//! `mapjudge score MAP.. --truth MAP`: all applicable metrics of maps against their ground truth.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressBar;
use mapjudge::{AlignBy, Evaluation, Job, Pictures, evaluate};
use model::Level;
use report::{Format, render};
use serde_json::Value;

use crate::aligning::AligningFlags;
use crate::choice::set_word;
use crate::output::{Failure, exit_code, note, print, progress_steps};
use crate::reading::ReadingFlags;
use crate::robot::RobotFlags;

/// Score one or more maps against their ground truth: every metric that applies, with what it rests on.
///
/// Flags go over a job file (--job), the job file over the defaults. Reading flags hold for map and truth, and go
/// over what a YAML file says, with a finding in the report.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge score map.yaml --truth truth.yaml
      a ROS map against its ground truth, as a table
  mapjudge score a.yaml b.yaml c.yaml --truth truth.yaml --out result
      three maps side by side; result/report.html has the pictures
  mapjudge score map.pgm --truth truth.pgm --align none --resolution 0.05
      plain pictures of equal size, laid on each other
  mapjudge score map.png --truth plan.png --align auto --scale-min 0.5 --scale-max 2
      two pictures with nothing in common but the place; the certificate says whether to trust the frame
  mapjudge score map.yaml --truth truth.yaml --limits limits.txt --format junit
      for CI: exit code 1 if a limit such as `overall_error <= 5000` is missed
  mapjudge score map.png --truth truth.png --annotations victims.mif robot_path.mif --truth-annotations truth_victims.mif
      what is written on the map: victims, area seen from the path, labels, groups
  mapjudge score map.yaml --truth truth.yaml --metrics cells,picture_distance --set baron_correlation.input=trinary
      a selection of metrics, and a parameter; `mapjudge metrics` lists both")]
pub struct Score {
    /// Maps to judge: ROS map YAML, PGM, PNG, BMP, GeoTIFF or text grids.
    #[arg(value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// The ground truth.
    #[arg(long, value_name = "MAP")]
    truth: Option<PathBuf>,
    /// Where the fiducials stand, in the frame of the truth; adds their metrics.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// What is written on the map: MIF/MID or GeoJSON layers named after their kind (victims, robot_path, responder_path,
    /// skeleton, groups, labels, hazards, snapshots), detection lists, a trajectory as robot path. May be repeated.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    annotations: Vec<PathBuf>,
    /// What is written on the truth, in the same formats; adds the metrics of annotations and victims.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    truth_annotations: Vec<PathBuf>,
    /// TOML file that says what these flags say.
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    aligning: AligningFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    #[command(flatten)]
    judging: JudgingFlags,
    /// How to print the report.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format, help_heading = "Output")]
    format: Format,
    /// Also write report.json, report.html and the pictures into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Comparing")]
pub struct ComparingFlags {
    /// How maps come into the frame of the truth: `georeference` takes the origins of both as one frame, and searches
    /// as `auto` does if one has none; `none` takes origins as read and (0, 0, 0) where absent; `auto` or the name of
    /// a method searches; anything else is a transform file as `mapjudge align` prints it [default: georeference].
    #[arg(long, value_name = "georeference|none|auto|METHOD|FILE")]
    align: Option<String>,
    /// Compute scores also under an alignment that is not certain; every value then carries a warning.
    #[arg(long)]
    accept_ambiguous: bool,
    /// Which cells are compared [default: truth].
    #[arg(long, value_name = "truth|union|intersection")]
    window: Option<String>,
    /// How a map comes onto the cells of the truth [default: occupied-wins].
    #[arg(long, value_name = "occupied-wins|nearest|mean")]
    resample: Option<String>,
    /// Ids and families to compute, with commas [default: all that apply].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    metrics: Vec<String>,
    /// A parameter of a metric; may be repeated.
    #[arg(long, value_name = "METRIC.NAME=VALUE", value_parser = parse_setting)]
    set: Vec<Setting>,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Judging")]
struct JudgingFlags {
    /// File of rules such as `overall_error <= 5000`; one missed makes the exit code 1.
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// Earlier JSON report; a value that got worse makes the exit code 1.
    #[arg(long, value_name = "REPORT")]
    baseline: Option<PathBuf>,
    /// Relative change that still counts as the same [default: 1e-9].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    baseline_tolerance: Option<f64>,
}

#[derive(Clone)]
pub(super) struct Setting {
    pub(super) metric: String,
    pub(super) name: String,
    pub(super) value: Value,
}

impl Score {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        carry_out(&self.job(seed)?, self.format, self.out.as_deref(), quiet)
    }

    /// The job file, if there is one, with the flags laid over it.
    fn job(&self, seed: u64) -> Result<Job, Failure> {
        let mut job = self.job.as_deref().map_or_else(|| Ok(Job::default()), Job::from_file)?;
        let over = |slot: &mut Option<PathBuf>, flag: &Option<PathBuf>| {
            if flag.is_some() {
                slot.clone_from(flag);
            }
        };
        over(&mut job.truth, &self.truth);
        over(&mut job.layout, &self.layout);
        over(&mut job.limits, &self.judging.limits);
        over(&mut job.baseline, &self.judging.baseline);
        job.baseline_tolerance = self.judging.baseline_tolerance.or(job.baseline_tolerance);
        if !self.maps.is_empty() {
            job.maps.clone_from(&self.maps);
        }
        for (list, flag) in
            [(&mut job.annotations, &self.annotations), (&mut job.truth_annotations, &self.truth_annotations)]
        {
            if !flag.is_empty() {
                list.clone_from(flag);
            }
        }
        self.reading.lay_over(&mut job.read)?;
        self.aligning.lay_over(&mut job.aligning);
        self.comparing.lay_over(&mut job)?;
        self.robot.lay_over(&mut job.paths, seed)?;
        Ok(job)
    }
}

/// Carries out a job, writes its files and prints its report; with a bar if it takes long.
pub fn carry_out(job: &Job, format: Format, out: Option<&Path>, quiet: bool) -> Result<ExitCode, Failure> {
    let needs_pictures = out.is_some() || format == Format::Html;
    let pictures = if needs_pictures { Pictures::Draw } else { Pictures::None };
    let bar = if quiet || job.maps.len() < 2 && job.paths.is_none() {
        ProgressBar::hidden()
    } else {
        progress_steps(job.maps.len() as u64)
    };
    let evaluation = evaluate(job, pictures, &|done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    if !quiet && format != Format::Table {
        note_findings(&evaluation);
    }
    if let Some(folder) = out {
        write_files(folder, &evaluation)?;
    }
    let text = render(&evaluation.report, format, &evaluation.pictures);
    print(&text.map_err(|error| Failure::new(error.to_string()))?)?;
    Ok(exit_code(evaluation.verdict))
}

impl ComparingFlags {
    /// Lays the flags over a job.
    pub fn lay_over(&self, job: &mut Job) -> Result<(), Failure> {
        if let Some(word) = &self.align {
            job.align = AlignBy::from(word.clone());
        }
        job.aligning.accept_ambiguous |= self.accept_ambiguous;
        if !self.metrics.is_empty() {
            job.metrics.clone_from(&self.metrics);
        }
        for setting in &self.set {
            let params = job.set.entry(setting.metric.clone()).or_default();
            params.insert(setting.name.clone(), setting.value.clone());
        }
        set_word(&mut job.window, "--window", self.window.as_deref())?;
        set_word(&mut job.resample, "--resample", self.resample.as_deref())
    }
}

pub(super) fn note_findings(evaluation: &Evaluation) {
    for case in &evaluation.report.cases {
        for finding in case.findings.iter().filter(|finding| finding.level >= Level::Warning) {
            let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            note(&format!("warning: {}: {}: {}{hint}", case.name, finding.code, finding.message));
        }
    }
}

pub(super) fn write_files(folder: &Path, evaluation: &Evaluation) -> Result<(), Failure> {
    let (report, pictures) = (&evaluation.report, &evaluation.pictures);
    let wrong = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::new(format!("{}: {error}", path.display())).hint("choose a folder that can be written to")
    };
    std::fs::create_dir_all(folder).map_err(|error| wrong(folder, &error))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| wrong(&path, &error))
    };
    for (format, name) in [(Format::Json, "report.json"), (Format::Html, "report.html")] {
        let text = render(report, format, pictures).map_err(|error| Failure::new(error.to_string()))?;
        write(name, text.as_bytes())?;
    }
    for figure in report::run_figures(report) {
        write(&figure.file_name(), figure.bytes())?;
    }
    for (case, pictures) in report.cases.iter().zip(pictures) {
        let stem: String = case.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let pair = [("overlay.png", &pictures.overlay_png), ("errors.png", &pictures.heat_png)];
        for (name, bytes) in pair.iter().filter(|(_, bytes)| !bytes.is_empty()) {
            write(&format!("{stem}_{name}"), bytes)?;
        }
        for figure in &pictures.figures {
            write(&format!("{stem}_{}", figure.file_name()), figure.bytes())?;
        }
    }
    Ok(())
}

pub(super) fn parse_format(text: &str) -> Result<Format, String> {
    text.parse().map_err(|error: report::FormatError| error.to_string())
}

pub(super) fn parse_setting(text: &str) -> Result<Setting, String> {
    let expected = || format!("'{text}': expected METRIC.NAME=VALUE");
    let (key, value) = text.split_once('=').ok_or_else(expected)?;
    let (metric, name) = key.split_once('.').ok_or_else(expected)?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
    Ok(Setting { metric: metric.to_owned(), name: name.to_owned(), value })
}
