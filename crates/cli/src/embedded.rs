//! Commands inside of another program: it gives the words, and gets what the command would have printed.
//!
//! Nothing is printed, no signal is caught, no limit of the process is set, and threads are those of the pool from which it
//! is called.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::CommandFactory;
use mapjudge::files::{Job, Overwrite};
use mapjudge::{Figures, JobError, Stop, Verdict};
use serde_json::{Map, Value, json};

use crate::failure::{Failure, usage_failure};
use crate::format::Format;
use crate::invocation::{report_folder, within};
use crate::judged::Judged;
use crate::output::Output;
use crate::{Cli, Command, groups, parsed};

/// What a command gave.
pub struct Delivered {
    /// What it would have printed to stdout.
    pub text: String,
    /// What it would have printed to stderr.
    pub notes: Vec<String>,
    /// Decides the exit code.
    pub verdict: Verdict,
    /// The report as a page with figures, where that was asked for.
    pub page: Option<String>,
}

/// What is made of a report beside its JSON.
#[derive(Default)]
pub struct ReportFiles {
    /// Folder for report.json, report.html and the figures.
    pub out: Option<PathBuf>,
    /// Whether files may be replaced that are not of this run.
    pub overwrite: bool,
    /// Whether the page with figures is wanted as text.
    pub page: bool,
}

/// Carries out a command; the first word is the program.
///
/// # Errors
/// What the command would have said before exit code 2.
pub fn run(words: &[String], stop: Stop) -> Result<Delivered, Failure> {
    let words: Arc<[OsString]> = words.iter().map(OsString::from).collect();
    within(Arc::clone(&words), || {
        let Cli { mut global, command } = parsed(&words).map_err(|error| usage_failure(&error))?;
        refuse(&command)?;
        global.quiet = true;
        global.stop = stop;
        command.run(&global)?.hand_over()
    })
}

/// Commands that become another process, listen, or talk to a terminal.
fn refuse(command: &Command) -> Result<(), Failure> {
    let is_refused = match command {
        Command::Challenge(_) | Command::Replay(_) | Command::Record(_) | Command::Truth(_) => true,
        #[cfg(feature = "serve")]
        Command::Align(align) => align.is_by_hand(),
        #[cfg(feature = "serve")]
        Command::View(_) => true,
        _ => false,
    };
    if is_refused {
        let message = "this command runs as a program of its own only";
        return Err(Failure::argument(message).hint("start `mapjudge` as a process"));
    }
    Ok(())
}

/// Carries out a job, given by the keys of a job file; the text is that of `score --format json`.
///
/// # Errors
/// What `score` would have said before exit code 2.
pub fn judge(values: &Map<String, Value>, files: &ReportFiles, stop: Stop) -> Result<Delivered, Failure> {
    let mut job = Job::of_values(values).map_err(Failure::argument)?;
    let is_drawn = files.out.is_some() || files.page;
    job.plan.figures = if is_drawn { Figures::Draw } else { Figures::None };
    job.plan.stop = stop;
    let judged = Judged::from(mapjudge::files::evaluate(&job, &|_| ())?);
    if let Some(out) = &files.out {
        let overwrite = if files.overwrite { Overwrite::Allowed } else { Overwrite::Refused };
        let folder = within(words_of(&job), || report_folder(out, overwrite));
        judged.write(&folder)?;
        folder.finish()?;
    }
    let page = if files.page { Some(judged.render(Format::Html)?) } else { None };
    let notes = [judged.notes(Format::Json), judged.errors()].concat();
    Ok(Delivered { text: judged.render(Format::Json)?, notes, verdict: judged.verdict(), page })
}

/// The command line that would have named the same files: a folder of results remembers who made it.
fn words_of(job: &Job) -> Arc<[OsString]> {
    let inputs = &job.inputs;
    let files =
        inputs.maps.iter().chain(&inputs.truth).chain(&inputs.trajectories).chain(&inputs.truth_trajectory);
    let words = [OsString::from("mapjudge"), OsString::from("score")];
    words.into_iter().chain(files.map(OsString::from)).collect()
}

/// A report as text in one of its formats; figures are not part of its JSON.
///
/// # Errors
/// The text is no report, or the format does not exist.
pub fn render(report: &str, format: &str) -> Result<String, Failure> {
    let report: report::Report =
        serde_json::from_str(report).map_err(|error| Failure::argument(format!("no report: {error}")))?;
    let format: report::Format =
        format.parse().map_err(|error: report::FormatError| Failure::argument(error.to_string()))?;
    Ok(report::render(&report, format)?)
}

/// A report held against the rules of a limits file: its JSON with the results, and whether all held.
///
/// # Errors
/// The text is no report, or the rules are not valid.
pub fn hold(report: &str, limits: &str, path: &str) -> Result<(String, bool), Failure> {
    let mut report: report::Report =
        serde_json::from_str(report).map_err(|error| Failure::argument(format!("no report: {error}")))?;
    let limits = report::Limits::parse(limits)
        .map_err(|source| Failure::from(JobError::Limits { path: path.to_owned(), source }))?;
    report.limits = report::check(&report, &limits);
    let held = report.limits.iter().all(|limit| limit.held);
    Ok((report::render(&report, report::Format::Json)?, held))
}

/// Every command with its arguments, for programs that offer them under names of their own.
#[must_use]
pub fn commands() -> Value {
    let mut all = Vec::new();
    let mut root = groups::grouped(Cli::command());
    root.build();
    for command in root.get_subcommands() {
        describe(command, &mut Vec::new(), &mut all);
    }
    Value::Array(all)
}

fn describe(command: &clap::Command, path: &mut Vec<String>, all: &mut Vec<Value>) {
    path.push(command.get_name().to_owned());
    let arguments: Vec<Value> =
        command.get_arguments().filter(|arg| !arg.is_hide_set()).map(argument).collect();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    all.push(json!({"path": path, "about": about, "arguments": arguments}));
    for sub in command.get_subcommands() {
        describe(sub, path, all);
    }
    path.pop();
}

fn argument(arg: &clap::Arg) -> Value {
    let words: Vec<String> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    json!({
        "name": arg.get_long().unwrap_or_else(|| arg.get_id().as_str()),
        "positional": arg.is_positional(),
        "switch": !arg.get_action().takes_values() || arg.get_num_args().is_some_and(|range| range.max_values() == 0),
        "many": matches!(arg.get_action(), clap::ArgAction::Append) || arg.get_num_args().is_some_and(|range| range.max_values() > 1),
        "required": arg.is_required_set(),
        "value": arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string),
        "words": words,
        "help": arg.get_help().map(ToString::to_string).unwrap_or_default(),
    })
}
