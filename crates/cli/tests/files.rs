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
