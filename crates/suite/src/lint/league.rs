//! Rules of contests: what must be handed in.

use formats::{Content, Document, Kind};
use model::{Finding, Level};

use super::Linted;

/// The virtual league of 2008 asks for a navigation layer or vector layers (Balaguer et al. 2009, section 3.1).
pub fn navigation_layer(document: &Document) -> Option<Finding> {
    match &document.content {
        Content::Raster(map) if map.grid.navigation().is_none() => Some(
            Finding::new(
                Level::Error,
                "NO_NAVIGATION_LAYER",
                "the map has no navigation layer of five colours",
            )
            .hint("paint cells black, green, white, blue or red, as the rules say"),
        ),
        Content::Raster(_) | Content::Vector(_) => None,
        other => Some(Finding::new(
            Level::Error,
            "WRONG_KIND_OF_FILE",
            format!("the profile asks for maps and vector layers, and this is a {}", other.kind().name()),
        )),
    }
}

/// The profile for trajectories takes nothing else.
pub fn is_trajectory(document: &Document) -> Option<Finding> {
    let kind = document.content.kind();
    (!matches!(kind, Kind::Trajectory | Kind::Relations | Kind::Log)).then(|| {
        let message = format!("the profile asks for a trajectory, and this is a {}", kind.name());
        Finding::new(Level::Error, "WRONG_KIND_OF_FILE", message)
    })
}

/// The rescue league asks for two slices, at 1 m and at 2 m height, and a detection list.
pub fn whole_submission(files: &mut [Linted]) {
    let names: Vec<String> =
        files.iter().map(|file| file.path.to_string_lossy().to_ascii_lowercase()).collect();
    let has = |part: &str| names.iter().any(|name| name.contains(part));
    let Some(first) = files.first_mut() else { return };
    if has("_1m") != has("_2m") {
        let message = "only one of the two map slices (1 m and 2 m height) is there";
        first
            .findings
            .push(Finding::warning("SLICE_MISSING", message).hint("hand in ..._1m.tif and ..._2m.tif"));
    }
    if !names.iter().any(|name| name.ends_with(".csv")) {
        let message = "no detection list (CSV) is among the files";
        first.findings.push(Finding::warning("DETECTIONS_MISSING", message).hint("hand in ..._pois.csv"));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_missing_slice_and_a_missing_list_are_noticed() {
        let codes = |names: &[&str]| {
            let linted = |name: &&str| Linted { path: PathBuf::from(name), findings: Vec::new() };
            let mut files: Vec<Linted> = names.iter().map(linted).collect();
            whole_submission(&mut files);
            files[0].findings.iter().map(|finding| finding.code.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(codes(&["a_1m.tif", "a_2m.tif", "a_pois.csv"]), [] as [&str; 0]);
        assert_eq!(codes(&["a_1m.tif"]), ["SLICE_MISSING", "DETECTIONS_MISSING"]);
    }
}
