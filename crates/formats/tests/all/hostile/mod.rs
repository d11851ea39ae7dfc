//! No bytes make a reader panic, take long or fill the memory: the fuzz corpus is replayed, and small files of every
//! format are damaged at random.
//!
//! The corpus lies in `fuzz/corpus/any_format`, a folder per selector; the first byte of a file is its selector.
#![cfg(feature = "bags")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use mapjudge_formats::{NamedBytes, ReadOptions, read_geotiff_pages};
use testkit::Random;

use crate::{Files, palette_seeds, vector_seeds};

mod bag_seeds;
mod bombs;
mod geotiff_seeds;
mod log_seeds;
mod map_seeds;
mod readers;
mod worst;

/// What reading a small file may take, whatever stands in it.
const MAX_MEMORY_MIB: u64 = 512;
/// As above, for TIFF files.
const MAX_TIFF_MEMORY_MIB: u64 = 200;

fn seeds() -> Vec<(&'static str, Files)> {
    [
        map_seeds::seeds(),
        geotiff_seeds::seeds(),
        palette_seeds::seeds(),
        log_seeds::seeds(),
        vector_seeds::seeds(),
        bag_seeds::seeds(),
    ]
    .concat()
}

fn corpus(selector: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/any_format").join(selector)
}

fn selectors() -> impl Iterator<Item = &'static str> {
    readers::SELECTORS.lines().filter_map(|line| line.split_whitespace().next())
}

fn selector_byte(selector: &str) -> u8 {
    let place = selectors().position(|known| known == selector).unwrap_or_else(|| panic!("{selector}"));
    b'0' + u8::try_from(place).unwrap()
}

#[test]
fn the_corpus_is_read_or_refused() {
    let mut replayed = 0;
    for selector in selectors() {
        let folder =
            std::fs::read_dir(corpus(selector)).unwrap_or_else(|error| panic!("{selector}: {error}"));
        let mut files: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in &files {
            let bytes = std::fs::read(file).unwrap();
            assert_eq!(bytes[0], selector_byte(selector), "{}", file.display());
            // The crates of the other selectors replay them.
            if readers::is_reader(selector) {
                readers::check(selector, &bytes[1..]);
                replayed += 1;
            }
        }
    }
    assert!(replayed >= 270, "{replayed} files");
    for (selector, files) in seeds() {
        assert!(files.iter().all(|(name, _)| corpus(selector).join(name).is_file()), "{selector}");
    }
}

#[test]
fn seeds_named_bad_are_refused_and_the_others_read_as_their_format() {
    for (selector, files) in seeds() {
        if bag_seeds::seeds().iter().any(|(known, _)| *known == selector) {
            continue;
        }
        for (name, bytes) in files {
            let label = format!("{selector}/{name}");
            let is_bad = name.starts_with("bad_");
            if selector == "geotiff" {
                let pages = read_geotiff_pages(NamedBytes { name: "map.tif", bytes: &bytes });
                assert_eq!(pages.is_err(), is_bad, "{label}: {:?}", pages.err());
                continue;
            }
            let result = readers::read(selector, &bytes, &ReadOptions::default());
            assert_eq!(result.is_err(), is_bad, "{label}: {:?}", result.as_ref().err());
            let expected = match selector {
                "packed" => "carmen",
                "palette" => "bmp",
                other => other,
            };
            assert!(result.is_err() || result.unwrap().format == expected, "{label}");
        }
    }
}

#[test]
fn whole_bags_give_all_topics() {
    for (selector, files) in bag_seeds::seeds() {
        for (name, bytes) in files {
            readers::check(selector, &bytes);
            let of_topic = |topic: &&&str| {
                let options = ReadOptions { topic: Some((**topic).to_owned()), ..ReadOptions::default() };
                readers::read(selector, &bytes, &options).is_ok()
            };
            let read = readers::TOPICS.iter().filter(of_topic).count();
            let label = format!("{selector}/{name}: {read}");
            match name {
                "plain" | "bz2" | "lz4" | "zstd" | "bag" => {
                    assert_eq!(read, readers::TOPICS.len(), "{label}");
                }
                "cut" => assert!(read < readers::TOPICS.len(), "{label}"),
                _ => assert_eq!(read, 0, "{label}"),
            }
        }
    }
}

/// Reads each file `times` times with some of its bytes damaged.
fn damaged(seeds: Vec<(&'static str, Files)>, times: usize, max_memory_mib: u64) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for (selector, files) in seeds {
        for (name, seed) in files {
            for _ in 0..times {
                let mut bytes = seed.clone();
                for _ in 0..=random.below(4) {
                    damage(&mut bytes, &mut random);
                }
                let start = Instant::now();
                readers::check(selector, &bytes);
                assert!(start.elapsed().as_secs_f64() < 5.0, "{selector}/{name}: {:?}", start.elapsed());
            }
        }
    }
    testkit::check_peak_memory(max_memory_mib);
}

#[test]
fn every_reader_is_fed_damaged_files() {
    let seeded: Vec<&str> = seeds().iter().map(|(selector, _)| *selector).collect();
    let is_missing = |selector: &&str| {
        readers::is_reader(selector) && !seeded.contains(selector) && !OF_CORPUS.contains(selector)
    };
    let missing: Vec<&str> = selectors().filter(is_missing).collect();
    assert!(missing.is_empty(), "no seeds: {missing:?}");
}

/// Readers whose files stand in the corpus alone: they are parts of others.
const OF_CORPUS: [&str; 2] = ["point_pairs", "world_file"];

#[test]
fn damaged_files_of_the_corpus_never_panic() {
    let files = |selector: &str| -> Files {
        let entries = std::fs::read_dir(corpus(selector)).unwrap().map(|entry| entry.unwrap().path());
        let mut paths: Vec<PathBuf> = entries.collect();
        paths.sort();
        paths.iter().map(|path| ("corpus", std::fs::read(path).unwrap()[1..].to_vec())).collect()
    };
    damaged(OF_CORPUS.map(|selector| (selector, files(selector))).to_vec(), 200, MAX_MEMORY_MIB);
}

#[test]
fn damaged_maps_never_panic() {
    damaged(map_seeds::seeds(), 1000, MAX_MEMORY_MIB);
}

#[test]
fn damaged_palette_images_never_panic() {
    damaged(palette_seeds::seeds(), 400, MAX_MEMORY_MIB);
}

#[test]
fn damaged_logs_never_panic() {
    damaged(log_seeds::seeds(), 300, MAX_MEMORY_MIB);
}

#[test]
fn damaged_layers_never_panic() {
    damaged(vector_seeds::seeds(), 1000, MAX_MEMORY_MIB);
}

#[test]
fn damaged_bags_never_panic() {
    damaged(bag_seeds::seeds(), 700, MAX_MEMORY_MIB);
}

#[test]
fn damaged_tiff_files_never_panic() {
    let mut seeds = geotiff_seeds::seeds();
    if let Some(data) = testkit::shared_data("geotiff") {
        let mut real: Vec<_> = std::fs::read_dir(data.join("gdal-autotest"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        real.sort();
        let files = real.iter().map(|path| ("real", std::fs::read(path).unwrap())).collect();
        seeds.push(("geotiff", files));
    }
    damaged(seeds, 1000, MAX_TIFF_MEMORY_MIB);
}

/// Damages some bytes: the one list of what files meet with on disks, on lines and in editors.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    /// Bytes that mean something to one format or another.
    const TELLING: &[u8] = b"\0\x01\x02\x03\x05\x0d\x7f\x80\xff09-.,;\"'\n\r([{}]:=eE# \t";
    if bytes.is_empty() {
        bytes.push(random.next() as u8);
    }
    // Most of the meaning of a binary file stands in its first bytes.
    let reach = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(300) };
    let at = random.below(reach);
    match random.below(9) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = TELLING[random.below(TELLING.len())],
        2 => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        4 => bytes.insert(at, TELLING[random.below(TELLING.len())]),
        5 => bytes.insert(at, random.next() as u8),
        6 => drop(bytes.remove(at)),
        // Lengths and counts are four bytes: make one of them huge.
        7 => bytes[at..].iter_mut().take(4).for_each(|byte| *byte = 0xFF),
        _ => {
            let end = (at + random.below(24)).min(bytes.len());
            let copied = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copied);
        }
    }
}

#[test]
#[ignore = "writes fuzz/corpus"]
fn regenerate_corpus() {
    for (selector, files) in seeds() {
        std::fs::create_dir_all(corpus(selector)).unwrap();
        for (name, bytes) in files {
            std::fs::write(corpus(selector).join(name), [&[selector_byte(selector)], &bytes[..]].concat())
                .unwrap();
        }
    }
}
