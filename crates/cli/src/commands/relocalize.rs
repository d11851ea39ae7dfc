//! `mapjudge relocalize MAP --log RUN`: how fast does a robot that is placed wrong find itself on this map?

use std::path::PathBuf;

use mapjudge::files::{Loader, relocalize_files};
use mapjudge::{LostPlan, Relocalized};
use metrics::contest::lost::LostRules;

use crate::Global;
use crate::failure::Failure;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};
use crate::progress::Progress;

/// Let a robot that is placed wrong find itself on a map.
///
/// The lost metric: a particle filter believes in a wrong pose on the map and takes the scans and the odometry of a log,
/// until it is right for --hold steps in a row. Starts are spread over the first half of the log. The true poses come from
/// the log (a simulator tells them) or from --truth; both are in the coordinate frame of the map. A map whose walls are
/// doubled or missing leaves the robot lost for longer.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge relocalize map.yaml --log run.log
      ten wrong starts; the log has true poses
  mapjudge relocalize map.yaml --log run.log --truth run.tum --starts 50 --within 0.5 --format json
      other rules, and the true poses of a file")]
pub struct Relocalize {
    /// The map on which the robot looks for itself.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// Scans and odometry of a run.
    #[arg(long, value_name = "FILE")]
    log: PathBuf,
    /// The true trajectory; without it the true poses of the log.
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// How often the robot is placed wrong.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = crate::flags::count)]
    starts: usize,
    /// Found within this distance, metres.
    #[arg(long, value_name = "M", default_value_t = 0.3)]
    within: f64,
    /// Found within this angle, degrees.
    #[arg(long, value_name = "DEG", default_value_t = 10.0)]
    within_deg: f64,
    /// Steps in a row that must be right.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = crate::flags::count)]
    hold: usize,
    /// Steps after which the robot counts as lost.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = crate::flags::count)]
    max_steps: usize,
    #[command(flatten)]
    reading: formats::ReadOptions,
    #[command(flatten)]
    format: FormatFlag,
}

impl Relocalize {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let are_lengths =
            [self.within, self.within_deg].iter().all(|limit| limit.is_finite() && *limit > 0.0);
        if !are_lengths {
            return Err(Failure::new("--within and --within-deg: expected finite numbers above 0")
                .hint("0.3 m and 10 degrees are the defaults"));
        }
        let (within_m, within_rad) = (self.within, self.within_deg.to_radians());
        let rules = LostRules { within_m, within_rad, hold: self.hold };
        let plan = LostPlan { starts: self.starts, rules, max_steps: self.max_steps, seed: global.seed() };
        let bar = Progress::steps(self.starts, global.quiet).counting("starts");
        let loader = Loader::new(self.reading.clone());
        let truth = self.truth.as_deref();
        let found = relocalize_files(&self.map, &self.log, truth, &plan, &loader, &|done| bar.done(done))?;
        Ok(self.format.answer(Printed::new(found, Relocalized::text)))
    }
}
