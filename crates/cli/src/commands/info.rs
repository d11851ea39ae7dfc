//! `mapjudge info FILE..`: what files are.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use mapjudge::{FileInfo, INFO_SCHEMA, describe, effort};
use metrics::contest::effort::EffortLimits;

use crate::output::{Failure, print};
use crate::reading::ReadingFlags;

/// Say what files are: format, size, extent, resolution, layers, counts, time range and findings.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge info map.yaml
  mapjudge info *.yaml --format json
  mapjudge info run.log --effort
      how long a run took, how far it went and how fast it saw new area")]
pub struct Info {
    /// Files of any kind that mapjudge reads.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Time and effort of runs instead: duration, distance, scans, area seen over time. For logs of scans.
    #[arg(long)]
    effort: bool,
    #[command(flatten)]
    reading: ReadingFlags,
    /// How to print.
    #[arg(long, default_value = "text")]
    format: InfoFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum InfoFormat {
    Text,
    Json,
}

impl Info {
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let options = self.reading.options()?;
        if self.effort {
            return self.print_effort(&options);
        }
        let files = self.files.iter().map(|path| describe(path, &options)).collect::<Result<Vec<_>, _>>()?;
        let text = match self.format {
            InfoFormat::Text => files.iter().map(as_text).collect::<Vec<_>>().join("\n"),
            InfoFormat::Json => as_json(files)?,
        };
        print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn print_effort(&self, options: &formats::ReadOptions) -> Result<ExitCode, Failure> {
        let of_log = |path: &PathBuf| effort(path, options, EffortLimits::PAPER);
        let runs = self.files.iter().map(of_log).collect::<Result<Vec<_>, _>>()?;
        print(&match self.format {
            InfoFormat::Text => runs.iter().map(mapjudge::Effort::text).collect::<Vec<_>>().join("\n"),
            InfoFormat::Json => {
                let text = serde_json::to_string_pretty(&runs);
                text.map_err(|error| Failure::new(error.to_string()))? + "\n"
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn as_json(files: Vec<FileInfo>) -> Result<String, Failure> {
    let info = mapjudge::Info { schema: INFO_SCHEMA, files };
    let text = serde_json::to_string_pretty(&info).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

/// One line per fact; what a file does not have is left out.
pub fn as_text(info: &FileInfo) -> String {
    let mut text = format!("{}\n  {} ({})\n", info.path, info.kind, info.format);
    if let (Some(width), Some(height), Some(cell_size_m)) = (info.width, info.height, info.cell_size_m) {
        let (wide_m, high_m) = (width as f64 * cell_size_m, height as f64 * cell_size_m);
        let _ = writeln!(
            text,
            "  size         {width} x {height} cells of {cell_size_m} m ({wide_m:.2} m x {high_m:.2} m)"
        );
    }
    if let Some([x_m, _, _, y_m, ..]) = info.geotransform {
        let _ = writeln!(text, "  upper left   {x_m}, {y_m} m");
    }
    if let Some(crs) = &info.crs {
        let _ = writeln!(text, "  crs          {crs}");
    }
    for layer in &info.layers {
        let cells = layer.cells.map_or_else(String::new, |cells| {
            format!(": {} free, {} occupied, {} unknown", cells.free, cells.occupied, cells.unknown)
        });
        let _ = writeln!(text, "  layer        {} ({}){cells}", layer.name, layer.kind);
    }
    for (name, count) in info.counts.listed() {
        let _ = writeln!(text, "  {name:<12} {count}");
    }
    for topic in &info.topics {
        let _ = writeln!(text, "  topic        {} ({}): {}", topic.name, topic.message_type, topic.messages);
    }
    if let Some(time) = info.time {
        let _ = writeln!(
            text,
            "  time         {} s to {} s ({:.3} s)",
            time.first_s,
            time.last_s,
            time.last_s - time.first_s
        );
    }
    for finding in &info.findings {
        let _ = writeln!(text, "  {}", finding_line(finding));
    }
    text
}

/// Level, code, place, message and hint of a finding in one line.
pub fn finding_line(finding: &model::Finding) -> String {
    let level = match finding.level {
        model::Level::Info => "note",
        model::Level::Warning => "warning",
        model::Level::Error => "error",
    };
    let place = finding.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    let hint = finding.hint.as_ref().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
    format!("{level}: {}: {place}{}{hint}", finding.code, finding.message)
}
