//! Which poses of a trajectory become keyframes, and which of them see the same place.

use truth::MakeParams;

use super::over;

/// Which poses become keyframes, and which of them see the same place.
#[derive(clap::Args)]
#[command(next_help_heading = "Keyframes")]
pub struct KeyframeFlags {
    /// A keyframe every so many metres; 0 takes every pose [default: 0.5].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    step: Option<f64>,
    /// A keyframe after so large a change of heading, in degrees [default: 30].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    turn: Option<f64>,
    /// Visits of one place lie nearer than this, in metres [default: 2].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    loop_radius: Option<f64>,
    /// Visits of one place lie at least so many seconds apart [default: 30].
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    loop_gap: Option<f64>,
    /// Relations to earlier visits per keyframe [default: 3].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    loops_per_pose: Option<usize>,
}

impl KeyframeFlags {
    /// The default parameters with the flags over them.
    pub fn params(&self) -> MakeParams {
        let mut params = MakeParams::default();
        over(&mut params.keyframe_distance_m, &self.step);
        over(&mut params.keyframe_turn_rad, &self.turn.map(f64::to_radians));
        over(&mut params.loop_radius_m, &self.loop_radius);
        over(&mut params.loop_gap_s, &self.loop_gap);
        over(&mut params.loops_per_pose, &self.loops_per_pose);
        params
    }
}
