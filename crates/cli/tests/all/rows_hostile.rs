//! Hostile files around manifests: broken manifests and shards, row files of other jobs, full disks.

use std::process::Command;

use crate::rows::{BINARY, ONE_FILE, Place, manifest, score_arguments, told};

#[test]
fn broken_manifests_are_refused_before_any_work() {
    let place = Place::new();
    let good = r#"{"map": "a.txt", "truth": "truth.txt"}"#;
    let cases = [
        ("", "no line"),
        ("nonsense\n", "line 1: no JSON"),
        ("{\"truth\": \"truth.txt\"}\n", "line 1: lacks `map`"),
        ("{\"map\": \"a.txt\"}\n", "line 1: lacks `truth`"),
        (
            "{\"map\": \"a.txt\", \"truth\": \"truth.txt\", \"trooth\": 1}\n",
            "unknown key `trooth`; did you mean `truth`?",
        ),
        ("{\"map\": \"a.txt\", \"truth\": \"truth.txt\", \"limits\": \"l\"}\n", "belongs to the job"),
        (&format!("{good}\n{good}\n"), "line 2: stands in line 1 already"),
        (&"x\n".repeat(20), "and 10 more"),
        (&format!("{}\n", "[".repeat(100_000)), "line 1: no JSON"),
    ];
    for (text, words) in cases {
        place.write("pairs.jsonl", text);
        let output = place.run(&score_arguments("out", &[]));
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(told(&output).contains(words), "{words}: {}", told(&output));
        assert!(!place.path("out").exists(), "nothing was written");
    }
    place.write("pairs.jsonl", good);
    for shard in ["0/4", "5/4", "a/b"] {
        let output = place.run(&score_arguments("out", &["--shard", shard]));
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains("such as 3/16"), "{}", told(&output));
    }
    let output = place.run(&["score", "--manifest", "none.jsonl", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    let output = place.run(&["score", "--manifest", "pairs.jsonl", "--metrics", "cells"]);
    assert!(output.status.code() == Some(2) && told(&output).contains("--out"), "{}", told(&output));
}

#[test]
fn row_files_of_other_jobs_are_never_appended_to() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(5));
    place.score("out", &[]);
    let before = place.read(ONE_FILE);
    let output = place.run(&["score", "--manifest", "pairs.jsonl", "--metrics", "cells", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("another job (plan differ)"), "{}", told(&output));
    assert!(told(&output).contains("another output folder"));
    assert_eq!(place.read(ONE_FILE), before);
    place.write(
        ONE_FILE,
        &before.replacen("\"version\":\"", "\"version\":\"9.", 1).replacen("\"hash\":\"", "\"hash\":\"0", 1),
    );
    let output = place.run(&score_arguments("out", &[]));
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    place.write(ONE_FILE, &(before.clone() + "no row\n"));
    let output = place.run(&score_arguments("out", &[]));
    assert!(
        output.status.code() == Some(2) && told(&output).contains("line 7: expected a row"),
        "{}",
        told(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_rows_before_it() {
    let place = Place::new();
    place.write("pairs.jsonl", &manifest(300));
    place.score("whole", &[]);
    // Files of at most 32 blocks of 512 bytes; without the signal the write fails as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 32; exec {BINARY} \"$@\"");
    let arguments = score_arguments("out", &[]);
    let output = Command::new("sh")
        .args(["-c", &script, "sh"])
        .args(&arguments)
        .current_dir(place.0.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let kept = place.read(ONE_FILE);
    assert!(
        kept.ends_with('\n') && kept.len() <= 32 * 1024 && kept.lines().count() > 5,
        "{} bytes",
        kept.len()
    );
    let (_, summary) = place.score("out", &[]);
    assert!(summary["known"].as_u64().unwrap() > 0, "{summary}");
    assert!(place.merged("out", "out.jsonl") == place.merged("whole", "whole.jsonl"));
}
