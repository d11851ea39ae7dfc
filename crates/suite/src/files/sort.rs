//! What a file is that a command could not use, so that a message can name the command that can.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use formats::{Kind, ReadOptions, read_document};

/// Larger files are told by their ending alone: a message must not take seconds.
const MAX_BYTES: u64 = 64 << 20;
/// Enough to see what a text is.
const HEAD_BYTES: u64 = 1 << 20;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// Nothing; a file of a similar name beside it, where there is one.
    Missing(Option<PathBuf>),
    /// A folder without files.
    EmptyFolder,
    /// A folder; the file in it that a command could take.
    Folder(Option<PathBuf>),
    /// A file without bytes.
    Empty,
    /// A sound file of this kind.
    Content(Kind),
    /// A result of mapjudge: its schema, such as `mapjudge.report/1`.
    Result(String),
    /// Teams and their files.
    ContestFile,
    /// Rules of a contest.
    RuleProfile,
    /// Files to judge and how.
    JobFile,
    /// Rules such as `overall_error <= 5000`.
    LimitsFile,
    /// A zip, tar or similar archive.
    Archive,
    /// Nothing that is known, or a file that cannot be read.
    Unknown,
}

/// Looks at a file to tell what it is. Never fails: what cannot be read is [`FileSort::Unknown`].
#[must_use]
pub fn sort_of(path: &Path) -> FileSort {
    let Ok(metadata) = std::fs::metadata(path) else { return FileSort::Missing(similar_name(path)) };
    if metadata.is_dir() {
        return sort_of_folder(path);
    }
    if !metadata.is_file() {
        return FileSort::Unknown;
    }
    if metadata.len() == 0 {
        return FileSort::Empty;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    if read.is_err() {
        return FileSort::Unknown;
    }
    if let Some(sort) = own_file(&head) {
        return sort;
    }
    if metadata.len() > MAX_BYTES {
        return FileSort::Unknown;
    }
    match read_document(path, &ReadOptions::default()) {
        Ok(document) => FileSort::Content(document.content.kind()),
        Err(_) => FileSort::Unknown,
    }
}

/// Files that mapjudge itself writes or is steered by.
fn own_file(head: &[u8]) -> Option<FileSort> {
    if [&b"PK\x03\x04"[..], b"Rar!", b"7z\xBC\xAF\x27"].iter().any(|magic| head.starts_with(magic)) {
        return Some(FileSort::Archive);
    }
    let text = String::from_utf8_lossy(head);
    if text.trim_start().starts_with('{') {
        let schema = text.split("\"schema\"").nth(1)?.split('"').nth(1)?;
        return schema.starts_with("mapjudge.").then(|| FileSort::Result(schema.to_owned()));
    }
    if let Ok(table) = text.parse::<toml::Table>() {
        let has = |names: &[&str]| names.iter().any(|name| table.contains_key(*name));
        if has(&["teams", "missions"]) {
            return Some(FileSort::ContestFile);
        }
        if has(&["formula"]) {
            return Some(FileSort::RuleProfile);
        }
        if has(&["truth", "maps", "trajectories", "truth_trajectory"]) {
            return Some(FileSort::JobFile);
        }
        return None;
    }
    let mut rules = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_rule = |line: &str| {
        let starts_with_name = line.starts_with(|c: char| c.is_ascii_alphabetic());
        starts_with_name && (line.contains("<=") || line.contains(">="))
    };
    let first = rules.next()?;
    (is_rule(first) && rules.all(is_rule)).then_some(FileSort::LimitsFile)
}

fn sort_of_folder(path: &Path) -> FileSort {
    let mut files = files_in(path);
    if files.is_empty() {
        return FileSort::EmptyFolder;
    }
    files.sort();
    let ends_with = |ending: &str| files.iter().find(|file| file.extension().is_some_and(|e| e == ending));
    let contest = files.iter().find(|file| file.file_name().is_some_and(|name| name == "contest.toml"));
    let first =
        contest.or_else(|| ["yaml", "toml", "png", "pgm", "tif", "tum"].into_iter().find_map(ends_with));
    FileSort::Folder(first.cloned())
}

/// The name in the same folder that is nearest to one that does not exist.
fn similar_name(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names: Vec<String> = files_in(listed)
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned()))
        .collect();
    let nearest = report::nearest(&wanted, names.iter().map(String::as_str))?;
    Some(folder.join(nearest))
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_every_sort_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let sort = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            sort_of(&path)
        };
        assert_eq!(sort("empty.yaml", b""), FileSort::Empty);
        assert_eq!(
            sort("run.tum", b"1 0 0 0 0 0 0 1\n2 0 0 0 0 0 0 1\n"),
            FileSort::Content(Kind::Trajectory)
        );
        assert_eq!(sort("map.txt", b"###\n#.#\n"), FileSort::Content(Kind::Raster));
        let report = b"{\n  \"schema\": \"mapjudge.report/1\", \"x\": 1}";
        assert_eq!(sort("report.json", report), FileSort::Result("mapjudge.report/1".to_owned()));
        assert_eq!(sort("c.toml", b"[[teams]]\nname = \"a\"\n"), FileSort::ContestFile);
        assert_eq!(sort("j.toml", b"truth = \"t.yaml\"\nmaps = [\"m.yaml\"]\n"), FileSort::JobFile);
        assert_eq!(sort("limits.txt", b"# rules\noverall_error <= 5\n"), FileSort::LimitsFile);
        assert_eq!(sort("maps.zip", b"PK\x03\x04..."), FileSort::Archive);
        assert_eq!(sort("notes.md", b"# Notes\nHello\n"), FileSort::Unknown);
        let missing = sort_of(&folder.path().join("mpa.txt"));
        assert_eq!(missing, FileSort::Missing(Some(folder.path().join("map.txt"))));
        assert_eq!(sort_of(folder.path()), FileSort::Folder(Some(folder.path().join("empty.yaml"))));
        let nothing = tempfile::tempdir().unwrap();
        assert_eq!(sort_of(nothing.path()), FileSort::EmptyFolder);
    }
}
