//! `mapjudge challenge`: a log for a team's program, and its score.

use std::path::PathBuf;

use mapjudge::files::{Job, OutputFolder};
use mapjudge::{Challenge as Task, challenge, error_table};

use super::replay::ClockFlags;
use crate::Global;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, Output, note};

/// Serve a log to a team's program and judge the poses that it writes.
///
/// The program runs in an empty folder with a cleared environment, and the relations are opened only after it ended.
/// A hostile program of the same user is not contained by that: run it as another user if you do not trust it.
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
    /// True displacements; opened after the program ended.
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
}

impl Challenge {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let mut judging = Job { read: self.reading.options.clone(), ..Job::default() };
        judging.plan.ranking.seed = global.seed();
        let task = Task {
            log: self.log.clone(),
            relations: self.relations.clone(),
            command: self.command.clone(),
            replay: self.clock.options(),
            timeout_s: self.timeout,
            out: self.out.clone(),
            judging,
        };
        let say = |line: &str| {
            if !global.quiet {
                note(line);
            }
        };
        let done = challenge(&task, &say)?;
        say(&format!("the program ran for {:.1} s and wrote {}", done.time_s, done.poses.display()));
        let folder = OutputFolder::new(&self.out);
        folder.write("table1.md", error_table(&done.evaluation))?;
        let judged = Judged::from(done.evaluation);
        judged.write(&folder)?;
        Ok(self.format.answer(judged))
    }
}
