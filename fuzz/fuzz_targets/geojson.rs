#![no_main]
//! Any bytes as a file named `layer.geojson`.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, ReadOptions, read_document_bytes};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_document_bytes(NamedBytes { name: "layer.geojson", bytes }, &[], &ReadOptions::default());
});
