//! `mapjudge score --annotations`, `compare` and `info --effort` as a user runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Two rooms of 1 m cells with a door between them.
const ROOMS: [&str; 5] = ["#########", "#...#...#", "#...#...#", "#.......#", "#########"];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn layer(column: &str, features: &[(&str, &str, &str)]) -> String {
    let feature = |(kind, coordinates, word): &(&str, &str, &str)| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"{column}\":\"{word}\"}},\
             \"geometry\":{{\"type\":\"{kind}\",\"coordinates\":{coordinates}}}}}"
        )
    };
    let list: Vec<String> = features.iter().map(feature).collect();
    format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", list.join(","))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("truth.txt", ROOMS.join("\n") + "\n");
    write("map.txt", ROOMS.join("\n") + "\n");
    write("worse.txt", ["#########", "#...#...#", "#..##...#", "#...#...#", "#########"].join("\n") + "\n");
    write(
        "truth_victims.geojson",
        layer("ID", &[("Point", "[7.5,1.5]", "v1"), ("Point", "[7.5,3.5]", "v2")]),
    );
    write("victims.geojson", layer("ID", &[("Point", "[7.1,1.8]", "v1"), ("Point", "[1.5,1.5]", "v9")]));
    write("responder_path.geojson", layer("VICTIM", &[("LineString", "[[1.5,1.5],[7.5,1.5]]", "v1")]));
    let room = "[[[1,1],[4,1],[4,4],[1,4],[1,1]]]";
    write("truth_groups.geojson", layer("LABEL", &[("Polygon", room, "room")]));
    write("groups.geojson", layer("LABEL", &[("Polygon", room, "Hallway")]));
    folder
}

fn metrics(folder: &Path, extra: &[&str]) -> Value {
    let fixed = [
        "score",
        "map.txt",
        "--truth",
        "truth.txt",
        "--align",
        "none",
        "--resolution",
        "1",
        "--format",
        "json",
    ];
    let output = run(folder, &[&fixed[..], extra].concat());
    assert!(output.status.code() != Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["cases"][0].clone()
}

fn metric<'a>(case: &'a Value, id: &str) -> &'a Value {
    case["metrics"].as_array().unwrap().iter().find(|m| m["id"] == id).unwrap_or(&Value::Null)
}

#[test]
fn layers_of_map_and_truth_are_judged() {
    let folder = folder();
    let case = metrics(
        folder.path(),
        &[
            "--annotations",
            "victims.geojson",
            "responder_path.geojson",
            "groups.geojson",
            "--truth-annotations",
            "truth_victims.geojson",
            "truth_groups.geojson",
            "--start",
            "1.5,1.5",
            "--robot-radius",
            "0",
        ],
    );
    let victims = metric(&case, "victims");
    assert_eq!((victims["value"].as_f64(), victims["detail"]["false_alarms"].as_u64()), (Some(1.0), Some(1)));
    assert_eq!(victims["detail"]["matched_by"], "id");
    assert_eq!(metric(&case, "utility")["value"], 0.5);
    assert_eq!(metric(&case, "grouping_quality")["value"], 0.0);
    assert_eq!(metric(&case, "grouping_quality")["detail"]["label_blind"], 1.0);
    let roles: Vec<&str> =
        case["inputs"].as_array().unwrap().iter().map(|i| i["role"].as_str().unwrap()).collect();
    assert_eq!(roles.iter().filter(|role| **role == "annotations").count(), 3);
}

#[test]
fn a_drawn_skeleton_replaces_the_graph_of_the_map() {
    let folder = folder();
    std::fs::write(folder.path().join("skeleton.geojson"), layer("KIND", &[("Point", "[0.5,0.5]", "node")]))
        .unwrap();
    let case = metrics(folder.path(), &["--annotations", "skeleton.geojson", "--robot-radius", "0"]);
    assert_eq!(metric(&case, "skeleton_quality")["detail"]["false_nodes"], 1, "a node in a wall");
}

#[test]
fn without_layers_nothing_is_added_and_wrong_files_are_refused() {
    let folder = folder();
    assert!(metric(&metrics(folder.path(), &[]), "victims").is_null());
    let named = metrics(folder.path(), &["--metrics", "victims"]);
    assert_eq!(metric(&named, "victims")["reasons"][0], "NO_REFERENCE");
    let base = ["score", "map.txt", "--truth", "truth.txt", "--align", "none", "--annotations", "map.txt"];
    let wrong = run(folder.path(), &base);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("expected a vector layer"));
    let two = run(
        folder.path(),
        &[
            "score",
            "map.txt",
            "worse.txt",
            "--truth",
            "truth.txt",
            "--align",
            "none",
            "--annotations",
            "victims.geojson",
        ],
    );
    assert!(String::from_utf8_lossy(&two.stderr).contains("with its own files"));
}

#[test]
fn a_job_file_names_layers_too() {
    let folder = folder();
    let job = "truth = \"truth.txt\"\nmaps = [\"map.txt\"]\nalign = \"none\"\nmetrics = [\"victims\"]\n\
               annotations = [\"victims.geojson\"]\ntruth_annotations = [\"truth_victims.geojson\"]\n\
               [read]\nresolution_m = 1.0\n";
    std::fs::write(folder.path().join("job.toml"), job).unwrap();
    let output = run(folder.path(), &["score", "--job", "job.toml", "--format", "csv"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("victims,S-V,1,"), "{text}");
}

#[test]
fn two_maps_side_by_side() {
    let folder = folder();
    let base =
        ["compare", "map.txt", "worse.txt", "--truth", "truth.txt", "--align", "none", "--resolution", "1"];
    let output = run(folder.path(), &[&base[..], &["--format", "json", "--out", "out"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&found["schema"], &found["a"], &found["b"]),
        (&"mapjudge.compare/1".into(), &"map".into(), &"worse".into())
    );
    let error = found["metrics"].as_array().unwrap().iter().find(|m| m["id"] == "overall_error").unwrap();
    assert_eq!((error["difference"].as_f64(), &error["winner"]), (Some(2.0), &"a".into()));
    let page = std::fs::read_to_string(folder.path().join("out/compare.html")).unwrap();
    assert_eq!(page.matches("<img ").count(), 4, "two overlays and two error maps");
    for format in ["table", "csv", "md", "html"] {
        assert!(
            run(folder.path(), &[&base[..], &["--format", format]].concat()).status.success(),
            "{format}"
        );
    }
    assert_eq!(run(folder.path(), &[&base[..], &["--format", "junit"]].concat()).status.code(), Some(2));
}

#[test]
fn the_effort_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let log = "FLASER 3 1.0 1.0 1.0 0 0 0 0 0 0 0 h 0\nFLASER 3 1.0 1.0 1.0 1 0 0 1 0 0 10 h 10\n";
    std::fs::write(folder.path().join("run.log"), log).unwrap();
    let output = run(folder.path(), &["info", "run.log", "--effort", "--max-range", "5", "--format", "json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let runs: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((runs[0]["scans"].as_u64(), runs[0]["distance_m"].as_f64()), (Some(2), Some(1.0)));
    assert!(runs[0]["exploration"]["t50_s"].as_f64().is_some(), "{runs}");
    std::fs::write(folder.path().join("map.txt"), "#..\n...\n").unwrap();
    assert_eq!(run(folder.path(), &["info", "map.txt", "--effort"]).status.code(), Some(2));
}

#[test]
fn red_cells_and_a_layer_of_victims_are_counted_once() {
    let folder = folder();
    let nav = "resolution: 1\norigin: 0 0 0\nkkkkkkkkk\nkgggkgggk\nkgggkgggk\nkrgggggrk\nkkkkkkkkk\n";
    std::fs::write(folder.path().join("map.txt"), nav).unwrap();
    let both = ["--annotations", "victims.geojson", "--truth-annotations", "truth_victims.geojson"];
    let case = metrics(folder.path(), &both);
    // v1 is listed 0.5 m from its red cell; the other red cell is the report v9, which is a false alarm.
    let victims = metric(&case, "victims");
    assert_eq!((victims["value"].as_f64(), victims["detail"]["false_alarms"].as_u64()), (Some(1.0), Some(1)));
    let marked = metrics(folder.path(), &["--truth-annotations", "truth_victims.geojson"]);
    let victims = metric(&marked, "victims");
    assert_eq!((victims["value"].as_f64(), victims["detail"]["false_alarms"].as_u64()), (Some(1.0), Some(1)));
    let codes: Vec<&str> = marked["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"VICTIMS_MARKED"), "{codes:?}");
}

#[test]
fn the_layers_are_drawn_and_each_has_a_switch() {
    let folder = folder();
    let given = ["--annotations", "victims.geojson", "groups.geojson", "responder_path.geojson"];
    let truth = ["--truth-annotations", "truth_victims.geojson", "--out", "result"];
    metrics(folder.path(), &[&given[..], &truth].concat());
    let page = std::fs::read_to_string(folder.path().join("result/report.html")).unwrap();
    for name in ["victims", "true_victims", "groups", "responder_path"] {
        assert!(page.contains(&format!("class=\"show-{name}\"")), "{name}");
        assert!(page.contains(&format!("class=\"layer-{name}\"")), "{name}");
    }
    assert!(!page.contains("<script"), "no script is needed");
    let drawn = std::fs::read_to_string(folder.path().join("result/map_layers.svg")).unwrap();
    assert!(drawn.contains("Hallway"), "labels of groups are written");
}

#[test]
fn compare_judges_what_is_written_on_both_maps() {
    let folder = folder();
    let output = run(
        folder.path(),
        &[
            "compare",
            "map.txt",
            "worse.txt",
            "--truth",
            "truth.txt",
            "--align",
            "none",
            "--resolution",
            "1",
            "--annotations-a",
            "victims.geojson",
            "--annotations-b",
            "responder_path.geojson",
            "--truth-annotations",
            "truth_victims.geojson",
            "--format",
            "json",
            "--out",
            "sides",
        ],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let pair: Value = serde_json::from_slice(&output.stdout).unwrap();
    let victims = pair["metrics"].as_array().unwrap().iter().find(|m| m["id"] == "victims").unwrap().clone();
    assert_eq!((victims["a"].as_f64(), victims["b"].as_f64()), (Some(1.0), Some(0.0)));
    let page = std::fs::read_to_string(folder.path().join("sides/compare.html")).unwrap();
    assert!(page.contains("class=\"show-victims\"") && page.contains("class=\"show-responder_path\""));
}
