//! Folders of bags, their maps, and databases that others wrote.
#![allow(clippy::unwrap_used, clippy::panic)]

use mapjudge_formats::{Content, Encoding, ReadOptions, read_document, read_map};
use model::Pose3;

use crate::bag_writers::{Encoder, Recording, db3, grid_message, mcap, pose_message};
use crate::bags::{codes, planar, read};

/// A folder with two files of poses and the metadata that name them, and the poses.
fn split_bag(files: [(&str, Vec<u8>); 2], message_count: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = files.each_ref().map(|(name, _)| *name);
    let metadata = format!(
        "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n  duration:\n    \
         nanoseconds: 5\n  relative_file_paths:\n    - old_folder/{first}\n    - {second}\n  \
         message_count: {message_count}\n  compression_format: zstd\n"
    );
    std::fs::write(folder.path().join("metadata.yaml"), metadata).unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn poses_from(seconds: [f64; 2], packed: bool) -> Recording {
    let messages = seconds.map(|time_s| {
        let message = pose_message(Encoding::Cdr, time_s, planar(time_s, 0.0, 0.0), 0);
        if packed { zstd::encode_all(&message[..], 1).unwrap() } else { message }
    });
    Recording::of_topic("/pose", "geometry_msgs/PoseStamped", &messages)
}

#[test]
fn the_files_of_a_bag_folder_are_one_bag_however_they_are_packed() {
    let (early, late) = (poses_from([1.0, 2.0], false), poses_from([3.0, 4.0], false));
    let zstd = |bytes: Vec<u8>| zstd::encode_all(&bytes[..], 1).unwrap();
    let packed_messages = (db3(&poses_from([1.0, 2.0], true)), mcap(&poses_from([3.0, 4.0], true), ""));
    for files in [
        [("a_0.db3", db3(&early)), ("a_1.db3", db3(&late))],
        [("a_0.mcap", mcap(&early, "zstd")), ("a_1.mcap", mcap(&late, ""))],
        [("a_0.db3.zstd", zstd(db3(&early))), ("a_1.db3.zstd", zstd(db3(&late)))],
        [("a_0.db3", packed_messages.0), ("a_1.mcap", packed_messages.1)],
    ] {
        let label = files[0].0;
        let folder = split_bag(files, 4);
        for path in [folder.path().to_owned(), folder.path().join("metadata.yaml")] {
            let summary = read_document(&path, &ReadOptions::default()).unwrap();
            let Content::Bag(bag) = &summary.content else { panic!("{label}") };
            assert_eq!((summary.format, bag.messages(), bag.topics.len()), ("ros2_bag", 4, 1), "{label}");
            assert_eq!((codes(&summary), summary.sources.len()), (Vec::new(), 3), "{label}");
            let options = ReadOptions { topic: Some("/pose".to_owned()), ..ReadOptions::default() };
            let Content::Trajectory(found) = read_document(&path, &options).unwrap().content else {
                panic!("{label}")
            };
            let times: Vec<f64> =
                found.poses.iter().map(|pose| pose.world_from_robot.position_m[0]).collect();
            assert_eq!(times, [1.0, 2.0, 3.0, 4.0], "{label}");
        }
    }
}

#[test]
fn a_bag_folder_with_wrong_metadata_is_told() {
    let files =
        || [("a.db3", db3(&poses_from([1.0, 2.0], false))), ("b.db3", db3(&poses_from([3.0, 4.0], false)))];
    let read = |folder: &tempfile::TempDir| read_document(folder.path(), &ReadOptions::default());
    assert_eq!(codes(&read(&split_bag(files(), 5)).unwrap()), ["BAG_METADATA_WRONG"]);
    let folder = split_bag(files(), 4);
    std::fs::remove_file(folder.path().join("b.db3")).unwrap();
    let error = read(&folder).unwrap_err();
    assert!(error.file().unwrap().ends_with("b.db3"), "{error}");
    let nested =
        split_bag([("a.db3", db3(&poses_from([1.0, 2.0], false))), ("metadata.yaml", Vec::new())], 4);
    let metadata = "rosbag2_bagfile_information:\n  relative_file_paths: [metadata.yaml]\n";
    std::fs::write(nested.path().join("metadata.yaml"), metadata).unwrap();
    assert!(read(&nested).unwrap_err().to_string().contains("expected a ROS bag"));
}

#[test]
fn the_only_map_of_a_bag_is_its_map() {
    let grid = testkit::grid(["##.?", "#..?"]);
    let message = grid_message(Encoding::Cdr, &grid);
    let mut recording = Recording::of_topic("/map", "nav_msgs/OccupancyGrid", std::slice::from_ref(&message));
    recording.add(
        "/pose",
        "geometry_msgs/PoseStamped",
        &[pose_message(Encoding::Cdr, 1.0, Pose3::IDENTITY, 0)],
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bag.mcap");
    std::fs::write(&path, mcap(&recording, "")).unwrap();
    let map = read_map(&path, &ReadOptions::default()).unwrap();
    assert_eq!((map.grid.classes(), map.findings[0].code.as_ref()), (grid.classes(), "BAG_MAP_TAKEN"));
    recording.add("/other", "nav_msgs/OccupancyGrid", &[message]);
    std::fs::write(&path, mcap(&recording, "")).unwrap();
    let error = read_map(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.hint().unwrap().contains("name the topic"), "{error}");
    let options = ReadOptions { topic: Some("/other".to_owned()), ..ReadOptions::default() };
    assert_eq!(read_map(&path, &options).unwrap().grid.classes(), grid.classes());
}

#[test]
fn foreign_databases_are_no_bags() {
    let mut bytes = db3(&Recording::default());
    let at = bytes.windows(8).position(|window| window == b"messages").unwrap();
    bytes[at] = b'M';
    let error = read("bag.db3", &bytes, "/scan").unwrap_err();
    assert!(error.to_string().contains("expected a table 'messages', found none"), "{error}");
    let json = Encoder::new(Encoding::Ros1).bytes;
    assert!(read("bag.db3", &json, "/scan").is_err());
}

#[test]
fn databases_written_by_sqlite_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bag.db3");
    // Rows from 0 bytes to several pages, in a tree of several levels; one page in ten is freed again.
    let script = "PRAGMA page_size=512;
        CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);
        CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);
        CREATE INDEX timestamp_idx ON messages (timestamp ASC);
        INSERT INTO topics VALUES (7, '/a', 't/msg/A', 'cdr'), (9, '/b', 't/msg/B', 'cdr');
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
        INSERT INTO messages SELECT NULL, 7 + 2 * (i % 3 = 0), i * 1000000007 - 5, zeroblob(i) FROM n;
        DELETE FROM messages WHERE id % 10 = 0;";
    let written = std::process::Command::new("sqlite3").arg(&path).arg(script).status();
    if !written.is_ok_and(|status| status.success()) {
        testkit::skip("sqlite3 is absent");
        return;
    }
    let mut lengths = Vec::new();
    let (summary, findings) = mapjudge_formats::visit_bag_messages(&path, Some("/b"), &mut |message| {
        assert!(message.data.iter().all(|&byte| byte == 0));
        lengths.push(message.data.len());
    })
    .unwrap();
    let kept = |i: &usize| !(i + 1).is_multiple_of(10);
    let expected: Vec<usize> = (0..3000).filter(kept).filter(|i| i % 3 == 0).collect();
    assert_eq!(lengths, expected);
    assert_eq!((summary.messages(), findings), (2700, Vec::new()));
    assert_eq!(summary.time_range_ns, Some((-5, 2998 * 1_000_000_007 - 5)));
}
