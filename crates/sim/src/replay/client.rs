//! One client of a replay: a thread that sends lines by the schedule, and one that listens.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::listener::{Ears, Heard, Request, listen};
use super::server::Show;
use super::{Clock, Jitter, Repeat, Speed, Start};
use crate::seats::Seat;

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientEnd {
    /// It got everything.
    Finished,
    /// It went before the end.
    Left,
    /// It took nothing for too long.
    Dropped,
    /// The server was stopped.
    Stopped,
}

/// What became of a client.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClientReport {
    pub end: ClientEnd,
    /// Lines of the log that were sent.
    pub lines: usize,
    pub bytes: u64,
    /// Lines that answered questions.
    pub answers: usize,
    pub heard: Heard,
    /// How late lines were; none at speed max.
    pub jitter: Option<Jitter>,
}

/// Answers that may wait for a client that does not read; further ones are not given.
const MAX_WAITING: usize = 256;
/// Bytes that are sent at once where no clock holds them back.
const CHUNK_BYTES: usize = 1 << 16;

/// What the two threads of a client share.
#[derive(Default)]
struct Talk {
    has_init: bool,
    has_gone: bool,
    is_over: bool,
    answers: VecDeque<Vec<u8>>,
}

#[derive(Default)]
struct Shared {
    talk: Mutex<Talk>,
    changed: Condvar,
}

impl Shared {
    /// A panic of the other thread leaves plain flags behind, which are still right.
    fn lock(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Talk)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

/// Why sending ended before the last line.
enum Broken {
    Gone,
    TooSlow,
    Stopped,
}

/// Serves a client until the end of the log, or of its patience.
pub(super) fn serve(stream: &TcpStream, seat: &Seat, show: &Show<'_>) -> ClientReport {
    let shared = Shared::default();
    let mut ears = Ears::default();
    let mut sender =
        Sender { stream, seat, show, shared: &shared, lines: 0, bytes: 0, answers: 0, late_s: Vec::new() };
    let end = thread::scope(|scope| {
        let ears = &mut ears;
        scope.spawn(|| {
            listen(stream, ears, || shared.lock().is_over, |request| hear(request, show, &shared));
            shared.change(|talk| talk.has_gone = true);
        });
        let end = match sender.send_all() {
            Ok(()) => ClientEnd::Finished,
            Err(Broken::Gone) => ClientEnd::Left,
            Err(Broken::TooSlow) => ClientEnd::Dropped,
            Err(Broken::Stopped) => ClientEnd::Stopped,
        };
        part(stream, end, show, &shared);
        shared.change(|talk| talk.is_over = true);
        end
    });
    let Sender { lines, bytes, answers, late_s, .. } = sender;
    ClientReport { end, lines, bytes, answers, heard: ears.heard, jitter: Jitter::of(late_s) }
}

/// Closes a connection. What the client still sends must be read until it goes: unread bytes would make the system
/// throw away what it has not received yet.
fn part(stream: &TcpStream, end: ClientEnd, show: &Show<'_>, shared: &Shared) {
    const FAREWELL: Duration = Duration::from_secs(10);
    if end != ClientEnd::Finished {
        // It may be gone already, and then there is nothing to close.
        let _ = stream.shutdown(Shutdown::Both);
        return;
    }
    let _ = stream.shutdown(Shutdown::Write);
    let begun = Instant::now();
    let mut talk = shared.lock();
    while !talk.has_gone && begun.elapsed() < FAREWELL && !show.is_stopped() {
        let waited = shared.changed.wait_timeout(talk, Duration::from_millis(100));
        talk = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

fn hear(request: Request, show: &Show<'_>, shared: &Shared) {
    let answer = |lines: Vec<Vec<u8>>| {
        shared.change(|talk| {
            let room = MAX_WAITING.saturating_sub(talk.answers.len());
            talk.answers.extend(lines.into_iter().take(room));
        });
    };
    match request {
        Request::Init => shared.change(|talk| talk.has_init = true),
        Request::Answer { head, kind, name } => answer(show.answers(head, kind.as_deref(), name.as_deref())),
        Request::StartPoses => answer(show.start_poses()),
        Request::Ignored => show.note_ignored(),
    }
}

struct Sender<'a> {
    stream: &'a TcpStream,
    seat: &'a Seat,
    show: &'a Show<'a>,
    shared: &'a Shared,
    lines: usize,
    bytes: u64,
    answers: usize,
    late_s: Vec<f32>,
}

impl Sender<'_> {
    fn send_all(&mut self) -> Result<(), Broken> {
        // Greetings come first: some clients wait for them before they send INIT.
        let greeting = self.show.greeting();
        for line in greeting.clone() {
            self.send_line(line)?;
        }
        if self.show.options.start == Start::OnInit {
            self.wait_for_init()?;
        }
        let begun = self.show.begin();
        let mut first = greeting.end;
        if self.show.options.clock == Clock::Shared {
            first = first.max(self.show.first_line_after(begun.elapsed().as_secs_f64()));
        }
        self.send_from(first, begun)?;
        while self.show.options.repeat == Repeat::ForEver {
            self.send_from(self.show.part.start, Instant::now())?;
        }
        Ok(())
    }

    fn wait_for_init(&mut self) -> Result<(), Broken> {
        loop {
            self.wait(Duration::from_millis(100))?;
            let talk = self.shared.lock();
            if talk.has_init {
                return Ok(());
            }
            if talk.has_gone {
                return Err(Broken::Gone);
            }
        }
    }

    fn send_from(&mut self, first: usize, begun: Instant) -> Result<(), Broken> {
        match self.show.options.speed {
            Speed::Max => self.send_at_once(first),
            Speed::Times(speed) => self.send_by_clock(first, begun, speed),
        }
    }

    fn send_at_once(&mut self, first: usize) -> Result<(), Broken> {
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        for line in first..self.show.part.end {
            chunk.extend_from_slice(self.show.line(line));
            self.lines += 1;
            if chunk.len() >= CHUNK_BYTES {
                self.send_chunk(&mut chunk)?;
            }
        }
        self.send_chunk(&mut chunk)
    }

    fn send_chunk(&mut self, chunk: &mut Vec<u8>) -> Result<(), Broken> {
        if self.show.is_stopped() {
            return Err(Broken::Stopped);
        }
        self.send_answers()?;
        self.write(chunk)?;
        self.bytes += chunk.len() as u64;
        chunk.clear();
        Ok(())
    }

    fn send_by_clock(&mut self, first: usize, begun: Instant, speed: f64) -> Result<(), Broken> {
        for line in first..self.show.part.end {
            let due = Duration::from_secs_f64(self.show.offset_s(line) / speed);
            while let Some(left) = due.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) {
                // It is the log that is silent here, not the client.
                self.seat.note_life();
                self.wait(left.min(Duration::from_millis(100)))?;
            }
            self.send_answers()?;
            let late = begun.elapsed().saturating_sub(due);
            self.send_line(line)?;
            self.late_s.push(late.as_secs_f32());
        }
        Ok(())
    }

    fn send_line(&mut self, line: usize) -> Result<(), Broken> {
        if self.show.is_stopped() {
            return Err(Broken::Stopped);
        }
        let bytes = self.show.line(line);
        self.write(bytes)?;
        self.lines += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes all bytes. A client that does not read is waited for, unless the options limit that.
    fn write(&mut self, mut bytes: &[u8]) -> Result<(), Broken> {
        let mut stuck_since = Instant::now();
        while !bytes.is_empty() {
            match self.stream.write(bytes) {
                Ok(0) => return Err(Broken::Gone),
                Ok(written) => {
                    bytes = &bytes[written..];
                    self.seat.note_life();
                    stuck_since = Instant::now();
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        if self.show.is_stopped() {
                            return Err(Broken::Stopped);
                        }
                        let stuck_s = stuck_since.elapsed().as_secs_f64();
                        if self.show.options.drop_after_s.is_some_and(|limit_s| stuck_s >= limit_s) {
                            return Err(Broken::TooSlow);
                        }
                    }
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(Broken::Gone),
                },
            }
        }
        Ok(())
    }

    /// Waits for the time or for a question, and answers it.
    fn wait(&mut self, at_most: Duration) -> Result<(), Broken> {
        if self.show.is_stopped() {
            return Err(Broken::Stopped);
        }
        let talk = self.shared.lock();
        if talk.answers.is_empty() {
            let waited = self.shared.changed.wait_timeout(talk, at_most);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        } else {
            drop(talk);
        }
        self.send_answers()
    }

    fn send_answers(&mut self) -> Result<(), Broken> {
        let waiting = std::mem::take(&mut self.shared.lock().answers);
        for answer in waiting {
            self.write(&answer)?;
            self.answers += 1;
        }
        Ok(())
    }
}
