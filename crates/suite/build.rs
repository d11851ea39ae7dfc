//! The fingerprint of a build: a hash of every source file of the workspace that the library is compiled from.

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
