//! `mapjudge history add DIR REPORT`: keep a report.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use mapjudge::Timestamp;
use mapjudge::files::HistoryFolder;

use crate::failure::Failure;
use crate::output::Answer;

/// Keep a JSON report.
#[derive(clap::Args)]
pub struct Add {
    /// The folder of the history; made if there is none.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A JSON report, as `--format json` prints it and --out writes it.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    /// What the report is about, such as a commit.
    #[arg(long)]
    label: Option<String>,
    /// When it was made, such as 2026-11-16T02:00:00Z [default: now].
    #[arg(long, value_name = "ISO", value_parser = parse_time)]
    time: Option<Timestamp>,
}

impl Add {
    pub fn run(&self) -> Result<Answer, Failure> {
        let time = self.time.map_or_else(now, Ok)?;
        let added = HistoryFolder::new(&self.folder).add(&self.report, time, self.label.as_deref())?;
        let words = if added.is_new { "added" } else { "was there already:" };
        Ok(Answer::notes(vec![format!("{words} {}", self.folder.join(added.entry).display())]))
    }
}

fn parse_time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "expected a time such as 2026-11-16T02:00:00Z".to_owned())
}

fn now() -> Result<Timestamp, Failure> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let time = since.and_then(|since| Timestamp::from_unix_s(since.as_secs()));
    time.ok_or_else(|| Failure::new("the clock of this machine is wrong").hint("give the time with --time"))
}
