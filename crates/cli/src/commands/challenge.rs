//! `mapjudge challenge`: a log for a team's program, and its score.

use std::path::PathBuf;

use mapjudge::files::Job;
use mapjudge::{Challenge as Task, challenge, error_table};

use super::replay::ClockFlags;
use crate::Global;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::format::{Format, FormatFlag, REPORT};
use crate::invocation::arguments;
use crate::judged::Judged;
use crate::output::{Answer, Output, finish, note};
use crate::secluded::seclude;

/// Serve a log to a team's program and judge the poses that it writes.
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
      as fast as the program reads, at most ten minutes"
)]
pub struct Challenge {
    /// Message log that is served.
    #[arg(long, value_name = "LOG")]
    log: PathBuf,
    /// True displacements; they must not change while the program runs.
    #[arg(long, value_name = "FILE")]
    relations: PathBuf,
    /// Program with its arguments; {host}, {port} and {out} are replaced. No shell is involved.
    #[arg(long, value_name = "CMD")]
    command: String,
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
        seclude(arguments())?;
        let folder = self.overwrite.results(&self.out);
        folder.check(&["poses.xyt", "table1.md", "report.json", "report.html"])?;
        let mut judging = Job { read: self.reading.options.clone(), ..Job::default() };
        judging.plan.ranking.seed = global.seed();
        let task = Task {
            log: self.log.clone(),
            relations: self.relations.clone(),
            command: self.command.clone(),
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
        say(&format!("the program ran for {:.1} s and wrote {}", done.time_s, done.poses.display()));
        folder.write("table1.md", error_table(&done.evaluation))?;
        let judged = Judged::from(done.evaluation);
        judged.write(&folder)?;
        finish(&folder, global.quiet)?;
        Ok(self.format.answer(judged))
    }
}
