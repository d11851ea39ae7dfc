//! Messages that a ROS 2 recorder packed one by one (`compression_mode: MESSAGE`), unpacked as they are read.
//!
//! `metadata.yaml` beside the bag states it, but the first bytes are enough: CDR begins with 0.

use std::io::Read;

use super::byte_stream::MAX_RECORD_BYTES;
use super::visitor::{BagChannel, BagMessage, Encoding, Visitor};

/// First bytes of Zstandard data.
const ZSTD_MAGIC: &[u8] = b"\x28\xB5\x2F\xFD";
/// Windows up to 64 MiB, as in GeoTIFF.
const MAX_WINDOW_LOG: u32 = 26;

/// Unpacks messages for a visitor. Those that cannot be unpacked are handed over as they are.
pub(super) struct Unpacking<'v> {
    visitor: &'v mut dyn Visitor,
    buffer: Vec<u8>,
    packed_bytes: u64,
    unpacked_bytes: u64,
}

/// What the packed messages of any bag may hold together, however short they are.
const FREE_BYTES: u64 = MAX_RECORD_BYTES;
/// Above that, unpacked bytes per packed byte.
const MAX_RATIO: u64 = 100;

impl<'v> Unpacking<'v> {
    pub fn new(visitor: &'v mut dyn Visitor) -> Self {
        Self { visitor, buffer: Vec::new(), packed_bytes: 0, unpacked_bytes: 0 }
    }

    /// Unpacks a message into the buffer, as far as all messages together are allowed to grow.
    fn unpack(&mut self, packed: &[u8]) -> std::io::Result<()> {
        self.packed_bytes = self.packed_bytes.saturating_add(packed.len() as u64);
        let allowed = FREE_BYTES.saturating_add(self.packed_bytes.saturating_mul(MAX_RATIO));
        let left = allowed.saturating_sub(self.unpacked_bytes).min(MAX_RECORD_BYTES);
        let result = unpack(packed, &mut self.buffer, left);
        self.unpacked_bytes = self.unpacked_bytes.saturating_add(self.buffer.len() as u64);
        result
    }
}

impl Visitor for Unpacking<'_> {
    fn wants(&self, channel: &BagChannel) -> bool {
        self.visitor.wants(channel)
    }

    fn channel(&mut self, channel: &BagChannel) {
        self.visitor.channel(channel);
    }

    fn message(&mut self, message: &BagMessage<'_>) {
        let is_packed = message.channel.encoding == Encoding::Cdr && message.data.starts_with(ZSTD_MAGIC);
        if is_packed && self.unpack(message.data).is_ok() {
            self.visitor.message(&BagMessage { data: &self.buffer, ..*message });
        } else {
            self.visitor.message(message);
        }
    }
}

/// Replaces `buffer` by what is packed, if that is no longer than `max_bytes`.
fn unpack(packed: &[u8], buffer: &mut Vec<u8>, max_bytes: u64) -> std::io::Result<()> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
    decoder.window_log_max(MAX_WINDOW_LOG)?;
    buffer.clear();
    decoder.take(max_bytes + 1).read_to_end(buffer)?;
    if buffer.len() as u64 > max_bytes {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    Ok(())
}
