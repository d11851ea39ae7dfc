//! No command replaces an input, a person's file or the result of another run unless it is told to.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use crate::replay::room_log;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn fine(arguments: &[&str], folder: &Path) {
    let output = run(arguments, folder);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn refused(arguments: &[&str], folder: &Path) -> String {
    let output = run(arguments, folder);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    message
}

/// Every file below a folder with its content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let below = content(&entry.path()).into_iter();
            found.extend(below.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

const ROOM: &str = "resolution: 0.5\norigin: 0 0 0\n\
    ############\n#....#.....#\n#....#.....#\n#..........#\n#....#.....#\n#....#.....#\n############\n";

/// Inputs of all commands.
fn inputs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.txt", ROOM);
    write("b.txt", &ROOM.replace(".....#\n#..........#", "..#..#\n#..........#"));
    write("run.usar", &room_log());
    write("again.usar", &room_log());
    let poses =
        |off: f64| (0..30).map(|t| format!("{t} {} {off} 0 0 0 0 1\n", t as f64 * 0.3)).collect::<String>();
    write("a.tum", &poses(0.0));
    write("b.tum", &poses(0.1));
    write("points.txt", "1.5 1.5\n2.5 1.5\n");
    write("g.g2o", "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0.1 0\nEDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n");
    crate::kills::write_contest(folder.path(), 2);
    fine(
        &["arena", "random", "--seed", "3", "--width", "6", "--height", "5", "--out", "maze"],
        folder.path(),
    );
    folder
}

/// Commands that write a folder, without `--out`.
const COMMANDS: &[&[&str]] = &[
    &["score", "b.txt", "--truth", "a.txt"],
    &["traj", "b.tum", "--truth", "a.tum"],
    &["align", "b.txt", "--truth", "a.txt"],
    &["rooms", "a.txt"],
    &["graph", "a.txt"],
    &["explore", "a.txt", "--start", "1.5,1.5,0"],
    &["map", "run.usar"],
    &["arena", "random", "--seed", "3", "--width", "6", "--height", "5"],
    &["arena", "build", "maze"],
    &["simulate", "maze", "--drive", "explore", "--max-time", "20"],
    &["completions", "man"],
    &["contest", "contest.toml", "--no-cache"],
];

#[test]
fn a_file_that_is_not_theirs_stays_as_it_is() {
    let folder = inputs();
    let at = folder.path();
    for (index, command) in COMMANDS.iter().enumerate() {
        let (free, taken) = (format!("free{index}"), format!("taken{index}"));
        fine(&[command, &["--out", &free][..]].concat(), at);
        let names: Vec<String> =
            content(&at.join(&free)).into_keys().filter(|n| !n.starts_with('.')).collect();
        assert!(!names.is_empty(), "{command:?}");
        for name in [names.first().unwrap(), names.last().unwrap()] {
            let place = at.join(&taken);
            std::fs::create_dir_all(place.join(name).parent().unwrap()).unwrap();
            std::fs::write(place.join(name), "mine").unwrap();
            let before = content(&place);
            let message = refused(&[command, &["--out", &taken][..]].concat(), at);
            assert!(message.contains(name) && message.contains("--overwrite"), "{command:?}: {message}");
            assert_eq!(content(&place), before, "{command:?}: nothing is written before all of it may be");
            fine(&[command, &["--out", &taken, "--overwrite"][..]].concat(), at);
            assert_ne!(std::fs::read(place.join(name)).unwrap(), b"mine", "{command:?}");
            std::fs::remove_dir_all(&place).unwrap();
        }
        fine(&[command, &["--out", &free][..]].concat(), at);
    }
}

#[test]
fn a_run_is_replaced_by_the_same_run_and_by_no_other() {
    let folder = inputs();
    let at = folder.path();
    fine(&["map", "run.usar", "--out", "map"], at);
    let before = content(&at.join("map"));
    assert!(before.contains_key("graph.g2o"));
    for other in [&["map", "again.usar"][..], &["explore", "a.txt", "--start", "1.5,1.5,0"]] {
        let message = refused(&[other, &["--out", "map"]].concat(), at);
        assert!(message.contains("no result of this run"), "{message}");
        assert_eq!(content(&at.join("map")), before);
    }
    let again = run(&["map", "run.usar", "--mapper", "robbie", "--out", "map"], at);
    let told = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(again.status.success() && told.contains("of an earlier run in map were replaced"), "{told}");
    let after = content(&at.join("map"));
    assert!(!after.contains_key("graph.g2o"), "no file of the other mapper stays beside the new ones");
    assert_ne!(after["map.pgm"], before["map.pgm"]);
    // A person's change is no result.
    std::fs::write(at.join("map/map.yaml"), "image: map.pgm\n").unwrap();
    refused(&["map", "run.usar", "--out", "map"], at);
    assert_eq!(std::fs::read(at.join("map/map.yaml")).unwrap(), b"image: map.pgm\n");
    fine(&["map", "again.usar", "--out", "map", "--overwrite"], at);
}

#[test]
fn an_input_is_never_replaced() {
    let folder = inputs();
    let at = folder.path();
    fine(&["map", "run.usar", "--out", "map"], at);
    fine(&["convert", "a.txt", "map.yaml"], at);
    std::fs::copy(at.join("map/corrected.log"), at.join("corrected.log")).unwrap();
    std::fs::copy(at.join("maze/plan.toml"), at.join("plan.toml")).unwrap();
    fine(&["relations", "make", "a.tum", "a.relations"], at);
    let before = content(at);
    for command in [
        &["map", "corrected.log", "--out", ".", "--overwrite"][..],
        &["map", "map/corrected.log", "--out", "map", "--overwrite"],
        &["explore", "map.yaml", "--start", "1.5,1.5,0", "--out", ".", "--overwrite"],
        &["arena", "build", "plan.toml", "--out", ".", "--overwrite"],
        &["optimize", "g.g2o", "--out", "g.g2o", "--force"],
        &["convert", "a.txt", "./a.txt", "--force"],
        &["relations", "convert", "a.relations", "a.relations", "--force"],
        &["relations", "make", "a.tum", "a.tum", "--force"],
        &["replay", "run.usar", "--page", "run.usar", "--force"],
        &["rooms", "a.txt", "--labels", "a.txt", "--overwrite"],
    ] {
        let message = refused(command, at);
        assert!(message.contains("would replace the input"), "{command:?}: {message}");
        assert!(content(at) == before, "{command:?}");
    }
}

#[test]
fn a_single_file_that_exists_is_replaced_only_if_told() {
    let folder = inputs();
    let at = folder.path();
    std::fs::write(at.join("mine.html"), "mine").unwrap();
    std::fs::write(at.join("mine.png"), "mine").unwrap();
    std::fs::write(at.join("mine.relations"), "mine").unwrap();
    for (command, told) in [
        (&["replay", "run.usar", "--page", "mine.html"][..], "--force"),
        (&["rooms", "a.txt", "--labels", "mine.png"], "--overwrite"),
        (&["relations", "make", "a.tum", "mine.relations"], "--force"),
        (&["optimize", "g.g2o", "--out", "mine.html"], "--force"),
        (&["convert", "a.txt", "mine.png", "--lossy"], "--force"),
    ] {
        assert!(refused(command, at).contains(told), "{command:?}");
        let file = command.iter().find(|word| word.starts_with("mine")).unwrap();
        assert_eq!(std::fs::read(at.join(file)).unwrap(), b"mine");
        fine(&[command, &[told][..]].concat(), at);
        assert_ne!(std::fs::read(at.join(file)).unwrap(), b"mine");
        std::fs::write(at.join(file), "mine").unwrap();
    }
}

#[test]
fn output_to_a_full_or_closed_place_is_an_error_and_no_panic() {
    let folder = inputs();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    for command in COMMANDS.iter().filter(|command| command[0] != "completions") {
        let out = ["--out", "out", "--overwrite"];
        let mut program = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        program.args([command, &out[..]].concat()).current_dir(folder.path());
        let output = program.stdout(full.try_clone().unwrap()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {message}");
        assert!(message.contains("standard output: ") && !message.contains("panic"), "{message}");
    }
    for command in [&["--help"][..], &["score", "--help"], &["--version"], &["metrics"], &["help"]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mapjudge"));
        let output = program.args(command).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {output:?}");
        // A pipe that nobody reads.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(command).stdout(writer).output().unwrap();
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panic"), "{command:?}: {output:?}");
    }
}

#[test]
fn results_of_a_contest_never_lie_among_submissions() {
    let folder = tempfile::tempdir().unwrap();
    crate::kills::write_contest(folder.path(), 2);
    let before = content(folder.path());
    for out in ["team0", "team1/result/new"] {
        let message = refused(&["contest", "contest.toml", "--out", out, "--overwrite"], folder.path());
        assert!(message.contains(out) && message.contains("--out"), "{message}");
    }
    assert_eq!(content(folder.path()), before);
    fine(&["contest", "contest.toml", "--out", "result"], folder.path());
}
