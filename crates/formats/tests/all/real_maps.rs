//! Public maps made by real robots and simulators; skipped where the data is not beside the repository.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{Georeference, MapFile, ReadOptions, read_map};

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(yaml_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path, treat_205_as_unknown: bool) -> MapFile {
    let options = ReadOptions { treat_205_as_unknown, ..ReadOptions::default() };
    read_map(path, &options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_map_of_the_leo_comparison_has_the_205_trap_and_the_option_cures_it() {
    let Some(folder) = testkit::shared_data("slam-comparison-leo") else { return };
    let files = yaml_files(&folder);
    assert_eq!(files.len(), 12);
    for file in files {
        let as_is = read(&file, false);
        let pixels = std::fs::read(file.with_extension("pgm")).unwrap();
        let cells = as_is.grid.geometry().cells();
        let unknown = pixels[pixels.len() - cells..].iter().filter(|&&grey| grey == 205).count() as u64;
        let warning = as_is.finding("UNKNOWN_MAY_READ_AS_FREE").unwrap();
        assert!(warning.message.starts_with(&format!("{unknown} cells of grey 205")), "{}", file.display());
        if file.ends_with("ground_truths/office_ground_truth.yaml") {
            assert_eq!(unknown, 96_321);
        }
        let cured = read(&file, true);
        assert!(cured.finding("UNKNOWN_MAY_READ_AS_FREE").is_none());
        let [free_before, unknown_before, occupied_before] = as_is.grid.class_counts();
        let expected = [free_before - unknown, unknown_before + unknown, occupied_before];
        assert_eq!(cured.grid.class_counts(), expected, "{}", file.display());
        assert_eq!(as_is.georeference, Georeference::FromFile);
    }
}

#[test]
fn maps_of_four_public_collections_are_read() {
    for (set, expected) in [
        ("ros-maps", 5),
        ("turtlebot3-gmapping-variants", 23),
        ("strands-maps", 9),
        ("slam-comparison-leo", 12),
    ] {
        let Some(folder) = testkit::shared_data(set) else { continue };
        let files = yaml_files(&folder);
        assert_eq!(files.len(), expected, "{set}");
        for file in files {
            let map = read(&file, false);
            assert_eq!(map.sources.len(), 2, "{}", file.display());
            assert_eq!(map.grid.geometry().cell_size_m(), 0.05, "{}", file.display());
        }
    }
}

#[test]
fn a_path_of_somebody_elses_computer_is_found_beside_the_yaml() {
    let Some(folder) = testkit::shared_data("turtlebot3-gmapping-variants") else { return };
    for name in ["reference_map.yaml", "maps/gmapping_cd.yaml"] {
        let map = read(&folder.join(name), false);
        assert!(map.finding("IMAGE_FOUND_ELSEWHERE").is_some(), "{name}");
    }
}
