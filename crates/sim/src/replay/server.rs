//! The replay server: accepts clients and shows each of them the log.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use formats::usarsim::{LogLine, Message, MessageLog};
use serde::Serialize;

use super::client::{ClientReport, serve};
use super::{ReplayError, ReplayOptions, Schedule, Speed, Start, Until};
use crate::seats::Seats;

/// Connections at a time, as in USARSim.
const MAX_CONNECTIONS: usize = 64;
/// How often the server looks for new clients.
const GLANCE: Duration = Duration::from_millis(5);

/// What became of a replay.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReplayReport {
    /// Lines of the part of the log that was replayed.
    pub lines: usize,
    /// Lines of the log whose time runs backwards; they are sent at once.
    pub backwards: usize,
    /// Broken lines of the log, which were left out.
    pub broken: usize,
    /// Connections beyond 64 at a time, which were refused.
    pub refused: usize,
    /// Clients in the order in which they ended.
    pub clients: Vec<ClientReport>,
}

/// A server that is bound to its address.
#[derive(Debug)]
pub struct ReplayServer {
    listener: TcpListener,
    log: MessageLog,
    answers: Vec<LogLine>,
    schedule: Schedule,
    part: Range<usize>,
    options: ReplayOptions,
}

impl ReplayServer {
    /// Binds to an address; port 0 takes any. Questions are answered from `answers` first, then from the log.
    ///
    /// # Errors
    /// Options that make no sense, no line in the part of the log, or an address that is taken.
    pub fn bind(
        address: SocketAddr,
        log: MessageLog,
        answers: MessageLog,
        options: ReplayOptions,
    ) -> Result<Self, ReplayError> {
        options.check()?;
        let schedule = Schedule::of(&log.times_s());
        let part = schedule.between(options.from_s, options.to_s);
        if part.is_empty() {
            return Err(ReplayError::Empty { from_s: options.from_s, to_s: options.to_s });
        }
        let bind = |source| ReplayError::Bind { address, source };
        let listener = TcpListener::bind(address).map_err(bind)?;
        listener.set_nonblocking(true).map_err(bind)?;
        Ok(Self { listener, log, answers: answers.lines, schedule, part, options })
    }

    /// The address with the port that was taken.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves clients until the options say it is enough, or `stop` is set. `note` is told what happens, in words.
    pub fn run(&self, stop: &AtomicBool, note: &(dyn Fn(&str) + Sync)) -> ReplayReport {
        let mut report = ReplayReport {
            lines: self.part.len(),
            backwards: self.schedule.backwards,
            broken: self.log.bad_count,
            ..ReplayReport::default()
        };
        let show = Show::new(self, stop, note);
        let ended = Mutex::new(Vec::new());
        let seats = Seats::new(MAX_CONNECTIONS);
        thread::scope(|scope| {
            let mut quiet_since = Instant::now();
            let is_enough = |quiet_since: Instant| {
                let served = ended.lock().unwrap_or_else(PoisonError::into_inner).len();
                match self.options.until {
                    _ if stop.load(Ordering::Relaxed) => true,
                    Until::Clients(clients) => served >= clients,
                    Until::Idle { linger_s } => served > 0 && quiet_since.elapsed().as_secs_f64() >= linger_s,
                    Until::Stopped => false,
                }
            };
            while !is_enough(quiet_since) {
                if seats.count() > 0 {
                    quiet_since = Instant::now();
                }
                let Ok((stream, peer)) = self.listener.accept() else {
                    thread::sleep(GLANCE);
                    continue;
                };
                quiet_since = Instant::now();
                let seat = prepare(&stream).ok().and_then(|()| seats.take(&stream));
                let Some(seat) = seat else {
                    report.refused += 1;
                    continue;
                };
                let (show, ended, seats) = (&show, &ended, &seats);
                scope.spawn(move || {
                    note(&format!("{peer} connected"));
                    let client = serve(&stream, &seat, show);
                    note(&format!("{peer} {:?} after {} lines", client.end, client.lines));
                    ended.lock().unwrap_or_else(PoisonError::into_inner).push(client);
                    seats.leave(&seat);
                });
            }
            show.stop_others();
        });
        report.clients = ended.into_inner().unwrap_or_else(PoisonError::into_inner);
        report
    }
}

/// Makes a connection wait for its client, but not without looking up from time to time.
fn prepare(stream: &TcpStream) -> std::io::Result<()> {
    const PATIENCE: Duration = Duration::from_millis(100);
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))
}

/// What all clients are shown.
pub(super) struct Show<'a> {
    pub options: &'a ReplayOptions,
    /// Lines that are sent.
    pub part: Range<usize>,
    server: &'a ReplayServer,
    stop: &'a AtomicBool,
    is_closing: AtomicBool,
    note: &'a (dyn Fn(&str) + Sync),
    has_noted: AtomicBool,
    /// When the shared clock began.
    began: Mutex<Option<Instant>>,
}

impl<'a> Show<'a> {
    fn new(server: &'a ReplayServer, stop: &'a AtomicBool, note: &'a (dyn Fn(&str) + Sync)) -> Self {
        let is_running = server.options.start == Start::AtOnce;
        Self {
            options: &server.options,
            part: server.part.clone(),
            server,
            stop,
            is_closing: AtomicBool::new(false),
            note,
            has_noted: AtomicBool::new(false),
            began: Mutex::new(is_running.then(Instant::now)),
        }
    }

    pub fn line(&self, line: usize) -> &[u8] {
        &self.server.log.lines[line].bytes
    }

    /// Seconds after the start of the part at which a line is due, at speed 1.
    pub fn offset_s(&self, line: usize) -> f64 {
        let offsets_s = &self.server.schedule.offsets_s;
        offsets_s[line] - offsets_s[self.part.start].max(self.options.from_s).min(offsets_s[line])
    }

    /// The first line that is due after so many seconds of the shared clock.
    pub fn first_line_after(&self, elapsed_s: f64) -> usize {
        let Speed::Times(speed) = self.options.speed else { return self.part.start };
        let mut lines = self.part.clone();
        lines.find(|&line| self.offset_s(line) / speed >= elapsed_s).unwrap_or(self.part.end)
    }

    /// The lines before the first that is not NFO.
    pub fn greeting(&self) -> Range<usize> {
        let mut lines = self.part.clone();
        let is_other = |&line: &usize| !self.server.log.lines[line].head.eq_ignore_ascii_case("NFO");
        self.part.start..lines.find(is_other).unwrap_or(self.part.end)
    }

    /// Starts the clock of a client; the shared one starts once.
    pub fn begin(&self) -> Instant {
        match self.options.clock {
            super::Clock::Own => Instant::now(),
            super::Clock::Shared => {
                let mut began = self.began.lock().unwrap_or_else(PoisonError::into_inner);
                *began.get_or_insert_with(Instant::now)
            }
        }
    }

    /// Recorded lines with this head; of several the ones of the type and name asked for.
    pub fn answers(&self, head: &str, kind: Option<&str>, name: Option<&str>) -> Vec<Vec<u8>> {
        let of = |lines: &[LogLine]| -> Vec<Vec<u8>> {
            let mut found: Vec<Vec<u8>> = Vec::new();
            for line in lines.iter().filter(|line| line.head.eq_ignore_ascii_case(head)) {
                let is_asked_for = Message::parse(&line.bytes).is_ok_and(|message| {
                    let is = |key: &str, wanted: Option<&str>| {
                        wanted.is_none_or(|wanted| {
                            message.field(key).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
                        })
                    };
                    is("Type", kind) && is("Name", name)
                });
                if is_asked_for && !found.contains(&line.bytes) {
                    found.push(line.bytes.clone());
                }
            }
            found
        };
        let given = of(&self.server.answers);
        if given.is_empty() { of(&self.server.log.lines) } else { given }
    }

    /// The recorded line that tells the start poses.
    pub fn start_poses(&self) -> Vec<Vec<u8>> {
        let lines = self.server.answers.iter().chain(&self.server.log.lines);
        let mut lines = lines.filter(|line| line.head.eq_ignore_ascii_case("NFO"));
        let has_poses = |line: &&LogLine| {
            Message::parse(&line.bytes).is_ok_and(|message| message.value("StartPoses").is_some())
        };
        lines.find(has_poses).map(|line| line.bytes.clone()).into_iter().collect()
    }

    /// Says once that commands are ignored.
    pub fn note_ignored(&self) {
        if !self.has_noted.swap(true, Ordering::Relaxed) {
            (self.note)(
                "a client sends commands (DRIVE, SET, ..): a replay cannot follow them, they are ignored",
            );
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_closing.load(Ordering::Relaxed)
    }

    fn stop_others(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }
}
