//! Vector layers and league files on disk.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mapjudge_formats::{Content, NamedBytes, ReadError, ReadOptions, read_document_bytes, write_mif};

use crate::vector_seeds;

#[test]
fn garbage_is_refused_under_every_ending() {
    let names = ["a.mif", "a.mid", "a.geojson", "a.csv", "a.pts", "fiducials.toml", "fiducials.csv"];
    for name in names {
        for bytes in [&b""[..], b"\0\x01\x02\x03\xff", &[0x07; 5000]] {
            let error = read_document_bytes(NamedBytes { name, bytes }, &[], &ReadOptions::default());
            assert_eq!(error.unwrap_err().file(), Some(name));
        }
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
