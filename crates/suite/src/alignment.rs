//! `align MAP --truth MAP`: the transform with its certificate, and the transform file that every command accepts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use align::closed_form::PointPair;
use align::{Alignment, Verdict, align_points};
use formats::ReadOptions;
use metrics::fiducials::FiducialSearch;
use model::{Finding, Grid};
use report::Input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fiducials::{LayoutInput, align_by_fiducials};
use crate::illustrate::before_and_after;
use crate::inputs::MapInput;
use crate::{Aligning, JobError, SearchMethod};

/// The name of the schema of transform files.
pub const ALIGNMENT_SCHEMA: &str = "mapjudge.alignment/1";
/// A larger file is no transform file.
const MAX_BYTES: u64 = 16 << 20;

/// A transform file: `p_truth = scale * R(theta) * p_map + (x, y)`, how it was found and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// How the transform is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlignMethod {
    /// From the two maps alone.
    Search(SearchMethod),
    /// From a file of point pairs that a person clicked; the maps are only drawn.
    Points(PathBuf),
    /// From the barrels of a layout file that the map shows; the truth is only drawn.
    Fiducials(PathBuf),
}

/// What is to be aligned.
#[derive(Clone, Debug)]
pub struct AlignJob {
    /// The map.
    pub map: PathBuf,
    /// The truth.
    pub truth: PathBuf,
    /// How files are read.
    pub options: ReadOptions,
    /// The method.
    pub method: AlignMethod,
    /// Its parameters.
    pub aligning: Aligning,
}

/// An alignment, and what there is to say about it.
#[derive(Clone, Debug)]
pub struct Aligned {
    /// The file to print or write.
    pub file: AlignmentFile,
    /// What the readers and the search noticed.
    pub findings: Vec<Finding>,
    maps: [Arc<Grid>; 2],
}

impl Aligned {
    /// Writes alignment.json and the pictures into a folder.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn write_to(&self, folder: &Path) -> Result<(), JobError> {
        std::fs::create_dir_all(folder).map_err(|error| JobError::file(folder, error))?;
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).map_err(|error| JobError::file(path, error))
        };
        write("alignment.json", self.file.to_json()?.as_bytes())?;
        let [truth, map] = &self.maps;
        let figures = before_and_after(truth, map, self.file.alignment.truth_from_map)?;
        figures.iter().try_for_each(|figure| write(&figure.file_name(), figure.bytes()))
    }
}

/// Finds how a map lies on the truth.
///
/// # Errors
/// A file that cannot be read, or parameters that make no sense.
pub fn align_maps(job: &AlignJob) -> Result<Aligned, JobError> {
    let truth = MapInput::read(&job.truth, "truth", &job.options)?;
    let map = MapInput::read(&job.map, "map", &job.options)?;
    let alignment = match &job.method {
        AlignMethod::Search(method) => method.aligner(&job.aligning).align(&truth.grid, &map.grid)?,
        AlignMethod::Points(path) => align_points(&clicked(path)?, job.aligning.motion()),
        AlignMethod::Fiducials(path) => {
            let layout = LayoutInput::read(path, &job.options)?;
            align_by_fiducials(&layout.layout, &map.grid, FiducialSearch::default())
        }
    };
    let findings = truth.findings.iter().chain(&map.findings).cloned().chain(doubts(&alignment)).collect();
    let file = AlignmentFile {
        schema: ALIGNMENT_SCHEMA.to_owned(),
        inputs: truth.records.into_iter().chain(map.records).collect(),
        parameters: Some(job.aligning.clone()),
        alignment,
    };
    Ok(Aligned { file, findings, maps: [truth.grid, map.grid] })
}

/// The pairs of a file of clicks.
fn clicked(path: &Path) -> Result<Vec<PointPair>, JobError> {
    let bytes = std::fs::read(path).map_err(|error| JobError::file(path, error))?;
    let pairs = formats::read_point_pairs(&path.display().to_string(), &bytes)?;
    Ok(pairs.into_iter().map(|(in_map, in_truth)| PointPair { in_map, in_truth }).collect())
}

impl AlignmentFile {
    /// The file as text.
    ///
    /// # Errors
    /// None that a finite transform can cause; the error is that of the JSON writer.
    pub fn to_json(&self) -> Result<String, JobError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| JobError::Transform { path: PathBuf::new(), message: error.to_string() })?;
        Ok(text + "\n")
    }

    /// Reads a transform file.
    ///
    /// # Errors
    /// The file cannot be read, is no transform file, or holds no usable transform.
    pub fn read(path: &Path) -> Result<Self, JobError> {
        let size = std::fs::metadata(path).map_err(|error| JobError::no_transform_file(path, error))?.len();
        if size > MAX_BYTES {
            let message = format!("{size} bytes: expected a transform file of at most {MAX_BYTES} bytes");
            return Err(JobError::Transform { path: path.to_owned(), message });
        }
        let bytes = std::fs::read(path).map_err(|error| JobError::no_transform_file(path, error))?;
        Self::parse(&bytes).map_err(|message| JobError::Transform { path: path.to_owned(), message })
    }

    /// Reads the bytes of a transform file.
    ///
    /// # Errors
    /// What was expected and found.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let file: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
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

/// What a person should know before trusting an alignment.
pub(crate) fn doubts(alignment: &Alignment) -> Option<Finding> {
    let certificate = &alignment.certificate;
    let number = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |v| format!("{v:.3}"));
    let finding = match certificate.verdict {
        Verdict::Certain => return None,
        Verdict::Ambiguous => Finding::warning(
            "ALIGN_AMBIGUOUS",
            format!(
                "another frame fits about as well: score {} against {}{}",
                number(certificate.score),
                number(certificate.second_score),
                sliding(alignment)
            ),
        )
        .hint("give both origins or a transform file (--align FILE), or say --accept-ambiguous"),
        Verdict::Failed => Finding::warning("ALIGN_FAILED", "nothing in the map fits the truth")
            .hint("check that both files show the same place at the same scale, or search a scale"),
        Verdict::Mirrored => Finding::warning(
            "MAP_MIRRORED",
            format!(
                "the mirror image of the map fits better: score {} against {}",
                number(certificate.mirror_score),
                number(certificate.score)
            ),
        )
        .hint("export the map again with its y axis the right way up"),
    };
    Some(finding)
}

fn sliding(alignment: &Alignment) -> String {
    let slide = alignment.certificate.slide.filter(|slide| slide.forward_m + slide.backward_m > 0.0);
    slide.map_or_else(String::new, |slide| {
        format!(
            ", and the map may slide {:.2} m and {:.2} m along {:.0} degrees",
            slide.forward_m,
            slide.backward_m,
            slide.direction_rad.to_degrees()
        )
    })
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
    }
}
