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

#[derive(Clone, Copy, Debug)]
pub struct BagMessage<'a> {
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
    fn message(&mut self, message: &BagMessage<'_>);
}

/// Counts messages by topic and type.
#[derive(Default)]
pub(crate) struct Tally {
    /// Numbers by topic, then type.
    messages: BTreeMap<String, BTreeMap<String, u64>>,
    time_range_ns: Option<(i64, i64)>,
}

impl Tally {
    pub fn summary(self) -> BagSummary {
        let of_topic = |(name, types): (String, BTreeMap<String, u64>)| {
            let topic = move |(type_name, messages)| BagTopic { name: name.clone(), type_name, messages };
            types.into_iter().map(topic)
        };
        let topics = self.messages.into_iter().flat_map(of_topic).collect();
        BagSummary { topics, time_range_ns: self.time_range_ns }
    }
}

impl Visitor for Tally {
    fn wants(&self, _: &BagChannel) -> bool {
        false
    }

    fn channel(&mut self, channel: &BagChannel) {
        let types = self.messages.entry(channel.topic.clone()).or_default();
        types.entry(channel.type_name.clone()).or_default();
    }

    fn message(&mut self, message: &BagMessage<'_>) {
        // Every channel was announced before its messages.
        let types = self.messages.get_mut(&message.channel.topic);
        if let Some(count) = types.and_then(|types| types.get_mut(&message.channel.type_name)) {
            *count += 1;
        }
        let time_ns = message.time_ns;
        let (first_ns, last_ns) = self.time_range_ns.unwrap_or((time_ns, time_ns));
        self.time_range_ns = Some((first_ns.min(time_ns), last_ns.max(time_ns)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_without_messages_and_topics_of_two_types_are_listed() {
        let channel = |topic: &str, type_name: &str| {
            let (topic, type_name) = (topic.to_owned(), type_name.to_owned());
            BagChannel { topic, type_name, encoding: Encoding::Ros1 }
        };
        let channels =
            [channel("/b", "t/B"), channel("/a", "t/Y"), channel("/a", "t/X"), channel("/b", "t/B")];
        let mut tally = Tally::default();
        channels.iter().for_each(|channel| tally.channel(channel));
        for (channel, time_ns) in [(0, 5), (3, -7), (2, 3)] {
            tally.message(&BagMessage { channel: &channels[channel], time_ns, data: &[] });
        }
        let summary = tally.summary();
        let listed: Vec<_> =
            summary.topics.iter().map(|t| (t.name.as_str(), t.type_name.as_str(), t.messages)).collect();
        assert_eq!(listed, [("/a", "t/X", 1), ("/a", "t/Y", 0), ("/b", "t/B", 2)]);
        assert_eq!((summary.messages(), summary.time_range_ns), (3, Some((-7, 5))));
        assert_eq!(summary.time_range_s(), Some((-7e-9, 5e-9)));
    }
}
