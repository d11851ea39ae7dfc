//! `mapjudge arena build|random`: arenas and all that a judge needs of them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use indicatif::ProgressBar;
use mapjudge::{ArenaFiles, read_plan, write_arena};
use sim::arena::{MazePlan, OfficeFloorPlan, Plan, Slope};

use crate::output::{Failure, print, progress_steps};

/// Make arenas: truth maps per height, fiducials, victims, portals, height model and picture from a plan or a seed.
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
    /// Build the arena of a plan; docs/simulation.md describes plans.
    Build(Build),
    /// Draw a random arena; --seed chooses it.
    Random(Random),
}

#[derive(clap::Args)]
struct Build {
    /// Plan, or a folder that this command wrote.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Folder to write into.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
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
    /// Folder to write into.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ArenaKind {
    Maze,
    Office,
}

/// Steps that the progress bar shows.
const STEPS: u64 = 3;

impl ArenaCommand {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let (plan, out) = match &self.make {
            Make::Build(build) => (read_plan(&build.plan)?, &build.out),
            Make::Random(random) => (random.plan(seed)?, &random.out),
        };
        let bar = if quiet { ProgressBar::hidden() } else { progress_steps(STEPS) };
        let step = |name: &'static str| {
            bar.set_message(name);
            bar.inc(1);
        };
        let written = write_arena(&plan, out, &step)?;
        bar.finish_and_clear();
        print(&as_text(&written))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Random {
    fn plan(&self, seed: u64) -> Result<Plan, Failure> {
        let plan = match self.kind {
            ArenaKind::Maze => {
                let default = MazePlan::default();
                let maze = MazePlan {
                    seed,
                    width_m: self.width.unwrap_or(default.width_m),
                    height_m: self.height.unwrap_or(default.height_m),
                    pallet_m: self.pallet,
                    loop_share: self.loops,
                    ramp_share: self.ramps,
                    ramp_slope: if self.steep { Slope::Steep } else { Slope::Gentle },
                    ..default
                };
                maze.plan()
            }
            ArenaKind::Office => {
                let default = OfficeFloorPlan::default();
                let floor = OfficeFloorPlan {
                    seed,
                    width_m: self.width.unwrap_or(default.width_m),
                    height_m: self.height.unwrap_or(default.height_m),
                    ..default
                };
                floor.floor().map(|floor| floor.plan)
            }
        };
        plan.map_err(|error| {
            Failure::new(error.to_string()).hint("`mapjudge arena random --help` has the ranges")
        })
    }
}

fn as_text(written: &ArenaFiles) -> String {
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
