//! `mapjudge arena build|random`: arenas and all that a judge needs of them.

use std::path::PathBuf;

use clap::ValueEnum;
use mapjudge::files::OutputFolder;
use mapjudge::{ArenaFiles, PLAN_NAME, read_plan, write_arena};
use sim::arena::{MazePlan, OfficeFloorPlan, Plan, Slope};

use crate::Global;
use crate::failure::Failure;
use crate::flags::{OverwriteFlag, over};
use crate::invocation::run;
use crate::output::{Answer, finish};
use crate::progress::Progress;

/// Make arenas with their ground truth, from a plan or from a seed.
///
/// Writes truth maps per height, fiducials, victims, portals, a height model and an image.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge arena random --seed 7 --out maze
      a connected maze of 15 x 10 m; maze/plan.toml can be changed in an editor
  mapjudge arena build maze/plan.toml --out changed
      the arena of a plan
  mapjudge arena random --kind office --out office
      an office floor of 40 x 24 m with 35 rooms")]
pub struct ArenaCommand {
    #[command(subcommand)]
    make: Make,
}

#[derive(clap::Subcommand)]
enum Make {
    /// Build the arena of a plan; `mapjudge help simulation` describes plans.
    Build(Build),
    /// Draw a random arena; --seed chooses it.
    Random(Random),
}

#[derive(clap::Args)]
struct Build {
    /// Plan, or a folder that this command wrote.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    #[command(flatten)]
    out: OutFlags,
}

#[derive(clap::Args)]
struct Random {
    /// What to draw.
    #[arg(long, default_value = "maze")]
    kind: ArenaKind,
    /// Width in metres [default: 15 for a maze, 40 for an office].
    #[arg(long, value_name = "M")]
    width: Option<f64>,
    /// Height in metres [default: 10 for a maze, 24 for an office].
    #[arg(long, value_name = "M")]
    height: Option<f64>,
    /// Side of a pallet of the maze in metres.
    #[arg(long, value_name = "M", default_value_t = MazePlan::default().pallet_m)]
    pallet: f64,
    /// Share of the maze's inner walls that is opened to make loops, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = MazePlan::default().loop_share)]
    loops: f64,
    /// Share of the maze's pallets that are ramps of 10 degrees, 0 to 1; about 0.4 can be. No opening has a step.
    #[arg(long, value_name = "SHARE", default_value_t = MazePlan::default().ramp_share)]
    ramps: f64,
    /// Ramps of 15 degrees: their tops lie above a scanner at 0.3 m.
    #[arg(long)]
    steep: bool,
    #[command(flatten)]
    out: OutFlags,
}

#[derive(clap::Args)]
struct OutFlags {
    /// Folder to write into.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteFlag,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ArenaKind {
    Maze,
    Office,
}

/// Steps that the progress bar shows.
const STEPS: usize = 3;

impl ArenaCommand {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let (plan, out) = match &self.make {
            Make::Build(build) => (read_plan(&build.plan)?, &build.out),
            Make::Random(random) => (random.plan(global.seed())?, &random.out),
        };
        let bar = Progress::steps(STEPS, global.quiet).counting("steps");
        // An arena is the truth of what is made from it: another plan is another result.
        let run = run(&out.out, &[&plan.to_text()]);
        let folder = OutputFolder::guarded(&out.out, run, out.overwrite.overwrite());
        folder.check(&[PLAN_NAME])?;
        let written = write_arena(&plan, &folder, &|step| bar.next(step))?;
        finish(&folder, global.quiet)?;
        Ok(Answer::text(summary(&written)))
    }
}

impl Random {
    fn plan(&self, seed: u64) -> Result<Plan, Failure> {
        let plan = match self.kind {
            ArenaKind::Maze => {
                let mut maze = MazePlan {
                    seed,
                    pallet_m: self.pallet,
                    loop_share: self.loops,
                    ramp_share: self.ramps,
                    ramp_slope: if self.steep { Slope::Steep } else { Slope::Gentle },
                    ..MazePlan::default()
                };
                over(&mut maze.width_m, &self.width);
                over(&mut maze.height_m, &self.height);
                maze.plan()
            }
            ArenaKind::Office => {
                let mut office = OfficeFloorPlan { seed, ..OfficeFloorPlan::default() };
                over(&mut office.width_m, &self.width);
                over(&mut office.height_m, &self.height);
                office.floor().map(|floor| floor.plan)
            }
        };
        plan.map_err(|error| {
            Failure::new(error.to_string()).hint("`mapjudge arena random --help` has the ranges")
        })
    }
}

fn summary(written: &ArenaFiles) -> String {
    let arena = &written.arena;
    let [width_m, height_m] = arena.size_m;
    format!(
        "{}: {width_m:.2} x {height_m:.2} m, {} walls, {} barrel parts, {} marks, {} portals\n\
         reachable from the start: {:.2} m2\n\
         files: {}\n",
        arena.name,
        arena.walls.len(),
        arena.barrels.len(),
        arena.marks.len(),
        written.portals,
        written.reachable_m2,
        written.files.join(" ")
    )
}
