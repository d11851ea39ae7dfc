#![no_main]
//! Any bytes as the `metadata.yaml` of a ROS 2 bag and, behind the first zero byte, as the file that it names.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, ReadOptions, read_document_bytes};

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let metadata = NamedBytes { name: "metadata.yaml", bytes: &bytes[..end] };
    let beside = [NamedBytes { name: "file.mcap", bytes: bytes.get(end + 1..).unwrap_or_default() }];
    for topic in [None, Some("/scan"), Some("/odom"), Some("/tf:map.base"), Some("/map")] {
        let options = ReadOptions { topic: topic.map(str::to_owned), ..ReadOptions::default() };
        let _ = read_document_bytes(metadata, &beside, &options);
    }
});
