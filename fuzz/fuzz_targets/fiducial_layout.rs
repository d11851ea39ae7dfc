#![no_main]
//! Any bytes as a layout in TOML and in CSV; the bytes decide which it is, the name helps where they do not.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, ReadOptions, read_document_bytes};

fuzz_target!(|bytes: &[u8]| {
    for name in ["fiducials.toml", "fiducials.csv"] {
        let _ = read_document_bytes(NamedBytes { name, bytes }, &[], &ReadOptions::default());
    }
});
