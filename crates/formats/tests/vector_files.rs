//! Vector layers and league files: no bytes make a reader panic. Seeds are kept as the fuzz corpus, replayed and
//! mutated at random; what was read can be written and read again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{
    Content, Document, NamedBytes, ReadError, ReadOptions, WriteError, read_document_bytes, write_detections,
    write_geojson, write_layout_csv, write_layout_toml, write_mif, write_point_list,
};
use model::Shape;
use testkit::Random;

mod vector_seeds;

/// Mutations of each seed.
const MUTATIONS: usize = 1000;
/// What reading a small file may take, whatever stands in it.
const MAX_MEMORY_MIB: u64 = 512;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

fn file_name(target: &str) -> &'static str {
    match target {
        "mif" => "victims.mif",
        "geojson" => "layer.geojson",
        "detection_csv" => "pois.csv",
        "point_list" => "truth.pts",
        "fiducial_layout" => "fiducials.toml",
        other => panic!("no target '{other}'"),
    }
}

fn read(target: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    let mut parts = bytes.splitn(2, |&byte| byte == 0 && target == "mif");
    let file = NamedBytes { name: file_name(target), bytes: parts.next().unwrap() };
    let mid = NamedBytes { name: "victims.mid", bytes: parts.next().unwrap_or_default() };
    read_document_bytes(file, &[mid], &ReadOptions::default())
}

/// Writes the content again in the format of its target.
fn written(target: &str, content: &Content) -> Result<Vec<u8>, WriteError> {
    let text = match content {
        Content::Vector(layer) if target == "geojson" => write_geojson(layer)?,
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
        other => panic!("{target}: {}", other.kind().name()),
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

/// Reads a file; what comes back can be written and read, or is an error that names a file.
fn check(target: &str, bytes: &[u8]) {
    match read(target, bytes) {
        // The bytes may have become those of another format, which other tests look after.
        Ok(document) if document.format != target => {}
        Ok(document) => {
            if let Ok(again) = written(target, &document.content) {
                let label = format!("{target}\n{}", String::from_utf8_lossy(&again));
                let content = read(target, &again).unwrap_or_else(|error| panic!("{error}: {label}")).content;
                assert_eq!(as_written(content), as_written(document.content), "{label}");
            }
        }
        Err(error) => {
            let message = error.to_string();
            let stem = file_name(target).split('.').next().unwrap();
            assert!(message.starts_with(&format!("{stem}.")), "{message}");
        }
    }
}

#[test]
fn corpus_replay() {
    for target in vector_seeds::TARGETS {
        let folder = corpus().join(target);
        let mut files: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        assert!(files.len() >= 5, "{target}: {} files", files.len());
        for file in files {
            check(target, &std::fs::read(&file).unwrap());
        }
    }
}

#[test]
fn seeds_named_bad_are_refused_and_the_others_read() {
    for (target, name, bytes) in vector_seeds::seeds() {
        let result = read(target, &bytes);
        let label = format!("{target}/{name}: {:?}", result.as_ref().err());
        assert_eq!(result.is_err(), name.starts_with("bad_"), "{label}");
        if let Ok(document) = result {
            assert_eq!(document.format, target, "{label}");
        }
    }
}

#[test]
fn garbage_is_refused_under_every_ending() {
    let names = ["a.mif", "a.mid", "a.geojson", "a.csv", "a.pts", "fiducials.toml", "fiducials.csv"];
    for name in names {
        for bytes in [&b""[..], b"\0\x01\x02\x03\xff", &[0x07; 5000]] {
            let error = read_document_bytes(NamedBytes { name, bytes }, &[], &ReadOptions::default());
            assert_eq!(error.unwrap_err().file(), name);
        }
    }
}

#[test]
fn mutated_files_never_panic() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for (target, _, seed) in vector_seeds::seeds() {
        for _ in 0..MUTATIONS {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(4) {
                mutate(&mut bytes, &mut random);
            }
            check(target, &bytes);
        }
    }
    testkit::check_peak_memory(MAX_MEMORY_MIB);
}

#[test]
#[ignore = "writes fuzz/corpus"]
fn regenerate_corpus() {
    for (target, name, bytes) in vector_seeds::seeds() {
        let folder = corpus().join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), &bytes).unwrap();
    }
}

#[test]
fn large_tables_are_refused_before_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("victims.mif");
    let file = std::fs::File::create(&path).unwrap();
    std::io::Write::write_all(&mut &file, b"Version 300\n").unwrap();
    file.set_len(1 << 30).unwrap();
    let error = mapjudge_formats::read_document(&path, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error, ReadError::TooLarge { .. }), "{error}");
}

#[test]
fn a_layer_on_disk_is_read_with_the_table_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let layer = vector_seeds::layer();
    let pair = write_mif(&layer).unwrap();
    let (mif, mid) = (folder.path().join("TeamA_victims.mif"), folder.path().join("TeamA_victims.MID"));
    std::fs::write(&mif, pair.mif).unwrap();
    std::fs::write(&mid, pair.mid).unwrap();
    let document = mapjudge_formats::read_document(&mif, &ReadOptions::default()).unwrap();
    assert_eq!(document.content, Content::Vector(layer));
    let sources: Vec<_> = document.sources.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(sources, [mif.to_str().unwrap(), mid.to_str().unwrap()]);
    let error = mapjudge_formats::read_document(&mid, &ReadOptions::default()).unwrap_err();
    assert!(error.hint().unwrap().contains("give the .mif file"), "{error}");
}

/// The labels of arcs in pixels are no layout in metres and no list of detections.
#[test]
fn the_arc_labels_of_a_real_map_are_not_taken_for_a_league_file() {
    let Some(folder) = testkit::shared_data("robocup-rescue") else { return };
    let path = folder.join("singapore2010-maze-barrels/barrels.csv");
    let error = mapjudge_formats::read_document(&path, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error, ReadError::UnknownFormat { .. }), "{error}");
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const TELLING: &[u8] = b"\0\xff9-.,;\"'\n\r([{}]:=eE#";
    let at = random.below(bytes.len());
    match random.below(7) {
        _ if bytes.is_empty() => bytes.push(random.next() as u8),
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = TELLING[random.below(TELLING.len())],
        2 => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        4 => bytes.insert(at, TELLING[random.below(TELLING.len())]),
        5 => drop(bytes.remove(at)),
        _ => {
            let end = (at + random.below(24)).min(bytes.len());
            let copied = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copied);
        }
    }
}
