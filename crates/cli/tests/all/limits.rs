//! Limits that hold whatever a file asks for: memory, time, counts, and what reaches the terminal.

use std::path::Path;
use std::process::{Command, Output};

fn mapjudge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A BMP of run-length code: 1.8 MB for 225 million pixels.
fn bomb(side: u32) -> Vec<u8> {
    let mut row = Vec::new();
    let mut left = side;
    while left > 0 {
        let run = left.min(255);
        row.extend([run as u8, 1]);
        left -= run;
    }
    row.extend([0, 0]);
    let data: Vec<u8> = row.repeat(side as usize).into_iter().chain([0, 1]).collect();
    let palette: Vec<u8> = [[0, 0, 0, 0], [254, 254, 254, 0]].concat();
    let head = 14 + 40 + palette.len() as u32;
    let mut bytes = b"BM".to_vec();
    for number in
        [head + data.len() as u32, 0, head, 40, side, side, 1 | 8 << 16, 1, data.len() as u32, 0, 0, 2, 0]
    {
        bytes.extend(number.to_le_bytes());
    }
    [bytes, palette, data].concat()
}

#[test]
fn a_map_that_would_fill_the_memory_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.bmp"), bomb(15_000)).unwrap();
    std::fs::write(folder.path().join("truth.txt"), "resolution: 0.05\norigin: 0 0 0\n#..\n#.#\n").unwrap();
    for command in [
        &["info", "bomb.bmp"][..],
        &["score", "bomb.bmp", "--truth", "truth.txt"],
        &["rooms", "bomb.bmp"],
        &["convert", "bomb.bmp", "out.png"],
    ] {
        let output = mapjudge(folder.path(), &[command, &["--max-memory", "512MiB"]].concat());
        let words = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {words}");
        assert!(words.contains("of memory for one map") && words.contains("--max-memory"), "{words}");
    }
}

#[test]
fn a_metric_that_would_need_too_much_is_undefined_and_the_others_are_computed() {
    let folder = tempfile::tempdir().unwrap();
    let map = format!("resolution: 0.05\norigin: 0 0 0\n{}", ("#.".repeat(600) + "\n").repeat(1200));
    std::fs::write(folder.path().join("map.txt"), map).unwrap();
    let score = ["score", "map.txt", "--truth", "map.txt", "--format", "json", "--max-memory", "64MiB"];
    let output = mapjudge(folder.path(), &score);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let metrics = report["cases"][0]["metrics"].as_array().unwrap();
    let of = |id: &str| metrics.iter().find(|metric| metric["id"] == id).unwrap();
    assert_eq!(of("occupied_f1")["value"], 1.0);
    let refused = of("hausdorff_distance");
    assert_eq!((&refused["status"], &refused["reasons"][0]), (&"undefined".into(), &"OVER_MEMORY".into()));
    assert!(refused["detail"]["needed_bytes"].as_u64().unwrap() > 64 << 20, "{refused}");
}

#[test]
fn a_command_ends_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let output = mapjudge(folder.path(), &["demo", "--out", "demo", "--max-seconds", "0.01"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("ended after 0.01 s"), "{}", text(&output.stderr));
}

#[test]
fn counts_that_would_fill_the_memory_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.txt"), "resolution: 0.05\norigin: 0 0 0\n...\n...\n").unwrap();
    for flags in
        [&["--random-targets", "4294967296"][..], &["--threads", "4294967296"], &["--max-memory", "1"]]
    {
        let output = mapjudge(folder.path(), &[&["paths", "map.txt", "--truth", "map.txt"], flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("expected"), "{}", text(&output.stderr));
    }
}

#[test]
fn strips_and_senseless_cells_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let image = |width: usize| [format!("P5 {width} 1 255\n").as_bytes(), &vec![254; width]].concat();
    std::fs::write(folder.path().join("strip.pgm"), image(1_000_000)).unwrap();
    std::fs::write(folder.path().join("map.pgm"), image(3)).unwrap();
    for arguments in [
        &["rooms", "strip.pgm", "--resolution", "0.05"][..],
        &["score", "strip.pgm", "--metrics", "plausibility", "--resolution", "0.05"],
        &["info", "map.pgm", "--resolution", "1e-9"],
        &["info", "map.pgm", "--resolution", "1e9"],
        &["info", "map.pgm", "--origin", "1e12,0,0"],
    ] {
        let output = mapjudge(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[cfg(unix)]
#[test]
fn escapes_in_names_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "run\u{1b}]0;owned\u{7}\u{1b}[2J.txt";
    std::fs::write(folder.path().join(name), "resolution: 0.05\n#..\n").unwrap();
    for command in ["info", "lint"] {
        let output = mapjudge(folder.path(), &[command, name]);
        for stream in [&output.stdout, &output.stderr] {
            assert!(!stream.contains(&0x1b) && !stream.contains(&7), "{command}: {:?}", text(stream));
        }
    }
    let missing = mapjudge(folder.path(), &["info", "no\u{1b}[2J.txt"]);
    assert!(!missing.stderr.contains(&0x1b), "{:?}", text(&missing.stderr));
}

/// Every point of a list has its line in the results: half a million of them took 3 GB in a contest.
#[test]
fn a_list_of_too_many_points_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let list = |count: usize| -> String {
        let row = |n: usize| format!("{n},14:32:10,\"L{n}\",{},1,0,\"r\",A,qr\n", n % 97);
        let head = "\"pois\"\n\"1.2\"\n\"T\"\n\"C\"\n\"2024-07-19\"\n\"14:30:05\"\n\"P\"\n\nid,time,text,x,y,z,robot,mode,type\n";
        head.to_owned() + &(1..=count).map(row).collect::<String>()
    };
    std::fs::write(folder.path().join("truth.csv"), list(20)).unwrap();
    std::fs::write(folder.path().join("many.csv"), list(20_001)).unwrap();
    let output = mapjudge(folder.path(), &["points", "many.csv", "--truth", "truth.csv"]);
    assert_eq!(output.status.code(), Some(2));
    let words = text(&output.stderr);
    assert!(words.contains("20001 points: expected at most 20000"), "{words}");
}
