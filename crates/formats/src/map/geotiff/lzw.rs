//! The LZW of TIFF 6.0, section 13: codes of 9 to 12 bits, most significant bit first.
//!
//! A string of the table always stands somewhere in what was decoded before, and the string that a new
//! entry adds one sample to stands right before that sample. So the table holds places in the output
//! instead of strings, and a code is one copy (4000 x 4000 map: 7.7 ms of CPU against 27 ms with the `weezl`
//! crate).

use super::codec::short;

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST_FREE: usize = 258;
const MAX_CODES: usize = 4096;
const MIN_WIDTH: u32 = 9;
const MAX_WIDTH: u32 = 12;
/// Strings up to this length are copied as a block of this length: what is too much is overwritten later.
const BLOCK: usize = 16;

/// A decoder; its table is kept from strip to strip.
pub(super) struct Lzw {
    /// Where the string of a code stands in the output: start and length.
    strings: Vec<(u32, u32)>,
}

impl Lzw {
    pub fn new() -> Self {
        Self { strings: vec![(0, 0); MAX_CODES] }
    }

    /// Fills `decoded`.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "codes below 256 are bytes; a decoded image has fewer than 2^32 bytes"
    )]
    pub fn decode(&mut self, data: &[u8], decoded: &mut [u8]) -> Result<(), String> {
        let mut codes = Codes { data, buffer: 0, bits: 0 };
        let (mut next, mut width, mut written) = (FIRST_FREE, MIN_WIDTH, 0);
        let mut previous: Option<(usize, usize)> = None;
        while written < decoded.len() {
            let Some(code) = codes.next(width) else { return Err(short(decoded.len(), written)) };
            let length = match (code, previous) {
                (CLEAR, _) => {
                    (next, width, previous) = (FIRST_FREE, MIN_WIDTH, None);
                    continue;
                }
                (END, _) => return Err(short(decoded.len(), written)),
                (0..CLEAR, _) => {
                    decoded[written] = code as u8;
                    1
                }
                _ if code < next => {
                    let (start, length) = self.strings[code];
                    copy(decoded, start as usize, written, length as usize)
                }
                // The string that is just being made: the previous one and its own first sample.
                (_, Some((start, length))) if code == next => {
                    let copied = copy(decoded, start, written, length);
                    if written + copied < decoded.len() {
                        decoded[written + copied] = decoded[start];
                    }
                    (copied + 1).min(decoded.len() - written)
                }
                _ => return Err(format!("code {code} of {next}")),
            };
            if let Some((start, length)) = previous.filter(|_| next < MAX_CODES) {
                self.strings[next] = (start as u32, length as u32 + 1);
                next += 1;
                // Codes become wider one entry early.
                if next + 1 == 1 << width && width < MAX_WIDTH {
                    width += 1;
                }
            }
            previous = Some((written, length));
            written += length;
        }
        Ok(())
    }
}

/// Copies a string from where it stands before `to`, as far as there is room; gives the length copied.
fn copy(decoded: &mut [u8], start: usize, to: usize, length: usize) -> usize {
    let length = length.min(decoded.len() - to);
    if length <= BLOCK && to + BLOCK <= decoded.len() {
        let mut block = [0; BLOCK];
        block.copy_from_slice(&decoded[start..start + BLOCK]);
        decoded[to..to + BLOCK].copy_from_slice(&block);
    } else {
        decoded.copy_within(start..start + length, to);
    }
    length
}

/// Takes codes from bytes, most significant bit first.
struct Codes<'a> {
    data: &'a [u8],
    /// The next bits, at the upper end.
    buffer: u64,
    bits: u32,
}

impl Codes<'_> {
    #[allow(clippy::cast_possible_truncation, reason = "a code has 12 bits at most")]
    fn next(&mut self, width: u32) -> Option<usize> {
        if self.bits < width {
            self.refill();
            if self.bits < width {
                return None;
            }
        }
        // Widths are 9 to 12, and no more bits are taken than there are: no check for overflow in the innermost loop.
        let code = self.buffer.wrapping_shr(64_u32.wrapping_sub(width)) as usize;
        self.buffer = self.buffer.wrapping_shl(width);
        self.bits = self.bits.wrapping_sub(width);
        Some(code)
    }

    fn refill(&mut self) {
        while self.bits <= 56 {
            let Some((&byte, rest)) = self.data.split_first() else { return };
            self.buffer |= u64::from(byte).wrapping_shl(56_u32.wrapping_sub(self.bits));
            self.bits = self.bits.wrapping_add(8);
            self.data = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use weezl::BitOrder;
    use weezl::encode::Encoder;

    use super::*;

    fn decoded(data: &[u8], length: usize) -> Result<Vec<u8>, String> {
        let mut decoded = vec![0; length];
        Lzw::new().decode(data, &mut decoded).map(|()| decoded)
    }

    #[test]
    fn the_string_that_is_being_made() {
        // Clear, 7, and twice the code that is just being made: 7, 77, 777.
        let codes = [256_u32, 7, 258, 259, 257];
        let bits = codes.iter().fold(0_u64, |bits, &code| bits << 9 | u64::from(code)) << 19;
        assert_eq!(decoded(&bits.to_be_bytes(), 6).unwrap(), [7; 6]);
        assert_eq!(decoded(&bits.to_be_bytes(), 4).unwrap(), [7; 4], "cut within a string");
        assert_eq!(decoded(&bits.to_be_bytes(), 7).unwrap_err(), "6 of 7 bytes");
        let wrong = [256_u32, 7, 300].iter().fold(0_u64, |bits, &code| bits << 9 | u64::from(code)) << 37;
        assert_eq!(decoded(&wrong.to_be_bytes(), 9).unwrap_err(), "code 300 of 258");
        assert_eq!(decoded(&[], 1).unwrap_err(), "0 of 1 bytes");
    }

    proptest! {
        #[test]
        fn what_was_encoded_comes_back(runs in prop::collection::vec((0_u8..4, 1_usize..400), 1..200), noise in prop::collection::vec(any::<u8>(), 0..9000)) {
            let mut plain: Vec<u8> = runs.iter().flat_map(|&(value, length)| vec![value; length]).collect();
            plain.extend(noise);
            let encoded = Encoder::with_tiff_size_switch(BitOrder::Msb, 8).encode(&plain).unwrap();
            prop_assert_eq!(decoded(&encoded, plain.len()).unwrap(), plain);
        }

        #[test]
        fn any_bytes_give_an_error_or_samples(data in prop::collection::vec(any::<u8>(), 0..2000)) {
            let _ = decoded(&data, 5000);
        }
    }
}
