#![no_main]
//! Any bytes as a file named `graph.g2o`.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, read_document_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    for options in variants::options() {
        let _ = read_document_bytes(NamedBytes { name: "graph.g2o", bytes }, &[], &options);
    }
});
