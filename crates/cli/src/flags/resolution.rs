//! Cell sizes and origins of the map and of the truth, where files state none or state a wrong one.

use formats::{ReadOptions, StatedResolution};
use mapjudge::files::Resolutions;

use super::over_option;

/// Cell sizes and origins of one side, for commands that read a map and its truth.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct ResolutionFlags {
    /// Edge of a cell of the maps in metres; --resolution is for every file that states none.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    map_resolution: Option<f64>,
    /// Edge of a cell of the truth in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    truth_resolution: Option<f64>,
    /// Origin of the maps: lower-left corner in metres, yaw in radians; --origin goes over the maps and the truth.
    #[arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, value_parser = formats::parse_origin)]
    map_origin: Option<[f64; 3]>,
    /// Origin of the truth.
    #[arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, value_parser = formats::parse_origin)]
    truth_origin: Option<[f64; 3]>,
    #[command(flatten)]
    force: ForceResolution,
}

impl ResolutionFlags {
    /// Puts the flags over those of a job.
    pub fn apply(&self, resolutions: &mut Resolutions) {
        over_option(&mut resolutions.map_resolution_m, &self.map_resolution);
        over_option(&mut resolutions.truth_resolution_m, &self.truth_resolution);
        over_option(&mut resolutions.map_origin, &self.map_origin);
        over_option(&mut resolutions.truth_origin, &self.truth_origin);
        resolutions.force |= self.force.force;
    }

    /// The flags alone.
    pub fn resolutions(&self) -> Resolutions {
        let mut resolutions = Resolutions::default();
        self.apply(&mut resolutions);
        resolutions
    }
}

/// Whether a resolution that was given goes over that of the file.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct ForceResolution {
    /// A resolution that is given goes over the one that a file states; without it the two must agree.
    #[arg(long)]
    force: bool,
}

impl ForceResolution {
    /// The reading options with this flag in effect.
    pub fn over(&self, reading: &ReadOptions) -> ReadOptions {
        let stated_resolution =
            if self.force { StatedResolution::Override } else { reading.stated_resolution };
        ReadOptions { stated_resolution, ..reading.clone() }
    }
}
