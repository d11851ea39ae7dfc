#![no_main]
//! Any bytes as a file named `log.csv`.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, read_document_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    for options in variants::options() {
        let _ = read_document_bytes(NamedBytes { name: "log.csv", bytes }, &[], &options);
    }
});
