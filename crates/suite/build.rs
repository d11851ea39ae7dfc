//! Puts the conformance vectors into the library: every file of `conformance/vectors`, under its path.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a build that cannot read its own files has failed")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let package = std::env::var("CARGO_MANIFEST_DIR").expect("cargo tells the folder of the package");
    let out = std::env::var("OUT_DIR").expect("cargo tells where to write");
    // `conformance` is a link to the folder of the repository, which a package has as a folder.
    let linked = Path::new(&package).join("conformance/vectors");
    let vectors = if linked.is_dir() { linked } else { Path::new(&package).join("../../conformance/vectors") };
    println!("cargo::rerun-if-changed={}", vectors.display());
    let mut files = Vec::new();
    collect(&vectors, "", &mut files);
    files.sort();
    let mut text = String::from("&[\n");
    for (name, path) in files {
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(text, "    ({name:?}, include_bytes!({:?})),", path.display().to_string()).expect("into a string");
    }
    text.push_str("]\n");
    std::fs::write(Path::new(&out).join("vectors.rs"), text).expect("the list of vectors can be written");
}

fn collect(folder: &Path, below: &str, files: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).expect("the vectors are there").flatten() {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push((name, entry.path()));
        }
    }
}
