//! `mapjudge plan` as a user runs it: the worked examples of the specification, files, refusals.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    let output = run(&[arguments, &["--format", "json"]].concat(), folder);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// 10-E1 and 10-E3, cells of 1 m, the lower left corner at (0, 0).
fn write_examples(folder: &Path) {
    let head = "resolution: 1\norigin: 0 0 0\n";
    let e1 = "#########\n#.....??#\n#.###.??#\n#.#.....#\n#.......#\n#########\n";
    std::fs::write(folder.join("e1.txt"), format!("{head}{e1}")).unwrap();
    let (wall, room) = ("#############\n", "#...........#\n");
    let door = "#####...#####\n";
    let last = "#...........?\n";
    let rows = [wall, room, room, room, room, door, room, last, room, wall];
    std::fs::write(folder.join("e3.txt"), format!("{head}{}", rows.concat())).unwrap();
    let closed = "#####\n#...#\n#####\n#...#\n#####\n";
    std::fs::write(folder.join("closed.txt"), format!("{head}{closed}")).unwrap();
    std::fs::write(folder.join("unknown.txt"), format!("{head}???\n???\n")).unwrap();
}

const E1: [&str; 9] =
    ["plan", "e1.txt", "--start", "1.5,1.5", "--alpha", "0", "--d-min", "0", "--units=cells"];

#[test]
fn the_numbers_of_10_e1_come_out_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    write_examples(folder.path());
    let report = json(&E1, folder.path());
    assert_eq!(report["frontiers"][0]["row_column"], serde_json::json!([[1, 5], [2, 5], [3, 6], [3, 7]]));
    assert!((report["phi"].as_f64().unwrap() - 5.414_214).abs() < 1e-6, "{report}");
    let path = serde_json::json!([[4, 1], [4, 2], [4, 3], [3, 4], [3, 5], [2, 5]]);
    assert_eq!(report["path"]["row_column"], path);
    assert_eq!((&report["ending"], &report["schema"]), (&"found".into(), &"mapjudge.plan/1".into()));
    let target = json(&[&E1[..], &["--target", "7.5,1.5"]].concat(), folder.path());
    assert_eq!((target["phi"].as_f64(), &target["goal"]), (Some(6.0), &"target".into()));
}

#[test]
fn the_numbers_of_10_e3_come_out_of_the_command_and_the_files_are_written() {
    let folder = tempfile::tempdir().unwrap();
    write_examples(folder.path());
    let e3 = ["plan", "e3.txt", "--start", "1.5,8.5", "--d-min", "1", "--d-opt", "2", "--units", "cells"];
    let plan = |alpha: &str| json(&[&e3[..], &["--alpha", alpha, "--out", alpha]].concat(), folder.path());
    for (alpha, phi, length_m, danger, clearance_m) in [
        ("0.5", 13.5, 12.485_281, 2.0294, std::f64::consts::SQRT_2),
        ("5", 21.208_504, 13.656_854, 1.5103, 2.0),
    ] {
        let report = plan(alpha);
        let path = &report["path"];
        for (found, expected) in [
            (&report["phi"], phi),
            (&path["length_m"], length_m),
            (&path["summed_danger"], danger),
            (&path["min_clearance_m"], clearance_m),
        ] {
            assert!((found.as_f64().unwrap() - expected).abs() < 5e-5, "{alpha}: {found} {expected}");
        }
        let files = [
            "plan.json",
            "plan.tif",
            "plan.svg",
            "path.csv",
            "path.geojson",
            "path.mif",
            "frontiers.geojson",
        ];
        for name in files {
            assert!(folder.path().join(alpha).join(name).is_file(), "{name}");
        }
    }
    let info = run(&["info", "5/plan.tif"], folder.path());
    assert_eq!(info.status.code(), Some(0), "{}", String::from_utf8_lossy(&info.stderr));
}

#[test]
fn what_cannot_be_planned_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write_examples(folder.path());
    for (arguments, code, why) in [
        (&["e1.txt", "--start", "0.5,0.5"][..], 2, "free cell"),
        (&["e1.txt", "--start", "6.5,4.5"], 2, "free cell"),
        (&["e1.txt", "--start", "99,99"], 2, "free cell"),
        (&["e1.txt", "--start", "nan,1"], 2, "free cell"),
        (&["e1.txt", "--start", "1"], 2, "X,Y"),
        (&["e1.txt", "--start", "1.5,1.5", "--target", "2.5,3.5"], 2, "target"),
        (&["e1.txt", "--start", "1.5,1.5", "--target", "7.5,1.5", "--explore"], 2, "--explore"),
        (&["e1.txt", "--start", "1.5,1.5", "--alpha", "-1"], 2, "alpha"),
        (&["unknown.txt", "--start", "1.5,1.5"], 2, "no free cell"),
        (&["nothing.txt", "--start", "1.5,1.5"], 2, "nothing.txt"),
        (&["closed.txt", "--start", "1.5,3.5"], 3, "no frontier"),
        (&["closed.txt", "--start", "1.5,3.5", "--target", "1.5,1.5"], 3, "no path to the target"),
        (&["e3.txt", "--start", "1.5,8.5", "--d-min", "2"], 3, "frontier cells"),
        (&["closed.txt", "--start", "1.5,3.5", "--target", "1.5,1.5", "--d-min", "1.5"], 3, "nearer than"),
    ] {
        let output = run(&[&["plan"][..], arguments].concat(), folder.path());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(why), "{arguments:?}: {stderr}");
    }
}
