//! Files as a tar archive of the POSIX form (ustar), with neither times nor owners, so that the same files give the same
//! bytes. Written here, because a header is a few fields and nothing else of an archive is needed.

use super::vectors::VectorFiles;

const BLOCK: usize = 512;

/// The archive of files by path below a folder. Paths are those of our own vectors: shorter than 100 bytes.
#[must_use]
pub fn tar_of(folder: &str, files: &VectorFiles) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        archive.extend(tar_header(&format!("{folder}/{name}"), bytes.len()));
        archive.extend_from_slice(bytes);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    archive.resize(archive.len() + 2 * BLOCK, 0);
    archive
}

/// The block before a file: its path, shorter than 100 bytes, and its number of bytes, below 8 GiB.
#[must_use]
pub fn tar_header(name: &str, length: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &str| {
        for (slot, byte) in block.iter_mut().skip(at).zip(text.bytes()) {
            *slot = byte;
        }
    };
    put(0, name);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{length:011o}\0"));
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\0");
    put(263, "00");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    let checksum = format!("{sum:06o}\0 ");
    for (slot, byte) in block.iter_mut().skip(148).zip(checksum.bytes()) {
        *slot = byte;
    }
    block
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn the_system_unpacks_what_was_packed() {
        let files: VectorFiles = [
            ("VERSION".to_owned(), Cow::Borrowed(&b"1\n"[..])),
            ("e1/map.txt".to_owned(), Cow::Owned(vec![b'#'; 700])),
        ]
        .into();
        let archive = tar_of("set", &files);
        assert_eq!(archive.len() % BLOCK, 0);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.tar"), &archive).unwrap();
        let unpacked = std::process::Command::new("tar")
            .args(["xf", "a.tar"])
            .current_dir(folder.path())
            .status()
            .unwrap();
        assert!(unpacked.success());
        for (name, bytes) in &files {
            assert_eq!(std::fs::read(folder.path().join("set").join(name)).unwrap(), bytes.as_ref());
        }
    }
}
