//! `mapjudge replay`, `record` and `challenge` as a user runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_mapjudge");

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(BINARY).args(arguments).current_dir(folder).output().unwrap()
}

/// A log of a robot that drives along x, one metre per second.
fn write_log(folder: &Path, messages: usize) {
    let mut text = String::from("NFO {Level maze}\r\n");
    for index in 0..messages {
        let time_s = index as f64 / 10.0;
        let pose = format!("{time_s:.2},0.00,0.00");
        write!(text, "SEN {{Time {time_s:.2}}} {{Type Odometry}} {{Name Odometry}} {{Pose {pose}}}\r\n")
            .unwrap();
    }
    std::fs::write(folder.join("run.usar"), text).unwrap();
}

/// Starts a replay on a free port; the program and its address.
fn started(arguments: &[&str], folder: &Path) -> (Child, String) {
    let mut child = Command::new(BINARY)
        .args(["replay", "run.usar", "--port", "0", "--format", "json"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
    (child, address)
}

#[test]
fn a_recording_of_a_replay_is_the_log() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 500);
    let (server, address) = started(&["--speed", "max", "--clients", "1"], folder.path());
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let from = format!("tcp://{address}");
    let recorded = run(&["record", "--from", &from, "--out", "copy.usar"], folder.path());
    assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));
    let output = server.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&report["clients"][0]["end"], &report["clients"][0]["lines"]),
        (&Value::from("finished"), &Value::from(501))
    );
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("run.usar") == read("copy.usar"));
    let info: Value =
        serde_json::from_slice(&run(&["info", "copy.usar", "--format", "json"], folder.path()).stdout)
            .unwrap();
    assert_eq!(
        (&info["files"][0]["format"], &info["files"][0]["counts"]["odometry"]),
        (&Value::from("usarsim"), &Value::from(500))
    );
}

#[test]
fn what_cannot_be_replayed_or_recorded_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 5);
    std::fs::write(folder.path().join("bad.usar"), "SEN {\nlorem ipsum\n").unwrap();
    for arguments in [
        &["replay", "bad.usar", "--port", "0"][..],
        &["replay", "none.usar", "--port", "0"],
        &["replay", "run.usar", "--port", "0", "--speed", "0"],
        &["replay", "run.usar", "--port", "0", "--shared", "--speed", "max"],
        &["replay", "run.usar", "--port", "0", "--from", "99"],
        &["record", "--from", "nowhere", "--out", "x.usar"],
        &["record", "--from", "127.0.0.1:1", "--out", "x.usar", "--wait", "0"],
    ] {
        let output = run(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
}

/// A team: a shell script that reads the replay with our own client and hands the odometry in. It makes the relations
/// file itself, so that it could not have been opened before.
fn write_team(folder: &Path) {
    let relations = folder.join("truth.relations");
    let script = format!(
        "set -e\n\
         [ -z \"$HOME$USER$CARGO_TARGET_DIR\" ] || exit 3\n\
         [ -z \"$(ls -A)\" ] || exit 4\n\
         '{BINARY}' record --quiet --from \"$1:$2\" --out log.usar\n\
         sed -n 's/.*{{Time \\([^}}]*\\)}}.*{{Pose \\([^,]*\\),\\([^,]*\\),\\([^}}]*\\)}}.*/\\2 \\3 \\4 \\1/p' log.usar > \"$3\"\n\
         printf '1 2 1 0 0 0 0 0\\n3 5 2.5 0 0 0 0 0\\n' > '{}'\n",
        relations.display()
    );
    std::fs::write(folder.join("team.sh"), script).unwrap();
}

fn challenged(command: &str, extra: &[&str], folder: &Path) -> Output {
    let mut arguments =
        vec!["challenge", "--log", "run.usar", "--relations", "truth.relations", "--command", command];
    arguments.extend(["--speed", "max", "--out", "result", "--format", "json"]);
    arguments.extend(extra);
    run(&arguments, folder)
}

#[test]
fn a_challenge_serves_collects_and_judges() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 100);
    write_team(folder.path());
    let output = challenged("sh team.sh {host} {port} {out}", &[], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    let found = metrics.iter().find(|metric| metric["id"] == "relative_displacement").unwrap();
    assert!((found["detail"]["translation_m"]["max"].as_f64().unwrap() - 0.5).abs() < 1e-9);
    let table = std::fs::read_to_string(folder.path().join("result/table1.md")).unwrap();
    assert!(table.contains("| poses | 2 | 0.2500 ± 0.2500 | 0.1250 ± 0.1250 | 0.5000 |"), "{table}");
    for name in ["poses.xyt", "report.json", "report.html"] {
        assert!(folder.path().join("result").join(name).is_file(), "{name}");
    }
}

#[test]
fn a_program_that_fails_hangs_or_writes_nothing_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    write_log(folder.path(), 5);
    std::fs::write(folder.path().join("truth.relations"), "0 0.1 0.1 0 0 0 0 0\n").unwrap();
    for (command, why) in [
        ("false", "ended with"),
        ("true", "no poses"),
        ("sleep 60", "was ended after"),
        ("no-such-program", "No such file"),
        ("sh 'unclosed", "quote"),
        ("", "empty"),
    ] {
        let output = challenged(command, &["--timeout", "0.5"], folder.path());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {message}");
        assert!(message.contains(why) && message.contains("hint:"), "{command}: {message}");
    }
}
