//! One connection of the live server: bytes in and out without ever waiting for either.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use formats::usarsim::Message;

use super::LiveReport;
use super::session::Session;
use crate::line_splitter::LineSplitter;
use crate::seats::Seat;

/// Above so many unsent bytes the robot's time stands still and the client is not listened to.
const MAX_PENDING_BYTES: usize = 1 << 18;
/// Bytes that are read at once.
const PIECE_BYTES: usize = 1 << 14;
/// Pause when there is nothing to do.
const PAUSE: Duration = Duration::from_millis(2);
/// Longest simulated time of one turn of the loop, seconds.
const MAX_TURN_S: f64 = 0.1;

/// Serves a client until it goes or the server stops.
pub(super) fn serve(
    stream: TcpStream,
    session: Session,
    speed: f64,
    began: Instant,
    seat: &Seat,
    stop: &AtomicBool,
) -> LiveReport {
    let mut connection = Connection {
        stream,
        session,
        report: LiveReport { clients: 1, ..LiveReport::default() },
        lines: LineSplitter::default(),
        pending: Vec::new(),
    };
    if connection.stream.set_nonblocking(true).is_err() {
        return connection.report;
    }
    // Small lines should not wait for each other; a system that cannot do that is only slower.
    let _ = connection.stream.set_nodelay(true);
    let greeting = connection.session.greeting();
    connection.send(&greeting);
    let mut last = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let now_s = began.elapsed().as_secs_f64() * speed;
        let Ok(has_read) = connection.read(now_s) else { break };
        let Ok(has_written) = connection.write() else { break };
        let turn_s = (last.elapsed().as_secs_f64() * speed).min(MAX_TURN_S);
        last = Instant::now();
        if connection.pending.len() < MAX_PENDING_BYTES {
            for message in connection.session.advance(turn_s) {
                connection.send(&message);
            }
        }
        if has_read || has_written {
            seat.note_life();
        } else {
            thread::sleep(PAUSE);
        }
    }
    connection.report.too_long += usize::from(connection.lines.is_too_long());
    connection.report.half_messages += usize::from(connection.lines.has_begun());
    connection.report.robots += usize::from(connection.session.has_robot());
    connection.report
}

/// The client has gone.
struct Gone;

struct Connection {
    stream: TcpStream,
    session: Session,
    report: LiveReport,
    lines: LineSplitter,
    /// Bytes that the client has not taken yet.
    pending: Vec<u8>,
}

impl Connection {
    fn send(&mut self, message: &Message) {
        self.pending.extend_from_slice(message.to_string().as_bytes());
        self.pending.extend_from_slice(b"\r\n");
        self.report.lines_sent += 1;
    }

    /// Takes what is there; whether there was anything.
    fn read(&mut self, now_s: f64) -> Result<bool, Gone> {
        if self.pending.len() >= MAX_PENDING_BYTES {
            return Ok(false);
        }
        let mut piece = [0; PIECE_BYTES];
        match self.stream.read(&mut piece) {
            Ok(0) => Err(Gone),
            Ok(count) => {
                self.hear(&piece[..count], now_s);
                Ok(true)
            }
            Err(error) if is_patience(error.kind()) => Ok(false),
            Err(_) => Err(Gone),
        }
    }

    fn hear(&mut self, bytes: &[u8], now_s: f64) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.take(bytes, |line| match line {
            None => self.report.too_long += 1,
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(line) => self.obey(line, now_s),
        });
        self.lines = lines;
    }

    fn obey(&mut self, line: &[u8], now_s: f64) {
        let Ok(message) = Message::parse(line) else {
            self.report.broken += 1;
            return;
        };
        match self.session.answer(&message, now_s) {
            Some(answers) => {
                self.report.messages += 1;
                answers.iter().for_each(|answer| self.send(answer));
            }
            None => self.report.ignored += 1,
        }
    }

    /// Gives what the client takes; whether it took anything.
    fn write(&mut self) -> Result<bool, Gone> {
        if self.pending.is_empty() {
            return Ok(false);
        }
        match self.stream.write(&self.pending) {
            Ok(0) => Err(Gone),
            Ok(count) => {
                self.pending.drain(..count);
                Ok(true)
            }
            Err(error) if is_patience(error.kind()) => Ok(false),
            Err(_) => Err(Gone),
        }
    }
}

fn is_patience(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
