//! `mapjudge convert IN OUT`: one file into another format.

use std::path::PathBuf;

use formats::StatedResolution;
use mapjudge::files::{Loss, Overwrite, convert};

use crate::Global;
use crate::failure::Failure;
use crate::invocation::refuse_input;
use crate::output::Answer;

/// Write a file in another format.
///
/// The ending of OUT names the format. A conversion that would lose meaning is refused unless --lossy
/// allows it, and a file that exists is not replaced unless --force does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge convert map.yaml map.txt             a ROS map as a text grid
  mapjudge convert map.txt map.yaml             and back; writes map.pgm beside it
  mapjudge convert map.yaml map.png --lossy     the image alone, without its place
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
    /// Replace OUT if it is there already, and let --resolution go over the one that IN states.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: formats::ReadOptions,
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
        let converted = convert(&self.input, &self.output, &reading, loss, overwrite)?;
        let written = converted.files.iter().map(|path| format!("wrote {}", path.display()));
        let lost = converted.lost.iter().map(|what| format!("lost: {what}"));
        Ok(Answer::notes(written.chain(lost).collect()))
    }
}
