//! What a worker tells the process that judges files of strangers, and what that hands back.
//!
//! The task lies in the scratch folder. The process writes parts to its stdout, each with a head of one line:
//!
//! ```text
//! {"part": "measured", "bytes": 1234}
//! <1234 bytes>
//! ..
//! {"part": "end", "bytes": 0}
//! ```
//!
//! So it needs no place to write to, and whoever reads knows every size before the bytes.

use std::io::{BufRead, Read, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Name of the task in the scratch folder.
pub const TASK_FILE: &str = "task.json";
/// Name of the folder of the contest in the scratch folder.
pub const CONTEST_FOLDER: &str = "contest";
/// Name of an archive in the scratch folder.
pub const ARCHIVE_FILE: &str = "archive.zip";
/// A longer head is none of ours.
const MAX_HEAD_BYTES: u64 = 64 << 10;
/// More parts are no result.
const MAX_PARTS: usize = 1000;
/// Bytes of all parts together.
const MAX_BYTES: u64 = 1 << 30;

/// What the process is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What to do.
    pub work: Work,
    /// Name of the contest file.
    pub contest: String,
}

/// What is to be done with the files of a stranger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Hand back the files of an archive.
    Unpack,
    /// Say what the linter says.
    Check,
    /// Measure, draw, and hand back cells and vector layers.
    Measure,
}

/// What a process may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildLimits {
    /// Address space, the truth included.
    pub max_memory_bytes: u64,
    /// Time on the clock; CPU time is limited by this for each thread.
    pub max_time: Duration,
    /// Threads that compute.
    pub threads: usize,
}

/// The kinds of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A file of an archive.
    File,
    /// What the linter says, JSON.
    Check,
    /// What was measured, JSON, without figures.
    Measured,
    /// A figure as a file.
    Figure,
    /// The cells of the map.
    Map,
    /// Shapes on the map, JSON.
    Layers,
    /// Nothing follows.
    End,
}

impl Part {
    const fn max_bytes(self) -> u64 {
        match self {
            Self::File => 256 << 20,
            Self::Check => 8 << 20,
            Self::Measured | Self::Layers | Self::Figure => 64 << 20,
            Self::Map => 512 << 20,
            Self::End => 0,
        }
    }
}

/// The head of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHead {
    /// Its kind.
    pub part: Part,
    /// Length.
    pub bytes: u64,
    /// Name of a file, or of a figure with its ending.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Title of a figure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What a figure shows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

impl PartHead {
    /// The head of a part without a name.
    #[must_use]
    pub const fn new(part: Part) -> Self {
        Self { part, bytes: 0, name: String::new(), title: String::new(), words: String::new() }
    }
}

/// Takes a part: its head and a reader of its bytes.
pub type TakePart<'a, E> = &'a mut dyn FnMut(&PartHead, &mut dyn Read) -> Result<(), E>;

/// Writes one part.
///
/// # Errors
/// Nobody listens any more.
pub fn write_part(out: &mut dyn Write, head: PartHead, bytes: &[u8]) -> std::io::Result<()> {
    let head = PartHead { bytes: bytes.len() as u64, ..head };
    serde_json::to_writer(&mut *out, &head)?;
    out.write_all(b"\n")?;
    out.write_all(bytes)
}

/// Reads parts until the end; `take` gets each with a reader of exactly its bytes, and need not read them all.
///
/// # Errors
/// It ends before its end, or hands back more than it may. In words, as the end of "the process ..".
pub fn read_parts(from: &mut dyn BufRead, take: TakePart<'_, String>) -> Result<(), String> {
    let mut left = MAX_BYTES;
    for _ in 0..MAX_PARTS {
        let head = head(from)?;
        if head.part == Part::End {
            return Ok(());
        }
        if head.bytes > head.part.max_bytes() || head.bytes > left {
            return Err(format!("handed back {} bytes as {:?}", head.bytes, head.part));
        }
        left -= head.bytes;
        let mut body = from.take(head.bytes);
        take(&head, &mut body)?;
        let rest = std::io::copy(&mut body, &mut std::io::sink());
        if rest.is_err() || body.limit() > 0 {
            return Err("ended within its answer".to_owned());
        }
    }
    Err(format!("handed back more than {MAX_PARTS} parts"))
}

fn head(from: &mut dyn BufRead) -> Result<PartHead, String> {
    let mut line = Vec::new();
    let read = from.take(MAX_HEAD_BYTES).read_until(b'\n', &mut line);
    if read.is_err() || line.pop() != Some(b'\n') {
        return Err("ended without an answer".to_owned());
    }
    serde_json::from_slice(&line).map_err(|error| format!("gave no answer: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(bytes: &[u8]) -> Result<Vec<(Part, Vec<u8>)>, String> {
        let mut found = Vec::new();
        read_parts(&mut &bytes[..], &mut |head, body| {
            let mut bytes = Vec::new();
            body.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            found.push((head.part, bytes));
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn parts_come_back_as_they_were_written() {
        let mut bytes = Vec::new();
        write_part(&mut bytes, PartHead::new(Part::Check), b"{}").unwrap();
        write_part(&mut bytes, PartHead { name: "ü\n\"".into(), ..PartHead::new(Part::File) }, b"\n\n")
            .unwrap();
        assert_eq!(parts(&bytes), Err("ended without an answer".to_owned()), "without an end");
        write_part(&mut bytes, PartHead::new(Part::End), b"").unwrap();
        assert_eq!(parts(&bytes).unwrap(), [(Part::Check, b"{}".to_vec()), (Part::File, b"\n\n".to_vec())]);
        for length in 0..bytes.len() {
            assert!(parts(&bytes[..length]).is_err(), "cut off at {length}");
        }
    }

    #[test]
    fn sizes_are_refused_before_their_bytes_are_read() {
        for (part, bytes) in [("check", 9_000_000_u64), ("map", u64::MAX), ("end", 1), ("file", 257 << 20)] {
            let text = format!("{{\"part\":\"{part}\",\"bytes\":{bytes}}}\n");
            let is_end = part == "end";
            assert_eq!(parts(text.as_bytes()).is_ok(), is_end, "{part}");
        }
        let many = "{\"part\":\"check\",\"bytes\":0}\n".repeat(MAX_PARTS + 1);
        assert!(parts(many.as_bytes()).unwrap_err().contains("more than"));
        let long = format!("{{\"part\":\"{}\"", "x".repeat(100_000));
        assert!(parts(long.as_bytes()).is_err());
    }
}
