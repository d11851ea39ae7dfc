//! Files under the hash of their bytes: `ab/<blake3>`. What is there is whole and on the disk; no link is followed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Files that are being written lie here, on the same file system.
const UNFINISHED: &str = "tmp";

/// A folder of objects.
#[derive(Clone, Debug)]
pub struct Objects {
    folder: PathBuf,
}

/// An object that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// blake3 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// Number of its bytes.
    pub bytes: u64,
}

impl Objects {
    /// A folder, made if it is not there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder.join(UNFINISHED))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Removes what an ended program left unfinished. Only while no other program writes.
    pub fn remove_unfinished(&self) {
        let entries = fs::read_dir(self.folder.join(UNFINISHED)).into_iter().flatten().flatten();
        for entry in entries {
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Begins an object; it is there once it is finished.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn begin(&self) -> io::Result<Writing> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| io::Error::other("the system gives no random numbers"))?;
        let name: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.folder.join(UNFINISHED).join(name);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        let hasher = Box::new(blake3::Hasher::new());
        Ok(Writing { objects: self.clone(), path, file, hasher, bytes: 0 })
    }

    /// Keeps bytes.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn put(&self, bytes: &[u8]) -> io::Result<Object> {
        let mut writing = self.begin()?;
        writing.write(bytes)?;
        writing.finish()
    }

    /// Where an object lies, whether it is there or not.
    ///
    /// # Errors
    /// The text is no hash.
    pub fn path(&self, hash: &str) -> io::Result<PathBuf> {
        let is_hash = hash.len() == 64 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hash {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected 64 hexadecimal digits"));
        }
        Ok(self.folder.join(&hash[..2]).join(hash))
    }

    /// Opens an object: a file of this folder itself, not a link to another.
    ///
    /// # Errors
    /// It is not there or is a link.
    pub fn open_object(&self, hash: &str) -> io::Result<File> {
        let path = self.path(hash)?;
        let folder = path.parent().unwrap_or(&self.folder);
        if !fs::symlink_metadata(folder)?.is_dir() {
            return Err(io::Error::other("its folder is a link"));
        }
        let flags = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0);
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        Ok(file)
    }

    /// The bytes of an object.
    ///
    /// # Errors
    /// It is not there, or larger than `max_bytes`.
    pub fn read(&self, hash: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        let file = self.open_object(hash)?;
        let size = file.metadata()?.len();
        if size > max_bytes {
            return Err(io::Error::other(format!("{size} bytes: expected at most {max_bytes}")));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        file.take(max_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads an object to its end and compares it with its name.
    ///
    /// # Errors
    /// It is not there or has other bytes.
    pub fn check(&self, hash: &str) -> io::Result<u64> {
        let mut hasher = blake3::Hasher::new();
        let bytes = io::copy(&mut self.open_object(hash)?, &mut hasher)?;
        if hasher.finalize().to_hex().as_str() == hash {
            Ok(bytes)
        } else {
            Err(io::Error::other("its bytes are not those that were kept"))
        }
    }

    /// Free bytes of the disk.
    ///
    /// # Errors
    /// The system does not say.
    pub fn free_bytes(&self) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(&self.folder)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    fn place(&self, unfinished: &Path, hash: &str) -> io::Result<()> {
        let place = self.path(hash)?;
        let folder = place.parent().unwrap_or(&self.folder);
        if !folder.is_dir() {
            fs::create_dir_all(folder)?;
            File::open(&self.folder)?.sync_all()?;
        }
        if !fs::symlink_metadata(folder)?.is_dir() {
            return Err(io::Error::other("the folder of an object is a link"));
        }
        // Replaces whatever lies there, a link too, by the bytes of the hash.
        fs::rename(unfinished, &place)?;
        File::open(folder)?.sync_all()
    }
}

/// An object that is being written; dropped, it leaves nothing.
#[derive(Debug)]
pub struct Writing {
    objects: Objects,
    path: PathBuf,
    file: File,
    hasher: Box<blake3::Hasher>,
    bytes: u64,
}

impl Writing {
    /// Appends bytes.
    ///
    /// # Errors
    /// The disk refuses, being full for instance.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Number of bytes so far.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Puts the object into its place; it is on the disk when this returns.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn finish(self) -> io::Result<Object> {
        self.file.sync_all()?;
        let hash = self.hasher.finalize().to_hex().to_string();
        self.objects.place(&self.path, &hash)?;
        Ok(Object { hash, bytes: self.bytes })
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        // Gone already if it was finished.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects() -> (tempfile::TempDir, Objects) {
        let folder = tempfile::tempdir().unwrap();
        let objects = Objects::open(&folder.path().join("objects")).unwrap();
        (folder, objects)
    }

    #[test]
    fn an_object_has_the_name_of_its_bytes() {
        let (_folder, objects) = objects();
        let object = objects.put(b"map").unwrap();
        assert_eq!(object.hash, blake3::hash(b"map").to_hex().to_string());
        assert_eq!(objects.put(b"map").unwrap(), object, "twice is once");
        assert_eq!(objects.read(&object.hash, 3).unwrap(), b"map");
        assert!(objects.read(&object.hash, 2).is_err(), "too large");
        assert_eq!(objects.check(&object.hash).unwrap(), 3);
    }

    #[test]
    fn what_is_not_finished_is_not_there() {
        let (folder, objects) = objects();
        let mut writing = objects.begin().unwrap();
        writing.write(b"half").unwrap();
        let unfinished = || fs::read_dir(folder.path().join("objects/tmp")).unwrap().count();
        assert_eq!(unfinished(), 1);
        drop(writing);
        assert_eq!(unfinished(), 0);
        std::mem::forget(objects.begin().unwrap());
        objects.remove_unfinished();
        assert_eq!(unfinished(), 0);
    }

    #[test]
    fn no_link_is_followed_and_no_path_leads_out() {
        let (folder, objects) = objects();
        let secret = folder.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        let hash = blake3::hash(b"other").to_hex().to_string();
        fs::create_dir(folder.path().join("objects").join(&hash[..2])).unwrap();
        let place = objects.path(&hash).unwrap();
        std::os::unix::fs::symlink(&secret, &place).unwrap();
        assert!(objects.read(&hash, 100).is_err());
        assert!(objects.check(&hash).is_err());
        assert_eq!(objects.put(b"other").unwrap().hash, hash);
        assert_eq!(fs::read(&secret).unwrap(), b"secret", "the link was replaced, not followed");
        assert_eq!(objects.read(&hash, 100).unwrap(), b"other");
        fs::remove_file(&place).unwrap();
        fs::remove_dir(place.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(folder.path(), place.parent().unwrap()).unwrap();
        assert!(objects.put(b"other").is_err(), "a folder that is a link is refused");
        for name in ["../secret", "", "AB", &"g".repeat(64)] {
            assert!(objects.open_object(name).is_err());
        }
    }

    #[test]
    fn other_bytes_under_a_name_are_noticed() {
        let (_folder, objects) = objects();
        let object = objects.put(b"map").unwrap();
        fs::write(objects.path(&object.hash).unwrap(), "mab").unwrap();
        assert!(objects.check(&object.hash).is_err());
    }
}
