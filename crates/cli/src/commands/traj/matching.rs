//! How poses are matched in time.

use align::trajectory::{Associate, Fill};
use mapjudge::Matching;
use mapjudge::files::JobInputs;

use crate::flags::{over, over_list, over_option};
use crate::word::Word;

/// How poses are matched in time.
#[derive(clap::Args)]
#[command(next_help_heading = "Matching")]
pub struct MatchingFlags {
    /// Records of a log whose poses are taken: odom, flaser, rlaser, robotlaser, truepos [default: scans].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    records: Vec<String>,
    /// Leave out up to so many faulty rows instead of stopping at the first [default: 0].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    skip_bad: Option<usize>,
    /// How a pose is looked up by its timestamp [default: nearest; index where a file has no times].
    #[arg(long, value_name = "RULE", value_parser = Word::<Associate>::new())]
    associate: Option<Associate>,
    /// Max. time difference of `nearest` [default: 0.05].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    max_dt: Option<f64>,
    /// Max. gap that is interpolated, and that counts as covered [default: 1].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    max_gap: Option<f64>,
    /// How `filled` fills: the odometry since the last pose, or with the correction spread [default: chain].
    #[arg(long, value_name = "RULE", value_parser = Word::<Fill>::new())]
    fill: Option<Fill>,
    /// Added to the times of the estimates [default: 0].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time_offset: Option<f64>,
    /// Estimate the offset between the clocks, within so many seconds, from how the runs move.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    estimate_offset: Option<f64>,
}

impl MatchingFlags {
    /// Puts the flags over the choices of a job.
    pub fn apply(&self, inputs: &mut JobInputs, matching: &mut Matching) {
        over_list(&mut inputs.records, &self.records);
        over(&mut inputs.skip_bad, &self.skip_bad);
        over_option(&mut matching.associate, &self.associate);
        over(&mut matching.max_dt_s, &self.max_dt);
        over(&mut matching.max_gap_s, &self.max_gap);
        over(&mut matching.fill, &self.fill);
        over(&mut matching.time_offset_s, &self.time_offset);
        over_option(&mut matching.estimate_offset_s, &self.estimate_offset);
    }
}
