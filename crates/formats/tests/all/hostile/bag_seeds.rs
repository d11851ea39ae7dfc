//! Small recordings of ROS, whole and cut.

use mapjudge_formats::Encoding;
use model::{BeamModel, LaserScan, Pose3};

use crate::Files;
use crate::bag_writers::{
    Recording, db3, grid_message, mcap, odometry_message, pose_message, ros1_bag, scan_message, tf_message,
};

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

/// Seeds by fuzz selector.
pub fn seeds() -> Vec<(&'static str, Files)> {
    let (ros1, cdr, none) = (recording(Encoding::Ros1), recording(Encoding::Cdr), Recording::default());
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    vec![
        (
            "ros1_bag",
            vec![
                ("plain", ros1_bag(&ros1, "none")),
                ("bz2", ros1_bag(&ros1, "bz2")),
                ("lz4", ros1_bag(&ros1, "lz4")),
                ("no_messages", ros1_bag(&none, "none")),
                ("cut", half(ros1_bag(&ros1, "none"))),
            ],
        ),
        (
            "mcap",
            vec![
                ("plain", mcap(&cdr, "")),
                ("lz4", mcap(&cdr, "lz4")),
                ("zstd", mcap(&cdr, "zstd")),
                ("no_messages", mcap(&none, "")),
                ("cut", half(mcap(&cdr, ""))),
            ],
        ),
        (
            "bag_folder",
            vec![
                ("plain", folder(&mcap(&cdr, ""), "message_count: 14")),
                ("zstd", folder(&zstd::encode_all(&mcap(&cdr, "")[..], 1).unwrap(), "version: 5")),
                ("cut", folder(&half(mcap(&cdr, "")), "version: 5")),
                ("no_messages", folder(&mcap(&none, ""), "message_count: 3")),
                ("no_file", b"rosbag2_bagfile_information:\n  relative_file_paths: []\n".to_vec()),
            ],
        ),
        (
            "db3",
            vec![
                ("bag", db3(&cdr)),
                ("no_messages", db3(&none)),
                ("cut", half(db3(&cdr))),
                ("header", db3(&none)[..100].to_vec()),
                ("empty", Vec::new()),
            ],
        ),
    ]
}

/// The metadata of a bag, a zero byte, and its file.
fn folder(file: &[u8], line: &str) -> Vec<u8> {
    let metadata =
        format!("rosbag2_bagfile_information:\n  relative_file_paths:\n    - bag/file.mcap\n  {line}\n\0");
    [metadata.as_bytes(), file].concat()
}
