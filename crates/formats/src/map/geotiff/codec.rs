//! Decompresses strips and tiles, each into a buffer whose length is known.
//!
//! TIFF 6.0, sections 9 (PackBits) and 13 (LZW); Deflate and Zstandard as in the extensions of libtiff.
//! JPEG and CCITT group 4 go through the `tiff` crate.

use std::io::Read;

use flate2::{Decompress, FlushDecompress};

use super::layout::{Compression, Layout};
use super::lzw::Lzw;
use super::single_chunk;

/// Zstandard windows up to 64 MiB; more would let a small file take the memory of a large one.
const MAX_ZSTD_WINDOW_LOG: u32 = 26;

/// A decompressor for the strips or tiles of one page; its tables are made once.
pub(super) struct Codec<'a> {
    layout: &'a Layout,
    jpeg_tables: Option<&'a [u8]>,
    inflate: Option<Decompress>,
    lzw: Option<Lzw>,
}

impl<'a> Codec<'a> {
    pub fn new(layout: &'a Layout, jpeg_tables: Option<&'a [u8]>) -> Self {
        let inflate = (layout.compression == Compression::Deflate).then(|| Decompress::new(true));
        let lzw = (layout.compression == Compression::Lzw).then(Lzw::new);
        Self { layout, jpeg_tables, inflate, lzw }
    }

    /// Fills `decoded`; the error says what is wrong with the data.
    pub fn decode(&mut self, data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
        if self.layout.is_bit_reversed {
            let data: Vec<u8> = data.iter().map(|byte| byte.reverse_bits()).collect();
            return self.decode_ordered(&data, decoded);
        }
        self.decode_ordered(data, decoded)
    }

    fn decode_ordered(&mut self, data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
        match self.layout.compression {
            Compression::None => {
                let stored = data.get(..decoded.len()).ok_or_else(|| short(decoded.len(), data.len()))?;
                decoded.copy_from_slice(stored);
                Ok(())
            }
            Compression::PackBits => unpack_bits(data, decoded),
            Compression::Lzw => self.lzw(data, decoded),
            Compression::Deflate => self.inflate(data, decoded),
            Compression::Zstd => unzstd(data, decoded),
            Compression::Jpeg | Compression::Fax4 => {
                single_chunk::decode(self.layout, self.jpeg_tables, data, decoded)
            }
        }
    }

    fn inflate(&mut self, data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
        let Some(inflate) = &mut self.inflate else { return Err("no decoder".to_owned()) };
        inflate.reset(true);
        let mut written = 0;
        while written < decoded.len() {
            let (read, before) = (whole(inflate.total_in()), written);
            let left = data.get(read..).unwrap_or_default();
            let status = inflate.decompress(left, &mut decoded[written..], FlushDecompress::Finish);
            status.map_err(|error| error.to_string())?;
            written = whole(inflate.total_out());
            if written == before && whole(inflate.total_in()) == read {
                return Err(short(decoded.len(), written));
            }
        }
        Ok(())
    }

    fn lzw(&mut self, data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
        match &mut self.lzw {
            Some(lzw) => lzw.decode(data, decoded),
            None => Err("no decoder".to_owned()),
        }
    }
}

fn unzstd(data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(data).map_err(|error| error.to_string())?;
    decoder.window_log_max(MAX_ZSTD_WINDOW_LOG).map_err(|error| error.to_string())?;
    decoder.read_exact(decoded).map_err(|error| error.to_string())
}

/// TIFF 6.0, section 9: a length byte n, then n + 1 bytes as they are, or one byte 1 - n times.
fn unpack_bits(data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
    let (mut read, mut written) = (0, 0);
    while written < decoded.len() {
        let Some(&length) = data.get(read) else { return Err(short(decoded.len(), written)) };
        read += 1;
        match length {
            128 => {}
            0..=127 => {
                let count = (usize::from(length) + 1).min(decoded.len() - written);
                let run = data.get(read..read + count).ok_or_else(|| short(decoded.len(), written))?;
                decoded[written..written + count].copy_from_slice(run);
                (read, written) = (read + usize::from(length) + 1, written + count);
            }
            129..=255 => {
                let count = (257 - usize::from(length)).min(decoded.len() - written);
                let &byte = data.get(read).ok_or_else(|| short(decoded.len(), written))?;
                decoded[written..written + count].fill(byte);
                (read, written) = (read + 1, written + count);
            }
        }
    }
    Ok(())
}

pub(super) fn short(expected_bytes: usize, found_bytes: usize) -> String {
    format!("{found_bytes} of {expected_bytes} bytes")
}

/// A number of bytes in memory.
fn whole(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bits_of_the_specification() {
        // TIFF 6.0, section 9, "Example".
        let packed = b"\xFE\xAA\x02\x80\x00\x2A\xFD\xAA\x03\x80\x00\x2A\x22\xF7\xAA";
        let unpacked = b"\xAA\xAA\xAA\x80\x00\x2A\xAA\xAA\xAA\xAA\x80\x00\x2A\x22\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA";
        let mut decoded = vec![0; unpacked.len()];
        unpack_bits(packed, &mut decoded).unwrap();
        assert_eq!(decoded, unpacked);
        let mut longer = vec![0; unpacked.len() + 1];
        assert_eq!(unpack_bits(packed, &mut longer).unwrap_err(), "24 of 25 bytes");
        assert!(unpack_bits(&packed[..1], &mut decoded).is_err());
    }
}
