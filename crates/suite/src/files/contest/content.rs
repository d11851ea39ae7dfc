//! Everything that a submission is read from, as one hash: no file of it is decoded for that.
//!
//! A reader opens files inside the folder of its team only. So the names and bytes of all files in there, with what the
//! contest file says about how they are found and read, decide what a submission is, companions, copies and files that
//! the linter alone looks at included.

use std::collections::BTreeMap;
use std::path::Path;

use blake3::Hasher;
use serde_json::json;

use super::contest_file::ContestFolder;
use super::floors::floors_content;
use super::mission_entry::MissionEntry;

/// Folders with more files are hashed by nobody: their submissions are measured in every run.
const MAX_ENTRIES: usize = 20_000;
const MAX_DEPTH: usize = 64;

impl ContestFolder {
    /// By mission, the hash of a team's submission; none if its folder holds too much.
    pub(super) fn contents_of(&self, team: usize) -> Vec<Option<String>> {
        let entry = &self.file.teams[team];
        let mut known: BTreeMap<&Path, Option<String>> = BTreeMap::new();
        let missions = self.file.missions.iter().enumerate();
        let of_mission = |(index, mission): (usize, &MissionEntry)| {
            let files = known.entry(self.team_folder(entry, mission)).or_insert_with_key(|folder| match self
                .resolved(folder)
            {
                Ok((folder, _)) => folder_hash(&folder),
                Err(why) => Some(blake3::hash(why.as_bytes()).to_hex().to_string()),
            });
            let frame = self.frame_path(entry, mission).map(|path| file_hash(&self.folder.join(path)));
            Some(self.content((team, index), files.as_ref()?, frame.as_deref()))
        };
        missions.map(of_mission).collect()
    }

    /// The hash of a submission from those of its files and of its transform file, by the numbers of team and mission. No
    /// file is opened: whoever keeps files under their hashes knows both.
    #[must_use]
    pub fn content(&self, (team, mission): (usize, usize), files: &str, frame: Option<&str>) -> String {
        let (entry, at) = (&self.file.teams[team], &self.file.missions[mission]);
        // A role that the truth names is expected, and its missing file a finding.
        let expected: Vec<_> = self.file.truth.keys().chain(at.truth.keys()).collect();
        let own = entry.missions.get(&at.name);
        // An entry that says something else about the mission says nothing about its files.
        let own_files = own.map(|own| &own.files).filter(|files| !files.is_empty());
        let all = json!({
            "folder": [json!(self.team_folder(entry, at).to_string_lossy()), json!(files)],
            "mission": at.name,
            "files": [json!(self.file.files), json!(at.files), json!(entry.files), json!(own_files)],
            "broken": own.and_then(|own| own.broken.as_ref()),
            "expected": expected,
            "floors": floors_content(&self.file, at),
            "resolution_m": entry.resolution_m,
            "start_pose": entry.start_pose,
            "frame": self.frame_path(entry, at).map(|path| (path.to_owned(), frame)),
        });
        blake3::hash(all.to_string().as_bytes()).to_hex().to_string()
    }
}

/// A hash of the names and bytes of everything below a folder. Links are not followed: what lies behind one is hashed
/// at its own place, or lies outside and is never read.
fn folder_hash(folder: &Path) -> Option<String> {
    let mut hasher = Hasher::new();
    let mut entries_left = MAX_ENTRIES;
    add_folder(&mut hasher, folder, &mut entries_left, 0)?;
    Some(hasher.finalize().to_hex().to_string())
}

fn add_folder(hasher: &mut Hasher, folder: &Path, entries_left: &mut usize, depth: usize) -> Option<()> {
    let listing = match std::fs::read_dir(folder) {
        Ok(listing) => listing.take(*entries_left + 1),
        Err(error) => {
            add(hasher, b"unreadable", error.kind().to_string().as_bytes());
            return Some(());
        }
    };
    let mut names: Vec<_> = listing.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    *entries_left = entries_left.checked_sub(names.len()).filter(|_| depth < MAX_DEPTH)?;
    names.sort();
    for name in names {
        let path = folder.join(&name);
        add(hasher, b"name", name.as_encoded_bytes());
        let Ok(kind) = path.symlink_metadata().map(|meta| meta.file_type()) else { continue };
        if kind.is_dir() {
            add(hasher, b"folder", b"");
            add_folder(hasher, &path, entries_left, depth + 1)?;
            add(hasher, b"end", b"");
        } else if kind.is_file() {
            add(hasher, b"file", file_hash(&path).as_bytes());
        } else if kind.is_symlink() {
            let target = path.read_link().unwrap_or_default();
            add(hasher, b"link", target.as_os_str().as_encoded_bytes());
            add(hasher, b"leads to", &[u8::from(path.is_file()), u8::from(path.is_dir())]);
        } else {
            // Pipes and devices are never opened.
            add(hasher, b"other", b"");
        }
    }
    Some(())
}

/// The hash of a file's bytes, or why it has none.
fn file_hash(path: &Path) -> String {
    let mut hasher = Hasher::new();
    let read = std::fs::File::open(path).and_then(|file| hasher.update_reader(file).map(|_| ()));
    read.map_or_else(|error| error.kind().to_string(), |()| hasher.finalize().to_hex().to_string())
}

/// Adds a word and bytes so that no two lists of them give the same stream.
fn add(hasher: &mut Hasher, word: &[u8], bytes: &[u8]) {
    for part in [word, bytes] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_and_every_name_below_a_folder_counts() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let mut seen = vec![folder_hash(folder.path()).unwrap()];
        let mut changed = |what: &str| {
            let now = folder_hash(folder.path()).unwrap();
            assert!(!seen.contains(&now), "{what}");
            seen.push(now);
        };
        write("victims.mif", "a");
        changed("a file");
        write("victims.mid", "b");
        changed("a companion");
        write("victims.mid", "c");
        changed("a byte of the companion");
        write("deep/er/.hidden", "d");
        changed("a hidden file below");
        std::fs::rename(folder.path().join("victims.mid"), folder.path().join("victims.MID")).unwrap();
        changed("the case of a name");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("deep", folder.path().join("link")).unwrap();
            changed("a link");
        }
        assert_eq!(folder_hash(folder.path()), folder_hash(folder.path()));
        assert!(
            folder_hash(&folder.path().join("absent")).is_some(),
            "an absent folder is known to be absent"
        );
    }

    #[test]
    fn a_folder_of_too_many_files_has_no_hash() {
        let folder = tempfile::tempdir().unwrap();
        let deep = (0..=MAX_DEPTH).fold(folder.path().to_owned(), |path, _| path.join("d"));
        std::fs::create_dir_all(deep).unwrap();
        assert_eq!(folder_hash(folder.path()), None);
    }
}
