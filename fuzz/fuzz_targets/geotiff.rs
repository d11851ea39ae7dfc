#![no_main]
//! Any bytes as a file named `map.tif`, beside a world file.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{NamedBytes, read_geotiff_pages, read_map_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    let file = NamedBytes { name: "map.tif", bytes };
    let world = NamedBytes { name: "map.tfw", bytes: b"0.5\n0\n0\n-0.5\n1\n2\n" };
    let _ = read_geotiff_pages(file);
    for options in variants::options() {
        let _ = read_map_bytes(file, &[world], &options);
    }
});
