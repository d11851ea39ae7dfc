//! Files that appear whole or not at all, never in the place of an input, and over others only if told.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use super::read_small;
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
    pub fn begin(path: &Path) -> Result<Self, JobError> {
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_replaced = place.is_file() || !place.exists();
        let part =
            place.file_name().filter(|_| is_replaced).map(|name| place.with_file_name(part_name(name)));
        if part.is_some() {
            remove_abandoned(place.parent().unwrap_or(Path::new("")));
        }
        let file = File::create(part.as_ref().unwrap_or(&place));
        let file = file.map_err(|source| JobError::output(path, source))?;
        if part.is_some() {
            // The lock says that somebody is at work; a file system without locks does not stop the work.
            let _ = file.try_lock();
        }
        Ok(Self { path: path.to_owned(), place, part, file: Some(BufWriter::new(file)) })
    }

    /// Brings all bytes to the disk; nothing more can be written. The file is not at its place yet.
    ///
    /// # Errors
    /// The last bytes cannot be written, as on a full disk.
    pub fn complete(&mut self) -> Result<(), JobError> {
        self.completed().map_err(|source| JobError::output(&self.path, source))
    }

    fn completed(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.part.is_some() { file.sync_all() } else { Ok(()) }
    }

    /// Moves the whole file to its place.
    ///
    /// # Errors
    /// The last bytes cannot be written, or the file cannot be moved.
    pub fn finish(mut self) -> Result<(), JobError> {
        self.complete()?;
        let Some(part) = self.part.take() else { return Ok(()) };
        std::fs::rename(&part, &self.place).map_err(|source| {
            let _ = std::fs::remove_file(&part);
            JobError::output(&self.path, source)
        })
    }

    /// Moves the whole file to its place, if nothing has come there in the meantime.
    ///
    /// # Errors
    /// As [`WholeFile::finish`], or something is there.
    pub fn finish_new(mut self) -> Result<(), JobError> {
        self.complete()?;
        let Some(part) = &self.part else { return Ok(()) };
        match std::fs::hard_link(part, &self.place) {
            // The part's own name goes when this is dropped.
            Ok(()) => Ok(()),
            Err(source) if source.kind() == io::ErrorKind::AlreadyExists => {
                Err(JobError::Exists(self.path.display().to_string()))
            }
            // A file system without links, as on a stick.
            Err(_) if self.place.exists() => Err(JobError::Exists(self.path.display().to_string())),
            Err(_) => self.finish(),
        }
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

/// The process that a name of [`part_name`] belongs to.
fn writer_of(part: &str) -> Option<u32> {
    let (process, number) =
        part.strip_prefix('.')?.strip_suffix(".part")?.rsplit_once('.')?.1.split_once('-')?;
    number.parse::<u32>().ok()?;
    process.parse().ok()
}

/// Removes what writers that were killed have left in a folder, once per folder and process. A part whose writer lives is
/// locked, or its process is there.
fn remove_abandoned(folder: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_new = SEEN.lock().is_ok_and(|mut seen| seen.insert(folder.to_owned()));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = if is_new { std::fs::read_dir(folder).ok() } else { None };
    for entry in entries.into_iter().flatten().flatten() {
        let Some(writer) = entry.file_name().to_str().and_then(writer_of) else { continue };
        let lives = writer == std::process::id() || Path::new(&format!("/proc/{writer}")).exists();
        let is_free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if !lives && is_free() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Appends lines to a file, which is made if it is not there.
pub(super) fn append_line_file(path: &Path, lines: &str) -> Result<(), JobError> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(lines.as_bytes()))
        .map_err(|source| JobError::output(path, source))
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
    let mut file = WholeFile::begin(path)?;
    file.write_all(bytes.as_ref()).map_err(|source| JobError::output(path, source))?;
    file.finish()
}

/// Writes a file that appears whole or not at all. One that is there with other content is replaced only if it may be.
///
/// # Errors
/// It is there with other content, or cannot be written.
pub fn write_same_or_new(path: &Path, bytes: impl AsRef<[u8]>, overwrite: Overwrite) -> Result<(), JobError> {
    if overwrite == Overwrite::Refused && path.is_file() && !holds(path, bytes.as_ref()) {
        return Err(JobError::NotOurs(path.display().to_string()));
    }
    write_whole(path, bytes)
}

/// Whether a file is there and holds these bytes.
pub(crate) fn holds(path: &Path, bytes: &[u8]) -> bool {
    read_small(path, bytes.len() as u64).is_ok_and(|there| there == bytes)
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
        let mut broken_off = WholeFile::begin(&path).unwrap();
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

    #[test]
    fn what_killed_writers_left_is_removed_and_living_ones_are_not_disturbed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // No process has this number.
        let left = path(".map.pgm.4194399-0.part");
        std::fs::write(&left, "half").unwrap();
        std::fs::write(path(".mine.part"), "mine").unwrap();
        let own = path(&format!(".map.yaml.{}-9999.part", std::process::id()));
        std::fs::write(&own, "half").unwrap();
        write_whole(&path("map.pgm"), "new").unwrap();
        assert!(!left.exists() && own.exists() && path(".mine.part").exists());
    }

    #[test]
    fn a_new_file_does_not_replace_one_that_came_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let mut file = WholeFile::begin(&path).unwrap();
        file.write_all(b"new").unwrap();
        std::fs::write(&path, "decisions").unwrap();
        assert!(matches!(file.finish_new(), Err(JobError::Exists(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "decisions");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
