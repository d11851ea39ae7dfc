//! What numbers are chosen by, and what is only reported: the two halves of every set of data.

use std::path::{Path, PathBuf};

/// Which half of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Numbers are chosen by it.
    Tuning,
    /// Nothing is chosen by it; it is run to report.
    HeldOut,
}

/// The half of a place (all maps of one place belong to one half): by the parity of a hash (CRC-32) of its name.
pub fn half_of(place: &str) -> Half {
    if crc32fast::hash(place.as_bytes()).is_multiple_of(2) { Half::Tuning } else { Half::HeldOut }
}

/// Files of a folder with this ending, sorted; none if it is absent.
pub fn sorted(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
}

/// The name of a file without its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
