//! `mapjudge consensus MAP..`: maps of one place judged against each other, without a ground truth.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressBar;
use mapjudge::{Consensus as Found, ConsensusJob, Pictures, Reading, consensus};
use report::{Format, render};

use crate::commands::score::{parse_format, write_files};
use crate::output::{Failure, note, print, progress_steps};
use crate::reading::ReadingFlags;

/// Judge maps of one place against each other, without a ground truth: all are brought into one frame, and each is
/// scored against what the others agree on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge consensus a.yaml b.yaml c.yaml d.yaml
      scores of each map against the agreement of the three others
  mapjudge consensus runs/*.yaml --out result
      result/consensus.yaml is what most maps say; result/report.html shows where each stands alone
  mapjudge consensus runs/*.yaml --metrics picture_distance,plausibility --format csv
      a selection of metrics")]
pub struct Consensus {
    /// Maps of one place, at least three.
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
    /// Ids and families to compute, with commas [default: all that apply].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    metrics: Vec<String>,
    /// How to print the report.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format, help_heading = "Output")]
    format: Format,
    /// Write consensus.yaml, report.json, report.html and the pictures into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Consensus {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let mut read = Reading::default();
        self.reading.lay_over(&mut read)?;
        let job = ConsensusJob { maps: self.maps.clone(), read, metrics: self.metrics.clone() };
        let needs_pictures = self.out.is_some() || self.format == Format::Html;
        let pictures = if needs_pictures { Pictures::Draw } else { Pictures::None };
        let bar = if quiet { ProgressBar::hidden() } else { progress_steps(0) };
        let found = consensus(&job, pictures, &|done, of| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
        if !quiet {
            note_frames(&self.maps, &found);
        }
        if let Some(folder) = &self.out {
            write_all(folder, &found)?;
        }
        let text = render(&found.evaluation.report, self.format, &found.evaluation.pictures);
        print(&text.map_err(|error| Failure::new(error.to_string()))?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Which maps could not be placed, and which pairs contradict the others.
fn note_frames(maps: &[PathBuf], found: &Found) {
    for (map, frame) in maps.iter().zip(&found.joint.frames) {
        if frame.is_none() {
            note(&format!("warning: {}: no certain alignment with any other map; left out", map.display()));
        }
    }
    for &(first, second) in &found.joint.contradicting {
        let pair = (maps[first].display(), maps[second].display());
        note(&format!(
            "warning: {} and {}: their alignment contradicts the others; not used",
            pair.0, pair.1
        ));
    }
}

fn write_all(folder: &Path, found: &Found) -> Result<(), Failure> {
    write_files(folder, &found.evaluation)?;
    let (yaml, pgm) = formats::write_ros_map(&found.map, "consensus.pgm");
    for (name, bytes) in [("consensus.yaml", yaml.as_bytes()), ("consensus.pgm", &pgm)] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|error| {
            Failure::new(format!("{}: {error}", path.display()))
                .hint("choose a folder that can be written to")
        })?;
    }
    Ok(())
}
