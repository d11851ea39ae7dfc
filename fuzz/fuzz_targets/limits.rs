#![no_main]
//! Any text as a limits file.

use libfuzzer_sys::fuzz_target;
use mapjudge_report::Limits;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Limits::parse(text);
    }
});
