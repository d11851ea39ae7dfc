#![no_main]
//! Any bytes as a file named `map.txt`.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, read_map_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    for options in variants::options() {
        let _ = read_map_bytes(NamedBytes { name: "map.txt", bytes }, &[], &options);
    }
});
