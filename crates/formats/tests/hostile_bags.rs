//! No bag makes a reader panic: the fuzz corpus is replayed, and seeds are mutated at random.
#![cfg(feature = "bags")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{
    Encoding, NamedBytes, ReadOptions, read_bag_topic_bytes, read_document_bytes, read_map_bytes,
};
use model::{BeamModel, LaserScan, Pose3};
use testkit::Random;

mod bag_writers;

use bag_writers::{
    Recording, db3, grid_message, mcap, odometry_message, pose_message, ros1_bag, scan_message, tf_message,
};

/// Mutations of each seed.
const MUTATIONS: usize = 700;
/// What reading a small file may take, whatever stands in it.
const MAX_MEMORY_MIB: u64 = 512;
/// Topics that are asked for: one of each type, and one that is missing.
const TOPICS: [&str; 7] = ["/scan", "/odom", "/pose", "/amcl_pose", "/tf:map.base", "/map", "/nowhere"];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// Two messages of every type that is understood.
fn recording(encoding: Encoding) -> Recording {
    let beams = BeamModel { first_rad: -1.0, step_rad: 0.5, max_range_m: 30.0, is_guessed: false };
    let scan = LaserScan {
        time_s: 1.5,
        beams,
        ranges_m: vec![1.0, 2.0, f32::NAN, 4.0, 31.0],
        remissions: vec![0.5; 5],
        world_from_laser: None,
        world_from_robot: None,
        sensor: "/scan".to_owned(),
    };
    let pose = Pose3::new([1.0, 2.0, 3.0], [0.0, 0.0, 0.6, 0.8]).unwrap();
    let mut recording = Recording::default();
    let twice = |message: Vec<u8>| [message.clone(), message];
    recording.add("/scan", "sensor_msgs/LaserScan", &twice(scan_message(encoding, &scan)));
    recording.add("/odom", "nav_msgs/Odometry", &twice(odometry_message(encoding, 2.5, pose, [0.5, 0.25])));
    recording.add("/pose", "geometry_msgs/PoseStamped", &twice(pose_message(encoding, 3.5, pose, 0)));
    let estimate = pose_message(encoding, 4.5, pose, 36);
    recording.add("/amcl_pose", "geometry_msgs/PoseWithCovarianceStamped", &twice(estimate));
    let transforms = [(5.5, "map", "odom", pose), (5.25, "odom", "base", pose)];
    recording.add("/tf", "tf2_msgs/TFMessage", &twice(tf_message(encoding, &transforms)));
    recording.add("/tf_static", "tf2_msgs/TFMessage", &twice(tf_message(encoding, &transforms[..1])));
    let grid = testkit::grid(["##.?", "#..?"]);
    recording.add("/map", "nav_msgs/OccupancyGrid", &twice(grid_message(encoding, &grid)));
    recording
}

struct Seed {
    target: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
}

fn seeds() -> Vec<Seed> {
    let (ros1, cdr, none) = (recording(Encoding::Ros1), recording(Encoding::Cdr), Recording::default());
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let seed = |target, name, bytes| Seed { target, name, bytes };
    vec![
        seed("ros1_bag", "plain", ros1_bag(&ros1, "none")),
        seed("ros1_bag", "bz2", ros1_bag(&ros1, "bz2")),
        seed("ros1_bag", "lz4", ros1_bag(&ros1, "lz4")),
        seed("ros1_bag", "no_messages", ros1_bag(&none, "none")),
        seed("ros1_bag", "cut", half(ros1_bag(&ros1, "none"))),
        seed("mcap", "plain", mcap(&cdr, "")),
        seed("mcap", "lz4", mcap(&cdr, "lz4")),
        seed("mcap", "zstd", mcap(&cdr, "zstd")),
        seed("mcap", "no_messages", mcap(&none, "")),
        seed("mcap", "cut", half(mcap(&cdr, ""))),
        seed("bag_folder", "plain", folder(&mcap(&cdr, ""), "message_count: 14")),
        seed("bag_folder", "zstd", folder(&zstd::encode_all(&mcap(&cdr, "")[..], 1).unwrap(), "version: 5")),
        seed("bag_folder", "cut", folder(&half(mcap(&cdr, "")), "version: 5")),
        seed("bag_folder", "no_messages", folder(&mcap(&none, ""), "message_count: 3")),
        seed("bag_folder", "no_file", b"rosbag2_bagfile_information:\n  relative_file_paths: []\n".to_vec()),
        seed("db3", "bag", db3(&cdr)),
        seed("db3", "no_messages", db3(&none)),
        seed("db3", "cut", half(db3(&cdr))),
        seed("db3", "header", db3(&none)[..100].to_vec()),
        seed("db3", "empty", Vec::new()),
    ]
}

/// The metadata of a bag, a zero byte, and its file.
fn folder(file: &[u8], line: &str) -> Vec<u8> {
    let metadata =
        format!("rosbag2_bagfile_information:\n  relative_file_paths:\n    - bag/file.mcap\n  {line}\n\0");
    [metadata.as_bytes(), file].concat()
}

/// As [`check`], for [`folder`].
fn check_folder(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let metadata = NamedBytes { name: "file.yaml", bytes: &bytes[..end] };
    let beside = [NamedBytes { name: "file.mcap", bytes: bytes.get(end + 1..).unwrap_or_default() }];
    let read = |topic: Option<&str>| {
        let options = ReadOptions { topic: topic.map(str::to_owned), ..ReadOptions::default() };
        read_document_bytes(metadata, &beside, &options)
            .inspect_err(|error| assert!(!error.file().is_empty(), "{error}"))
    };
    let _ = read(None);
    TOPICS.iter().filter(|topic| read(Some(topic)).is_ok()).count()
}

fn name_of(target: &str) -> &'static str {
    match target {
        "ros1_bag" => "file.bag",
        "mcap" => "file.mcap",
        _ => "file.db3",
    }
}

/// Reads the summary and every topic; what fails names the file.
fn check(target: &str, bytes: &[u8]) -> usize {
    if target == "bag_folder" {
        return check_folder(bytes);
    }
    let file = NamedBytes { name: name_of(target), bytes };
    // A few mutated bytes may be a text grid.
    if let Err(error) = read_map_bytes(file, &[], &ReadOptions::default()) {
        assert!(error.to_string().starts_with("file."), "{error}");
    }
    let mut read = 0;
    for topic in TOPICS {
        match read_bag_topic_bytes(file, topic) {
            Ok(_) => read += 1,
            Err(error) => assert!(error.to_string().starts_with("file."), "{error}"),
        }
    }
    read
}

#[test]
fn corpus_replay_of_bags() {
    for target in ["bag_folder", "ros1_bag", "mcap", "db3"] {
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
fn whole_seeds_give_all_topics() {
    for seed in seeds() {
        let read = check(seed.target, &seed.bytes);
        let label = format!("{}/{}", seed.target, seed.name);
        match seed.name {
            "plain" | "bz2" | "lz4" | "zstd" | "bag" => assert_eq!(read, TOPICS.len() - 1, "{label}"),
            "cut" => assert!(read < TOPICS.len() - 1, "{label}"),
            _ => assert_eq!(read, 0, "{label}"),
        }
    }
}

#[test]
fn mutated_bags_never_panic() {
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
fn regenerate_corpus_of_bags() {
    for seed in seeds() {
        let folder = corpus().join(seed.target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(seed.name), &seed.bytes).unwrap();
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(random.next() as u8);
    }
    let at = random.below(bytes.len());
    match random.below(6) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = [0, 1, 5, 13, 127, 128, 255][random.below(7)],
        // Lengths and counts are four bytes: make one of them huge.
        2 => bytes[at..].iter_mut().take(4).for_each(|byte| *byte = 0xFF),
        3 => bytes.truncate(at),
        4 => bytes.insert(at, random.next() as u8),
        _ => drop(bytes.remove(at)),
    }
}
