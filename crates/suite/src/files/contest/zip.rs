//! A zip archive with the same bytes each time: no clock, no names of users, entries in the order given.
//!
//! Format: PKWARE's APPNOTE 6.3, sections 4.3 and 4.4; entries are deflated where that makes them smaller. Written here
//! because it is forty lines on top of `flate2`, and the bytes must not change with a library's defaults.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// An archive that is being written.
#[derive(Debug, Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// What does not fit into an archive of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the archive would be larger than 4 GB or have more than 65535 entries")]
pub struct TooLarge;

/// First of January 1980, the zero of the format.
const DATE: u16 = 0x21;
/// Names are UTF-8.
const FLAGS: u16 = 0x0800;
const VERSION: u16 = 20;

impl Zip {
    /// Adds a file.
    ///
    /// # Errors
    /// The archive would be too large.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<(), TooLarge> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
        let packed = encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default();
        let is_smaller = !packed.is_empty() && packed.len() < content.len();
        let (method, stored): (u16, &[u8]) = if is_smaller { (8, &packed) } else { (0, content) };
        let fits = |length: usize| u32::try_from(length).map_err(|_| TooLarge);
        let offset = fits(self.bytes.len())?;
        let mut header = Vec::with_capacity(26);
        for word in [VERSION, FLAGS, method, 0, DATE] {
            header.extend(word.to_le_bytes());
        }
        for word in [crc32fast::hash(content), fits(stored.len())?, fits(content.len())?] {
            header.extend(word.to_le_bytes());
        }
        header.extend(u16::try_from(name.len()).map_err(|_| TooLarge)?.to_le_bytes());
        header.extend(0_u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&header);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(stored);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&header);
        // Comment, disk, attributes: none.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries = self.entries.checked_add(1).ok_or(TooLarge)?;
        Ok(())
    }

    /// The whole archive.
    ///
    /// # Errors
    /// It would be too large.
    pub fn finish(mut self) -> Result<Vec<u8>, TooLarge> {
        let offset = u32::try_from(self.bytes.len()).map_err(|_| TooLarge)?;
        let size = u32::try_from(self.directory.len()).map_err(|_| TooLarge)?;
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(size.to_le_bytes());
        self.bytes.extend(offset.to_le_bytes());
        self.bytes.extend([0; 2]);
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_has_the_bytes_of_the_format() {
        let mut zip = Zip::default();
        zip.add("a.txt", b"hi").unwrap();
        let bytes = zip.finish().unwrap();
        // Local header 30 + 5 + 2 bytes stored, directory 46 + 5, end 22.
        assert_eq!(bytes.len(), 37 + 51 + 22);
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        assert_eq!(&bytes[14..18], &crc32fast::hash(b"hi").to_le_bytes());
        assert_eq!(&bytes[35..41], b"hiPK\x01\x02");
        assert_eq!(&bytes[88..92], b"PK\x05\x06");
        assert_eq!(&bytes[100..108], &[51, 0, 0, 0, 37, 0, 0, 0]);
    }

    #[test]
    fn python_reads_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.zip");
        let mut zip = Zip::default();
        zip.add("one/ü.txt", &b"abc ".repeat(500)).unwrap();
        zip.add("two", b"").unwrap();
        std::fs::write(&path, zip.finish().unwrap()).unwrap();
        let script = "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
                      assert z.namelist()==['one/\\u00fc.txt','two']; assert z.read('two')==b''; \
                      assert z.read(z.namelist()[0])==b'abc '*500";
        let run = std::process::Command::new("python3").args(["-c", script]).arg(&path).output();
        match run {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
            Err(_) => testkit::skip("python3 is absent"),
        }
    }
}
