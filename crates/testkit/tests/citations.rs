//! A citation can be followed: every code of the specification in a comment is a heading in `docs/spec`.
//!
//! A code has the form `M-PSI`, a worked example the form `02-E8`. Only the family letters of the headings count, so
//! that `UTF-8` or `X-Y` of another standard is no citation.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Files below a folder with an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What stands before the colon of the headings of level 3 and 4.
fn headings() -> BTreeSet<String> {
    let pages = files(&root().join("docs/spec"), "md");
    let text: String = pages.iter().map(|page| std::fs::read_to_string(page).unwrap()).collect();
    let lines = text.lines().filter_map(|l| l.strip_prefix("### ").or_else(|| l.strip_prefix("#### ")));
    lines.filter_map(|heading| Some(heading.split_once(": ")?.0.to_owned())).collect()
}

/// The words of a text that could be codes: letters, digits and inner hyphens.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    parts.map(|word| word.trim_matches('-')).filter(|word| word.contains('-'))
}

/// A code of one of the families, such as `M-PSI` or `X-PLAUS-D`.
fn is_code(word: &str, families: &BTreeSet<char>) -> bool {
    let Some((family, name)) = word.split_once('-') else { return false };
    let mut letters = family.chars();
    let known = letters.next().is_some_and(|c| families.contains(&c)) && letters.next().is_none();
    let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    known && !name.is_empty() && name.chars().all(upper)
}

/// A worked example, such as `02-E8`.
fn is_example(word: &str) -> bool {
    let Some((page, number)) = word.split_once("-E") else { return false };
    let digits = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
    page.len() == 2 && digits(page) && digits(number)
}

/// The comment of a line of source; `https://` starts none.
fn comment(line: &str) -> &str {
    line.find("//").filter(|&at| !line[..at].ends_with(':')).map_or("", |at| &line[at..])
}

/// Codes and examples that a comment names.
fn citations<'a>(line: &'a str, families: &BTreeSet<char>) -> Vec<&'a str> {
    words(comment(line)).filter(|word| is_code(word, families) || is_example(word)).collect()
}

fn families(headings: &BTreeSet<String>) -> BTreeSet<char> {
    headings.iter().filter_map(|code| code.chars().next()).filter(char::is_ascii_uppercase).collect()
}

#[test]
fn every_code_in_a_comment_is_a_heading_of_the_specification() {
    let headings = headings();
    let families = families(&headings);
    let mut lost = Vec::new();
    let mut found = 0;
    let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for file in crates.flat_map(|folder| files(&folder, "rs")) {
        let shown = file.strip_prefix(root()).unwrap().display().to_string();
        if shown.ends_with("tests/citations.rs") {
            continue;
        }
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let cited = citations(line, &families);
            found += cited.len();
            let unknown = cited.into_iter().filter(|code| !headings.contains(*code));
            lost.extend(unknown.map(|code| format!("{shown}:{}: {code}", number + 1)));
        }
    }
    assert!(lost.is_empty(), "no heading in docs/spec for\n{}", lost.join("\n"));
    assert!(found > 100, "only {found} citations found");
}

#[test]
fn the_index_lists_every_heading() {
    let index = std::fs::read_to_string(root().join("docs/spec/README.md")).unwrap();
    let listed =
        |code: &String| index.contains(&format!("| {code} | [")) || index.contains(&format!("[{code}]("));
    let missing: Vec<String> = headings().into_iter().filter(|code| !listed(code)).collect();
    assert!(missing.is_empty(), "docs/spec/README.md lacks {missing:?}");
}

#[test]
fn the_code_of_every_metric_is_a_heading() {
    let headings = headings();
    let sources = files(&root().join("crates/metrics/src"), "rs");
    let text: String = sources.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let codes = text.lines().filter_map(|line| line.trim().strip_prefix("code: \"")?.strip_suffix("\","));
    let missing: Vec<&str> = codes.filter(|code| !headings.contains(*code)).collect();
    assert!(missing.is_empty(), "no heading in docs/spec for {missing:?}");
}

#[test]
fn codes_of_other_standards_are_no_citations() {
    let families: BTreeSet<char> = ['M', 'X'].into();
    let found = |line| citations(line, &families);
    assert_eq!(found("let x = 1; // M-PSI, X-PLAUS-D: 02-E8"), ["M-PSI", "X-PLAUS-D", "02-E8"]);
    assert_eq!(found("//! UTF-8, RFC-9457, CP-1252, EPSG-4326, 2026-07-04, IV-C, M-estimator"), [""; 0]);
    assert_eq!(found("let page = \"https://example.org/M-PSI\"; let text = \"M-PSI\";"), [""; 0]);
}
