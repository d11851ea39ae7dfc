//! `mapjudge points` as a judge runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const HEAD: &str = "\"pois\"\n\"1.2\"\n\"Team\"\n\"Country\"\n\"2025-07-19\"\n\"14:30:05\"\n\"Final\"\n\n\
                    id,time,text,x,y,z,robot,mode,type\n";

/// Repeated labels: 3 tags, 2 signs, an object, a heat signature; 32 points.
const ROWS: [(&str, &str, f64, f64); 7] = [
    ("7", "ar_tag", 0.0, 0.0),
    ("7", "ar_tag", 6.0, 1.0),
    ("7", "ar_tag", 2.0, 5.0),
    ("flammable", "hazmat", 4.0, 4.0),
    ("flammable", "hazmat", 9.0, 3.0),
    ("helmet", "real_object", 1.0, 8.0),
    ("", "heat_signature", 7.0, 7.0),
];

fn list(order: &[usize], place: impl Fn(f64, f64) -> (f64, f64)) -> String {
    let row = |(id, &index): (usize, &usize)| {
        let (text, kind, x, y) = ROWS[index];
        let (x, y) = place(x, y);
        format!("{},14:32:10,\"{text}\",{x},{y},0.3,\"r1\",A,{kind}\n", id + 1)
    };
    HEAD.to_owned() + &order.iter().enumerate().map(row).collect::<String>()
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[&["points"], arguments, &["--format", "json"]].concat());
    assert!(
        output.status.code().is_some_and(|code| code != 2),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let all = [0, 1, 2, 3, 4, 5, 6];
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("truth.csv", list(&all, |x, y| (x, y)));
    write("shuffled.csv", list(&[6, 2, 4, 0, 5, 1, 3], |x, y| (x, y)));
    write("mirrored.csv", list(&all, |x, y| (-x, y)));
    write("scaled.csv", list(&all, |x, y| (1.02 * x, 1.02 * y)));
    write("few.csv", list(&[5, 6], |x, y| (x + 0.1, y)));
    folder
}

#[test]
fn a_list_against_itself_is_perfect_in_any_order() {
    let folder = folder();
    for name in ["truth.csv", "shuffled.csv"] {
        let found = json(folder.path(), &[name, "--truth", "truth.csv", "--profile", "rrl-2025"]);
        assert_eq!(found["schema"], "mapjudge.points/1");
        assert_eq!((found["error_m"].as_f64(), found["points"].as_f64()), (Some(0.0), Some(32.0)), "{name}");
        assert_eq!((found["score"].as_f64(), found["coverage"].as_f64()), (Some(32.0), Some(1.0)));
        assert_eq!((found["matched"].as_u64(), found["truth_points"].as_u64()), (Some(7), Some(7)));
        assert_eq!((found["scale"].as_f64(), found["mirrored"].as_bool()), (Some(1.0), Some(false)));
        assert_eq!(found["certified"], true);
        for key in ["label", "truth_id", "submission_id", "error_m"] {
            assert!(found["matches"].as_array().unwrap().iter().all(|m| !m[key].is_null()), "{key}");
        }
        assert_eq!(found["unmatched"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn a_mirrored_list_is_flagged_on_both_streams_and_not_perfect() {
    let folder = folder();
    let output = run(folder.path(), &["points", "mirrored.csv", "--truth", "truth.csv", "--format", "json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["mirrored"], true);
    assert!(found["error_m"].as_f64().unwrap() > 0.5 && found["score"].as_f64().unwrap() < 16.0, "{found}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("POINTS_MIRRORED"));
}

#[test]
fn scale_coverage_and_threshold_are_told() {
    let folder = folder();
    let scaled = json(folder.path(), &["scaled.csv", "--truth", "truth.csv"]);
    assert!((scaled["scale"].as_f64().unwrap() - 0.980_392).abs() < 1e-6);
    assert!(scaled["scale_corrected"]["error_m"].as_f64().unwrap() < 1e-9);
    let few = ["few.csv", "--truth", "truth.csv", "--set", "min_coverage=0.5"];
    assert_eq!(json(folder.path(), &few)["unmatched"].as_array().unwrap().len(), 5);
    assert_eq!(
        run(folder.path(), &[&["points"], &few[..]].concat()).status.code(),
        Some(1),
        "coverage is a limit"
    );
    let finals =
        json(folder.path(), &["scaled.csv", "--truth", "truth.csv", "--set", "scoring_threshold=1.0"]);
    assert_eq!(finals["rules"]["scoring_threshold"], 1.0);
}

#[test]
fn lists_in_pixels_are_flagged() {
    let folder = folder();
    let all: Vec<usize> = (0..7).collect();
    std::fs::write(folder.path().join("pixels.csv"), list(&all, |x, y| (308.8 * x, 308.8 * y))).unwrap();
    let flagged = |submission: &str, truth: &str| {
        let output = run(folder.path(), &["points", submission, "--truth", truth, "--format", "json"]);
        String::from_utf8_lossy(&output.stderr).contains("POINTS_SCALED")
    };
    assert!(flagged("truth.csv", "pixels.csv") && flagged("pixels.csv", "truth.csv"));
    assert!(!flagged("scaled.csv", "truth.csv"), "two percent are an error of the map");
}

#[test]
fn rows_without_a_label_match_nothing() {
    let folder = folder();
    std::fs::write(folder.path().join("named.pts"), "arena\na,1,1\nb,5,1\n,5,4\n,6,4\n").unwrap();
    let found = json(folder.path(), &["named.pts", "--truth", "named.pts"]);
    assert_eq!(found["matched"].as_u64(), Some(2), "{found}");
    let codes = found["findings"].as_array().unwrap();
    assert!(codes.iter().any(|finding| finding["code"] == "POINT_LABEL_MISSING"), "{found}");
}

#[test]
fn every_format_and_the_folder() {
    let folder = folder();
    for format in ["table", "csv", "md", "latex", "html", "junit"] {
        let output =
            run(folder.path(), &["points", "shuffled.csv", "--truth", "truth.csv", "--format", format]);
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{format}");
    }
    let output =
        run(folder.path(), &["points", "few.csv", "--truth", "truth.csv", "--out", "out", "--quiet"]);
    assert!(output.status.success());
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(table.contains("2 of 7 true points matched") && table.contains("P / (1 + E)"), "{table}");
    assert_eq!(table.matches("missed").count(), 5, "{table}");
    for name in ["points.json", "report.json", "report.html", "few_points.svg"] {
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
    }
}

#[test]
fn what_is_wrong_is_said_with_a_hint() {
    let folder = folder();
    std::fs::write(folder.path().join("map.txt"), "#..\n...\n").unwrap();
    std::fs::write(folder.path().join("empty.pts"), "nothing\n").unwrap();
    let cases: [(&[&str], i32, &str); 5] = [
        (&["points", "truth.csv", "--truth", "truth.csv", "--profile", "rrl-1999"], 2, "there are rrl-2024"),
        (&["points", "map.txt", "--truth", "truth.csv"], 2, "hint:"),
        (&["points", "truth.csv", "--truth", "truth.csv", "--set", "treshold=1"], 2, "scoring_threshold"),
        (&["points", "truth.csv", "--truth", "truth.csv", "--set", "scoring_threshold=-1"], 2, "from 0 on"),
        (&["points", "truth.csv", "--truth", "empty.pts", "--format", "json"], 3, ""),
    ];
    for (arguments, code, words) in cases {
        let output = run(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

#[test]
fn a_hostile_name_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let label = "<script>alert(1)</script>../../x\u{202e}";
    let text = format!("map\n{label},0,0\n{label},3,0\n{},3,4\n", "y".repeat(10_000));
    std::fs::write(folder.path().join("a.pts"), &text).unwrap();
    let output =
        run(folder.path(), &["points", "a.pts", "--truth", "a.pts", "--format", "html", "--out", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(!page.contains("<script>alert"), "a label became a tag");
}
