//! `mapjudge portals TRUTH`: junctions and doorways with stable ids, and how many a map or a path has.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use mapjudge::files::{Job, Loader, case_names};
use mapjudge::{JobError, PortalReport, PortalsOf, Subject, find_portals, path_points};
use metrics::topology::portals::PortalKind;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ComparingFlags, ForceResolution, RobotFlags};
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};

/// Junctions and doorways of a ground truth, and how many a map or a path has.
///
/// Each portal has an id that stays the same. With a map or a robot's path also which of them were found, and S = n /
/// N.
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
    /// Robot's path in the coordinate frame of the truth: a trajectory, or a layer of lines.
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    #[command(flatten)]
    reading: formats::ReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    #[command(flatten)]
    format: FormatFlag,
}

impl Portals {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let mut job = Job::default();
        self.comparing.apply(&mut job)?;
        let loader = Loader::new(self.force.over(&self.reading));
        let against = match (&self.map, &self.path) {
            (Some(map), _) => {
                let name = case_names(std::slice::from_ref(map)).concat();
                PortalsOf::Map(Box::new(Subject::of_map(name, loader.map(map)?)))
            }
            (None, Some(path)) => PortalsOf::Path(load_path(&loader, path)?),
            (None, None) => PortalsOf::Nothing,
        };
        let robot = self.robot.inputs(global.seed());
        let report = find_portals(&loader.map(&self.truth)?, &robot, &against, &job.load_plan()?)?;
        Ok(self.format.answer(Printed::new(report, table)))
    }
}

fn load_path(loader: &Loader, path: &Path) -> Result<Vec<model::Point2>, JobError> {
    let content = loader.document(path)?.value;
    path_points(&content).ok_or_else(|| JobError::NoTrajectory {
        path: path.display().to_string(),
        found: content.kind().noun().to_owned(),
        why: "no_poses",
    })
}

fn table(report: &PortalReport) -> String {
    let mut text = format!("{} portals", report.total);
    if let (Some(found), Some(share)) = (report.found, report.share) {
        let _ = write!(text, ", {found} found: S = {share:.4}");
    }
    text.push('\n');
    for entry in &report.portals {
        let portal = &entry.portal;
        let verdict = entry.found.map_or("", |found| if found { "  found" } else { "  missing" });
        let kind = match portal.kind {
            PortalKind::Junction => "junction",
            PortalKind::Doorway => "doorway",
        };
        let _ = writeln!(
            text,
            "{:<12} {kind:<9} ({}, {}) m  {:.2} m wide{verdict}",
            portal.id,
            report::fixed(portal.x_m, 2),
            report::fixed(portal.y_m, 2),
            portal.width_m
        );
    }
    text
}
