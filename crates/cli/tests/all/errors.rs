//! Errors as programs read them: with `--format json` they are JSON on stdout, and words on stderr as always.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const KEYS: [&str; 8] = ["schema", "code", "message", "file", "place", "expected", "found", "hint"];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// The error of a command that must fail.
#[track_caller]
fn error(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.starts_with("error: "), "{arguments:?}: {words}");
    let error: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(error.as_object().unwrap().keys().collect::<Vec<_>>(), KEYS);
    assert_eq!(error["schema"], "mapjudge.error/1");
    let message = error["message"].as_str().unwrap();
    assert!(!message.is_empty() && words.contains(message.split(": ").next().unwrap()), "{words} {error}");
    error
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.txt"), "resolution: 0.5\norigin: 0 0 0\n###\n#.#\n").unwrap();
    std::fs::write(folder.path().join("ragged.txt"), "###\n#\n").unwrap();
    folder
}

#[test]
fn an_error_of_a_file_names_file_place_expected_and_found() {
    let folder = folder();
    let score = |map: &str| error(folder.path(), &["score", map, "--truth", "map.txt", "--format", "json"]);
    let ragged = score("ragged.txt");
    assert_eq!((&ragged["code"], &ragged["file"]), (&"MALFORMED".into(), &"ragged.txt".into()));
    for key in ["place", "expected", "found", "hint"] {
        assert!(ragged[key].is_string(), "{key}: {ragged}");
    }
    let missing = score("none.yaml");
    assert_eq!((&missing["code"], &missing["file"]), (&"FILE_NOT_READABLE".into(), &"none.yaml".into()));
}

#[test]
fn an_error_of_a_job_has_its_code_and_hint() {
    let folder = folder();
    let score = |more: &[&str]| {
        error(folder.path(), &[&["score", "map.txt", "--truth", "map.txt", "--format=json"], more].concat())
    };
    let metric = score(&["--metrics", "overal_error"]);
    assert_eq!(metric["code"], "UNKNOWN_METRIC");
    assert_eq!(metric["hint"], "did you mean 'overall_error'?");
    assert_eq!(metric["file"], Value::Null);
    let align = score(&["--align", "corelative"]);
    assert_eq!(align["code"], "USAGE");
    assert!(align["hint"].as_str().unwrap().contains("correlative"), "{align}");
    let alone = error(folder.path(), &["score", "map.txt", "--format", "json"]);
    assert_eq!(alone["code"], "INPUT_MISSING");
    assert!(alone["hint"].as_str().unwrap().contains("--truth"), "{alone}");
}

#[test]
fn mistakes_in_the_arguments_are_json_too() {
    let folder = folder();
    let flag = error(folder.path(), &["score", "map.txt", "--format", "json", "--trth", "map.txt"]);
    assert_eq!((&flag["code"], &flag["place"]), (&"USAGE".into(), &"--trth".into()));
    assert!(flag["hint"].as_str().unwrap().contains("--truth"), "{flag}");
    let word = error(folder.path(), &["score", "map.txt", "--window", "half", "--format", "json"]);
    assert_eq!((&word["found"], &word["place"]), (&"half".into(), &"--window".into()));
    assert!(word["expected"].as_str().unwrap().contains("intersection"), "{word}");
    let missing = error(folder.path(), &["paths", "map.txt", "--format", "json"]);
    assert!(missing["expected"].as_str().unwrap().contains("--truth"), "{missing}");
    let command = error(folder.path(), &["scroe", "--format", "json"]);
    assert_eq!(command["found"], "scroe");
}

#[test]
fn without_json_stdout_stays_empty() {
    let folder = folder();
    for arguments in [&["score", "none.yaml", "--truth", "map.txt"][..], &["score", "--nothing"]] {
        let output = run(folder.path(), arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
}

#[test]
fn text_is_another_word_for_table() {
    let folder = folder();
    let info = |format: &str| run(folder.path(), &["info", "map.txt", "--format", format]).stdout;
    assert_eq!(info("text"), info("table"));
    let help = run(folder.path(), &["info", "--help"]).stdout;
    assert!(!String::from_utf8_lossy(&help).contains("- text"));
}

#[test]
fn help_lists_the_reading_flags_that_apply() {
    let folder = folder();
    let help = |command: &str| String::from_utf8(run(folder.path(), &[command, "--help"]).stdout).unwrap();
    assert!(!help("traj").contains("--occupied-thresh") && help("traj").contains("--pose-columns"));
    assert!(help("score").contains("--occupied-thresh") && !help("score").contains("--pose-columns"));
}
