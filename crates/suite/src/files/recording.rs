//! A file that grows while a robot sends, and that may not be lost: neither the old one under its name nor the new one.

use std::fs::{File, OpenOptions};
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};

use crate::JobError;

/// Parts of one name that may lie beside each other.
const MAX_PARTS: usize = 1000;

/// A recording, line by line in `NAME.part` from its first byte on, and under its name once it is whole. An earlier file
/// of that name stays until then. What came before a failure or a kill stays in the part, which is never replaced.
pub struct Recording {
    path: PathBuf,
    part: Option<PathBuf>,
    file: Option<LineWriter<File>>,
}

impl Recording {
    /// A recording for this path. Nothing is made before the first byte.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), part: None, file: None }
    }

    /// Where the bytes are until the end; none before the first one, and for devices and pipes.
    #[must_use]
    pub fn part(&self) -> Option<&Path> {
        self.part.as_deref()
    }

    fn open(&mut self) -> io::Result<LineWriter<File>> {
        if self.path.exists() && !self.path.is_file() {
            return Ok(LineWriter::new(OpenOptions::new().write(true).open(&self.path)?));
        }
        let mut taken = io::ErrorKind::AlreadyExists.into();
        for number in 0..MAX_PARTS {
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push(if number == 0 { ".part".to_owned() } else { format!(".{}.part", number + 1) });
            let part = self.path.with_file_name(name);
            match OpenOptions::new().write(true).create_new(true).open(&part) {
                Ok(file) => {
                    self.part = Some(part);
                    return Ok(LineWriter::new(file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
                Err(error) => return Err(error),
            }
        }
        Err(taken)
    }

    /// Gives the recording its name. Without a byte there is none.
    ///
    /// # Errors
    /// The last bytes cannot be written, or the file cannot be moved; the part stays.
    pub fn finish(mut self) -> Result<(), JobError> {
        let path = self.path.clone();
        self.finished().map_err(|source| JobError::output(path, source))
    }

    fn finished(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some(part) = &self.part else { return Ok(()) };
        file.sync_all()?;
        std::fs::rename(part, self.path.canonicalize().as_ref().unwrap_or(&self.path))
    }
}

impl Write for Recording {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.open()?,
        };
        self.file.insert(file).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), LineWriter::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_recording_stays_until_the_new_one_is_whole_and_no_part_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.usar");
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        std::fs::write(&path, "old\n").unwrap();
        Recording::new(&path).finish().unwrap();
        assert_eq!(text("run.usar"), "old\n", "nobody has sent anything");
        let mut killed = Recording::new(&path);
        killed.write_all(b"one\ntw").unwrap();
        drop(killed);
        assert_eq!((text("run.usar").as_str(), text("run.usar.part").as_str()), ("old\n", "one\ntw"));
        let mut whole = Recording::new(&path);
        whole.write_all(b"new\n").unwrap();
        assert_eq!(whole.part().unwrap().file_name().unwrap(), "run.usar.2.part");
        whole.finish().unwrap();
        assert_eq!((text("run.usar").as_str(), text("run.usar.part").as_str()), ("new\n", "one\ntw"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
