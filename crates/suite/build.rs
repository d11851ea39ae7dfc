//! The fingerprint of a build: a hash of every source file of the workspace that the library is compiled from. And the
//! conformance vectors as part of the library: every file of `conformance/vectors`, under its path.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let own = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // In the workspace all crates count; in a package from a registry the versions of the others are fixed by its own.
    let crates = own.parent().filter(|crates| crates.join("metrics/src").is_dir());
    let mut files = Vec::new();
    match crates {
        Some(crates) => {
            for name in ["model", "formats", "raster", "align", "metrics", "report", "suite"] {
                collect(&crates.join(name).join("src"), &mut files);
            }
            collect(&own.join("profiles"), &mut files);
            // The versions of everything else that is compiled in.
            files.extend(crates.parent().map(|root| root.join("Cargo.lock")));
        }
        None => collect(&own.join("src"), &mut files),
    }
    files.sort();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        for byte in std::fs::read(file).unwrap_or_default() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    println!("cargo::rustc-env=MAPJUDGE_FINGERPRINT={hash:016x}");
    write_vectors(&own);
}

/// The list of the vectors. `conformance` is a link to the folder of the repository, which a package has as a folder.
fn write_vectors(own: &Path) {
    let linked = own.join("conformance/vectors");
    let folder = if linked.is_dir() { linked } else { own.join("../../conformance/vectors") };
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut text = String::from("&[\n");
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let Ok(below) = file.strip_prefix(&folder) else { continue };
        let name = below.to_string_lossy().replace('\\', "/");
        // Writing into a string cannot fail.
        let _ = writeln!(text, "    ({name:?}, include_bytes!({:?})),", file.display().to_string());
    }
    text.push_str("]\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    if let Err(error) = std::fs::write(out.join("vectors.rs"), text) {
        println!("cargo::error=the list of the conformance vectors cannot be written: {error}");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
