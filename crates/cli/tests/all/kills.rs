//! Contests that are killed, run out of disk, or hold submissions made to harm: nothing of others is lost or changed.
//!
//! `MAPJUDGE_TEAMS` and `MAPJUDGE_KILLS` give the sizes; the ordinary run is small.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const HEAD: &str = "\"pois\"\n\"1.2\"\n\"Team\"\n\"Country\"\n\"2025-07-19\"\n\"14:30:05\"\n\"Final\"\n\n\
                    id,time,text,x,y,z,robot,mode,type\n";

/// A number of the environment, or the small one of the ordinary run.
fn size(name: &str, small: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(small)
}

/// Points of a team: some are missing, some are off, by its number.
fn list(number: usize) -> String {
    let mut text = HEAD.to_owned();
    for label in 0..12 {
        let (x, y) = (f64::from(label) * 1.7, f64::from(label * label % 7));
        let is_missing = number > 0 && number % 11 == label as usize;
        let off = if number % 5 == label as usize % 5 { 0.03 * number as f64 } else { 0.0 };
        if !is_missing {
            let _ = writeln!(text, "{},14:32:10,\"{label}\",{},{y},0.3,\"r1\",A,ar_tag", label + 1, x + off);
        }
    }
    text
}

fn put(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// A contest of honest teams.
pub fn write_contest(folder: &Path, teams: usize) -> String {
    put(folder, "truth.csv", list(0));
    let mut text = "profile = 'rrl-2025'\n[truth]\npoints = 'truth.csv'\n".to_owned();
    for number in 0..teams {
        put(folder, &format!("team{number}/pois.csv"), list(number + 1));
        let _ = write!(text, "[[teams]]\nname = 'team{number}'\nfolder = 'team{number}'\n");
    }
    put(folder, "contest.toml", &text);
    text
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
    command.arg("contest").args(arguments).current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// All files below a folder by their path; hidden ones too.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), bytes);
            }
        }
    }
    found
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(other[&name] == bytes, "{} differs", name.display());
    }
}

/// No file that somebody could open is cut off.
fn assert_whole(folder: &Path) {
    for (name, bytes) in files(folder) {
        let shown = name.display().to_string();
        let is_hidden = shown.starts_with('.') || shown.ends_with(".part");
        let is_whole = match name.extension().and_then(|ending| ending.to_str()) {
            _ if is_hidden || shown.starts_with("cache/") => true,
            Some("json") => serde_json::from_slice::<Value>(&bytes).is_ok(),
            Some("zip") => bytes.len() > 22 && bytes[bytes.len() - 22..].starts_with(b"PK\x05\x06"),
            Some("html") => String::from_utf8_lossy(&bytes).trim_end().ends_with("</html>"),
            _ => !bytes.is_empty(),
        };
        assert!(is_whole, "{shown} is cut off at {} bytes", bytes.len());
    }
}

/// Processes whose parent is this one.
fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |process: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        fields.split_whitespace().nth(1).and_then(|field| field.parse().ok()) == Some(parent)
    };
    numbers.filter(is_child).collect()
}

fn is_alive(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn a_contest_that_is_killed_at_any_time_is_complete_after_the_next_run() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    write_contest(folder, size("MAPJUDGE_TEAMS", 8));
    let start = Instant::now();
    succeeded(&run(folder, &["contest.toml", "--out", "reference"]));
    let whole = start.elapsed();
    let kills = size("MAPJUDGE_KILLS", 6);
    let mut workers = Vec::new();
    for number in 0..kills {
        let mut command = command(folder, &["contest.toml", "--out", "result"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Each a little later than the one before, and every second one without what was measured before.
        std::thread::sleep(whole.mul_f64((number as f64 + 0.5) / kills as f64));
        workers.extend(children(child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_whole(&folder.join("result"));
        if number % 2 == 1 {
            let _ = std::fs::remove_dir_all(folder.join("result/cache"));
        }
    }
    succeeded(&run(folder, &["contest.toml", "--out", "result"]));
    assert_same(&folder.join("reference"), &folder.join("result"));
    let deadline = Instant::now() + Duration::from_secs(10);
    while workers.iter().any(|worker| is_alive(*worker)) {
        assert!(Instant::now() < deadline, "workers outlive the contest: {workers:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_disk_that_is_full_leaves_the_earlier_result() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let text = write_contest(folder, 4);
    succeeded(&run(folder, &["contest.toml", "--out", "result", "--no-cache"]));
    std::fs::rename(folder.join("result"), folder.join("before")).unwrap();
    let copied = Command::new("cp").args(["-a", "before", "result"]).current_dir(folder).status().unwrap();
    assert!(copied.success());
    put(folder, "contest.toml", format!("title = 'Another'\n{text}"));
    // No file may grow beyond a few kilobytes, as on a disk that is full at that time.
    for blocks in [1, 4, 8] {
        let program = env!("CARGO_BIN_EXE_mapjudge");
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec '{program}' contest contest.toml --out result --no-cache"
        );
        let output = Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains("result"), "{words}");
        assert_same(&folder.join("before"), &folder.join("result"));
    }
    succeeded(&run(folder, &["contest.toml", "--out", "result", "--no-cache"]));
    succeeded(&run(folder, &["contest.toml", "--out", "fresh", "--no-cache"]));
    assert_same(&folder.join("fresh"), &folder.join("result"));
}

/// Files that are made to harm, by number.
fn write_hostile(folder: &Path, name: &str, number: usize) {
    let list_path = format!("{name}/pois.csv");
    let pois = folder.join(&list_path);
    std::fs::create_dir_all(folder.join(name)).unwrap();
    match number % 9 {
        0 => put(folder, &list_path, b""),
        1 => assert!(Command::new("mkfifo").arg(&pois).status().unwrap().success()),
        2 => std::os::unix::fs::symlink("/dev/zero", &pois).unwrap(),
        3 => std::os::unix::fs::symlink("/proc/self/environ", &pois).unwrap(),
        4 => std::fs::create_dir(&pois).unwrap(),
        5 => put(folder, &list_path, HEAD.to_owned() + &"9".repeat(1 << 20)),
        // Zeros without an end, as far as memory goes.
        6 => std::fs::File::create(&pois).unwrap().set_len(3 << 30).unwrap(),
        7 => put(folder, &list_path, (0..99_999_u32).map(|n| (n * 7 % 251) as u8).collect::<Vec<_>>()),
        _ => {
            // One label so often that pairing every report with every true point would take hours.
            let row = |id: usize| format!("{id},14:32:10,\"1\",{id},0,0.3,\"r1\",A,ar_tag\n");
            put(folder, &list_path, HEAD.to_owned() + &(1..40_000).map(row).collect::<String>());
        }
    }
}

#[test]
fn hostile_submissions_change_no_score_of_the_others() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let all = size("MAPJUDGE_TEAMS", 30).max(20);
    let honest = all - all / 10;
    let mut text = write_contest(folder, honest);
    let scores = |output: &Output| -> BTreeMap<String, f64> {
        succeeded(output);
        let contest: Value = serde_json::from_slice(&output.stdout).unwrap();
        let ranking = contest["ranking"].as_array().unwrap().iter();
        let scored = ranking.filter(|team| team["missions"][0]["outcome"] == "scored");
        scored.map(|t| (t["team"].as_str().unwrap().to_owned(), t["score"].as_f64().unwrap())).collect()
    };
    let expected = scores(&run(folder, &["contest.toml", "--format", "json", "--resamples", "0"]));
    assert_eq!(expected.len(), honest);
    for number in 0..all - honest {
        let name = format!("hostile{number}");
        write_hostile(folder, &name, number);
        let _ = write!(text, "[[teams]]\nname = '{name}'\nfolder = '{name}'\n");
    }
    put(folder, "contest.toml", &text);
    let start = Instant::now();
    let arguments =
        ["contest.toml", "--format", "json", "--resamples", "0", "--out", "result", "--max-seconds", "20"];
    let mut found = scores(&run(folder, &arguments));
    found.retain(|name, _| name.starts_with("team"));
    assert_eq!(found, expected);
    eprintln!("{all} submissions, {} of them hostile: {:?}", all - honest, start.elapsed());
}

#[test]
fn a_changed_entry_of_the_cache_is_measured_again_and_said() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    write_contest(folder, 3);
    let arguments = ["contest.toml", "--format", "json", "--out", "result"];
    let first = run(folder, &arguments);
    succeeded(&first);
    for entry in std::fs::read_dir(folder.join("result/cache")).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&entry).unwrap();
        std::fs::write(&entry, text.replace("\"points\"", "\"paints\"")).unwrap();
    }
    let second = run(folder, &arguments);
    assert_eq!(second.stdout, first.stdout);
    let words = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(words.contains("3 stored measurements were changed"), "{words}");
    let third = run(folder, &arguments);
    assert!(String::from_utf8_lossy(&third.stderr).contains("3 of 3 submissions did not change"));
}
