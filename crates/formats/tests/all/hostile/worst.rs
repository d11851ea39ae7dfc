//! The worst file of some length that we know how to make of each format: as many cells, records or messages as fit.
//!
//! A small one of each is read in every test run. `MAPJUDGE_WORST=FOLDER` writes those of 64 MB there, for
//! `conformance/worst_files.py`, which runs the program on each and measures its memory and its time.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use mapjudge_formats::Encoding;
use model::Pose3;
use testkit::Random;

use super::bombs::tiff_of_strip;
use super::{readers, selectors};
use crate::Files;
use crate::bag_writers::{Recording, db3, grid_message, mcap, pose_message, ros1_bag};

/// Length of the files that are written for the script.
const WHOLE_BYTES: usize = 64 << 20;
/// Longest sides of maps that the default memory limit allows: one byte per cell, two and four while they are read.
const MAX_SIDE: usize = 22_000;
const MAX_SIDE_GEOTIFF: usize = 16_300;
const MAX_SIDE_BMP: usize = 11_500;
const WORLD: &[u8] = b"0.05\n0\n0\n-0.05\n0\n800\n";
/// Formats that are refused at once above some length: the longest file that is read is made too.
const SHORT: [(&str, usize); 5] = [
    ("detection_csv", 32 << 20),
    ("fiducial_layout", 1 << 20),
    ("geojson", 8 << 20),
    ("mif", 16 << 20),
    ("point_list", 12 << 20),
];

/// Text of a head and as many numbered rows as fit.
fn rows(bytes: usize, head: &str, row: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = head.to_owned();
    for number in 0.. {
        let row = row(number);
        if text.len() + row.len() > bytes {
            break;
        }
        text.push_str(&row);
    }
    text.into_bytes()
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = Random(2009);
    (0..length.div_ceil(8)).flat_map(|_| random.next().to_le_bytes()).take(length).collect()
}

/// Side of a square of so many cells.
fn side(cells: usize) -> usize {
    (cells as f64).sqrt() as usize
}

/// One bit per pixel, of noise, which nothing compresses.
fn png(bytes: usize) -> Vec<u8> {
    let side = side(bytes * 8).min(MAX_SIDE) as u32;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::NoCompression);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&noise(side.div_ceil(8) as usize * side as usize)).unwrap();
    writer.finish().unwrap();
    file
}

fn pgm(bytes: usize) -> Vec<u8> {
    let side = side(bytes);
    let pixel = |byte: u8| [0, 205, 254, 254][usize::from(byte & 3)];
    let mut file = format!("P5 {side} {side} 255\n").into_bytes();
    file.extend(noise(side * side).into_iter().map(pixel));
    file
}

/// One bit per pixel.
fn bmp(bytes: usize) -> Vec<u8> {
    let side = side(bytes * 8).min(MAX_SIDE_BMP);
    let row_bytes = side.div_ceil(32) * 4;
    let pixels = noise(row_bytes * side);
    let mut file = b"BM".to_vec();
    let head = 14 + 40 + 8;
    for word in [head + pixels.len(), 0, head, 40, side, side] {
        file.extend((word as u32).to_le_bytes());
    }
    file.extend([1, 0, 1, 0]);
    for word in [0, pixels.len(), 0, 0, 2, 0] {
        file.extend((word as u32).to_le_bytes());
    }
    file.extend([0, 0, 0, 0, 255, 255, 255, 0]);
    file.extend(pixels);
    file
}

/// Two bits per block of 64 pixels: no change of the mean, and the end of the block.
fn jpeg(bytes: usize) -> Vec<u8> {
    let side = (side(bytes * 4) * 8).min(MAX_SIDE_BMP) / 16 * 16;
    let [high, low] = (side as u16).to_be_bytes();
    let one_code = |class: u8| [&[0xff, 0xc4, 0, 20, class, 1][..], &[0; 16]].concat();
    let mut file = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
    file.extend([1; 64]);
    file.extend([0xff, 0xc0, 0, 11, 8, high, low, high, low, 1, 1, 0x11, 0]);
    file.extend(one_code(0x00));
    file.extend(one_code(0x10));
    file.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    file.extend(vec![0; (side / 8) * (side / 8) / 4]);
    file.extend([0xff, 0xd9]);
    file
}

/// Noise that repeats, so that far more cells than bytes come out of the strip.
fn geotiff(bytes: usize) -> Vec<u8> {
    let side = side(bytes * 8).min(MAX_SIDE_GEOTIFF);
    let letters = noise(1024);
    let row: Vec<u8> = letters
        .into_iter()
        .cycle()
        .take(side)
        .map(|byte| [0, 205, 254, 254][usize::from(byte & 3)])
        .collect();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    (0..side).for_each(|_| encoder.write_all(&row).unwrap());
    tiff_of_strip(side as u32, &encoder.finish().unwrap())
}

fn text_grid(bytes: usize) -> Vec<u8> {
    let side = side(bytes) - 1;
    let letters: Vec<u8> =
        noise(side * side).into_iter().map(|byte| b"#.?."[usize::from(byte & 3)]).collect();
    letters.chunks(side).flat_map(|row| row.iter().copied().chain([b'\n'])).collect()
}

fn ros_yaml() -> Vec<u8> {
    b"image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
        .to_vec()
}

/// Many short messages of one topic.
fn poses(bytes: usize, encoding: Encoding) -> Recording {
    let one = |number: usize| {
        let pose = Pose3::new([number as f64 * 0.01, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]).unwrap();
        pose_message(encoding, number as f64 * 0.01, pose, 0)
    };
    // Containers add about as much to each message again.
    let count = bytes / (one(0).len() + 80);
    let messages: Vec<Vec<u8>> = (0..count).map(one).collect();
    Recording::of_topic("/pose", "geometry_msgs/PoseStamped", &messages)
}

/// A map of one message.
fn map_message(bytes: usize) -> Recording {
    let side = side(bytes);
    let letters: Vec<String> = text_grid(bytes)
        .chunks(side)
        .map(|row| String::from_utf8_lossy(&row[..side - 1]).into_owned())
        .collect();
    let message = grid_message(Encoding::Cdr, &testkit::grid(letters));
    Recording::of_topic("/map", "nav_msgs/OccupancyGrid", &[message])
}

fn bag_folder(bytes: usize) -> Files {
    let yaml = "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths: [file.mcap]\n";
    vec![("metadata.yaml", yaml.into()), ("file.mcap", mcap(&poses(bytes, Encoding::Cdr), ""))]
}

fn geojson_points(bytes: usize) -> Vec<u8> {
    let feature = |x: usize| {
        let comma = if x == 0 { "" } else { "," };
        let geometry = format!("{{\"type\":\"Point\",\"coordinates\":[{x},1]}}");
        format!("{comma}{{\"type\":\"Feature\",\"properties\":{{\"ID\":\"v{x}\"}},\"geometry\":{geometry}}}")
    };
    let mut text = rows(bytes - 2, "{\"type\":\"FeatureCollection\",\"features\":[", feature);
    text.extend(b"]}");
    text
}

fn geojson_line(bytes: usize) -> Vec<u8> {
    let head = "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[0,0]";
    let mut text = rows(bytes - 3, head, |x| format!(",[{},{}]", x % 10, x % 7));
    text.extend(b"]}}");
    text
}

fn json(bytes: usize) -> Vec<u8> {
    let head = "{\"schema\":\"mapjudge.trajectory/1\",\"time_base\":\"seconds\",\"dimension\":\"planar\",\"poses\":[\
                {\"time_s\":0,\"x_m\":0,\"y_m\":0,\"theta_rad\":0}";
    let pose = |t: usize| format!(",{{\"time_s\":{},\"x_m\":{},\"y_m\":0,\"theta_rad\":0}}", t + 1, t % 9);
    let mut text = rows(bytes - 2, head, pose);
    text.extend(b"]}");
    text
}

fn scan_json(bytes: usize) -> Vec<u8> {
    let scan = |t: usize| {
        let comma = if t == 0 { "" } else { "," };
        format!("{comma}\"{t}\":{{\"range\":[1],\"theta\":0,\"x\":{},\"y\":0}}", t % 9)
    };
    let mut text = rows(bytes - 2, "{\"map\":{", scan);
    text.extend(b"}}");
    text
}

fn mif(bytes: usize) -> Files {
    let head = "Version 300\nDelimiter \",\"\nColumns 1\nID Char(9)\nData\n";
    let layer = rows(bytes * 2 / 3, head, |x| format!("Point {} {}\n", x % 97, x % 89));
    let count = layer.iter().filter(|byte| **byte == b'\n').count() - 5;
    let table = (0..count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "\"v{number}\"");
        text
    });
    vec![("victims.mif", layer), ("victims.mid", table.into_bytes())]
}

fn fiducial_layout(bytes: usize) -> Vec<u8> {
    let part = |x: usize| {
        format!(
            "[[part]]\nfiducial = 'F{x}'\npart = 'P{x}'\nx_m = {x}\ny_m = 1\nradius_m = 0.3\nopening_deg = 180\n\
             direction_deg = 0\n"
        )
    };
    rows(bytes, "", part)
}

fn detection_csv(bytes: usize) -> Vec<u8> {
    let head = "\"pois\"\n\"1.2\"\n\"T\"\n\"C\"\n\"2024-07-19\"\n\"14:30:05\"\n\"P\"\n\n\
                id,time,text,x,y,z,robot,mode,type\n";
    rows(bytes, head, |x| format!("{},14:32:10,\"L{x}\",{},1,0,\"r\",A,qr\n", x + 1, x % 97))
}

/// Objects of MRPT: a matrix in each, and one beam.
fn rawlog(bytes: usize) -> Vec<u8> {
    let seed = super::log_seeds::seeds().into_iter().find(|(name, _)| *name == "rawlog").unwrap().1;
    let one = &seed.iter().find(|(name, _)| *name == "frame_and_action").unwrap().1;
    one.repeat(bytes / one.len())
}

/// Files of a selector, in one or more kinds of bad; where a longer file is refused at once, the longest that is read too.
fn worst_of(selector: &str, bytes: usize) -> Vec<Files> {
    let mut all = worst(selector, bytes);
    let longest = SHORT.iter().find(|(name, _)| *name == selector).map(|(_, longest)| longest - 64);
    all.extend(
        longest.filter(|longest| *longest < bytes).into_iter().flat_map(|longest| worst(selector, longest)),
    );
    all
}

fn worst(selector: &str, bytes: usize) -> Vec<Files> {
    let one = |name: &'static str, content: Vec<u8>| vec![vec![(name, content)]];
    let text =
        |name: &'static str, head: &str, row: &dyn Fn(usize) -> String| one(name, rows(bytes, head, row));
    match selector {
        "png" => one("map.png", png(bytes)),
        "pgm" => one("map.pgm", pgm(bytes)),
        "bmp" | "palette" => one("map.bmp", bmp(bytes)),
        "jpeg" => one("map.jpg", jpeg(bytes)),
        "geotiff" => vec![vec![("map.tif", geotiff(bytes)), ("map.tfw", WORLD.to_vec())]],
        "text_grid" => one("map.txt", text_grid(bytes)),
        "ros_yaml" => vec![vec![("map.yaml", ros_yaml()), ("map.pgm", pgm(bytes))]],
        "world_file" => vec![vec![("map.pgm", pgm(bytes)), ("map.pgw", WORLD.to_vec())]],
        "mcap" => [poses(bytes, Encoding::Cdr), map_message(bytes)]
            .map(|recording| vec![("file.mcap", mcap(&recording, ""))])
            .into(),
        "db3" => one("file.db3", db3(&poses(bytes, Encoding::Cdr))),
        "ros1_bag" => one("file.bag", ros1_bag(&poses(bytes, Encoding::Ros1), "none")),
        "bag_folder" => vec![bag_folder(bytes)],
        "geojson" => vec![
            vec![("victims.geojson", geojson_points(bytes))],
            vec![("robot_path.geojson", geojson_line(bytes))],
        ],
        "json" => one("run.json", json(bytes)),
        "scan_json" => one("scans.json", scan_json(bytes)),
        "mif" => vec![mif(bytes)],
        "fiducial_layout" => one("fiducials.toml", fiducial_layout(bytes)),
        "detection_csv" => one("pois.csv", detection_csv(bytes)),
        "rawlog" => one("run.rawlog", rawlog(bytes)),
        "point_list" => text("truth.pts", "map\n", &|x| format!("a{x},{},1\n", x % 97)),
        "point_pairs" => {
            text("pairs.csv", "map_x_m,map_y_m,truth_x_m,truth_y_m\n", &|x| format!("{x},1,{x},1\n"))
        }
        "carmen" => vec![
            vec![("run.clf", rows(bytes, "", |t| format!("ODOM {} 0 0 0 0 0 {t} h {t}\n", t % 9)))],
            vec![("scans.clf", rows(bytes, "", |t| format!("FLASER 1 1 0 0 0 0 0 0 {t} h {t}\n")))],
        ],
        "packed" => {
            let log = rows(bytes, "", |t| format!("ODOM {} 0 0 0 0 0 {t} h {t}\n", t % 9));
            one("run.log.zst", zstd::encode_all(&log[..], 1).unwrap())
        }
        other => worst_rows(other, bytes),
    }
}

/// Formats of numbered rows.
fn worst_rows(selector: &str, bytes: usize) -> Vec<Files> {
    let text = |name: &'static str, head: &str, row: &dyn Fn(usize) -> String| {
        vec![vec![(name, rows(bytes, head, row))]]
    };
    match selector {
        "edge_list" => text("edges.txt", "", &|x| format!("{x} {} 1 0 0 400 0 0 400 0 131\n", x + 1)),
        "euroc" => text("data.csv", "#timestamp [ns],x,y,z,w,x,y,z\n", &|t| {
            format!("{},0,0,0,1,0,0,0\n", 1_403_636_580_838_555_648 + t as u64 * 1_000_000)
        }),
        "g2o" => text("graph.g2o", "", &|x| {
            format!("VERTEX_SE2 {x} {x} 0 0\nEDGE_SE2 {x} {} 1 0 0 1 0 0 1 0 1\n", x + 1)
        }),
        "gmapping_gfs" => {
            text("run.gfs", "", &|t| format!("LASER_READING 1 1 0 0 0 {t}\nSM_UPDATE 1 0 0 0 -1\n"))
        }
        "kitti" => text("00.kitti", "", &|x| format!("1 0 0 {x} 0 1 0 0 0 0 1 0\n")),
        "log_csv" => text(
            "log.csv",
            "record,time_s,sensor,x_m,y_m,theta_rad,first_rad,step_rad,max_range_m,ranges_m\n",
            &|t| format!("odometry,{t},,{},0,0,,,,\n", t % 9),
        ),
        "named_csv" => text("run.csv", "time_s,x_m,y_m,theta_rad\n", &|t| format!("{t},{},0,0\n", t % 9)),
        "pose_log" => text("run.poses", "", &|t| format!("{} 0 0 {t}\n", t % 9)),
        "relation_records" => text("run.jsonl", "", &|t| {
            format!(
                "{{\"id\":\"{t}\",\"t1\":{t},\"t2\":{},\"delta\":{{\"x_m\":1,\"y_m\":0,\"theta_rad\":0}},\
                 \"status\":\"accepted\"}}\n",
                t + 1
            )
        }),
        "relations" => text("run.relations", "", &|t| format!("{t} {} 1 0 0 0 0 0\n", t + 1)),
        "slam_csv" => {
            text("poses.csv", "timestamp_sec,slam_x,slam_y,gt_x,gt_y\n", &|t| format!("{t},1,2,3,4\n"))
        }
        "tinyslam" => text("run.dat", "", &|t| format!("{t} {}\n", vec!["7"; 706].join(" "))),
        "tum" => text("run.tum", "", &|t| format!("{t} {} 0 0 0 0 0 1\n", t % 9)),
        "usarsim" => {
            text("run.usar", "", &|t| format!("SEN {{Time {t}}} {{Type Odometry}} {{Pose {},0,0}}\n", t % 9))
        }
        other => panic!("there is no worst file of {other}: add one"),
    }
}

#[test]
fn the_worst_small_file_of_every_format_is_read() {
    for selector in selectors().filter(|selector| readers::is_reader(selector)) {
        for files in worst_of(selector, 64 << 10) {
            // A reader of two files takes both from one buffer, with a zero byte between them.
            let content: Vec<&[u8]> = files.iter().map(|(_, bytes)| bytes.as_slice()).collect();
            let content = match selector {
                "world_file" => content[1].to_vec(),
                "geotiff" => content[0].to_vec(),
                _ => content.join(&0),
            };
            let read = readers::read(selector, &content, &mapjudge_formats::ReadOptions::default());
            let is_topic_missing = matches!(selector, "mcap" | "db3" | "ros1_bag" | "bag_folder");
            assert!(is_topic_missing || read.is_ok(), "{selector}: {:?}", read.err());
        }
    }
}

#[test]
fn the_worst_files_are_written_where_a_folder_is_named() {
    let Some(folder) = std::env::var_os("MAPJUDGE_WORST").map(std::path::PathBuf::from) else {
        return testkit::skip("MAPJUDGE_WORST names no folder for files of 64 MB");
    };
    for selector in selectors().filter(|selector| readers::is_reader(selector)) {
        for (number, files) in worst_of(selector, WHOLE_BYTES).into_iter().enumerate() {
            let place = folder.join(format!("{selector}_{number}"));
            std::fs::create_dir_all(&place).unwrap();
            for (name, bytes) in files {
                std::fs::write(place.join(name), bytes).unwrap();
            }
        }
    }
}
