//! The corpus of the fuzz targets of this crate on stable: an answer or an error, never a panic.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use mapjudge::AlignmentFile;
use mapjudge::contest::{CharacterMatrix, Formula, Profile};
use mapjudge::files::contest::ContestFolder;
use mapjudge::files::rows::ManifestLine;
use mapjudge::rows::{Row, RowHeader};

fn corpus(target: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/any_format").join(target);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut found: Vec<_> = files
        .map(|file| {
            let text = std::fs::read_to_string(file.path()).unwrap();
            // The first byte selects the reader.
            (file.file_name().to_string_lossy().into_owned(), text[1..].to_owned())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn contest_files_are_read_or_refused() {
    for (name, text) in corpus("contest_file") {
        let read = ContestFolder::parse(&text, &name, "nowhere".into());
        assert_eq!(read.is_ok(), name == "four", "{name}: {:?}", read.err().map(|e| e.to_string()));
    }
}

#[test]
fn profiles_and_formulas_are_read_or_refused() {
    for (name, text) in corpus("contest_profile") {
        assert_eq!(Profile::parse(&text, &name).is_ok(), name.contains("-20"), "{name}");
        assert_eq!(Formula::parse(&text).is_ok(), name == "formula", "{name}");
    }
}

#[test]
fn matrices_are_read_or_refused() {
    for (name, text) in corpus("character_matrix") {
        assert_eq!(CharacterMatrix::parse(&text).is_ok(), name != "ragged", "{name}");
    }
}

#[test]
fn transforms_are_read_or_refused() {
    for (name, text) in corpus("transform") {
        assert_eq!(AlignmentFile::parse(text.as_bytes()).is_ok(), name == "found.json", "{name}");
    }
}

#[test]
fn manifests_and_rows_are_read_or_refused() {
    for (name, text) in corpus("manifest") {
        assert_eq!(ManifestLine::parse(1, &text).is_ok(), !name.starts_with("bad_"), "{name}");
    }
    for (name, text) in corpus("row") {
        assert_eq!(RowHeader::parse(&text).is_ok(), name == "header", "{name}");
        let row = Row::parse(&text);
        assert_eq!(row.is_ok(), name == "ok" || name == "error", "{name}");
        if let Ok(row) = row {
            assert_eq!(Row::parse(&row.to_line()), Ok(row));
        }
    }
}
