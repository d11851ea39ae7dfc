//! No TIFF makes the reader panic, take a second or take 200 MB: the fuzz corpus is replayed, seeds are
//! mutated at random, and headers that claim too much are refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use mapjudge_formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, NamedBytes, ReadOptions, read_geotiff_pages,
    read_map_bytes, write_geotiff,
};
use model::NavigationClass;
use testkit::Random;
use tiff::encoder::{Compression, Predictor, TiffEncoder, colortype};

mod tiff_builder;

use tiff_builder::{PageParts, Value, tiff};

/// Mutations of each seed.
const MUTATIONS: usize = 1000;
/// What reading a small file may take, whatever stands in it.
const MAX_MEMORY_MIB: u64 = 512;
/// Most memory of the whole test program.
const MAX_PEAK_MIB: usize = 200;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/geotiff")
}

/// Reads a file as pages and as a map; both end, in time, with something whole or an error with its name.
fn check(bytes: &[u8]) {
    let start = Instant::now();
    let file = NamedBytes { name: "map.tif", bytes };
    let world = NamedBytes { name: "map.tfw", bytes: b"0.5\n0\n0\n-0.5\n1\n2\n" };
    if let Err(error) = read_geotiff_pages(file) {
        assert!(error.to_string().starts_with("map.tif"), "{error}");
    }
    match read_map_bytes(file, &[world], &ReadOptions::default()) {
        Ok(map) => assert_eq!(map.grid.classes().len(), map.grid.geometry().cells()),
        Err(error) => assert!(error.to_string().starts_with("map."), "{error}"),
    }
    assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
}

fn encoded(compression: Compression, predictor: Predictor) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoder =
        TiffEncoder::new(&mut bytes).unwrap().with_compression(compression).with_predictor(predictor);
    let samples: Vec<u8> = (0..60).map(|i| if i % 7 < 4 { 205 } else { i }).collect();
    let mut encoder = encoder;
    encoder.write_image::<colortype::RGB8>(5, 4, &samples).unwrap();
    bytes.into_inner()
}

/// Valid files.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let grid = testkit::grid(["##.?", "#..?", "..??"]);
    let navigation: Vec<_> = (0..12).map(|i| NavigationClass::ALL[i % 5]).collect();
    let layers = [
        GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&navigation) },
        GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(&grid) },
        GeoTiffLayer { name: "probability", pixels: GeoTiffLayerPixels::Probability(&[0.5; 12]) },
    ];
    let written = write_geotiff(grid.geometry(), &GeoTiffFrame::Local("arena".to_owned()), &layers).unwrap();
    let tiled = PageParts::grey(5, 5, &[7; 256]).without(273).without(278).without(279);
    let tiled = tiled.with(322, Value::Long(vec![16])).with(323, Value::Long(vec![16]));
    let tiled = tiled.with(324, Value::Long(vec![])).with(325, Value::Long(vec![256]));
    let palette = PageParts::grey(4, 1, &[0x1b]).with(258, Value::Short(vec![2]));
    let palette =
        palette.with(262, Value::Short(vec![3])).with(320, Value::Short((0..12).map(|i| i * 5000).collect()));
    let bits = PageParts::grey(9, 2, &[0x5a, 0x80, 0xa5, 0]).with(258, Value::Short(vec![1]));
    // One row of white by a single vertical code.
    let fax = PageParts::grey(8, 1, &[0x80, 0x01, 0x00, 0x10]).with(258, Value::Short(vec![1]));
    let fax = fax.with(259, Value::Short(vec![4])).with(262, Value::Short(vec![0]));
    let placed =
        PageParts::grey(2, 2, &[0, 254, 205, 9]).placed([0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0, 2.0, 0.0]);
    vec![
        ("written", written),
        ("placed", tiff(&[placed])),
        ("tiled", tiff(&[tiled])),
        ("palette", tiff(&[palette])),
        ("one_bit", tiff(&[bits.clone().with(262, Value::Short(vec![0])), bits])),
        ("fax", tiff(&[fax])),
        ("lzw", encoded(Compression::Lzw, Predictor::Horizontal)),
        ("packbits", encoded(Compression::Packbits, Predictor::None)),
        ("plain", encoded(Compression::Uncompressed, Predictor::None)),
    ]
}

/// Files that claim too much, lie or end too early.
fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let grey = |width, height| PageParts::grey(width, height, &[1, 2, 3, 4]);
    let tiles = |side: u32, count: usize| {
        grey(64, 64)
            .without(273)
            .without(279)
            .with(322, Value::Long(vec![side]))
            .with(323, Value::Long(vec![side]))
            .with(324, Value::Long(vec![8; count]))
            .with(325, Value::Long(vec![4; count]))
    };
    let compressed = |code: u16| grey(30_000, 30_000).with(259, Value::Short(vec![code]));
    let mut looped = tiff(&[grey(0, 1)]);
    let next = looped.len() - 8;
    looped[next..next + 4].copy_from_slice(&[8, 0, 0, 0]);
    let good = tiff(&[grey(2, 2)]);
    vec![
        ("oversized", tiff(&[grey(1_000_000, 1_000_000)])),
        ("overflowing", tiff(&[grey(u32::MAX, u32::MAX)])),
        ("oversized_deflate", tiff(&[compressed(8)])),
        ("oversized_lzw", tiff(&[compressed(5)])),
        ("oversized_zstd", tiff(&[compressed(50_000)])),
        ("oversized_fax", tiff(&[compressed(4).with(258, Value::Short(vec![1]))])),
        ("oversized_jpeg", tiff(&[compressed(7)])),
        (
            "left_out",
            tiff(&[grey(30_000, 30_000).with(273, Value::Long(vec![0])).with(279, Value::Long(vec![0]))]),
        ),
        ("huge_tiles", tiff(&[tiles(0x7fff_ffff, 1)])),
        ("tiny_tiles", tiff(&[tiles(1, 4)])),
        ("many_strips", tiff(&[grey(1, 30_000).with(278, Value::Long(vec![1]))])),
        ("zero_sized", tiff(&[grey(0, 4)])),
        ("zero_rows", tiff(&[grey(2, 2).with(278, Value::Long(vec![0]))])),
        ("zero_bits", tiff(&[grey(2, 2).with(258, Value::Short(vec![0]))])),
        ("many_samples", tiff(&[grey(2, 2).with(277, Value::Short(vec![65_535]))])),
        ("no_strips", tiff(&[grey(2, 2).without(273)])),
        ("strip_beyond", tiff(&[grey(2, 2).with(273, Value::Long(vec![u32::MAX]))])),
        ("long_strip", tiff(&[grey(2, 2).with(279, Value::Long(vec![u32::MAX]))])),
        ("looped", looped),
        ("truncated", good[..good.len() - 1].to_vec()),
        ("header_only", good[..8].to_vec()),
        ("signature_only", good[..4].to_vec()),
        ("html", b"<html><body>404</body></html>".to_vec()),
        ("empty", Vec::new()),
    ]
}

#[test]
fn seeds_are_read_and_hostile_files_refused() {
    for (name, bytes) in seeds() {
        let pages = read_geotiff_pages(NamedBytes { name: "map.tif", bytes: &bytes });
        assert!(pages.is_ok(), "{name}: {:?}", pages.err());
    }
    for (name, bytes) in hostile() {
        assert!(read_geotiff_pages(NamedBytes { name: "map.tif", bytes: &bytes }).is_err(), "{name}");
        check(&bytes);
    }
    assert_peak();
}

#[test]
fn corpus_replay() {
    let files: Vec<_> = std::fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 30, "{} files", files.len());
    for file in files {
        check(&std::fs::read(&file).unwrap());
    }
}

#[test]
fn mutated_files_never_panic() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut files: Vec<Vec<u8>> = seeds().into_iter().map(|(_, bytes)| bytes).collect();
    if let Some(data) = testkit::shared_data("geotiff") {
        let real = std::fs::read_dir(data.join("gdal-autotest")).unwrap().map(|entry| entry.unwrap().path());
        let mut real: Vec<_> = real.collect();
        real.sort();
        files.extend(real.iter().map(|path| std::fs::read(path).unwrap()));
    }
    for file in &files {
        for _ in 0..MUTATIONS {
            let mut bytes = file.clone();
            for _ in 0..=random.below(4) {
                mutate(&mut bytes, &mut random);
            }
            check(&bytes);
        }
    }
    assert_peak();
    testkit::check_peak_memory(MAX_MEMORY_MIB);
}

#[test]
#[ignore = "writes fuzz/corpus"]
fn regenerate_corpus() {
    std::fs::create_dir_all(corpus()).unwrap();
    for (name, bytes) in seeds().into_iter().chain(hostile()) {
        std::fs::write(corpus().join(name), bytes).unwrap();
    }
}

/// Checks the most memory that this program has taken, where the system tells it.
fn assert_peak() {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak_kib: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak_kib / 1024 < MAX_PEAK_MIB, "{peak_kib} KiB");
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    // Most of a TIFF's meaning stands in its first bytes.
    let reach = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(300) };
    let at = random.below(reach);
    match random.below(6) {
        _ if bytes.is_empty() => bytes.push(random.next() as u8),
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = [0, 1, 2, 3, 127, 128, 255][random.below(7)],
        2 => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        4 => bytes.insert(at, random.next() as u8),
        _ => drop(bytes.remove(at)),
    }
}
