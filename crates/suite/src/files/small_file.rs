//! Files that people write by hand: settings, plans, limits. They are read whole, and never more than their kind can have.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::JobError;

/// Settings, rules and plans of people.
pub(crate) const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// The bytes of a file, if it has no more than `max_bytes`; of a longer one no more is read, even if it grows meanwhile. A
/// pipe or a device may never end, and is refused.
///
/// # Errors
/// The file cannot be read, is no regular file, or is longer.
pub(crate) fn read_small(path: &Path, max_bytes: u64) -> Result<Vec<u8>, JobError> {
    let failed = |source| JobError::file(path, source);
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(failed(std::io::Error::other("no regular file")));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(max_bytes + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max_bytes {
        return Err(JobError::FileTooLarge { path: path.display().to_string(), max_bytes });
    }
    Ok(bytes)
}

/// As [`read_small`], for a text in UTF-8.
///
/// # Errors
/// As [`read_small`], or other bytes.
pub(crate) fn read_small_text(path: &Path, max_bytes: u64) -> Result<String, JobError> {
    String::from_utf8(read_small(path, max_bytes)?)
        .map_err(|error| JobError::file(path, std::io::Error::new(std::io::ErrorKind::InvalidData, error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_file_is_refused_and_a_device_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, "x = 1").unwrap();
        assert_eq!(read_small_text(&path, 5).unwrap(), "x = 1");
        assert!(matches!(read_small(&path, 4), Err(JobError::FileTooLarge { max_bytes: 4, .. })));
        std::fs::write(&path, [0xff]).unwrap();
        assert!(read_small_text(&path, 5).is_err());
        assert!(read_small(folder.path(), 5).is_err());
        #[cfg(unix)]
        assert!(read_small(Path::new("/dev/zero"), 5).is_err());
    }
}
