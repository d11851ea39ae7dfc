//! The mapjudge command line: parses, calls the library, prints. It computes no score itself.
//!
//! Exit codes: 0 fine; 1 a limit or baseline was missed; 2 could not compute; 3 a metric asked for by name is
//! undefined. Results go to stdout, everything else to stderr.

mod aligning;
mod choice;
mod commands;
mod output;
mod reading;
mod robot;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::output::Failure;

/// Judges maps made by mobile robots.
///
/// Exit codes: 0 fine; 1 computed, but a limit or the baseline was missed; 2 could not compute; 3 computed, but a
/// metric asked for by name is undefined. Results go to stdout, everything else to stderr.
#[derive(Parser)]
#[command(name = "mapjudge", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Flags that every command takes.
#[derive(clap::Args)]
struct Global {
    /// Say nothing on stderr but errors.
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Threads to use; 0 takes one per core. The result does not depend on it.
    #[arg(long, global = true, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// Seed of everything random; the same seed gives the same result.
    #[arg(long, global = true, default_value_t = mapjudge::DEFAULT_SEED, value_name = "N")]
    seed: u64,
}

#[derive(Subcommand)]
enum Command {
    /// The whole tool on data it makes itself; needs nothing.
    Demo(commands::demo::Demo),
    /// Score maps against their ground truth.
    Score(Box<commands::score::Score>),
    /// Judge trajectories against a truth, or against relations.
    Traj(Box<commands::traj::Traj>),
    /// Judge maps by barrels of known place; find barrels; draft a layout.
    Fiducials(Box<commands::fiducials::Fiducials>),
    /// Judge maps of one place against each other, without a ground truth.
    Consensus(commands::consensus::Consensus),
    /// Find the rooms of a map.
    Rooms(commands::rooms::Rooms),
    /// Find how a map lies on the truth, and how sure that is.
    Align(Box<commands::align::Align>),
    /// Whether a map is of use for getting from A to B.
    Paths(Box<commands::paths::Paths>),
    /// The graph of a map's free space: junctions, ways, cycles.
    Graph(Box<commands::graph::Graph>),
    /// Junctions and doorways of a ground truth, and how many a map or a path has.
    Portals(Box<commands::portals::Portals>),
    /// Make arenas with their ground truth, from a plan or from a seed.
    Arena(commands::arena::ArenaCommand),
    /// Drive a simulated robot through an arena; its log and the truth are written.
    Simulate(Box<commands::simulate::Simulate>),
    /// Judge a contest: ranking, score sheets, certainty of the order, appeal bundles.
    Contest(Box<commands::contest::Contest>),
    /// Score labelled points by the rules of the rescue league.
    Points(Box<commands::points::Points>),
    /// Two maps of one place side by side, such as simulated and real.
    Compare(Box<commands::compare::Compare>),
    /// Say what files are: kind, size, layers, counts, time range, findings.
    Info(commands::info::Info),
    /// Say what is wrong with files before anyone scores them; repair what leaves no doubt.
    Lint(commands::lint::Lint),
    /// Write a file in another format.
    Convert(commands::convert::Convert),
    /// Let robots explore a place.
    Explore(Box<commands::explore::Explore>),
    /// Send a recorded message log over TCP, as the simulator would have sent it.
    Replay(Box<commands::replay::Replay>),
    /// Store what a USARSim server or a replay sends.
    Record(commands::record::Record),
    /// Serve a log to a team's program and judge the poses that it writes.
    Challenge(Box<commands::challenge::Challenge>),
    /// Make, check, filter and convert ground-truth relations.
    Relations(commands::relations::Relations),
    /// Propose ground-truth relations from scans, accept, check and export them.
    Truth(commands::truth::Truth),
    /// Make a map and a trajectory from scans and odometry.
    Map(Box<commands::map::Map>),
    /// Solve a pose graph.
    Optimize(commands::optimize::Optimize),
    /// List the metrics, or show the card of one.
    Metrics(commands::metrics::Metrics),
    /// Print the JSON Schema of the report.
    Schema(commands::schema::Schema),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = set_threads(cli.global.threads).and_then(|()| match &cli.command {
        Command::Demo(demo) => demo.run(cli.global.seed, cli.global.quiet),
        Command::Score(score) => score.run(cli.global.seed, cli.global.quiet),
        Command::Traj(traj) => traj.run(cli.global.seed, cli.global.quiet),
        Command::Fiducials(fiducials) => fiducials.run(cli.global.seed, cli.global.quiet),
        Command::Consensus(consensus) => consensus.run(cli.global.quiet),
        Command::Rooms(rooms) => rooms.run(cli.global.quiet),
        Command::Align(align) => align.run(cli.global.quiet),
        Command::Paths(paths) => paths.run(cli.global.seed, cli.global.quiet),
        Command::Graph(graph) => graph.run(cli.global.seed, cli.global.quiet),
        Command::Portals(portals) => portals.run(cli.global.seed),
        Command::Arena(arena) => arena.run(cli.global.seed, cli.global.quiet),
        Command::Simulate(simulate) => simulate.run(cli.global.seed, cli.global.quiet),
        Command::Contest(contest) => contest.run(cli.global.seed, cli.global.quiet),
        Command::Points(points) => points.run(cli.global.quiet),
        Command::Compare(compare) => compare.run(cli.global.seed, cli.global.quiet),
        Command::Info(info) => info.run(),
        Command::Lint(lint) => lint.run(cli.global.quiet),
        Command::Convert(convert) => convert.run(cli.global.quiet),
        Command::Explore(explore) => explore.run(cli.global.quiet),
        Command::Replay(replay) => replay.run(cli.global.quiet),
        Command::Record(record) => record.run(cli.global.quiet),
        Command::Challenge(challenge) => challenge.run(cli.global.seed, cli.global.quiet),
        Command::Relations(relations) => relations.run(cli.global.seed, cli.global.quiet),
        Command::Truth(truth) => truth.run(cli.global.seed, cli.global.quiet),
        Command::Map(map) => map.run(cli.global.seed, cli.global.quiet),
        Command::Optimize(optimize) => optimize.run(cli.global.quiet),
        Command::Metrics(metrics) => metrics.run(),
        Command::Schema(schema) => schema.run(),
    });
    result.unwrap_or_else(|failure| failure.report())
}

fn set_threads(threads: usize) -> Result<(), Failure> {
    if threads == 0 {
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|error| Failure::new(format!("--threads {threads}: {error}")))
}
