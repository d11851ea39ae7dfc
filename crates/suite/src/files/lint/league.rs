//! Rules of contests: what must be handed in.

use std::path::Path;

use formats::{Content, Document, Kind};
use model::{Finding, Level};

use super::Linted;
use super::positions::Ground;

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
        Content::Raster(_) | Content::Vector(_) | Content::Detections(_) => None,
        other => Some(Finding::new(
            Level::Error,
            "WRONG_KIND_OF_FILE",
            format!("the profile asks for maps and vector layers, and this is {}", other.kind().noun()),
        )),
    }
}

/// The virtual league of 2008 requires a vector layer of victims (section 3.1), also if there is none in it.
pub fn victims(files: &mut [Linted], grounds: &[Ground]) {
    let Some(first) = files.first_mut() else { return };
    if grounds.iter().any(|ground| ground.lists_victims) {
        return;
    }
    let marked: usize = grounds.iter().map(|ground| ground.red_marks).sum();
    let message = match marked {
        0 => "no file lists the victims, and none is marked in red".to_owned(),
        _ => format!("no file lists the victims; {marked} are marked in red in the navigation layer"),
    };
    first.findings.push(
        Finding::warning("VICTIMS_MISSING", message)
            .hint("hand in a vector layer of points called victims, with the columns ID, STATUS and T"),
    );
}

/// The profile for trajectories takes nothing else.
pub fn is_trajectory(document: &Document) -> Option<Finding> {
    let kind = document.content.kind();
    (!matches!(kind, Kind::Trajectory | Kind::Relations | Kind::Log)).then(|| {
        let message = format!("the profile asks for a trajectory, and this is a {}", kind.name());
        Finding::new(Level::Error, "WRONG_KIND_OF_FILE", message)
    })
}

/// The rescue league asks for GeoTIFFs in its colours. What is drawn in them is checked by the reader.
pub fn league_image(document: &Document) -> Vec<Finding> {
    if !matches!(document.content, Content::Raster(_)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if document.format != "geotiff" {
        let message = format!("the rules ask for a GeoTIFF, and this is {}", document.format);
        findings.push(Finding::warning("MAP_NOT_GEOTIFF", message).hint("mapjudge convert MAP map.tif"));
    }
    if !document.findings.iter().any(|finding| finding.code == "PALETTE_USED") {
        let message = "the map is not drawn in the colours of the league";
        let hint = "dark blue walls, white searched area, grey checkerboard where nothing was explored";
        findings.push(Finding::warning("NOT_LEAGUE_COLOURS", message).hint(hint));
    }
    findings
}

/// Rule books ask for `RoboCup<year>-<team>-<mission>`, and teams begin with `RC<year>` or `RoboCup<year>`.
pub fn name_form(path: &Path) -> Option<Finding> {
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let lower = name.to_ascii_lowercase();
    let rest = lower.strip_prefix("robocup").or_else(|| lower.strip_prefix("rc")).unwrap_or_default();
    let rest = rest.trim_start_matches(['-', '_']);
    let has_year = rest.len() >= 4 && rest.bytes().take(4).all(|byte| byte.is_ascii_digit());
    let parts = rest.split(['-', '_']).filter(|part| !part.is_empty()).count();
    (!has_year || parts < 3).then(|| {
        let message = format!("'{name}' does not say contest, year, team and mission");
        Finding::new(Level::Info, "NAME_NOT_LEAGUE_FORM", message)
            .hint("name files RoboCup<year>-<team>-<mission>-<time>")
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
    fn names_say_contest_year_team_and_mission() {
        let is_odd = |name: &str| name_form(Path::new(name)).is_some();
        for good in [
            "RoboCup2024-ALeRT-lap3_1m.tif",
            "RC2015_PANDORA_prelim1_qr.csv",
            "RoboCup-2012-Hector-final.tif",
        ] {
            assert!(!is_odd(good), "{good}");
        }
        for odd in ["map.tif", "RoboCup-ALeRT-lap3.tif", "RoboCup2024.tif"] {
            assert!(is_odd(odd), "{odd}");
        }
    }

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
