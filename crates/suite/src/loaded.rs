//! A value together with its origin: which files it was read from, and what the reader noticed.

use model::Finding;
use report::Input;
use serde::{Deserialize, Serialize};

use crate::Reading;

/// A value with where it came from and what was noticed while reading it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// The value itself.
    pub value: T,
    /// Its files; empty for a value that was made in memory.
    pub provenance: Provenance,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// The files behind a value, and how they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// Every file that the reader opened, the given one first.
    pub files: Vec<SourceRecord>,
    /// How the value was read, where a report states it.
    pub reading: Option<Reading>,
    /// Kinds of log records whose poses were taken, such as `odom`; empty for all scans.
    pub records: Vec<String>,
}

/// One file that a reader opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// The path as a report shows it: never absolute.
    pub path: String,
    /// BLAKE3 hash of its bytes, in hexadecimal.
    pub blake3: String,
    /// Stable name of the format; `image` for the image of a map.
    pub format: String,
    /// What a report appends to the role of the value, such as `_image`; empty for the given file.
    pub suffix: String,
}

impl<T> Loaded<T> {
    /// A value that was made in memory: no file stands behind it.
    pub fn in_memory(value: T) -> Self {
        Self { value, provenance: Provenance::default(), findings: Vec::new() }
    }

    /// Another value from the same files.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Loaded<U> {
        Loaded { value: change(self.value), provenance: self.provenance, findings: self.findings }
    }

    /// The files as entries of a report, under the role in which the value was used.
    pub fn inputs(&self, role: &str) -> Vec<Input> {
        let input = |file: &SourceRecord| Input {
            role: format!("{role}{}", file.suffix),
            path: file.path.clone(),
            blake3: file.blake3.clone(),
            format: file.format.clone(),
        };
        self.provenance.files.iter().map(input).collect()
    }

    /// The findings, each message led by the role in which the value was used.
    pub fn findings_as(&self, role: &str) -> Vec<Finding> {
        let led = |f: &Finding| Finding { message: format!("{role}: {}", f.message), ..f.clone() };
        self.findings.iter().map(led).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_role_is_given_where_the_value_is_used() {
        let file = |path: &str, suffix: &str| SourceRecord {
            path: path.to_owned(),
            blake3: "00".to_owned(),
            format: "ros_yaml".to_owned(),
            suffix: suffix.to_owned(),
        };
        let provenance =
            Provenance { files: vec![file("a.yaml", ""), file("a.pgm", "_image")], ..Provenance::default() };
        let findings = vec![Finding::warning("X", "odd")];
        let loaded = Loaded { value: 1, provenance, findings };
        let roles: Vec<String> = loaded.inputs("truth").into_iter().map(|input| input.role).collect();
        assert_eq!(roles, ["truth", "truth_image"]);
        assert_eq!(loaded.findings_as("map")[0].message, "map: odd");
        assert!(Loaded::in_memory(1).inputs("map").is_empty());
    }
}
