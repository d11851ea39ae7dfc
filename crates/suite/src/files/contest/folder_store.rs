//! Measurements kept as files in a folder.

use std::path::PathBuf;

use crate::contest::Store;

/// A longer entry is none of ours.
const MAX_ENTRY_BYTES: u64 = 256 << 20;

/// A store in a folder, one file per entry.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// A store in a folder, which need not exist.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

impl Store for FolderStore {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        crate::files::read_small(&self.path(key), MAX_ENTRY_BYTES).ok()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        // A run that is killed while it writes must not leave half an entry under the name of a whole one.
        let part = self.folder.join(format!("{key}.part"));
        let written = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&part, bytes));
        let _ = written.and_then(|()| std::fs::rename(&part, self.path(key)));
    }

    fn keep_only(&self, keys: &[String]) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(key) = name.strip_suffix(".json").or_else(|| name.strip_suffix(".part")) else {
                continue;
            };
            let is_ours = key.len() == 64 && key.bytes().all(|b| b.is_ascii_hexdigit());
            if is_ours && !keys.iter().any(|used| used == key) {
                // An entry that stays costs space, nothing else.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
