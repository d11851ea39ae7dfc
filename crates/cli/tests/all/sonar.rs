//! Sensors beside the laser as a user meets them: sonar, the vertical scanner, the elements of arenas.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn mapjudge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// What a command that must work prints.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = mapjudge(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(folder, &[arguments, &["--format", "json"]].concat())).unwrap()
}

/// What a command that must fail says, with its exit code.
fn refused(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = mapjudge(folder, arguments);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

const CORRIDOR: &str = "drawing = '''\n+---+---+---+---+\n| S             |\n+---+---+   +   +\n|               |\n+---+---+---+---+\n'''\n";

/// A run along a corridor and back, with more flags; its folder is `run`.
fn run(folder: &Path, flags: &[&str]) -> Value {
    std::fs::write(folder.join("plan.toml"), CORRIDOR).unwrap();
    std::fs::write(folder.join("points.txt"), "0.6 1.8\n4.2 1.8\n4.2 0.6\n0.6 0.6\n4.2 0.6\n").unwrap();
    let drive = ["simulate", "plan.toml", "--drive", "waypoints:points.txt", "--out", "run", "--overwrite"];
    json(folder, &[&drive, flags].concat())
}

#[test]
fn the_forward_model_is_ranked_above_the_last_reading() {
    let folder = tempfile::tempdir().unwrap();
    let report = json(folder.path(), &["sonar", "--seeds", "5", "--out", "out"]);
    assert_eq!(report["ranking"][0]["mapper"], "sonar-forward", "{report:#}");
    assert_eq!(report["ranking"][0]["above_naive"], 1);
    let names: Vec<&str> = report["places"][0]["maps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|map| map["mapper"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["sonar-last", "sonar-elfes", "sonar-forward"]);
    for file in ["sonar.json", "report.json", "report.html"] {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
}

#[test]
fn bad_seeds_radii_and_settings_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["sonar", "--seeds", "3..1"][..], "FIRST..LAST"),
        (&["sonar", "--seeds", "1", "--robot-radius", "-1"], "radius"),
        (&["sonar", "--seeds", "1", "--set", "hit=1"], "MAPPER.NAME=VALUE"),
        (&["sonar", "--seeds", "1", "--set", "graph.cell_size_m=1"], "graph"),
        (&["sonar", "--seeds", "1", "--set", "sonar-forward.sigma_m=-1"], "sigma_m"),
    ] {
        let (code, said) = refused(folder.path(), arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_log_with_sonar_is_mapped_by_the_sonar_mappers_alike_from_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, &["--sonar", "--exact-odometry"]);
    for mapper in ["sonar-last", "sonar-elfes", "sonar-forward"] {
        for (log, out) in [("run/log.usar", "a"), ("run/log.clf", "b")] {
            let report = json(folder, &["map", log, "--mapper", mapper, "--out", out, "--overwrite"]);
            assert!(report["scans"].as_u64().unwrap() > 20, "{report:#}");
        }
        let bytes = |name: &str| std::fs::read(folder.join(name).join("map.pgm")).unwrap();
        assert_eq!(bytes("a"), bytes("b"), "{mapper}");
    }
    run(folder, &["--exact-odometry"]);
    let (code, said) = refused(folder, &["map", "run/log.usar", "--mapper", "sonar-elfes", "--out", "c"]);
    assert!(code == Some(2) && said.contains("no sweep of a sonar ring"), "{said}");
}

#[test]
fn with_a_vertical_scanner_as_many_relations_are_accepted_and_the_pitch_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let accepted = |out: &str| {
        let propose = ["truth", "propose", "run/log.clf", "--own-poses", "--accept", "--out", out];
        json(folder, &propose)["accepted"].as_u64().unwrap()
    };
    run(folder, &[]);
    let one = accepted("one.jsonl");
    let report = run(folder, &["--upright"]);
    let log = std::fs::read_to_string(folder.join("run/log.clf")).unwrap();
    let count = |name: &str| log.lines().filter(|line| line.starts_with(name)).count();
    assert!(count("ROBOTLASER1 ") > 50 && count("ROBOTLASER1 ") == count("ROBOTLASER2 "));
    assert!(one > 0 && accepted("two.jsonl") == one);
    let lint = printed(folder, &["lint", "run/log.clf"]);
    assert!(!lint.contains("DESTROYED_STAMPS"), "{lint}");
    let upright = &report["upright"];
    assert!(upright["with_pitch"].as_u64().unwrap() > 50, "{upright:#}");
    assert!(upright["pitch_median_deg"].as_f64().unwrap() < 1.0, "{upright:#}");
    assert!(folder.join("run/slope.csv").is_file());
}

#[test]
fn stairs_climbs_tunnels_and_percent_barrels_are_built_and_lint_has_nothing_to_warn_of() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let plan = "drawing = '''\n+---+---+---+---+---+---+\n| S  >3  =3  <s   T   >4|\n+---+---+---+---+---+---+\n'''\n\
                [[barrel]]\nat_m = [5.4, 1.2]\nkind = 'percent'\nvisible_percent = 50\nfacing_deg = -90\nheight_m = 0.5\n\
                [[victim]]\nat_m = [0.3, 0.6]\n";
    std::fs::write(folder.join("plan.toml"), plan).unwrap();
    printed(folder, &["arena", "build", "plan.toml", "--out", "arena"]);
    let info = json(folder, &["info", "arena/height.tif"]);
    assert_eq!(info["files"][0]["layers"][0]["kind"], "height", "{info:#}");
    let layout = std::fs::read_to_string(folder.join("arena/fiducials.toml")).unwrap();
    assert!(layout.contains("0.31"), "twice the radius and the board: {layout}");
    let lint = printed(folder, &["lint", "arena/marks.csv", "arena/victims.mif", "arena/labels.geojson"]);
    assert!(!lint.contains("warning"), "{lint}");
    let free = |map: &str| {
        let info = json(folder, &["info", map]);
        info["files"][0]["layers"][0]["cells"]["free"].as_u64().unwrap()
    };
    // At 0.3 m the tunnel is free, at 1.0 m it is a block; what lies behind it cannot be reached there.
    assert!(free("arena/truth.yaml") > free("arena/truth_1.0m.yaml") + 500);
    let (code, said) = refused(folder, &["arena", "build", "wrong.toml", "--out", "b"]);
    assert_eq!(code, Some(2), "{said}");
    std::fs::write(folder.join("wrong.toml"), "drawing = '''\n+---+\n|S>9|\n+---+\n'''\n").unwrap();
    let (code, said) = refused(folder, &["arena", "build", "wrong.toml", "--out", "b"]);
    assert!(code == Some(2) && said.contains("line 2, column 2") && said.contains("3, 4 or s"), "{said}");
}
