//! The messages that are understood: `LaserScan`, `Odometry`, `PoseStamped`, `PoseWithCovarianceStamped`,
//! `TFMessage` and `OccupancyGrid`, of ROS 1 and ROS 2. Definitions: <https://github.com/ros2/common_interfaces>.
//!
//! Stamps are those of the headers, not the times of recording. Departure: the resolution of an occupancy grid
//! is a 32-bit number, and the shortest decimal that it stands for is taken: 0.05, not 0.0500000007.

use model::{BeamModel, CellClass, Grid, GridGeometry, LaserScan, MemoryLimit, MemoryNeed, Odometry, Pose3};

use super::visitor::Encoding;
use super::wire::{Broken, Wire};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageType {
    LaserScan,
    Odometry,
    PoseStamped,
    PoseWithCovarianceStamped,
    Tf,
    OccupancyGrid,
}

impl MessageType {
    /// The names understood, for messages.
    pub const NAMES: &'static str = "sensor_msgs/LaserScan, nav_msgs/Odometry, geometry_msgs/PoseStamped, \
         geometry_msgs/PoseWithCovarianceStamped, tf2_msgs/TFMessage or nav_msgs/OccupancyGrid";

    /// The type of a name, in the spelling of ROS 1 or of ROS 2.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name.replacen("/msg/", "/", 1).as_str() {
            "sensor_msgs/LaserScan" => Self::LaserScan,
            "nav_msgs/Odometry" => Self::Odometry,
            "geometry_msgs/PoseStamped" => Self::PoseStamped,
            "geometry_msgs/PoseWithCovarianceStamped" => Self::PoseWithCovarianceStamped,
            "tf2_msgs/TFMessage" | "tf/tfMessage" => Self::Tf,
            "nav_msgs/OccupancyGrid" => Self::OccupancyGrid,
            _ => return None,
        })
    }
}

/// `std_msgs/Header`: the time and the frame of a message.
struct Header {
    stamp_ns: i64,
    frame: String,
}

impl Header {
    fn read(wire: &mut Wire<'_>) -> Result<Self, Broken> {
        if wire.encoding == Encoding::Ros1 {
            let _sequence = wire.u32()?;
        }
        Ok(Self { stamp_ns: stamp_ns(wire)?, frame: wire.text()? })
    }
}

fn stamp_ns(wire: &mut Wire<'_>) -> Result<i64, Broken> {
    // Seconds are unsigned in ROS 1 and signed in ROS 2.
    let seconds = match wire.encoding {
        Encoding::Ros1 => i64::from(wire.u32()?),
        Encoding::Cdr | Encoding::Other => i64::from(wire.i32()?),
    };
    Ok(seconds * 1_000_000_000 + i64::from(wire.u32()?))
}

/// Seconds of nanoseconds.
pub(crate) fn seconds(stamp_ns: i64) -> f64 {
    // Whole seconds and the rest apart: one division of the sum would round twice.
    stamp_ns.div_euclid(1_000_000_000) as f64 + stamp_ns.rem_euclid(1_000_000_000) as f64 / 1e9
}

fn pose(wire: &mut Wire<'_>) -> Result<Pose3, Broken> {
    let (position_m, quaternion_xyzw) = (wire.f64s()?, wire.f64s()?);
    Pose3::new(position_m, quaternion_xyzw).ok_or_else(|| {
        Broken(format!(
            "expected a finite pose, found {position_m:?} with the quaternion {quaternion_xyzw:?}"
        ))
    })
}

/// The frame of a message that begins with a header.
pub(crate) fn frame(wire: &mut Wire<'_>) -> Result<String, Broken> {
    Ok(Header::read(wire)?.frame)
}

/// The frame of the robot in `nav_msgs/Odometry`.
pub(crate) fn robot_frame(wire: &mut Wire<'_>) -> Result<String, Broken> {
    Header::read(wire)?;
    wire.text()
}

/// `sensor_msgs/LaserScan`.
pub(crate) fn laser_scan(wire: &mut Wire<'_>, topic: &str) -> Result<LaserScan, Broken> {
    let header = Header::read(wire)?;
    let (first_rad, _last_rad, step_rad) = (wire.f32()?, wire.f32()?, wire.f32()?);
    let (_beam_time_s, _scan_time_s) = (wire.f32()?, wire.f32()?);
    let (_min_range_m, max_range_m) = (wire.f32()?, wire.f32()?);
    let beams = BeamModel {
        first_rad: f64::from(first_rad),
        step_rad: f64::from(step_rad),
        max_range_m: f64::from(max_range_m),
        is_guessed: false,
    };
    if !(first_rad.is_finite() && step_rad.is_finite()) {
        return Err(Broken(format!("expected finite angles, found {first_rad} and {step_rad}")));
    }
    let (ranges_m, remissions) = (wire.f32_sequence()?, wire.f32_sequence()?);
    wire.end()?;
    Ok(LaserScan {
        time_s: seconds(header.stamp_ns),
        beams,
        ranges_m,
        remissions,
        world_from_laser: None,
        world_from_robot: None,
        sensor: topic.to_owned(),
    })
}

/// `nav_msgs/Odometry`.
pub(crate) fn odometry(wire: &mut Wire<'_>) -> Result<Odometry, Broken> {
    let header = Header::read(wire)?;
    let _robot_frame = wire.text()?;
    let odom_from_robot = pose(wire)?.planar();
    let _covariance: [f64; 36] = wire.f64s()?;
    let ([speed_mps, ..], [.., turn_rate_radps]) = (wire.f64s::<3>()?, wire.f64s::<3>()?);
    let _covariance: [f64; 36] = wire.f64s()?;
    wire.end()?;
    let finite = |value: f64| value.is_finite().then_some(value);
    Ok(Odometry {
        time_s: seconds(header.stamp_ns),
        odom_from_robot,
        speed_mps: finite(speed_mps),
        turn_rate_radps: finite(turn_rate_radps),
    })
}

/// `geometry_msgs/PoseStamped`, or with the covariance behind it: time in nanoseconds and pose.
pub(crate) fn stamped_pose(wire: &mut Wire<'_>, kind: MessageType) -> Result<(i64, Pose3), Broken> {
    let header = Header::read(wire)?;
    let world_from_robot = pose(wire)?;
    if kind == MessageType::PoseWithCovarianceStamped {
        let _covariance: [f64; 36] = wire.f64s()?;
    }
    wire.end()?;
    Ok((header.stamp_ns, world_from_robot))
}

/// `geometry_msgs/TransformStamped`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Transform {
    pub stamp_ns: i64,
    pub parent: String,
    pub child: String,
    pub parent_from_child: Pose3,
}

/// `tf2_msgs/TFMessage`.
pub(crate) fn transforms(wire: &mut Wire<'_>) -> Result<Vec<Transform>, Broken> {
    // A transform has at least two stamps, two empty texts and seven numbers.
    let count = wire.count(72)?;
    let mut transforms = Vec::new();
    for _ in 0..count {
        let Header { stamp_ns, frame: parent } = Header::read(wire)?;
        let child = wire.text()?;
        transforms.push(Transform { stamp_ns, parent, child, parent_from_child: pose(wire)? });
    }
    wire.end()?;
    Ok(transforms)
}

/// A grid, and the number of cells outside of -1 to 100, which were read as unknown.
pub(crate) struct ReadGrid {
    pub grid: Grid,
    pub odd_cells: usize,
}

/// `nav_msgs/OccupancyGrid`: bottom row first; -1 unknown, 0 to 100 the probability of being occupied in percent.
pub(crate) fn occupancy_grid(wire: &mut Wire<'_>) -> Result<ReadGrid, Broken> {
    let _header = Header::read(wire)?;
    let _load_time_ns = stamp_ns(wire)?;
    let resolution = wire.f32()?;
    let (width, height) = (wire.u32()? as usize, wire.u32()? as usize);
    let origin = pose(wire)?.planar();
    let data = wire.byte_sequence()?;
    wire.end()?;
    let broken = |error: &dyn std::fmt::Display| Broken(error.to_string());
    let resolution_m: f64 = resolution.to_string().parse().unwrap_or(f64::NAN);
    let geometry = GridGeometry::new(width, height, resolution_m, origin).map_err(|error| broken(&error))?;
    if data.len() != geometry.cells() {
        return Err(Broken(format!("expected {width} x {height} cells, found {}", data.len())));
    }
    let need = MemoryNeed::new(geometry.cells(), 1 + 8);
    MemoryLimit::current().of_one_map().check(need).map_err(|error| broken(&error))?;
    let top_down = || data.chunks(width).rev().flatten().map(|&cell| cell.cast_signed());
    let probability = |cell: i8| if (0..=100).contains(&cell) { f64::from(cell) / 100.0 } else { 0.5 };
    let classes = top_down().map(|cell| CellClass::of_probability(probability(cell))).collect();
    let mut grid = Grid::new(geometry, classes).map_err(|error| broken(&error))?;
    if top_down().any(|cell| ![-1, 0, 100].contains(&cell)) {
        let probabilities = top_down().map(probability).collect();
        grid = grid.with_probabilities(probabilities).map_err(|error| broken(&error))?;
    }
    let odd_cells = top_down().filter(|cell| !(-1..=100).contains(cell)).count();
    Ok(ReadGrid { grid, odd_cells })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_in_both_spellings() {
        for name in ["sensor_msgs/LaserScan", "sensor_msgs/msg/LaserScan"] {
            assert_eq!(MessageType::of_name(name), Some(MessageType::LaserScan));
        }
        assert_eq!(MessageType::of_name("tf/tfMessage"), Some(MessageType::Tf));
        assert_eq!(MessageType::of_name("sensor_msgs/PointCloud2"), None);
    }

    #[test]
    fn stamps_before_the_epoch_keep_their_order() {
        assert_eq!(seconds(1_500_000_000), 1.5);
        assert_eq!(seconds(-500_000_000), -0.5);
        assert_eq!(seconds(1_714_741_164_500_000_000), 1_714_741_164.5);
    }

    #[test]
    fn grids_of_no_cells_or_another_number_are_refused() {
        let grid = |width: u32, cells: usize| {
            let mut data = vec![0; 4 + 8 + 4 + 8];
            data.extend(0.05_f32.to_le_bytes());
            data.extend([width.to_le_bytes(), 2_u32.to_le_bytes()].concat());
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0_f64].iter().for_each(|v| data.extend(v.to_le_bytes()));
            data.extend((cells as u32).to_le_bytes());
            data.resize(data.len() + cells, 100);
            occupancy_grid(&mut Wire::new(Encoding::Ros1, &data).unwrap()).map(|read| read.grid)
        };
        let read = grid(3, 6).unwrap();
        assert_eq!((read.geometry().width(), read.geometry().cell_size_m()), (3, 0.05));
        assert_eq!(grid(3, 5).unwrap_err().0, "expected 3 x 2 cells, found 5");
        assert!(grid(0, 0).unwrap_err().0.contains("at least 1 x 1"));
        assert!(grid(u32::MAX, 6).is_err());
    }
}
