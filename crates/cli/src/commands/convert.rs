//! `mapjudge convert IN OUT`: one file into another format.

use std::path::PathBuf;
use std::process::ExitCode;

use mapjudge::{Loss, convert};

use crate::output::{Failure, note};
use crate::reading::ReadingFlags;

/// Write a file in another format; the ending of OUT says which. What would lose meaning is refused unless --lossy
/// says so.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge convert map.yaml map.txt             a ROS map as a text grid
  mapjudge convert map.txt map.yaml             and back; writes map.pgm beside it
  mapjudge convert map.yaml map.png --lossy     the picture alone, without its place
  mapjudge convert map.yaml map.tif             a GeoTIFF
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
    #[command(flatten)]
    reading: ReadingFlags,
}

impl Convert {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let loss = if self.lossy { Loss::Accepted } else { Loss::Refused };
        let converted = convert(&self.input, &self.output, &self.reading.options()?, loss)?;
        if !quiet {
            converted.files.iter().for_each(|path| note(&format!("wrote {}", path.display())));
            converted.lost.iter().for_each(|what| note(&format!("lost: {what}")));
        }
        Ok(ExitCode::SUCCESS)
    }
}
