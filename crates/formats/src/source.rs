//! The bytes of a file, held in memory or read piece by piece.
//!
//! Large images are classified while they are read, so that their bytes never stand in memory as a whole;
//! that halves the memory of a map and saves the time of faulting it in.

use std::borrow::Cow;
use std::io::Read;

use crate::damage::Damage;
use crate::{MAX_FILE_BYTES, Place, ReadError};

/// Bytes read at first: enough to recognise a format and to read the header of an image.
pub(crate) const HEAD_BYTES: usize = 1 << 16;
/// Bytes per piece: they stay in the second-level cache while they are hashed and classified.
const PIECE_BYTES: usize = 1 << 18;

/// A file that is being read.
pub(crate) struct Source<'a> {
    name: Cow<'a, str>,
    /// The first bytes; all of them once `rest` is none.
    head: Cow<'a, [u8]>,
    rest: Option<Box<dyn Read + 'a>>,
    /// Length of the file; exact once `rest` is none, before that as the file system tells.
    bytes: u64,
    /// Where the decoder of a packed file notes its damage; the line in which it begins is left out then.
    damage: Option<Damage>,
}

impl<'a> Source<'a> {
    /// A file held in memory.
    pub fn of_bytes(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            name: Cow::Borrowed(name),
            head: Cow::Borrowed(bytes),
            rest: None,
            bytes: bytes.len() as u64,
            damage: None,
        }
    }

    /// A file of `bytes` bytes behind a reader.
    pub fn of_reader(name: String, bytes: u64, reader: Box<dyn Read + 'a>) -> Result<Self, ReadError> {
        let mut source = Self {
            name: Cow::Owned(name),
            head: Cow::Owned(Vec::new()),
            rest: Some(reader),
            bytes,
            damage: None,
        };
        source.fill(HEAD_BYTES as u64)?;
        Ok(source)
    }

    /// A packed file, which is read up to its damage, behind the reader of what it holds.
    pub fn of_damageable(
        name: String,
        reader: Box<dyn Read + 'a>,
        damage: Damage,
    ) -> Result<Self, ReadError> {
        let (head, rest) = (Cow::Owned(Vec::new()), Some(reader));
        let mut source = Self { name: Cow::Owned(name), head, rest, bytes: 0, damage: Some(damage) };
        source.fill(HEAD_BYTES as u64)?;
        Ok(source)
    }

    /// The name, the length as it was told, and a reader of all bytes.
    pub fn into_reader(self) -> (String, u64, Box<dyn Read + 'a>) {
        let head = std::io::Cursor::new(self.head);
        let reader: Box<dyn Read + 'a> = match self.rest {
            Some(rest) => Box::new(head.chain(rest)),
            None => Box::new(head),
        };
        (self.name.into_owned(), self.bytes, reader)
    }

    /// Name of the file, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes of the file.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Length of the file in bytes.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// True if [`Source::head`] is the whole file.
    pub const fn is_whole(&self) -> bool {
        self.rest.is_none()
    }

    /// The name and all bytes; reads what has not been read.
    pub fn whole(&mut self) -> Result<(&str, &[u8]), ReadError> {
        // What is read from the bytes must fit beside them.
        let max_bytes = MAX_FILE_BYTES.min(model::MemoryLimit::current().bytes() / 2);
        if self.bytes > max_bytes {
            return Err(too_large(&self.name, max_bytes, self.bytes));
        }
        self.fill(max_bytes + 1)?;
        if self.rest.is_some() {
            return Err(too_large(&self.name, max_bytes, self.head.len() as u64));
        }
        Ok((&self.name, &self.head))
    }

    /// Shows the bytes from `start`, which lies in the head, to the end of the file, piece by piece.
    pub fn stream(&mut self, start: usize, each: &mut dyn FnMut(&[u8])) -> Result<(), ReadError> {
        if let Some(damage) = self.damage.clone().filter(|_| self.rest.is_some()) {
            return self.stream_to_damage(&damage, start, each);
        }
        each(&self.head[start..]);
        let Some(mut rest) = self.rest.take() else { return Ok(()) };
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            let read = rest.read(&mut piece).map_err(|error| unreadable(&self.name, &error))?;
            if read == 0 {
                return Ok(());
            }
            each(&piece[..read]);
        }
    }

    /// As [`Source::stream`]; the last line is held back until the next one begins, and left out if damage ends it.
    fn stream_to_damage(
        &mut self,
        damage: &Damage,
        start: usize,
        each: &mut dyn FnMut(&[u8]),
    ) -> Result<(), ReadError> {
        let mut held = self.head[start..].to_vec();
        let Some(mut rest) = self.rest.take() else { return Ok(()) };
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            let read = rest.read(&mut piece).map_err(|error| unreadable(&self.name, &error))?;
            if read == 0 {
                if damage.found().is_some() {
                    leave_out_begun_line(&mut held);
                }
                each(&held);
                return Ok(());
            }
            if piece[..read].contains(&b'\n') || held.len() > MAX_HELD_BYTES {
                each(&held);
                held.clear();
            }
            held.extend_from_slice(&piece[..read]);
        }
    }

    /// All bytes in order, as a reader. It can be taken once.
    #[cfg(feature = "bags")]
    pub fn reader(&mut self) -> Box<dyn Read + '_> {
        match self.rest.take() {
            Some(rest) => Box::new(std::io::BufReader::with_capacity(PIECE_BYTES, self.head.chain(rest))),
            None => Box::new(&*self.head),
        }
    }

    /// Reads until the head has `wanted` bytes or the file ends.
    fn fill(&mut self, wanted: u64) -> Result<(), ReadError> {
        let Some(rest) = &mut self.rest else { return Ok(()) };
        let head = self.head.to_mut();
        let missing = wanted.saturating_sub(head.len() as u64);
        let expected = self.bytes.saturating_sub(head.len() as u64).min(missing);
        head.reserve(usize::try_from(expected).unwrap_or(0));
        let read = rest.take(missing).read_to_end(head).map_err(|error| unreadable(&self.name, &error))?;
        // The file may have grown or shrunk since its length was asked for.
        self.bytes = self.bytes.max(head.len() as u64);
        if (read as u64) < missing {
            self.rest = None;
            if self.damage.as_ref().is_some_and(|damage| damage.found().is_some()) {
                leave_out_begun_line(head);
            }
            self.bytes = head.len() as u64;
        }
        Ok(())
    }
}

/// A longer line is no line.
const MAX_HELD_BYTES: usize = 1 << 20;

/// Cuts off what stands behind the last end of a line.
fn leave_out_begun_line(bytes: &mut Vec<u8>) {
    if let Some(end) = memchr::memrchr(b'\n', bytes) {
        bytes.truncate(end + 1);
    }
}

/// The error of a file that the operating system does not give.
pub(crate) fn unreadable(file: &str, error: &std::io::Error) -> ReadError {
    let found = error.to_string();
    match error.kind() {
        std::io::ErrorKind::FileTooLarge => {
            return ReadError::too_large(file, Place::File, found, "more");
        }
        std::io::ErrorKind::InvalidData => {
            return ReadError::malformed(file, Place::File, "whole packed data", found)
                .with_hint("the file was cut off or damaged, perhaps while it was copied; fetch it again");
        }
        _ => {}
    }
    let hint = match error.kind() {
        std::io::ErrorKind::NotFound => "check the path; relative paths start at the current folder",
        std::io::ErrorKind::PermissionDenied => "check the permissions of the file",
        _ => "check that the file can be opened",
    };
    ReadError::Open { file: file.to_owned(), found, hint: Some(hint.to_owned()) }
}

/// The error of a file that is too long to be held in memory.
fn too_large(file: &str, max_bytes: u64, found_bytes: u64) -> ReadError {
    let expected = format!("at most {max_bytes} bytes");
    let found = format!("{found_bytes} bytes");
    ReadError::too_large(file, Place::File, expected, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_reader(content: &[u8]) -> Source<'_> {
        Source::of_reader("f".to_owned(), content.len() as u64, Box::new(content)).unwrap()
    }

    #[test]
    fn pieces_and_the_whole_are_the_same_bytes() {
        let content: Vec<u8> = (0..HEAD_BYTES + 3 * PIECE_BYTES / 2).map(|i| (i % 251) as u8).collect();
        let mut source = of_reader(&content);
        assert_eq!((source.is_whole(), source.head().len()), (false, HEAD_BYTES));
        let mut streamed = Vec::new();
        source.stream(5, &mut |piece| streamed.extend_from_slice(piece)).unwrap();
        assert_eq!(streamed, content[5..]);
        let mut source = of_reader(&content);
        assert_eq!(source.whole().unwrap().1, content);
        assert!(source.is_whole());
    }

    #[test]
    fn a_small_file_is_whole_at_once() {
        for length in [0, 1, HEAD_BYTES - 1] {
            assert!(of_reader(&vec![0; length]).is_whole(), "{length}");
        }
    }

    #[test]
    fn the_length_follows_a_file_that_changes_while_it_is_read() {
        let content = vec![0; 10];
        for told in [0, 5, 20] {
            let source = Source::of_reader("f".to_owned(), told, Box::new(content.as_slice())).unwrap();
            assert_eq!(source.bytes(), 10);
        }
    }
}
