//! `mapjudge challenge`: a log for a team's program, and its score.

use std::path::PathBuf;
use std::process::ExitCode;

use mapjudge::{Challenge as Job, TrajectoryJob, challenge, error_table};
use report::{Format, render};

use super::replay::ClockFlags;
use super::score::{parse_format, write_files};
use crate::output::{Failure, exit_code, note, print};
use crate::reading::ReadingFlags;

/// Serve a recorded log to a team's program, collect the poses that it writes, and judge them by relations.
///
/// The program runs in an empty folder with a cleared environment, and the relations are opened only after it ended.
/// A hostile program of the same user is not contained by that: run it as another user if you do not trust it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge challenge --log run.usar --relations truth.relations --command './team {host} {port} {out}' --out result
      the program connects, sends INIT, reads messages and writes lines `x y theta t` to {out};
      result/ gets its poses, table1.md, report.json, report.html and the plots
  mapjudge challenge --log run.usar --relations truth.relations --command 'python3 slam.py {host} {port} {out}' \\
      --speed max --timeout 600
      as fast as the program reads, at most ten minutes")]
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
    reading: ReadingFlags,
    /// How to print the report.
    #[arg(long, default_value = "table", value_name = "table|json|csv|md|latex|html|junit", value_parser = parse_format, help_heading = "Output")]
    format: Format,
    /// Folder for the poses, the table, the report and the plots.
    #[arg(long, value_name = "DIR", default_value = "challenge", help_heading = "Output")]
    out: PathBuf,
}

impl Challenge {
    pub fn run(&self, seed: u64, quiet: bool) -> Result<ExitCode, Failure> {
        let mut judging = TrajectoryJob { seed, ..TrajectoryJob::default() };
        self.reading.lay_over(&mut judging.read)?;
        let job = Job {
            log: self.log.clone(),
            relations: self.relations.clone(),
            command: self.command.clone(),
            replay: self.clock.options(),
            timeout_s: self.timeout,
            out: self.out.clone(),
            judging,
        };
        let say = |line: &str| {
            if !quiet {
                note(line);
            }
        };
        let challenged = challenge(&job, &say)?;
        say(&format!(
            "the program ran for {:.1} s and wrote {}",
            challenged.time_s,
            challenged.poses.display()
        ));
        let evaluation = &challenged.evaluation;
        write_files(&self.out, evaluation)?;
        let table = self.out.join("table1.md");
        std::fs::write(&table, error_table(evaluation))
            .map_err(|error| Failure::new(format!("{}: {error}", table.display())))?;
        let text = render(&evaluation.report, self.format, &evaluation.pictures);
        print(&text.map_err(|error| Failure::new(error.to_string()))?)?;
        Ok(exit_code(evaluation.verdict))
    }
}
