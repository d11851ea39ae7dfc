#![no_main]
//! Poses, then after a zero byte the times `00_times.txt` beside them.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, read_document_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let poses = NamedBytes { name: "00.kitti", bytes: parts.next().unwrap_or_default() };
    let times = NamedBytes { name: "00_times.txt", bytes: parts.next().unwrap_or_default() };
    for options in variants::options() {
        let _ = read_document_bytes(poses, &[times], &options);
    }
});
