//! The bytes of messages: ROS 1 serialisation, and CDR as ROS 2 writes it.
//!
//! ```text
//! ROS 1: little-endian, packed; texts and sequences begin with a 4-byte count
//! CDR:   4 bytes of encapsulation (its second byte: 0 big-endian, 1 little-endian; 6 and 7 the same for
//!        XCDR2), then numbers aligned to their size (XCDR2: at most to 4); texts count and hold a final zero
//! ```
//!
//! Specification: <http://wiki.ros.org/msg>; OMG DDS-XTypes 1.3, sections 7.4.3.4 and 7.6.3.1.2.

use super::visitor::Encoding;

/// Why a message cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub String);

/// The bytes of a message, taken from front to back.
pub(crate) struct Wire<'a> {
    body: &'a [u8],
    at: usize,
    /// Numbers are aligned to their size, but not beyond this.
    max_alignment: usize,
    is_big_endian: bool,
    pub encoding: Encoding,
}

impl<'a> Wire<'a> {
    pub fn new(encoding: Encoding, data: &'a [u8]) -> Result<Self, Broken> {
        let (body, max_alignment, is_big_endian) = match (encoding, data) {
            (Encoding::Ros1, _) => (data, 1, false),
            (Encoding::Cdr, [0, kind @ (0 | 1), _, _, body @ ..]) => (body, 8, *kind == 0),
            (Encoding::Cdr, [0, kind @ (6 | 7), _, _, body @ ..]) => (body, 4, *kind == 6),
            (Encoding::Cdr, [0x28, 0xB5, 0x2F, 0xFD, ..]) => {
                let found = "zstd data; convert the bag to one without compressed messages";
                return Err(Broken(format!("expected the header of CDR, found {found}")));
            }
            (Encoding::Cdr, _) => {
                let start = crate::error::excerpt(&data[..data.len().min(4)]);
                return Err(Broken(format!("expected the header of CDR, found {start}")));
            }
            (Encoding::Other, _) => {
                return Err(Broken("expected ROS 1 serialisation or CDR, found another encoding".to_owned()));
            }
        };
        Ok(Self { body, at: 0, max_alignment, is_big_endian, encoding })
    }

    fn take(&mut self, bytes: usize) -> Result<&'a [u8], Broken> {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let taken = rest.get(..bytes).ok_or_else(|| {
            Broken(format!("byte {}: expected {bytes} bytes, found {}", self.at, rest.len()))
        })?;
        self.at += bytes;
        Ok(taken)
    }

    /// The bytes of a number, least significant first.
    fn number<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        self.at = self.at.next_multiple_of(N.min(self.max_alignment));
        let mut number = [0; N];
        number.copy_from_slice(self.take(N)?);
        if self.is_big_endian {
            number.reverse();
        }
        Ok(number)
    }

    pub fn u32(&mut self) -> Result<u32, Broken> {
        self.number().map(u32::from_le_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, Broken> {
        self.number().map(i32::from_le_bytes)
    }

    pub fn f32(&mut self) -> Result<f32, Broken> {
        self.number().map(f32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Result<f64, Broken> {
        self.number().map(f64::from_le_bytes)
    }

    pub fn f64s<const N: usize>(&mut self) -> Result<[f64; N], Broken> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.f64()?;
        }
        Ok(numbers)
    }

    pub fn text(&mut self) -> Result<String, Broken> {
        let length = self.u32()? as usize;
        let bytes = self.take(length)?;
        let bytes = match self.encoding {
            Encoding::Cdr => bytes.strip_suffix(&[0]).unwrap_or(bytes),
            Encoding::Ros1 | Encoding::Other => bytes,
        };
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// The number of elements of a sequence, checked against the bytes that are left.
    pub fn count(&mut self, least_bytes_each: usize) -> Result<usize, Broken> {
        let count = self.u32()? as usize;
        let left = self.body.len().saturating_sub(self.at);
        if count.saturating_mul(least_bytes_each) > left {
            return Err(Broken(format!("byte {}: expected {count} elements, found {left} bytes", self.at)));
        }
        Ok(count)
    }

    pub fn f32_sequence(&mut self) -> Result<Vec<f32>, Broken> {
        let count = self.count(4)?;
        (0..count).map(|_| self.f32()).collect()
    }

    pub fn byte_sequence(&mut self) -> Result<&'a [u8], Broken> {
        let count = self.count(1)?;
        self.take(count)
    }

    /// Checks that nothing is left but padding: what is left shows that the type was not the one expected.
    pub fn end(&self) -> Result<(), Broken> {
        let left = self.body.len().saturating_sub(self.at);
        let padding = if self.encoding == Encoding::Cdr { 7 } else { 0 };
        if left > padding {
            return Err(Broken(format!("byte {}: expected the end, found {left} more bytes", self.at)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cdr_aligns_to_the_size_of_numbers_and_xcdr2_at_most_to_four() {
        // u32 1, then f64 1.0: behind four bytes of padding, or at once.
        let one = 1.0_f64.to_le_bytes();
        let aligned = [&[0, 1, 0, 0, 1, 0, 0, 0, 9, 9, 9, 9][..], &one].concat();
        let packed = [&[0, 7, 0, 0, 1, 0, 0, 0][..], &one].concat();
        for data in [aligned, packed] {
            let mut wire = Wire::new(Encoding::Cdr, &data).unwrap();
            assert_eq!((wire.u32(), wire.f64(), wire.end()), (Ok(1), Ok(1.0), Ok(())));
        }
    }

    #[test]
    fn big_endian_cdr_is_read() {
        let data = [0, 0, 0, 0, 0, 0, 0, 3, b'm', b'a', 0, 0, 0x3F, 0x80, 0, 0];
        let mut wire = Wire::new(Encoding::Cdr, &data).unwrap();
        assert_eq!((wire.text().unwrap().as_str(), wire.f32()), ("ma", Ok(1.0)));
    }

    #[test]
    fn ros_1_is_packed_and_its_texts_have_no_final_zero() {
        let mut wire = Wire::new(Encoding::Ros1, &[1, 0, 0, 0, b'm', 2, 0, 0, 0, 7, 8]).unwrap();
        assert_eq!((wire.text().unwrap().as_str(), wire.byte_sequence()), ("m", Ok(&[7, 8][..])));
    }

    #[test]
    fn counts_beyond_the_message_are_refused_before_memory_is_taken() {
        let mut wire = Wire::new(Encoding::Ros1, &[0xFF, 0xFF, 0xFF, 0xFF, 0]).unwrap();
        let reason = wire.f32_sequence().unwrap_err().0;
        assert_eq!(reason, "byte 4: expected 4294967295 elements, found 1 bytes");
    }

    #[test]
    fn other_encodings_headers_and_leftovers_are_named() {
        assert!(Wire::new(Encoding::Other, b"{}").is_err());
        assert!(Wire::new(Encoding::Cdr, &[0, 3, 0, 0]).is_err());
        let compressed = Wire::new(Encoding::Cdr, b"\x28\xB5\x2F\xFD\0").map(|_| ()).unwrap_err();
        assert!(compressed.0.contains("zstd data"), "{compressed:?}");
        assert!(Wire::new(Encoding::Ros1, &[0]).unwrap().end().is_err());
    }
}
