//! `mapjudge record`: stores what a USARSim server sends.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use indicatif::ProgressBar;
use mapjudge::JobError;
use sim::replay::{Init, Reception, RecordOptions, address_of, record};

use crate::output::{Failure, print};

/// Connect to a USARSim server or a replay and store all messages that it sends, byte for byte, until it closes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge record --from tcp://127.0.0.1:3000 --out run.usar
      sends INIT and stores what comes
  mapjudge record --from 127.0.0.1:3000 --out run.usar --receive-times --seconds 60
      for a minute, with the time of reception before each line")]
pub struct Record {
    /// Server: tcp://HOST:PORT or HOST:PORT.
    #[arg(long, value_name = "ADDRESS")]
    from: String,
    /// File to write.
    #[arg(long, value_name = "LOG")]
    out: PathBuf,
    /// Class of the robot that INIT asks for.
    #[arg(long, value_name = "CLASS", default_value = "USARBot.P3AT", value_parser = parse_word)]
    class: String,
    /// Name of the robot that INIT asks for.
    #[arg(long, value_name = "NAME", default_value = "recorder", value_parser = parse_word)]
    name: String,
    /// Do not send INIT.
    #[arg(long)]
    no_init: bool,
    /// Begin each line with the time of its reception: @SECONDS.
    #[arg(long)]
    receive_times: bool,
    /// End after so many seconds [default: when the server closes].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// For so long a server that is not there yet is tried.
    #[arg(long, value_name = "S", default_value_t = 5.0, allow_negative_numbers = true)]
    wait: f64,
}

impl Record {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let address = address_of(&self.from).map_err(JobError::from)?;
        let init = if self.no_init {
            Init::Silent
        } else {
            Init::Robot { class: self.class.clone(), name: self.name.clone() }
        };
        let options = RecordOptions {
            init,
            reception: if self.receive_times { Reception::Timed } else { Reception::Untimed },
            max_time_s: self.seconds.unwrap_or(f64::INFINITY),
            patience_s: self.wait,
        };
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(format!("{}: {error}", self.out.display()))
                .hint("choose a file that can be written to")
        };
        let mut out = BufWriter::new(File::create(&self.out).map_err(|error| failed(&error))?);
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.enable_steady_tick(Duration::from_millis(200));
        let progress = |bytes: u64| bar.set_message(format!("{bytes} bytes"));
        let recorded = record(&address, &mut out, &options, &AtomicBool::new(false), &progress)
            .map_err(JobError::from)?;
        bar.finish_and_clear();
        print(&format!(
            "{}: {} lines, {} bytes in {:.1} s\n",
            self.out.display(),
            recorded.lines,
            recorded.bytes,
            recorded.time_s
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A word that stays one segment of a message.
fn parse_word(text: &str) -> Result<String, String> {
    let is_right =
        !text.is_empty() && !text.contains(|letter: char| "{}".contains(letter) || letter.is_control());
    if is_right { Ok(text.to_owned()) } else { Err("expected a word without braces".to_owned()) }
}
