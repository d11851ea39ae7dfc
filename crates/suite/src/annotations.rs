//! Reads what is written on a map or on the truth: vector layers, detection lists, and a trajectory as robot path.

use std::path::{Component, Path, PathBuf};

use formats::{Content, ReadOptions, read_document};
use metrics::annotation::inputs::{AnnotationInputs, Annotations};
use model::{Finding, Point2, Similarity2};
use report::Input;

use crate::JobError;
use crate::inputs::input_record;

/// Annotations that were read, with what the report says about their files.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnnotationFiles {
    pub(crate) annotations: Annotations,
    pub(crate) findings: Vec<Finding>,
    pub(crate) records: Vec<Input>,
}

impl AnnotationFiles {
    /// Reads files of annotations as `role`.
    ///
    /// # Errors
    /// A file cannot be read, or holds nothing that is written on maps.
    pub(crate) fn read(paths: &[PathBuf], role: &str, options: &ReadOptions) -> Result<Self, JobError> {
        let mut found = Self::default();
        for path in paths {
            let document = read_document(path, options)?;
            let named = |f: Finding| Finding { message: format!("{role}: {}", f.message), ..f };
            found.findings.extend(document.findings.into_iter().map(named));
            found.records.push(input_record(path, role, document.format)?);
            found.add(path, role, document.content)?;
        }
        Ok(found)
    }

    fn add(&mut self, path: &Path, role: &str, content: Content) -> Result<(), JobError> {
        match content {
            Content::Vector(layer) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                if !self.annotations.add_layer(&layer, |uri| is_beside(folder, uri)) {
                    let message =
                        format!("{role}: the layer '{}' is of no known kind and was not used", layer.name);
                    self.findings.push(Finding::warning("LAYER_NOT_USED", message).hint(
                        "name the file after its kind: victims, robot_path, responder_path, skeleton, groups, labels, hazards, snapshots",
                    ));
                }
            }
            Content::Detections(table) => self.annotations.add_detections(&table),
            Content::Trajectory(trajectory) => {
                let place = |[x_m, y_m, _]: [f64; 3]| Point2::new(x_m, y_m);
                let line =
                    trajectory.poses.iter().map(|pose| place(pose.world_from_robot.position_m)).collect();
                self.annotations.robot_paths.get_or_insert_default().push(line);
            }
            other => {
                return Err(JobError::NoAnnotations { path: path.to_owned(), found: other.kind().name() });
            }
        }
        Ok(())
    }
}

/// Whether a layer names a file in its own folder or below; nothing else is looked at.
fn is_beside(folder: &Path, uri: &str) -> bool {
    let path = Path::new(uri);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    is_inside && folder.join(path).is_file()
}

/// What both sides wrote, in the frame of the truth.
pub(crate) fn in_truth(
    map: &AnnotationFiles,
    truth: &AnnotationFiles,
    truth_from_map: Similarity2,
) -> AnnotationInputs {
    AnnotationInputs { map: map.annotations.clone().moved(truth_from_map), truth: truth.annotations.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_beside_a_layer_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pictures")).unwrap();
        std::fs::write(folder.path().join("pictures/a.png"), b"x").unwrap();
        let layers = folder.path().join("pictures");
        assert!(is_beside(folder.path(), "pictures/a.png") && is_beside(&layers, "./a.png"));
        assert!(!is_beside(folder.path(), "pictures"), "a folder is no picture");
        assert!(!is_beside(&layers, "../pictures/a.png"));
        assert!(!is_beside(&layers, &layers.join("a.png").display().to_string()), "absolute");
    }
}
