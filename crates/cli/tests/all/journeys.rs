//! The journeys of `journeys/`, walked with the program under test.

use std::path::Path;
use std::process::Command;

/// Walks a journey; skips itself where there is no bash.
fn walk(script: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new("bash")
        .arg(root.join("journeys").join(script))
        .env("MAPJUDGE", env!("CARGO_BIN_EXE_mapjudge"))
        .output();
    match run {
        Ok(output) => {
            let words = [output.stdout, output.stderr].concat();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&words));
        }
        Err(_) => testkit::skip("bash is absent"),
    }
}

#[test]
fn a_judge_gets_from_a_stick_to_a_ranking() {
    walk("judge.sh");
}
