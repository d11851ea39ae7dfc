//! Where a laser sits on the robot, from the frames of its scans and of the odometry and the transforms between them.

use std::collections::BTreeSet;
use std::path::Path;

use model::Pose3;

use super::messages::{self, MessageType};
use super::packed_messages::Unpacking;
use super::transforms::{Transforms, Validity};
use super::visit::scan_of;
use super::visitor::{BagChannel, BagMessage, Visitor};
use super::wire::{Broken, Wire};
use crate::ReadError;
use crate::read::with_input;

/// Names that robots give their own frame, for bags whose odometry does not tell it.
const ROBOT_FRAMES: [&str; 3] = ["base_footprint", "base_link", "base"];

/// Where a laser sits.
#[derive(Clone, Debug, PartialEq)]
pub struct LaserMount {
    /// Frame of the scans.
    pub laser_frame: String,
    /// Frame of the robot; empty where the bag names none.
    pub robot_frame: String,
    /// None where the bag does not connect the two.
    pub robot_from_laser: Option<Pose3>,
}

/// The mount of the laser of a topic; none where its scans name no frame. `odometry` is the topic whose robot is meant, such
/// as `/odom` or `/tf:odom.base_link`. A mount that moves is taken as it was at first.
///
/// # Errors
/// The file is missing, unreadable, no bag or damaged.
pub fn read_laser_mount(
    path: &Path,
    laser: &str,
    odometry: Option<&str>,
) -> Result<Option<LaserMount>, ReadError> {
    let (topic, frames) = odometry.map_or((None, None), |name| {
        name.split_once(':').map_or((Some(name), None), |(topic, frames)| (Some(topic), Some(frames)))
    });
    let mut frames_of = Frames { laser, odometry: topic, ..Frames::default() };
    with_input(path, |input| scan_of(input)?.1(input, &mut Unpacking::new(&mut frames_of)))?;
    if let Some(child) = frames.and_then(|frames| frames.rsplit_once('.')) {
        frames_of.robot_frame = Some(child.1.to_owned());
    }
    Ok(frames_of.mount())
}

/// What the messages tell about frames.
#[derive(Default)]
struct Frames<'t> {
    laser: &'t str,
    odometry: Option<&'t str>,
    laser_frame: Option<String>,
    robot_frame: Option<String>,
    /// The first transform of each pair.
    transforms: Transforms,
    pairs: BTreeSet<(String, String)>,
}

impl Frames<'_> {
    fn mount(self) -> Option<LaserMount> {
        let plain = |frame: String| frame.trim_start_matches('/').to_owned();
        let laser_frame = self.laser_frame.map(plain).filter(|frame| !frame.is_empty())?;
        let is_known = |name: &&str| {
            self.pairs
                .iter()
                .any(|(parent, child)| [parent, child].iter().any(|f| f.trim_start_matches('/') == *name))
        };
        let named = self.robot_frame.map(plain).filter(|frame| !frame.is_empty());
        let usual = || ROBOT_FRAMES.iter().find(|name| is_known(name)).map(|name| (*name).to_owned());
        let robot_frame = named.or_else(usual).unwrap_or_default();
        let robot_from_laser = if robot_frame == laser_frame {
            Pose3::new([0.0; 3], [0.0, 0.0, 0.0, 1.0])
        } else {
            let found = self.transforms.of_pair(&format!("{robot_frame}.{laser_frame}"));
            found.and_then(|found| found.poses.first().map(|pose| pose.world_from_robot))
        };
        Some(LaserMount { laser_frame, robot_frame, robot_from_laser })
    }

    fn decode(&mut self, message: &BagMessage<'_>) -> Result<(), Broken> {
        let wire = &mut Wire::new(message.channel.encoding, message.data)?;
        match MessageType::of_name(&message.channel.type_name) {
            Some(MessageType::LaserScan) if self.laser_frame.is_none() => {
                self.laser_frame = Some(messages::frame(wire)?);
            }
            Some(MessageType::Odometry) if self.robot_frame.is_none() => {
                self.robot_frame = Some(messages::robot_frame(wire)?);
            }
            Some(MessageType::Tf) => {
                for transform in messages::transforms(wire)? {
                    if self.pairs.insert((transform.parent.clone(), transform.child.clone())) {
                        self.transforms.add(&transform, Validity::Always);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Visitor for Frames<'_> {
    fn wants(&self, channel: &BagChannel) -> bool {
        let is_named = channel.topic == self.laser || Some(channel.topic.as_str()) == self.odometry;
        is_named || MessageType::of_name(&channel.type_name) == Some(MessageType::Tf)
    }

    fn channel(&mut self, _: &BagChannel) {}

    fn message(&mut self, message: &BagMessage<'_>) {
        if self.wants(message.channel) {
            // A broken message tells no frame; the reader of its topic counts it.
            let _ = self.decode(message);
        }
    }
}
