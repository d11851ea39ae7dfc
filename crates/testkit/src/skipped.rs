//! Tests that skip themselves where a program or public data is absent.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;

/// Notes that the calling test, or a part of it, was skipped, and why: on stderr, and as a line of the file that the
/// variable `MAPJUDGE_SKIPPED` names. `test.sh` ends with the lines of that file.
#[track_caller]
pub fn skip(reason: &str) {
    let line = format!("{reason} ({})\n", Location::caller().file());
    eprint!("skipped: {line}");
    if let Some(path) = std::env::var_os("MAPJUDGE_SKIPPED") {
        // One write, so that lines of tests that run at the same time stay whole.
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .expect("MAPJUDGE_SKIPPED names a file to append to");
    }
}
