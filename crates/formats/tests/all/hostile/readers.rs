//! Every reader of untrusted bytes behind one function, for the tests of hostile files and for the fuzz program.
//!
//! A reader ends with a whole value, or with an error that names a file. What was read can be written again.

use mapjudge_formats::usarsim::{Frame, LiveReader, Message, ScanDirection, read_message_log_bytes};
use mapjudge_formats::{
    BadRows, Content, Document, NamedBytes, PoseColumns, ReadError, ReadOptions, Scale, WriteError,
    palette_names, read_document_bytes, read_geotiff_pages, read_map_bytes, read_point_pairs, write_carmen,
    write_detections, write_g2o, write_geojson, write_kitti, write_layout_csv, write_layout_toml, write_mif,
    write_point_list, write_pose_log, write_relations, write_tum,
};
use model::Shape;

/// The fuzz selectors, one per line; a selector is the byte '0' plus its place in the list. Behind the name of a reader
/// of this crate stands the name of the file, and that of the file whose bytes follow a zero byte.
pub const SELECTORS: &str = include_str!("../../../../../fuzz/selectors.txt");
/// Readers whose content must be the same after writing and reading it again.
const WRITTEN: [&str; 5] = ["mif", "geojson", "detection_csv", "point_list", "fiducial_layout"];
const BAGS: [&str; 4] = ["bag_folder", "ros1_bag", "mcap", "db3"];
/// Topics of the bags among the seeds, one of each type.
pub const TOPICS: [&str; 6] = ["/scan", "/odom", "/pose", "/amcl_pose", "/tf:map.base", "/map"];
/// The world file of a TIFF that has no place of its own.
const WORLD: &[u8] = b"0.5\n0\n0\n-0.5\n1\n2\n";
/// An image without a place, for world files.
const PLAIN_PGM: &[u8] = b"P5 1 1 255\n\xcd";

/// True if the selector is one of this file.
#[allow(dead_code, reason = "the fuzz program knows its selectors")]
pub fn is_reader(selector: &str) -> bool {
    selector == "world_file" || file_names(selector).is_some()
}

/// Name of the file of a reader, and of the second file.
fn file_names(selector: &str) -> Option<(&'static str, Option<&'static str>)> {
    let mut lines = SELECTORS.lines().map(str::split_whitespace);
    let mut words = lines.find_map(|mut words| (words.next() == Some(selector)).then_some(words))?;
    Some((words.next()?, words.next()))
}

/// Reads the bytes as the file of a selector.
pub fn read(selector: &str, bytes: &[u8], options: &ReadOptions) -> Result<Document, ReadError> {
    let Some((name, second)) = file_names(selector) else {
        let world = NamedBytes { name: "map.pgw", bytes };
        return read_document_bytes(NamedBytes { name: "map.pgm", bytes: PLAIN_PGM }, &[world], options);
    };
    let end = second.and_then(|_| bytes.iter().position(|byte| *byte == 0)).unwrap_or(bytes.len());
    let file = NamedBytes { name, bytes: &bytes[..end] };
    let beside = match second {
        Some(name) if end < bytes.len() => vec![NamedBytes { name, bytes: &bytes[end + 1..] }],
        None if selector == "geotiff" => vec![NamedBytes { name: "map.tfw", bytes: WORLD }],
        _ => Vec::new(),
    };
    read_document_bytes(file, &beside, options)
}

/// Reads the bytes as the file of a selector, under all options, and checks what comes back.
///
/// # Panics
/// A reader broke its promise.
pub fn check(selector: &str, bytes: &[u8]) {
    match selector {
        "usarsim" => check_messages(bytes),
        "geotiff" => {
            if let Err(error) = read_geotiff_pages(NamedBytes { name: "map.tif", bytes }) {
                assert_eq!(error.file(), Some("map.tif"));
            }
        }
        "point_pairs" => {
            if let Err(error) = read_point_pairs("pairs.csv", bytes) {
                assert_eq!(error.file(), Some("pairs.csv"));
            }
            return;
        }
        "fiducial_layout" => {
            // The name helps where the bytes do not tell TOML from CSV.
            let file = NamedBytes { name: "fiducials.csv", bytes };
            let _ = read_document_bytes(file, &[], &ReadOptions::default());
        }
        "ros1_bag" | "mcap" | "db3" => {
            let name = file_names(selector).map_or("", |(name, _)| name);
            let _ = read_map_bytes(NamedBytes { name, bytes }, &[], &ReadOptions::default());
        }
        _ => {}
    }
    for options in variants(selector) {
        match read(selector, bytes, &options) {
            Ok(document) => check_document(selector, document),
            Err(error) => {
                let file = error.file().unwrap_or_default();
                assert!(!file.is_empty() && error.to_string().starts_with(file), "{error}");
                assert!(!error.expected().is_empty() && !error.found().is_empty(), "{error}");
            }
        }
    }
}

/// The default, and nearly everything otherwise.
fn variants(selector: &str) -> Vec<ReadOptions> {
    let default = ReadOptions::default;
    match selector {
        "palette" => {
            let named = |name: &str| ReadOptions {
                palette: Some(name.to_owned()),
                pixels_per_cell: Some(3),
                palette_tolerance: Some(16),
                lenient_colours: true,
                grey_is_uncleared: true,
                ..default()
            };
            let placed = ReadOptions { resolution_m: Some(0.02), ..default() };
            palette_names().into_iter().map(named).chain([placed]).collect()
        }
        selector if BAGS.contains(&selector) => {
            let of_topic = |topic: &&str| ReadOptions { topic: Some((*topic).to_owned()), ..default() };
            TOPICS.iter().chain(&["/nowhere"]).map(of_topic).chain([default()]).collect()
        }
        selector if WRITTEN.contains(&selector) => vec![default()],
        _ => {
            let otherwise = ReadOptions {
                resolution_m: Some(0.05),
                free_thresh: Some(0.25),
                negate: Some(true),
                treat_205_as_unknown: true,
                ignore_alpha: true,
                scale: Scale::Nav2,
                pose_columns: PoseColumns::TXyTheta,
                fov_deg: Some(240.0),
                max_range_m: Some(4.0),
                usarsim_frame: Frame::Ros,
                scan_direction: ScanDirection::Clockwise,
                max_bad_share: Some(0.5),
                bad_rows: BadRows::AtMost(3),
                ..default()
            };
            vec![default(), otherwise]
        }
    }
}

/// A message log also comes line by line over a connection.
fn check_messages(bytes: &[u8]) {
    for options in variants("usarsim") {
        if let Ok(mut live) = LiveReader::new(&options) {
            bytes.split(|byte| *byte == b'\n').for_each(|line| drop(live.take(line)));
        }
    }
    let _ = read_message_log_bytes(NamedBytes { name: "run.usar", bytes }, 0.5);
    if let Ok(message) = Message::parse(bytes) {
        assert_eq!(Message::parse(message.to_string().as_bytes()).as_ref(), Ok(&message));
    }
}

fn check_document(selector: &str, document: Document) {
    match &document.content {
        Content::Raster(map) => assert_eq!(map.grid.classes().len(), map.grid.geometry().cells()),
        Content::Trajectory(trajectory) => {
            // A topic of a bag that was cut off may have lost its messages.
            assert!(BAGS.contains(&selector) || !trajectory.poses.is_empty(), "{selector}");
            let written = [write_tum(trajectory), write_kitti(trajectory), write_pose_log(trajectory)];
            assert!(written.iter().all(|text| !text.contains("NaN")), "{selector}");
        }
        Content::Log(log) => assert!(!write_carmen(log).is_empty()),
        Content::Graph(graph) => assert!(!write_g2o(graph).is_empty()),
        Content::Relations(relations) => assert!(!write_relations(relations).is_empty()),
        // Changed bytes may be those of another format, which another selector looks after.
        content if document.format == selector && WRITTEN.contains(&selector) => {
            let Ok(again) = written(selector, content) else { return };
            let label = format!("{selector}\n{}", String::from_utf8_lossy(&again));
            match read(selector, &again, &ReadOptions::default()) {
                Ok(read) => assert_eq!(as_written(read.content), as_written(document.content), "{label}"),
                Err(error) => unreachable!("{error}: {label}"),
            }
        }
        _ => {}
    }
}

/// Writes content in the format of its selector.
fn written(selector: &str, content: &Content) -> Result<Vec<u8>, WriteError> {
    let text = match content {
        Content::Vector(layer) if selector == "geojson" => write_geojson(layer)?,
        Content::Vector(layer) => {
            let pair = write_mif(layer)?;
            format!("{}\0{}", pair.mif, pair.mid)
        }
        Content::Detections(table) => write_detections(table)?,
        Content::Points(list) => write_point_list(list)?,
        Content::Layout(layout) => {
            write_layout_csv(layout)?;
            write_layout_toml(layout)?
        }
        other => unreachable!("{selector}: {}", other.kind().name()),
    };
    Ok(text.into_bytes())
}

/// What writing changes on purpose: a list of detections becomes one of version 1.2 with all values of the header, and
/// the rings of an area are put in the order of their nesting.
fn as_written(mut content: Content) -> Content {
    match &mut content {
        Content::Detections(table) => {
            (table.kind, table.version) = ("pois".to_owned(), "1.2".to_owned());
            table.header.retain(|(_, value)| !value.is_empty());
            table.rows.iter_mut().for_each(|row| row.kind.clear());
        }
        Content::Vector(layer) => {
            for feature in &mut layer.features {
                if let Shape::Area(rings) = &mut feature.shape {
                    rings.sort_by_key(|ring| format!("{ring:?}"));
                }
            }
        }
        _ => {}
    }
    content
}
