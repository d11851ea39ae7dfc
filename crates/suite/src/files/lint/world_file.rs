//! Rules for world files that are handed in: can they be read, and is their image there?

use std::path::Path;

use formats::{NamedBytes, check_world_file};
use model::{Finding, Level};

use crate::files::read_small;

/// Endings of world files.
const ENDINGS: [&str; 11] =
    ["tfw", "tifw", "tiffw", "pgw", "pngw", "bpw", "bmpw", "jgw", "jpgw", "jpegw", "wld"];
/// Endings of the images that they may belong to.
const IMAGES: [&str; 8] = ["tif", "tiff", "TIF", "png", "bmp", "jpg", "jpeg", "pgm"];
/// A world file is a few dozen bytes.
const MAX_BYTES: u64 = 4096;

/// Findings about a world file; none if the file is something else.
pub fn check(path: &Path) -> Option<Vec<Finding>> {
    is_world_file(path).then(|| {
        let mut findings = content(path).unwrap_or_else(|error| vec![error]);
        findings.extend(image_is_missing(path));
        findings
    })
}

/// True if the ending is that of a world file.
pub fn is_world_file(path: &Path) -> bool {
    path.extension().is_some_and(|e| ENDINGS.contains(&e.to_string_lossy().to_lowercase().as_str()))
}

fn content(path: &Path) -> Result<Vec<Finding>, Finding> {
    let unreadable = |message: String| Finding::new(Level::Error, "CANNOT_READ", message);
    let bytes = read_small(path, MAX_BYTES).map_err(|error| unreadable(error.to_string()))?;
    let name = path.display().to_string();
    check_world_file(NamedBytes { name: &name, bytes: &bytes }).map_err(|error| unreadable(error.to_string()))
}

/// A corrected copy belongs to the image of the original.
fn image_is_missing(path: &Path) -> Option<Finding> {
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let stem = stem.strip_suffix(".fixed").unwrap_or(&stem);
    let is_there = IMAGES.iter().any(|ending| path.with_file_name(format!("{stem}.{ending}")).is_file());
    (!is_there).then(|| {
        let message = format!("there is no image '{stem}.tif' beside this world file");
        let hint = "hand the image in; some installations of hector_geotiff cannot write TIFF";
        Finding::new(Level::Error, "WORLD_FILE_WITHOUT_IMAGE", message).hint(hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lonely_world_file_and_its_sign_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.tfw");
        std::fs::write(&path, "0.02\n0\n0\n0.02\n1\n2\n").unwrap();
        let codes = |path: &Path| {
            check(path).map(|found| found.iter().map(|f| f.code.to_string()).collect::<Vec<_>>())
        };
        assert_eq!(codes(&path).unwrap(), ["WORLD_FILE_Y_POSITIVE", "WORLD_FILE_WITHOUT_IMAGE"]);
        std::fs::write(folder.path().join("map.tif"), "image").unwrap();
        assert_eq!(codes(&path).unwrap(), ["WORLD_FILE_Y_POSITIVE"]);
        std::fs::write(&path, "0.02\n0\n").unwrap();
        assert_eq!(codes(&path).unwrap(), ["CANNOT_READ"]);
        assert_eq!(codes(&folder.path().join("map.tif")), None);
    }
}
