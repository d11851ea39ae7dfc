//! A batch with a broken file: the rest is judged, the report says what was not, and the exit code is 2.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const TRUTH: &str = "resolution: 0.5\norigin: 0 0 0\n#####\n#...#\n#...#\n#####\n";
const MAP: &str = "resolution: 0.5\norigin: 0 0 0\n####.\n#...#\n#..#.\n####.\n";
const BROKEN: &str = "resolution: 0.5\norigin: 0 0 0\n####.\n#\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn place() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [("truth.txt", TRUTH), ("a.txt", MAP), ("c.txt", TRUTH), ("broken.txt", BROKEN)] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

const BATCH: [&str; 6] = ["score", "a.txt", "broken.txt", "c.txt", "--truth", "truth.txt"];

#[test]
fn one_bad_map_does_not_stop_the_others() {
    let place = place();
    let output = run(place.path(), &[&BATCH[..], &["--format", "json"]].concat());
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("error: broken.txt: row 2: expected 5 cells, as in row 1, found 1"), "{errors}");
    assert!(
        errors.ends_with("error: 1 of 3 cases could not be judged; the report has the others\n"),
        "{errors}"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<&str> =
        report["cases"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "broken", "c"]);
    let broken = &report["cases"][1];
    assert_eq!((&broken["error"], &broken["findings"][0]["level"]), (&"MALFORMED".into(), &"error".into()));
    assert_eq!(broken["findings"][0]["code"], "MALFORMED");
    assert_eq!(
        (&broken["inputs"][0]["role"], &broken["inputs"][0]["path"]),
        (&"map".into(), &"broken.txt".into())
    );
    assert_eq!(broken["inputs"][0]["blake3"].as_str().unwrap().len(), 64);
    assert!(broken["metrics"].as_array().unwrap().is_empty());
    let alone = run(place.path(), &["score", "a.txt", "--truth", "truth.txt", "--format", "json"]);
    let alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
    assert_eq!(report["cases"][0], alone["cases"][0], "the others are as if alone");
    assert!(report["cases"][0].get("error").is_none());
}

#[test]
fn every_rendering_shows_the_bad_file() {
    let place = place();
    std::fs::write(place.path().join("limits.txt"), "overall_error <= 99\n").unwrap();
    for (format, words) in [
        ("table", "ERROR      1 of 3 cases could not be judged: broken"),
        ("csv", "broken,,,,,,,,error,MALFORMED,"),
        ("md", "- broken: `MALFORMED` broken.txt: row 2"),
        ("latex", "% 1 of 3 cases could not be judged: broken"),
        ("html", "<strong>1 of 3 cases could not be judged: broken</strong>"),
        ("junit", "<error message=\"broken.txt: row 2"),
    ] {
        let output =
            run(place.path(), &[&BATCH[..], &["--format", format, "--limits", "limits.txt", "-q"]].concat());
        assert_eq!(output.status.code(), Some(2), "{format}");
        assert!(text(&output.stdout).contains(words), "{format}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains("1 of 3 cases"), "{format}: quiet does not hide errors");
    }
}

#[test]
fn no_machine_is_named_and_a_missing_file_is_a_case_too() {
    let place = place();
    let absolute = |name: &str| place.path().join(name).display().to_string();
    let (good, broken, gone) = (absolute("a.txt"), absolute("broken.txt"), absolute("gone.txt"));
    let output =
        run(place.path(), &["score", &good, &broken, &gone, "--truth", "truth.txt", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let report = text(&output.stdout);
    assert!(!report.contains(&place.path().display().to_string()), "{report}");
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["cases"][2]["error"], "FILE_NOT_READABLE");
    assert_eq!(report["cases"][2]["inputs"][0]["blake3"], "");
}

#[test]
fn one_bad_run_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, rows: &str| std::fs::write(folder.path().join(name), rows).unwrap();
    write("truth.tum", "0 0 0 0 0 0 0 1\n1 1 0 0 0 0 0 1\n2 2 0 0 0 0 0 1\n");
    write("a.tum", "0 0 0 0 0 0 0 1\n1 1.1 0 0 0 0 0 1\n2 2 0.1 0 0 0 0 1\n");
    write("bad.tum", "0 0 0 0 0 0 0 1\n1 one 0 0 0 0 0 1\n2 2 0 0 0 0 0 1\n");
    write("c.tum", "0 0 0 0 0 0 0 1\n1 1 0.2 0 0 0 0 1\n2 2 0 0 0 0 0 1\n");
    let output = run(
        folder.path(),
        &["traj", "a.tum", "bad.tum", "c.tum", "--truth", "truth.tum", "--format", "json"],
    );
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["cases"][1]["inputs"][0]["role"], "trajectory");
    assert!(report["cases"][1]["error"].is_string());
    let ranked: Vec<&Value> = report["comparison"]["ranking"].as_array().unwrap().iter().collect();
    assert_eq!(ranked.len(), 2, "the others are ranked");
}

#[test]
fn what_all_cases_say_is_the_fault_of_the_job() {
    let place = place();
    // The same file twice fails with the same words; so does a single one.
    for maps in [&["broken.txt"][..], &["broken.txt", "./broken.txt"]] {
        let arguments = [&["score"], maps, &["--truth", "truth.txt", "--format", "json"]].concat();
        let output = run(place.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        let is_error = printed["schema"] == "mapjudge.error/1";
        assert_eq!(is_error, maps.len() == 1, "{printed}");
    }
    let output = run(place.path(), &["score", "a.txt", "c.txt", "--truth", "broken.txt"]);
    assert_eq!(output.status.code(), Some(2), "a broken truth stops everything");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_value_that_a_broken_file_had_is_worse_than_the_baseline() {
    let place = place();
    let good = run(place.path(), &["score", "a.txt", "c.txt", "--truth", "truth.txt", "--format", "json"]);
    std::fs::write(place.path().join("baseline.json"), &good.stdout).unwrap();
    std::fs::write(place.path().join("c.txt"), BROKEN).unwrap();
    let arguments =
        ["score", "a.txt", "c.txt", "--truth", "truth.txt", "--baseline", "baseline.json", "--format", "md"];
    let output = run(place.path(), &arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let comment = text(&output.stdout);
    assert!(comment.starts_with("### mapjudge: worse"), "{comment}");
    assert!(comment.contains("| **worse** | c | overall\\_error | 0 | - | - |"), "{comment}");
}

#[test]
fn cases_that_only_the_baseline_has_are_a_finding() {
    let place = place();
    let score = |maps: &[&str], more: &[&str]| {
        let report = ["--truth", "truth.txt", "--format", "json"];
        run(place.path(), &[&["score"], maps, &report, more].concat())
    };
    std::fs::write(place.path().join("baseline.json"), score(&["a.txt", "c.txt"], &[]).stdout).unwrap();
    let codes = |output: &Output| text(&output.stdout).contains("BASELINE_CASES_UNSEEN");
    let fewer = score(&["a.txt"], &["--baseline", "baseline.json"]);
    assert!(codes(&fewer) && text(&fewer.stdout).contains("'c'"), "{}", text(&fewer.stderr));
    assert!(!codes(&score(&["a.txt", "c.txt"], &["--baseline", "baseline.json"])));
}

#[test]
fn runs_whose_times_never_meet_are_not_judged() {
    let place = place();
    let poses = |from: u32| (from..from + 20).map(|t| format!("{t} {t} 0 0 0 0 0 1\n")).collect::<String>();
    std::fs::write(place.path().join("early.tum"), poses(0)).unwrap();
    std::fs::write(place.path().join("late.tum"), poses(1000)).unwrap();
    let judged = |estimate: &str| run(place.path(), &["traj", estimate, "--truth", "early.tum"]);
    let apart = judged("late.tum");
    assert_eq!(apart.status.code(), Some(3), "{}", text(&apart.stderr));
    assert!(text(&apart.stdout).contains("NO_COMMON_TIME"), "{}", text(&apart.stdout));
    std::fs::write(place.path().join("same.tum"), poses(0).replace(" 0 0 0 0 0 1", " 0.1 0 0 0 0 1"))
        .unwrap();
    assert_eq!(judged("same.tum").status.code(), Some(0));
}

#[test]
fn a_misspelt_word_of_a_profile_is_refused_with_a_suggestion() {
    let place = place();
    let profile = text(&run(place.path(), &["contest", "profiles", "rrl-2025"]).stdout);
    std::fs::create_dir(place.path().join("t")).unwrap();
    let contest = "profile = 'mine.toml'\n[truth]\npoints = 'p.csv'\n[[teams]]\nname = 't'\nfolder = 't'\n";
    std::fs::write(place.path().join("contest.toml"), contest).unwrap();
    std::fs::write(place.path().join("p.csv"), "x\n").unwrap();
    for (word, misspelt) in [
        ("formula =", "formul ="),
        ("\nbetter = \"", "\nbeter = \""),
        ("kind = \"measured\"", "kind = \"measurd\""),
    ] {
        assert!(profile.contains(word), "{word}");
        std::fs::write(place.path().join("mine.toml"), profile.replacen(word, misspelt, 1)).unwrap();
        let refused = run(place.path(), &["contest", "contest.toml"]);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{misspelt}: {message}");
        let right =
            word.trim().trim_start_matches("kind = ").trim_end_matches([' ', '=', '"']).trim_matches('"');
        let right = right.split(' ').next().unwrap();
        assert!(message.contains(right) && message.contains("mine.toml"), "{misspelt}: {message}");
    }
}
