//! `mapjudge replay LOG`: a recorded message log over TCP.

use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use formats::usarsim::{DEFAULT_MAX_BAD_SHARE, MessageLog, read_message_log};
use mapjudge::JobError;
use mapjudge::files::write_log_page;
use sim::replay::{Clock, Repeat, ReplayOptions, ReplayReport, ReplayServer, Speed, Start, Until};

use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, note};

/// Send a recorded message log over TCP, as the simulator would have sent it.
///
/// Any number of clients are served.
///
/// Listens on the loopback address unless told otherwise. What clients send reaches no shell and no file.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge replay run.usar --port 3000
      each client gets the log from its beginning, at the speed of the recording, once it has sent INIT
  mapjudge replay run.usar --port 3000 --speed max --clients 16
      as fast as the clients read; ends after 16 clients
  mapjudge replay run.usar --page run.html
      no server: a page that plays the log, in one file
  mapjudge replay run.usar --port 3000 --shared --no-init --loop
      one clock for all, from now on and again and again")]
pub struct Replay {
    /// Message log, packed or not.
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Write a page that plays the log in a browser instead of sending it.
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    #[command(flatten)]
    force: ForceFlag,
    /// Port; 0 takes any that is free.
    #[arg(long, value_name = "P", default_value_t = 3000)]
    port: u16,
    /// Address to listen on; others than loopback open the log to the network.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    #[command(flatten)]
    clock: ClockFlags,
    #[command(flatten)]
    clients: ClientFlags,
    #[command(flatten)]
    format: FormatFlag,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Clock")]
pub struct ClockFlags {
    /// How many times as fast as recorded, or `max`: as fast as the client reads.
    #[arg(long, value_name = "S|max", default_value = "1", value_parser = parse_speed)]
    pub speed: Speed,
    /// Begin again at the end, until the client goes.
    #[arg(long = "loop")]
    repeat: bool,
    /// Seconds after the first time of the log to begin at.
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_negative_numbers = true)]
    from: f64,
    /// Seconds after the first time of the log to end at [default: its end].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    to: Option<f64>,
    /// One clock for all clients: who comes late has missed something.
    #[arg(long)]
    shared: bool,
    /// Begin at once instead of waiting for INIT.
    #[arg(long)]
    no_init: bool,
}

#[derive(clap::Args)]
#[command(next_help_heading = "Clients")]
struct ClientFlags {
    /// Drop a client that takes nothing for so long [default: wait for it].
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    drop_after: Option<f64>,
    /// End after so many clients [default: when none has been there for a while].
    #[arg(long, value_name = "N", conflicts_with = "keep_open", value_parser = crate::flags::count)]
    clients: Option<usize>,
    /// How long to wait for further clients after the last one.
    #[arg(long, value_name = "S", default_value_t = 3.0, allow_negative_numbers = true)]
    linger: f64,
    /// Do not end.
    #[arg(long)]
    keep_open: bool,
    /// Messages that answer GETGEO, GETCONF and GETSTARTPOSES [default: those of the log].
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Share of broken lines above which the log is refused.
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_MAX_BAD_SHARE, allow_negative_numbers = true)]
    max_bad: f64,
}

impl Replay {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if let Some(page) = &self.page {
            self.force.check(page)?;
            write_log_page(&self.log, page)?;
            return Ok(Answer::text(format!("{}\n", page.display())));
        }
        let log = read_message_log(&self.log, self.clients.max_bad).map_err(JobError::from)?;
        let answers = self.clients.answers.as_ref().map(|path| read_message_log(path, self.clients.max_bad));
        let answers = answers.transpose().map_err(JobError::from)?.unwrap_or_else(MessageLog::default);
        let address = SocketAddr::new(self.host, self.port);
        let server = ReplayServer::bind(address, log, answers, self.options()).map_err(JobError::from)?;
        let address = server.address().map_err(|error| Failure::new(error.to_string()))?;
        let say = |line: &str| {
            if !global.quiet {
                note(line);
            }
        };
        say(&format!("listening on {address}"));
        if !self.host.is_loopback() {
            note("warning: everybody who reaches this address can read the log");
        }
        let report = server.run(&AtomicBool::new(false), &say);
        Ok(self.format.answer(Printed::new(report, table)))
    }

    fn options(&self) -> ReplayOptions {
        let until = match self.clients.clients {
            Some(clients) => Until::Clients(clients),
            None if self.clients.keep_open => Until::Stopped,
            None => Until::Idle { linger_s: self.clients.linger },
        };
        ReplayOptions { drop_after_s: self.clients.drop_after, until, ..self.clock.options() }
    }
}

impl ClockFlags {
    /// The defaults with the flags over them.
    pub fn options(&self) -> ReplayOptions {
        ReplayOptions {
            speed: self.speed,
            from_s: self.from,
            to_s: self.to.unwrap_or(f64::INFINITY),
            clock: if self.shared { Clock::Shared } else { Clock::Own },
            start: if self.no_init { Start::AtOnce } else { Start::OnInit },
            repeat: if self.repeat { Repeat::ForEver } else { Repeat::Never },
            ..ReplayOptions::default()
        }
    }
}

fn parse_speed(text: &str) -> Result<Speed, String> {
    if text.eq_ignore_ascii_case("max") {
        return Ok(Speed::Max);
    }
    let speed = text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed > 0.0);
    speed.map(Speed::Times).ok_or_else(|| "expected a number above 0, or max".to_owned())
}

fn table(report: &ReplayReport) -> String {
    let mut text = format!(
        "{} lines, {} with time running backwards, {} broken ones left out, {} connections refused\n",
        report.lines, report.backwards, report.broken, report.refused
    );
    for (number, client) in report.clients.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "client {}: {:?}, {} lines, {} bytes, {} answers; it sent {} messages ({} ignored), {} broken and {} too long lines",
            number + 1,
            client.end,
            client.lines,
            client.bytes,
            client.answers,
            client.heard.messages,
            client.heard.ignored,
            client.heard.broken,
            client.heard.too_long
        );
        if let Some(jitter) = client.jitter {
            let _ = write!(
                text,
                "; late by {:.2} ms (mean), {:.2} ms (95 %), {:.2} ms (most)",
                jitter.mean_ms, jitter.p95_ms, jitter.max_ms
            );
        }
        text.push('\n');
    }
    text
}
