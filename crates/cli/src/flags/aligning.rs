//! How a transform is searched; every command that aligns maps takes these flags.

use mapjudge::Aligning;

use super::{over, over_option};

/// How a transform is searched.
#[derive(clap::Args)]
#[command(next_help_heading = "Aligning")]
pub struct AligningFlags {
    /// Min. scale of the map that is tried [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    scale_min: Option<f64>,
    /// Max. scale of the map that is tried [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    scale_max: Option<f64>,
    /// Distance at which a wall counts as missed [default: 0.3, or 1.5 % of the truth's diagonal if a scale is
    /// searched].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    align_tol: Option<f64>,
}

impl AligningFlags {
    /// Puts the flags over the parameters of a job.
    pub fn apply(&self, aligning: &mut Aligning) {
        over(&mut aligning.scale_min, &self.scale_min);
        over(&mut aligning.scale_max, &self.scale_max);
        over_option(&mut aligning.tol_m, &self.align_tol);
    }
}
