//! `mapjudge history` as a build server runs it, and the journey of the engineer.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with a report per night whose map has that many wrong cells in its first row.
fn nights(wrong: &[usize]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let grid = |first: &str| format!("resolution: 0.5\norigin: 0 0 0\n{first}\n#..........#\n############\n");
    std::fs::write(place.join("truth.txt"), grid("############")).unwrap();
    for (night, wrong) in wrong.iter().enumerate() {
        let row = format!("{}{}", ".".repeat(*wrong), "#".repeat(12 - wrong));
        std::fs::write(place.join("map.txt"), grid(&row)).unwrap();
        let metrics = "overall_error,known_coverage";
        let report = run(
            place,
            &["score", "map.txt", "--truth", "truth.txt", "--metrics", metrics, "--format", "json"],
        );
        assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
        std::fs::write(place.join("report.json"), report.stdout).unwrap();
        let time = format!("2026-11-{:02}T02:00:00+01:00", night + 1);
        let label = format!("c{night}");
        let added =
            run(place, &["history", "add", "nightly", "report.json", "--time", &time, "--label", &label]);
        assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));
        assert!(added.stdout.is_empty() && text(&added.stderr).starts_with("added nightly/entries/"));
    }
    folder
}

#[test]
fn a_value_that_stands_out_is_missed_and_named() {
    // Median 2, deviations 0 0 1 1 0 0: sigma 0; 3 is worse.
    let folder = nights(&[2, 2, 3, 1, 2, 2, 3]);
    let checked = run(folder.path(), &["history", "check", "nightly"]);
    let words = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(1), "{words}");
    assert!(
        words.contains("WORSE      map: overall_error is 3, worse than the median of the last 10 by 3 sigma")
    );
    let json = run(folder.path(), &["history", "check", "nightly", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        (&json["schema"], &json["newest"]["label"]),
        (&"mapjudge.history_check/1".into(), &"c6".into())
    );
    assert_eq!(json["newest"]["time"], "2026-11-07T01:00:00Z", "in UTC");
    let comment = run(folder.path(), &["history", "check", "nightly", "--format", "md"]);
    assert!(text(&comment.stdout).contains("| map | overall\\_error | 3 | 2 |"), "{}", text(&comment.stdout));
}

#[test]
fn tolerances_and_rules_of_single_metrics_come_from_the_limits_file() {
    let folder = nights(&[2, 2, 3, 1, 2, 2, 3]);
    std::fs::write(folder.path().join("l.toml"), "[tolerances]\noverall_error = \"1\"\n").unwrap();
    let checked = run(folder.path(), &["history", "check", "nightly", "--limits", "l.toml"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    std::fs::write(folder.path().join("l.toml"), "[history]\noverall_error = \"0 sigma of the last 4\"\n")
        .unwrap();
    let checked = run(folder.path(), &["history", "check", "nightly", "--limits", "l.toml"]);
    assert!(text(&checked.stdout).contains("median of the last 4 by 0 sigma"), "{}", text(&checked.stdout));
}

#[test]
fn too_few_values_are_said_and_matter_if_asked_for_by_name() {
    let folder = nights(&[2, 2, 3]);
    let checked = run(folder.path(), &["history", "check", "nightly"]);
    let words = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{words}");
    assert!(words.contains("unchecked  overall_error: too few earlier values (2); all"), "{words}");
    let checked = run(folder.path(), &["history", "check", "nightly", "--metrics", "overall_error"]);
    assert_eq!(checked.status.code(), Some(3));
    let wrong = run(folder.path(), &["history", "check", "nightly", "--metrics", "overal_error"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean 'overall_error'?"), "{}", text(&wrong.stderr));
    let none = run(folder.path(), &["history", "check", "elsewhere"]);
    assert_eq!(none.status.code(), Some(2), "no history is no success");
}

#[test]
fn show_prints_the_course_and_writes_a_figure_per_metric() {
    let folder = nights(&[1, 3, 2]);
    let shown = run(folder.path(), &["history", "show", "nightly", "--out", "trend"]);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    assert!(text(&shown.stdout).contains("▁█▅"), "{}", text(&shown.stdout));
    let page = std::fs::read_to_string(folder.path().join("trend/history.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2);
    let series: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("trend/history.json")).unwrap())
            .unwrap();
    let metrics = series["metrics"].as_array().unwrap();
    let errors = metrics.iter().find(|metric| metric["id"] == "overall_error").unwrap();
    assert_eq!(errors["values"][0], serde_json::json!([1.0, 3.0, 2.0]));
}

#[test]
fn a_wrong_time_or_report_is_refused() {
    let folder = nights(&[1]);
    for (arguments, words) in [
        (["history", "add", "nightly", "report.json", "--time", "yesterday"], "2026-11-16T02:00:00Z"),
        (["history", "add", "nightly", "map.txt", "--label", "x"], "no JSON"),
        (["history", "add", "nightly", "gone.json", "--label", "x"], "gone.json"),
    ] {
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    assert_eq!(std::fs::read_dir(folder.path().join("nightly/entries")).unwrap().count(), 1);
}

#[test]
fn the_engineers_gate_takes_three_commands() {
    if Command::new("bash").arg("--version").output().is_err() {
        testkit::skip("bash is absent");
        return;
    }
    let output = Command::new("bash")
        .arg(root().join("journeys/engineer.sh"))
        .env("MAPJUDGE", env!("CARGO_BIN_EXE_mapjudge"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("500 maps, 3 commands"), "{}", text(&output.stdout));
}
