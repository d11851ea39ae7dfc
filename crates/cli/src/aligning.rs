//! The flags that say how frames are searched; every command that aligns maps takes them.

use mapjudge::Aligning;

/// How a frame is searched.
#[derive(clap::Args)]
#[command(next_help_heading = "Aligning")]
pub struct AligningFlags {
    /// Least scale of the map that is tried [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    scale_min: Option<f64>,
    /// Largest scale of the map that is tried [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    scale_max: Option<f64>,
    /// Distance at which a wall counts as missed [default: 0.3, or 1.5 % of the truth's diagonal if a scale is
    /// searched].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    align_tol: Option<f64>,
}

impl AligningFlags {
    /// Lays the flags over what a job says.
    pub fn lay_over(&self, aligning: &mut Aligning) {
        aligning.scale_min = self.scale_min.unwrap_or(aligning.scale_min);
        aligning.scale_max = self.scale_max.unwrap_or(aligning.scale_max);
        aligning.tol_m = self.align_tol.or(aligning.tol_m);
    }
}
