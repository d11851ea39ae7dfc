//! `mapjudge relocalize` as a user runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// A run of 20 s in a maze.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let drive =
        ["simulate", "maze", "--drive", "explore", "--max-time", "20", "--laser", "utm-30lx", "--out", "run"];
    for arguments in [&["arena", "random", "--seed", "7", "--out", "maze"][..], &drive] {
        let made = run(folder.path(), arguments);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    folder
}

#[test]
fn a_lost_robot_finds_itself_on_the_true_map_and_stays_lost_on_an_empty_one() {
    let folder = folder();
    let lost = |map: &str, more: &[&str]| {
        let fixed =
            ["relocalize", map, "--log", "run/log.clf", "--truth", "run/truth.tum", "--format", "json"];
        run(folder.path(), &[&fixed[..], more].concat())
    };
    let found = lost("maze/truth.yaml", &["--starts", "4"]);
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    assert_eq!(found.stdout, lost("maze/truth.yaml", &["--starts", "4"]).stdout, "same seed, same bytes");
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert_eq!(found["schema"], "mapjudge.relocalize/1");
    assert!(found["found_share"].as_f64().unwrap() >= 0.75, "{found:#}");
    // Walls elsewhere: nothing of the run fits.
    let wrong = "resolution: 0.1\norigin: 0 0 0\n".to_owned()
        + &(".".repeat(140) + "\n").repeat(95)
        + &"#".repeat(140);
    std::fs::write(folder.path().join("wrong.txt"), wrong + "\n").unwrap();
    let stays: Value =
        serde_json::from_slice(&lost("wrong.txt", &["--starts", "2", "--max-steps", "60"]).stdout).unwrap();
    assert_eq!(
        (&stays["found_share"], &stays["median_steps"]),
        (&Value::from(0.0), &Value::Null),
        "{stays:#}"
    );
}

#[test]
fn the_log_of_a_simulation_tells_where_the_robot_was_and_mappers_do_not_look() {
    let folder = folder();
    let fixed =
        ["relocalize", "maze/truth.yaml", "--log", "run/log.clf", "--starts", "2", "--format", "json"];
    let by_log = run(folder.path(), &fixed);
    assert!(by_log.status.success(), "{}", String::from_utf8_lossy(&by_log.stderr));
    let by_file = run(folder.path(), &[&fixed[..], &["--truth", "run/truth.tum"]].concat());
    let starts = |output: &Output| {
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        (found["found_share"].clone(), found["median_steps"].clone())
    };
    assert_eq!(starts(&by_log), starts(&by_file));
    let log = std::fs::read_to_string(folder.path().join("run/log.clf")).unwrap();
    assert!(log.contains("\nTRUEPOS "));
    let bare: String =
        log.lines().filter(|line| !line.starts_with("TRUEPOS")).map(|line| line.to_owned() + "\n").collect();
    std::fs::write(folder.path().join("bare.clf"), bare).unwrap();
    for mapper in ["graph", "robbie"] {
        let map = |log: &str, out: &str| {
            let made = run(folder.path(), &["map", log, "--mapper", mapper, "--out", out]);
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
            ["map.pgm", "trajectory.tum"]
                .map(|name| std::fs::read(folder.path().join(out).join(name)).unwrap())
        };
        let (with, without) =
            (map("run/log.clf", &format!("{mapper}_a")), map("bare.clf", &format!("{mapper}_b")));
        assert!(with == without, "{mapper} must not use the true poses");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("map.txt", "resolution: 1\norigin: 0 0 0\n####\n#..#\n####\n");
    write("free.txt", "resolution: 1\norigin: 0 0 0\n....\n");
    write("run.log", "FLASER 3 1.0 1.0 1.0 0 0 0 0 0 0 0 h 0\nFLASER 3 1.0 1.0 1.0 1 0 0 1 0 0 10 h 10\n");
    write("run.tum", "0 1 1 0 0 0 0 1\n10 2 1 0 0 0 0 1\n");
    let refused = |arguments: &[&str], why: &str| {
        let output = run(folder.path(), &[&["relocalize"], arguments].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(why), "{arguments:?}: {errors}");
    };
    refused(&["map.txt", "--log", "run.log"], "nothing tells where the robot was");
    refused(&["map.txt", "--log", "run.log"], "--truth TRAJECTORY");
    refused(
        &["free.txt", "--log", "run.log", "--truth", "run.tum", "--max-range", "5"],
        "expected a map with both",
    );
    refused(&["map.txt", "--log", "run.log", "--truth", "run.tum", "--starts", "0"], "expected 1 to 10000");
    refused(
        &["map.txt", "--log", "run.log", "--truth", "run.tum", "--within", "nan"],
        "expected finite numbers",
    );
    refused(&["map.txt", "--log", "map.txt"], "map.txt");
}
