//! Transform files: how a map lies on the truth, how that was found and how sure it is.

use std::path::Path;

use align::Alignment;
use report::Input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::loader::Loader;
use crate::plan::with_nearest;
use crate::{Aligning, JobError};

/// The name of the schema of transform files.
pub const ALIGNMENT_SCHEMA: &str = "mapjudge.alignment/1";
/// A larger file is no transform file.
const MAX_BYTES: u64 = 16 << 20;

/// A transform file: `p_truth = scale * R(theta) * p_map + (x, y)`, how it was found and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlignmentFile {
    /// Always `mapjudge.alignment/1`.
    pub schema: String,
    /// The maps it is about.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// The parameters of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Aligning>,
    /// The transform with its certificate.
    pub alignment: Alignment,
}

impl AlignmentFile {
    /// The file as text.
    ///
    /// # Errors
    /// None that a finite transform can cause; the error is that of the JSON writer.
    pub fn to_json(&self) -> Result<String, JobError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| JobError::Transform { path: String::new(), message: error.to_string() })?;
        Ok(text + "\n")
    }

    /// Reads a transform file.
    ///
    /// # Errors
    /// The file cannot be read, is no transform file, or holds no usable transform.
    pub fn read(path: &Path) -> Result<Self, JobError> {
        let text = Loader::default().text(path, MAX_BYTES)?.value;
        let path = path.display().to_string();
        Self::parse(text.as_bytes()).map_err(|message| JobError::Transform { path, message })
    }

    /// Reads the bytes of a transform file.
    ///
    /// # Errors
    /// What was expected and found.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let file: Self = serde_json::from_slice(bytes).map_err(|error| with_nearest(&error.to_string()))?;
        if file.schema != ALIGNMENT_SCHEMA {
            return Err(format!("schema '{}': expected '{ALIGNMENT_SCHEMA}'", file.schema));
        }
        let transforms = file.alignment.hypotheses.iter().map(|hypothesis| hypothesis.truth_from_map);
        if let Some(bad) = file.alignment.truth_from_map.into_iter().chain(transforms).find(|t| !t.is_valid())
        {
            return Err(format!("transform {bad:?}: expected finite numbers and a scale above 0"));
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use align::Method;
    use model::Similarity2;

    use super::*;

    fn file(transform: Similarity2) -> AlignmentFile {
        AlignmentFile {
            schema: ALIGNMENT_SCHEMA.to_owned(),
            inputs: Vec::new(),
            parameters: None,
            alignment: Alignment::given(Method::Points, transform),
        }
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let file = file(Similarity2::new(1.5, -2.25, 0.1, 1.01));
        assert_eq!(AlignmentFile::parse(file.to_json().unwrap().as_bytes()), Ok(file));
    }

    #[test]
    fn senseless_files_are_refused() {
        let text = file(Similarity2::IDENTITY).to_json().unwrap();
        for (from, to) in [("alignment/1", "alignment/9"), ("\"scale\": 1.0", "\"scale\": 0.0"), ("{", "[")] {
            assert!(AlignmentFile::parse(text.replacen(from, to, 1).as_bytes()).is_err(), "{from} -> {to}");
        }
        assert!(AlignmentFile::parse(b"").is_err());
        let misspelt = text.replacen("truth_from_map", "truth_frm_map", 1);
        let error = AlignmentFile::parse(misspelt.as_bytes()).unwrap_err();
        assert!(error.contains("did you mean `truth_from_map`?"), "{error}");
    }
}
