//! The messages of a client: lines of at most 1 MiB, of which INIT, GETGEO and GETCONF mean something to a replay.

use std::io::Read;
use std::net::TcpStream;
use std::time::Duration;

use formats::usarsim::Message;
use serde::Serialize;

use crate::line_splitter::LineSplitter;

/// How many lines of each kind a client sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Heard {
    /// Messages of any kind.
    pub messages: usize,
    /// DRIVE, SET, ACT and the like, which a replay cannot follow.
    pub ignored: usize,
    /// Lines that are no messages.
    pub broken: usize,
    /// Lines above 1 MiB, which were thrown away.
    pub too_long: usize,
    /// Whether the last line had no end.
    pub has_half_message: bool,
}

/// What a line asks of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Init,
    /// GETGEO or GETCONF: the head of the answer, and the type and name asked for.
    Answer {
        head: &'static str,
        kind: Option<String>,
        name: Option<String>,
    },
    StartPoses,
    /// Something that a replay cannot follow.
    Ignored,
}

/// The messages of a client, line by line.
#[derive(Default)]
pub(super) struct Ears {
    pub heard: Heard,
    lines: LineSplitter,
}

impl Ears {
    /// Takes bytes and shows what is asked for by the lines that are whole now.
    pub fn take(&mut self, bytes: &[u8], mut each: impl FnMut(Request)) {
        let heard = &mut self.heard;
        self.lines.take(bytes, |line| match line {
            Some(line) => each_request(line, heard, &mut each),
            None => heard.too_long += 1,
        });
    }

    /// Notes the end of the connection.
    pub fn finish(&mut self) {
        self.heard.too_long += usize::from(self.lines.is_too_long());
        self.heard.has_half_message = self.lines.has_begun();
    }
}

fn each_request(line: &[u8], heard: &mut Heard, each: &mut impl FnMut(Request)) {
    if line.trim_ascii().is_empty() {
        return;
    }
    let Ok(message) = Message::parse(line) else {
        heard.broken += 1;
        return;
    };
    heard.messages += 1;
    let request = request_of(&message);
    heard.ignored += usize::from(request == Request::Ignored);
    each(request);
}

fn request_of(message: &Message) -> Request {
    let field = |key: &str| message.field(key).map(str::to_owned);
    match message.head.to_ascii_uppercase().as_str() {
        "INIT" => Request::Init,
        "GETGEO" => Request::Answer { head: "GEO", kind: field("Type"), name: field("Name") },
        "GETCONF" => Request::Answer { head: "CONF", kind: field("Type"), name: field("Name") },
        "GETSTARTPOSES" => Request::StartPoses,
        _ => Request::Ignored,
    }
}

/// Listens until the client goes or `is_over` is true.
pub(super) fn listen(
    mut stream: &TcpStream,
    ears: &mut Ears,
    is_over: impl Fn() -> bool,
    mut each: impl FnMut(Request),
) {
    const PIECE_BYTES: usize = 1 << 16;
    const PATIENCE: Duration = Duration::from_millis(50);
    // Without a timeout the thread would outlive a client that never speaks.
    if stream.set_read_timeout(Some(PATIENCE)).is_err() {
        return;
    }
    let mut piece = vec![0; PIECE_BYTES];
    while !is_over() {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => ears.take(&piece[..read], &mut each),
            Err(error) => match error.kind() {
                std::io::ErrorKind::WouldBlock
                | std::io::ErrorKind::TimedOut
                | std::io::ErrorKind::Interrupted => {}
                _ => break,
            },
        }
    }
    ears.finish();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(pieces: &[&[u8]]) -> (Heard, Vec<Request>) {
        let (mut ears, mut requests) = (Ears::default(), Vec::new());
        for piece in pieces {
            ears.take(piece, |request| requests.push(request));
        }
        ears.finish();
        (ears.heard, requests)
    }

    #[test]
    fn lines_in_pieces_are_whole() {
        let (found, requests) = heard(&[
            b"INIT {ClassName USARBot.P3AT} {Na",
            b"me r}\r\nDRIVE {Left 1} {Right 1}\r\nGETGEO {Type INS}\n",
        ]);
        let geo = Request::Answer { head: "GEO", kind: Some("INS".to_owned()), name: None };
        assert_eq!(requests, [Request::Init, Request::Ignored, geo]);
        assert_eq!((found.messages, found.ignored, found.broken), (3, 1, 0));
    }

    #[test]
    fn garbage_long_lines_and_halves_are_counted() {
        let long = vec![b'x'; 10_000_000];
        let (found, requests) = heard(&[b"\xff\xfe{{\n\r\n", &long, b"\nINIT {a b}\nDRIVE {Le"]);
        assert_eq!(requests, [Request::Init]);
        assert_eq!((found.broken, found.too_long, found.has_half_message), (1, 1, true));
        assert_eq!(heard(&[&long]).0.too_long, 1, "a line that never ends");
    }
}
