//! The corpus of the fuzz targets `limits` and `baseline` on stable: an answer or an error, never a panic.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use mapjudge_report::{Format, Limits, Tolerances, compare, read_baseline, render};

fn corpus(target: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/any_format").join(target);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut found: Vec<_> = files
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).unwrap();
            // The first byte selects the reader.
            (file.file_name().to_string_lossy().into_owned(), text[1..].to_owned())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn limits_are_read_or_refused() {
    for (name, text) in corpus("limits") {
        let accepted = Limits::parse(&text).is_ok();
        assert_eq!(accepted, ["empty", "lines", "tables"].contains(&name.as_str()), "{name}");
    }
}

#[test]
fn earlier_reports_are_read_and_rendered_or_refused() {
    for (name, text) in corpus("baseline") {
        let Ok(report) = read_baseline(&text) else {
            assert!(["bare", "cut", "foreign"].contains(&name.as_str()), "{name}");
            continue;
        };
        assert!(compare(&report, &report, &Tolerances::default()).is_ok(), "{name}");
        for format in Format::ALL {
            assert!(!render(&report, format).unwrap().is_empty(), "{name}");
        }
    }
}
