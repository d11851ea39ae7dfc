//! `mapjudge relations` as a user runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .arg("relations")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// A folder with a run of 40 s: 20 m there at 1 m/s, and back.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |i: i32| format!("{i} {} 0 0 0 0 0 1\n", if i <= 20 { i } else { 40 - i });
    std::fs::write(folder.path().join("truth.tum"), (0..=40).map(row).collect::<String>()).unwrap();
    folder
}

#[test]
fn relations_are_made_checked_filtered_and_converted() {
    let folder = folder();
    let fine = |arguments: &[&str]| {
        let output = run(arguments, folder.path());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    };
    fine(&["make", "truth.tum", "truth.jsonl", "--pairs", "consecutive,loops,random", "--count", "20"]);
    let checked = fine(&["check", "truth.jsonl", "--run", "truth.tum", "--format", "json"]);
    let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(checked["schema"], "mapjudge.relations-check/1");
    assert_eq!(
        (&checked["relations"]["parts"], &checked["relations"]["contradicting"]),
        (&1.into(), &0.into())
    );
    assert!(checked["relations"]["loop_rms_m"].as_f64().unwrap() < 1e-9, "{checked}");
    let codes: Vec<_> =
        checked["findings"].as_array().unwrap().iter().map(|finding| &finding["code"]).collect();
    assert!(codes.contains(&&Value::from("RELATIONS_FROM_THIS_RUN")), "{codes:?}");
    let loops = fine(&["filter", "truth.jsonl", "loops.relations", "--tag", "loop"]);
    assert!(String::from_utf8_lossy(&loops.stderr).contains("lost: tags"), "a form that holds less says so");
    fine(&["convert", "truth.jsonl", "truth.csv", "--lossy"]);
    let table = String::from_utf8(fine(&["check", "truth.csv"]).stdout).unwrap();
    assert!(table.contains("timestamps     41 in 1 connected parts"), "{table}");
}

#[test]
fn the_same_seed_makes_the_same_relations() {
    let folder = folder();
    let made = |seed: &str, name: &str| {
        let output = run(
            &["make", "truth.tum", name, "--force", "--pairs", "random", "--count", "30", "--seed", seed],
            folder.path(),
        );
        assert!(output.status.success());
        std::fs::read(folder.path().join(name)).unwrap()
    };
    assert_eq!(made("3", "a.relations"), made("3", "b.relations"));
    assert_ne!(made("3", "a.relations"), made("4", "c.relations"));
}

#[test]
fn what_cannot_be_done_says_why_and_ends_with_2() {
    let folder = folder();
    std::fs::write(folder.path().join("one.tum"), "0 0 0 0 0 0 0 1\n").unwrap();
    for (arguments, message) in [
        (&["make", "one.tum", "out.relations"][..], "1 poses, 1 keyframes"),
        (&["make", "truth.tum", "out.png"], "cannot be written as '.png'"),
        (&["make", "truth.tum", "out.relations", "--distance", "-1"], "the distance is -1: expected"),
        (&["check", "truth.tum"], "expected relations, found a trajectory"),
        (&["check", "missing.relations"], "missing.relations"),
        (&["check", "--published", "1,2"], "expected MEAN,STD,MEAN_SQUARE"),
    ] {
        let output = run(arguments, folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_slip_in_a_printed_table_ends_with_1() {
    let folder = folder();
    assert_eq!(run(&["check", "--published", "1.08,1.81,4.44"], folder.path()).status.code(), Some(0));
    let slip = run(&["check", "--published", "0.5,0.5,0.9"], folder.path());
    assert_eq!(slip.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&slip.stdout).contains("STATISTICS_INCONSISTENT"));
}
