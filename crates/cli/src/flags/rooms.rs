//! Flags of the search for rooms.

use metrics::rooms::segmentation::{Linkage, RoomFinder, RoomParams};

use crate::failure::Failure;
use crate::word::Word;

/// How rooms are found.
#[derive(clap::Args)]
#[command(next_help_heading = "Rooms")]
pub struct RoomFlags {
    /// How rooms are told apart; `auto` takes the method that suits the map, by its doors, furniture and clutter.
    #[arg(long, default_value = "auto", value_parser = Word::<RoomFinder>::new())]
    method: RoomFinder,
    /// Wall points whose views share at least this much are one room, 0 to 1; higher makes more rooms [default: 0.2].
    #[arg(long, value_name = "SHARE")]
    theta: Option<f64>,
    /// Distance of the wall points along the walls, in metres [default: 0.25].
    #[arg(long, value_name = "M")]
    spacing: Option<f64>,
    /// How clusters of wall points are compared: by the mean of their pairs or by the most similar pair.
    #[arg(long, default_value = "average", value_parser = Word::<Linkage>::new())]
    linkage: Linkage,
    /// Niches and holes that no disc of this radius enters are wall, in metres; 0 takes walls as drawn [default: 0.1].
    #[arg(long, value_name = "M")]
    smoothing: Option<f64>,
}

impl RoomFlags {
    /// The parameters.
    ///
    /// # Errors
    /// A number out of its range.
    pub fn params(&self) -> Result<RoomParams, Failure> {
        let default = RoomParams::default();
        let params = RoomParams {
            method: self.method,
            theta: self.theta.unwrap_or(default.theta),
            spacing_m: self.spacing.unwrap_or(default.spacing_m),
            linkage: self.linkage,
            smoothing_m: self.smoothing.unwrap_or(default.smoothing_m),
            ..default
        };
        let refuse = |flag: &str, value: f64, expected: &str| {
            Err(Failure::new(format!("--{flag} {value}: expected {expected}")))
        };
        if !(0.0..=1.0).contains(&params.theta) {
            return refuse("theta", params.theta, "a share from 0 to 1");
        }
        if !(params.spacing_m.is_finite() && params.spacing_m > 0.0) {
            return refuse("spacing", params.spacing_m, "metres above 0");
        }
        if !(params.smoothing_m.is_finite() && params.smoothing_m >= 0.0) {
            return refuse("smoothing", params.smoothing_m, "metres, 0 or more");
        }
        Ok(params)
    }
}
