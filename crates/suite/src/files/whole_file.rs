//! Files that appear whole or not at all, never in the place of an input, and over others only if told.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::JobError;

/// Whether a file that exists may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// It stays as it is.
    Refused,
    /// It is replaced.
    Allowed,
}

/// Refuses a file that exists, unless it may be replaced. Devices and pipes are written to in any case.
///
/// # Errors
/// The file exists.
pub fn check_overwrite(path: &Path, overwrite: Overwrite) -> Result<(), JobError> {
    if overwrite == Overwrite::Refused && path.is_file() {
        return Err(JobError::Exists(path.display().to_string()));
    }
    Ok(())
}

/// A file that is written beside its place, brought to the disk and moved there when it is whole. Dropped before that,
/// the old file stays, or none.
pub struct WholeFile {
    /// As the caller named it, for messages.
    path: PathBuf,
    /// Where it goes: behind a link, if the path is one.
    place: PathBuf,
    /// What is written until then; none for devices and pipes, which are written to directly.
    part: Option<PathBuf>,
    file: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file for this path; what is there stays until the end.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn create(path: &Path) -> Result<Self, JobError> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_replaced = place.is_file() || !place.exists();
        let part =
            place.file_name().filter(|_| is_replaced).map(|name| place.with_file_name(part_name(name)));
        let file = File::create(part.as_ref().unwrap_or(&place));
        let file = file.map_err(|source| JobError::output(path, source))?;
        Ok(Self { path: path.to_owned(), place, part, file: Some(BufWriter::new(file)) })
    }

    /// Moves the whole file to its place.
    ///
    /// # Errors
    /// The last bytes cannot be written, or the file cannot be moved.
    pub fn finish(mut self) -> Result<(), JobError> {
        self.moved().map_err(|source| JobError::output(&self.path, source))
    }

    fn moved(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some(part) = &self.part else { return Ok(()) };
        file.sync_all()?;
        std::fs::rename(part, &self.place)
    }
}

/// A name that no other writer of this or another process has.
fn part_name(name: &std::ffi::OsStr) -> OsString {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let mut part = OsString::from(".");
    part.push(name);
    part.push(format!(".{}-{}.part", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)));
    part
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // After the move there is nothing to remove.
            let _ = std::fs::remove_file(part);
        }
    }
}

/// Writes a file that appears whole or not at all.
///
/// # Errors
/// It cannot be written.
pub(crate) fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), JobError> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes.as_ref()).map_err(|source| JobError::output(path, source))?;
    file.finish()
}

/// Refuses outputs of these names in a folder where one of them is the input.
///
/// # Errors
/// One is.
pub(crate) fn refuse_over_input(input: &Path, folder: &Path, names: &[&str]) -> Result<(), JobError> {
    let Ok(input) = input.canonicalize() else { return Ok(()) };
    let is_input = |name: &&&str| folder.join(name).canonicalize().is_ok_and(|output| output == input);
    match names.iter().find(is_input) {
        Some(name) => Err(JobError::OverInput { path: folder.join(name).display().to_string() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_until_the_new_file_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.usar");
        std::fs::write(&path, "old").unwrap();
        let mut broken_off = WholeFile::create(&path).unwrap();
        broken_off.write_all(b"half").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        drop(broken_off);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no half file stays behind");
        write_whole(&path, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_output_is_no_input_by_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("corrected.log");
        std::fs::write(&input, "x").unwrap();
        let other = folder.path().join("a/..");
        std::fs::create_dir(folder.path().join("a")).unwrap();
        let names = ["map.pgm", "corrected.log"];
        let error = refuse_over_input(&input, &other, &names).unwrap_err();
        assert_eq!(error.code(), "OUTPUT_IS_INPUT");
        assert!(refuse_over_input(&input, &folder.path().join("a"), &names).is_ok());
        assert!(refuse_over_input(&folder.path().join("absent"), folder.path(), &names).is_ok());
    }

    #[test]
    fn a_file_is_replaced_whole_and_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_whole(&path, "old").unwrap();
        write_whole(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let error = write_whole(&folder.path().join("none/a.txt"), "x").unwrap_err();
        assert!(matches!(error, JobError::Output { .. }), "{error}");
        assert!(write_whole(folder.path(), "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_stay_links() {
        write_whole(Path::new("/dev/null"), "x").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_whole(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn what_exists_is_refused_unless_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        check_overwrite(&path, Overwrite::Refused).unwrap();
        std::fs::write(&path, "x").unwrap();
        check_overwrite(&path, Overwrite::Allowed).unwrap();
        let error = check_overwrite(&path, Overwrite::Refused).unwrap_err();
        assert!(error.to_string().contains("would be overwritten"), "{error}");
    }
}
