//! GDAL reads the layers that we write, and we read its: geometries, attributes and frame, as `ogrinfo` shows them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

use mapjudge_formats::{Content, ReadOptions, read_document, write_geojson, write_mif};
use model::{Point2, Shape};

#[allow(dead_code, reason = "only the sample layer is used here")]
use crate::vector_seeds;

/// What `ogrinfo` prints about a file, or none with a message where it is not installed.
fn ogrinfo(path: &Path) -> Option<String> {
    let Ok(output) = Command::new("ogrinfo").arg("-al").arg(path).output() else {
        testkit::skip("ogrinfo is absent (Debian: gdal-bin)");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(text)
}

fn assert_lines(text: &str, expected: &[&str]) {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    for line in expected {
        assert!(lines.contains(line), "missing: {line}\n{text}");
    }
}

const GEOMETRIES: [&str; 6] = [
    "POINT (12.5 -3.25)",
    "LINESTRING (0 0,1.5 1.0)",
    "MULTILINESTRING ((0 0,1 1),(5 5,6 6,7 5))",
    "POLYGON ((0 0,9 0,9 9,0 9,0 0),(1 1,2 1,2 2,1 2,1 1))",
    "MULTIPOINT ((1 1),(2 2))",
    "POINT (1 2)",
];

#[test]
fn a_mif_layer_has_the_right_geometries_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let pair = write_mif(&vector_seeds::layer()).unwrap();
    let path = folder.path().join("victims.mif");
    std::fs::write(&path, pair.mif).unwrap();
    std::fs::write(folder.path().join("victims.mid"), pair.mid).unwrap();
    let Some(text) = ogrinfo(&path) else { return };
    let geometries = GEOMETRIES.map(|wkt| wkt.replace("1.5 1.0", "1.5 1"));
    assert_lines(&text.replace("1.5 1.0", "1.5 1"), &geometries.each_ref().map(String::as_str));
    assert_lines(&text, &["Feature Count: 7", "ID: String (16.0)", "N: Integer (0.0)", "R: Real (0.0)"]);
    assert_lines(&text, &["ID (String) = v, \"3\"", "N (Integer) = -3", "R (Real) = 6.25", "L (String) = F"]);
    assert!(text.contains("ENGCRS[\"Nonearth\"") && text.contains("LENGTHUNIT[\"Meter\",1]"), "{text}");
    assert!(
        text.contains("c:#ff0000") && text.contains("LABEL(t:\"exit\""),
        "styles or texts are lost\n{text}"
    );
}

#[test]
fn a_geojson_layer_has_the_right_geometries_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("victims.geojson");
    std::fs::write(&path, write_geojson(&vector_seeds::layer()).unwrap()).unwrap();
    let Some(text) = ogrinfo(&path) else { return };
    let normal = |text: &str| text.replace(".0 ", " ").replace(".0,", ",").replace(".0)", ")");
    let geometries = GEOMETRIES.map(normal);
    assert_lines(&normal(&text), &geometries.each_ref().map(String::as_str));
    assert_lines(
        &text,
        &["Layer name: victims", "Feature Count: 7", "ID (String) = v, \"3\"", "N (Integer) = -3"],
    );
    assert_lines(&text, &["R (Real) = 6.25", "L (Integer(Boolean)) = 0"]);
}

#[test]
fn every_number_keeps_its_digits() {
    let folder = tempfile::tempdir().unwrap();
    let mut layer = vector_seeds::layer();
    layer.features.truncate(1);
    layer.features[0].shape = Shape::Point(Point2::new(440_720.123_456, -3_751_320.654_321));
    let pair = write_mif(&layer).unwrap();
    let path = folder.path().join("victims.mif");
    std::fs::write(&path, pair.mif).unwrap();
    std::fs::write(folder.path().join("victims.mid"), pair.mid).unwrap();
    let Some(text) = ogrinfo(&path) else { return };
    assert_lines(&text, &["POINT (440720.123456 -3751320.654321)"]);
}

#[test]
fn what_gdal_writes_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let layer = vector_seeds::layer();
    let pair = write_mif(&layer).unwrap();
    let (ours, theirs) = (folder.path().join("ours.mif"), folder.path().join("victims.mif"));
    std::fs::write(&ours, pair.mif).unwrap();
    std::fs::write(folder.path().join("ours.mid"), pair.mid).unwrap();
    let Ok(output) = Command::new("ogr2ogr").args(["-f", "MapInfo File"]).arg(&theirs).arg(&ours).output()
    else {
        testkit::skip("ogr2ogr is absent (Debian: gdal-bin)");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document = read_document(&theirs, &ReadOptions::default()).unwrap();
    let Content::Vector(read) = document.content else { panic!("no layer") };
    // GDAL writes several points as one object each, and a yes or no as a text.
    let mut expected: Vec<_> = layer.features.iter().map(|feature| feature.shape.clone()).collect();
    let points = [Point2::new(1.0, 1.0), Point2::new(2.0, 2.0)].map(Shape::Point);
    expected.splice(5..6, points);
    assert_eq!(read.features.iter().map(|feature| feature.shape.clone()).collect::<Vec<_>>(), expected);
    assert_eq!(read.features[3].attributes[..3], layer.features[3].attributes[..3]);
    assert_eq!(document.findings.len(), 1, "{:?}", document.findings);
    assert_eq!(document.findings[0].code, "LAYER_COLUMN_MISSING");
}
