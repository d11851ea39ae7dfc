//! `mapjudge challenge`: a log for a team's program, and its score.

use std::path::PathBuf;

use mapjudge::files::Job;
use mapjudge::{Challenge as Task, ONLY_TEAM, Team, challenge, error_table, relation_table};

use super::replay::ClockFlags;
use crate::Global;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::format::{Format, FormatFlag, REPORT};
use crate::invocation::arguments;
use crate::judged::Judged;
use crate::output::{Answer, Output, finish, note};
use crate::secluded::seclude;

/// Serve a log to the programs of teams and judge the poses that they write.
///
/// Several programs run one after the other, and none can read what another wrote; their table has all of them, and the
/// teams are ranked with intervals. A program that fails is told and left out, unless it is the only one.
///
/// The program runs in an empty folder, which is its HOME and TMPDIR; of the environment it gets PATH and LANG
/// alone. While it runs, neither the command line nor an open file of mapjudge tells where the relations are, and a
/// result with relations that changed meanwhile is refused. Everything that the program started ends with it. A hostile
/// program of the same user is not contained by that: run it as another user if you do not trust it.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(REPORT)),
    after_help = "\
Examples:
  mapjudge challenge --log run.usar --relations truth.relations --command './team {host} {port} {out}' --out result
      the program connects, sends INIT, reads messages and writes lines `x y theta t` to {out};
      result/ gets its poses, table1.md, report.json, report.html and the plots
  mapjudge challenge --log run.usar --relations truth.relations --command 'python3 slam.py {host} {port} {out}' \\
      --speed max --timeout 600
      as fast as the program reads, at most ten minutes
  mapjudge challenge --log run.usar --relations truth.relations --out result \\
      --command 'alpha=./alpha {host} {port} {out}' --command 'beta=./beta {host} {port} {out}'
      two teams in one table: result/table1.md, result/alpha.xyt, result/beta.xyt"
)]
pub struct Challenge {
    /// Message log that is served.
    #[arg(long, value_name = "LOG")]
    log: PathBuf,
    /// True displacements; they must not change while the program runs.
    #[arg(long, value_name = "FILE")]
    relations: PathBuf,
    /// Program with its arguments; {host}, {port} and {out} are replaced. No shell is involved. Given several times, each
    /// with the name of its team: NAME=CMD.
    #[arg(long = "command", value_name = "[NAME=]CMD", required = true)]
    commands: Vec<String>,
    /// End the program after so many seconds [default: the time of the log and 900 s].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    timeout: Option<f64>,
    #[command(flatten)]
    clock: ClockFlags,
    #[command(flatten)]
    reading: formats::LogReadOptions,
    #[command(flatten)]
    format: FormatFlag,
    /// Folder for the poses, the table, the report and the plots.
    #[arg(long, value_name = "DIR", default_value = "challenge", help_heading = "Output")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteFlag,
}

impl Challenge {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        seclude(&arguments())?;
        let folder = self.overwrite.results(&self.out);
        let teams = teams(&self.commands)?;
        let poses: Vec<String> = teams.iter().map(Team::poses_name).collect();
        let files = ["table1.md", "report.json", "report.html"];
        folder.check(&poses.iter().map(String::as_str).chain(files).collect::<Vec<_>>())?;
        let mut judging = Job { read: self.reading.options.clone(), ..Job::default() };
        judging.plan.ranking.seed = global.seed();
        let task = Task {
            log: self.log.clone(),
            relations: self.relations.clone(),
            teams,
            replay: self.clock.options(),
            timeout_s: self.timeout,
            out: folder.clone(),
            judging,
        };
        let say = |line: &str| {
            if !global.quiet {
                note(line);
            }
        };
        let done = challenge(&task, &say)?;
        for run in &done.runs {
            let whose = if run.team == ONLY_TEAM { String::new() } else { format!(" of {}", run.team) };
            match &run.failure {
                None => say(&format!("the program{whose} ran for {:.1} s", run.time_s)),
                Some(why) => note(&format!("warning: {} is left out: {why}", run.team)),
            }
        }
        folder.write("table1.md", error_table(&done.evaluation.report.cases))?;
        let mut judged = Judged::from(done.evaluation);
        judged.below_table = relation_table(&judged.report.cases);
        judged.write(&folder)?;
        finish(&folder, global.quiet)?;
        Ok(self.format.answer(judged))
    }
}

/// The teams of the command line. A name is made of letters, digits, `_` and `-`, since it names files.
fn teams(commands: &[String]) -> Result<Vec<Team>, Failure> {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    let mut teams: Vec<Team> = Vec::new();
    for text in commands {
        let named = text.split_once('=').filter(|(name, _)| is_name(name));
        let (name, command) = match named {
            Some((name, command)) => (name, command),
            None if commands.len() == 1 => (ONLY_TEAM, text.as_str()),
            None => {
                return Err(Failure::new(
                    "a --command without a name: expected NAME=CMD for each of several",
                ));
            }
        };
        if teams.iter().any(|team| team.name == name) {
            return Err(Failure::new(format!(
                "two programs of the team '{name}': expected one for each name"
            )));
        }
        teams.push(Team { name: name.to_owned(), command: command.to_owned() });
    }
    Ok(teams)
}
