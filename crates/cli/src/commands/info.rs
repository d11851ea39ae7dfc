//! `mapjudge info FILE..`: what files are.

use std::fmt::Write;
use std::path::PathBuf;

use mapjudge::files::lint::groups;
use mapjudge::files::{FileInfo, INFO_SCHEMA, Info as Described, describe_inside};
use mapjudge::{Effort, JobError, effort};
use metrics::contest::effort::EffortLimits;
use model::{Finding, Level};

use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceResolution;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, finding_line};

/// Tell what files are: kind, size, layers, counts, time range, findings.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge info map.yaml
  mapjudge info *.yaml --format json
  mapjudge info run.log --effort
      how long a run took, how far it went and how fast it saw new area")]
pub struct Info {
    /// Files of any kind that mapjudge reads; of folders and zip archives, the files in them.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Time and effort of runs instead: duration, distance, scans, area seen over time. For logs of scans.
    #[arg(long)]
    effort: bool,
    #[command(flatten)]
    reading: formats::ReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    format: FormatFlag,
}

impl Info {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        if self.effort {
            let runs = self.files.iter().map(|path| effort(path, &self.reading, EffortLimits::PAPER));
            let runs = runs.collect::<Result<Vec<_>, _>>()?;
            let table = |runs: &Vec<Effort>| runs.iter().map(Effort::text).collect::<Vec<_>>().join("\n");
            return Ok(self.format.answer(Printed::new(runs, table)));
        }
        let info = Described { schema: INFO_SCHEMA, files: self.described()? };
        let table = |info: &Described| info.files.iter().map(facts).collect::<Vec<_>>().join("\n");
        Ok(self.format.answer(Printed::new(info, table)))
    }
}

impl Info {
    /// A file that was named must be readable; one of a folder that is not says why.
    fn described(&self) -> Result<Vec<FileInfo>, Failure> {
        let reading = self.force.over(&self.reading);
        let mut files = Vec::new();
        for group in groups(&self.files)? {
            for path in &group.files {
                let shown = group.shown(path).display().to_string();
                files.push(match describe_inside(group.inside(), path, &reading) {
                    Ok(info) if group.name.is_empty() => info,
                    Ok(info) => FileInfo { path: shown, ..info },
                    Err(error) if group.name.is_empty() => return Err(error.into()),
                    Err(error) => unreadable(shown, &error),
                });
            }
        }
        Ok(files)
    }
}

fn unreadable(path: String, error: &JobError) -> FileInfo {
    let finding = Finding::new(Level::Error, "CANNOT_READ", error.to_string());
    FileInfo { path, kind: "unreadable", findings: vec![finding], ..FileInfo::default() }
}

/// One line per fact; what a file does not have is left out.
fn facts(info: &FileInfo) -> String {
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
    if let Some([_, across_x, down_x, _, across_y, down_y]) = info.pixel_geotransform {
        let (wide_m, high_m) = (across_x.hypot(across_y), down_x.hypot(down_y));
        let of = info.layers.first().and_then(|layer| layer.width.zip(layer.height));
        let count = of.map_or_else(String::new, |(width, height)| format!("{width} x {height} "));
        let _ = writeln!(text, "  in the file  {count}pixels of {wide_m} m x {high_m} m");
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
        let duration_s = time.last_s - time.first_s;
        let _ = writeln!(text, "  time         {} s to {} s ({duration_s:.3} s)", time.first_s, time.last_s);
    }
    for finding in &info.findings {
        let _ = writeln!(text, "  {}", finding_line(finding));
    }
    text
}
