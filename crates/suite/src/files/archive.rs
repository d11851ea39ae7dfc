//! Zip archives that strangers hand in, unpacked into a temporary folder of our own.
//!
//! Format: PKWARE's APPNOTE 6.3, sections 4.3 and 4.4, stored and deflated entries, Zip64 (4.3.14, 4.5.3). Written here on top of `flate2`,
//! because every name, size and kind is checked before anything is written: no path leads out, no link, no device, no
//! bomb.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::read::DeflateDecoder;

use super::walk::is_junk;
use crate::JobError;

/// Bytes of the archive itself.
const MAX_PACKED: u64 = 512 << 20;

/// What an archive may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Entries.
    pub max_entries: usize,
    /// Bytes of everything in it.
    pub max_unpacked_bytes: u64,
    /// An archive may not grow by more than this factor: maps pack well, but not all of them so well.
    pub max_ratio: u64,
    /// Unpacked bytes below which the factor is not asked for.
    pub free_bytes: u64,
}

impl ArchiveLimits {
    /// Of an archive that the user names.
    pub const OF_USER: Self =
        Self { max_entries: 10_000, max_unpacked_bytes: 1 << 30, max_ratio: 250, free_bytes: 64 << 20 };
}

/// Takes a file of an archive: its path and its content.
pub type TakeFile<'a> = &'a mut dyn FnMut(&str, Vec<u8>) -> Result<(), String>;

/// Calls `each` with every file of an archive in memory: its path, relative and plain, and its content. Folders and junk are
/// left out.
///
/// # Errors
/// It is no sound archive, holds something that no submission holds or more than the limits, or `each` fails.
pub fn unpack_archive(archive: &[u8], limits: &ArchiveLimits, each: TakeFile<'_>) -> Result<(), String> {
    for entry in entries(archive, limits)? {
        each(&entry.path, entry.content(archive)?)?;
    }
    Ok(())
}

/// The files of an archive in a temporary folder, which goes with this value.
#[derive(Debug, PartialEq, Eq)]
pub struct Unpacked {
    root: PathBuf,
    folder: PathBuf,
    owner: Owner,
}

/// Who removes the temporary folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    ThisValue,
    AnotherProcess,
}

impl Unpacked {
    /// Unpacks an archive.
    ///
    /// # Errors
    /// It cannot be read, is no sound archive, or holds something that no submission holds.
    pub fn of(path: &Path) -> Result<Self, JobError> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let bytes = read_limited(path)?;
        let wrong = |message: String| {
            JobError::contest(&name, message, "ask for an ordinary zip archive, or for the files themselves")
        };
        let entries = entries(&bytes, &ArchiveLimits::OF_USER).map_err(wrong)?;
        let root = temporary_folder().map_err(|source| JobError::output(std::env::temp_dir(), source))?;
        let unpacked = Self { folder: root.join(&name), root, owner: Owner::ThisValue };
        make_folder(&unpacked.folder).map_err(|source| JobError::output(&unpacked.folder, source))?;
        for entry in &entries {
            unpacked.write(&bytes, entry).map_err(wrong)?;
        }
        Ok(unpacked)
    }

    /// An archive that another process unpacked, and removes.
    pub(crate) const fn borrowed(root: PathBuf, folder: PathBuf) -> Self {
        Self { root, folder, owner: Owner::AnotherProcess }
    }

    /// The folder of the files; its name is that of the archive.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder that names are relative to.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn write(&self, archive: &[u8], entry: &Entry) -> Result<(), String> {
        let content = entry.content(archive)?;
        let path = self.folder.join(&entry.path);
        let parent = path.parent().unwrap_or(&self.folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| {
            std::fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)
                .and_then(|mut file| std::io::Write::write_all(&mut file, &content))
        });
        written.map_err(|error| format!("'{}' cannot be unpacked: {error}", entry.path))
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        if self.owner == Owner::ThisValue {
            // A folder that stays costs space, nothing else.
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

/// Whether a path names a zip archive.
#[must_use]
pub fn is_archive(path: &Path) -> bool {
    super::walk::ending(path) == "zip"
}

fn read_limited(path: &Path) -> Result<Vec<u8>, JobError> {
    let failed = |source| JobError::file(path, source);
    let is_file = path.metadata().map_err(failed)?.is_file();
    if !is_file {
        return Err(failed(std::io::Error::other("no regular file")));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .map_err(failed)?
        .take(MAX_PACKED + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_PACKED {
        return Err(JobError::FileTooLarge { path: path.display().to_string(), max_bytes: MAX_PACKED });
    }
    Ok(bytes)
}

/// A new folder that only this user can read.
fn temporary_folder() -> std::io::Result<PathBuf> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    for _ in 0..1000 {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mapjudge-{}-{number}", std::process::id()));
        match make_folder(&folder) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
    Err(std::io::Error::other("no name for a temporary folder is free"))
}

fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A file in an archive.
struct Entry {
    /// Relative, with `/`, inside.
    path: String,
    method: u16,
    checksum: u32,
    packed: usize,
    unpacked: u64,
    offset: usize,
}

impl Entry {
    /// The content, never more than the directory promised.
    fn content(&self, archive: &[u8]) -> Result<Vec<u8>, String> {
        let damaged = || format!("'{}' is damaged", self.path);
        let header = archive.get(self.offset..).ok_or_else(damaged)?;
        if !header.starts_with(b"PK\x03\x04") {
            return Err(damaged());
        }
        let length = |at: usize| half(header, at).map(usize::from).ok_or_else(damaged);
        let start = 30 + length(26)? + length(28)?;
        let end = start.checked_add(self.packed).ok_or_else(damaged)?;
        let packed = header.get(start..end).ok_or_else(damaged)?;
        let mut content = Vec::new();
        let read = match self.method {
            0 => packed.take(self.unpacked + 1).read_to_end(&mut content),
            _ => DeflateDecoder::new(packed).take(self.unpacked + 1).read_to_end(&mut content),
        };
        let is_whole = read.is_ok() && content.len() as u64 == self.unpacked;
        if !is_whole || crc32fast::hash(&content) != self.checksum {
            return Err(damaged());
        }
        Ok(content)
    }
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// The files of the central directory, checked; folders and junk are left out.
fn entries(archive: &[u8], limits: &ArchiveLimits) -> Result<Vec<Entry>, String> {
    const END: &[u8] = b"PK\x05\x06";
    let not_zip = || "no zip archive, or one that is cut off".to_owned();
    let tail = archive.len().saturating_sub(22 + usize::from(u16::MAX));
    let end = archive[tail..].windows(4).rposition(|window| window == END).ok_or_else(not_zip)? + tail;
    let is_whole = half(archive, end + 20).is_some();
    let count = half(archive, end + 10).filter(|_| is_whole).ok_or_else(not_zip)?;
    let at = word(archive, end + 16).ok_or_else(not_zip)?;
    let (count, at) = match zip64_directory(archive, end).filter(|_| count == u16::MAX || at == u32::MAX) {
        Some(directory) => directory,
        None => (u64::from(count), u64::from(at)),
    };
    if count > limits.max_entries as u64 {
        return Err(format!("{count} entries: expected at most {}", limits.max_entries));
    }
    let mut at = usize::try_from(at).map_err(|_| not_zip())?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut total: u64 = 0;
    for _ in 0..count {
        let header = archive.get(at..).filter(|rest| rest.starts_with(b"PK\x01\x02")).ok_or_else(not_zip)?;
        let lengths = [28, 30, 32].map(|at| half(header, at).map_or(0, usize::from));
        let name = header.get(46..46 + lengths[0]).ok_or_else(not_zip)?;
        let extra = header.get(46 + lengths[0]..46 + lengths[0] + lengths[1]).ok_or_else(not_zip)?;
        at += 46 + lengths.iter().sum::<usize>();
        if let Some(entry) = entry(header, name, extra).transpose() {
            let entry = entry?;
            total = total.saturating_add(entry.unpacked);
            let is_bomb = total > limits.free_bytes && total / limits.max_ratio > archive.len() as u64;
            if total > limits.max_unpacked_bytes || is_bomb {
                return Err(format!("it would unpack to more than {} MB", total >> 20));
            }
            if entries.iter().any(|other| other.path.eq_ignore_ascii_case(&entry.path)) {
                return Err(format!("'{}' stands in it twice", entry.path));
            }
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// Number of entries and place of the directory where Zip64 tells them, before the end record (4.3.14, 4.3.15).
fn zip64_directory(archive: &[u8], end: usize) -> Option<(u64, u64)> {
    let locator = archive.get(end.checked_sub(20)?..end).filter(|part| part.starts_with(b"PK\x06\x07"))?;
    let record = archive.get(usize::try_from(long(locator, 8)?).ok()?..)?;
    if !record.starts_with(b"PK\x06\x06") {
        return None;
    }
    Some((long(record, 32)?, long(record, 48)?))
}

/// Numbers of the Zip64 field of an entry, in the order of those that did not fit (4.5.3).
fn zip64_numbers(mut extra: &[u8]) -> Vec<u64> {
    while let (Some(id), Some(length)) = (half(extra, 0), half(extra, 2)) {
        let Some(field) = extra.get(4..4 + usize::from(length)) else { break };
        if id == 1 {
            return (0..field.len() / 8).filter_map(|index| long(field, 8 * index)).collect();
        }
        extra = &extra[4 + field.len()..];
    }
    Vec::new()
}

/// An entry of the directory; none for folders and junk.
fn entry(header: &[u8], name: &[u8], extra: &[u8]) -> Result<Option<Entry>, String> {
    let damaged = || "a damaged directory".to_owned();
    let path = String::from_utf8_lossy(name).replace('\\', "/");
    let path = path.strip_prefix("./").map_or(path.clone(), str::to_owned);
    let shown: String = path.chars().filter(|letter| !letter.is_control()).take(80).collect();
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains([':', '\0']);
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    if !parts.iter().all(|part| is_plain(part)) || path.len() > 1000 || path.contains(char::is_control) {
        return Err(format!("'{shown}' leads out of the archive"));
    }
    let (flags, method) = (half(header, 8).ok_or_else(damaged)?, half(header, 10).ok_or_else(damaged)?);
    // The upper half of the attributes is the mode of a file where the archive was made on Unix.
    let kind = (word(header, 38).ok_or_else(damaged)? >> 16) & 0o170_000;
    if !matches!(kind, 0 | 0o100_000 | 0o040_000) {
        return Err(format!("'{shown}' is a link or a device"));
    }
    if path.ends_with('/') || parts.iter().any(|part| is_junk(part)) {
        return Ok(None);
    }
    if flags & 1 != 0 || !matches!(method, 0 | 8) {
        return Err(format!("'{shown}' is encrypted, or packed in another way than stored or deflated"));
    }
    let mut longer = zip64_numbers(extra).into_iter();
    let mut size = |at: usize| match word(header, at).ok_or_else(damaged)? {
        u32::MAX => longer.next().ok_or_else(damaged),
        size => Ok(u64::from(size)),
    };
    // In this order: it is that of the Zip64 field.
    let (unpacked, packed, offset) = (size(24)?, size(20)?, size(42)?);
    let inside = |size: u64| usize::try_from(size).map_err(|_| damaged());
    let (packed, offset) = (inside(packed)?, inside(offset)?);
    let checksum = word(header, 16).ok_or_else(damaged)?;
    Ok(Some(Entry { path, method, checksum, packed, unpacked, offset }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::contest::Zip;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = Zip::default();
        for (name, content) in files {
            zip.add(name, content).unwrap();
        }
        zip.finish().unwrap()
    }

    fn unpack(bytes: &[u8]) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team.zip");
        std::fs::write(&path, bytes).unwrap();
        let unpacked = Unpacked::of(&path).map_err(|error| error.to_string())?;
        let files = crate::files::walk(unpacked.folder()).unwrap();
        let root = unpacked.root().to_owned();
        let read =
            |file: &PathBuf| (file.strip_prefix(&root).unwrap().to_owned(), std::fs::read(file).unwrap());
        let found = files.iter().map(read).collect();
        drop(unpacked);
        assert!(!root.exists(), "the temporary folder goes");
        Ok(found)
    }

    /// An archive of one stored file as programs write it that do not know its size beforehand: every number in the
    /// fields of Zip64.
    fn zip64(name: &str, content: &[u8]) -> Vec<u8> {
        let long = |number: usize| (number as u64).to_le_bytes();
        let extra = |numbers: &[usize]| {
            let mut field = vec![1, 0, 8 * numbers.len() as u8, 0];
            numbers.iter().for_each(|number| field.extend(long(*number)));
            field
        };
        let sums = [crc32fast::hash(content).to_le_bytes(), [255; 4], [255; 4]].concat();
        let mut bytes = b"PK\x03\x04\x2d\0\0\0\0\0\0\0\0\0".to_vec();
        bytes.extend([&sums[..], &[name.len() as u8, 0, 20, 0], name.as_bytes()].concat());
        bytes.extend([&extra(&[content.len(), content.len()]), content].concat());
        let directory = bytes.len();
        bytes.extend(b"PK\x01\x02\x2d\0\x2d\0\0\0\0\0\0\0\0\0");
        bytes.extend(
            [&sums[..], &[name.len() as u8, 0, 28, 0], &[0; 10], &[255; 4], name.as_bytes()].concat(),
        );
        bytes.extend(extra(&[content.len(), content.len(), 0]));
        let record = bytes.len();
        bytes.extend(b"PK\x06\x06");
        bytes.extend([&long(44)[..], &[45, 0, 45, 0], &[0; 8], &long(1), &long(1)].concat());
        bytes.extend([long(record - directory), long(directory)].concat());
        bytes.extend([&b"PK\x06\x07\0\0\0\0"[..], &long(record), &[1, 0, 0, 0]].concat());
        bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &[255; 12], &[0; 2]].concat());
        bytes
    }

    #[test]
    fn zip64_archives_are_unpacked_and_their_lies_are_refused() {
        let whole = zip64("team/map.txt", b"##.");
        assert_eq!(unpack(&whole).unwrap(), [(PathBuf::from("team.zip/team/map.txt"), b"##.".to_vec())]);
        for at in 0..whole.len() {
            let mut lying = whole.clone();
            lying[at] ^= 0xff;
            // Refused or unpacked, but no panic, and nothing of a size that it has not.
            let _ = entries(&lying, &ArchiveLimits::OF_USER)
                .map(|entries| entries.iter().for_each(|entry| drop(entry.content(&lying))));
        }
        let mut huge = whole;
        let field = huge.windows(4).rposition(|part| part == [1, 0, 24, 0]).unwrap();
        huge[field + 4..field + 12].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        assert!(
            entries(&huge, &ArchiveLimits::OF_USER).is_err_and(|why| why.contains("would unpack to more"))
        );
    }

    #[test]
    fn files_come_out_under_the_name_of_the_archive() {
        let long = b"abc ".repeat(5000);
        let found =
            unpack(&archive(&[("a/pois.csv", &long), ("b.txt", b"hi"), ("__MACOSX/a/x", b"junk")])).unwrap();
        assert_eq!(found[0], (PathBuf::from("team.zip/a/pois.csv"), long));
        assert_eq!(found[1], (PathBuf::from("team.zip/b.txt"), b"hi".to_vec()));
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn hostile_archives_are_refused_with_the_reason() {
        for name in ["../escape", "/etc/passwd", "a/../../b", "..\\b", "C:/x", "a//b"] {
            let error = unpack(&archive(&[(name, b"x")])).unwrap_err();
            assert!(error.contains("leads out of the archive"), "{name}: {error}");
        }
        let mut link = archive(&[("link", b"/etc/passwd")]);
        let directory = link.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        link[directory + 38..directory + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
        assert!(unpack(&link).unwrap_err().contains("a link or a device"));
        let twice = archive(&[("a.csv", b"1"), ("A.CSV", b"2")]);
        assert!(unpack(&twice).unwrap_err().contains("twice"));
        let mut bomb = archive(&[("zeros", &vec![0; 1 << 20])]);
        let directory = bomb.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        bomb[directory + 24..directory + 28].copy_from_slice(&(900_u32 << 20).to_le_bytes());
        assert!(unpack(&bomb).unwrap_err().contains("it would unpack to"));
        let whole = archive(&[("a.csv", b"some text some text some text")]);
        for cut in 0..whole.len() {
            assert!(unpack(&whole[..cut]).is_err(), "{cut}");
        }
        let mut flipped = whole.clone();
        flipped[38] ^= 0x40;
        assert!(unpack(&flipped).unwrap_err().contains("damaged"));
    }
}
