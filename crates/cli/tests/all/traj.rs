//! `mapjudge traj` as a user runs it: the degenerate inputs that other tools stumble over, and real data.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub struct Place {
    folder: TempDir,
}

/// A pose: time, x, y, heading.
type Row = (f64, f64, f64, f64);

/// A drive with turns, 200 poses at 10 Hz.
fn drive() -> Vec<Row> {
    let row = |i: u32| {
        let t = f64::from(i) / 10.0;
        (100.0 + t, t + (0.4 * t).sin(), 3.0 * (0.5 * t).sin(), 0.6 * (0.3 * t).sin() + 0.05 * t)
    };
    (0..200).map(row).collect()
}

fn tum(rows: &[Row]) -> String {
    let mut text = String::new();
    for (t, x, y, theta) in rows {
        let (sin, cos) = (theta / 2.0).sin_cos();
        writeln!(text, "{t} {x} {y} 0 0 0 {sin} {cos}").unwrap();
    }
    text
}

impl Place {
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("truth.tum", &tum(&drive()));
        place
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        command.arg("traj").args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    /// The report of an estimate against the truth, whatever the exit code.
    fn judge(&self, rows: &[Row], arguments: &[&str]) -> Value {
        self.write("est.tum", &tum(rows));
        let output =
            self.run(&[&["est.tum", "--truth", "truth.tum", "--format", "json"], arguments].concat());
        assert!(!output.stdout.is_empty(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The message of an estimate that cannot be judged.
    fn refusal(&self, content: &str, arguments: &[&str]) -> String {
        self.write("est.tum", content);
        let output = self.run(&[&["est.tum", "--truth", "truth.tum"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn metric<'a>(report: &'a Value, id: &str) -> &'a Value {
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    metrics.iter().find(|m| m["id"] == id).expect(id)
}

pub fn value(report: &Value, id: &str) -> f64 {
    metric(report, id)["value"].as_f64().unwrap()
}

fn codes(report: &Value) -> Vec<&str> {
    report["cases"][0]["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect()
}

#[test]
fn a_perfect_run_is_perfect_and_covered() {
    let report = Place::new().judge(&drive(), &[]);
    for id in ["ate_translation", "ate_rotation", "rpe_translation", "rpe_rotation"] {
        assert!(value(&report, id) < 1e-6, "{id}");
    }
    assert_eq!(value(&report, "trajectory_coverage"), 1.0);
    let detail = &metric(&report, "ate_translation")["detail"];
    for key in ["mean", "std", "std_sample", "median", "p95", "max", "rmse", "mean_square", "std_square"] {
        assert!(detail[key].is_number() && detail["translation_m"][key].is_number(), "{key}");
    }
    assert_eq!((&detail["matched"], &detail["unmatched"]), (&200.into(), &0.into()));
}

#[test]
fn a_tenth_of_the_run_has_a_tenth_of_the_coverage_and_no_rank() {
    let place = Place::new();
    let report = place.judge(&drive()[..20], &[]);
    assert!((value(&report, "trajectory_coverage") - 0.1).abs() < 0.01);
    assert!(codes(&report).contains(&"LOW_COVERAGE"));
    let worse: Vec<Row> = drive().iter().map(|r| (r.0, r.1, r.2 + 0.02 * (r.0 * 3.0).sin(), r.3)).collect();
    place.write("full.tum", &tum(&worse));
    let output = place.run(&["est.tum", "full.tum", "--truth", "truth.tum", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ranking = &report["comparison"]["ranking"];
    assert_eq!((&ranking[0]["name"], &ranking[0]["rank"]), (&"full".into(), &1.into()));
    assert_eq!((&ranking[1]["name"], &ranking[1]["rank"]), (&"est".into(), &Value::Null));
    assert!(ranking[1]["reason"].as_str().unwrap().contains("coverage"));
}

#[test]
fn a_mirror_image_is_bad_and_explained() {
    let mirrored: Vec<Row> = drive().iter().map(|&(t, x, y, theta)| (t, x, -y, -theta)).collect();
    for align in ["se2", "se3", "yaw", "sim3"] {
        let report = Place::new().judge(&mirrored, &["--align", align]);
        assert!(value(&report, "ate_translation") > 0.5, "{align}");
        assert!(codes(&report).contains(&"MIRRORED_TRAJECTORY"), "{align}");
    }
}

#[test]
fn lines_and_standstills_are_solved_or_explained() {
    let place = Place::new();
    let noise = |i: u32| f64::from((i * 7919) % 13) / 1000.0;
    let line = |noisy: f64| -> Vec<Row> {
        (0..50).map(|i| (f64::from(i), f64::from(i), noisy * noise(i), 0.0)).collect()
    };
    for noisy in [0.0, 1.0] {
        place.write("truth.tum", &tum(&line(0.0)));
        let report = place.judge(&line(noisy), &["--align", "se3"]);
        assert!(value(&report, "ate_translation") < 0.02);
    }
    let still = [(0.0, 1.0, 2.0, 0.0); 1]
        .repeat(30)
        .iter()
        .enumerate()
        .map(|(i, r)| (i as f64, r.1, r.2, r.3))
        .collect::<Vec<_>>();
    place.write("truth.tum", &tum(&still));
    let report = place.judge(&still, &[]);
    assert!(value(&report, "ate_translation") < 1e-9);
    let alignment = &metric(&report, "ate_translation")["detail"]["alignment"];
    assert!(alignment["unobservable"][0].as_str().unwrap().contains("stands still"));
    assert_eq!(metric(&report, "scale_error")["value"], Value::Null);
    let report = place.judge(&still[..1], &[]);
    assert_eq!(metric(&report, "rpe_translation")["reasons"][0], "INSUFFICIENT_POINTS");
}

#[test]
fn faulty_rows_are_named_with_line_and_field() {
    let place = Place::new();
    let mut lines: Vec<String> = tum(&drive()).lines().map(str::to_owned).collect();
    lines[50] = "105 nan 1 0 0 0 0 1".to_owned();
    let message = place.refusal(&lines.join("\n"), &[]);
    assert!(
        message.contains("est.tum: line 51: expected a finite x") && message.contains("--skip-bad 1"),
        "{message}"
    );
    lines[50] = "105 1 1 0 0 0 0 0".to_owned();
    assert!(place.refusal(&lines.join("\n"), &[]).contains("line 51: expected a quaternion with a length"));
    lines[50] = "105 1 1 0 0 0 0".to_owned();
    assert!(place.refusal(&lines.join("\n"), &[]).contains("line 51: expected 8 numbers"));
    lines[50] = "lorem ipsum".to_owned();
    assert!(place.refusal(&lines.join("\n"), &[]).contains("line 51"));
    assert!(place.refusal("", &[]).contains("empty"));
    place.write("est.tum", &lines.join("\n"));
    let output = place.run(&["est.tum", "--truth", "truth.tum", "--skip-bad", "1", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(metric(&report, "ate_translation")["detail"]["matched"], 199);
}

#[test]
fn odd_stamps_and_quaternions_are_read_and_said() {
    let place = Place::new();
    let plain = tum(&drive());
    let doubled = plain.lines().map(|line| {
        let fields: Vec<f64> = line.split(' ').map(|f| f.parse().unwrap()).collect();
        format!("{} {} {} 0 0 0 {} {}", fields[0], fields[1], fields[2], 2.0 * fields[6], 2.0 * fields[7])
    });
    place.write("est.tum", &doubled.collect::<Vec<_>>().join("\n"));
    let output = place.run(&["est.tum", "--truth", "truth.tum", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(codes(&report).contains(&"QUATERNION_NOT_UNIT") && value(&report, "ate_rotation") < 1e-6);
    let mut shuffled = drive();
    shuffled.reverse();
    shuffled.push(shuffled[10]);
    let report = place.judge(&shuffled, &[]);
    assert!(codes(&report).contains(&"STAMPS_RUN_BACKWARD") && codes(&report).contains(&"STAMPS_REPEATED"));
    assert!(value(&report, "ate_translation") < 1e-6);
}

#[test]
fn clocks_apart_are_explained_and_can_be_joined() {
    let place = Place::new();
    let shifted: Vec<Row> = drive().iter().map(|r| (r.0 + 1e6, r.1, r.2, r.3)).collect();
    let report = place.judge(&shifted, &[]);
    assert_eq!(metric(&report, "ate_translation")["value"], Value::Null);
    assert!(codes(&report).contains(&"NO_COMMON_TIME"));
    let finding = report["cases"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|f| f["code"] == "NO_COMMON_TIME")
        .unwrap();
    assert!(finding["message"].as_str().unwrap().contains("1000100"), "both ranges are printed: {finding}");
    let report = place.judge(&shifted, &["--time-offset", "-1000000"]);
    assert!(value(&report, "ate_translation") < 1e-6);
    let report = place.judge(&shifted, &["--estimate-offset", "5", "--associate", "interpolate"]);
    assert!(codes(&report).contains(&"TIME_OFFSET_ESTIMATED"));
    assert!(value(&report, "ate_translation") < 0.02, "{}", value(&report, "ate_translation"));
    let nanoseconds: String =
        drive().iter().map(|r| format!("{:.0} {} {} 0 0 0 0 1\n", r.0 * 1e9 + 1.6e18, r.1, r.2)).collect();
    let seconds: String =
        drive().iter().map(|r| format!("{} {} {} 0 0 0 0 1\n", r.0 + 1.6e9, r.1, r.2)).collect();
    place.write("truth.tum", &seconds);
    place.write("est.tum", &nanoseconds);
    let output = place.run(&["est.tum", "--truth", "truth.tum", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(codes(&report).contains(&"TIME_UNIT_GUESSED") && value(&report, "ate_translation") < 1e-3);
}

#[test]
fn other_columns_are_recognised() {
    let place = Place::new();
    let poses: String = drive().iter().map(|(t, x, y, theta)| format!("{x} {y} {theta} {t}\n")).collect();
    place.write("est.poses", &poses);
    let output = place.run(&["est.poses", "--truth", "truth.tum", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(value(&report, "ate_translation") < 1e-9);
}

#[test]
fn nothing_to_compare_fails_closed() {
    let place = Place::new();
    place.write("est.tum", &tum(&drive()));
    place.write("none.relations", "1 2 0 0 0 0 0 0\n3 4 0 0 0 0 0 0\n");
    let output = place.run(&["est.tum", "--relations", "none.relations", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(metric(&report, "relative_displacement")["reasons"][0], "UNMATCHED_TIME");
    assert_eq!(place.run(&["est.tum"]).status.code(), Some(2));
    assert_eq!(place.run(&["--truth", "truth.tum"]).status.code(), Some(2));
    let short =
        place.run(&["est.tum", "--truth", "truth.tum", "--metrics", "rpe_translation", "--delta", "900m"]);
    assert_eq!(short.status.code(), Some(3));
}

#[test]
fn relations_with_comments_and_short_lines() {
    let place = Place::new();
    place.write("est.tum", &tum(&drive()));
    let relation = "100 100.1 0.1 0 0 0 0 0\n";
    place.write("one.relations", &format!("# a comment\n{relation}"));
    let output = place.run(&["est.tum", "--relations", "one.relations", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let detail = &metric(&report, "relative_displacement")["detail"];
    assert_eq!((&detail["matched"], &detail["translation_m"]["std_sample"]), (&1.into(), &Value::Null));
    place.write("short.relations", &format!("{relation}100 101 0.1\n"));
    let output = place.run(&["est.tum", "--relations", "short.relations"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("line 2"), "{}", text(&output.stderr));
}

#[test]
fn several_runs_are_ranked_on_what_all_have() {
    let place = Place::new();
    let noisy = |size: f64, from: usize| -> Vec<Row> {
        drive()[from..]
            .iter()
            .map(|r| (r.0, r.1 + size * (r.0 * 5.0).sin(), r.2 + size * (r.0 * 3.0).cos(), r.3))
            .collect()
    };
    place.write("slam_1.tum", &tum(&noisy(0.01, 0)));
    place.write("slam_2.tum", &tum(&noisy(0.012, 20)));
    place.write("other.tum", &tum(&noisy(0.1, 0)));
    let arguments = ["slam_1.tum", "slam_2.tum", "other.tum", "--truth", "truth.tum", "--out", "result"];
    let output = place.run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value =
        serde_json::from_slice(&std::fs::read(place.folder.path().join("result/report.json")).unwrap())
            .unwrap();
    let comparison = &report["comparison"];
    assert_eq!((&comparison["common"], &comparison["whole"]), (&180.into(), &200.into()));
    assert_eq!(comparison["ranking"][2]["name"], "other");
    assert!(comparison["ranking"][0]["low"].as_f64() <= comparison["ranking"][0]["value"].as_f64());
    let worst = comparison["pairs"].as_array().unwrap().iter().find(|p| p["worse"] == "other").unwrap();
    assert!(worst["p"].as_f64().unwrap() < 0.05);
    assert_eq!(
        (&comparison["algorithms"][0]["name"], &comparison["algorithms"][0]["trials"]),
        (&"slam".into(), &2.into())
    );
    assert!(codes(&report).contains(&"COMMON_SUPPORT"));
    for file in [
        "ranking.svg",
        "boxes.svg",
        "other_error_over_time.svg",
        "other_path.svg",
        "other_association.svg",
        "report.html",
    ] {
        assert!(place.folder.path().join("result").join(file).exists(), "{file}");
    }
    let again = place.run(&arguments);
    assert_eq!(again.stdout, output.stdout, "the same seed gives the same bytes");
}

#[test]
fn a_failed_loop_closure_is_a_cluster() {
    let place = Place::new();
    let rows: Vec<Row> = (0..600).map(|i| (f64::from(i) / 2.0, f64::from(i) / 4.0, 0.0, 0.0)).collect();
    let slipped: Vec<Row> = rows
        .iter()
        .map(|r| {
            if (100.0..130.0).contains(&r.0) {
                (r.0, r.1 + 0.3 * (r.0 - 100.0), r.2, r.3)
            } else {
                (r.0, r.1 + 0.002 * (r.0 * 9.0).sin(), r.2, r.3)
            }
        })
        .collect();
    let relations: String =
        rows.windows(5).map(|w| format!("{} {} {} 0 0 0 0 0\n", w[0].0, w[4].0, w[4].1 - w[0].1)).collect();
    place.write("est.tum", &tum(&slipped));
    place.write("all.relations", &relations);
    let output = place.run(&["est.tum", "--relations", "all.relations", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let detail = &metric(&report, "relative_displacement")["detail"];
    let clusters = detail["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 1, "{clusters:?}");
    assert!(
        clusters[0]["start_s"].as_f64().unwrap() > 90.0 && clusters[0]["end_s"].as_f64().unwrap() < 140.0
    );
    let t = &detail["translation_m"];
    let [mean, std, square] = ["mean", "std", "mean_square"].map(|key| t[key].as_f64().unwrap());
    assert!((mean * mean + std * std - square).abs() < 1e-12, "Table 1 of the paper holds");
}

#[test]
fn relations_made_from_the_run_are_noticed() {
    let place = Place::new();
    let rows: Vec<Row> = (0..40).map(|i| (f64::from(i), f64::from(i), 0.0, 0.0)).collect();
    place.write("est.tum", &tum(&rows));
    let relations: String = rows.windows(2).map(|w| format!("{} {} 1 0 0 0 0 0\n", w[0].0, w[1].0)).collect();
    place.write("self.relations", &relations);
    let output = place.run(&["est.tum", "--relations", "self.relations", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(codes(&report).contains(&"RELATIONS_FROM_THIS_RUN"));
}
