//! `mapjudge truth` as a user runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn fine(arguments: &[&str], folder: &Path) -> Output {
    let output = run(arguments, folder);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    serde_json::from_slice(&fine(&[arguments, &["--format", "json"]].concat(), folder).stdout).unwrap()
}

/// Twice along a room of 9 x 4 m with a step in one wall, forth and back; the odometry is right.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let walls = [[0.0, 0.0, 9.0, 0.0], [9.0, 0.0, 9.0, 4.0], [9.0, 4.0, 5.0, 4.0], [5.0, 4.0, 5.0, 3.0]];
    let walls = [&walls[..], &[[5.0, 3.0, 0.0, 3.0], [0.0, 3.0, 0.0, 0.0]]].concat();
    let mut text = String::new();
    for step in 0..160 {
        let place = f64::from(step % 80);
        let x = if place < 40.0 { 1.5 + 0.15 * place } else { 7.5 - 0.15 * (place - 40.0) };
        let ranges: String = (0..181).fold(String::new(), |mut line, beam| {
            let (sin, cos) = f64::from(beam - 90).to_radians().sin_cos();
            let range = |&[x1, y1, x2, y2]: &[f64; 4]| {
                let (ex, ey, px, py): (f64, f64, f64, f64) = (x2 - x1, y2 - y1, x1 - x, y1 - 1.5);
                let cross = cos * ey - sin * ex;
                let (range, along) = ((px * ey - py * ex) / cross, (px * sin - py * cos) / cross);
                (range > 0.0 && (0.0..=1.0).contains(&along)).then_some(range)
            };
            let nearest = walls.iter().filter_map(range).fold(20.0_f64, f64::min);
            write!(line, "{nearest:.3} ").unwrap();
            line
        });
        writeln!(text, "FLASER 181 {ranges}{x} 1.5 0 {x} 1.5 0 {step}.0 host {step}.0").unwrap();
    }
    std::fs::write(folder.path().join("run.log"), text).unwrap();
    folder
}

#[test]
fn relations_are_proposed_accepted_checked_exported_and_imported() {
    let folder = folder();
    let at = folder.path();
    let proposal = json(&["truth", "propose", "run.log", "--own-poses", "--out", "a.jsonl"], at);
    assert_eq!(proposal["accepted"], Value::Null);
    let proposed = proposal["proposed"].as_u64().unwrap();
    assert!(proposed > 50 && proposal["matched"] == proposed, "{proposal}");
    let tried = json(&["truth", "accept", "a.jsonl", "--try"], at);
    let before = std::fs::read(at.join("a.jsonl")).unwrap();
    let accepted = json(&["truth", "accept", "a.jsonl", "--time", "2026-05-01"], at);
    assert_eq!(tried["accepted"], accepted["accepted"]);
    let after = std::fs::read(at.join("a.jsonl")).unwrap();
    assert!(after.len() > before.len() && after.starts_with(&before), "a record is only appended to");
    let count = accepted["accepted"].as_u64().unwrap();
    assert!(count > 30, "{accepted}");
    let entry = String::from_utf8_lossy(&after).lines().last().unwrap().to_owned();
    let entry: Value = serde_json::from_str(&entry).unwrap();
    assert_eq!((&entry["status"], &entry["time"]), (&"accepted".into(), &"2026-05-01".into()));
    assert!(entry["reviewer"].as_str().unwrap().starts_with("rule: overlap >= 0.5"), "{entry}");
    let checked = json(&["truth", "check", "a.jsonl"], at);
    assert_eq!(
        (&checked["statuses"]["by_rule"], &checked["relations"]["relations"]),
        (&count.into(), &count.into())
    );
    assert!(checked["relations"]["loop_rms_m"].as_f64().unwrap() < 0.02, "{checked}");
    fine(&["truth", "export", "a.jsonl", "--out", "a.relations"], at);
    let rows = std::fs::read_to_string(at.join("a.relations")).unwrap();
    assert_eq!(rows.lines().filter(|line| !line.starts_with('#')).count() as u64, count);
    fine(&["truth", "import", "a.relations", "--out", "b.jsonl", "--reviewer", "ana"], at);
    fine(&["truth", "export", "b.jsonl", "--out", "b.relations"], at);
    assert_eq!(rows, std::fs::read_to_string(at.join("b.relations")).unwrap());
}

#[test]
fn the_same_log_gives_the_same_record() {
    let folder = folder();
    let record = |name: &str, threads: &str| {
        fine(
            &["truth", "propose", "run.log", "--accept", "--threads", threads, "--out", name],
            folder.path(),
        );
        std::fs::read(folder.path().join(name)).unwrap()
    };
    assert!(record("a.jsonl", "1") == record("b.jsonl", "2"));
}

#[test]
fn a_crash_in_the_middle_of_a_line_is_survived() {
    let folder = folder();
    let at = folder.path();
    fine(&["truth", "propose", "run.log", "--own-poses", "--out", "a.jsonl"], at);
    let whole = std::fs::read(at.join("a.jsonl")).unwrap();
    std::fs::write(at.join("a.jsonl"), &whole[..whole.len() - 30]).unwrap();
    let accepted = fine(&["truth", "accept", "a.jsonl"], at);
    assert!(String::from_utf8_lossy(&accepted.stderr).contains("RECORD_UNREADABLE"));
    fine(&["truth", "export", "a.jsonl", "--out", "a.relations"], at);
}

#[test]
fn decisions_of_nobody_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "{\"id\":\"a\",\"t1\":1,\"t2\":2,\"delta\":{\"x\":1,\"y\":0,\"theta\":0},\"status\":\"accepted\"}\n";
    std::fs::write(folder.path().join("a.jsonl"), line).unwrap();
    let checked = fine(&["truth", "check", "a.jsonl"], folder.path());
    assert!(String::from_utf8_lossy(&checked.stdout).contains("RELATIONS_DECIDED_BY_NOBODY"));
}

#[test]
fn what_cannot_be_done_says_why_and_ends_with_2() {
    let folder = folder();
    let at = folder.path();
    fine(&["truth", "propose", "run.log", "--own-poses", "--out", "a.jsonl"], at);
    std::fs::write(at.join("broken.jsonl"), "{\"id\":1}\nlorem\n").unwrap();
    for (arguments, message) in [
        (&["truth", "propose", "run.log", "--out", "a.jsonl"][..], "the record exists"),
        (&["truth", "propose", "missing.log", "--out", "b.jsonl"], "missing.log"),
        (&["truth", "propose", "a.jsonl", "--out", "b.jsonl"], "accepted or adjusted"),
        (
            &["truth", "propose", "run.log", "--out", "b.jsonl", "--step", "-1"],
            "the distance between keyframes",
        ),
        (&["truth", "export", "a.jsonl", "--out", "b.relations"], "was accepted"),
        (&["truth", "accept", "broken.jsonl"], "line 1"),
        (&["truth", "accept", "missing.jsonl"], "missing.jsonl"),
    ] {
        let output = run(arguments, at);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

/// A mapper that was told that the robot stands proposed one displacement of nothing between the first and the last scan.
#[test]
fn without_odometry_the_proposals_follow_the_scans() {
    let folder = folder();
    let at = folder.path();
    let log = std::fs::read_to_string(at.join("run.log")).unwrap();
    let mut bare = String::new();
    for (step, line) in log.lines().take(40).enumerate() {
        let ranges: Vec<&str> = line.split(' ').skip(2).take(181).collect();
        let time_s = step as f64 * 0.3;
        let fan = "RAWLASER1 0 -1.570796 3.141593 0.017453 20.0 0.01 0 181";
        writeln!(bare, "{fan} {} 0 {time_s} host {time_s}", ranges.join(" ")).unwrap();
    }
    std::fs::write(at.join("bare.log"), bare).unwrap();
    let proposal = json(&["truth", "propose", "bare.log", "--out", "bare.jsonl"], at);
    let proposed = proposal["proposed"].as_u64().unwrap();
    assert!(proposed >= 5 && proposal["matched"] == proposed, "{proposal}");
    let text = std::fs::read_to_string(at.join("bare.jsonl")).unwrap();
    for line in text.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| entry[key].as_f64().unwrap();
        let driven_m = (number("t2") - number("t1")) * 0.5;
        let found_m = entry["delta"]["x_m"].as_f64().unwrap();
        assert!((found_m - driven_m).abs() < 0.05, "{line}");
    }
}

#[test]
fn a_review_needs_a_name() {
    let folder = folder();
    for (arguments, expected) in [
        (&["truth", "review", "r.jsonl", "--log", "run.log"][..], "--reviewer"),
        (&["truth", "review", "r.jsonl", "--log", "run.log", "--terminal"], "--reviewer"),
        (
            &["truth", "review", "none.jsonl", "--log", "run.log", "--terminal", "--reviewer", " "],
            "--reviewer is empty",
        ),
    ] {
        let refused = run(arguments, folder.path());
        let words = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{words}");
        assert!(words.contains(expected), "{words}");
    }
}

#[test]
fn a_review_with_another_log_is_refused() {
    let folder = folder();
    let at = folder.path();
    fine(&["truth", "propose", "run.log", "--own-poses", "--out", "r.jsonl"], at);
    let text = std::fs::read_to_string(at.join("run.log")).unwrap();
    std::fs::write(at.join("other.log"), text + "# another run\n").unwrap();
    let review =
        |log: &str| run(&["truth", "review", "r.jsonl", "--log", log, "--terminal", "--reviewer", "Ada"], at);
    assert!(review("run.log").status.success());
    let refused = review("other.log");
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{words}");
    assert!(words.contains("was made from another log than other.log"), "{words}");
}

fn decided(at: &Path, reviewer: &str, commands: &str) -> String {
    std::fs::write(at.join("commands.txt"), commands).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mapjudge"))
        .args(["truth", "review", "r.jsonl", "--log", "run.log", "--terminal", "--second", "1"])
        .args(["--reviewer", reviewer])
        .stdin(std::fs::File::open(at.join("commands.txt")).unwrap())
        .current_dir(at)
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}");
    words
}

#[test]
fn what_two_people_see_differently_is_not_exported_until_a_third_settles_it() {
    let folder = folder();
    let at = folder.path();
    fine(&["truth", "propose", "run.log", "--own-poses", "--out", "r.jsonl"], at);
    decided(at, "Ada", "accept\naccept\n");
    let seen = decided(at, "Bob", "reject\naccept\n");
    assert!(
        seen.contains("that of another person is hidden") && seen.contains("a third person settles it"),
        "{seen}"
    );
    let export = ["truth", "export", "r.jsonl", "--out", "r.relations", "--force"];
    let rows = || {
        let told = fine(&export, at);
        let rows = std::fs::read_to_string(at.join("r.relations")).unwrap();
        (
            rows.lines().filter(|line| !line.starts_with('#')).count(),
            String::from_utf8_lossy(&told.stderr).into_owned(),
        )
    };
    let (count, told) = rows();
    assert!(count == 1 && told.contains("RELATIONS_DISPUTED"), "{count} {told}");
    fine(&["truth", "accept", "r.jsonl"], at);
    let checked = json(&["truth", "check", "r.jsonl"], at);
    assert_eq!(checked["statuses"]["disputed"], 1, "a rule settles no dispute");
    let seen = decided(at, "Cid", "accept\n");
    assert!(
        seen.contains("two opinions differ, and yours settles it") && seen.contains("Bob: rejected"),
        "{seen}"
    );
    assert_eq!(json(&["truth", "check", "r.jsonl"], at)["statuses"]["disputed"], 0);
}

/// Poses of the log's odometry, as they are, and turned by 11 degrees about where the robot was at second 62, as a mapper
/// does that misses a turn.
fn trajectories(folder: &Path) {
    let (mut sound, mut broken) = (String::new(), String::new());
    let x_of = |step: i32| {
        let place = f64::from(step % 80);
        if place < 40.0 { 1.5 + 0.15 * place } else { 7.5 - 0.15 * (place - 40.0) }
    };
    let pivot = x_of(62);
    for step in 0..160 {
        let x = x_of(step);
        writeln!(sound, "{step} {x} 1.5 0 0 0 0 1").unwrap();
        let turn = if step < 62 { 0.0_f64 } else { 11_f64.to_radians() };
        let (sin, cos) = turn.sin_cos();
        let (half_sin, half_cos) = (turn / 2.0).sin_cos();
        let (x, y) = (pivot + cos * (x - pivot), 1.5 + sin * (x - pivot));
        writeln!(broken, "{step} {x} {y} 0 0 0 {half_sin} {half_cos}").unwrap();
    }
    std::fs::write(folder.join("sound.tum"), sound).unwrap();
    std::fs::write(folder.join("broken.tum"), broken).unwrap();
}

/// Largest error of a run by relations, degrees, and its coverage.
fn judged(run: &str, relations: &str, folder: &Path) -> (f64, f64) {
    let report = json(&["traj", run, "--relations", relations], folder);
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    let found = metrics.iter().find(|metric| metric["id"] == "relative_displacement").unwrap();
    let coverage = report["cases"][0]["detail"]["trajectory"]["coverage"].as_f64().unwrap();
    (found["detail"]["rotation_deg"]["max"].as_f64().unwrap(), coverage)
}

/// The rule left out what contradicts the poses, so that a broken run was judged by what agrees with it alone: it looked
/// better than a sound one.
#[test]
fn relations_proposed_by_a_broken_run_convict_it() {
    let folder = folder();
    let at = folder.path();
    trajectories(at);
    let propose =
        ["truth", "propose", "run.log", "--trajectory", "broken.tum", "--accept", "--out", "r.jsonl"];
    let proposal = json(&propose, at);
    let covered = &proposal["covered"];
    assert!(covered["time"].as_f64().unwrap() > 0.9 && covered["path"].as_f64().unwrap() > 0.9, "{proposal}");
    assert!(covered["parts"].as_u64().unwrap() >= 1 && covered["revisits"].is_u64(), "{proposal}");
    fine(&["truth", "export", "r.jsonl", "--out", "r.relations"], at);
    let (broken_deg, _) = judged("broken.tum", "r.relations", at);
    let (sound_deg, coverage) = judged("sound.tum", "r.relations", at);
    assert!(broken_deg > 10.0 && sound_deg < 1.0, "broken {broken_deg}, sound {sound_deg}");
    assert!(coverage > 0.9, "{coverage}");
    let text = std::fs::read_to_string(at.join("r.jsonl")).unwrap();
    let confirmed = text.lines().filter(|line| line.contains("\"confirmed\"")).count();
    assert!((1..=8).contains(&confirmed), "{confirmed} lines"); // One or two steps, proposed and accepted.
    let told = fine(&[&propose[..6], &["--out", "again.jsonl"]].concat(), at);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("of the time") && told.contains("connected parts"), "{told}");
}

/// A scan of nothing but nonsense: the displacement to it is that of the odometry, not that of the poses.
#[test]
fn a_step_that_no_scan_supports_has_no_displacement_of_the_poses() {
    let folder = folder();
    let at = folder.path();
    let log = std::fs::read_to_string(at.join("run.log")).unwrap();
    let mut spoilt = String::new();
    for (step, line) in log.lines().enumerate() {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if step == 20 {
            words[2..183]
                .iter_mut()
                .enumerate()
                .for_each(|(beam, range)| *range = format!("{}", 0.5 + 0.1 * (beam * beam % 17) as f64));
        }
        writeln!(spoilt, "{}", words.join(" ")).unwrap();
    }
    std::fs::write(at.join("spoilt.log"), spoilt).unwrap();
    // Poses that go half as far again as the robot.
    let long: String = (0..40).fold(String::new(), |mut text, step| {
        writeln!(text, "{step} {} 1.5 0 0 0 0 1", 1.5 + 0.225 * f64::from(step)).unwrap();
        text
    });
    std::fs::write(at.join("long.tum"), long).unwrap();
    fine(
        &["truth", "propose", "spoilt.log", "--trajectory", "long.tum", "--out", "r.jsonl", "--step", "0"],
        at,
    );
    let text = std::fs::read_to_string(at.join("r.jsonl")).unwrap();
    let entries = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let unmatched: Vec<Value> =
        entries.filter(|entry| entry["tags"].as_array().unwrap().contains(&"unmatched".into())).collect();
    assert!(!unmatched.is_empty(), "{text}");
    for entry in &unmatched {
        let x_m = entry["delta"]["x_m"].as_f64().unwrap();
        assert!((x_m - 0.15).abs() < 1e-9, "{entry}");
    }
    assert!(text.lines().count() >= 39);
}
