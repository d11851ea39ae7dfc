//! One file into another format, where that makes sense. What would lose meaning is refused unless told.

use std::path::{Path, PathBuf};

use formats::{
    Content, MapFile, ReadOptions, read_document, write_pgm, write_png, write_ros_map, write_text_grid,
};
use model::Pose2;

use crate::JobError;

/// Whether meaning may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Refuse.
    Refused,
    /// Go on.
    Accepted,
}

/// What a conversion wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Files written, the given one first.
    pub files: Vec<PathBuf>,
    /// What was lost, one sentence each.
    pub lost: Vec<&'static str>,
}

/// The bytes of one or more files, the main one first, and what they cannot hold.
struct Written {
    files: Vec<(PathBuf, Vec<u8>)>,
    lost: Vec<&'static str>,
}

/// Reads a file and writes it in the format that the ending of `output` names.
///
/// # Errors
/// The input cannot be read, its kind cannot be written under that ending, meaning would be lost, or the output
/// cannot be written.
pub fn convert(
    input: &Path,
    output: &Path,
    options: &ReadOptions,
    loss: Loss,
) -> Result<Converted, JobError> {
    let document = read_document(input, options)?;
    let ending = output.extension().map_or_else(String::new, |e| e.to_string_lossy().to_ascii_lowercase());
    let written = match &document.content {
        Content::Raster(map) => raster(map, &ending, output)?,
        _ => None,
    };
    let kind = document.content.kind().name();
    let written = written.ok_or(JobError::NoConversion { kind, ending })?;
    if loss == Loss::Refused && !written.lost.is_empty() {
        return Err(JobError::WouldLose { output: output.to_owned(), lost: written.lost });
    }
    for (path, bytes) in &written.files {
        std::fs::write(path, bytes).map_err(|source| JobError::file(path, source))?;
    }
    Ok(Converted { files: written.files.into_iter().map(|(path, _)| path).collect(), lost: written.lost })
}

fn raster(map: &MapFile, ending: &str, output: &Path) -> Result<Option<Written>, JobError> {
    let grid = &map.grid;
    let single = |bytes: Vec<u8>| vec![(output.to_owned(), bytes)];
    let (files, holds_place, holds_probabilities, holds_navigation) = match ending {
        "yaml" | "yml" => {
            let image = output.with_extension("pgm");
            let name = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (yaml, pgm) = write_ros_map(grid, &name);
            (vec![(output.to_owned(), yaml.into_bytes()), (image, pgm)], true, false, false)
        }
        "pgm" => (single(write_pgm(grid)), false, false, false),
        "png" => {
            let png = write_png(grid).map_err(|source| JobError::file(output, source))?;
            (single(png), false, false, false)
        }
        "txt" | "grid" => (single(write_text_grid(grid).into_bytes()), true, true, true),
        _ => return Ok(None),
    };
    let mut lost = Vec::new();
    let geometry = grid.geometry();
    if !holds_place
        && (geometry.origin() != Pose2::IDENTITY || map.georeference != formats::Georeference::Assumed)
    {
        lost.push("resolution and origin");
    }
    if !holds_probabilities && grid.probabilities().is_some() {
        lost.push("probabilities");
    }
    if !holds_navigation && grid.navigation().is_some() {
        lost.push("navigation classes");
    }
    Ok(Some(Written { files, lost }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(name: &str, content: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn to(input: &Path, output: &Path, loss: Loss) -> Result<Converted, JobError> {
        convert(input, output, &ReadOptions::default(), loss)
    }

    #[test]
    fn a_map_goes_there_and_back_unchanged() {
        let text = "resolution: 0.5\norigin: 1 2 0\n##.\n?..\n";
        let (folder, path) = folder_with("map.txt", text);
        let yaml = folder.path().join("map.yaml");
        assert_eq!(to(&path, &yaml, Loss::Refused).unwrap().files.len(), 2);
        let back = folder.path().join("back.txt");
        to(&yaml, &back, Loss::Refused).unwrap();
        let read = |path: &Path| formats::read_map(path, &ReadOptions::default()).unwrap().grid;
        assert_eq!(read(&back), read(&path));
    }

    #[test]
    fn what_would_be_lost_is_said_and_refused_until_told() {
        let (folder, path) = folder_with("map.txt", "resolution: 0.5\norigin: 1 2 0\n0.2 0.9\n");
        let picture = folder.path().join("map.png");
        let refused = to(&path, &picture, Loss::Refused).unwrap_err().to_string();
        assert!(refused.contains("resolution and origin, probabilities"), "{refused}");
        assert!(!picture.exists());
        assert_eq!(to(&path, &picture, Loss::Accepted).unwrap().lost.len(), 2);
    }

    #[test]
    fn an_ending_that_cannot_hold_a_map_is_refused() {
        let (folder, path) = folder_with("map.txt", "##\n");
        assert!(matches!(
            to(&path, &folder.path().join("map.tum"), Loss::Accepted),
            Err(JobError::NoConversion { .. })
        ));
    }
}
