#![no_main]
//! A YAML, then after a zero byte the picture `map.pgm` beside it.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, read_map_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let yaml = NamedBytes { name: "map.yaml", bytes: parts.next().unwrap_or_default() };
    let picture = NamedBytes { name: "map.pgm", bytes: parts.next().unwrap_or(b"P5 1 1 255\n\xcd") };
    for options in variants::options() {
        let _ = read_map_bytes(yaml, &[picture], &options);
    }
});
