//! How readers of bags hand over what they find: channels, then messages one by one.

use std::collections::BTreeMap;

use super::{BagSummary, BagTopic};

/// How the bytes of messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// ROS 1 serialisation: little-endian, packed.
    Ros1,
    /// CDR of ROS 2: aligned, with an encapsulation header of four bytes.
    Cdr,
    /// Something else, such as JSON or protocol buffers.
    Other,
}

impl Encoding {
    /// The encoding that mcap and db3 files name.
    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "ros1" => Self::Ros1,
            "cdr" => Self::Cdr,
            _ => Self::Other,
        }
    }
}

/// A stream of messages of one type under one topic. A topic may have several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagChannel {
    /// Name of the topic.
    pub topic: String,
    /// Type of the messages as the bag writes it.
    pub type_name: String,
    /// How their bytes are written.
    pub encoding: Encoding,
}

/// One recorded message.
#[derive(Clone, Copy, Debug)]
pub struct BagMessage<'a> {
    /// Where it belongs.
    pub channel: &'a BagChannel,
    /// When it was recorded, nanoseconds.
    pub time_ns: i64,
    /// Its bytes; empty where the visitor did not want them.
    pub data: &'a [u8],
}

/// Takes what a reader of bags finds, in the order of the file.
pub(crate) trait Visitor {
    /// True if the bytes of this channel's messages are needed. Those of others are skipped unread.
    fn wants(&self, channel: &BagChannel) -> bool;
    /// A channel was announced; may be repeated.
    fn channel(&mut self, channel: &BagChannel);
    /// A message.
    fn message(&mut self, message: &BagMessage<'_>);
}

/// Counts messages by topic and type.
#[derive(Default)]
pub(crate) struct Tally {
    messages: BTreeMap<(String, String), u64>,
    time_range_ns: Option<(i64, i64)>,
}

impl Tally {
    pub fn summary(self) -> BagSummary {
        let topics = self.messages.into_iter();
        let topics = topics.map(|((name, type_name), messages)| BagTopic { name, type_name, messages });
        BagSummary { topics: topics.collect(), time_range_ns: self.time_range_ns }
    }

    fn add(&mut self, channel: &BagChannel, messages: u64) {
        let key = (channel.topic.clone(), channel.type_name.clone());
        *self.messages.entry(key).or_default() += messages;
    }
}

impl Visitor for Tally {
    fn wants(&self, _: &BagChannel) -> bool {
        false
    }

    fn channel(&mut self, channel: &BagChannel) {
        self.add(channel, 0);
    }

    fn message(&mut self, message: &BagMessage<'_>) {
        self.add(message.channel, 1);
        let time_ns = message.time_ns;
        let (first_ns, last_ns) = self.time_range_ns.unwrap_or((time_ns, time_ns));
        self.time_range_ns = Some((first_ns.min(time_ns), last_ns.max(time_ns)));
    }
}
