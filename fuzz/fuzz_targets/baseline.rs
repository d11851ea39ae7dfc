#![no_main]
//! Any text as an earlier report; one that is accepted is rendered and compared with itself.

use libfuzzer_sys::fuzz_target;
use mapjudge_report::{Format, compare, read_baseline, render};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(report) = read_baseline(text) {
        let _ = compare(&report, &report, 1e-9);
        for format in Format::ALL {
            let _ = render(&report, format, &[]);
        }
    }
});
