//! Public bags of real robots and simulators; skipped where the data is not beside the repository.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use mapjudge_formats::{
    BagSummary, Content, Document, ReadOptions, read_bag_topic, read_document, visit_bag_messages,
};
use model::{Dimension, PoseSource, Trajectory};

fn bags() -> Option<PathBuf> {
    testkit::shared_data("ros-bags")
}

fn summary(path: &Path) -> BagSummary {
    let document = read_document(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(document.findings, [], "{}", path.display());
    let Content::Bag(summary) = document.content else { panic!("{} is no bag", path.display()) };
    summary
}

fn counts(summary: &BagSummary) -> Vec<(&str, u64)> {
    summary.topics.iter().map(|topic| (topic.name.as_str(), topic.messages)).collect()
}

fn codes(document: &Document) -> Vec<&str> {
    document.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

#[test]
fn topics_and_counts_are_those_of_the_collection() {
    let Some(folder) = bags() else { return };
    type Counts = [(&'static str, u64)];
    let tables: [(&str, f64, &Counts); 5] = [
        (
            "slam_gmapping_test_data/test_replay_crash.bag",
            5.4,
            &[("/odom", 1086), ("/scan", 136), ("/tf", 1196)],
        ),
        (
            "evo/nav2_turtlebot.mcap",
            97.4,
            &[("/amcl_pose", 135), ("/odom", 2639), ("/tf", 5422), ("/tf_static", 1)],
        ),
        ("evo/tf_example.bag", 51.7, &[("/tf", 517), ("/tf_static", 1)]),
        ("lambkin/basic.bag", 4.6, &[("/input", 47)]),
        ("lambkin/basic_0.db3", 5.0, &[("/clock", 762), ("/tf", 76)]),
    ];
    for (name, duration_s, expected) in tables {
        let summary = summary(&folder.join(name));
        assert_eq!(counts(&summary), expected, "{name}");
        let (first_s, last_s) = summary.time_range_s().unwrap();
        assert!((last_s - first_s - duration_s).abs() < 0.05, "{name}: {first_s} to {last_s}");
    }
    let no_messages = summary(&folder.join("foxglove-rosbag/no-messages.bag"));
    assert_eq!(no_messages, BagSummary::default());
    let empty = read_document(&folder.join("foxglove-rosbag/empty-file.bag"), &ReadOptions::default());
    let message = empty.unwrap_err().to_string();
    assert!(message.ends_with("byte 0: expected '#ROSBAG V2.0', found nothing"), "{message}");
}

#[test]
fn time_ranges_are_those_of_the_metadata() {
    let Some(folder) = bags() else { return };
    // starting_time and duration of the two metadata.yaml, in nanoseconds.
    for (name, first_ns, duration_ns) in [
        ("evo/tf_example/tf_example.db3", 1_714_741_164_111_822_142, 51_684_723_334),
        ("lambkin/basic_0.db3", 1_676_668_727_219_043_066, 4_997_044_947),
    ] {
        let summary = summary(&folder.join(name));
        assert_eq!(summary.time_range_ns, Some((first_ns, first_ns + duration_ns)), "{name}");
    }
}

#[test]
fn one_recording_gives_the_same_bytes_plain_and_in_both_compressions() {
    let Some(folder) = bags() else { return };
    let messages = |name: &str| {
        let mut messages = Vec::new();
        let path = folder.join("foxglove-rosbag").join(name);
        let (summary, findings) = visit_bag_messages(&path, None, &mut |message| {
            messages.push((message.channel.clone(), message.time_ns, message.data.to_vec()));
        })
        .unwrap();
        assert_eq!((summary.topic("/tf").unwrap().messages, findings), (2688, Vec::new()), "{name}");
        assert_eq!(summary.messages(), messages.len() as u64, "{name}");
        // Compressing anew may change the order of chunks, not what is in them.
        messages.sort_by(|a, b| (a.1, &a.0.topic, &a.2).cmp(&(b.1, &b.0.topic, &b.2)));
        messages
    };
    let plain = messages("example.bag");
    assert_eq!(plain.len(), 8647);
    assert!(plain == messages("example-bz2.bag"), "bz2 differs");
    assert!(plain == messages("example-lz4.bag"), "lz4 differs");
}

#[test]
fn scans_and_odometry_of_a_robot_are_read() {
    let Some(folder) = bags() else { return };
    let path = folder.join("slam_gmapping_test_data/test_replay_crash.bag");
    let Content::Log(scans) = read_bag_topic(&path, "/scan").unwrap().content else { panic!("no log") };
    assert_eq!(scans.scans().count(), 136);
    for scan in scans.scans() {
        assert_eq!(scan.ranges_m.len(), 381);
        let last_rad = scan.beams.first_rad + 380.0 * scan.beams.step_rad;
        assert!((scan.beams.first_rad + 1.658).abs() < 1e-3 && (last_rad - 1.658).abs() < 1e-3, "{last_rad}");
    }
    let Content::Log(odometry) = read_bag_topic(&path, "/odom").unwrap().content else { panic!("no log") };
    assert_eq!(odometry.odometry().count(), 1086);
}

fn trajectory(document: Document) -> Trajectory {
    let Content::Trajectory(trajectory) = document.content else { panic!("no trajectory") };
    trajectory
}

#[test]
fn pairs_of_frames_that_overtake_each_other_are_told_apart() {
    let Some(folder) = bags() else { return };
    let path = folder.join("slam_gmapping_test_data/test_replay_crash.bag");
    // 1082 of the 1196 transforms come behind a younger one, always one of another pair: the laser's are
    // stamped 0.1 s ahead. That order made replays crash.
    let lengths = ["odom.base_link", "base_link.laser", "base_link.laser2"].map(|frames| {
        let document = read_bag_topic(&path, &format!("/tf:{frames}")).unwrap();
        assert_eq!(codes(&document), Vec::<&str>::new(), "{frames}");
        let poses = trajectory(document).poses;
        assert!(poses.is_sorted_by_key(|pose| pose.time_s), "{frames}");
        poses.len()
    });
    assert_eq!(lengths.iter().sum::<usize>(), 1196, "{lengths:?}");
    let laser = read_bag_topic(&path, "/tf:odom.laser").unwrap();
    assert_eq!(codes(&laser), ["TF_COMPOSED"]);
    assert!(trajectory(laser).poses.len() > 1000);
}

#[test]
fn the_same_transforms_come_from_a_bag_and_a_database() {
    let Some(folder) = bags() else { return };
    let bag = read_bag_topic(&folder.join("evo/tf_example.bag"), "/tf").unwrap();
    let database = read_bag_topic(&folder.join("evo/tf_example/tf_example.db3"), "/tf").unwrap();
    assert_eq!((bag.format, database.format), ("ros1_bag", "db3"));
    assert_eq!(bag.content, database.content);
    assert_eq!(trajectory(bag).poses.len(), 517);
}

#[test]
fn the_robot_of_a_navigation_run_is_placed_in_the_map_through_odometry() {
    let Some(folder) = bags() else { return };
    let path = folder.join("evo/nav2_turtlebot.mcap");
    let estimated = trajectory(read_bag_topic(&path, "/amcl_pose").unwrap());
    assert_eq!((estimated.poses.len(), estimated.dimension), (135, Dimension::Planar));
    let document = read_bag_topic(&path, "/tf:map.base_link").unwrap();
    assert!(codes(&document).contains(&"TF_COMPOSED"), "{:?}", document.findings);
    let composed = trajectory(document);
    // Both are the filter's opinion, but it stamps its transform a second ahead: while it corrects itself,
    // they differ by the correction.
    let mut distances_m: Vec<f64> = estimated
        .poses
        .iter()
        .filter_map(|pose| {
            let near = composed.poses.iter().find(|other| (other.time_s - pose.time_s).abs() < 0.02)?;
            let (a, b) = (pose.world_from_robot.position_m, near.world_from_robot.position_m);
            Some((a[0] - b[0]).hypot(a[1] - b[1]))
        })
        .collect();
    distances_m.sort_by(f64::total_cmp);
    assert!(distances_m.len() > 100, "{} stamps in common", distances_m.len());
    let (median_m, largest_m) = (distances_m[distances_m.len() / 2], distances_m[distances_m.len() - 1]);
    assert!(median_m < 0.05 && largest_m < 0.2, "median {median_m} m, largest {largest_m} m");
    assert!(composed.poses.iter().any(|pose| pose.source == PoseSource::Interpolated));
}
