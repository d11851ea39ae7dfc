//! `mapjudge record`: stores what a USARSim server sends.

use std::path::PathBuf;

use mapjudge::JobError;
use mapjudge::files::Recording;
use sim::replay::{Init, Reception, RecordOptions, address_of, record};

use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::output::Answer;
use crate::progress::Progress;
use crate::stopping::asked_to_stop;

/// Store what a USARSim server or a replay sends.
///
/// Every message is stored byte for byte, until the server closes the connection or Ctrl-C ends the recording. Until
/// then the bytes are in LOG.part, and a file that --force replaces is still there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge record --from tcp://127.0.0.1:3000 --out run.usar
      sends INIT and stores what comes
  mapjudge record --from 127.0.0.1:3000 --out run.usar --receive-times --duration 60
      for a minute, with the time of reception before each line")]
pub struct Record {
    /// Server: tcp://HOST:PORT or HOST:PORT.
    #[arg(long, value_name = "ADDRESS")]
    from: String,
    /// File to write.
    #[arg(long, value_name = "LOG")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceFlag,
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
    #[arg(long, alias = "seconds", value_name = "S", allow_negative_numbers = true)]
    duration: Option<f64>,
    /// For so long a server that is not there yet is tried.
    #[arg(long, value_name = "S", default_value_t = 5.0, allow_negative_numbers = true)]
    wait: f64,
}

impl Record {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        self.force.check(&self.out)?;
        let address = address_of(&self.from).map_err(JobError::from)?;
        let robot = Init::Robot { class: self.class.clone(), name: self.name.clone() };
        let options = RecordOptions {
            init: if self.no_init { Init::Silent } else { robot },
            reception: if self.receive_times { Reception::Timed } else { Reception::Untimed },
            max_time_s: self.duration.unwrap_or(f64::INFINITY),
            patience_s: self.wait,
        };
        let path = self.out.display().to_string();
        let bar = Progress::spinner(global.quiet);
        let progress = |bytes: u64| bar.set_message(format!("{bytes} bytes recorded (Ctrl-C ends)"));
        let mut out = Recording::new(&self.out);
        let recorded = record(&address, &mut out, &options, &*asked_to_stop()?, &progress);
        let recorded = recorded.map_err(|error| {
            let kept = out.part().map(|part| format!("what came is kept in {}", part.display()));
            let failure = Failure::from(JobError::from(error));
            kept.into_iter().fold(failure, Failure::hint)
        })?;
        out.finish()?;
        Ok(Answer::text(format!(
            "{path}: {} lines, {} bytes in {:.1} s\n",
            recorded.lines, recorded.bytes, recorded.time_s
        )))
    }
}

/// A word that stays one segment of a message.
fn parse_word(text: &str) -> Result<String, String> {
    let is_right =
        !text.is_empty() && !text.contains(|letter: char| "{}".contains(letter) || letter.is_control());
    if is_right { Ok(text.to_owned()) } else { Err("expected a word without braces".to_owned()) }
}
