//! The mapjudge command line: parses, calls the library, prints. It computes no score itself.
//!
//! Exit codes: 0 fine; 1 a limit or baseline was missed; 2 could not compute; 3 a metric asked for by name is
//! undefined. Results go to stdout, everything else to stderr.

#![allow(clippy::result_large_err, reason = "a program fails once, and its message is not small")]

mod commands;
pub mod embedded;
mod failure;
mod flags;
mod format;
mod groups;
mod hints;
mod invocation;
mod judged;
mod output;
#[cfg(feature = "serve")]
mod pages;
mod program;
mod progress;
mod secluded;
mod stopping;
mod terminal;
mod word;
mod wrong_kind;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::failure::{Failure, report_usage, wants_json};
use crate::output::Answer;

pub use crate::failure::Failure as CommandFailure;
pub use crate::program::start_again_by;

/// Judges maps made by mobile robots.
///
/// Exit codes: 0 fine; 1 computed, but a limit or the baseline was missed; 2 could not compute; 3 computed, but a
/// metric asked for by name is undefined. Results go to stdout, everything else to stderr.
#[derive(Parser)]
#[command(
    name = "mapjudge",
    bin_name = "mapjudge",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Flags that every command takes.
#[derive(clap::Args)]
pub struct Global {
    /// Write nothing but errors to stderr.
    #[arg(long, short, global = true, help_heading = "Of every command")]
    quiet: bool,
    /// Threads to use; 0 takes one per core. The result does not depend on it.
    #[arg(
        long,
        global = true,
        default_value_t = 0,
        value_name = "N",
        value_parser = parse_threads,
        help_heading = "Of every command"
    )]
    threads: usize,
    /// Seed of everything random; the same seed gives the same result [default: 1].
    #[arg(long, global = true, value_name = "N", help_heading = "Of every command")]
    seed: Option<u64>,
    #[command(flatten)]
    limits: flags::LimitFlags,
    /// Set by the program that runs commands in its own process.
    #[arg(skip)]
    stop: mapjudge::Stop,
}

fn parse_threads(text: &str) -> Result<usize, String> {
    const MAX_THREADS: usize = 1024;
    let threads = text.parse().ok().filter(|threads| *threads <= MAX_THREADS);
    threads.ok_or_else(|| format!("expected a whole number from 0 to {MAX_THREADS}"))
}

impl Global {
    /// The seed, or the default one.
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(mapjudge::DEFAULT_SEED)
    }
}

#[derive(Subcommand)]
enum Command {
    Demo(commands::demo::Demo),
    Score(Box<commands::score::Score>),
    Traj(Box<commands::traj::Traj>),
    Features(Box<commands::features::Features>),
    Fiducials(Box<commands::fiducials::Fiducials>),
    Conform(Box<commands::conform::Conform>),
    Consensus(commands::consensus::Consensus),
    Rooms(commands::rooms::Rooms),
    Align(Box<commands::align::Align>),
    Paths(Box<commands::paths::Paths>),
    Graph(Box<commands::graph::Graph>),
    Portals(Box<commands::portals::Portals>),
    Arena(commands::arena::ArenaCommand),
    Simulate(Box<commands::simulate::Simulate>),
    Sonar(commands::sonar::Sonar),
    Contest(Box<commands::contest::Contest>),
    Damage(Box<commands::damage::Damage>),
    Lab(Box<commands::lab::Lab>),
    Points(Box<commands::points::Points>),
    Compare(Box<commands::compare::Compare>),
    History(commands::history::History),
    Info(commands::info::Info),
    Lint(commands::lint::Lint),
    Convert(commands::convert::Convert),
    Layers(commands::layers::Layers),
    Explore(Box<commands::explore::Explore>),
    Plan(Box<commands::plan::Plan>),
    Replay(Box<commands::replay::Replay>),
    Record(commands::record::Record),
    Challenge(Box<commands::challenge::Challenge>),
    Relations(commands::relations::Relations),
    Relocalize(Box<commands::relocalize::Relocalize>),
    Truth(commands::truth::Truth),
    #[cfg(feature = "serve")]
    Serve(Box<commands::serve::Serve>),
    #[cfg(feature = "serve")]
    View(commands::view::View),
    #[cfg(feature = "serve")]
    Worker(commands::worker::Worker),
    #[cfg(feature = "serve")]
    #[command(hide = true)]
    JudgeChild(commands::judge_child::JudgeChild),
    Map(Box<commands::map::Map>),
    Merge(commands::merge::Merge),
    Optimize(commands::optimize::Optimize),
    Metrics(commands::metrics::Metrics),
    Schema(commands::schema::Schema),
    Completions(commands::completions::Completions),
    Help(commands::help::Help),
}

impl Command {
    fn run(&self, global: &Global) -> Result<Answer, Failure> {
        match self {
            Self::Demo(command) => command.run(global),
            Self::Score(command) => command.run(global),
            Self::Traj(command) => command.run(global),
            Self::Features(command) => command.run(global),
            Self::Fiducials(command) => command.run(global),
            Self::Conform(command) => command.run(global),
            Self::Consensus(command) => command.run(global),
            Self::Rooms(command) => command.run(global),
            Self::Align(command) => command.run(global),
            Self::Paths(command) => command.run(global),
            Self::Graph(command) => command.run(global),
            Self::Portals(command) => command.run(global),
            Self::Arena(command) => command.run(global),
            Self::Simulate(command) => command.run(global),
            Self::Sonar(command) => command.run(global),
            Self::Contest(command) => command.run(global),
            Self::Damage(command) => command.run(global),
            Self::Lab(command) => command.run(global),
            Self::Points(command) => command.run(global),
            Self::Compare(command) => command.run(global),
            Self::History(command) => command.run(global),
            Self::Info(command) => command.run(global),
            Self::Lint(command) => command.run(global),
            Self::Convert(command) => command.run(global),
            Self::Layers(command) => command.run(global),
            Self::Explore(command) => command.run(global),
            Self::Plan(command) => command.run(global),
            Self::Replay(command) => command.run(global),
            Self::Record(command) => command.run(global),
            Self::Challenge(command) => command.run(global),
            Self::Relations(command) => command.run(global),
            Self::Relocalize(command) => command.run(global),
            Self::Truth(command) => command.run(global),
            #[cfg(feature = "serve")]
            Self::Serve(command) => command.run(global),
            #[cfg(feature = "serve")]
            Self::View(command) => command.run(global),
            #[cfg(feature = "serve")]
            Self::Worker(command) => command.run(global),
            #[cfg(feature = "serve")]
            Self::JudgeChild(command) => command.run(global),
            Self::Map(command) => command.run(global),
            Self::Merge(command) => command.run(global),
            Self::Optimize(command) => command.run(global),
            Self::Metrics(command) => command.run(global),
            Self::Schema(command) => command.run(global),
            Self::Completions(command) => command.run(global),
            Self::Help(command) => command.run(global),
        }
    }
}

/// Runs the command that the arguments of this process name, and prints its result.
pub fn main() -> ExitCode {
    main_of(std::env::args_os().collect())
}

/// Runs the command that these words name, the first of which is the program, and prints its result. For a process that
/// does nothing else: threads, signals and limits of memory are set for the whole of it.
pub fn main_of(words: Vec<OsString>) -> ExitCode {
    invocation::begin(words);
    let arguments = invocation::texts();
    let as_json = wants_json(&arguments);
    let Cli { global, command } = match parsed(&invocation::arguments()) {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error, as_json),
    };
    global.limits.enforce_memory();
    // A contest gives its time to each submission.
    if !matches!(command, Command::Contest(_)) {
        global.limits.enforce_time(move |seconds| {
            let failure = Failure::of_time(seconds);
            let code = failure.report(as_json);
            std::process::exit(if code == ExitCode::from(2) { 2 } else { 1 });
        });
    }
    let answer = set_threads(global.threads).and_then(|()| command.run(&global));
    let delivered = answer.and_then(|answer| answer.deliver(global.quiet));
    delivered.unwrap_or_else(|failure| failure.of_arguments(&arguments).report(as_json))
}

fn parsed(words: &[OsString]) -> Result<Cli, clap::Error> {
    let matches = groups::grouped(Cli::command()).try_get_matches_from(words);
    matches.and_then(|matches| Cli::from_arg_matches(&matches))
}

fn set_threads(threads: usize) -> Result<(), Failure> {
    if threads == 0 {
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build_global().map_err(|error| Failure::new(format!("--threads {threads}: {error}")))
}
