//! Puts the pages of the documentation into the program: every Markdown file of `docs/`, under its name.
#![allow(clippy::expect_used, reason = "a build that cannot read its own files has failed")]

use std::fmt::Write;
use std::path::Path;

fn main() {
    let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo tells the folder of the package");
    let out = std::env::var("OUT_DIR").expect("cargo tells where to write");
    // `docs` is a link to the documentation of the repository, which a package has as a folder.
    let linked = Path::new(&package).join("docs");
    let docs = if linked.is_dir() { linked } else { Path::new(&package).join("../../docs") };
    println!("cargo::rerun-if-changed={}", docs.display());
    let entries = std::fs::read_dir(&docs).expect("the documentation is there");
    let mut pages: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    let mut text = String::from("&[\n");
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let name = page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(text, "    ({name:?}, include_str!({:?})),", page.display().to_string())
            .expect("into a string");
    }
    text.push_str("]\n");
    std::fs::write(Path::new(&out).join("pages.rs"), text).expect("the list of pages can be written");
}
