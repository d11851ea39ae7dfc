//! Measurements kept as files in a folder, each with a keyed hash: an entry that this user's mapjudge did not write is
//! not believed.
//!
//! ```text
//! file = "mapjudge.cache/1 " + hex(blake3_keyed(secret, name of the entry + bytes)) + "\n" + bytes
//! ```
//!
//! The secret lies in the folder for states of programs of the user (see [`Secret`]), not beside the entries: whoever
//! can write to the folder of results, on a shared disk or a stick, can remove entries and nothing else. It does not
//! protect against the account of the judge, who could as well change the program or the results.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::secret::Secret;
use crate::contest::Store;

/// A longer entry is none of ours.
const MAX_ENTRY_BYTES: u64 = 256 << 20;
const HEAD: &str = "mapjudge.cache/1 ";

/// A store in a folder, one file per entry.
#[derive(Debug)]
pub struct FolderStore {
    folder: PathBuf,
    secret: Secret,
    refused: AtomicUsize,
}

impl FolderStore {
    /// A store in a folder, which need not exist.
    pub fn new(folder: impl Into<PathBuf>, secret: Secret) -> Self {
        Self { folder: folder.into(), secret, refused: AtomicUsize::new(0) }
    }

    /// Entries that were found and not believed.
    #[must_use]
    pub fn refused(&self) -> usize {
        self.refused.load(Ordering::Relaxed)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    fn head(&self, key: &str, bytes: &[u8]) -> String {
        format!("{HEAD}{}\n", self.secret.hash(key, bytes))
    }
}

impl Store for FolderStore {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.path(key);
        path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        let mut file = crate::files::read_small(&path, MAX_ENTRY_BYTES).ok()?;
        let length = file.iter().position(|byte| *byte == b'\n').map_or(file.len(), |end| end + 1);
        let bytes = file.split_off(length);
        if file == self.head(key, &bytes).as_bytes() {
            return Some(bytes);
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        None
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        // A run that is killed while it writes must not leave half an entry under the name of a whole one.
        let part = self.folder.join(format!("{key}.part"));
        let whole = [self.head(key, bytes).as_bytes(), bytes].concat();
        let written = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&part, whole));
        if written.and_then(|()| std::fs::rename(&part, self.path(key))).is_err() {
            // On a full disk every byte counts.
            let _ = std::fs::remove_file(&part);
        }
    }

    fn keep_only(&self, keys: &[String]) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let used: std::collections::BTreeSet<&str> = keys.iter().map(String::as_str).collect();
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let (key, is_whole) = match (name.strip_suffix(".json"), name.strip_suffix(".part")) {
                (Some(key), _) => (key, true),
                (_, Some(key)) => (key, false),
                _ => continue,
            };
            let is_ours = key.len() == 64 && key.bytes().all(|b| b.is_ascii_hexdigit());
            if is_ours && !(is_whole && used.contains(key)) {
                // An entry that stays costs space, nothing else.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_was_changed_moved_or_written_by_another_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderStore::new(folder.path(), Secret::of_bytes([7; 32]));
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        store.put(&a, b"{\"score\":1}");
        assert_eq!(store.get(&a).as_deref(), Some(&b"{\"score\":1}"[..]));
        assert_eq!((store.get(&b), store.refused()), (None, 0));
        std::fs::copy(store.path(&a), store.path(&b)).unwrap();
        assert_eq!((store.get(&b), store.refused()), (None, 1), "an entry under the name of another");
        let other = FolderStore::new(folder.path(), Secret::of_bytes([8; 32]));
        assert_eq!((other.get(&a), other.refused()), (None, 1), "another user's");
        let whole = std::fs::read(store.path(&a)).unwrap();
        for index in 0..whole.len() {
            let mut changed = whole.clone();
            changed[index] ^= 1;
            std::fs::write(store.path(&a), &changed).unwrap();
            assert_eq!(store.get(&a), None, "byte {index}");
            std::fs::write(store.path(&a), &whole[..index]).unwrap();
            assert_eq!(store.get(&a), None, "cut off at {index}");
        }
        std::fs::write(store.path(&a), b"{\"score\":1}").unwrap();
        assert_eq!(store.get(&a), None, "an entry without a hash");
    }

    #[test]
    fn only_entries_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderStore::new(folder.path(), Secret::of_bytes([7; 32]));
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        store.put(&a, b"1");
        store.put(&b, b"2");
        for name in ["notes.json".to_owned(), format!("{a}.part")] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        store.keep_only(std::slice::from_ref(&a));
        let mut names: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [format!("{a}.json").as_str(), "notes.json"]);
    }
}
