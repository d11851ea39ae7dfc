//! `serve backup` and `serve restore`: the database and its objects in one tar, with the hash of each.
//!
//! The archive is `judge.db`, then `objects/ab/<blake3>` in the order of their names, then `HASHES` with a line per file. A
//! backup runs beside the live server: objects are never removed, so those that the copied database names are all there.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use mapjudge::conform::tar_header;
use mapjudge::files::WholeFile;

use super::check::hashes;
use super::objects::Objects;
use super::store::{Database, StoreError};

const BLOCK: usize = 512;
/// The database in the archive.
const DATABASE: &str = "judge.db";
/// The list of hashes in the archive.
const HASHES: &str = "HASHES";
/// Largest list of hashes.
const MAX_LIST_BYTES: u64 = 1 << 30;

/// Why there is no backup, or why one cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The disk.
    #[error("{0}")]
    Disk(#[from] io::Error),
    /// The file that is written.
    #[error(transparent)]
    File(#[from] mapjudge::JobError),
    /// The archive.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    /// Something is there already.
    #[error("there is a contest state already; a backup is restored into an empty place")]
    Exists,
}

/// Writes a backup; the number of objects in it. `scratch` is an empty folder.
///
/// # Errors
/// The database cannot be copied, an object is lost, or the disk refuses.
pub fn backup(db: &Database, objects: &Objects, scratch: &Path, to: &Path) -> Result<usize, BackupError> {
    let copy = scratch.join("copy.db");
    db.copy_to(&copy)?;
    let copied = Database::open(&copy.display().to_string())?;
    let named = hashes(&copied)?;
    drop(copied);
    let mut archive = Archive { out: WholeFile::begin(to)?, list: String::new() };
    archive.add(DATABASE, File::open(&copy)?)?;
    for hash in &named {
        let lost = |error| BackupError::Damaged(format!("object {hash}: {error}"));
        archive.add(&format!("objects/{}/{hash}", &hash[..2]), objects.open_object(hash).map_err(lost)?)?;
    }
    let list = std::mem::take(&mut archive.list);
    archive.block(HASHES, list.len() as u64, &mut list.as_bytes())?;
    archive.out.write_all(&[0; 2 * BLOCK])?;
    archive.out.finish()?;
    Ok(named.len())
}

struct Archive {
    out: WholeFile,
    list: String,
}

impl Archive {
    fn add(&mut self, name: &str, file: File) -> Result<(), BackupError> {
        let length = file.metadata()?.len();
        let hash = self.block(name, length, &mut BufReader::new(file))?;
        self.list.push_str(&format!("{hash}  {name}\n"));
        Ok(())
    }

    fn block(&mut self, name: &str, length: u64, content: &mut dyn Read) -> Result<String, BackupError> {
        let size =
            usize::try_from(length).map_err(|_| BackupError::Damaged(format!("{name} is too large")))?;
        self.out.write_all(&tar_header(name, size))?;
        let mut hashing = Hashing { inner: &mut self.out, hasher: blake3::Hasher::new() };
        let copied = io::copy(&mut content.take(length), &mut hashing)?;
        let hash = hashing.hasher.finalize().to_hex().to_string();
        if copied != length {
            return Err(BackupError::Damaged(format!("{name} changed while it was read")));
        }
        self.out.write_all(&vec![0; size.next_multiple_of(BLOCK) - size])?;
        Ok(hash)
    }
}

/// A writer that hashes what goes through.
struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Unpacks a backup into an empty place, and verifies every byte; the number of objects.
///
/// # Errors
/// Something is there, or the backup is damaged.
pub fn restore(from: &Path, database: &Path, objects_folder: &Path) -> Result<usize, BackupError> {
    let is_used = |folder: &Path| {
        std::fs::read_dir(folder)
            .is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name() != "tmp"))
    };
    if database.exists() || is_used(objects_folder) {
        return Err(BackupError::Exists);
    }
    let objects = Objects::open(objects_folder)?;
    let mut archive = BufReader::new(File::open(from)?);
    let (mut found, mut listed, mut count) = (String::new(), None, 0);
    while let Some((name, length)) = next_header(&mut archive)? {
        let mut content = (&mut archive).take(length);
        let hash = match name.as_str() {
            DATABASE => {
                let mut out = WholeFile::begin(database)?;
                let mut hashing = Hashing { inner: BufWriter::new(&mut out), hasher: blake3::Hasher::new() };
                io::copy(&mut content, &mut hashing)?;
                hashing.flush()?;
                let hash = hashing.hasher.finalize().to_hex().to_string();
                drop(hashing);
                out.finish()?;
                hash
            }
            HASHES => {
                let mut list = String::new();
                content.take(MAX_LIST_BYTES).read_to_string(&mut list)?;
                listed = Some(list);
                skip_padding(&mut archive, length)?;
                continue;
            }
            _ => {
                count += 1;
                object(&objects, &name, &mut content)?
            }
        };
        found.push_str(&format!("{hash}  {name}\n"));
        skip_padding(&mut archive, length)?;
    }
    if listed.as_deref() != Some(found.as_str()) {
        return Err(BackupError::Damaged("its files are not those of its list".to_owned()));
    }
    Ok(count)
}

fn object(objects: &Objects, name: &str, content: &mut dyn Read) -> Result<String, BackupError> {
    let mut writing = objects.begin()?;
    let mut block = vec![0; 256 << 10];
    loop {
        let bytes = content.read(&mut block)?;
        if bytes == 0 {
            break;
        }
        writing.write(&block[..bytes])?;
    }
    let hash = writing.finish()?.hash;
    if *name == format!("objects/{}/{hash}", &hash[..2]) {
        Ok(hash)
    } else {
        Err(BackupError::Damaged(format!("{name:.100} has other bytes")))
    }
}

/// Path and length of the next file; none at the end.
fn next_header(archive: &mut dyn Read) -> Result<Option<(String, u64)>, BackupError> {
    let mut block = [0; BLOCK];
    archive.read_exact(&mut block).map_err(|_| BackupError::Damaged("it ends early".to_owned()))?;
    if block.iter().all(|byte| *byte == 0) {
        return Ok(None);
    }
    let text = |range: std::ops::Range<usize>| {
        let bytes = block[range].split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(bytes).trim().to_owned()
    };
    let wrong = || BackupError::Damaged("it is no backup of a contest".to_owned());
    let length = u64::from_str_radix(&text(124..136), 8).map_err(|_| wrong())?;
    if !block[257..].starts_with(b"ustar") {
        return Err(wrong());
    }
    Ok(Some((text(0..100), length)))
}

fn skip_padding(archive: &mut dyn Read, length: u64) -> Result<(), BackupError> {
    let padding = length.next_multiple_of(BLOCK as u64) - length;
    let skipped = io::copy(&mut archive.take(padding), &mut io::sink())?;
    if skipped == padding { Ok(()) } else { Err(BackupError::Damaged("it ends early".to_owned())) }
}
