//! Collects the headers of the metrics' files: they are the cards, and only they belong into the binary.

#![allow(clippy::print_stdout, reason = "how a build script speaks to cargo")]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut cards: Vec<(String, String)> = Vec::new();
    for family in fs::read_dir("src")?.collect::<Result<Vec<_>, _>>()? {
        if !family.path().is_dir() {
            continue;
        }
        for file in fs::read_dir(family.path())?.collect::<Result<Vec<_>, _>>()? {
            let (path, text) = (file.path(), fs::read_to_string(file.path())?);
            if let (true, Some(id)) = (text.contains("impl Metric for "), path.file_stem()) {
                let name = format!("{}/{}", family.file_name().to_string_lossy(), id.to_string_lossy());
                cards.push((name, header(&text)));
            }
        }
    }
    cards.sort();
    let mut table = String::from("[\n");
    for (name, card) in &cards {
        writeln!(table, "    ({name:?}, {card:?}),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("cards.rs"), table)
}

/// The leading `//!` lines of a file, as Markdown.
fn header(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or("")).collect::<Vec<_>>().join("\n")
}
