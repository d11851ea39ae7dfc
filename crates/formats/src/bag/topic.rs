//! The messages of one topic as a log, a trajectory or a map.

use std::path::Path;

use model::{Dimension, Finding, Level, LogRecord, PoseSource, SensorLog, StampedPose, TimeBase, Trajectory};

use super::messages::{self, MessageType, ReadGrid};
use super::packed_messages::Unpacking;
use super::transforms::{FrameTrajectory, Transforms, Validity};
use super::visit::{Scan, scan_of};
use super::visitor::{BagChannel, BagMessage, Visitor};
use super::wire::{Broken, Wire};
use crate::format::{Input, ReadContent};
use crate::read::{with_bytes, with_input};
use crate::{Content, Document, Georeference, MapFile, NamedBytes, Place, ReadError};

/// Reads one topic of a bag.
///
/// `LaserScan` and `Odometry` give a log, poses a trajectory, `OccupancyGrid` the last map of the topic. Of a
/// topic of transforms, `/tf:odom.base_link` is the trajectory of frame `base_link` in frame `odom`, with
/// `/tf_static` included and composed along the tree of frames; `/tf` alone will do where only one pair of
/// frames moves.
///
/// # Errors
/// The file is missing, unreadable, no bag or damaged; it has no such topic, or one of a type that is not
/// understood; none of its messages can be decoded; or the frames are not given and not connected.
pub fn read_bag_topic(path: &Path, topic: &str) -> Result<Document, ReadError> {
    let (document, sources) = with_input(path, |input| read(input, topic))?;
    Ok(Document { sources, ..document })
}

/// Reads one topic of a bag held in memory; see [`read_bag_topic`].
///
/// # Errors
/// As [`read_bag_topic`].
pub fn read_bag_topic_bytes(file: NamedBytes<'_>, topic: &str) -> Result<Document, ReadError> {
    let (document, sources) = with_bytes(file, |input| read(input, topic))?;
    Ok(Document { sources, ..document })
}

fn read(input: &mut Input<'_>, wanted: &str) -> Result<Document, ReadError> {
    let (format, scan) = scan_of(input)?;
    let ReadContent { content, findings } = read_topic(input, wanted, (format, scan))?;
    Ok(Document { format, content, findings, sources: Vec::new() })
}

/// Reads a topic with the reader of a format.
pub(super) fn read_topic(
    input: &mut Input<'_>,
    wanted: &str,
    (format, scan): (&'static str, Scan),
) -> Result<ReadContent, ReadError> {
    // Names of topics hold no colon.
    let (topic, frames) =
        wanted.split_once(':').map_or((wanted, None), |(topic, frames)| (topic, Some(frames)));
    let mut collected = Collected::new(topic);
    let mut findings = scan(input, &mut Unpacking::new(&mut collected))?;
    let file = input.source.name();
    let kind = collected.checked_type(file)?;
    collected.check_messages(file, &mut findings)?;
    let content = match kind {
        MessageType::LaserScan | MessageType::Odometry => {
            Content::Log(SensorLog { records: collected.records, skipped: Vec::new() })
        }
        MessageType::PoseStamped | MessageType::PoseWithCovarianceStamped => trajectory(collected.poses),
        MessageType::Tf => trajectory(collected.frame_poses(file, frames, &mut findings)?),
        MessageType::OccupancyGrid => collected.map(file, format, &mut findings)?,
    };
    Ok(ReadContent { content, findings })
}

fn trajectory(poses: Vec<StampedPose>) -> Content {
    let is_planar = |stamped: &StampedPose| {
        let ([_, _, z], [x, y, ..]) =
            (stamped.world_from_robot.position_m, stamped.world_from_robot.rotation_xyzw);
        z == 0.0 && x == 0.0 && y == 0.0
    };
    let dimension = if poses.iter().all(is_planar) { Dimension::Planar } else { Dimension::Spatial };
    Content::Trajectory(Trajectory { time_base: TimeBase::Seconds, dimension, poses })
}

/// What the messages of a topic give.
struct Collected<'t> {
    topic: &'t str,
    static_topic: String,
    /// All topics seen, for the message if this one is missing.
    topics: Vec<String>,
    /// Type of the topic as it is written.
    type_name: Option<String>,
    records: Vec<LogRecord>,
    poses: Vec<StampedPose>,
    transforms: Transforms,
    last_grid: Option<ReadGrid>,
    messages: u64,
    /// Bytes of the messages that are kept.
    kept_bytes: u64,
    broken: u64,
    first_reason: Option<String>,
}

/// What the kept messages of one topic may take: a quarter of the memory limit, since values take up to twice the bytes of
/// their messages.
fn max_kept_bytes() -> u64 {
    model::MemoryLimit::current().bytes() / 4
}

impl<'t> Collected<'t> {
    fn new(topic: &'t str) -> Self {
        Self {
            topic,
            static_topic: format!("{topic}_static"),
            topics: Vec::new(),
            type_name: None,
            records: Vec::new(),
            poses: Vec::new(),
            transforms: Transforms::default(),
            last_grid: None,
            messages: 0,
            kept_bytes: 0,
            broken: 0,
            first_reason: None,
        }
    }

    fn decode(&mut self, message: &BagMessage<'_>, kind: MessageType) -> Result<(), Broken> {
        let channel = message.channel;
        let wire = &mut Wire::new(channel.encoding, message.data)?;
        if kind != MessageType::OccupancyGrid {
            self.kept_bytes = self.kept_bytes.saturating_add(message.data.len() as u64);
        }
        if self.kept_bytes > max_kept_bytes() {
            return Err(Broken("more messages than the memory limit holds".to_owned()));
        }
        match kind {
            MessageType::LaserScan => {
                self.records.push(LogRecord::Scan(messages::laser_scan(wire, &channel.topic)?));
            }
            MessageType::Odometry => self.records.push(LogRecord::Odometry(messages::odometry(wire)?)),
            MessageType::PoseStamped | MessageType::PoseWithCovarianceStamped => {
                let (stamp_ns, world_from_robot) = messages::stamped_pose(wire, kind)?;
                let (time_s, source) = (messages::seconds(stamp_ns), PoseSource::Measured);
                self.poses.push(StampedPose { time_s, world_from_robot, source });
            }
            MessageType::Tf => {
                let is_static = channel.topic.ends_with("tf_static");
                let validity = if is_static { Validity::Always } else { Validity::AtStamp };
                for transform in messages::transforms(wire)? {
                    self.transforms.add(&transform, validity);
                }
            }
            MessageType::OccupancyGrid => self.last_grid = Some(messages::occupancy_grid(wire)?),
        }
        Ok(())
    }

    /// The type of the topic, if there is such a topic and its type is understood.
    fn checked_type(&self, file: &str) -> Result<MessageType, ReadError> {
        let place = || Place::field("topic");
        let Some(type_name) = &self.type_name else {
            let expected = format!("one of {}", self.topics.join(", "));
            return Err(ReadError::malformed(file, place(), expected, format!("'{}'", self.topic))
                .with_hint("the topics of a bag are listed by 'mapjudge info'"));
        };
        MessageType::of_name(type_name).ok_or_else(|| {
            ReadError::malformed(file, place(), MessageType::NAMES, format!("{type_name} in {}", self.topic))
        })
    }

    fn check_messages(&self, file: &str, findings: &mut Vec<Finding>) -> Result<(), ReadError> {
        let place = Place::Field(self.topic.to_owned());
        if self.kept_bytes > max_kept_bytes() {
            let expected = format!("at most {} bytes of messages under the memory limit", max_kept_bytes());
            return Err(ReadError::too_large(file, place, expected, format!("{} bytes", self.kept_bytes)));
        }
        if self.messages == 0 {
            return Err(ReadError::malformed(file, place, "at least one message", "none"));
        }
        let Some(reason) = &self.first_reason else { return Ok(()) };
        if self.broken == self.messages {
            let type_name = self.type_name.as_deref().unwrap_or_default();
            let expected = format!("messages of type {type_name}");
            return Err(ReadError::malformed(file, place, expected, format!("in the first one, {reason}")));
        }
        let (broken, messages) = (self.broken, self.messages);
        let message = format!("{broken} of {messages} messages of {} were left out: {reason}", self.topic);
        findings.push(Finding::warning("BAG_MESSAGE_BROKEN", message).hint("check what publishes the topic"));
        Ok(())
    }

    fn frame_poses(
        &mut self,
        file: &str,
        frames: Option<&str>,
        findings: &mut Vec<Finding>,
    ) -> Result<Vec<StampedPose>, ReadError> {
        let moved = self.transforms.sort();
        if moved > 0 {
            let message = format!("{moved} transforms of {} came out of order; they were sorted", self.topic);
            findings.push(Finding::new(Level::Info, "TF_OUT_OF_ORDER", message));
        }
        let found = match frames {
            Some(frames) => self.transforms.of_pair(frames),
            None => self.transforms.of_only_pair(),
        };
        let Some(FrameTrajectory { poses, frames: path, left_out }) = found else {
            let expected = format!("one of the frames {}, or two that they connect", self.transforms.pairs());
            let found = frames.map_or("no choice".to_owned(), |frames| format!("'{frames}'"));
            return Err(ReadError::malformed(file, Place::field("topic"), expected, found)
                .with_hint(format!("write the frames behind the topic: {}:parent.child", self.topic)));
        };
        if path.len() > 2 {
            let message = format!(
                "composed along {}: {} poses; {left_out} stamps outside of the common time left out",
                path.join(" > "),
                poses.len()
            );
            findings.push(Finding::new(Level::Info, "TF_COMPOSED", message));
        }
        Ok(poses)
    }

    fn map(
        &mut self,
        file: &str,
        format: &'static str,
        findings: &mut Vec<Finding>,
    ) -> Result<Content, ReadError> {
        let Some(ReadGrid { grid, odd_cells }) = self.last_grid.take() else {
            return Err(ReadError::malformed(file, Place::Field(self.topic.to_owned()), "a map", "none"));
        };
        if self.messages > 1 {
            let message = format!("{} holds {} maps; the last was taken", self.topic, self.messages);
            findings.push(Finding::new(Level::Info, "BAG_SEVERAL_MAPS", message));
        }
        if odd_cells > 0 {
            let message = format!("{odd_cells} cells are not from -1 to 100; they were read as unknown");
            findings.push(
                Finding::warning("OCCUPANCY_OUT_OF_RANGE", message).hint("check what publishes the map"),
            );
        }
        let georeference = Georeference::FromFile;
        Ok(Content::Raster(Box::new(MapFile::of_grid(grid, format, georeference))))
    }
}

impl Visitor for Collected<'_> {
    fn wants(&self, channel: &BagChannel) -> bool {
        let is_tf = || MessageType::of_name(&channel.type_name) == Some(MessageType::Tf);
        channel.topic == self.topic || (channel.topic == self.static_topic && is_tf())
    }

    fn channel(&mut self, channel: &BagChannel) {
        if channel.topic == self.topic {
            self.type_name.get_or_insert_with(|| channel.type_name.clone());
        }
        if let Err(at) = self.topics.binary_search(&channel.topic) {
            self.topics.insert(at, channel.topic.clone());
        }
    }

    fn message(&mut self, message: &BagMessage<'_>) {
        if !self.wants(message.channel) {
            return;
        }
        let Some(kind) = MessageType::of_name(&message.channel.type_name) else { return };
        // A topic of two types is read in the type that came first.
        if message.channel.topic == self.topic && self.type_name.as_ref() != Some(&message.channel.type_name)
        {
            return;
        }
        self.messages += 1;
        if let Err(Broken(reason)) = self.decode(message, kind) {
            self.broken += 1;
            self.first_reason.get_or_insert(reason);
        }
    }
}
