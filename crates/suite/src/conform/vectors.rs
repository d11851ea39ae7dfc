//! The set of vectors: tiny inputs with the value of each metric on them, a version and a hash list.
//!
//! An expected value never changes inside of a major version. The set of this program's build is part of it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use metrics::Detail;
use report::{ConformAnswer, VectorsRecord};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Files by their path inside of a folder.
pub type VectorFiles = BTreeMap<String, Cow<'static, [u8]>>;

/// The files of the set, by path, collected by the build script.
static BUILTIN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// Name of the file with the version.
const VERSION_NAME: &str = "VERSION";
/// Name of the hash list, as `sha256sum` writes it.
const HASHES_NAME: &str = "SHA256SUMS";
/// Name of the expected values of a vector.
const EXPECTED_NAME: &str = "expected.json";

/// What a vector is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorKind {
    /// A map and its ground truth.
    Maps,
    /// A map file and the classes of its cells.
    Reader,
    /// An estimated and a true trajectory, perhaps with relations.
    Run,
}

impl VectorKind {
    /// The word in lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maps => "maps",
            Self::Reader => "reader",
            Self::Run => "run",
        }
    }
}

/// A value that a vector expects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// Id of the metric; `cell_classes` for readers.
    pub metric: String,
    /// Parameters that differ from the defaults.
    pub params: Detail,
    /// The value; none where the metric is undefined.
    pub value: Option<ConformAnswer>,
    /// `ok`, `warning` or `undefined`.
    pub status: String,
    /// Why there is no value, or what to keep in mind.
    pub reasons: Vec<String>,
    /// Where the value comes from: `hand`, `paper` or `reference`.
    pub source: String,
    /// Relative tolerance, where it is not that of all values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

/// Relative difference up to which two values are equal: sums may be taken in another order.
const DEFAULT_TOLERANCE: f64 = 1e-9;

impl Expected {
    /// Whether an answer is this value.
    #[must_use]
    pub fn is_met_by(&self, found: Option<&ConformAnswer>) -> bool {
        match (&self.value, found) {
            (Some(ConformAnswer::Number(wanted)), Some(ConformAnswer::Number(found))) => {
                let tolerance = self.tolerance.unwrap_or(DEFAULT_TOLERANCE);
                (found - wanted).abs() <= tolerance * wanted.abs().max(1.0)
            }
            (wanted, found) => wanted.as_ref() == found,
        }
    }
}

/// One vector.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its folder in the set.
    pub name: String,
    /// What it is about.
    pub kind: VectorKind,
    /// Its inputs by file name.
    pub files: VectorFiles,
    /// Its values, in the order of the file.
    pub expected: Vec<Expected>,
}

impl Vector {
    /// The value of a metric with these parameters.
    #[must_use]
    pub fn expects(&self, metric: &str, params: &Detail) -> Option<&Expected> {
        self.expected.iter().find(|expected| expected.metric == metric && expected.params == *params)
    }

    /// A file as text; empty if there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> Cow<'_, str> {
        self.files.get(name).map_or_else(|| Cow::Borrowed(""), |bytes| String::from_utf8_lossy(bytes))
    }
}

/// A set of vectors whose bytes are those of its hash list.
#[derive(Clone, Debug)]
pub struct VectorSet {
    /// Version and hash.
    pub record: VectorsRecord,
    /// In the order of their names.
    pub vectors: Vec<Vector>,
    /// Every file of the set by its path.
    pub files: VectorFiles,
}

impl VectorSet {
    /// The set inside of this program.
    ///
    /// # Errors
    /// It does not agree with its hash list.
    pub fn builtin() -> Result<Self, String> {
        Self::of_files(
            BUILTIN.iter().map(|(name, bytes)| ((*name).to_owned(), Cow::Borrowed(*bytes))).collect(),
        )
    }

    /// A set of files by path, with `/` between folder and name.
    ///
    /// # Errors
    /// Version or hash list are missing, a file is not that of the list, or a vector cannot be read.
    pub fn of_files(files: VectorFiles) -> Result<Self, String> {
        let hashes =
            files.get(HASHES_NAME).ok_or_else(|| format!("the hash list {HASHES_NAME} is missing"))?;
        let sha256 = hex(hashes);
        check_hashes(&files, &String::from_utf8_lossy(hashes))?;
        let version = files.get(VERSION_NAME).ok_or_else(|| format!("the file {VERSION_NAME} is missing"))?;
        let version = String::from_utf8_lossy(version).trim().to_owned();
        let mut folders: BTreeMap<&str, VectorFiles> = BTreeMap::new();
        for (path, bytes) in &files {
            if let Some((folder, name)) = path.split_once('/') {
                folders.entry(folder).or_default().insert(name.to_owned(), bytes.clone());
            }
        }
        let vectors = folders.into_iter().map(|(name, files)| vector_of(name, files));
        let vectors = vectors.collect::<Result<_, _>>()?;
        Ok(Self { record: VectorsRecord { version, sha256 }, vectors, files })
    }

    /// Whether its version is the wanted one, of which the last parts may be missing: `1.0` means `1.0.0` too.
    #[must_use]
    pub fn is_version(&self, wanted: &str) -> bool {
        let version = &self.record.version;
        version == wanted || version.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Ids of the metrics that have values, in the order in which they come up.
    #[must_use]
    pub fn metrics(&self) -> Vec<&str> {
        let mut ids = Vec::new();
        for expected in self.vectors.iter().flat_map(|vector| &vector.expected) {
            if !ids.contains(&expected.metric.as_str()) {
                ids.push(&expected.metric);
            }
        }
        ids
    }

    /// The parameters under which a metric has values, in the order in which they come up.
    #[must_use]
    pub fn variants(&self, metric: &str) -> Vec<&Detail> {
        let mut variants = Vec::new();
        let own = self.vectors.iter().flat_map(|vector| &vector.expected);
        for expected in own.filter(|expected| expected.metric == metric) {
            if !variants.contains(&&expected.params) {
                variants.push(&expected.params);
            }
        }
        variants
    }
}

/// Every file stands in the list with its hash, and the list has no other.
fn check_hashes(files: &VectorFiles, list: &str) -> Result<(), String> {
    let mut listed = BTreeMap::new();
    for (number, line) in list.lines().enumerate() {
        let (hash, name) = line
            .split_once("  ")
            .ok_or_else(|| format!("{HASHES_NAME}: line {}: expected a hash and a name", number + 1))?;
        listed.insert(name, hash);
    }
    if let Some(name) = listed.keys().find(|name| !files.contains_key(**name)) {
        return Err(format!("{name} is missing, but stands in {HASHES_NAME}"));
    }
    for (name, bytes) in files.iter().filter(|(name, _)| *name != HASHES_NAME) {
        match listed.get(name.as_str()) {
            None => return Err(format!("{name} does not stand in {HASHES_NAME}")),
            Some(hash) if **hash != hex(bytes) => {
                return Err(format!("{name} was changed: its hash is not that of {HASHES_NAME}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn vector_of(name: &str, mut files: VectorFiles) -> Result<Vector, String> {
    let has = |file: &str| files.contains_key(file);
    let kind = if has("truth.txt") && has("map.txt") {
        VectorKind::Maps
    } else if has("truth.tum") && has("estimate.tum") {
        VectorKind::Run
    } else if has("map.yaml") {
        VectorKind::Reader
    } else {
        return Err(format!("{name}: expected maps, a map file or trajectories"));
    };
    let expected =
        files.remove(EXPECTED_NAME).ok_or_else(|| format!("{name}: {EXPECTED_NAME} is missing"))?;
    let expected =
        serde_json::from_slice(&expected).map_err(|error| format!("{name}/{EXPECTED_NAME}: {error}"))?;
    Ok(Vector { name: name.to_owned(), kind, files, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_of_this_program_is_whole() {
        let set = VectorSet::builtin().unwrap();
        assert!(set.is_version("1") && set.is_version("1.0") && set.is_version("1.0.0"));
        assert!(!set.is_version("1.0.0.0") && !set.is_version("2") && !set.is_version("1."));
        let values: usize = set.vectors.iter().map(|vector| vector.expected.len()).sum();
        assert_eq!((set.vectors.len(), values), (53, 2697));
        for kind in [VectorKind::Maps, VectorKind::Reader, VectorKind::Run] {
            assert!(set.vectors.iter().any(|vector| vector.kind == kind), "{kind:?}");
        }
        let is_sourced =
            |expected: &Expected| ["hand", "paper", "reference"].contains(&expected.source.as_str());
        assert!(set.vectors.iter().flat_map(|vector| &vector.expected).all(is_sourced));
    }

    #[test]
    fn changed_missing_and_added_files_are_refused() {
        let files = VectorSet::builtin().unwrap().files;
        let refused = |change: &dyn Fn(&mut VectorFiles)| {
            let mut files = files.clone();
            change(&mut files);
            VectorSet::of_files(files).unwrap_err()
        };
        let changed = refused(&|files| {
            files.insert("e1/map.txt".to_owned(), Cow::Borrowed(b"#\n"));
        });
        assert!(changed.contains("e1/map.txt was changed"), "{changed}");
        let missing = refused(&|files| {
            files.remove("e1/map.txt");
        });
        assert!(missing.contains("e1/map.txt is missing"), "{missing}");
        let added = refused(&|files| {
            files.insert("e1/more.txt".to_owned(), Cow::Borrowed(b"#\n"));
        });
        assert!(added.contains("does not stand"), "{added}");
        assert!(refused(&|files| files.clear()).contains("SHA256SUMS"));
    }

    #[test]
    fn values_are_equal_up_to_their_tolerance() {
        let mut expected = VectorSet::builtin().unwrap().vectors[0].expected[0].clone();
        let number = |value: f64| Some(ConformAnswer::Number(value));
        expected.value = number(100.0);
        assert!(expected.is_met_by(number(100.0 + 9e-8).as_ref()));
        assert!(!expected.is_met_by(number(100.0 + 2e-7).as_ref()) && !expected.is_met_by(None));
        expected.tolerance = Some(1e-6);
        assert!(expected.is_met_by(number(100.0 + 2e-7).as_ref()));
        expected.value = None;
        assert!(expected.is_met_by(None) && !expected.is_met_by(number(0.0).as_ref()));
    }
}
