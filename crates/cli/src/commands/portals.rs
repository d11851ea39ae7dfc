//! `mapjudge portals TRUTH`: junctions and doorways with stable ids, and how many a map or a path has.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use mapjudge::{Job, PortalReport, PortalsOf, find_portals};

use crate::commands::score::ComparingFlags;
use crate::output::{Failure, print};
use crate::reading::ReadingFlags;
use crate::robot::RobotFlags;

/// The portals of a ground truth: junctions and doorways, each with an id that stays the same. With a map or a robot's
/// path also which of them were found, and S = n / N.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge portals truth.yaml
      every junction and doorway
  mapjudge portals truth.yaml --map map.yaml
      which of them the robot could reach with the map
  mapjudge portals truth.yaml --path run.tum --format json
      which of them the robot passed")]
pub struct Portals {
    /// The ground truth.
    #[arg(value_name = "TRUTH")]
    truth: PathBuf,
    /// Map to hold against it.
    #[arg(long, value_name = "MAP", conflicts_with = "path")]
    map: Option<PathBuf>,
    /// Robot's path in the frame of the truth: a trajectory, or a layer of lines.
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    /// How to print.
    #[arg(long, default_value = "text", help_heading = "Output")]
    format: PortalFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum PortalFormat {
    Text,
    Json,
}

impl Portals {
    pub fn run(&self, seed: u64) -> Result<ExitCode, Failure> {
        let mut job = Job::default();
        self.reading.lay_over(&mut job.read)?;
        self.comparing.lay_over(&mut job)?;
        let against = match (&self.map, &self.path) {
            (Some(map), _) => PortalsOf::Map(map.clone()),
            (None, Some(path)) => PortalsOf::Path(path.clone()),
            (None, None) => PortalsOf::Nothing,
        };
        let report = find_portals(&self.truth, &self.robot.inputs(seed)?, &against, &job)?;
        print(&match self.format {
            PortalFormat::Text => as_text(&report),
            PortalFormat::Json => {
                let text = serde_json::to_string_pretty(&report);
                text.map_err(|error| Failure::new(error.to_string()))? + "\n"
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn as_text(report: &PortalReport) -> String {
    let mut text = format!("{} portals", report.total);
    if let (Some(found), Some(share)) = (report.found, report.share) {
        let _ = write!(text, ", {found} found: S = {share:.4}");
    }
    text.push('\n');
    for entry in &report.portals {
        let portal = &entry.portal;
        let verdict = entry.found.map_or("", |found| if found { "  found" } else { "  missing" });
        let kind = match portal.kind {
            metrics::topology::portals::PortalKind::Junction => "junction",
            metrics::topology::portals::PortalKind::Doorway => "doorway",
        };
        let _ = writeln!(
            text,
            "{:<12} {kind:<9} ({:.2}, {:.2}) m  {:.2} m wide{verdict}",
            portal.id, portal.x_m, portal.y_m, portal.width_m
        );
    }
    text
}
