//! `--isolate`: rows in processes of their own; what one of them does costs its row alone.

use crate::rows::{Place, manifest, told};

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

#[test]
fn a_row_that_takes_too_long_costs_itself_alone() {
    let place = Place::new();
    // A large map that is searched in a large truth and measured by the slow families takes many seconds.
    let side = 4000;
    let cells: String = (0..side * side)
        .map(|cell: u64| {
            let (x, y) = (cell % side, cell / side);
            let is_wall = x % 97 < 3 && (y / 31) % 5 != 2 || y % 113 < 3 && (x / 29) % 7 != 3;
            if is_wall { '\u{0}' } else { '\u{7e}' }
        })
        .collect();
    place.write("large.pgm", &format!("P5\n{side} {side}\n126\n{cells}"));
    let large = r#"{"map": "large.pgm", "truth": "large.pgm", "align": "auto", "read": {"resolution_m": 0.05}, "metrics": ["rooms", "paths", "topology", "distance", "cells"]}"#;
    place.write("pairs.jsonl", &format!("{}{large}\n", manifest(4)));
    let (code, summary) = place.score("out", &["--isolate", "--row-timeout", "2", "--threads", "1"]);
    assert_eq!((code, &summary["errors"]), (2, &1.into()), "{summary}");
    assert_eq!(summary["codes"]["ROW_TIMEOUT"], 1, "{summary}");
    let rows = place.rows(ONE_FILE);
    assert_eq!(rows.iter().filter(|row| row["status"] == "ok").count(), 4);
    let (code, again) = place.score("out", &["--isolate", "--row-timeout", "2"]);
    assert_eq!((code, &again["known"]), (2, &5.into()), "it is not tried again: {again}");
}

#[test]
fn limits_of_rows_need_processes() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(1));
    let output = place.run(&["score", "--manifest", "pairs.jsonl", "--out", "out", "--row-timeout", "5"]);
    assert!(output.status.code() == Some(2) && told(&output).contains("--isolate"), "{}", told(&output));
}
