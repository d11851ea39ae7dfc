//! `mapjudge convert IN OUT`: one file into another format.

use std::path::PathBuf;

use formats::StatedResolution;
use mapjudge::files::{Background, Loss, Overwrite, convert};

use crate::Global;
use crate::failure::Failure;
use crate::invocation::refuse_input;
use crate::output::Answer;

/// Write a file in another format.
///
/// The ending of OUT names the format. A conversion that would lose meaning, such as a layer of a GeoTIFF, is refused
/// unless --lossy allows it, and a file that exists is not replaced unless --force does. A vector map is drawn as cells
/// if OUT is a map: what its lines cross is occupied.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge convert map.yaml map.txt             a ROS map as a text grid
  mapjudge convert map.txt map.yaml             and back; writes map.pgm beside it
  mapjudge convert map.yaml map.png --lossy     the image alone, without its place
  mapjudge convert map.yaml map.tif             a GeoTIFF
  mapjudge convert walls.mif walls.png --resolution 0.05     a vector map as cells, with a world file
  mapjudge convert run.log run.tum --lossy      the poses of a log
  mapjudge convert run.usar run.clf             messages of USARSim as a CARMEN log
  mapjudge convert run.bag run.tum --topic /odom --lossy     the poses of a topic

Endings: yaml pgm png tif txt (maps), mif geojson (vectors), tum kitti poses csv json (trajectories), relations csv json
jsonl (relations), log usar csv mcap (logs), g2o, csv pts toml (tables and layouts).")]
pub struct Convert {
    /// File to read.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Go on even if the format of OUT cannot hold everything.
    #[arg(long)]
    lossy: bool,
    /// What the cells of a vector map are where it has no line.
    #[arg(long, value_enum, default_value_t = DrawnOver::Unknown)]
    background: DrawnOver,
    /// Replace OUT if it is there already, and let --resolution go over the one that IN states.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: formats::ReadOptions,
}

/// What lies between the lines of a vector map.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DrawnOver {
    Unknown,
    Free,
}

impl Convert {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        refuse_input(&self.output)?;
        let loss = if self.lossy { Loss::Accepted } else { Loss::Refused };
        let mut reading = self.reading.clone();
        let mut overwrite = Overwrite::Refused;
        if self.force {
            (reading.stated_resolution, overwrite) = (StatedResolution::Override, Overwrite::Allowed);
        }
        let background = match self.background {
            DrawnOver::Unknown => Background::Unknown,
            DrawnOver::Free => Background::Free,
        };
        let converted = convert(&self.input, &self.output, &reading, background, (loss, overwrite))?;
        let written = converted.files.iter().map(|path| format!("wrote {}", path.display()));
        let lost = converted.lost.iter().map(|what| format!("lost: {what}"));
        Ok(Answer::notes(written.chain(lost).collect()))
    }
}
