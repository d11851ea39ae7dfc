//! Files that are not what they should be, as `mapjudge info` and `traj` read them: logs of another program, cut and
//! damaged files, images that lose, rows of the wrong width, and GeoTIFF with values that mean "no data".

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use testkit::skip;

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mapjudge")).args(arguments).current_dir(folder).output().unwrap()
}

/// What `info` says about a file.
fn info(name: &str, folder: &Path) -> Value {
    let output = run(&["info", name, "--format", "json"], folder);
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
    report["files"][0].clone()
}

fn has(file: &Value, code: &str) -> bool {
    file["findings"].as_array().unwrap().iter().any(|finding| finding["code"] == code)
}

/// A CARMEN log of so many scans.
fn carmen(scans: usize) -> String {
    let mut text = String::from("PARAM robot_frontlaser_offset 0.08\nPARAM laser_front_laser_resolution 1\n");
    for scan in 0..scans {
        let ranges: String = (0..181).fold(String::new(), |mut ranges, beam| {
            write!(ranges, "{:.3} ", 2.0 + 0.001 * ((scan * 181 + beam) % 997) as f64).unwrap();
            ranges
        });
        let x = 0.05 * scan as f64;
        writeln!(text, "FLASER 181 {ranges}{x} 0 0 {x} 0 0 {scan}.0 host {scan}.0").unwrap();
    }
    text
}

#[test]
fn a_particle_log_that_begins_with_parameters_is_no_carmen_log() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("PARAM laserMaxRange 80\nPARAM particles 2\n");
    for step in 0..5 {
        let x = 0.5 * f64::from(step);
        writeln!(text, "ODOM {x} 0 0 {step}.0").unwrap();
        writeln!(text, "LASER_READING 3 1.0 1.0 1.0 {x} 0 0 {step}.0").unwrap();
        writeln!(text, "SM_UPDATE 2 {x} 0 0 -1.0 {x} 9 0 -5.0").unwrap();
    }
    std::fs::write(folder.path().join("run.log"), &text).unwrap();
    let file = info("run.log", folder.path());
    assert_eq!((&file["format"], &file["counts"]["poses"]), (&"gmapping_gfs".into(), &5.into()), "{file}");
    std::fs::write(folder.path().join("carmen.log"), carmen(2)).unwrap();
    assert_eq!(info("carmen.log", folder.path())["format"], "carmen");
}

#[test]
fn a_cut_packed_log_is_read_up_to_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("run.log"), carmen(400)).unwrap();
    let packed = Command::new("gzip").args(["-k", "run.log"]).current_dir(folder.path()).status();
    if !packed.is_ok_and(|status| status.success()) {
        return skip("gzip is not installed");
    }
    let bytes = std::fs::read(at("run.log.gz")).unwrap();
    std::fs::write(at("cut.log.gz"), &bytes[..bytes.len() * 3 / 4]).unwrap();
    let file = info("cut.log.gz", folder.path());
    let scans = file["counts"]["scans"].as_u64().unwrap();
    assert!((200..400).contains(&scans) && has(&file, "PACKED_DATA_DAMAGED"), "{file}");
    assert!(!has(&file, "RECORD_DAMAGED"), "the line in which the cut lies is left out: {file}");
    // A map is not worth anything up to a cut.
    let map = format!("P5\n400 400\n255\n{}", "\u{7f}".repeat(160_000));
    std::fs::write(at("map.pgm"), map).unwrap();
    assert!(Command::new("gzip").arg("map.pgm").current_dir(folder.path()).status().unwrap().success());
    let bytes = std::fs::read(at("map.pgm.gz")).unwrap();
    std::fs::write(at("map.pgm.gz"), &bytes[..bytes.len() - 9]).unwrap();
    let refused = run(&["info", "map.pgm.gz"], folder.path());
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("gzip"));
}

#[test]
fn a_damaged_bag_is_read_up_to_the_damage() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("run.log"), carmen(300)).unwrap();
    let made = run(&["convert", "run.log", "run.mcap", "--lossy"], folder.path());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let whole = info("run.mcap", folder.path());
    let messages = |file: &Value| file["counts"]["messages"].as_u64().unwrap();
    let mut bytes = std::fs::read(at("run.mcap")).unwrap();
    // The last tenth of the messages becomes nonsense: records of kind 0.
    let (from, to) = (bytes.len() * 8 / 10, bytes.len() * 9 / 10);
    bytes[from..to].fill(0);
    std::fs::write(at("damaged.mcap"), bytes).unwrap();
    let file = info("damaged.mcap", folder.path());
    assert!(messages(&file) > 0 && messages(&file) < messages(&whole), "{file}");
    let codes = ["BAG_DAMAGED", "BAG_CUT_OFF"];
    assert!(codes.iter().any(|code| has(&file, code)), "{file}");
}

/// 16 x 8 pixels, the left half black, the right half of grey 254; written by GDAL.
const JPEG: &str = "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706080c0\
    a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc0000b080008001001011100ffc4001500010100000000\
    00000000000000000000090affc40014100100000000000000000000000000000000ffda0008010100003f002a954affd9";

#[test]
fn a_jpeg_is_a_map_that_has_lost_something() {
    let folder = tempfile::tempdir().unwrap();
    let byte = |at: usize| u8::from_str_radix(&JPEG[at..at + 2], 16).unwrap();
    let bytes: Vec<u8> = (0..JPEG.len() / 2).map(|index| byte(2 * index)).collect();
    std::fs::write(folder.path().join("map.jpg"), &bytes).unwrap();
    std::fs::write(folder.path().join("map.jgw"), "0.05\n0\n0\n-0.05\n0.025\n0.375\n").unwrap();
    let file = info("map.jpg", folder.path());
    assert_eq!((&file["format"], &file["width"], &file["height"]), (&"jpeg".into(), &16.into(), &8.into()));
    assert_eq!(file["layers"][0]["cells"], serde_json::json!({"free": 64, "occupied": 64, "unknown": 0}));
    assert!(has(&file, "IMAGE_IS_LOSSY") && (file["cell_size_m"].as_f64().unwrap() - 0.05).abs() < 1e-9);
}

#[test]
fn rows_of_the_wrong_width_are_no_text_grid() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("truth.tum", "0 0 0 0 0 0 0 1\n1 1 0 0 0 0 0 1\n");
    write("seven.txt", "100 1 2 0 0 0 1\n101 2 2 0 0 0 1\n");
    write("empty.txt", "");
    let said = |name: &str| {
        let output = run(&["traj", name, "--truth", "truth.tum"], folder.path());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let seven = said("seven.txt");
    assert!(seven.contains("7 numbers") && seven.contains("t x y z qx qy qz qw"), "{seven}");
    let empty = said("empty.txt");
    assert!(empty.contains("an empty file") && empty.contains("trajectory"), "{empty}");
}

/// An uncompressed TIFF of bytes with a place: (width, height), photometric interpretation, samples per pixel, size of a
/// pixel, value of tag 42113.
fn tiff(
    (width, height): (u32, u32),
    (photometric, samples): (u32, u32),
    pixel_m: (f64, f64),
    nodata: Option<&str>,
    pixels: &[u8],
) -> Vec<u8> {
    const SHORT: u16 = 3;
    const LONG: u16 = 4;
    let reals = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let bits: Vec<u8> = (0..samples).flat_map(|_| 8_u16.to_le_bytes()).collect();
    let mut entries: Vec<(u16, u16, u32, Vec<u8>)> = vec![
        (256, LONG, 1, width.to_le_bytes().to_vec()),
        (257, LONG, 1, height.to_le_bytes().to_vec()),
        (258, SHORT, samples, bits),
        (259, SHORT, 1, vec![1, 0, 0, 0]),
        (262, SHORT, 1, photometric.to_le_bytes().to_vec()),
        (273, LONG, 1, 8_u32.to_le_bytes().to_vec()),
        (277, SHORT, 1, samples.to_le_bytes().to_vec()),
        (278, LONG, 1, height.to_le_bytes().to_vec()),
        (279, LONG, 1, (pixels.len() as u32).to_le_bytes().to_vec()),
    ];
    if samples == 4 || samples == 2 {
        entries.push((338, SHORT, 1, vec![2, 0, 0, 0]));
    }
    entries.push((33550, 12, 3, reals(&[pixel_m.0, pixel_m.1, 0.0])));
    entries.push((33922, 12, 6, reals(&[0.0, 0.0, 0.0, 10.0, 20.0, 0.0])));
    if let Some(nodata) = nodata {
        entries.push((42113, 2, nodata.len() as u32 + 1, [nodata.as_bytes(), &[0]].concat()));
    }
    let padded = pixels.len().next_multiple_of(2);
    let table_at = 8 + padded;
    let mut data_at = table_at + 2 + 12 * entries.len() + 4;
    let mut table = (entries.len() as u16).to_le_bytes().to_vec();
    let mut data = Vec::new();
    for (tag, kind, count, mut value) in entries {
        table.extend(tag.to_le_bytes());
        table.extend(kind.to_le_bytes());
        table.extend(count.to_le_bytes());
        if value.len() <= 4 {
            value.resize(4, 0);
            table.extend(value);
        } else {
            table.extend((data_at as u32).to_le_bytes());
            value.resize(value.len().next_multiple_of(2), 0);
            data_at += value.len();
            data.extend(value);
        }
    }
    table.extend([0; 4]);
    let mut file = b"II\x2a\0".to_vec();
    file.extend((table_at as u32).to_le_bytes());
    file.extend(pixels);
    file.resize(table_at, 0);
    [file, table, data].concat()
}

/// Free, occupied and unknown cells.
fn cells(file: &Value) -> (u64, u64, u64) {
    let count = |name: &str| file["layers"][0]["cells"][name].as_u64().unwrap();
    (count("free"), count("occupied"), count("unknown"))
}

/// The share of valid pixels of the first band as GDAL counts them, percent; none without GDAL.
fn valid_percent(name: &str, folder: &Path) -> Option<f64> {
    let mut gdalinfo = Command::new("gdalinfo");
    gdalinfo.args(["-stats", "--config", "GDAL_PAM_ENABLED", "NO", name]).current_dir(folder);
    let output = gdalinfo.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let value = text.lines().find_map(|line| line.trim().strip_prefix("STATISTICS_VALID_PERCENT="))?;
    value.parse().ok()
}

/// Of ten pixels six hold data: 3 free and 3 occupied ones in grey, however white and black are numbered.
#[test]
fn no_data_is_compared_as_it_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.path().join(name), bytes).unwrap();
    let grey = [0, 0, 0, 254, 254, 254, 255, 255, 255, 255];
    let inverted = grey.map(|grey| 255 - grey);
    let size = (5, 2);
    let square = (0.05, 0.05);
    write("black_is_zero.tif", tiff(size, (1, 1), square, Some("255"), &grey));
    // White is zero: free cells hold 1, and the no-data value is 0, which inverted is the white of free cells.
    write("white_is_zero.tif", tiff(size, (0, 1), square, Some("0"), &inverted));
    let rgb: Vec<u8> = grey.iter().flat_map(|&grey| [grey; 3]).collect();
    write("rgb.tif", tiff(size, (2, 3), square, Some("255"), &rgb));
    let rgba: Vec<u8> = grey
        .iter()
        .flat_map(|&g| [if g == 255 { 0 } else { g }; 3].into_iter().chain([u8::from(g != 255) * 255]))
        .collect();
    write("rgba.tif", tiff(size, (2, 4), square, None, &rgba));
    for (name, code) in [
        ("black_is_zero.tif", "NODATA_IS_UNKNOWN"),
        ("white_is_zero.tif", "NODATA_IS_UNKNOWN"),
        ("rgb.tif", "NODATA_IS_UNKNOWN"),
        ("rgba.tif", "TRANSPARENT_IS_UNKNOWN"),
    ] {
        let file = info(name, folder.path());
        assert_eq!(cells(&file), (3, 3, 4), "{name}: {file}");
        assert!(has(&file, code), "{name}: {file}");
        if name != "rgba.tif"
            && let Some(percent) = valid_percent(name, folder.path())
        {
            assert!((percent - 60.0).abs() < 1e-6, "{name}: GDAL counts {percent} % valid");
        }
    }
    // A pixel of which one colour only has the value holds data.
    write("red.tif", tiff((2, 1), (2, 3), square, Some("255"), &[255, 0, 0, 255, 255, 255]));
    assert_eq!(cells(&info("red.tif", folder.path())).2, 1);
}

#[test]
fn oblong_pixels_are_described_with_the_size_that_belongs_to_their_transform() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = tiff((4, 2), (1, 1), (0.1, 0.05), None, &[0, 254, 254, 254, 254, 254, 254, 0]);
    std::fs::write(folder.path().join("oblong.tif"), bytes).unwrap();
    let file = info("oblong.tif", folder.path());
    assert_eq!((&file["width"], &file["height"], &file["cell_size_m"]), (&8.into(), &2.into(), &0.05.into()));
    let close = |found: &Value, expected: [f64; 6]| {
        let found: Vec<f64> =
            found.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    };
    close(&file["geotransform"], [10.0, 0.05, 0.0, 20.0, 0.0, -0.05]);
    close(&file["pixel_geotransform"], [10.0, 0.1, 0.0, 20.0, 0.0, -0.05]);
    assert_eq!((&file["layers"][0]["width"], &file["layers"][0]["height"]), (&4.into(), &2.into()));
    let text = String::from_utf8_lossy(&run(&["info", "oblong.tif"], folder.path()).stdout).into_owned();
    assert!(
        text.contains("8 x 2 cells of 0.05 m") && text.contains("4 x 2 pixels of 0.1 m x 0.05 m"),
        "{text}"
    );
}
