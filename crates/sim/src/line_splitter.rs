//! Lines out of the bytes of a connection, of at most 1 MiB: a stranger may send one that never ends.

use formats::usarsim::MAX_LINE_BYTES;

/// The line that has begun.
#[derive(Debug, Default)]
pub(crate) struct LineSplitter {
    begun: Vec<u8>,
    is_skipping: bool,
}

impl LineSplitter {
    /// Takes bytes and shows the lines that are whole now; none for one that was too long and thrown away.
    pub(crate) fn take(&mut self, mut bytes: &[u8], mut each: impl FnMut(Option<&[u8]>)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.keep(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.begun);
            let is_too_long = std::mem::take(&mut self.is_skipping);
            each(Some(line.as_slice()).filter(|_| !is_too_long));
        }
        self.keep(bytes);
    }

    /// The line that has begun, where its end never comes; none for one that was too long.
    pub(crate) fn rest(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.begun);
        (!std::mem::take(&mut self.is_skipping)).then_some(line)
    }

    /// Whether a line has begun that has no end yet.
    pub(crate) const fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// Whether the line that has begun is too long already.
    pub(crate) const fn is_too_long(&self) -> bool {
        self.is_skipping
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.is_skipping || self.begun.len() + bytes.len() > MAX_LINE_BYTES {
            self.is_skipping = true;
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(bytes);
        }
    }
}
