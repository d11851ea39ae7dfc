//! Reviews that are killed, and rules that decide beside them: no decision is lost, none stands twice.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const RELATIONS: usize = 300;
const KILLS: usize = 50;

const MATCHED: &str = ",\"icp\":{\"rms\":0.005,\"overlap\":0.95,\"inliers\":0.99,\"contradicted\":0,\
    \"moved_m\":0.001,\"turned_rad\":0.0001,\"covariance\":[1e-8,0,0,1e-8,0,1e-9]}";

/// Proposals beyond doubt, a log without scans of their times, and a script that decides about all of them.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut log = String::new();
    for time_s in [900_000, 900_001] {
        writeln!(log, "FLASER 3 1.0 1.1 1.2 0 0 0 0 0 0 {time_s}.0 host {time_s}.0").unwrap();
    }
    std::fs::write(folder.path().join("run.log"), log).unwrap();
    std::fs::write(folder.path().join("script.txt"), "accept\nreject\n".repeat(RELATIONS / 2)).unwrap();
    folder
}

fn proposals() -> String {
    let line = |index: usize| {
        let (next, tags) = (index + 1, "\"tags\":[\"consecutive\"]");
        let delta = "\"delta\":{\"x\":1,\"y\":0,\"theta\":0}";
        format!("{{\"id\":\"r{index}\",\"t1\":{index},\"t2\":{next},{delta},{tags}{MATCHED}}}\n")
    };
    (0..RELATIONS).map(line).collect()
}

fn review(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args(["truth", "review", "r.jsonl", "--log", "run.log", "--terminal", "--reviewer", "Ada"])
        .current_dir(folder)
        .stdin(File::open(folder.join("script.txt")).unwrap())
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("told.txt")).unwrap())
        .spawn()
        .unwrap()
}

/// How many lines decide about each relation.
fn decisions(folder: &Path) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("r.jsonl")).unwrap().lines() {
        let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
        if matches!(entry["status"].as_str(), Some("accepted" | "rejected")) {
            *found.entry(entry["id"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    found
}

/// Relations about which the review said that they are decided.
fn told(folder: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join("told.txt")).unwrap();
    let is_told = |line: &&str| line.ends_with(": accepted") || line.ends_with(": rejected");
    text.lines().filter(is_told).map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

/// Waits until a review has said that so many relations are decided; whether it still runs then. Counted in decisions
/// and not in time, because a machine may be slower at first than later.
fn runs_after(child: &mut Child, folder: &Path, decided: usize) -> bool {
    while told(folder).len() < decided && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    child.try_wait().unwrap().is_none()
}

#[test]
fn a_review_killed_at_50_times_loses_and_doubles_nothing() {
    let folder = folder();
    let at = folder.path();
    let base = proposals();
    std::fs::write(at.join("r.jsonl"), &base).unwrap();
    assert!(review(at).wait().unwrap().success());
    let whole = std::fs::read_to_string(at.join("r.jsonl")).unwrap();
    assert_eq!(decisions(at).len(), RELATIONS);
    std::fs::write(at.join("r.jsonl"), &base).unwrap();
    // A fixed sequence of shares of what is left to decide; the moment within a decision is that of the machine.
    let mut state = 1_u64;
    let (mut met, mut kept, mut left) = (0, BTreeSet::new(), RELATIONS);
    for kill in 0..KILLS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut child = review(at);
        met += usize::from(runs_after(&mut child, at, (state >> 33) as usize % (left / 2)));
        child.kill().unwrap();
        child.wait().unwrap();
        kept.extend(told(at));
        let found = decisions(at);
        assert!(found.values().all(|&count| count == 1), "doubled after kill {kill}");
        assert!(kept.iter().all(|id| found.contains_key(id)), "lost after kill {kill}");
        assert!(std::fs::read_to_string(at.join("r.jsonl")).unwrap().starts_with(&base), "kill {kill}");
        left = RELATIONS - found.len();
        if left < RELATIONS / 5 {
            std::fs::write(at.join("r.jsonl"), &base).unwrap();
            kept.clear();
            left = RELATIONS;
        }
    }
    assert!(met * 2 > KILLS, "only {met} of {KILLS} kills met a running review");
    while decisions(at).len() < RELATIONS {
        assert!(review(at).wait().unwrap().success());
    }
    assert!(decisions(at).values().all(|&count| count == 1));
    assert_eq!(std::fs::read_to_string(at.join("r.jsonl")).unwrap().lines().count(), whole.lines().count());
}

#[test]
fn a_rule_that_accepts_beside_a_review_does_no_harm() {
    let folder = folder();
    let at = folder.path();
    std::fs::write(at.join("r.jsonl"), proposals()).unwrap();
    let mut child = review(at);
    let begun = Instant::now();
    // Some are decided by Ada before the rule comes.
    while decisions(at).len() < 5 && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..3 {
        let accept = ["truth", "accept", "r.jsonl", "--min-witnesses", "0"];
        let output =
            Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(accept).current_dir(at).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(child.wait().unwrap().success());
    let found = decisions(at);
    assert_eq!(found.len(), RELATIONS);
    assert!(found.values().all(|&count| count == 1), "no relation is decided twice");
    let told = told(at);
    assert!(told.len() >= 5 && told.iter().all(|id| found.contains_key(id)), "{told:?}");
}
