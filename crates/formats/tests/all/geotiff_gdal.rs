//! GeoTIFF against GDAL: what GDAL reads, we read the same; what we write, GDAL reads right.
//!
//! Skipped with a message where `gdalinfo` or the data are not there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use mapjudge_formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, GeoTiffPage, GeoTiffPixels, NamedBytes, ReadError,
    read_geotiff_pages, write_geotiff,
};
use model::{GridGeometry, Pose2};
use serde_json::Value;

/// Files that GDAL opens and we refuse, with the reason that must stand in the message.
const REFUSED: [(&str, &str); 6] = [
    // GDAL opens the headers; the pixels cannot be read there either.
    ("corrupted_gtiff_tags.tif", "complete strip or tile"),
    ("byte_truncated.tif", "complete strip or tile"),
    ("tiled_bad_offset.tif", "complete strip or tile"),
    // Warped images and shared chroma are outside F-TIF.
    ("austrian_capitals_model_tie_points_pixel_is_area.tif", "4 tie points"),
    ("austrian_capitals_model_tie_points_pixel_is_point.tif", "4 tie points"),
    ("ycbcr_44_lzw.tif", "YCbCr"),
];

pub fn has_gdal() -> bool {
    let found = Command::new("gdalinfo").arg("--version").output().is_ok();
    if !found {
        testkit::skip("gdalinfo is absent (Debian: gdal-bin)");
    }
    found
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn gdalinfo(name: &str) -> Value {
    serde_json::from_str(&run("gdalinfo", &["-json", name])).unwrap()
}

/// Size, transform and interleaved pixels as GDAL sees them; palettes as colours.
pub struct Seen {
    size: (usize, usize),
    pub transform: Option<[f64; 6]>,
    bytes: Vec<u8>,
}

pub fn seen_by_gdal(path: &str, folder: &Path) -> Seen {
    let info = gdalinfo(path);
    let side = |index: usize| info["size"][index].as_u64().unwrap() as usize;
    let transform = info["geoTransform"].as_array().map(|numbers| {
        let numbers: Vec<f64> = numbers.iter().map(|number| number.as_f64().unwrap()).collect();
        <[f64; 6]>::try_from(numbers).unwrap()
    });
    let raw = folder.join("raw");
    let mut arguments = vec!["-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP"];
    if info["bands"][0]["colorInterpretation"] == "Palette" && !is_white_zero(path) {
        arguments.extend(["-expand", "rgb"]);
    }
    arguments.extend([path, raw.to_str().unwrap()]);
    run("gdal_translate", &arguments);
    let mut bytes = std::fs::read(&raw).unwrap();
    if is_white_zero(path) {
        bytes.iter_mut().for_each(|byte| *byte = 255 - *byte);
    }
    // A raw file of a single byte is padded to two.
    if size_of_raw(&info) == 1 {
        bytes.truncate(1);
    }
    Seen { size: (side(0), side(1)), transform, bytes }
}

/// True for the files of the set whose 8-bit zero is white: GDAL gives their samples as stored, and takes the
/// colour map of black alone that stands beside them for a palette.
fn is_white_zero(path: &str) -> bool {
    path.contains("austrian_capitals")
}

/// Bytes of a raw file of unexpanded 8-bit samples.
fn size_of_raw(info: &Value) -> u64 {
    let is_byte = info["bands"][0]["type"] == "Byte" && info["bands"][0]["colorInterpretation"] != "Palette";
    let bands = info["bands"].as_array().unwrap().len() as u64;
    if is_byte { bands * info["size"][0].as_u64().unwrap() * info["size"][1].as_u64().unwrap() } else { 0 }
}

pub fn pages(path: &Path) -> Result<Vec<GeoTiffPage>, ReadError> {
    let bytes = std::fs::read(path).unwrap();
    read_geotiff_pages(NamedBytes { name: &path.display().to_string(), bytes: &bytes })
}

/// The pixels as GDAL stores them in memory: `expected_bytes` tells whether reals are of 4 bytes.
fn bytes_of(pixels: &GeoTiffPixels, expected_bytes: usize) -> Vec<u8> {
    match pixels {
        GeoTiffPixels::Grey8(greys) if expected_bytes == 3 * greys.len() => {
            greys.iter().flat_map(|&grey| [grey; 3]).collect()
        }
        GeoTiffPixels::Grey8(samples)
        | GeoTiffPixels::GreyAlpha8(samples)
        | GeoTiffPixels::Rgb8(samples)
        | GeoTiffPixels::Rgba8(samples) => samples.clone(),
        GeoTiffPixels::Grey16(samples) => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
        GeoTiffPixels::Signed16(samples) => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
        GeoTiffPixels::Float(samples) if expected_bytes == 4 * samples.len() => {
            samples.iter().flat_map(|&sample| (sample as f32).to_le_bytes()).collect()
        }
        GeoTiffPixels::Float(samples) => samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
        other => panic!("{other:?}"),
    }
}

pub fn assert_same(name: &str, page: &GeoTiffPage, seen: &Seen) {
    assert_eq!((page.width, page.height), seen.size, "{name}");
    match (page.geotransform, seen.transform) {
        (None, found) => {
            assert!(matches!(found, None | Some([0.0, 1.0, 0.0, 0.0, 0.0, 1.0])), "{name}: {found:?}");
        }
        (Some(ours), Some(theirs)) => {
            let is_close = |(a, b): (f64, f64)| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
            assert!(ours.into_iter().zip(theirs).all(is_close), "{name}: {ours:?}, GDAL {theirs:?}");
        }
        (ours, theirs) => panic!("{name}: {ours:?}, GDAL {theirs:?}"),
    }
    let ours = bytes_of(&page.pixels, seen.bytes.len());
    assert_eq!(ours.len(), seen.bytes.len(), "{name}: {}", page.pixels.kind());
    let different = ours.iter().zip(&seen.bytes).filter(|(a, b)| a != b).count();
    assert_eq!(different, 0, "{name}: {different} of {} bytes differ", ours.len());
}

fn data_files() -> Vec<PathBuf> {
    let Some(data) = testkit::shared_data("geotiff") else { return Vec::new() };
    let folders = ["gdal-autotest", "georust"].map(|folder| data.join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "tif"));
    files.sort();
    assert!(files.len() >= 44, "{} files", files.len());
    files
}

#[test]
fn every_file_of_the_set_reads_as_gdal_reads_it_or_is_refused_with_a_reason() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for path in data_files() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let start = Instant::now();
        let read = pages(&path);
        assert!(start.elapsed().as_secs_f64() < 1.0, "{name}: {:?}", start.elapsed());
        if let Some((_, reason)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
            let error = read.unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            continue;
        }
        let pages = read.unwrap_or_else(|error| panic!("{error}"));
        let mut seen = seen_by_gdal(path.to_str().unwrap(), folder.path());
        if name.contains("JPEG") {
            forgive_rounding(&pages[0], &mut seen);
        }
        assert_same(name, &pages[0], &seen);
    }
}

/// Two JPEG decoders may round a sample differently; the standard allows a difference of one.
fn forgive_rounding(page: &GeoTiffPage, seen: &mut Seen) {
    let ours = bytes_of(&page.pixels, seen.bytes.len());
    for (theirs, ours) in seen.bytes.iter_mut().zip(ours).filter(|(theirs, ours)| theirs.abs_diff(*ours) == 1)
    {
        *theirs = ours;
    }
}

#[test]
fn the_half_pixel_pair_lies_half_a_pixel_apart() {
    let Some(data) = testkit::shared_data("geotiff") else { return };
    let read = |name: &str| pages(&data.join("gdal-autotest").join(name)).unwrap().remove(0);
    let (area, point) = (read("byte.tif"), read("byte_point.tif"));
    assert_eq!(area.geotransform, Some([440_720.0, 60.0, 0.0, 3_751_320.0, 0.0, -60.0]));
    assert_eq!(point.geotransform, Some([440_690.0, 60.0, 0.0, 3_751_350.0, 0.0, -60.0]));
    assert_eq!((area.crs.as_deref(), point.crs.as_deref()), (Some("EPSG:26711"), Some("EPSG:32611")));
    assert_eq!(area.pixels, point.pixels);
}

pub const WIDTH: usize = 83;
pub const HEIGHT: usize = 61;

pub fn geometry() -> GridGeometry {
    GridGeometry::new(WIDTH, HEIGHT, 0.05, Pose2::new(-3.25, 7.1, 0.0)).unwrap()
}

/// Samples with runs and noise, none of them a navigation colour.
fn samples(count: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let next = |index: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if index % 97 < 60 { 205 } else { (state >> 24) as u8 }
    };
    (0..count).map(next).collect()
}

fn written(folder: &Path, name: &str, pixels: GeoTiffLayerPixels<'_>) -> String {
    let layer = GeoTiffLayer { name, pixels };
    let bytes = write_geotiff(&geometry(), &GeoTiffFrame::Local("arena".to_owned()), &[layer]).unwrap();
    let path = folder.join(format!("{name}.tif"));
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Ways in which GDAL can store an image: each compression, layout, order and predictor at least once.
const STORAGE: [&str; 12] = [
    "COMPRESS=NONE TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16",
    "COMPRESS=NONE ENDIANNESS=BIG BLOCKYSIZE=7",
    "COMPRESS=PACKBITS",
    "COMPRESS=PACKBITS INTERLEAVE=BAND BLOCKYSIZE=1000",
    "COMPRESS=LZW BIGTIFF=YES",
    "COMPRESS=LZW PREDICTOR=2 TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16",
    "COMPRESS=LZW INTERLEAVE=BAND ENDIANNESS=BIG PREDICTOR=2",
    "COMPRESS=DEFLATE BLOCKYSIZE=1000",
    "COMPRESS=DEFLATE INTERLEAVE=BAND TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16",
    "COMPRESS=DEFLATE PREDICTOR=2 ENDIANNESS=BIG",
    "COMPRESS=ZSTD INTERLEAVE=BAND BIGTIFF=YES ENDIANNESS=BIG",
    "COMPRESS=ZSTD PREDICTOR=3 TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=16",
];

#[test]
fn storage_variants_made_by_gdal_hold_the_same_pixels() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (greys, colours) = (samples(WIDTH * HEIGHT), samples(3 * WIDTH * HEIGHT));
    let reals: Vec<f32> = greys.iter().map(|&grey| f32::from(grey) / 255.0).collect();
    let grey = written(folder.path(), "grey", GeoTiffLayerPixels::Grey8(&greys));
    let rgb = written(folder.path(), "rgb", GeoTiffLayerPixels::Rgb8(&colours));
    let real = written(folder.path(), "real", GeoTiffLayerPixels::Probability(&reals));
    for (base, base_options) in [
        (&grey, "-ot Byte"),
        (&grey, "-ot UInt16 -scale 0 255 0 65535"),
        (&grey, "-ot Int16"),
        (&rgb, "-ot Byte"),
        (&rgb, "-b 1 -b 2 -b 3 -b 1 -colorinterp red,green,blue,alpha"),
        (&real, "-ot Float32"),
        (&real, "-ot Float64"),
    ] {
        let converted = |creation: &str, name: &str| {
            let made = folder.path().join(name);
            let made = made.to_str().unwrap().to_owned();
            let mut arguments = vec!["-q"];
            arguments.extend(base_options.split(' '));
            arguments.extend(creation.split(' ').flat_map(|option| ["-co", option]));
            arguments.extend([base, made.as_str()]);
            run("gdal_translate", &arguments);
            made
        };
        let plain = converted("COMPRESS=NONE", "plain.tif");
        let seen = seen_by_gdal(&plain, folder.path());
        for storage in STORAGE {
            let is_unfit = storage.contains("PREDICTOR=3") && base != &real
                || storage.contains("PREDICTOR=2") && base_options.contains("Float64");
            if is_unfit {
                continue;
            }
            let made = converted(storage, "made.tif");
            let name = format!("{base_options} {storage}");
            let page = pages(Path::new(&made)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_same(&name, &page[0], &seen);
        }
    }
}

#[test]
fn bits_palettes_fax_and_jpeg_made_by_gdal_hold_the_same_pixels() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bits: Vec<u8> = samples(WIDTH * HEIGHT).iter().map(|&sample| u8::from(sample > 128)).collect();
    let grey = written(folder.path(), "bits", GeoTiffLayerPixels::Grey8(&bits));
    let rgb: Vec<u8> = samples(WIDTH * HEIGHT).iter().flat_map(|&s| [s / 64 * 80 + 5, 9, s]).collect();
    let rgb = written(folder.path(), "colours", GeoTiffLayerPixels::Rgb8(&rgb));
    let palette = folder.path().join("palette.tif");
    let palette = palette.to_str().unwrap();
    run("rgb2pct.py", &[&rgb, palette]);
    let made = folder.path().join("made.tif");
    let made = made.to_str().unwrap();
    for (base, options) in [
        (grey.as_str(), "NBITS=1"),
        (&grey, "NBITS=1 PHOTOMETRIC=MINISWHITE"),
        (&grey, "NBITS=1 COMPRESS=CCITTFAX4"),
        (&grey, "NBITS=1 COMPRESS=CCITTFAX4 PHOTOMETRIC=MINISWHITE BLOCKYSIZE=10"),
        (&grey, "NBITS=1 COMPRESS=DEFLATE TILED=YES BLOCKXSIZE=16 BLOCKYSIZE=16"),
        (palette, ""),
        (palette, "COMPRESS=LZW TILED=YES BLOCKXSIZE=64 BLOCKYSIZE=64"),
        (palette, "COMPRESS=DEFLATE PREDICTOR=2"),
        (palette, "NBITS=4"),
    ] {
        let mut arguments: Vec<&str> = vec!["-q"];
        arguments.extend(options.split(' ').filter(|o| !o.is_empty()).flat_map(|option| ["-co", option]));
        arguments.extend([base, made]);
        if options == "NBITS=4" {
            run("rgb2pct.py", &["-n", "16", &rgb, palette]);
        }
        run("gdal_translate", &arguments);
        let page = pages(Path::new(made)).unwrap_or_else(|error| panic!("{options}: {error}"));
        assert_same(options, &page[0], &seen_by_gdal(made, folder.path()));
    }
}

#[test]
fn lossy_jpeg_differs_from_gdal_by_rounding_only() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let smooth: Vec<u8> = (0..WIDTH * HEIGHT).map(|i| (i % WIDTH * 2 + i / WIDTH) as u8).collect();
    let colours: Vec<u8> = smooth.iter().flat_map(|&s| [s, 255 - s, s / 2 + 40]).collect();
    let grey = written(folder.path(), "smooth", GeoTiffLayerPixels::Grey8(&smooth));
    let rgb = written(folder.path(), "colours", GeoTiffLayerPixels::Rgb8(&colours));
    let made = folder.path().join("made.tif");
    let made = made.to_str().unwrap();
    for (base, options, tolerance) in [
        (&grey, "COMPRESS=JPEG", 1),
        (&grey, "COMPRESS=JPEG TILED=YES BLOCKXSIZE=32 BLOCKYSIZE=32", 1),
        (&rgb, "COMPRESS=JPEG", 1),
        (&rgb, "COMPRESS=JPEG INTERLEAVE=BAND", 1),
        // Chroma of four pixels is spread in different ways.
        (&rgb, "COMPRESS=JPEG PHOTOMETRIC=YCBCR", 16),
    ] {
        let mut arguments: Vec<&str> = vec!["-q"];
        arguments.extend(options.split(' ').flat_map(|option| ["-co", option]));
        arguments.extend([base.as_str(), made]);
        run("gdal_translate", &arguments);
        let page = pages(Path::new(made)).unwrap_or_else(|error| panic!("{options}: {error}")).remove(0);
        let seen = seen_by_gdal(made, folder.path());
        let ours = bytes_of(&page.pixels, seen.bytes.len());
        assert_eq!(ours.len(), seen.bytes.len(), "{options}");
        let worst = ours.iter().zip(&seen.bytes).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst <= Some(tolerance), "{options}: {worst:?}");
    }
}
