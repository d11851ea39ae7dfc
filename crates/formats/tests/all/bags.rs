//! Bags written by the tests themselves come back as they were, in every container and compression.
#![allow(clippy::unwrap_used, clippy::panic)]

use mapjudge_formats::{
    Content, Document, Encoding, NamedBytes, ReadError, read_bag_topic_bytes, read_map_bytes,
};
use model::{BeamModel, Dimension, LaserScan, LogRecord, Pose2, Pose3, PoseSource, Trajectory};
use proptest::prelude::*;

use crate::bag_writers::{
    Recording, db3, grid_message, mcap, odometry_message, pose_message, ros1_bag, scan_message, tf_message,
};

/// The same recording in every container: name of the file and its bytes.
fn bags(recording: impl Fn(Encoding) -> Recording) -> Vec<(&'static str, Vec<u8>)> {
    let (ros1, cdr) = (recording(Encoding::Ros1), recording(Encoding::Cdr));
    vec![
        ("plain.bag", ros1_bag(&ros1, "none")),
        ("bz2.bag", ros1_bag(&ros1, "bz2")),
        ("lz4.bag", ros1_bag(&ros1, "lz4")),
        ("plain.mcap", mcap(&cdr, "")),
        ("lz4.mcap", mcap(&cdr, "lz4")),
        ("zstd.mcap", mcap(&cdr, "zstd")),
        ("bag.db3", db3(&cdr)),
    ]
}

pub fn read(name: &str, bytes: &[u8], topic: &str) -> Result<Document, ReadError> {
    read_bag_topic_bytes(NamedBytes { name, bytes }, topic)
}

pub fn codes(document: &Document) -> Vec<&str> {
    document.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

fn trajectory(name: &str, bytes: &[u8], topic: &str) -> Trajectory {
    match read(name, bytes, topic).unwrap_or_else(|error| panic!("{error}")).content {
        Content::Trajectory(trajectory) => trajectory,
        other => panic!("{name}: {}", other.kind().name()),
    }
}

pub fn planar(x_m: f64, y_m: f64, yaw_rad: f64) -> Pose3 {
    Pose2::new(x_m, y_m, yaw_rad).into()
}

prop_compose! {
    fn scans()(
        ranges_m in proptest::collection::vec(prop_oneof![0.0_f32..50.0, Just(f32::INFINITY)], 0..400),
        has_remissions: bool,
        (first_rad, step_rad, max_range_m) in (-3.2_f32..0.0, 0.001_f32..0.1, 1.0_f32..100.0),
        time_ms in 0_u32..4_000_000,
    ) -> LaserScan {
        let remissions = if has_remissions { ranges_m.iter().map(|range| range + 1.0).collect() } else { Vec::new() };
        LaserScan {
            time_s: f64::from(time_ms / 1000) + f64::from(time_ms % 1000) / 1000.0,
            beams: BeamModel {
                first_rad: f64::from(first_rad),
                step_rad: f64::from(step_rad),
                max_range_m: f64::from(max_range_m),
                is_guessed: false,
            },
            ranges_m,
            remissions,
            world_from_laser: None,
            world_from_robot: None,
            sensor: "/scan".to_owned(),
        }
    }
}

prop_compose! {
    fn grids()((width, height) in (1_usize..40, 1_usize..40))(
        rows in proptest::collection::vec(proptest::collection::vec("[#.?]", width), height),
        (x_m, y_m) in (-100.0..100.0, -100.0..100.0),
        cell_size_mm in 1_u32..500,
    ) -> model::Grid {
        let rows: Vec<String> = rows.iter().map(|row| row.concat()).collect();
        testkit::grid_at(rows, f64::from(cell_size_mm) / 1000.0, Pose2::new(x_m, y_m, 0.0))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn scans_come_back_exactly(scans in proptest::collection::vec(scans(), 1..20)) {
        let expected: Vec<_> = scans.iter().cloned().map(LogRecord::Scan).collect();
        let recording = |encoding| {
            let messages: Vec<_> = scans.iter().map(|scan| scan_message(encoding, scan)).collect();
            Recording::of_topic("/scan", "sensor_msgs/LaserScan", &messages)
        };
        for (name, bytes) in bags(recording) {
            let document = read(name, &bytes, "/scan").unwrap();
            let Content::Log(log) = &document.content else { panic!("{name}") };
            prop_assert_eq!(&log.records, &expected, "{}", name);
            prop_assert!(document.findings.is_empty(), "{}: {:?}", name, document.findings);
        }
    }

    #[test]
    fn maps_come_back_exactly(grid in grids()) {
        let recording = |encoding| {
            Recording::of_topic("/map", "nav_msgs/OccupancyGrid", &[grid_message(encoding, &grid)])
        };
        for (name, bytes) in bags(recording) {
            let document = read(name, &bytes, "/map").unwrap();
            let Content::Raster(map) = &document.content else { panic!("{name}") };
            prop_assert_eq!(&map.grid, &grid, "{}", name);
            prop_assert!(document.findings.is_empty(), "{}: {:?}", name, document.findings);
        }
    }
}

#[test]
fn odometry_and_poses_come_back() {
    let pose = Pose3::new([1.0, -2.0, 0.0], [0.0, 0.0, 0.6, 0.8]).unwrap();
    let tilted = Pose3::new([1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.5]).unwrap();
    let recording = |encoding| {
        let odometry = odometry_message(encoding, 12.5, pose, [0.5, -0.25]);
        let mut recording = Recording::of_topic("/odom", "nav_msgs/Odometry", &[odometry]);
        recording.add("/pose", "geometry_msgs/PoseStamped", &[pose_message(encoding, 1.25, tilted, 0)]);
        let estimate = pose_message(encoding, 2.25, pose, 36);
        recording.add("/amcl_pose", "geometry_msgs/PoseWithCovarianceStamped", &[estimate]);
        recording
    };
    for (name, bytes) in bags(recording) {
        let Content::Log(log) = read(name, &bytes, "/odom").unwrap().content else { panic!("{name}") };
        let odometry = log.odometry().next().unwrap();
        assert_eq!((odometry.time_s, odometry.odom_from_robot), (12.5, pose.planar()), "{name}");
        assert_eq!((odometry.speed_mps, odometry.turn_rate_radps), (Some(0.5), Some(-0.25)), "{name}");
        let spatial = trajectory(name, &bytes, "/pose");
        assert_eq!((spatial.dimension, spatial.poses[0].time_s), (Dimension::Spatial, 1.25), "{name}");
        assert_eq!(spatial.poses[0].world_from_robot, tilted, "{name}");
        let estimated = trajectory(name, &bytes, "/amcl_pose");
        assert_eq!(
            (estimated.dimension, estimated.poses[0].world_from_robot),
            (Dimension::Planar, pose),
            "{name}"
        );
    }
}

#[test]
fn transforms_are_sorted_and_composed_with_static_ones() {
    // odom moves 2 m in the map within 2 s, the robot 1 m per second in odom, the laser sits 0.5 m ahead.
    let quarter = std::f64::consts::FRAC_PI_2;
    let recording = |encoding| {
        let at = |time_s: f64| (time_s, "odom", "base", planar(time_s - 10.0, 0.0, 0.0));
        let messages = [
            tf_message(encoding, &[at(10.0), (10.0, "map", "/odom", planar(0.0, 0.0, quarter))]),
            tf_message(encoding, &[at(12.0)]),
            tf_message(encoding, &[at(11.0), (12.0, "map", "odom", planar(2.0, 0.0, quarter)), at(13.0)]),
        ];
        let mut recording = Recording::of_topic("/tf", "tf2_msgs/TFMessage", &messages);
        let fixed = tf_message(encoding, &[(0.0, "base", "laser", planar(0.5, 0.0, 0.0))]);
        recording.add("/tf_static", "tf2_msgs/TFMessage", &[fixed]);
        recording
    };
    for (name, bytes) in bags(recording) {
        let direct = trajectory(name, &bytes, "/tf:odom.base");
        let times: Vec<_> = direct.poses.iter().map(|pose| pose.time_s).collect();
        assert_eq!(times, [10.0, 11.0, 12.0, 13.0], "{name}");
        assert_eq!(direct.poses[3].world_from_robot, planar(3.0, 0.0, 0.0), "{name}");
        let document = read(name, &bytes, "/tf:map.laser").unwrap();
        assert_eq!(codes(&document), ["TF_OUT_OF_ORDER", "TF_COMPOSED"], "{name}");
        let Content::Trajectory(composed) = document.content else { panic!("{name}") };
        // Facing along y: at 11 s odom is at x = 1 and the laser 1 + 0.5 ahead. At 13 s the map says nothing.
        let expected = [
            (0.0, 0.5, PoseSource::Measured),
            (1.0, 1.5, PoseSource::Interpolated),
            (2.0, 2.5, PoseSource::Measured),
        ];
        assert_eq!(composed.poses.len(), expected.len(), "{name}");
        for (pose, (x_m, y_m, source)) in composed.poses.iter().zip(expected) {
            let found = pose.world_from_robot.planar();
            let near =
                (found.x_m - x_m).abs() + (found.y_m - y_m).abs() + (found.theta_rad - quarter).abs() < 1e-12;
            assert!(near && pose.source == source, "{name}: {pose:?}");
        }
        let back = trajectory(name, &bytes, "/tf:base.odom");
        assert_eq!(back.poses[3].world_from_robot.planar().x_m, -3.0, "{name}");
        let error = read(name, &bytes, "/tf").unwrap_err();
        assert!(error.to_string().contains("map.odom, odom.base, base.laser"), "{error}");
        assert!(error.hint().unwrap().contains("/tf:parent.child"));
        assert!(read(name, &bytes, "/tf:map.nowhere").is_err(), "{name}");
        assert_eq!(trajectory(name, &bytes, "/tf_static").poses.len(), 1, "{name}");
    }
}

#[test]
fn percentages_odd_cells_and_later_maps_are_told() {
    let recording = |encoding| {
        let first = grid_message(encoding, &testkit::grid(["#"]));
        let mut second = grid_message(encoding, &testkit::grid(["#..", "..?"]));
        let cells = second.len() - 6;
        // Bottom row first: 30 %, 50 %, 101 (odd); then 100 %, 0 %, unknown.
        second[cells..].copy_from_slice(&[30, 50, 101, 100, 0, 0xFF]);
        Recording::of_topic("/map", "nav_msgs/OccupancyGrid", &[first, second])
    };
    for (name, bytes) in bags(recording) {
        let document = read(name, &bytes, "/map").unwrap();
        assert_eq!(codes(&document), ["BAG_SEVERAL_MAPS", "OCCUPANCY_OUT_OF_RANGE"], "{name}");
        let Content::Raster(map) = document.content else { panic!("{name}") };
        assert_eq!(testkit::rows(&map.grid), ["#.?", ".??"], "{name}");
        assert_eq!(map.grid.probabilities().unwrap(), [1.0, 0.0, 0.5, 0.3, 0.5, 0.5], "{name}");
    }
}

#[test]
fn broken_messages_are_counted_and_only_broken_ones_refused() {
    let recording = |encoding| {
        let good = pose_message(encoding, 1.0, Pose3::IDENTITY, 0);
        let cut = good[..good.len() - 1].to_vec();
        let long = [good.clone(), vec![0; 9]].concat();
        let no_rotation =
            pose_message(encoding, 1.0, Pose3 { rotation_xyzw: [0.0; 4], ..Pose3::IDENTITY }, 0);
        let mut recording = Recording::of_topic(
            "/mixed",
            "geometry_msgs/PoseStamped",
            &[good, cut.clone(), long, no_rotation],
        );
        recording.add("/broken", "geometry_msgs/PoseStamped", &[cut]);
        recording.add("/empty", "geometry_msgs/PoseStamped", &[]);
        recording.add("/text", "std_msgs/String", &[vec![0; 4]]);
        recording
    };
    for (name, bytes) in bags(recording) {
        let document = read(name, &bytes, "/mixed").unwrap();
        let message = &document.findings[0].message;
        assert!(message.starts_with("3 of 4 messages of /mixed were left out: byte"), "{name}: {message}");
        for (topic, reason) in [
            ("/broken", "expected messages of type geometry_msgs/"),
            ("/empty", "expected at least one message, found none"),
            ("/text", "expected sensor_msgs/LaserScan, "),
            ("/nowhere", "expected one of /broken, /empty, /mixed, /text, found '/nowhere'"),
        ] {
            let error = read(name, &bytes, topic).unwrap_err().to_string();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }
}

#[test]
fn a_bag_given_as_a_map_is_named_a_bag() {
    for (name, bytes) in bags(|_| Recording::default()) {
        let error = read_map_bytes(NamedBytes { name, bytes: &bytes }, &[], &Default::default()).unwrap_err();
        assert!(error.to_string().contains("expected a map, found a bag of several topics ("), "{error}");
    }
}

#[test]
fn cut_bags_give_their_beginning_with_a_finding() {
    let poses = |encoding| {
        let messages: Vec<_> = (0..200)
            .map(|i| pose_message(encoding, f64::from(i), planar(f64::from(i), 0.0, 0.0), 0))
            .collect();
        Recording::of_topic("/pose", "geometry_msgs/PoseStamped", &messages)
    };
    for (name, bytes) in bags(poses) {
        // A compressed chunk is a single piece, and the tree of our database stands at its end; only plain
        // chunks give up their first messages for sure.
        let is_plain = name.starts_with("plain");
        let document = read(name, &bytes[..bytes.len() / 2], "/pose");
        match document {
            Ok(document) => {
                assert!(codes(&document).contains(&"BAG_CUT_OFF"), "{name}: {:?}", document.findings);
                let Content::Trajectory(trajectory) = document.content else { panic!("{name}") };
                assert!((1..200).contains(&trajectory.poses.len()), "{name}");
            }
            Err(error) => assert!(!is_plain && matches!(error, ReadError::Truncated { .. }), "{error}"),
        }
        let start = read(name, &bytes[..40], "/pose").unwrap_err();
        assert!(matches!(start, ReadError::Truncated { .. }), "{name}: {start}");
    }
}

#[test]
fn damaged_chunks_are_refused_with_a_reason_or_read_up_to_the_damage() {
    let poses = |encoding| {
        let pose = |i: u32| pose_message(encoding, f64::from(i), planar(f64::from(i).sin(), 0.0, 0.0), 0);
        Recording::of_topic("/pose", "geometry_msgs/PoseStamped", &(0..500).map(pose).collect::<Vec<_>>())
    };
    // Neither a plain chunk nor one of lz4 without its checksum can tell that a byte was changed.
    let with_checksum = |(name, _): &(&str, Vec<u8>)| ["bz2.bag", "zstd.mcap"].contains(name);
    for (name, bytes) in bags(poses).into_iter().filter(with_checksum) {
        let mut refused = 0;
        let middle = if name == "bz2.bag" { 4109 + 2000 } else { 1000 };
        for at in middle..middle + 40 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            match read(name, &damaged, "/pose") {
                Ok(document) if codes(&document).contains(&"BAG_DAMAGED") => {
                    refused += 1;
                    let message = &document.findings[0].message;
                    assert!(
                        message.contains("of the chunk)") && message.contains(" messages before it"),
                        "{message}"
                    );
                }
                Ok(document) => {
                    assert_eq!(codes(&document)[..1], ["BAG_CHECKSUM_WRONG"], "{name}: byte {at}");
                }
                Err(error) => {
                    refused += 1;
                    let error = error.to_string();
                    assert!(error.contains("of the chunk)") && error.contains(": byte "), "{error}");
                }
            }
        }
        // bz2 has its own checksum; zstd has none here, but mcap has.
        assert!(refused == 40 || name == "zstd.mcap", "{name}: {refused}");
    }
}

#[test]
fn wrong_indices_and_checksums_are_told() {
    let recording = Recording::of_topic("/a", "std_msgs/String", &[vec![1, 2, 3, 4]]);
    let codes_of = |name: &str, bytes: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let (summary, findings) = mapjudge_formats::visit_bag_messages(&path, None, &mut |_| {}).unwrap();
        assert_eq!(summary.messages(), 1);
        findings.iter().map(|finding| finding.code.to_string()).collect::<Vec<_>>()
    };
    let find =
        |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).position(|window| window == part).unwrap();
    let good = ros1_bag(&recording, "none");
    assert_eq!(codes_of("a.bag", &good), Vec::<String>::new());
    for (field, value, code) in [
        ("index_pos=", 7, "BAG_INDEX_WRONG"),
        ("chunk_count=", 7, "BAG_INDEX_WRONG"),
        ("count=\x01\0\0\0\x0c", 2, "BAG_INDEX_WRONG"),
    ] {
        let mut bytes = good.clone();
        let at = find(&bytes, field.as_bytes()) + field.find('=').unwrap() + 1;
        bytes[at] = value;
        assert_eq!(codes_of("a.bag", &bytes), [code], "{field}");
    }
    let mut unclosed = good.clone();
    let at = find(&unclosed, b"index_pos=") + 10;
    unclosed[at..at + 8].fill(0);
    assert_eq!(codes_of("a.bag", &unclosed), ["BAG_NOT_CLOSED"]);
    let good = mcap(&recording, "");
    assert_eq!(codes_of("a.mcap", &good), Vec::<String>::new());
    let mut damaged = good.clone();
    let at = find(&damaged, &[1, 2, 3, 4]);
    damaged[at] = 9;
    assert_eq!(codes_of("a.mcap", &damaged), ["BAG_CHECKSUM_WRONG"]);
    let unclosed = &good[..good.len() - 8];
    assert_eq!(codes_of("a.mcap", unclosed), ["BAG_NOT_CLOSED"]);
}

#[test]
fn messages_that_shrink_beyond_belief_are_refused() {
    // A chunk that promises 512 MiB and one byte, and one of 500 MiB in a file of 4 kB.
    let mut bomb = ros1_bag(&Recording::default(), "bz2");
    let at = bomb.windows(5).position(|window| window == b"size=").unwrap() + 5;
    for (promised_bytes, reason) in [
        ((512_u32 << 20) + 1, "a chunk of at most 536870912 bytes, found 536870913"),
        (500 << 20, "chunks that hold at most 100 times their length in the file, found 524288000 bytes"),
        (3, "a chunk of 3 bytes, found 0"),
    ] {
        bomb[at..at + 4].copy_from_slice(&promised_bytes.to_le_bytes());
        let error = read("bomb.bag", &bomb, "/scan").unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_database_log_that_is_not_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bag.db3");
    let message = pose_message(Encoding::Cdr, 1.0, Pose3::IDENTITY, 0);
    let mut bytes = db3(&Recording::of_topic("/pose", "geometry_msgs/PoseStamped", &[message]));
    bytes[18..20].fill(2);
    std::fs::write(&path, &bytes).unwrap();
    let read = || mapjudge_formats::read_bag_topic(&path, "/pose").unwrap();
    assert_eq!(codes(&read()), Vec::<&str>::new());
    std::fs::write(folder.path().join("bag.db3-wal"), b"newer").unwrap();
    assert_eq!(codes(&read()), ["DB3_LOG_NOT_READ"]);
}
