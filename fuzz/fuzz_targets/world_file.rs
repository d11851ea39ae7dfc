#![no_main]
//! Any bytes as the world file of a small picture without a place of its own.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, ReadOptions, read_map_bytes};

/// A picture of one pixel, as the tests of the reader build it.
const PICTURE: &[u8] = include_bytes!("../corpus/geotiff/plain");

fuzz_target!(|bytes: &[u8]| {
    let world = NamedBytes { name: "map.tfw", bytes };
    let _ = read_map_bytes(NamedBytes { name: "map.tif", bytes: PICTURE }, &[world], &ReadOptions::default());
});
