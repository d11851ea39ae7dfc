//! `mapjudge arena` and `mapjudge simulate`: files, determinism, refusals.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

fn mapjudge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    // The list of results names the run.
    let is_result = |e: &std::fs::DirEntry| !e.file_name().to_string_lossy().starts_with('.');
    entries
        .filter(is_result)
        .map(|e| (e.file_name().to_string_lossy().into_owned(), std::fs::read(e.path()).unwrap()))
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_arena_and_its_plan_builds_it_again() {
    let folder = tempfile::tempdir().unwrap();
    for (seed, out) in [("7", "a"), ("7", "b"), ("8", "c")] {
        let output =
            mapjudge(folder.path(), &["arena", "random", "--seed", seed, "--ramps", "0.2", "--out", out]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let build = mapjudge(folder.path(), &["arena", "build", "a/plan.toml", "--out", "d"]);
    assert!(build.status.success());
    let of = |name: &str| files(&folder.path().join(name));
    assert_eq!(of("a"), of("b"));
    assert_eq!(of("a"), of("d"));
    assert_ne!(of("a")["truth.pgm"], of("c")["truth.pgm"]);
    for name in [
        "plan.toml",
        "truth.yaml",
        "truth.pgm",
        "truth_1.0m.yaml",
        "truth_1.0m.pgm",
        "arena.tif",
        "height.tif",
        "fiducials.toml",
        "victims.mif",
        "victims.mid",
        "victims.geojson",
        "labels.geojson",
        "hazards.mif",
        "portals.geojson",
        "marks.csv",
        "arena.png",
    ] {
        assert!(of("a").contains_key(name), "{name} is missing");
    }
}

#[test]
fn our_own_readers_take_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let ramps = ["arena", "random", "--ramps", "0.4", "--steep", "--out", "a"];
    assert!(mapjudge(folder.path(), &ramps).status.success());
    for name in [
        "truth.yaml",
        "arena.tif",
        "height.tif",
        "fiducials.toml",
        "victims.mif",
        "labels.geojson",
        "portals.mif",
        "marks.csv",
    ] {
        let output = mapjudge(folder.path(), &["info", &format!("a/{name}")]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let score = mapjudge(
        folder.path(),
        &[
            "score",
            "a/arena.tif",
            "--truth",
            "a/truth.yaml",
            "--format",
            "json",
            "--metrics",
            "overall_error",
        ],
    );
    let text = String::from_utf8_lossy(&score.stdout).into_owned();
    assert!(
        text.contains("\"value\": 0.0") || text.contains("\"value\": 0,") || text.contains("\"value\":0"),
        "{text}"
    );
}

#[test]
fn a_run_leaves_its_log_and_the_truth_and_repeats() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        mapjudge(folder.path(), &["arena", "random", "--seed", "3", "--ramps", "0.3", "--out", "a"])
            .status
            .success()
    );
    std::fs::write(folder.path().join("points.txt"), "0.6 0.6\n0.8 0.6\n0.6 0.7\n").unwrap();
    for (seed, out) in [("1", "r1"), ("1", "r2"), ("2", "r3")] {
        let arguments =
            ["simulate", "a", "--drive", "waypoints:points.txt", "--seed", seed, "--levelled", "--out", out];
        let output = mapjudge(folder.path(), &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("3 of 3 waypoints reached"));
    }
    let of = |name: &str| files(&folder.path().join(name));
    assert_eq!(of("r1"), of("r2"));
    assert_ne!(of("r1")["log.clf"], of("r3")["log.clf"]);
    for name in ["log.usar", "log.clf", "truth.tum", "truth.xyt"] {
        let output = mapjudge(folder.path(), &["info", &format!("r1/{name}")]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn faults_are_told_with_file_line_and_code_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "drawing = '''\n+---+\n| ? |\n+---+\n'''\n").unwrap();
    std::fs::write(folder.path().join("good.toml"), "drawing = '''\n+---+\n| S |\n+---+\n'''\n").unwrap();
    std::fs::write(folder.path().join("points.txt"), "1 2\n3\n").unwrap();
    for (arguments, expected) in [
        (vec!["arena", "build", "bad.toml", "--out", "x"], "line 2, column 2"),
        (vec!["arena", "build", "none.toml", "--out", "x"], "none.toml"),
        (vec!["arena", "random", "--loops", "7", "--out", "x"], "loop_share = 7"),
        (vec!["simulate", "good.toml", "--drive", "waypoints:points.txt", "--out", "x"], "line 2"),
        (vec!["simulate", "good.toml", "--drive", "fast", "--out", "x"], "waypoints:FILE"),
    ] {
        let output = mapjudge(folder.path(), &arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && message.contains(expected), "{arguments:?}: {message}");
    }
}
