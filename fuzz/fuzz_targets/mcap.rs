#![no_main]
//! Any bytes as a file named `file.mcap`: its summary, and topics of every type.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, ReadOptions, read_bag_topic_bytes, read_map_bytes};

fuzz_target!(|bytes: &[u8]| {
    let file = NamedBytes { name: "file.mcap", bytes };
    let _ = read_map_bytes(file, &[], &ReadOptions::default());
    for topic in ["/scan", "/odom", "/pose", "/amcl_pose", "/tf:map.base", "/map"] {
        let _ = read_bag_topic_bytes(file, topic);
    }
});
