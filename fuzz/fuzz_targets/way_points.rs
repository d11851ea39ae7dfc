#![no_main]
//! Any bytes as way points.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = mapjudge_sim::run::read_way_points(text);
    }
});
