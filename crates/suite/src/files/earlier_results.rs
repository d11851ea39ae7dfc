//! Which files of a folder are results of an earlier run, and of which: the list `.mapjudge-results`.
//!
//! A run may replace what the same command made from the same inputs, as long as nobody has changed it since. Everything
//! else in a folder is somebody's: another command's result, or a person's file.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use super::read_small_text;

/// Name of the list in a folder of results.
pub(super) const LIST_NAME: &str = ".mapjudge-results";
/// A longer list is none of ours.
const MAX_LIST_BYTES: u64 = 16 << 20;
const HEADER: &str =
    "# Files that mapjudge wrote: by which run, their BLAKE3, their name. The same run replaces them.\n";

/// What a run is called, and what it reads: the same name twice is the same run again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunName {
    /// None for a run that cannot be repeated.
    key: Option<String>,
    /// Files that the run reads, without links. They are never written to.
    inputs: Vec<PathBuf>,
}

impl RunName {
    /// The run of a command on files and with `words` that choose the result, such as a seed.
    #[must_use]
    pub fn new(command: &str, inputs: &[PathBuf], words: &[&str]) -> Self {
        let inputs: Vec<PathBuf> = inputs.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let mut hasher = blake3::Hasher::new();
        let named = inputs.iter().map(|path| path.as_os_str().as_encoded_bytes());
        for part in named.chain(words.iter().map(|word| word.as_bytes())) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let digest = hasher.finalize().to_hex();
        Self { key: Some(format!("{}-{}", command.replace(' ', "-"), &digest[..16])), inputs }
    }

    /// Any run of a command, whatever it reads: the next one takes the place of the one before.
    #[must_use]
    pub fn of_command(command: &str, inputs: &[PathBuf]) -> Self {
        Self { key: Some(command.replace(' ', "-")), ..Self::new(command, inputs, &[]) }
    }

    /// The same run, if it can never be repeated, such as one that a live robot feeds.
    #[must_use]
    pub fn unrepeatable(self) -> Self {
        Self { key: None, ..self }
    }

    pub(super) fn is_input(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.inputs.contains(&path))
    }
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listed {
    run: String,
    hash: String,
    pub name: String,
}

/// The list of a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct EarlierResults {
    run: RunName,
    listed: BTreeSet<Listed>,
}

impl EarlierResults {
    /// The list of a folder, for a run that writes into it. A damaged line is left out: its file then counts as somebody's.
    pub fn read(folder: &Path, run: RunName) -> Self {
        let path = folder.join(LIST_NAME);
        let text = read_small_text(&path, MAX_LIST_BYTES).unwrap_or_default();
        let listed = text.lines().filter_map(|line| {
            let mut parts = line.splitn(3, ' ');
            let (run, hash, name) = (parts.next()?, parts.next()?, parts.next()?);
            // A list may come with a folder from elsewhere: no line of it leads out of the folder.
            let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            let is_line = hash.len() == 2 * blake3::OUT_LEN && !name.is_empty() && is_below;
            is_line.then(|| Listed { run: run.to_owned(), hash: hash.to_owned(), name: name.to_owned() })
        });
        Self { run, listed: listed.collect() }
    }

    pub fn run(&self) -> &RunName {
        &self.run
    }

    /// The line of a file of this run.
    pub fn line(&self, name: &str, bytes: &[u8]) -> Listed {
        let run = self.run.key.clone().unwrap_or_else(|| "once".to_owned());
        Listed { run, hash: blake3::hash(bytes).to_hex().to_string(), name: name.to_owned() }
    }

    /// Whether this run wrote these bytes under this name before.
    pub fn has(&self, name: &str, bytes: &[u8]) -> bool {
        self.run.key.is_some() && self.listed.contains(&self.line(name, bytes))
    }

    /// Names of the files that this run wrote before.
    pub fn names(&self) -> BTreeSet<String> {
        let own = self.listed.iter().filter(|listed| Some(&listed.run) == self.run.key.as_ref());
        own.map(|listed| listed.name.clone()).collect()
    }

    /// Text to append before files appear, so that a run that is killed knows them when it is repeated.
    pub fn appended(&self, lines: &[Listed]) -> String {
        let mut text = if self.listed.is_empty() { HEADER.to_owned() } else { String::new() };
        lines.iter().for_each(|line| add(&mut text, line));
        text
    }

    /// The list once a run is through: its files, and those of other runs that it did not replace.
    pub fn after(&self, lines: &[Listed]) -> String {
        let names: BTreeSet<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        let mut text = HEADER.to_owned();
        let is_left = |listed: &&Listed| {
            Some(&listed.run) != self.run.key.as_ref() && !names.contains(listed.name.as_str())
        };
        self.listed.iter().filter(is_left).chain(lines).for_each(|line| add(&mut text, line));
        text
    }
}

fn add(text: &mut String, line: &Listed) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{} {} {}", line.run, line.hash, line.name);
}
