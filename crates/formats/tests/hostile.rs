//! No file makes a reader panic: the fuzz corpus is replayed, and seeds are mutated at random.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{Alpha, MapFile, NamedBytes, ReadError, ReadOptions, Scale, Treat205, read_map_bytes};
use testkit::Random;

mod seeds;

/// Mutations of each seed.
const MUTATIONS: usize = 1000;
/// What reading a small file may take, whatever stands in it.
const MAX_MEMORY_MIB: u64 = 512;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

fn read(target: &str, bytes: &[u8], options: &ReadOptions) -> Result<MapFile, ReadError> {
    if target != "ros_yaml" {
        let ending = if target == "text_grid" { "txt" } else { target };
        return read_map_bytes(NamedBytes { name: &format!("map.{ending}"), bytes }, &[], options);
    }
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let yaml = NamedBytes { name: "map.yaml", bytes: parts.next().unwrap() };
    let picture = NamedBytes { name: "map.pgm", bytes: parts.next().unwrap_or_default() };
    read_map_bytes(yaml, &[picture], options)
}

/// Reads a file in two ways; what comes back is a whole map or an error that names the file.
fn check(target: &str, bytes: &[u8]) {
    let second = ReadOptions {
        free_thresh: Some(0.25),
        treat_205_as_unknown: Treat205::AsUnknown,
        alpha: Alpha::Ignore,
        scale: Scale::Nav2,
        ..ReadOptions::default()
    };
    for options in [ReadOptions::default(), second] {
        match read(target, bytes, &options) {
            Ok(map) => assert_eq!(map.grid.classes().len(), map.grid.geometry().cells()),
            Err(error) => assert!(error.to_string().starts_with("map."), "{error}"),
        }
    }
}

#[test]
fn corpus_replay() {
    for target in ["pgm", "png", "bmp", "ros_yaml", "text_grid"] {
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
fn seeds_named_after_a_fault_are_refused_and_the_others_read() {
    let faults = [
        "truncated",
        "oversized",
        "overflowing",
        "zero_sized",
        "above_maxval",
        "no_raster",
        "colour",
        "html",
        "signature_only",
        "damaged",
        "duplicate",
        "nan",
        "zero_resolution",
        "two_numbers",
        "no_fields",
        "no_image",
        "alias_bomb",
        "deep",
        "deep_block",
        "unequal",
        "mixed",
        "empty",
        "header_only",
        "header_twice",
        "wide_letters",
        "oversized_run_length",
        "not_utf8",
    ];
    for seed in seeds::seeds() {
        let result = read(seed.target, &seed.bytes, &ReadOptions::default());
        let label = format!("{}/{}: {:?}", seed.target, seed.name, result.as_ref().err());
        assert_eq!(result.is_err(), faults.contains(&seed.name), "{label}");
    }
}

#[test]
fn mutated_files_never_panic() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for seed in seeds::seeds() {
        for _ in 0..MUTATIONS {
            let mut bytes = seed.bytes.clone();
            for _ in 0..=random.below(4) {
                mutate(&mut bytes, &mut random);
            }
            check(seed.target, &bytes);
        }
    }
    testkit::check_peak_memory(MAX_MEMORY_MIB);
}

#[test]
#[ignore = "writes fuzz/corpus"]
fn regenerate_corpus() {
    for seed in seeds::seeds() {
        let folder = corpus().join(seed.target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(seed.name), &seed.bytes).unwrap();
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    match random.below(7) {
        _ if bytes.is_empty() => bytes.push(random.next() as u8),
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = [0, 1, 127, 128, 255, b'9', b'#', b'\n', b':'][random.below(9)],
        2 => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        4 => bytes.insert(at, random.next() as u8),
        5 => drop(bytes.remove(at)),
        _ => {
            let end = (at + random.below(16)).min(bytes.len());
            let copied = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copied);
        }
    }
}
