//! No trajectory, log or graph makes a reader panic: the fuzz corpus is replayed, and seeds are mutated at random.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{
    Content, Document, NamedBytes, PoseColumns, ReadError, ReadOptions, read_document_bytes, write_carmen,
    write_g2o, write_kitti, write_pose_log, write_relations, write_tum,
};
use testkit::Random;

mod log_seeds;

use log_seeds::{TARGETS, seeds};

/// Mutations of each seed; there are about sixty seeds.
const MUTATIONS: usize = 300;
/// What reading a small file may take, whatever stands in it.
const MAX_MEMORY_MIB: u64 = 512;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

fn read(target: &str, bytes: &[u8], options: &ReadOptions) -> Result<Document, ReadError> {
    let (_, name) = TARGETS.iter().find(|(known, _)| *known == target).unwrap();
    if target != "kitti" {
        return read_document_bytes(NamedBytes { name, bytes }, &[], options);
    }
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let poses = NamedBytes { name, bytes: parts.next().unwrap() };
    match parts.next() {
        Some(bytes) => read_document_bytes(poses, &[NamedBytes { name: "00_times.txt", bytes }], options),
        None => read_document_bytes(poses, &[], options),
    }
}

/// Reads a file in two ways; what comes back can be written, or is an error that names the file.
fn check(target: &str, bytes: &[u8]) {
    let second = ReadOptions { pose_columns: PoseColumns::TXYTheta, ..ReadOptions::default() };
    for options in [ReadOptions::default(), second] {
        match read(target, bytes, &options).map(|document| document.content) {
            Ok(Content::Trajectory(trajectory)) => {
                assert!(!trajectory.poses.is_empty(), "{target}");
                let written = [write_tum(&trajectory), write_kitti(&trajectory), write_pose_log(&trajectory)];
                assert!(written.iter().all(|text| !text.contains("NaN")), "{target}");
            }
            Ok(Content::Log(log)) => assert!(!write_carmen(&log).is_empty()),
            Ok(Content::Graph(graph)) => assert!(!write_g2o(&graph).is_empty()),
            Ok(Content::Relations(relations)) => assert!(!write_relations(&relations).is_empty()),
            Ok(_) => {}
            Err(error) => assert!(!error.file().is_empty(), "{error}"),
        }
    }
}

#[test]
fn corpus_replay() {
    for (target, _) in TARGETS {
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
fn bad_seeds_are_refused_and_the_others_read_as_their_format() {
    for seed in seeds() {
        let result = read(seed.target, &seed.bytes, &ReadOptions::default());
        let label = format!("{}/{}: {:?}", seed.target, seed.name, result.as_ref().err());
        assert_eq!(result.is_err(), seed.name.starts_with("bad_"), "{label}");
        let expected = if seed.target == "packed" { "carmen" } else { seed.target };
        assert!(result.is_err() || result.unwrap().format == expected, "{label}");
    }
}

#[test]
fn mutated_files_never_panic() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for seed in seeds() {
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
    for seed in seeds() {
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
        1 => bytes[at] = [0, 1, 127, 128, 255, b'9', b'#', b'\n', b' ', b','][random.below(10)],
        2 => bytes[at] = random.next() as u8,
        3 => bytes.truncate(at),
        4 => bytes.insert(at, b"0123456789.-e "[random.below(14)]),
        5 => drop(bytes.remove(at)),
        _ => {
            let end = (at + random.below(16)).min(bytes.len());
            let copied = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copied);
        }
    }
}
