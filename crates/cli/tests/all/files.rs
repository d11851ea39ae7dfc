//! `mapjudge info` and `mapjudge lint` as a user runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&output.stderr)))
}

fn codes(file: &Value) -> Vec<String> {
    let findings = file["findings"].as_array().unwrap().iter();
    findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn info_follows_its_schema_and_leaves_absent_things_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.txt"), "resolution: 0.5\norigin: 1 2 0\n##.\n?..\n").unwrap();
    let info = json(&run(&["info", "map.txt", "--format", "json"], folder.path()));
    assert_eq!(info["schema"], "mapjudge.info/1");
    let file = &info["files"][0];
    assert_eq!(file["geotransform"], serde_json::json!([1.0, 0.5, 0.0, 3.0, 0.0, -0.5]));
    assert_eq!(file["layers"][0]["cells"], serde_json::json!({"free": 3, "occupied": 2, "unknown": 1}));
    assert!(file.get("counts").is_none() && file.get("time").is_none());
}

#[test]
fn lint_fails_on_errors_only_and_repairs_the_trap() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    write("map.pgm", b"P5 3 1 255\n\x00\xcd\xfe");
    write("map.yaml", b"image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n");
    write("broken.pgm", b"P5 9 9 255\n");
    let trapped = run(&["lint", "map.yaml", "--fix", "--format", "json"], folder.path());
    assert_eq!(trapped.status.code(), Some(0));
    assert!(codes(&json(&trapped)["files"][0]).contains(&"UNKNOWN_MAY_READ_AS_FREE".to_owned()));
    assert!(String::from_utf8_lossy(&trapped.stderr).contains("free_thresh: 0.25 -> 0.196"));
    let cured = json(&run(&["lint", "map.fixed.yaml", "--format", "json"], folder.path()));
    assert!(!codes(&cured["files"][0]).contains(&"UNKNOWN_MAY_READ_AS_FREE".to_owned()), "{cured}");
    let broken = run(&["lint", "map.yaml", "broken.pgm"], folder.path());
    assert_eq!(broken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&broken.stdout).contains("error: CANNOT_READ"));
}

fn yaml_maps(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            yaml_maps(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "yaml") {
            found.push(entry);
        }
    }
}

#[test]
fn known_good_maps_have_no_errors_and_the_trap_is_found_wherever_it_is() {
    for set in ["slam-comparison-leo", "ros-maps", "strands-maps"] {
        let Some(data) = testkit::shared_data(set) else { continue };
        let mut maps = Vec::new();
        yaml_maps(&data, &mut maps);
        let is_map =
            |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_default().contains("free_thresh");
        for path in maps.iter().filter(|path| is_map(path)) {
            let output = run(&["lint", path.to_str().unwrap(), "--format", "json"], &data);
            let file = json(&output)["files"][0].clone();
            assert_eq!(output.status.code(), Some(0), "{}: {file}", path.display());
            let trapped = codes(&file).contains(&"UNKNOWN_MAY_READ_AS_FREE".to_owned());
            assert!(trapped || set != "slam-comparison-leo", "{}", path.display());
        }
    }
}

fn all_files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let ending = entry.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if entry.is_dir() {
            all_files(&entry, endings, found);
        } else if endings.contains(&ending.as_str()) {
            found.push(entry);
        }
    }
}

#[test]
fn every_map_of_the_public_sets_opens() {
    let sets = [
        "ros-maps",
        "slam-comparison-leo",
        "turtlebot3-gmapping-variants",
        "strands-maps",
        "halmstad-robot-maps",
        "room-segmentation-ipa",
    ];
    for set in sets {
        let Some(data) = testkit::shared_data(set) else { continue };
        let mut maps = Vec::new();
        all_files(&data, &["pgm", "png", "bmp"], &mut maps);
        let named: Vec<&str> = maps.iter().map(|path| path.to_str().unwrap()).collect();
        for some in named.chunks(20) {
            let output = run(&[&["info", "--format", "json"], some].concat(), &data);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{set}: {message}");
            assert_eq!(json(&output)["files"].as_array().unwrap().len(), some.len(), "{set}");
        }
    }
}

#[test]
fn files_of_every_kind_go_to_another_format_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    write("map.txt", "resolution: 0.5\norigin: 1 2 0\n##.\n?..\n");
    write("layer.txt", "resolution: 0.5\norigin: 1 2 0\nggk\nwbr\n");
    write("run.tum", "1.5 1 2 0 0 0 0 1\n2.5 2 2 0 0 0 0 1\n");
    write("run.g2o", "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\nEDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n");
    write("ties.relations", "1 2 0.5 0 0 0 0 0.1\n2 3 0.5 0 0 0 0 0.1\n");
    write(
        "victims.geojson",
        r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry":
        {"type": "Point", "coordinates": [12.5, -3.25]}, "properties": {"ID": "v1", "STATUS": "alive"}}]}"#,
    );
    for (from, there, back) in [
        ("map.txt", "map.tif", "back.txt"),
        ("map.txt", "map.yaml", "back.txt"),
        ("layer.txt", "layer.tif", "back.txt"),
        ("run.tum", "run.poses", "back.tum"),
        ("run.tum", "run.kitti", "back.tum"),
        ("run.g2o", "again.g2o", "back.g2o"),
        ("ties.relations", "again.relations", "back.relations"),
        ("victims.geojson", "victims.mif", "back.geojson"),
    ] {
        for (input, output) in [(from, there), (there, back)] {
            let result = run(&["convert", input, output, "--lossy", "--force"], folder.path());
            let message = String::from_utf8_lossy(&result.stderr).into_owned();
            assert_eq!(result.status.code(), Some(0), "{input} -> {output}: {message}");
        }
        let facts = |name: &str| {
            let mut file = json(&run(&["info", name, "--format", "json"], folder.path()))["files"][0].clone();
            for key in ["path", "format", "findings", "crs", "layers", "time"] {
                file.as_object_mut().unwrap().remove(key);
            }
            file
        };
        assert_eq!(facts(from), facts(back), "{from} by way of {there}");
    }
}

#[test]
fn a_topic_of_a_bag_becomes_a_trajectory() {
    let Some(data) = testkit::shared_data("ros-bags") else { return };
    let folder = tempfile::tempdir().unwrap();
    let bag = data.join("slam_gmapping_test_data/test_replay_crash.bag");
    if !bag.exists() {
        testkit::skip("test_replay_crash.bag of ros-bags is absent");
        return;
    }
    let bag = bag.to_str().unwrap();
    let result = run(&["convert", bag, "scans.log", "--topic", "/scan", "--lossy"], folder.path());
    assert_eq!(result.status.code(), Some(0), "{}", String::from_utf8_lossy(&result.stderr));
    let info = json(&run(&["info", "scans.log", "--format", "json"], folder.path()));
    assert_eq!(info["files"][0]["counts"]["scans"], 136);
    assert_eq!(info["files"][0]["counts"]["beams"], 381);
}

#[test]
fn profiles_have_the_names_of_the_documentation() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.txt"), "##\n#.\n").unwrap();
    for profile in ["general", "ros-map", "virtual-league-2008", "rescue-league", "trajectory"] {
        let output = run(&["lint", "map.txt", "--profile", profile], folder.path());
        assert!(output.status.code() < Some(2), "{profile}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(run(&["lint", "map.txt", "--profile", "other"], folder.path()).status.code(), Some(2));
}

#[test]
fn a_repaired_map_scores_the_same_apart_from_the_cured_cells() {
    let Some(data) = testkit::shared_data("slam-comparison-leo") else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["office_ground_truth.yaml", "office_ground_truth.pgm"] {
        let from = data.join("ground_truths").join(name);
        if !from.exists() {
            testkit::skip(&format!("{name} of slam-comparison-leo is absent"));
            return;
        }
        std::fs::copy(from, folder.path().join(name)).unwrap();
    }
    run(&["lint", "office_ground_truth.yaml", "--fix"], folder.path());
    let maps = [
        "score",
        "office_ground_truth.fixed.yaml",
        "--truth",
        "office_ground_truth.yaml",
        "--format",
        "json",
    ];
    let report = json(&run(&maps, folder.path()));
    let value = |id: &str| {
        let metrics = report["cases"][0]["metrics"].as_array().unwrap();
        metrics.iter().find(|m| m["id"] == id).unwrap()["value"].as_f64().unwrap()
    };
    assert_eq!(value("overall_error"), 0.0, "no wall moved");
    // 96321 cells became unknown, each a quarter away from free.
    assert_eq!(value("map_score_collins"), 96_321.0 / 4.0);
}
