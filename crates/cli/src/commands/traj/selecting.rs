//! Which poses are compared.

use align::trajectory::Plane;
use mapjudge::PoseSelection;

use crate::flags::over_option;
use crate::word::Word;

/// Which poses are compared; all by default.
#[derive(clap::Args)]
#[command(next_help_heading = "Poses")]
pub struct SelectingFlags {
    /// Leave out the truth before this timestamp.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    t_start: Option<f64>,
    /// Leave out the truth behind this timestamp.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    t_end: Option<f64>,
    /// Take at most so many poses of each trajectory, evenly spaced.
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    downsample: Option<usize>,
    /// Take a pose when the robot has moved so far, or turned so far, since the last one taken.
    #[arg(long, num_args = 2, value_names = ["M", "DEG"], allow_negative_numbers = true)]
    motion_filter: Option<Vec<f64>>,
    /// Compare poses in a plane, after the fit.
    #[arg(long, value_name = "PLANE", value_parser = Word::<Plane>::new())]
    project: Option<Plane>,
}

impl SelectingFlags {
    /// Puts the flags over the choices of a job.
    pub fn apply(&self, poses: &mut PoseSelection) {
        over_option(&mut poses.t_start_s, &self.t_start);
        over_option(&mut poses.t_end_s, &self.t_end);
        over_option(&mut poses.downsample, &self.downsample);
        over_option(&mut poses.project, &self.project);
        if let Some([distance_m, angle_deg]) = self.motion_filter.as_deref() {
            poses.motion_filter = Some([*distance_m, *angle_deg]);
        }
    }
}
