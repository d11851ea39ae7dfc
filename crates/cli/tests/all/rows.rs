//! Manifests, shards and row files from outside: resumed and killed runs, changed inputs, limits, estimates.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

pub const BINARY: &str = env!("CARGO_BIN_EXE_mapjudge");
const METRICS: &str = "overall_error,occupied_f1,occupied_iou";

/// A folder with a truth, good maps and a broken one of each kind.
pub struct Place(pub tempfile::TempDir);

impl Place {
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("truth.txt", "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#...#\n#####\n");
        place.write("a.txt", "resolution: 0.5\norigin: 0 0 0\n####.\n#...#\n#..#.\n####.\n");
        place.write("b.txt", "resolution: 0.5\norigin: 0 0 0\n####.\n#...#\n#...#\n#####\n");
        place.write("malformed.txt", "resolution: 0.5\norigin: 0 0 0\n####.\n#\n");
        place.write("empty.txt", "");
        place.write("garbage.png", "\u{89}no image");
        place.write("without_image.yaml", "image: none.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n");
        place.write("short.pgm", "P5\n4 4\n255\nabc");
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&std::fs::read(self.path(name)).unwrap()).into_owned()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(BINARY).args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// Scores `pairs.jsonl` into `out`; exit code and summary.
    pub fn score(&self, out: &str, more: &[&str]) -> (i32, Value) {
        let output = self.run(&score_arguments(out, more));
        let summary = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", told(&output)));
        (output.status.code().unwrap(), summary)
    }

    /// Merges `out` into a file; the bytes.
    pub fn merged(&self, out: &str, file: &str) -> String {
        let output = self.run(&["merge", out, "--manifest", "pairs.jsonl", "--out", file, "--force"]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        self.read(file)
    }

    pub fn rows(&self, file: &str) -> Vec<Value> {
        self.read(file).lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn score_arguments<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let fixed =
        ["score", "--manifest", "pairs.jsonl", "--metrics", METRICS, "--out", out, "--format", "json"];
    [&fixed[..], more].concat()
}

pub fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// So many lines over the files of a place, a tenth of them broken of six kinds.
pub fn manifest(lines: usize) -> String {
    const BROKEN: [&str; 6] =
        ["missing.txt", "malformed.txt", "empty.txt", "garbage.png", "without_image.yaml", "short.pgm"];
    let mut text = String::new();
    for line in 0..lines {
        let map = match line % 10 {
            9 => BROKEN[line / 10 % 6],
            even if even % 2 == 0 => "a.txt",
            _ => "b.txt",
        };
        let _ = writeln!(
            text,
            r#"{{"map": "{map}", "truth": "truth.txt", "id": "row {line}", "tags": {{"seed": {line}}}}}"#
        );
    }
    text
}

pub const ONE_FILE: &str = "out/rows-00001-of-00001.jsonl";

#[test]
fn rows_hold_the_values_of_the_report() {
    let place = Place::new();
    place.write("pairs.jsonl", "{\"map\": \"a.txt\", \"truth\": \"truth.txt\", \"tags\": {\"seed\": 3}}\n");
    let (code, summary) = place.score("out", &[]);
    assert_eq!((code, &summary["scored"], &summary["errors"]), (0, &1.into(), &0.into()));
    let row = &place.rows(ONE_FILE)[0];
    let report =
        place.run(&["score", "a.txt", "--truth", "truth.txt", "--metrics", METRICS, "--format", "json"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let case = &report["cases"][0];
    for metric in case["metrics"].as_array().unwrap() {
        assert_eq!(row["values"][metric["id"].as_str().unwrap()], metric["value"]);
    }
    assert_eq!((&row["coverage"], &row["id"]), (&case["grid"]["coverage"], &"a.txt".into()));
    assert_eq!(row["alignment"]["method"], case["alignment"]["method"]);
    assert_eq!(row["tags"]["seed"], 3);
    let (_, _) = place.score("full", &["--detail", "full"]);
    let full = &place.rows("full/rows-00001-of-00001.jsonl")[0];
    assert_eq!(full["case"]["metrics"], case["metrics"], "the whole case");
}

#[test]
fn a_failing_row_is_a_row_and_a_second_run_scores_nothing() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(60));
    let (code, first) = place.score("out", &[]);
    assert_eq!((code, &first["scored"], &first["errors"]), (2, &60.into(), &6.into()));
    let codes = first["codes"].as_object().unwrap();
    assert!(
        codes.len() >= 4 && codes.contains_key("FILE_NOT_READABLE") && codes.contains_key("MALFORMED"),
        "{first}"
    );
    let rows = place.rows(ONE_FILE);
    let broken = rows.iter().find(|row| row["id"] == "row 19").unwrap();
    assert_eq!((&broken["status"], &broken["code"]), (&"error".into(), &"MALFORMED".into()));
    assert!(broken["message"].as_str().unwrap().starts_with("malformed.txt: row 2"), "{broken}");
    let before = place.read(ONE_FILE);
    place.write("none.pgm", "P5\n2 2\n255\nabcd");
    std::fs::copy(place.path("a.txt"), place.path("missing.txt")).unwrap();
    let (code, second) = place.score("out", &[]);
    assert_eq!(
        (code, &second["scored"], &second["errors"]),
        (2, &2.into(), &4.into()),
        "the file system is asked again"
    );
    assert!(place.read(ONE_FILE).starts_with(&before), "rows are appended");
    let (_, third) = place.score("out", &[]);
    assert_eq!((&third["scored"], &third["known"]), (&0.into(), &60.into()));
    let (_, again) = place.score("out", &["--retry-errors"]);
    assert_eq!(
        (&again["scored"], &again["errors"]),
        (&0.into(), &4.into()),
        "the same errors are no new rows"
    );
    place.write("empty.txt", "resolution: 0.5\norigin: 0 0 0\n####.\n#...#\n#...#\n#####\n");
    assert_eq!(place.score("out", &[]).1["scored"], 1, "another file is another key");
}

#[test]
fn shards_together_give_the_bytes_of_one_run() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(50));
    place.score("whole", &["--threads", "1"]);
    for shard in ["1/3", "2/3", "3/3"] {
        place.score("parts", &["--shard", shard, "--threads", "2"]);
    }
    assert_eq!(place.rows("parts/rows-00002-of-00003.jsonl").len(), 17);
    for ending in ["jsonl", "csv", "parquet"] {
        let (one, other) = (format!("one.{ending}"), format!("other.{ending}"));
        place.merged("whole", &one);
        place.merged("parts", &other);
        let bytes = |name: &str| std::fs::read(place.path(name)).unwrap();
        assert!(bytes(&one) == bytes(&other), "{ending}");
    }
    let rows = place.rows("one.jsonl");
    assert_eq!(
        rows.iter().map(|row| row["tags"]["seed"].as_u64().unwrap()).collect::<Vec<_>>(),
        (0..50).collect::<Vec<_>>()
    );
}

#[test]
fn changed_inputs_are_scored_again_unless_paths_are_trusted() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(9));
    assert_eq!(place.score("out", &[]).0, 0);
    place.write("b.txt", "resolution: 0.5\norigin: 0 0 0\n.....\n#...#\n#...#\n#####\n");
    let (_, trusting) = place.score("out", &["--trust-paths"]);
    assert_eq!((&trusting["scored"], &trusting["known"]), (&0.into(), &9.into()));
    let (_, careful) = place.score("out", &[]);
    assert_eq!((&careful["scored"], &careful["known"]), (&4.into(), &5.into()));
    let merged = place.merged("out", "all.jsonl");
    place.score("anew", &[]);
    assert!(merged == place.merged("anew", "anew.jsonl"), "rows that fit the files of now are kept");
    place.write("b.txt", "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#...#\n#####\n");
    let output = place.run(&["merge", "out", "--manifest", "pairs.jsonl", "--out", "late.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("4 have results of other inputs"), "{}", told(&output));
    place.write("truth.txt", "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#..##\n#####\n");
    assert_eq!(place.score("out", &[]).1["scored"], 9, "a changed truth is one of all");
}

#[test]
fn limits_make_the_exit_code_1_also_when_nothing_is_left_to_score() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(9));
    place.write("limits.txt", "overall_error <= 1\n");
    for _ in 0..2 {
        let (code, summary) = place.score("out", &["--limits", "limits.txt"]);
        // Map a differs in four cells, map b in one.
        assert_eq!((code, &summary["missed"]), (1, &5.into()));
    }
    assert_eq!(place.rows(ONE_FILE).iter().filter(|row| row["missed"][0] == "overall_error <= 1").count(), 5);
}

#[test]
fn an_estimate_writes_nothing() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(30));
    let output = place.run(&[
        "score",
        "--manifest",
        "pairs.jsonl",
        "--metrics",
        "cells",
        "--estimate",
        "7",
        "--format",
        "json",
    ]);
    let estimate: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&estimate["sampled"], &estimate["lines"]), (&7.into(), &30.into()));
    assert!(estimate["mean_ms"].as_f64().unwrap() > 0.0);
    let files = std::fs::read_dir(place.0.path()).unwrap().count();
    assert_eq!(files, 9, "eight files of the place and the manifest");
}

#[test]
fn a_search_without_a_choice_of_metrics_shows_its_price_first() {
    let place = Place::new();
    place.write("pairs.jsonl", "{\"map\": \"a.txt\", \"truth\": \"truth.txt\", \"align\": \"auto\"}\n");
    let output = place.run(&["score", "--manifest", "pairs.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        told(&output).contains("core-hours") && told(&output).contains("--all-metrics"),
        "{}",
        told(&output)
    );
    assert!(!place.path("out").exists());
    let output = place.run(&["score", "--manifest", "pairs.jsonl", "--out", "out", "--all-metrics"]);
    assert!(place.path(ONE_FILE).exists(), "{}", told(&output));
}

#[test]
fn runs_that_are_killed_lose_no_row_and_have_none_twice() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(2000));
    place.score("whole", &[]);
    let begun = std::time::Instant::now();
    place.score("timed", &["--shard", "1/2"]);
    let whole_run = begun.elapsed();
    let mut killed = 0;
    for kill in 1..=6 {
        for shard in ["1/2", "2/2"] {
            let arguments = score_arguments("killed", &["--shard", shard]);
            let mut child = Command::new(BINARY)
                .args(&arguments)
                .current_dir(place.0.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(whole_run.mul_f64(f64::from(kill) / 8.0).max(Duration::from_millis(5)));
            killed += usize::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    assert!(killed > 0, "every run ended before it was killed");
    for shard in ["1/2", "2/2"] {
        place.score("killed", &["--shard", shard]);
        let (_, again) = place.score("killed", &["--shard", shard]);
        assert_eq!((&again["scored"], &again["known"]), (&0.into(), &1000.into()));
    }
    assert!(place.merged("killed", "killed.jsonl") == place.merged("whole", "whole.jsonl"));
}

#[test]
fn a_job_file_serves_all_lines() {
    let place = Place::new();
    std::fs::create_dir(place.path("jobs")).unwrap();
    place.write("jobs/job.toml", "truth = \"../truth.txt\"\nmetrics = [\"overall_error\"]\n");
    place.write(
        "pairs.jsonl",
        "{\"map\": \"a.txt\"}\n{\"map\": \"b.txt\", \"metrics\": [\"occupied_iou\"]}\n",
    );
    let arguments = ["score", "--manifest", "pairs.jsonl", "--job", "jobs/job.toml", "--out", "out"];
    let output = place.run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let values: Vec<Vec<String>> = place
        .rows(ONE_FILE)
        .iter()
        .map(|row| row["values"].as_object().unwrap().keys().cloned().collect())
        .collect();
    assert!(
        values.contains(&vec!["overall_error".to_owned()])
            && values.contains(&vec!["occupied_iou".to_owned()])
    );
    let header: Value = serde_json::from_str(place.read(ONE_FILE).lines().next().unwrap()).unwrap();
    assert_eq!(
        (&header["schema"], &header["inputs"]["truth"]),
        (&"mapjudge.rows/1".into(), &"truth.txt".into())
    );
    place.write("jobs/job.toml", "truth = \"../truth.txt\"\nmaps = [\"../a.txt\"]\n");
    let output = place.run(&arguments);
    assert!(
        output.status.code() == Some(2) && told(&output).contains("beside the manifest"),
        "{}",
        told(&output)
    );
}

#[test]
fn the_schema_of_rows_is_printed() {
    let place = Place::new();
    let schema: Value = serde_json::from_slice(&place.run(&["schema", "rows"]).stdout).unwrap();
    assert_eq!(schema["$id"], "urn:mapjudge.rows:1");
}

/// The example for Slurm names flags that exist.
#[test]
fn the_example_for_slurm_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(9));
    place.write("job.toml", "metrics = [\"overall_error\"]\n");
    let path =
        format!("{}:{}", Path::new(BINARY).parent().unwrap().display(), std::env::var("PATH").unwrap());
    for task in ["1", "2"] {
        let output = Command::new("sh")
            .arg(root.join("examples/slurm/array.sh"))
            .env("PATH", &path)
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("SLURM_ARRAY_TASK_COUNT", "2")
            .current_dir(place.0.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", told(&output));
    }
    place.merged("results", "all.jsonl");
}
