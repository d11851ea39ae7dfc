#![no_main]
//! Any bytes as clicked point pairs.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = mapjudge_formats::read_point_pairs("fuzzed", bytes);
});
