//! Bytes taken in order from a bag or from one of its chunks, with the place of each for messages.
//!
//! Nothing is allocated on the word of a length field: buffers grow with the bytes that really come.

use std::io::{ErrorKind, Read};

use crate::source::unreadable;
use crate::{Place, ReadError};

/// The largest record that is held in memory: a message of a wanted topic, a connection, a schema.
pub(crate) const MAX_RECORD_BYTES: u64 = 128 << 20;

/// What the bytes come from.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    File,
    /// A chunk of it, compressed like this, whose record begins at that byte of the file.
    Chunk {
        at: u64,
        compression: &'a str,
    },
}

/// A reader that counts.
pub(crate) struct ByteStream<'a> {
    pub file: &'a str,
    reader: &'a mut dyn Read,
    origin: Origin<'a>,
    at: u64,
}

impl<'a> ByteStream<'a> {
    pub fn new(file: &'a str, reader: &'a mut dyn Read, origin: Origin<'a>) -> Self {
        Self { file, reader, origin, at: 0 }
    }

    /// Position of the next byte in the file or in the chunk.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Where the next byte is, for messages: for chunks the byte of the file at which the chunk begins.
    pub fn place(&self) -> Place {
        self.place_of(self.at)
    }

    fn place_of(&self, at: u64) -> Place {
        let at = match self.origin {
            Origin::File => at,
            Origin::Chunk { at, .. } => at,
        };
        Place::Byte(usize::try_from(at).unwrap_or(usize::MAX))
    }

    /// The error that something here breaks the format.
    pub fn malformed(&self, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        let within = match self.origin {
            Origin::File => String::new(),
            Origin::Chunk { .. } => format!(" (byte {} of the chunk)", self.at),
        };
        ReadError::malformed(self.file, self.place(), expected, found.into() + &within)
    }

    /// The next `N` bytes, or none at the end.
    pub fn next_array<const N: usize>(&mut self) -> Result<Option<[u8; N]>, ReadError> {
        let (mut array, mut filled) = ([0; N], 0);
        while filled < N {
            match self.reader.read(&mut array[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(self.truncated(N as u64, filled as u64)),
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.broken(&error)),
            }
        }
        self.at += N as u64;
        Ok(Some(array))
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        self.next_array()?.ok_or_else(|| self.truncated(N as u64, 0))
    }

    /// Replaces `buffer` by the next `bytes` bytes.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, bytes: u64, limit: u64) -> Result<(), ReadError> {
        buffer.clear();
        if bytes > limit {
            let error = self.malformed(format!("a record of at most {limit} bytes"), bytes.to_string());
            return Err(error.with_hint("the length is wrong, or the bag must be split before it is read"));
        }
        let read = self.reader.take(bytes).read_to_end(buffer);
        let read = read.map_err(|error| self.broken(&error))? as u64;
        self.passed(bytes, read)
    }

    /// Counts `bytes` bytes, of which `read` were there.
    fn passed(&mut self, bytes: u64, read: u64) -> Result<(), ReadError> {
        if read < bytes {
            return Err(self.truncated(bytes, read));
        }
        self.at += bytes;
        Ok(())
    }

    /// Skips the next bytes.
    pub fn skip(&mut self, bytes: u64) -> Result<(), ReadError> {
        let copied = std::io::copy(&mut self.reader.take(bytes), &mut std::io::sink());
        let read = copied.map_err(|error| self.broken(&error))?;
        self.passed(bytes, read)
    }

    /// Lends the reader for the next bytes, such as a chunk; what is left of them is skipped.
    pub fn within<T>(
        &mut self,
        bytes: u64,
        take: impl FnOnce(&mut dyn Read) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let mut part = self.reader.take(bytes);
        let taken = take(&mut part);
        let skipped = std::io::copy(&mut part, &mut std::io::sink());
        let missing = part.limit();
        if missing > 0 && skipped.is_ok() {
            // Whatever went wrong inside, it did so because the file ends.
            return Err(self.truncated(bytes, bytes - missing));
        }
        self.at += bytes;
        taken
    }

    fn truncated(&self, expected_bytes: u64, found_bytes: u64) -> ReadError {
        match self.origin {
            Origin::File => {
                let (file, place) = (self.file.to_owned(), self.place());
                ReadError::Truncated { file, place, expected_bytes, found_bytes }
            }
            // Only a file can be cut off; a chunk that is short contradicts itself.
            Origin::Chunk { .. } => {
                let found = format!("{found_bytes} bytes before the end of the chunk");
                self.malformed(format!("{expected_bytes} bytes"), found)
            }
        }
    }

    fn broken(&self, error: &std::io::Error) -> ReadError {
        match self.origin {
            Origin::File => unreadable(self.file, error),
            Origin::Chunk { compression, .. } => {
                self.malformed(format!("a chunk of intact {compression} data"), error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_told_from_the_middle_of_a_number() {
        let mut bytes = &[1, 0, 2][..];
        let mut stream = ByteStream::new("f", &mut bytes, Origin::File);
        assert_eq!(stream.next_array().unwrap(), Some([1, 0]));
        let error = stream.next_array::<2>().unwrap_err();
        assert_eq!(error.to_string(), "f: byte 2: expected 2 bytes, found 1");
        assert_eq!(stream.next_array::<2>().unwrap(), None);
    }

    #[test]
    fn lengths_are_not_believed() {
        let mut bytes = &[0; 10][..];
        let mut stream = ByteStream::new("f", &mut bytes, Origin::File);
        let mut buffer = Vec::new();
        let error = stream.fill(&mut buffer, u64::MAX, MAX_RECORD_BYTES).unwrap_err();
        assert!(error.to_string().contains("at most 134217728 bytes, found 18446744073709551615"), "{error}");
        assert!(stream.fill(&mut buffer, MAX_RECORD_BYTES, MAX_RECORD_BYTES).is_err());
        assert!(buffer.capacity() < 1 << 20, "{}", buffer.capacity());
    }

    #[test]
    fn a_part_is_left_at_its_end_and_cut_parts_are_told() {
        let mut bytes = &[1, 2, 3, 4, 5][..];
        let mut stream = ByteStream::new("f", &mut bytes, Origin::File);
        stream.within(3, |_| Ok(())).unwrap();
        assert_eq!((stream.at(), stream.array().unwrap()), (3, [4]));
        let error = stream.within(9, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "f: byte 4: expected 9 bytes, found 1");
    }
}
