//! A client that stores what a server sends (W-CLI).

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use formats::usarsim::Message;

use super::ReplayError;
use crate::line_splitter::LineSplitter;

/// Whether the client asks for a robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// It sends INIT with this class and name.
    Robot {
        /// Class, such as `USARBot.P3AT`.
        class: String,
        /// Name of the robot.
        name: String,
    },
    /// It only listens.
    Silent,
}

/// Whether lines get the time of their reception.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reception {
    /// Bytes are stored as they come.
    #[default]
    Untimed,
    /// Each line begins with `@seconds ` since the connection.
    Timed,
}

/// How a server is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOptions {
    /// Whether INIT is sent.
    pub init: Init,
    /// Whether lines get times.
    pub reception: Reception,
    /// The recording ends after so many seconds. Default when the server closes.
    pub max_time_s: f64,
    /// For so long a server that is not there yet is tried, seconds. Default 5.
    pub patience_s: f64,
}

impl Default for RecordOptions {
    fn default() -> Self {
        let init = Init::Robot { class: "USARBot.P3AT".to_owned(), name: "recorder".to_owned() };
        Self { init, reception: Reception::Untimed, max_time_s: f64::INFINITY, patience_s: 5.0 }
    }
}

/// What was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recorded {
    pub bytes: u64,
    /// Ends of lines that came.
    pub lines: u64,
    /// Seconds from the connection on.
    pub time_s: f64,
}

/// The host and port of `tcp://HOST:PORT` or `HOST:PORT`.
///
/// # Errors
/// It is no such address.
pub fn address_of(text: &str) -> Result<String, ReplayError> {
    let address = text.strip_prefix("tcp://").unwrap_or(text).trim_end_matches('/');
    let is_right = address
        .rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && !host.contains("//") && port.parse::<u16>().is_ok());
    if is_right { Ok(address.to_owned()) } else { Err(ReplayError::Address(text.to_owned())) }
}

/// Stores what a server sends until it closes the connection, the time is over or `stop` is set. `progress` is told
/// the number of bytes so far.
///
/// # Errors
/// Nobody listens there, or the bytes cannot be stored.
pub fn record(
    address: &str,
    out: &mut impl Write,
    options: &RecordOptions,
    stop: &AtomicBool,
    progress: &dyn Fn(u64),
) -> Result<Recorded, ReplayError> {
    let mut stream = connect(address, options.patience_s)?;
    if let Init::Robot { class, name } = &options.init {
        let init = Message::new("INIT").with("ClassName", class).with("Name", name);
        stream.write_all(format!("{init}\r\n").as_bytes())?;
    }
    stream.set_read_timeout(Some(Duration::from_millis(100)))?;
    let begun = Instant::now();
    let mut recorded = Recorded::default();
    let mut at_line_start = true;
    let mut piece = vec![0; 1 << 16];
    while !stop.load(Ordering::Relaxed) && begun.elapsed().as_secs_f64() < options.max_time_s {
        let read = match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) => match error.kind() {
                std::io::ErrorKind::WouldBlock
                | std::io::ErrorKind::TimedOut
                | std::io::ErrorKind::Interrupted => continue,
                // A server that is killed resets the connection; what came before is worth keeping.
                std::io::ErrorKind::ConnectionReset => break,
                _ => return Err(error.into()),
            },
        };
        let bytes = &piece[..read];
        recorded.bytes += read as u64;
        recorded.lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        match options.reception {
            Reception::Untimed => out.write_all(bytes)?,
            Reception::Timed => {
                write_timed(out, bytes, begun.elapsed().as_secs_f64(), &mut at_line_start)?;
            }
        }
        progress(recorded.bytes);
    }
    out.flush()?;
    recorded.time_s = begun.elapsed().as_secs_f64();
    Ok(recorded)
}

/// Shows each line that a server sends, as soon as it is whole, until it closes the connection, the time is over or `stop`
/// is set; none stands for a line of more than 1 MiB.
///
/// # Errors
/// Nobody listens there, or the connection fails.
pub fn receive_lines(
    address: &str,
    options: &RecordOptions,
    stop: &AtomicBool,
    each: &mut dyn FnMut(Option<&[u8]>),
) -> Result<Recorded, ReplayError> {
    let mut lines = Lines { splitter: LineSplitter::default(), each };
    let recorded = record(address, &mut lines, options, stop, &|_| {})?;
    if lines.splitter.has_begun() || lines.splitter.is_too_long() {
        let rest = lines.splitter.rest();
        (lines.each)(rest.as_deref());
    }
    Ok(recorded)
}

/// Takes bytes as a file would, and shows their lines.
struct Lines<'a> {
    splitter: LineSplitter,
    each: &'a mut dyn FnMut(Option<&[u8]>),
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.splitter.take(bytes, |line| (self.each)(line));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn write_timed(
    out: &mut impl Write,
    bytes: &[u8],
    time_s: f64,
    at_line_start: &mut bool,
) -> std::io::Result<()> {
    for part in bytes.split_inclusive(|byte| *byte == b'\n') {
        if *at_line_start {
            write!(out, "@{time_s:.6} ")?;
        }
        out.write_all(part)?;
        *at_line_start = part.ends_with(b"\n");
    }
    Ok(())
}

/// Connects; a server that is just starting is tried again.
fn connect(address: &str, patience_s: f64) -> Result<TcpStream, ReplayError> {
    let begun = Instant::now();
    loop {
        let found = address.to_socket_addrs().and_then(|addresses| {
            let mut last = std::io::Error::new(std::io::ErrorKind::NotFound, "no such host");
            for address in addresses {
                match TcpStream::connect_timeout(&address, Duration::from_secs(5)) {
                    Ok(stream) => return Ok(stream),
                    Err(error) => last = error,
                }
            }
            Err(last)
        });
        match found {
            Ok(stream) => return Ok(stream),
            Err(source) if begun.elapsed().as_secs_f64() >= patience_s => {
                return Err(ReplayError::Connect { address: address.to_owned(), source });
            }
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_and_without_a_scheme() {
        assert_eq!(address_of("tcp://127.0.0.1:3000").unwrap(), "127.0.0.1:3000");
        assert_eq!(address_of("localhost:3000/").unwrap(), "localhost:3000");
        for wrong in ["localhost", "http://a:80", "tcp://:80", "a:b", "a:70000", ""] {
            assert!(address_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lines_are_shown_when_they_are_whole_and_the_last_one_at_the_end() {
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap().to_string();
        let sender = std::thread::spawn(move || {
            let (mut client, _) = server.accept().unwrap();
            for piece in ["one\r\ntw", "o\nth", "ree"] {
                client.write_all(piece.as_bytes()).unwrap();
            }
        });
        let mut lines = Vec::new();
        let options = RecordOptions { init: Init::Silent, ..RecordOptions::default() };
        let mut each = |line: Option<&[u8]>| lines.push(line.unwrap().to_vec());
        receive_lines(&address, &options, &AtomicBool::new(false), &mut each).unwrap();
        sender.join().unwrap();
        assert_eq!(lines, [&b"one\r"[..], b"two", b"three"]);
    }

    #[test]
    fn times_stand_before_lines_only() {
        let (mut out, mut at_line_start) = (Vec::new(), true);
        write_timed(&mut out, b"a\nb", 1.5, &mut at_line_start).unwrap();
        write_timed(&mut out, b"c\n", 2.5, &mut at_line_start).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "@1.500000 a\n@1.500000 bc\n");
    }
}
