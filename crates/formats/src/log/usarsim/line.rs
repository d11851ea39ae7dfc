//! The lines of a message log as they were recorded, with their times: what a replay sends.

use std::path::Path;

use crate::log::usarsim::message::Message;
use crate::read::{with_bytes, with_input};
use crate::source::Source;
use crate::text::decimal;
use crate::text::lines::each_line_with_end;
use crate::{NamedBytes, Place, ReadError, ReadOptions};

#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// The bytes that were sent, with their own end of line; CR LF where the last line has none.
    pub bytes: Vec<u8>,
    /// The time that the message tells, seconds.
    pub time_s: Option<f64>,
    /// When it was received, where the log states it, seconds.
    pub received_s: Option<f64>,
    /// The head: SEN, NFO, GEO, ..
    pub head: String,
}

/// A message log as it was recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageLog {
    /// Lines in the order of the file; empty and broken ones are left out.
    pub lines: Vec<LogLine>,
    /// Numbers of broken lines, the first hundred of them.
    pub bad_lines: Vec<usize>,
    /// How many lines are broken.
    pub bad_count: usize,
}

/// The largest log that is held in memory: some fifty hours of a scanner with 181 beams at 10 Hz.
const MAX_LOG_BYTES: usize = 1 << 31;
/// Broken lines that are listed.
const LISTED: usize = 100;

impl MessageLog {
    /// The time of each line for a schedule: what the messages tell, or where none does, when they were received.
    #[must_use]
    pub fn times_s(&self) -> Vec<Option<f64>> {
        let is_timed = self.lines.iter().any(|line| line.time_s.is_some());
        let time = |line: &LogLine| if is_timed { line.time_s } else { line.received_s };
        self.lines.iter().map(time).collect()
    }
}

/// Reads a message log of a file, packed or not.
///
/// # Errors
/// The file cannot be read, has a line above the limit, more than this share of broken lines, or no message.
pub fn read_message_log(path: &Path, max_bad_share: f64) -> Result<MessageLog, ReadError> {
    Ok(with_input(path, |input| read_lines(&mut input.source, max_bad_share))?.0)
}

/// Reads a message log of bytes.
///
/// # Errors
/// As [`read_message_log`].
pub fn read_message_log_bytes(file: NamedBytes<'_>, max_bad_share: f64) -> Result<MessageLog, ReadError> {
    Ok(with_bytes(file, |input| read_lines(&mut input.source, max_bad_share))?.0)
}

fn read_lines(source: &mut Source<'_>, max_bad_share: f64) -> Result<MessageLog, ReadError> {
    ReadOptions { max_bad_share: Some(max_bad_share), ..ReadOptions::default() }.check()?;
    let mut log = MessageLog::default();
    let file = source.name().to_owned();
    let mut bytes = 0_usize;
    each_line_with_end(source, |number, text, end| {
        let (received_s, message) = split_reception(text);
        if message.trim_ascii().is_empty() {
            return Ok(());
        }
        bytes += text.len();
        if bytes > MAX_LOG_BYTES {
            let expected = format!("at most {MAX_LOG_BYTES} bytes of messages");
            return Err(ReadError::too_large(&file, Place::Line(number), expected, "more"));
        }
        match Message::parse(message) {
            Ok(parsed) => log.lines.push(LogLine {
                bytes: [message, if end.is_empty() { b"\r\n" } else { end }].concat(),
                // Parsing has checked the time.
                time_s: parsed.time_s().ok().flatten(),
                received_s,
                head: parsed.head,
            }),
            Err(_) => {
                log.bad_count += 1;
                if log.bad_lines.len() < LISTED {
                    log.bad_lines.push(number);
                }
            }
        }
        Ok(())
    })?;
    let lines = log.lines.len() + log.bad_count;
    if log.lines.is_empty() || log.bad_count as f64 > max_bad_share * lines as f64 {
        let expected = format!("messages, at most {} % of the lines broken", 100.0 * max_bad_share);
        let found = format!("{} broken of {lines} lines", log.bad_count);
        let place = log.bad_lines.first().map_or(Place::File, |line| Place::Line(*line));
        let error = ReadError::malformed(source.name(), place, expected, found);
        return Err(error.with_hint("a message is HEAD {Key value} {Key value}; see docs/replay.md"));
    }
    Ok(log)
}

/// The time of reception in front of a line, if there is one, and the message.
pub(super) fn split_reception(line: &[u8]) -> (Option<f64>, &[u8]) {
    let Some(marked) = line.strip_prefix(b"@") else { return (None, line) };
    let end = marked.iter().position(u8::is_ascii_whitespace).unwrap_or(marked.len());
    let (time, rest) = marked.split_at(end);
    match decimal::number(time).filter(|time_s| time_s.is_finite()) {
        Some(time_s) => (Some(time_s), rest.strip_prefix(b" ").unwrap_or(rest)),
        None => (None, line),
    }
}

/// Times of lines that are being read: own times, and what stands for a missing one.
#[derive(Default)]
pub(super) struct LineTimes {
    last_own_s: Option<f64>,
    first_own_s: Option<f64>,
    last_received_s: Option<f64>,
    /// Own time so far, and time of reception so far, per kept line.
    kept: Vec<(Option<f64>, Option<f64>)>,
}

impl LineTimes {
    /// Notes the time of a line that is not kept.
    pub fn pass(&mut self, own_s: Option<f64>) {
        self.last_own_s = own_s.or(self.last_own_s);
        self.first_own_s = self.first_own_s.or(own_s);
    }

    /// Notes the times of a line that is kept.
    pub fn push(&mut self, own_s: Option<f64>, received_s: Option<f64>) {
        self.pass(own_s);
        self.last_received_s = received_s.or(self.last_received_s);
        self.kept.push((self.last_own_s, self.last_received_s));
    }

    /// One time per kept line; none if nothing tells a time.
    pub fn settle(self) -> Option<Vec<f64>> {
        let first_received_s = self.kept.iter().find_map(|(_, received_s)| *received_s);
        let times_s = self.kept.into_iter().map(|(own_s, received_s)| match self.first_own_s {
            Some(first_s) => Some(own_s.unwrap_or(first_s)),
            None => received_s.or(first_received_s),
        });
        times_s.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str) -> Result<MessageLog, ReadError> {
        read_message_log_bytes(NamedBytes { name: "run.usar", bytes: text.as_bytes() }, 0.01)
    }

    #[test]
    fn bytes_are_kept_as_recorded() {
        let log = lines_of("@1.5 NFO {Level A}\r\nSEN {Time 2}  {Type  X}\n\nSTA {Battery 1}").unwrap();
        let bytes: Vec<_> = log.lines.iter().map(|line| line.bytes.escape_ascii().to_string()).collect();
        assert_eq!(bytes, ["NFO {Level A}\\r\\n", "SEN {Time 2}  {Type  X}\\n", "STA {Battery 1}\\r\\n"]);
        assert_eq!(log.times_s(), [None, Some(2.0), None]);
        assert_eq!((log.lines[0].received_s, log.lines[0].head.as_str()), (Some(1.5), "NFO"));
    }

    #[test]
    fn too_many_broken_lines_and_none_at_all_are_refused() {
        assert!(lines_of("").is_err());
        let error = lines_of("SEN {Time 1}\nSEN {\n").unwrap_err();
        assert!(error.to_string().starts_with("run.usar: line 2:"), "{error}");
        let many = format!("SEN {{\n{}", "SEN {Time 1}\n".repeat(99));
        assert_eq!(lines_of(&many).unwrap().bad_lines, [1]);
    }

    #[test]
    fn a_mark_without_a_number_is_no_time() {
        assert_eq!(split_reception(b"@soon SEN"), (None, &b"@soon SEN"[..]));
        assert_eq!(split_reception(b"@-1.5 SEN"), (Some(-1.5), &b"SEN"[..]));
    }
}
