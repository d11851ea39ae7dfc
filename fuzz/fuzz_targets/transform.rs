#![no_main]
//! Any bytes as a transform file.

use libfuzzer_sys::fuzz_target;
use mapjudge::AlignmentFile;

fuzz_target!(|bytes: &[u8]| {
    let _ = AlignmentFile::parse(bytes);
});
