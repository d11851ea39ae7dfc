//! `--isolate`: rows in processes of their own; what one of them does costs its row alone.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::rows::{BINARY, Place, manifest, score_arguments, told};

const ONE_FILE: &str = "out/rows-00001-of-00001.jsonl";

#[test]
fn isolated_rows_have_the_bytes_of_the_others() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(40));
    place.score("whole", &[]);
    let (code, summary) = place.score("out", &["--isolate", "--threads", "2"]);
    assert_eq!((code, &summary["scored"], &summary["errors"]), (2, &40.into(), &4.into()));
    assert!(place.merged("out", "out.jsonl") == place.merged("whole", "whole.jsonl"));
    let (_, again) = place.score("out", &["--isolate"]);
    assert_eq!((&again["scored"], &again["known"]), (&0.into(), &40.into()));
}

/// The line of a large map that is searched in a large truth and measured by the slow families, which takes many seconds.
fn slow_line(place: &Place) -> String {
    let side = 4000;
    let cells: String = (0..side * side)
        .map(|cell: u64| {
            let (x, y) = (cell % side, cell / side);
            let is_wall = x % 97 < 3 && (y / 31) % 5 != 2 || y % 113 < 3 && (x / 29) % 7 != 3;
            if is_wall { '\u{0}' } else { '\u{7e}' }
        })
        .collect();
    place.write("large.pgm", &format!("P5\n{side} {side}\n126\n{cells}"));
    let line = r#"{"map": "large.pgm", "truth": "large.pgm", "align": "auto", "read": {"resolution_m": 0.05}, "metrics": ["rooms", "paths", "topology", "distance", "cells"]}"#;
    format!("{line}\n")
}

#[test]
fn a_row_that_takes_too_long_costs_itself_alone() {
    let place = Place::new();
    let slow = slow_line(&place);
    place.write("pairs.jsonl", &format!("{}{slow}", manifest(4)));
    let (code, summary) = place.score("out", &["--isolate", "--row-timeout", "2", "--threads", "1"]);
    assert_eq!((code, &summary["errors"]), (2, &1.into()), "{summary}");
    assert_eq!(summary["codes"]["ROW_TIMEOUT"], 1, "{summary}");
    let rows = place.rows(ONE_FILE);
    assert_eq!(rows.iter().filter(|row| row["status"] == "ok").count(), 4);
    let (code, again) = place.score("out", &["--isolate", "--row-timeout", "2"]);
    assert_eq!((code, &again["known"]), (2, &5.into()), "it is not tried again: {again}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_row_that_needs_too_much_memory_costs_itself_alone() {
    let place = Place::new();
    let large = slow_line(&place);
    place.write("pairs.jsonl", &format!("{}{large}", manifest(4)));
    let (code, summary) = place.score("out", &["--isolate", "--row-memory", "256MiB", "--threads", "1"]);
    assert_eq!((code, &summary["scored"], &summary["errors"]), (2, &5.into(), &1.into()), "{summary}");
    assert_eq!(summary["codes"]["ROW_MEMORY"], 1, "{summary}");
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<String> {
    let parent_of = |pid: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name before it may hold anything; the state and the parent stand behind its bracket.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let all =
        std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    all.filter(|pid| parent_of(pid) == Some(parent)).collect()
}

/// Megabytes that a process holds, in pages of 4 KiB.
#[cfg(target_os = "linux")]
fn resident_mb(pid: &str) -> u64 {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
        / 1_000_000
}

#[cfg(target_os = "linux")]
#[test]
fn a_row_whose_process_is_killed_costs_itself_alone() {
    let place = Place::new();
    let slow = slow_line(&place);
    place.write("pairs.jsonl", &format!("{slow}{}", manifest(4)));
    let run = Command::new(BINARY)
        .args(score_arguments("out", &["--isolate", "--threads", "1"]))
        .current_dir(place.0.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    // Until it holds the large map; one that is killed before would be one that could not be started.
    let worker = loop {
        if let Some(worker) = children_of(run.id()).pop().filter(|worker| resident_mb(worker) > 30) {
            break worker;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no process took the large map");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(Command::new("sh").args(["-c", &format!("kill -9 {worker}")]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    let summary: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", told(&output)));
    assert_eq!((&summary["scored"], &summary["errors"]), (&5.into(), &1.into()), "{summary}");
    assert_eq!(summary["codes"]["WORKER_DIED"], 1, "{summary}");
}

#[test]
fn limits_of_rows_need_processes() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(1));
    let output = place.run(&["score", "--manifest", "pairs.jsonl", "--out", "out", "--row-timeout", "5"]);
    assert!(output.status.code() == Some(2) && told(&output).contains("--isolate"), "{}", told(&output));
}
