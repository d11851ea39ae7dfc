//! The files of a result, written beside their places and moved there together when all of them are whole.
//!
//! A full disk or a kill before the last byte leaves the earlier result as it is. After that files are only renamed. A
//! list of what was written, with hashes, tells the next run what it may remove: nothing that somebody else wrote or
//! changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::JobError;
use crate::files::OutputFolder;
use crate::files::loader::Loader;

/// The list of what was written: a path and its hash per line.
const LIST: &str = ".mapjudge-files";
/// Where lists wait for their place.
const LISTS: &str = ".lists";
/// A longer list is none of ours.
const MAX_LIST_BYTES: u64 = 64 << 20;

/// Files that are written and not yet at their places; they go with this value unless they are published.
pub(super) struct Staged {
    folder: PathBuf,
    parts: OutputFolder,
    hashes: RefCell<BTreeMap<String, String>>,
}

impl Staged {
    /// Begins a result in a folder; what runs that were killed left there is removed.
    pub(super) fn begin(folder: &OutputFolder) -> Result<Self, JobError> {
        let folder = folder.path().to_owned();
        std::fs::create_dir_all(&folder).map_err(|source| JobError::output(&folder, source))?;
        remove_abandoned(&folder);
        let parts = OutputFolder::new(folder.join(part_name(std::process::id())));
        Ok(Self { folder, parts, hashes: RefCell::default() })
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), JobError> {
        self.parts.write(name, bytes.as_ref())?;
        let hash = blake3::hash(bytes.as_ref()).to_hex().to_string();
        self.hashes.borrow_mut().insert(name.to_owned(), hash);
        Ok(())
    }

    /// Moves everything to its place and removes what an earlier run wrote and this one did not.
    pub(super) fn publish(self) -> Result<(), JobError> {
        let now = self.hashes.take();
        let before = listed(&self.folder);
        // A run that is killed from here on leaves a list of both.
        let mut both = before.clone();
        both.extend(now.clone());
        let lists = [("both", &both), ("now", &now)];
        for (name, files) in lists {
            self.parts.write(&format!("{LISTS}/{name}"), list_of(files))?;
        }
        self.place(&format!("{LISTS}/both"), LIST)?;
        for name in now.keys() {
            self.place(name, name)?;
        }
        for (name, hash) in before.iter().filter(|(name, _)| !now.contains_key(*name)) {
            remove_own(&self.folder, name, hash);
        }
        self.place(&format!("{LISTS}/now"), LIST)
    }

    /// Moves a file that was written to its place.
    fn place(&self, part: &str, name: &str) -> Result<(), JobError> {
        let place = self.folder.join(name);
        let parent = place.parent().unwrap_or(&self.folder);
        let moved = std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::rename(self.parts.path().join(part), &place));
        moved.map_err(|source| JobError::output(&place, source))
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // The next run removes what stays.
        let _ = std::fs::remove_dir_all(self.parts.path());
    }
}

fn part_name(process: u32) -> String {
    format!(".mapjudge-{process}.part")
}

/// Removes the unfinished files of processes that are no more.
fn remove_abandoned(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(".mapjudge-").and_then(|rest| rest.strip_suffix(".part"));
        let Some(process) = process.and_then(|number| number.parse::<u32>().ok()) else { continue };
        if process == std::process::id() || !is_running(process) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    let asked = process.map(rustix::process::test_kill_process);
    asked.is_some_and(|asked| asked != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_: u32) -> bool {
    true
}

/// What an earlier run wrote here, by its own list.
fn listed(folder: &Path) -> BTreeMap<String, String> {
    let Ok(text) = Loader::default().text(&folder.join(LIST), MAX_LIST_BYTES) else { return BTreeMap::new() };
    let line = |line: &str| line.split_once('\t').map(|(hash, name)| (name.to_owned(), hash.to_owned()));
    text.value.lines().filter_map(line).collect()
}

fn list_of(files: &BTreeMap<String, String>) -> String {
    files.iter().map(|(name, hash)| format!("{hash}\t{name}\n")).collect()
}

/// Removes a file that still has the bytes that were written, and the folders that become empty by that.
fn remove_own(folder: &Path, name: &str, hash: &str) {
    let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let path = folder.join(name);
    let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    if !is_below || !is_file {
        return;
    }
    let mut hasher = blake3::Hasher::new();
    let read = std::fs::File::open(&path).and_then(|file| hasher.update_reader(file).map(|_| ()));
    if read.is_err() || hasher.finalize().to_hex().as_str() != hash {
        return;
    }
    // A file that stays is untidy, nothing else; so is an empty folder.
    let _ = std::fs::remove_file(&path);
    for parent in path.ancestors().skip(1).take_while(|parent| *parent != folder) {
        if std::fs::remove_dir(parent).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(next) = open.pop() {
            for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    true => open.push(path),
                    false => found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()),
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_result_is_replaced_as_a_whole_and_nothing_of_others_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let folder = OutputFolder::new(place.path().join("out"));
        let first = Staged::begin(&folder).unwrap();
        for name in [
            "index.html",
            "teams/a/sheet.html",
            "teams/a/old.png",
            "teams/b/sheet.html",
            "teams/c/sheet.html",
        ] {
            first.write(name, "1").unwrap();
        }
        first.publish().unwrap();
        std::fs::write(folder.path().join("teams/b/notes.txt"), "mine").unwrap();
        std::fs::write(folder.path().join("teams/c/sheet.html"), "signed").unwrap();
        std::fs::create_dir(folder.path().join(".mapjudge-4194305.part")).unwrap();
        let broken_off = Staged::begin(&folder).unwrap();
        broken_off.write("index.html", "2").unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("index.html")).unwrap(), "1");
        drop(broken_off);
        assert_eq!(names(folder.path()).len(), 7, "{:?}", names(folder.path()));
        let second = Staged::begin(&folder).unwrap();
        second.write("index.html", "2").unwrap();
        second.write("teams/a/sheet.html", "2").unwrap();
        second.publish().unwrap();
        let left = [LIST, "index.html", "teams/a/sheet.html", "teams/b/notes.txt", "teams/c/sheet.html"];
        assert_eq!(names(folder.path()), left);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no unfinished file stays");
    }

    #[test]
    fn a_list_that_names_files_elsewhere_removes_nothing() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("mine"), "x").unwrap();
        let hash = blake3::hash(b"x").to_hex();
        let folder = OutputFolder::new(place.path().join("out"));
        let absolute = place.path().join("mine");
        std::fs::create_dir(folder.path()).unwrap();
        let list = format!("{hash}\t../mine\n{hash}\t{}\nnonsense\n", absolute.display());
        std::fs::write(folder.path().join(LIST), list).unwrap();
        Staged::begin(&folder).unwrap().publish().unwrap();
        assert!(absolute.is_file());
    }
}
