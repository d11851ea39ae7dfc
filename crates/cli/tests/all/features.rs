//! `mapjudge features` as a user runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use testkit::SEVEN_ROOMS;

/// Seven rooms around a corridor with cells of 0.1 m, stretched along x and moved to the right.
fn building(stretch: f64, right: i32) -> String {
    let letter = |column: i32, y: usize| {
        let x = (f64::from(column - right) + 0.5) / stretch;
        let inside = |&(left, top, w, h): &(usize, usize, usize, usize)| {
            (left as f64..(left + w) as f64).contains(&x) && (top..top + h).contains(&y)
        };
        match () {
            () if SEVEN_ROOMS.iter().any(inside) => '.',
            () if (0.0..90.0).contains(&x) => '#',
            () => '?',
        }
    };
    let row = |y: usize| (0..110).map(|x| letter(x, y)).chain(['\n']).collect::<String>();
    (0..60).map(row).collect()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("truth.txt", building(1.0, 0)),
        ("moved.txt", building(1.0, 8)),
        ("stretched.txt", building(1.05, 0)),
        ("hall.txt", vec![".".repeat(60); 40].join("\n")),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &TempDir, arguments: &str) -> Output {
    let words = ["features"].into_iter().chain(arguments.split_whitespace()).chain(["--resolution", "0.1"]);
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(words).current_dir(folder).output().unwrap()
}

fn json(folder: &TempDir, arguments: &str) -> Value {
    let output = run(folder, &format!("{arguments} --truth truth.txt --format json"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn three_kinds_of_features_stand_side_by_side() {
    let folder = folder();
    let found = json(&folder, "moved.txt");
    assert_eq!(found["schema"], "mapjudge.features/1");
    let kinds: Vec<&Value> = found["rows"].as_array().unwrap().iter().map(|row| &row["features"]).collect();
    assert_eq!(kinds, ["rooms", "surf", "corners"]);
    for row in found["rows"].as_array().unwrap() {
        assert!((row["x_m"].as_f64().unwrap() + 0.8).abs() < 0.02, "{row}");
        assert!(row["mean_match_error_m2"].as_f64().unwrap() < 1e-3, "{row}");
    }
    let table = run(&folder, "moved.txt --truth truth.txt");
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("corners") && table.contains("all warps have degree 2"), "{table}");
    let csv = run(&folder, "moved.txt stretched.txt --truth truth.txt --format csv --out out");
    assert_eq!(String::from_utf8(csv.stdout).unwrap().lines().count(), 7);
    assert!(folder.path().join("out/features.json").is_file());
}

#[test]
fn a_stretched_map_bends_and_eq_8_as_printed_can_be_asked_for() {
    let folder = folder();
    let in_turn = json(&folder, "stretched.txt --kinds rooms --degree 1");
    let together = json(&folder, "stretched.txt --kinds rooms --degree 1 --optimise together");
    for found in [&in_turn, &together] {
        let row = &found["rows"][0];
        assert!(row["warp_penalty_m"].as_f64().unwrap() > 0.05, "{row}");
        // Rooms of a stretched map are not cut quite alike: the warp takes up the stretch, not the cut.
        let [rigid, warped] = ["rigid_rms_m", "warped_rms_m"].map(|key| row[key].as_f64().unwrap());
        assert!(warped < 0.75 * rigid, "{row}");
    }
    let settings =
        json(&folder, "moved.txt --kinds rooms --w-topo 0.25 --theta 0.3 --spacing 0.2 --linkage average");
    assert_eq!(settings["rows"][0]["broken_adjacencies"], 0);
}

#[test]
fn too_few_rooms_are_refused_with_a_reason() {
    let folder = folder();
    let output = run(&folder, "hall.txt --truth truth.txt --kinds rooms --format json");
    assert_eq!(output.status.code(), Some(3), "nothing was matched");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["rows"][0]["reasons"][0], "NO_MATCH");
    let both = json(&folder, "hall.txt moved.txt --kinds rooms");
    assert_eq!(both["degree"], 2, "a map without rooms does not lower the degree of the others");
    let cubic = json(&folder, "moved.txt --kinds rooms --degree 3");
    assert_eq!(cubic["rows"][0]["reasons"][0], "INSUFFICIENT_POINTS");
}

#[test]
fn mistakes_are_told_with_what_was_expected() {
    let folder = folder();
    for (arguments, word) in [
        ("moved.txt --truth truth.txt --w-topo=-1", "w-topo"),
        ("moved.txt --truth truth.txt --theta 2", "theta"),
        ("moved.txt --truth truth.txt --spacing 0", "spacing"),
        ("moved.txt --truth truth.txt --smoothing=-1", "smoothing"),
        ("moved.txt --truth truth.txt --degree 4", "degree"),
        ("moved.txt --truth truth.txt --kinds sift", "kinds"),
        ("moved.txt --truth truth.txt --optimise never", "optimise"),
        ("missing.txt --truth truth.txt", "missing.txt"),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(word), "{arguments}: {message}");
    }
}
