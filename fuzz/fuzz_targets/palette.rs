#![no_main]
//! Any bytes as a file named `map.bmp`, read through each palette.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::{
    ForeignColours, NamedBytes, NavigationGrey, PaletteChoice, PaletteOptions, ReadOptions, palette_names,
    read_map_bytes,
};

fuzz_target!(|bytes: &[u8]| {
    let file = NamedBytes { name: "map.bmp", bytes };
    for name in palette_names() {
        let palette = PaletteOptions {
            choice: PaletteChoice::Named(name),
            pixels_per_cell: Some(3),
            tolerance: Some(16),
            foreign_colours: ForeignColours::AsUnknown,
            navigation_grey: NavigationGrey::IsUncleared,
        };
        let _ = read_map_bytes(file, &[], &ReadOptions { palette, ..ReadOptions::default() });
    }
    let options = ReadOptions { resolution_m: Some(0.02), ..ReadOptions::default() };
    let _ = read_map_bytes(file, &[], &options);
});
