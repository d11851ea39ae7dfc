//! `mapjudge damage` and `mapjudge lab` as a user runs them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use sim::place::{OfficePlan, office};

fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

#[track_caller]
fn fine(folder: &Path, arguments: &[&str]) -> String {
    let output = run_in(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A folder with a small office floor.
fn floor() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let plan = OfficePlan { width_m: 14.0, height_m: 11.0, ..OfficePlan::default() };
    let text = formats::write_text_grid(&office(&plan).unwrap());
    std::fs::write(folder.path().join("map.txt"), text).unwrap();
    folder
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn damage_writes_what_it_says_and_the_same_again() {
    let folder = floor();
    std::fs::write(folder.path().join("run.tum"), "0 5 5 0 0 0 0 1\n1 6 5 0 0 0 0 1\n").unwrap();
    let run = |out: &str| {
        let with = [
            "damage",
            "map.txt",
            "--with",
            "rotate=8deg,noise=0.01",
            "--seed",
            "3",
            "--trajectory",
            "run.tum",
        ];
        fine(folder.path(), &[&with[..], &["--out", out]].concat())
    };
    let table = run("one");
    assert!(
        table.starts_with("rotate 8 deg, then noise 0.01: ") && table.contains("truth_from_map"),
        "{table}"
    );
    run("two");
    for name in ["map.yaml", "map.pgm", "damage.json", "changed.png", "field.tif", "trajectory.tum"] {
        let bytes = |out: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
        assert_eq!(bytes("one"), bytes("two"), "{name}");
    }
    let record = json(&folder.path().join("one/damage.json"));
    assert_eq!(record["schema"], "mapjudge.damage/1");
    assert_eq!(record["chain"][0]["parameters"]["angle_deg"], 8.0);
    let turned = record["truth_from_map"]["theta_rad"].as_f64().unwrap().to_degrees();
    assert!((turned.abs() - 8.0).abs() < 1e-9, "{turned}");
    let poses = std::fs::read_to_string(folder.path().join("one/trajectory.tum")).unwrap();
    assert_eq!(poses.lines().filter(|line| !line.starts_with('#')).count(), 2, "{poses}");
    let field = std::fs::read(folder.path().join("one/field.tif")).unwrap();
    assert!(field.starts_with(b"II*\0") && field.windows(2).any(|bytes| bytes == b"dx"));
}

#[test]
fn a_ladder_has_a_folder_per_level_and_the_list_names_every_kind() {
    let folder = floor();
    fine(folder.path(), &["damage", "map.txt", "--ladder", "unseen", "--out", "ladder", "--as", "png"]);
    for level in 1..=6 {
        assert!(folder.path().join(format!("ladder/unseen-{level}/map.png")).is_file());
        assert!(folder.path().join(format!("ladder/unseen-{level}/map.pgw")).is_file());
    }
    let list = fine(folder.path(), &["damage", "--list"]);
    assert_eq!(list.lines().count(), 16);
}

#[test]
fn wrong_damage_is_refused_with_what_is_right() {
    let folder = floor();
    for (with, expected) in [
        ("fire=1", "expected one of noise, shift"),
        ("noise=2", "expected 0 to 1"),
        ("", "chain of damage is empty"),
        ("bend=500", "fold"),
        ("missing_wing=1", "no known cell"),
    ] {
        let output = run_in(folder.path(), &["damage", "map.txt", "--with", with, "--out", "out"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{with}: {message}");
        assert!(message.contains(expected), "{with}: {message}");
    }
    let output = run_in(folder.path(), &["lab", "map.txt", "--damage", "fire"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_lab_writes_its_files_and_goes_on_after_it_was_killed() {
    let folder = floor();
    let lab = |out: &str| {
        let with =
            ["lab", "map.txt", "--damage", "noise,closed_door,mirror", "--metrics", "cells", "--levels", "3"];
        fine(folder.path(), &[&with[..], &["--seeds", "2", "--out", out]].concat())
    };
    let table = lab("whole");
    assert!(table.contains("overall_error") && table.contains("closed_door"), "{table}");
    let report = json(&folder.path().join("whole/lab.json"));
    assert_eq!(report["schema"], "mapjudge.lab/1");
    assert!(report["notes"][0].as_str().unwrap().contains("No intervals"), "{}", report["notes"]);
    let page = std::fs::read_to_string(folder.path().join("whole/index.html")).unwrap();
    assert!(page.contains("misleads") || page.contains("sees"));
    assert!(!page.contains("http://") && !page.contains("https://") && page.len() < 5_000_000);
    // Killed after a while, wherever that is, and started again.
    let mut child = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args([
            "lab",
            "map.txt",
            "--damage",
            "noise,closed_door,mirror",
            "--metrics",
            "cells",
            "--levels",
            "3",
        ])
        .args(["--seeds", "2", "--out", "killed", "--quiet"])
        .stdout(std::process::Stdio::null())
        .current_dir(&folder)
        .spawn()
        .unwrap();
    let rows = folder.path().join("killed/rows.jsonl");
    for _ in 0..2000 {
        let lines = std::fs::read_to_string(&rows).map_or(0, |text| text.lines().count());
        if lines > 5 || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    lab("killed");
    for name in ["lab.json", "matrix.csv", "rows.csv", "draws.csv"] {
        let bytes = |out: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
        assert_eq!(bytes("whole"), bytes("killed"), "{name}");
    }
    assert!(!rows.exists(), "the rows are in rows.csv");
}

#[test]
fn a_dry_run_counts_and_computes_nothing() {
    let folder = floor();
    let text = fine(folder.path(), &["lab", "map.txt", "--dry-run", "--metrics", "cells", "--out", "out"]);
    assert!(text.contains(" pairs of 1 map") && text.contains(" s of processor time"), "{text}");
    assert!(!folder.path().join("out").exists());
}
