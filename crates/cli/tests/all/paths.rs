//! `paths`, `graph` and `portals` as a user starts them: the JSON that others parse, and inputs that cannot be.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// 03-E6: two rooms and a door, cells of 1 m.
const ROOMS: [&str; 7] =
    ["###########", "#....#....#", "#....#....#", "#.........#", "#....#....#", "#....#....#", "###########"];

/// Writes a drawing, cells of 1 m, lower left corner at the origin.
fn write(folder: &Path, name: &str, rows: &[String]) {
    let text = format!("resolution: 1\norigin: 0 0 0\n{}\n", rows.join("\n"));
    std::fs::write(folder.join(format!("{name}.txt")), text).unwrap();
}

fn rooms(changes: &[(usize, usize, char)]) -> Vec<String> {
    let mut rows: Vec<Vec<char>> = ROOMS.iter().map(|row| row.chars().collect()).collect();
    changes.iter().for_each(|&(row, column, letter)| rows[row][column] = letter);
    rows.into_iter().map(String::from_iter).collect()
}

fn mapjudge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = mapjudge(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {message}"))
}

fn metric<'a>(report: &'a Value, id: &str) -> &'a Value {
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    metrics.iter().find(|metric| metric["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

const TASK: [&str; 13] = [
    "--start",
    "1.5,5.5",
    "--target",
    "9.5,5.5",
    "--target",
    "9.5,1.5",
    "--target",
    "4.5,5.5",
    "--robot-radius",
    "0",
    "--format",
    "json",
    "--quiet",
];

#[test]
fn the_report_of_paths_has_the_promised_keys() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "truth", &rooms(&[]));
    write(folder.path(), "map", &rooms(&[(3, 5, '#')]));
    let report = json(folder.path(), &[&["paths", "map.txt", "--truth", "truth.txt"], &TASK[..]].concat());
    assert_eq!(report["schema"], "mapjudge.report/1");
    let targets = metric(&report, "path_usefulness")["detail"]["targets"].as_array().unwrap().clone();
    let classes: Vec<&str> = targets.iter().map(|target| target["class"].as_str().unwrap()).collect();
    assert_eq!(classes, ["blocked", "blocked", "correct"]);
    let keys: Vec<&String> = targets[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["x_m", "y_m", "class", "truth_length_m", "map_length_m"]);
    assert!(targets[0]["map_length_m"].is_null());
    let negatives = &metric(&report, "path_false_negatives")["detail"];
    assert_eq!(negatives["by_unknown"], 0);
    for key in ["edges", "incomplete", "by_obstacle", "by_unknown"] {
        assert!(negatives[key].is_u64(), "{key}");
    }
    for key in ["edges", "invalid"] {
        assert!(metric(&report, "path_false_positives")["detail"][key].is_u64(), "{key}");
    }
    assert_eq!(report["cases"][0]["detail"]["paths"]["robot_radius_m"], 0.0);
}

#[test]
fn score_plans_only_for_a_robot() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "truth", &rooms(&[]));
    let ids = |arguments: &[&str]| -> Vec<String> {
        let report =
            json(folder.path(), &[&["score", "truth.txt", "--truth", "truth.txt"], arguments].concat());
        let metrics = report["cases"][0]["metrics"].as_array().unwrap().clone();
        metrics.iter().map(|metric| metric["id"].as_str().unwrap().to_owned()).collect()
    };
    let plans = |ids: Vec<String>| ids.iter().any(|id| id == "path_usefulness");
    assert!(!plans(ids(&["--format", "json"])));
    assert!(plans(ids(&TASK)));
    assert!(plans(ids(&["--metrics", "paths", "--format", "json"])));
}

#[test]
fn a_graph_has_the_promised_keys_and_files() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "map", &rooms(&[]));
    let graph =
        json(folder.path(), &["graph", "map.txt", "--robot-radius", "0", "--format", "json", "--out", "out"]);
    for key in ["id", "x_m", "y_m", "clearance_m", "degree"] {
        assert!(graph["nodes"][0][key].is_number(), "{key}");
    }
    for key in ["a", "b", "length_m", "min_clearance_m"] {
        assert!(graph["edges"][0][key].is_number(), "{key}");
    }
    assert_eq!((&graph["components"], &graph["cycles"]), (&Value::from(1), &Value::from(0)));
    for name in [
        "graph.png",
        "graph.json",
        "graph.graphml",
        "graph_nodes.geojson",
        "graph_edges.mif",
        "graph_edges.mid",
    ] {
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
    }
    let info = json(folder.path(), &["info", "out/graph_edges.geojson", "--format", "json"]);
    assert_eq!(info["files"][0]["kind"], "vector");
}

#[test]
fn portals_are_counted_for_a_map_and_for_a_path() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "truth", &rooms(&[]));
    std::fs::write(folder.path().join("run.tum"), "0 2 3.5 0 0 0 0 1\n1 9 3.5 0 0 0 0 1\n").unwrap();
    let robot = ["--robot-radius", "0", "--format", "json"];
    let alone = json(folder.path(), &[&["portals", "truth.txt"], &robot[..]].concat());
    assert_eq!((&alone["portals"][0]["id"], &alone["found"]), (&Value::from("D55_35"), &Value::Null));
    let map = json(folder.path(), &[&["portals", "truth.txt", "--map", "truth.txt"], &robot[..]].concat());
    assert_eq!(map["share"], 1.0);
    let path = json(folder.path(), &[&["portals", "truth.txt", "--path", "run.tum"], &robot[..]].concat());
    assert_eq!((&path["share"], &path["portals"][0]["found"]), (&Value::from(1.0), &Value::from(true)));
}

#[test]
fn places_and_maps_that_cannot_be_have_a_defined_answer() {
    let folder = tempfile::tempdir().unwrap();
    let solid = |letter: &str| vec![letter.repeat(4); 3];
    let halves = vec!["..#..".to_owned(); 3];
    for (name, rows) in
        [("wall", solid("#")), ("unknown", solid("?")), ("cell", vec![".".to_owned()]), ("halves", halves)]
    {
        write(folder.path(), name, &rows);
        let file = format!("{name}.txt");
        let report = json(
            folder.path(),
            &["paths", &file, "--truth", &file, "--robot-radius", "0", "--format", "json", "--quiet"],
        );
        for metric in report["cases"][0]["metrics"].as_array().unwrap() {
            let has_reason = !metric["reasons"].as_array().unwrap().is_empty();
            assert!(metric["value"].is_number() || has_reason, "{name}: {metric}");
        }
        for command in ["graph", "portals"] {
            let output = mapjudge(folder.path(), &[command, &file, "--robot-radius", "0"]);
            assert!(output.status.success(), "{command} {name}");
        }
    }
    write(folder.path(), "truth", &rooms(&[]));
    let usefulness = |task: &[&str]| {
        let start = ["paths", "truth.txt", "--truth", "truth.txt", "--robot-radius", "0", "--format", "json"];
        let report = json(folder.path(), &[&start, task].concat());
        metric(&report, "path_usefulness")["reasons"].clone()
    };
    assert_eq!(usefulness(&["--start", "0.5,0.5"])[0], "UNREACHABLE_START");
    assert_eq!(usefulness(&["--start", "-9,-9"])[0], "UNREACHABLE_START");
    assert_eq!(usefulness(&["--target", "99,99"])[1], "TARGET_OUTSIDE");
    let negative = mapjudge(folder.path(), &["graph", "truth.txt", "--robot-radius", "-1"]);
    assert_eq!(negative.status.code(), Some(2));
    let message = String::from_utf8_lossy(&negative.stderr).into_owned();
    assert!(message.contains("robot_radius_m = -1") && message.contains("hint:"), "{message}");
}
