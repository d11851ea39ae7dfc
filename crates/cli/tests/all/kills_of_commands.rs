//! Commands that are killed, and commands on a full disk: nothing that was accepted is lost, no file is half, and the
//! same command again gives what it would have given.
//!
//! `MAPJUDGE_KILLS=50` kills each command so often (default 3), at times spread over its run.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::replay::room_log;

const BINARY: &str = env!("CARGO_BIN_EXE_mapjudge");

fn kills() -> u32 {
    std::env::var("MAPJUDGE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

fn program(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn fine(arguments: &[&str], folder: &Path) -> Duration {
    let begun = Instant::now();
    let output = program(arguments, folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    begun.elapsed()
}

/// Runs a command and kills it after a share of the time that it takes; whether it was still running.
fn killed(arguments: &[&str], folder: &Path, after: Duration) -> bool {
    let mut child = program(arguments, folder).spawn().unwrap();
    std::thread::sleep(after);
    let was_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    was_running
}

/// Files of a folder that have no timings in them, and the names of parts.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let has_timings =
            ["steps.csv", "report.json", "index.html", ".mapjudge-results"].contains(&name.as_str());
        if !has_timings && entry.path().is_file() {
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

fn is_part(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".part")
}

/// Kills a command at times spread over its run. What it leaves is whole; the same command again gives what it should.
fn survive(arguments: &[&str], folder: &Path, out: &str, times: u32) {
    let reference = tempfile::tempdir().unwrap();
    for (name, bytes) in content(folder) {
        std::fs::write(reference.path().join(name), bytes).unwrap();
    }
    // The first run may be slower than the later ones by far.
    let mut took = fine(arguments, reference.path());
    let whole = content(&reference.path().join(out));
    let mut ran = 0;
    for kill in 0..times {
        let place = folder.join(out);
        if place != folder {
            let _ = std::fs::remove_dir_all(&place);
        }
        ran += u32::from(killed(arguments, folder, took * kill / times));
        for (name, bytes) in content(&place).iter().filter(|(name, _)| !is_part(name)) {
            assert!(whole.get(name) == Some(bytes), "{arguments:?}: {name} is half after kill {kill}");
        }
        took = took.min(fine(arguments, folder));
        assert!(content(&place) == whole, "{arguments:?}: {:?}", content(&place).keys());
    }
    assert!(ran * 2 >= times.min(4), "{arguments:?}: only {ran} of {times} kills met a running program");
}

fn relations(count: usize) -> String {
    let line = |index: usize| format!("{index} {} 1.{index:04} 0 0 0 0 0\n", index + 1);
    (0..count).map(line).collect()
}

#[test]
fn a_killed_import_leaves_a_whole_record_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("a.relations"), relations(20_000)).unwrap();
    let import = |out: &'static str| ["truth", "import", "a.relations", "--reviewer", "ana", "--out", out];
    let took = fine(&import("whole.jsonl"), at);
    let whole = std::fs::read(at.join("whole.jsonl")).unwrap();
    let (times, record) = (kills(), at.join("r.jsonl"));
    for kill in 0..times {
        killed(&import("r.jsonl"), at, took * kill / times);
        if record.exists() {
            assert!(std::fs::read(&record).unwrap() == whole, "half a record after kill {kill}");
        } else {
            fine(&import("r.jsonl"), at);
            assert!(std::fs::read(&record).unwrap() == whole);
        }
        std::fs::remove_file(&record).unwrap();
    }
    fine(&import("r.jsonl"), at);
    let parts = content(at).into_keys().filter(|name| is_part(name)).count();
    assert_eq!(parts, 0, "what killed writers left is removed by the next one");
}

/// Proposals with good matches, and the decisions of a person on some of them.
fn record_with_decisions() -> String {
    let mut text = String::new();
    for index in 0..4000 {
        let entry = |status: &str, more: &str| {
            format!(
                "{{\"id\":\"r{index}\",\"t1\":{index},\"t2\":{},\"delta\":{{\"x\":1,\"y\":0,\"theta\":0}},\"status\":\"{status}\"{more}}}\n",
                index + 1
            )
        };
        text.push_str(&entry("proposed", MATCHED));
        match index % 5 {
            0 => text.push_str(&entry("accepted", ",\"reviewer\":\"ana\"")),
            1 => text.push_str(&entry("rejected", ",\"reviewer\":\"ana\"")),
            _ => {}
        }
    }
    text
}

const MATCHED: &str = ",\"icp\":{\"rms\":0.005,\"overlap\":0.95,\"inliers\":0.99,\"contradicted\":0,\
    \"moved_m\":0.001,\"turned_rad\":0.0001,\"covariance\":[1e-8,0,0,1e-8,0,1e-9]}";

#[test]
fn a_killed_accept_loses_nothing_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let base = record_with_decisions();
    let accept = ["truth", "accept", "r.jsonl", "--min-witnesses", "0"];
    let export = ["truth", "export", "r.jsonl", "--out", "r.relations", "--force"];
    std::fs::write(at.join("r.jsonl"), &base).unwrap();
    let took = fine(&accept, at);
    let accepted = std::fs::read_to_string(at.join("r.jsonl")).unwrap();
    assert!(accepted.len() > base.len() && accepted.starts_with(&base), "the rule accepts something");
    fine(&export, at);
    let exported = std::fs::read(at.join("r.relations")).unwrap();
    let times = kills();
    for kill in 0..times {
        std::fs::write(at.join("r.jsonl"), &base).unwrap();
        killed(&accept, at, took * kill / times);
        let left = std::fs::read_to_string(at.join("r.jsonl")).unwrap();
        assert!(left.starts_with(&base) && accepted.starts_with(&left), "kill {kill}");
        fine(&accept, at);
        fine(&export, at);
        assert!(std::fs::read(at.join("r.relations")).unwrap() == exported, "kill {kill}");
    }
}

#[test]
fn a_killed_map_is_whole_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.usar"), room_log()).unwrap();
    survive(&["map", "run.usar", "--out", "map"], folder.path(), "map", kills());
}

fn large_map() -> String {
    let mut text = String::from("resolution: 0.05\norigin: 0 0 0\n");
    for row in 0..600_u32 {
        let cell = |column: u32| match (row * 31 + column * 17) % 97 {
            0..3 => '#',
            3..8 => '?',
            _ => '.',
        };
        text.extend((0..600).map(cell));
        text.push('\n');
    }
    text
}

#[test]
fn a_killed_conversion_is_whole_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.txt"), large_map()).unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let convert = ["convert", "../map.txt", "map.tif", "--force"];
    let out = folder.path().join("out");
    let took = fine(&convert, &out);
    let whole = std::fs::read(out.join("map.tif")).unwrap();
    for kill in 0..kills() {
        std::fs::write(out.join("map.tif"), "an older result").unwrap();
        killed(&convert, &out, took * kill / kills());
        let left = std::fs::read(out.join("map.tif")).unwrap();
        assert!(left == whole || left == b"an older result", "half after kill {kill}");
        fine(&convert, &out);
        assert!(std::fs::read(out.join("map.tif")).unwrap() == whole);
    }
    assert_eq!(content(&out).len(), 1, "{:?}", content(&out).keys());
}

/// Serves a log slowly to one client after the other, in the background.
fn serve(log: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let Ok(mut client) = client else { return };
            let log = log.clone();
            std::thread::spawn(move || {
                for piece in log.as_bytes().chunks(4000) {
                    if client.write_all(piece).is_err() {
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
        }
    });
    address
}

#[test]
fn a_killed_recording_keeps_what_came_and_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let log = room_log();
    let address = serve(log.clone());
    let record = ["record", "--no-init", "--from", &address, "--out", "run.usar", "--force"];
    let took = fine(&record, at);
    let read = |name: &str| std::fs::read_to_string(at.join(name));
    assert!(read("run.usar").unwrap() == log);
    for kill in 0..kills() {
        std::fs::write(at.join("run.usar"), "an older recording\n").unwrap();
        let ended = !killed(&record, at, took * kill / kills());
        let left = read("run.usar").unwrap();
        assert!(left == "an older recording\n" || left == log, "kill {kill}");
        assert!(!ended || left == log);
        if let Ok(part) = read("run.usar.part") {
            assert!(log.starts_with(&part), "what came is kept");
            std::fs::remove_file(at.join("run.usar.part")).unwrap();
        }
        fine(&record, at);
        assert!(read("run.usar").unwrap() == log);
    }
    assert_eq!(content(at).len(), 1, "{:?}", content(at).keys());
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_is_given_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let address = serve(room_log().repeat(20));
    let record = ["record", "--no-init", "--from", &address, "--out", "run.usar"];
    let mut child = program(&record, folder.path()).spawn().unwrap();
    while !folder.path().join("run.usar.part").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success() && child.wait().unwrap().success());
    assert!(
        room_log().repeat(20).starts_with(&std::fs::read_to_string(folder.path().join("run.usar")).unwrap())
    );
    assert!(!folder.path().join("run.usar.part").exists());
}

/// Runs a command that may write files of so many blocks of 512 bytes at most, as on a disk that is full then.
fn limited(arguments: &[&str], folder: &Path, blocks: u32) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    Command::new("sh").arg("-c").arg(script).arg(BINARY).args(arguments).current_dir(folder).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("run.usar"), room_log()).unwrap();
    std::fs::write(at.join("map.txt"), large_map()).unwrap();
    std::fs::write(at.join("a.relations"), relations(5000)).unwrap();
    std::fs::write(at.join("r.jsonl"), record_with_decisions()).unwrap();
    let address = serve(room_log());
    fine(&["map", "run.usar", "--out", "map", "--mapper", "robbie"], at);
    std::fs::write(at.join("map.tif"), "old").unwrap();
    std::fs::write(at.join("rec.usar"), "old").unwrap();
    let commands: [&[&str]; 6] = [
        &["map", "run.usar", "--out", "map"],
        &["convert", "map.txt", "map.tif", "--force"],
        &["truth", "import", "a.relations", "--out", "b.jsonl"],
        &["truth", "accept", "r.jsonl", "--min-witnesses", "0"],
        &["record", "--no-init", "--from", &address, "--out", "rec.usar", "--force"],
        &["score", "map.txt", "--truth", "map.txt", "--out", "score"],
    ];
    for command in commands {
        for blocks in [0, 1, 4] {
            // What a robot sent is kept; it comes once.
            let others = || {
                let mut files = content(at);
                files.retain(|name, _| !name.starts_with("rec.usar."));
                files
            };
            let (before, map) = (others(), content(&at.join("map")));
            let output = limited(command, at, blocks);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{command:?} in {blocks} blocks: {message}");
            assert!(message.contains("File too large"), "{command:?}: {message}");
            let is_same = others() == before && content(&at.join("map")) == map;
            assert!(is_same, "{command:?} in {blocks} blocks");
            assert!(content(&at.join("score")).is_empty());
        }
    }
    let mut kept = String::new();
    for number in 1..4 {
        let name = if number == 1 { "rec.usar.part".to_owned() } else { format!("rec.usar.{number}.part") };
        let part = std::fs::read_to_string(at.join(name)).unwrap_or_default();
        assert!(room_log().starts_with(&part));
        write!(kept, "{part}").unwrap();
    }
    assert!(!kept.is_empty());
}
