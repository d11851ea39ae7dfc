//! `mapjudge fiducials`: maps judged by barrels of known place, barrels found without a layout, and a first layout.

mod search;

use std::path::PathBuf;

use clap::ValueEnum;
use mapjudge::files::Job;
use mapjudge::{AlignBy, JobError, part_table};
use metrics::fiducials::Displaced;
use metrics::fiducials::assignment::AssignmentObjective;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, JudgingFlags, MetricFlags, over};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, OutputFlags};
use crate::word::file_word;
use search::{Detect, Init};

/// Judge maps by barrels of known place; find barrels; draft a layout.
///
/// The fiducials are barrels or split cylinders (Schwertfeger et al. 2010).
///
/// Barrels are found, assigned to the layout and aligned without a click. `--out` writes the map with every part
/// ringed and a crop per fiducial, for the appeal.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    mut_arg("format", Format::offer(REPORT)),
    after_help = "\
Examples:
  mapjudge fiducials map.yaml --layout arena.toml
      coverage, accuracy, consistency and the score, with a table of all parts
  mapjudge fiducials a.yaml b.yaml --layout arena.toml --out result
      two maps; result/report.html shows every part
  mapjudge fiducials map.yaml --layout arena.toml --align georeference
      the map lies in the coordinate frame of the layout, so that global accuracy is defined
  mapjudge fiducials map.yaml --layout walls.csv
      a layout without positions, only the thickness of the walls: consistency alone
  mapjudge fiducials map.yaml --layout arena.toml --displaced missing
      parts further than --d-max from their place count as not found
  mapjudge fiducials detect map.png --radius-px 6
      barrels without a layout, best first; --radius-px 4..10 if the radius is unknown
  mapjudge fiducials init map.yaml --radius-m 0.3 > arena.toml
      a first layout from a map, to be corrected by hand"
)]
pub struct Fiducials {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// Maps to judge.
    #[arg(value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// Where the fiducials stand: TOML or CSV, see `mapjudge help fiducials`.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// How maps lie on the layout.
    #[arg(long, default_value = "fiducials")]
    align: LayoutAlignment,
    /// What the best assignment is: `cost` or `coverage` [default: cost].
    #[arg(long, value_name = "cost|coverage", value_parser = file_word::<AssignmentObjective>)]
    objective: Option<AssignmentObjective>,
    /// Max. distance of a part from its place in metres [default: one diameter].
    #[arg(long, value_name = "M")]
    d_max: Option<f64>,
    /// What becomes of a part further than that from its place: `capped` counts it as found with the largest error, as
    /// published; `missing` as not found [default: capped].
    #[arg(long, value_name = "capped|missing", value_parser = file_word::<Displaced>)]
    displaced: Option<Displaced>,
    /// How far from its place a displaced part is looked for, in metres [default: five times --d-max].
    #[arg(long, value_name = "M")]
    reach: Option<f64>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    metrics: MetricFlags,
    #[command(flatten)]
    judging: JudgingFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(clap::Subcommand)]
enum Subcommand {
    /// List the barrels of a map, best first.
    Detect(Detect),
    /// Draft a layout from the barrels of a map.
    Init(Init),
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum LayoutAlignment {
    /// The barrels tell.
    Fiducials,
    /// The map is in the coordinate frame of the layout already.
    Georeference,
}

impl Fiducials {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        match &self.command {
            Some(Subcommand::Detect(detect)) => detect.run(),
            Some(Subcommand::Init(init)) => init.run(),
            None => self.judge(global),
        }
    }

    fn judge(&self, global: &Global) -> Result<Answer, Failure> {
        let job = self.job(global.seed())?;
        let mut judged = Judged::of_job(&job, global)?;
        judged.below_table = part_table(&judged.report.cases);
        Ok(self.output.answer(judged))
    }

    fn job(&self, seed: u64) -> Result<Job, Failure> {
        let mut job = Job { read: self.force.over(&self.reading.options), ..Job::default() };
        job.inputs.maps.clone_from(&self.maps);
        job.inputs.layout = Some(self.layout.clone().ok_or(JobError::Incomplete("layout"))?);
        let plan = &mut job.plan;
        plan.align = match self.align {
            LayoutAlignment::Fiducials => AlignBy::Fiducials,
            // Origins as read: no true map stands between the map and the layout.
            LayoutAlignment::Georeference => AlignBy::None,
        };
        plan.metrics = vec!["fiducials".to_owned()];
        self.metrics.apply(plan);
        over(&mut plan.fiducials.objective, &self.objective);
        over(&mut plan.fiducials.displaced, &self.displaced);
        plan.fiducials.reach_m = self.reach;
        (plan.fiducials.d_max_m, plan.fiducials.seed) = (self.d_max, seed);
        plan.figures = self.output.figures();
        self.judging.apply(&mut job.rules);
        Ok(job)
    }
}
