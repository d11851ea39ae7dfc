//! Tiny bags made by the tests: messages in both encodings, in all three containers.

mod db3;
mod encoder;
mod mcap;
mod ros1;

pub use db3::db3;
pub use encoder::Encoder;
pub use mcap::mcap;
pub use ros1::ros1_bag;

use mapjudge_formats::Encoding;
use model::{CellClass, Grid, LaserScan, Pose3};

/// What is to stand in a bag.
#[derive(Clone, Default)]
pub struct Recording {
    /// Topic and type, in the spelling of ROS 1.
    pub channels: Vec<(String, String)>,
    /// Number of the channel, time of recording, bytes.
    pub messages: Vec<(usize, i64, Vec<u8>)>,
}

impl Recording {
    pub fn of_topic(topic: &str, type_name: &str, messages: &[Vec<u8>]) -> Self {
        let mut recording = Self::default();
        recording.add(topic, type_name, messages);
        recording
    }

    /// Adds a topic; its messages are recorded one millisecond apart, from second 100 on.
    pub fn add(&mut self, topic: &str, type_name: &str, messages: &[Vec<u8>]) {
        let channel = self.channels.len();
        self.channels.push((topic.to_owned(), type_name.to_owned()));
        for data in messages {
            let time_ns = 100_000_000_000 + 1_000_000 * self.messages.len() as i64;
            self.messages.push((channel, time_ns, data.clone()));
        }
    }
}

/// `sensor_msgs/LaserScan`.
pub fn scan_message(encoding: Encoding, scan: &LaserScan) -> Vec<u8> {
    let mut encoder = Encoder::new(encoding);
    encoder.header(scan.time_s, "laser");
    let last_rad = scan.beams.first_rad + scan.beams.step_rad * scan.ranges_m.len() as f64;
    for number in
        [scan.beams.first_rad, last_rad, scan.beams.step_rad, 0.0, 0.1, 0.02, scan.beams.max_range_m]
    {
        encoder.f32(number as f32);
    }
    for sequence in [&scan.ranges_m, &scan.remissions] {
        encoder.u32(sequence.len() as u32);
        sequence.iter().for_each(|&number| encoder.f32(number));
    }
    encoder.bytes
}

/// `nav_msgs/OccupancyGrid` of a grid without yaw.
pub fn grid_message(encoding: Encoding, grid: &Grid) -> Vec<u8> {
    let geometry = grid.geometry();
    let mut encoder = Encoder::new(encoding);
    encoder.header(7.5, "map");
    encoder.time(0.0);
    encoder.f32(geometry.cell_size_m() as f32);
    encoder.u32(geometry.width() as u32);
    encoder.u32(geometry.height() as u32);
    encoder.pose(Pose3 {
        position_m: [geometry.origin().x_m, geometry.origin().y_m, 0.0],
        rotation_xyzw: Pose3::IDENTITY.rotation_xyzw,
    });
    encoder.u32(geometry.cells() as u32);
    for row in grid.classes().chunks(geometry.width()).rev() {
        encoder.bytes.extend(row.iter().map(|class| match class {
            CellClass::Free => 0,
            CellClass::Occupied => 100,
            CellClass::Unknown => 0xFF,
        }));
    }
    encoder.bytes
}

/// `nav_msgs/Odometry`.
pub fn odometry_message(encoding: Encoding, time_s: f64, pose: Pose3, [speed, turn]: [f64; 2]) -> Vec<u8> {
    let mut encoder = Encoder::new(encoding);
    encoder.header(time_s, "odom");
    encoder.text("base_link");
    encoder.pose(pose);
    (0..36).for_each(|index| encoder.f64(f64::from(index)));
    [speed, 0.0, 0.0, 0.0, 0.0, turn].iter().for_each(|&number| encoder.f64(number));
    (0..36).for_each(|index| encoder.f64(f64::from(index)));
    encoder.bytes
}

/// `geometry_msgs/PoseStamped`, or `PoseWithCovarianceStamped` with 36 numbers of covariance.
pub fn pose_message(encoding: Encoding, time_s: f64, pose: Pose3, covariances: usize) -> Vec<u8> {
    let mut encoder = Encoder::new(encoding);
    encoder.header(time_s, "map");
    encoder.pose(pose);
    (0..covariances).for_each(|_| encoder.f64(0.25));
    encoder.bytes
}

/// `tf2_msgs/TFMessage` of transforms: time, parent, child, pose.
pub fn tf_message(encoding: Encoding, transforms: &[(f64, &str, &str, Pose3)]) -> Vec<u8> {
    let mut encoder = Encoder::new(encoding);
    encoder.u32(transforms.len() as u32);
    for (time_s, parent, child, pose) in transforms {
        encoder.header(*time_s, parent);
        encoder.text(child);
        encoder.pose(*pose);
    }
    encoder.bytes
}
