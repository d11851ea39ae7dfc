//! Colour images through the whole reader: navigation layers, greys stored as colours, real images.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mapjudge_formats::{
    MapFile, NamedBytes, ReadError, ReadOptions, palette_names, read_map, read_map_bytes,
    write_navigation_png, write_png,
};
use model::{Grid, GridGeometry, NavigationClass, Pose2};
use proptest::prelude::*;

use crate::palette_seeds;

use palette_seeds::{NAVIGATION, bmp, league_bmp};

fn through(palette: &str) -> ReadOptions {
    ReadOptions { palette: Some(palette.to_owned()), ..ReadOptions::default() }
}

fn read(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<MapFile, ReadError> {
    read_map_bytes(NamedBytes { name, bytes }, &[], options)
}

#[test]
fn a_navigation_layer_is_recognised_in_png_and_bmp() {
    use NavigationClass::{Cleared, Uncleared, Unknown, Untraversable, Victim};
    let map = read("nav.bmp", &bmp(3, &NAVIGATION), &ReadOptions::default()).unwrap();
    assert_eq!(map.grid.navigation().unwrap(), [Untraversable, Cleared, Uncleared, Unknown, Victim, Cleared]);
    assert_eq!(testkit::rows(&map.grid), ["#..", "?#."]);
    assert!(map.finding("PALETTE_USED").unwrap().message.contains("'navigation'"));
    assert!(map.finding("NO_RESOLUTION").is_some());
    let png = write_navigation_png(&map.grid).unwrap();
    let options = ReadOptions { resolution_m: Some(1.0), ..ReadOptions::default() };
    let again = read("nav.png", &png, &options).unwrap();
    assert_eq!(again.grid, map.grid);
    assert!(again.finding("NO_RESOLUTION").is_none());
}

#[test]
fn a_foreign_colour_in_a_navigation_layer_is_refused_or_let_in() {
    let mut pixels = NAVIGATION.repeat(20);
    pixels[4] = [9, 200, 9];
    let file = bmp(6, &pixels);
    let error = read("nav.bmp", &file, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("1 pixels of 1 foreign colours, first column 4 row 0 (9,200,9)"));
    assert!(error.hint().unwrap().contains("tolerance"));
    let lenient = ReadOptions { lenient_colours: true, ..ReadOptions::default() };
    let map = read("nav.bmp", &file, &lenient).unwrap();
    assert!(map.finding("NAVIGATION_FOREIGN_COLOURS").is_some());
    assert_eq!(map.grid.navigation().unwrap()[4], NavigationClass::Unknown);
    let tolerant = ReadOptions { palette_tolerance: Some(55), ..ReadOptions::default() };
    let map = read("nav.bmp", &file, &tolerant).unwrap();
    assert_eq!(map.grid.navigation().unwrap()[4], NavigationClass::Cleared);
    let grey = ReadOptions { grey_is_uncleared: true, ..ReadOptions::default() };
    assert!(read("nav.bmp", &file, &grey).is_err());
}

#[test]
fn a_grey_map_stored_as_colours_reads_as_before() {
    let greys = [0u8, 50, 100, 128, 190, 205, 226, 237, 254, 255];
    let pixels: Vec<_> = greys.iter().map(|&grey| [grey; 3]).collect();
    let file = bmp(5, &pixels);
    let auto = read("map.bmp", &file, &ReadOptions::default()).unwrap();
    let off = read("map.bmp", &file, &through("off")).unwrap();
    assert_eq!(auto, off);
    assert!(auto.grid.navigation().is_none() && auto.marks.is_empty());
}

#[test]
fn colours_of_no_palette_count_by_their_mean_and_that_is_said() {
    let file = bmp(2, &[[200, 100, 0], [255, 255, 254]]);
    let auto = read("map.bmp", &file, &ReadOptions::default()).unwrap();
    let off = read("map.bmp", &file, &through("off")).unwrap();
    assert_eq!(auto.grid, off.grid);
    assert!(auto.finding("NO_PALETTE_MATCHES").is_some() && off.finding("NO_PALETTE_MATCHES").is_none());
}

#[test]
fn black_white_and_a_little_red_are_no_navigation_layer() {
    let file = bmp(3, &[[0, 0, 0], [255, 255, 255], [255, 0, 0]]);
    let map = read("map.bmp", &file, &ReadOptions::default()).unwrap();
    assert!(map.grid.navigation().is_none());
    let named = read("map.bmp", &file, &through("navigation")).unwrap();
    assert!(named.grid.navigation().is_some());
}

#[test]
fn a_palette_is_named_only_for_colour_images() {
    let grey = write_png(&testkit::grid(["#.?"])).unwrap();
    let error = read("map.png", &grey, &through("hector")).unwrap_err();
    assert!(error.to_string().contains("expected 8-bit colours"), "{error}");
}

#[test]
fn real_images_of_worlds_are_no_league_maps() {
    let Some(folder) = testkit::shared_data("robocup-rescue") else { return };
    let mut images = 0;
    for set in ["singapore2010-maze-barrels", "usarsim-metrictool"] {
        for entry in std::fs::read_dir(folder.join(set)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "png") {
                let auto = read_map(&path, &ReadOptions::default()).unwrap();
                let off = read_map(&path, &through("off")).unwrap();
                assert_eq!(auto.grid, off.grid, "{}", path.display());
                images += 1;
            }
        }
    }
    assert_eq!(images, 5);
}

proptest! {
    #[test]
    fn a_written_navigation_layer_is_read_back(cells in prop::collection::vec(0usize..5, 1..60), width in 1usize..9) {
        let height = cells.len().div_ceil(width);
        let mut classes: Vec<_> = cells.iter().map(|&class| NavigationClass::ALL[class]).collect();
        classes.resize(width * height, NavigationClass::Unknown);
        let geometry = GridGeometry::new(width, height, 0.05, Pose2::IDENTITY).unwrap();
        let grid = Grid::of_navigation(geometry, classes).unwrap();
        let png = write_navigation_png(&grid).unwrap();
        let options = ReadOptions { resolution_m: Some(0.05), ..through("navigation") };
        let map = read("nav.png", &png, &options).unwrap();
        prop_assert_eq!(map.grid, grid);
        prop_assert_eq!(map.findings.len(), 1);
    }

    #[test]
    fn any_image_of_league_colours_is_read(
        colours in prop::collection::vec(0usize..16, 1..1500),
        width in 1usize..50,
        pixels_per_cell in prop::option::of(0u8..5),
    ) {
        let (file, pixels) = league_bmp(&colours, width);
        for name in palette_names().into_iter().skip(1) {
            for resolution_m in [None, Some(0.02)] {
                let options = ReadOptions { resolution_m, pixels_per_cell, ..through(name) };
                match read("map.bmp", &file, &options) {
                    Ok(map) if pixels_per_cell.is_none_or(|n| n < 2) => prop_assert_eq!(map.grid.geometry().cells(), pixels),
                    Ok(map) => prop_assert!(map.grid.geometry().cells() <= pixels),
                    Err(error) => prop_assert!(error.to_string().contains("expected at least"), "{}", error),
                }
            }
        }
    }
}

/// Floods, rings within rings, combs and noise. At 2048 x 2048 none took more than 1.4 s with the optimisation
/// of tests; here they are smaller.
#[test]
fn large_hostile_images_take_seconds() {
    const SIDE: usize = 768;
    let ring = |i: usize, s: usize| (i % SIDE % s).abs_diff(s / 2).max((i / SIDE % s).abs_diff(s / 2));
    let noise = |i: usize| ((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize;
    type Drawing<'a> = &'a dyn Fn(usize) -> usize;
    let drawings: [(&str, Drawing<'_>); 8] = [
        ("flood of victims", &|_| 9),
        ("flood of walls", &|_| 0),
        ("rings", &|i| if ring(i, 500).is_multiple_of(2) { 9 } else { 1 }),
        ("large rings", &|i| if ring(i, SIDE).is_multiple_of(3) { 9 } else { 1 }),
        ("comb of path", &|i| if (i % SIDE).is_multiple_of(9) || i < SIDE { 8 } else { 1 }),
        ("noise", &|i| noise(i) % 16),
        ("specks of path", &|i| {
            if (i % SIDE).is_multiple_of(3) && (i / SIDE).is_multiple_of(3) { 8 } else { 2 }
        }),
        ("covered", &|i| if i == 0 { 0 } else { 5 }),
    ];
    for (name, drawing) in drawings {
        let (file, _) = league_bmp(&(0..SIDE * SIDE).map(drawing).collect::<Vec<_>>(), SIDE);
        for resolution_m in [None, Some(0.0167), Some(0.001)] {
            let started = std::time::Instant::now();
            let options = ReadOptions { resolution_m, ..through("crosbot") };
            read("map.bmp", &file, &options).unwrap();
            println!("{name}, {resolution_m:?}: {:.2} s", started.elapsed().as_secs_f64());
            assert!(started.elapsed().as_secs() < 20, "{name}");
        }
    }
}
