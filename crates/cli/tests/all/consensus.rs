//! `mapjudge consensus` and `align --method fiducials` as a user runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn mapjudge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    let output = mapjudge(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn maps_of_one_place_are_judged_by_each_other() {
    let folder = tempfile::tempdir().unwrap();
    stdout(folder.path(), &["demo", "demo"]);
    let maps = ["demo/noise.yaml", "demo/thick_walls.yaml", "demo/truth.yaml"];
    let arguments =
        [&["consensus"], &maps[..], &["--metrics", "picture_distance", "--format", "json", "--out", "out"]];
    let report: Value = serde_json::from_str(&stdout(folder.path(), &arguments.concat())).unwrap();
    assert_eq!(report["cases"].as_array().unwrap().len(), 3);
    for case in report["cases"].as_array().unwrap() {
        assert_eq!(case["alignment"]["method"], "consensus");
        assert!(case["metrics"][0]["value"].as_f64().unwrap() < 2.0, "{case}");
    }
    assert!(folder.path().join("out/report.html").is_file());
    stdout(folder.path(), &["score", "out/consensus.yaml", "--truth", "demo/truth.yaml"]);
}

#[test]
fn two_maps_are_no_consensus_and_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let output = mapjudge(folder.path(), &["consensus", "a.yaml", "b.yaml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hint: give at least three maps"));
}

#[test]
fn barrels_give_the_frame_of_a_map() {
    let arena = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/arena");
    let arguments =
        ["align", "map.yaml", "--truth", "map.yaml", "--method", "fiducials", "--layout", "arena.toml"];
    let file: Value =
        serde_json::from_str(&stdout(&arena, &[&arguments[..], &["--format", "json"]].concat())).unwrap();
    let alignment = &file["alignment"];
    assert_eq!(alignment["method"], "fiducials");
    assert_eq!(alignment["certificate"]["verdict"], "certain", "{alignment}");
    let turn_deg = alignment["truth_from_map"]["theta_rad"].as_f64().unwrap().to_degrees();
    assert!((turn_deg.abs() - 7.0).abs() < 0.5, "the map was turned by seven degrees: {turn_deg}");
    let output = mapjudge(&arena, &["align", "map.yaml", "--truth", "map.yaml", "--method", "fiducials"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--layout FILE"));
}
