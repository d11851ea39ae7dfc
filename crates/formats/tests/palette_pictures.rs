//! Colour pictures through the whole reader: navigation layers, greys stored as colours, real pictures, and
//! the corpus of the fuzz target.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{
    ForeignColours, MapFile, NamedBytes, NavigationGrey, PaletteChoice, PaletteOptions, ReadError,
    ReadOptions, palette_names, read_map, read_map_bytes, write_navigation_png, write_png,
};
use model::{Grid, GridGeometry, NavigationClass, Pose2};
use proptest::prelude::*;

fn with(palette: PaletteOptions) -> ReadOptions {
    ReadOptions { palette, ..ReadOptions::default() }
}

fn choice(choice: PaletteChoice) -> ReadOptions {
    with(PaletteOptions { choice, ..PaletteOptions::DEFAULT })
}

fn read(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<MapFile, ReadError> {
    read_map_bytes(NamedBytes { name, bytes }, &[], options)
}

/// A 24-bit BMP of rows given top first.
fn bmp(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let height = pixels.len() / width;
    let row_bytes = (width * 3).next_multiple_of(4);
    let size = (54 + row_bytes * height) as u32;
    let mut bytes = b"BM".to_vec();
    for field in [size, 0, 54, 40, width as u32, height as u32, 0x0018_0001, 0, 0, 0, 0, 0, 0] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    for row in pixels.chunks(width).rev() {
        let start = bytes.len();
        bytes.extend(row.iter().flat_map(|&[r, g, b]| [b, g, r]));
        bytes.resize(start + row_bytes, 0);
    }
    bytes
}

const NAVIGATION: [[u8; 3]; 6] =
    [[0, 0, 0], [0, 255, 0], [255, 255, 255], [0, 0, 255], [255, 0, 0], [0, 255, 0]];

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
    let lenient = PaletteOptions { foreign_colours: ForeignColours::AsUnknown, ..PaletteOptions::DEFAULT };
    let map = read("nav.bmp", &file, &with(lenient)).unwrap();
    assert!(map.finding("NAVIGATION_FOREIGN_COLOURS").is_some());
    assert_eq!(map.grid.navigation().unwrap()[4], NavigationClass::Unknown);
    let tolerant = PaletteOptions { tolerance: Some(55), ..PaletteOptions::DEFAULT };
    let map = read("nav.bmp", &file, &with(tolerant)).unwrap();
    assert_eq!(map.grid.navigation().unwrap()[4], NavigationClass::Cleared);
    let grey = PaletteOptions { navigation_grey: NavigationGrey::IsUncleared, ..PaletteOptions::DEFAULT };
    assert!(read("nav.bmp", &file, &with(grey)).is_err());
}

#[test]
fn a_grey_map_stored_as_colours_reads_as_before() {
    let greys = [0u8, 50, 100, 128, 190, 205, 226, 237, 254, 255];
    let pixels: Vec<_> = greys.iter().map(|&grey| [grey; 3]).collect();
    let file = bmp(5, &pixels);
    let auto = read("map.bmp", &file, &ReadOptions::default()).unwrap();
    let off = read("map.bmp", &file, &choice(PaletteChoice::Off)).unwrap();
    assert_eq!(auto, off);
    assert!(auto.grid.navigation().is_none() && auto.marks.is_empty());
}

#[test]
fn colours_of_no_palette_count_by_their_mean_and_that_is_said() {
    let file = bmp(2, &[[200, 100, 0], [255, 255, 254]]);
    let auto = read("map.bmp", &file, &ReadOptions::default()).unwrap();
    let off = read("map.bmp", &file, &choice(PaletteChoice::Off)).unwrap();
    assert_eq!(auto.grid, off.grid);
    assert!(auto.finding("NO_PALETTE_MATCHES").is_some() && off.finding("NO_PALETTE_MATCHES").is_none());
}

#[test]
fn black_white_and_a_little_red_are_no_navigation_layer() {
    let file = bmp(3, &[[0, 0, 0], [255, 255, 255], [255, 0, 0]]);
    let map = read("map.bmp", &file, &ReadOptions::default()).unwrap();
    assert!(map.grid.navigation().is_none());
    let named = read("map.bmp", &file, &choice(PaletteChoice::Named("navigation"))).unwrap();
    assert!(named.grid.navigation().is_some());
}

#[test]
fn a_palette_is_named_only_for_colour_pictures() {
    let grey = write_png(&testkit::grid(["#.?"])).unwrap();
    let error = read("map.png", &grey, &choice(PaletteChoice::Named("hector"))).unwrap_err();
    assert!(error.to_string().contains("expected 8-bit colours"), "{error}");
}

#[test]
fn real_pictures_of_worlds_are_no_league_maps() {
    let Some(folder) = testkit::shared_data("robocup-rescue") else { return };
    let mut pictures = 0;
    for set in ["singapore2010-maze-barrels", "usarsim-metrictool"] {
        for entry in std::fs::read_dir(folder.join(set)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "png") {
                let auto = read_map(&path, &ReadOptions::default()).unwrap();
                let off = read_map(&path, &choice(PaletteChoice::Off)).unwrap();
                assert_eq!(auto.grid, off.grid, "{}", path.display());
                pictures += 1;
            }
        }
    }
    assert_eq!(pictures, 5);
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
        let options = ReadOptions { resolution_m: Some(0.05), ..choice(PaletteChoice::Named("navigation")) };
        let map = read("nav.png", &png, &options).unwrap();
        prop_assert_eq!(map.grid, grid);
        prop_assert_eq!(map.findings.len(), 1);
    }

    #[test]
    fn any_picture_of_league_colours_is_read(
        colours in prop::collection::vec(0usize..16, 1..1500),
        width in 1usize..50,
        pixels_per_cell in prop::option::of(0u8..5),
    ) {
        let (file, pixels) = league_bmp(&colours, width);
        for name in palette_names().into_iter().skip(1) {
            let palette = PaletteOptions { choice: PaletteChoice::Named(name), pixels_per_cell, ..PaletteOptions::DEFAULT };
            for resolution_m in [None, Some(0.02)] {
                let options = ReadOptions { resolution_m, ..with(palette) };
                match read("map.bmp", &file, &options) {
                    Ok(map) if pixels_per_cell.is_none_or(|n| n < 2) => prop_assert_eq!(map.grid.geometry().cells(), pixels),
                    Ok(map) => prop_assert!(map.grid.geometry().cells() <= pixels),
                    Err(error) => prop_assert!(error.to_string().contains("expected at least"), "{}", error),
                }
            }
        }
    }
}

/// A BMP of colours of the league, and the number of its pixels.
fn league_bmp(colours: &[usize], width: usize) -> (Vec<u8>, usize) {
    const COLOURS: [[u8; 3]; 16] = [
        [0, 40, 120],
        [255, 255, 255],
        [226, 226, 227],
        [237, 237, 238],
        [128, 128, 128],
        [190, 190, 191],
        [0, 50, 140],
        [0, 44, 207],
        [120, 0, 240],
        [240, 10, 10],
        [240, 100, 10],
        [255, 100, 30],
        [10, 10, 240],
        [10, 240, 10],
        [255, 200, 0],
        [77, 33, 99],
    ];
    let mut pixels: Vec<_> = colours.iter().map(|&colour| COLOURS[colour]).collect();
    pixels.resize(pixels.len().next_multiple_of(width), COLOURS[2]);
    (bmp(width, &pixels), pixels.len())
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/palette")
}

/// The options of the fuzz target.
fn variants() -> Vec<ReadOptions> {
    let named = |name: &'static str| PaletteOptions {
        choice: PaletteChoice::Named(name),
        pixels_per_cell: Some(3),
        tolerance: Some(16),
        foreign_colours: ForeignColours::AsUnknown,
        navigation_grey: NavigationGrey::IsUncleared,
    };
    let named = palette_names().into_iter().map(|name| with(named(name)));
    named.chain([ReadOptions { resolution_m: Some(0.02), ..ReadOptions::default() }]).collect()
}

/// Small pictures: all colours, a board with walls and a disc, a line, one pixel, a navigation layer.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let board: Vec<usize> = (0..40 * 30)
        .map(|i| match (i % 40, i / 40) {
            (x, 15) if x > 3 => 8,
            (20, _) | (_, 2) => 0,
            (x, y) if (x as i32 - 8).pow(2) + (y as i32 - 22).pow(2) < 20 => 9,
            (x, y) if x > 25 && y > 20 => 14,
            (x, y) => 2 + (x / 8 + y / 8) % 2,
        })
        .collect();
    vec![
        ("all_colours", league_bmp(&(0..16).collect::<Vec<_>>(), 4).0),
        ("board", league_bmp(&board, 40).0),
        ("line", league_bmp(&[8; 64], 64).0),
        ("one_pixel", league_bmp(&[0], 1).0),
        ("navigation", bmp(3, &NAVIGATION)),
    ]
}

#[test]
fn the_corpus_is_read_or_refused_with_a_reason() {
    let mut files: Vec<_> = std::fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5);
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        for options in variants() {
            if let Err(error) = read("map.bmp", &bytes, &options) {
                assert!(error.to_string().starts_with("map.bmp: "), "{}: {error}", file.display());
            }
        }
    }
}

#[test]
fn seeds_with_changed_bytes_never_panic() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % limit
    };
    let variants = variants();
    for (_, seed) in seeds() {
        for _ in 0..400 {
            let mut bytes = seed.clone();
            for _ in 0..=random(6) {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
            }
            let options = &variants[random(variants.len())];
            if let Ok(map) = read("map.bmp", &bytes, options) {
                assert_eq!(map.grid.classes().len(), map.grid.geometry().cells());
            }
        }
    }
}

/// Floods, rings within rings, combs and noise. At 2048 x 2048 none took more than 1.4 s with the optimisation
/// of tests; here they are smaller.
#[test]
fn large_hostile_pictures_take_seconds() {
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
            let options = ReadOptions { resolution_m, ..choice(PaletteChoice::Named("crosbot")) };
            read("map.bmp", &file, &options).unwrap();
            println!("{name}, {resolution_m:?}: {:.2} s", started.elapsed().as_secs_f64());
            assert!(started.elapsed().as_secs() < 20, "{name}");
        }
    }
}

#[test]
#[ignore = "writes fuzz/corpus"]
fn regenerate_corpus() {
    std::fs::create_dir_all(corpus()).unwrap();
    for (name, bytes) in seeds() {
        std::fs::write(corpus().join(name), bytes).unwrap();
    }
}
