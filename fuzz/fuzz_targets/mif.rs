#![no_main]
//! A MIF file, then after a zero byte the MID file beside it.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, ReadOptions, read_document_bytes};

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let mif = NamedBytes { name: "victims.mif", bytes: parts.next().unwrap_or_default() };
    let mid = NamedBytes { name: "victims.mid", bytes: parts.next().unwrap_or_default() };
    let _ = read_document_bytes(mif, &[mid], &ReadOptions::default());
});
