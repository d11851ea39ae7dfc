//! `mapjudge score` as a user runs it: exit codes, streams, determinism, hostile files.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const TRUTH: &str = "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#...#\n#####\n";
const MAP: &str = "resolution: 0.5\norigin: 0 0 0\n####.\n#...#\n#..#.\n####.\n";

/// A folder with a truth and a map drawn as text.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("truth.txt", TRUTH);
        place.write("map.txt", MAP);
        place
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        command.args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self
            .run(&[&["score", "map.txt", "--truth", "truth.txt", "--format", "json"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn value(report: &Value, id: &str) -> Value {
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    metrics.iter().find(|m| m["id"] == id).expect(id)["value"].clone()
}

#[test]
fn a_report_has_the_schemas_keys_in_order() {
    let report = Place::new().json(&[]);
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["schema", "tool", "cases", "limits"]);
    assert_eq!(report["schema"], "mapjudge.report/1");
    let case: Vec<&String> = report["cases"][0].as_object().unwrap().keys().collect();
    assert_eq!(case, ["name", "inputs", "alignment", "grid", "metrics", "findings", "detail"]);
    assert_eq!(value(&report, "overall_error"), 4.0);
    assert_eq!(report["cases"][0]["inputs"][1]["path"], "map.txt");
    assert_eq!(report["cases"][0]["inputs"][1]["blake3"].as_str().unwrap().len(), 64);
}

#[test]
fn the_report_follows_its_published_schema() {
    let place = Place::new();
    let schema: Value = serde_json::from_slice(&place.run(&["schema"]).stdout).unwrap();
    let report = place.json(&[]);
    let required =
        |name: &str| schema.pointer(&format!("/$defs/{name}/required")).unwrap().as_array().unwrap().clone();
    for key in required("MetricRecord") {
        assert!(report["cases"][0]["metrics"][0].get(key.as_str().unwrap()).is_some(), "{key}");
    }
    for key in required("CaseReport") {
        assert!(report["cases"][0].get(key.as_str().unwrap()).is_some(), "{key}");
    }
}

#[test]
fn the_same_bytes_come_out_of_every_run_and_any_number_of_threads() {
    let place = Place::new();
    for format in ["table", "json", "csv", "md", "latex", "html", "junit"] {
        let run = |threads: &str| {
            let maps = ["score", "map.txt", "truth.txt", "map.txt", "--truth", "truth.txt"];
            place.run(&[&maps[..], &["--format", format, "--threads", threads]].concat()).stdout
        };
        let first = run("1");
        assert!(!first.is_empty(), "{format}");
        assert_eq!(first, run("1"), "{format}: two runs differ");
        assert_eq!(first, run("2"), "{format}: two threads differ from one");
    }
}

#[test]
fn limits_and_baselines_decide_the_exit_code() {
    let place = Place::new();
    place.write("held.txt", "overall_error <= 4\npicture_distance <= 2.0\n");
    place.write("missed.txt", "overall_error < 4\n");
    let score = |more: &[&str]| place.run(&[&["score", "map.txt", "--truth", "truth.txt"], more].concat());
    assert_eq!(score(&["--limits", "held.txt"]).status.code(), Some(0));
    assert_eq!(score(&["--limits", "missed.txt"]).status.code(), Some(1));
    place.write("baseline.json", score(&["--format", "json"]).stdout);
    assert_eq!(score(&["--baseline", "baseline.json"]).status.code(), Some(0));
    place.write("map.txt", MAP.replace("#..#.", "...#."));
    let worse = score(&["--baseline", "baseline.json", "--format", "json"]);
    assert_eq!(worse.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&worse.stdout).unwrap();
    assert!(report["baseline"].as_array().unwrap().iter().any(|row| row["change"] == "worse"));
}

#[test]
fn an_undefined_metric_matters_only_if_it_was_asked_for_by_name() {
    let place = Place::new();
    place.write("map.txt", TRUTH.replace('#', "."));
    let code = |metrics: &str| {
        place.run(&["score", "map.txt", "--truth", "truth.txt", "--metrics", metrics]).status.code()
    };
    assert_eq!(code("baron_correlation"), Some(3));
    assert_eq!(code("cells"), Some(0));
}

#[test]
fn flags_reach_the_metrics_and_go_over_the_job_file() {
    let place = Place::new();
    let report = place.json(&[
        "--set",
        "image_similarity.colours=occupied",
        "--metrics",
        "image_similarity,overall_error",
    ]);
    assert_eq!(report["cases"][0]["metrics"].as_array().unwrap().len(), 2);
    assert!((value(&report, "image_similarity").as_f64().unwrap() - 0.297619).abs() < 1e-6);
    place.write(
        "job.toml",
        "truth = 'truth.txt'\nmaps = ['map.txt']\nmetrics = ['overall_error']\nwindow = 'union'\n",
    );
    let run = |more: &[&str]| -> Value {
        let output = place.run(&[&["score", "--job", "job.toml", "--format", "json"], more].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(run(&[])["cases"][0]["grid"]["window"], "union");
    assert_eq!(run(&["--window", "truth"])["cases"][0]["grid"]["window"], "truth");
}

#[test]
fn without_an_origin_the_frame_is_searched_and_doubt_forbids_scores() {
    let place = Place::new();
    place.write("loose.txt", "#####\n#...#\n#...#\n#####\n");
    let run = |more: &[&str]| {
        place.run(&[&["score", "loose.txt", "--truth", "truth.txt", "--format", "json"], more].concat())
    };
    let report = |output: &Output| -> Value { serde_json::from_slice(&output.stdout).unwrap() };
    let searched = run(&[]);
    assert!(text(&searched.stderr).contains("FRAME_SEARCHED"), "{}", text(&searched.stderr));
    assert!(text(&searched.stderr).contains("ALIGN_AMBIGUOUS"), "a rectangle has two frames");
    let refused = report(&searched);
    assert_eq!(refused["cases"][0]["alignment"]["method"], "correlative");
    assert_eq!(refused["cases"][0]["alignment"]["certificate"]["verdict"], "ambiguous");
    let metrics = refused["cases"][0]["metrics"].as_array().unwrap();
    assert!(metrics.iter().all(|m| m["value"].is_null() && m["reasons"][0] == "ALIGN_AMBIGUOUS"));
    let accepted = report(&run(&["--accept-ambiguous"]));
    let record = accepted["cases"][0]["metrics"].as_array().unwrap();
    let record = record.iter().find(|m| m["id"] == "overall_error").unwrap();
    assert!(record["value"].is_number() && record["status"] == "warning");
    assert_eq!(record["reasons"], serde_json::json!(["ALIGN_AMBIGUOUS"]));
    assert_eq!(report(&run(&["--align", "none"]))["cases"][0]["alignment"]["certificate"], Value::Null);
    let misspelt = run(&["--align", "corelative"]);
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(text(&misspelt.stderr).contains("correlative"), "{}", text(&misspelt.stderr));
}

#[test]
fn a_transform_file_moves_the_map() {
    let place = Place::new();
    let aligned = place.run(&["align", "map.txt", "--truth", "truth.txt", "--format", "json"]);
    assert_eq!(aligned.status.code(), Some(0), "{}", text(&aligned.stderr));
    let mut file: Value = serde_json::from_slice(&aligned.stdout).unwrap();
    assert_eq!(file["schema"], "mapjudge.alignment/1");
    let keys: Vec<&String> = file["alignment"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["method", "truth_from_map", "certificate", "hypotheses"]);
    file["alignment"]["truth_from_map"] =
        serde_json::json!({"x_m": 0.0, "y_m": 0.0, "theta_rad": 0.0, "scale": 1.0});
    file["alignment"]["certificate"]["verdict"] = "certain".into();
    place.write("frame.json", file.to_string());
    let report = place.json(&["--align", "frame.json"]);
    assert_eq!(value(&report, "overall_error"), value(&place.json(&[]), "overall_error"));
    file["alignment"]["truth_from_map"]["scale"] = 0.0.into();
    place.write("frame.json", file.to_string());
    let refused = place.run(&["score", "map.txt", "--truth", "truth.txt", "--align", "frame.json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("scale above 0"), "{}", text(&refused.stderr));
}

#[test]
fn a_disjoint_map_has_no_overlap_and_says_so() {
    let place = Place::new();
    place.write("map.txt", MAP.replace("origin: 0 0 0", "origin: 90 90 0"));
    let report = place.json(&[]);
    assert_eq!(report["cases"][0]["grid"]["coverage"], 0.0);
    assert_eq!(report["cases"][0]["findings"].as_array().unwrap().last().unwrap()["code"], "NO_OVERLAP");
    assert_eq!(value(&report, "chamfer_distance"), Value::Null);
    let empty = place.json(&["--window", "intersection"]);
    assert_eq!(empty["cases"][0]["grid"], Value::Null);
    assert!(value(&empty, "overall_error").is_null());
}

/// One clear message with a hint, exit code 2, nothing on stdout.
#[track_caller]
fn refused(place: &Place, file: &Path) {
    let output = place.run(&["score", file.to_str().unwrap(), "--truth", "truth.txt", "--align", "none"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}: {message}", file.display());
    assert!(message.starts_with("error: ") && message.contains("\nhint: "), "{}: {message}", file.display());
    assert!(!message.contains("panicked"), "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn hostile_files_are_refused_with_a_hint() {
    let place = Place::new();
    place.write("good.pgm", b"P5 2 2 255\n\0\0\0\0");
    let yaml = |fields: &str| format!("image: good.pgm\n{fields}");
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("truncated.pgm", b"P5 100 100 255\n\0\0\0".to_vec()),
        ("oversized.pgm", b"P5 1000000 1000000 255\n\0".to_vec()),
        ("zero.pgm", b"P5 0 0 255\n".to_vec()),
        ("empty.pgm", Vec::new()),
        ("words.png", b"this is no picture".to_vec()),
        ("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("cut.bmp", b"BM\x46\0\0\0".to_vec()),
        ("nothing.yaml", b"{}".to_vec()),
        ("no_image.yaml", b"resolution: 0.05\norigin: [0, 0, 0]\n".to_vec()),
        ("lost_image.yaml", b"image: gone.pgm\nresolution: 0.05\norigin: [0,0,0]\noccupied_thresh: 0.65\nfree_thresh: 0.2\nnegate: 0\n".to_vec()),
        ("nan.yaml", yaml("resolution: .nan\norigin: [0,0,0]\noccupied_thresh: 0.65\nfree_thresh: 0.2\nnegate: 0\n").into()),
        ("negative.yaml", yaml("resolution: -0.05\norigin: [0,0,0]\noccupied_thresh: 0.65\nfree_thresh: 0.2\nnegate: 0\n").into()),
        ("nan_origin.yaml", yaml("resolution: 0.05\norigin: [.nan,0,0]\noccupied_thresh: 0.65\nfree_thresh: 0.2\nnegate: 0\n").into()),
        ("ragged.txt", b"###\n#\n".to_vec()),
    ];
    for (name, content) in files {
        let path = place.write(name, content);
        refused(&place, &path);
    }
    refused(&place, Path::new("not_there.yaml"));
    refused(&place, place.folder.path());
}

#[test]
fn mistakes_on_the_command_line_are_explained() {
    let place = Place::new();
    let score = |more: &[&str]| place.run(&[&["score", "map.txt", "--truth", "truth.txt"], more].concat());
    for (arguments, expected) in [
        (vec!["--metrics", "overal_error"], "did you mean 'overall_error'?"),
        (vec!["--set", "overall_error.unknown=free"], "has no parameter 'unknown': expected unknown_as"),
        (vec!["--set", "overall_error.unknown_as=maybe"], "expected one of"),
        (vec!["--origin", "1,2"], "expected three numbers"),
        (vec!["--window", "half"], "expected one of"),
        (vec!["--format", "pdf"], "expected table"),
        (vec!["--limits", "none.txt"], "none.txt"),
    ] {
        let output = score(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(expected), "{arguments:?}: {}", text(&output.stderr));
    }
    assert_eq!(place.run(&["score", "map.txt"]).status.code(), Some(2));
}

#[test]
fn a_map_alone_is_judged_only_by_what_it_tells_about_itself() {
    let place = Place::new();
    let alone = place.run(&["score", "map.txt", "--metrics", "plausibility", "--format", "json"]);
    assert_eq!(alone.status.code(), Some(0), "{}", text(&alone.stderr));
    let report: Value = serde_json::from_slice(&alone.stdout).unwrap();
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    assert!(metrics.len() > 1 && metrics.iter().any(|m| m["value"].is_number()), "{report:#}");
    assert_eq!(report["cases"][0]["inputs"].as_array().unwrap().len(), 1);
    let forgotten = place.run(&["score", "map.txt"]);
    assert_eq!(forgotten.status.code(), Some(2));
    assert!(text(&forgotten.stderr).contains("--truth"), "{}", text(&forgotten.stderr));
}

#[test]
fn a_failed_alignment_has_no_transform() {
    let place = Place::new();
    place.write("free.txt", "resolution: 0.5\norigin: 0 0 0\n.....\n.....\n.....\n");
    let align = |format: &str| place.run(&["align", "free.txt", "--truth", "truth.txt", "--format", format]);
    assert!(
        text(&align("table").stdout).contains("no transform was found"),
        "{}",
        text(&align("table").stdout)
    );
    let file: Value = serde_json::from_slice(&align("json").stdout).unwrap();
    assert_eq!(file["alignment"]["truth_from_map"], Value::Null);
    let score =
        place.run(&["score", "free.txt", "--truth", "truth.txt", "--align", "auto", "--format", "json"]);
    let report: Value = serde_json::from_slice(&score.stdout).unwrap();
    assert_eq!(report["cases"][0]["alignment"]["truth_from_map"], Value::Null);
}

#[test]
fn out_writes_the_report_and_its_pictures() {
    let place = Place::new();
    let output = place.run(&["score", "map.txt", "--truth", "truth.txt", "--out", "result"]);
    assert_eq!(output.status.code(), Some(0));
    for name in ["report.json", "report.html", "map_overlay.png", "map_errors.png"] {
        let size = std::fs::metadata(place.folder.path().join("result").join(name)).unwrap().len();
        assert!(size > 0, "{name}");
    }
    let page = std::fs::read_to_string(place.folder.path().join("result/report.html")).unwrap();
    for foreign in ["src=\"http", "href=\"http", "url(http", "@import", "<script src", "<link"] {
        assert!(!page.contains(foreign), "the page must need no network, found {foreign}");
    }
}

#[test]
fn the_demo_is_a_contest_of_four_teams() {
    let place = Place::new();
    let output = place.run(&["demo", "out", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("Ranking") && shown.contains("out/result/index.html"), "{shown}");
    let file = |folder: &str, name: &str| std::fs::read(place.folder.path().join(folder).join(name)).unwrap();
    let contest: Value = serde_json::from_slice(&file("out", "result/contest.json")).unwrap();
    let ranking = contest["ranking"].as_array().unwrap();
    assert_eq!(ranking.len(), 4);
    assert!(ranking.iter().all(|team| team["score"].as_f64().is_some()), "{contest:#}");
    place.run(&["demo", "again", "--seed", "3"]);
    for name in ["truth.pgm", "noise.pgm", "bend.yaml", "contest/aurora/nav.tif", "result/contest.json"] {
        assert_eq!(file("out", name), file("again", name), "the same seed gives the same {name}");
    }
}

#[test]
fn every_metric_has_a_card_and_every_command_a_worked_example() {
    let place = Place::new();
    let listed: Value = serde_json::from_slice(&place.run(&["metrics", "--format", "json"]).stdout).unwrap();
    for metric in listed.as_array().unwrap() {
        let id = metric["id"].as_str().unwrap();
        let card = text(&place.run(&["metrics", id]).stdout);
        assert!(card.contains(id) && card.contains("Known bias"), "{id}");
    }
    for command in ["demo", "score", "contest", "info", "lint", "convert", "metrics", "schema"] {
        let help = text(&place.run(&[command, "--help"]).stdout);
        assert!(help.contains("Example"), "{command}");
    }
}
