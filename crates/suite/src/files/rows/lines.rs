//! The lines of a large file, one by one, each with a limit of its length.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::JobError;

/// A longer line is no manifest line and no row.
pub(super) const MAX_LINE_BYTES: u64 = 64 << 20;
const BUFFER_BYTES: usize = 1 << 18;

/// Reads lines of a file, and says where each begins.
pub(super) struct Lines {
    name: String,
    file: BufReader<File>,
    next: u64,
    number: u64,
}

/// Whether a line ended as lines do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// With a line feed.
    Whole,
    /// With the file: whoever wrote it was stopped.
    Cut,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineAt {
    /// Counted from 1.
    pub(super) number: u64,
    /// Of its first byte.
    pub(super) offset: u64,
    /// With its end.
    pub(super) bytes: u64,
    pub(super) end: LineEnd,
}

impl Lines {
    /// The lines of a regular file: a pipe can be read only once.
    pub(super) fn open(path: &Path) -> Result<Self, JobError> {
        let failed = |source| JobError::file(path, source);
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(std::io::Error::other("no regular file")));
        }
        Ok(Self::of(File::open(path).map_err(failed)?, path))
    }

    /// The lines of an open file from its place on, which is the beginning.
    pub(super) fn of(file: File, path: &Path) -> Self {
        let name = path.display().to_string();
        Self { name, file: BufReader::with_capacity(BUFFER_BYTES, file), next: 0, number: 0 }
    }

    /// The next line into `text`, without its end; none at the end of the file.
    pub(super) fn next_into(&mut self, text: &mut Vec<u8>) -> Result<Option<LineAt>, JobError> {
        text.clear();
        let mut limited = self.file.by_ref().take(MAX_LINE_BYTES + 1);
        let bytes =
            limited.read_until(b'\n', text).map_err(|source| JobError::file(&self.name, source))? as u64;
        if bytes == 0 {
            return Ok(None);
        }
        if bytes > MAX_LINE_BYTES {
            let message = format!("line {}: expected at most {MAX_LINE_BYTES} bytes", self.number + 1);
            let hint = "a line is one JSON object; look for a program that wrote no line ends";
            return Err(JobError::rows(&self.name, "LINE_TOO_LONG", message, hint));
        }
        let end = if text.last() == Some(&b'\n') { LineEnd::Whole } else { LineEnd::Cut };
        if end == LineEnd::Whole {
            text.pop();
        }
        let offset = self.next;
        self.next += bytes;
        self.number += 1;
        Ok(Some(LineAt { number: self.number, offset, bytes, end }))
    }
}
