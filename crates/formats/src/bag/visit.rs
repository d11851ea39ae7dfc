//! What the readers of bags share: which reader a file needs, its end, and findings about it.

use std::path::Path;

use model::{Finding, Level};

use super::packed_messages::Unpacking;
use super::topic::read_topic;
use super::visitor::{BagChannel, BagMessage, Tally, Visitor};
use super::{BagSummary, db3, folder, mcap, ros1_bag};
use crate::format::{Format, Input, ReadContent, recognise};
use crate::read::with_input;
use crate::{Content, Place, ReadError, ReadOptions};

/// The most connections or topics of a bag. Large robots have some hundred.
pub(crate) const MAX_CHANNELS: usize = 1 << 16;

/// Shows the channels and messages of a bag to a visitor; returns what is odd about the bag.
pub(crate) type Scan = fn(&mut Input<'_>, &mut dyn Visitor) -> Result<Vec<Finding>, ReadError>;

/// Hands each message of a topic (of all topics where none is given) to `visit`, in the order of the file,
/// and returns the summary of the bag with what is odd about it.
///
/// # Errors
/// The file is missing, unreadable, no bag or damaged. Messages before the damage have been handed over.
pub fn visit_bag_messages(
    path: &Path,
    topic: Option<&str>,
    visit: &mut dyn FnMut(&BagMessage<'_>),
) -> Result<(BagSummary, Vec<Finding>), ReadError> {
    let mut caller = Caller { topic, visit, tally: Tally::default() };
    let (findings, _) = with_input(path, |input| scan_of(input)?.1(input, &mut Unpacking::new(&mut caller)))?;
    Ok((caller.tally.summary(), findings))
}

struct Caller<'a> {
    topic: Option<&'a str>,
    visit: &'a mut dyn FnMut(&BagMessage<'_>),
    tally: Tally,
}

impl Visitor for Caller<'_> {
    fn wants(&self, channel: &BagChannel) -> bool {
        self.topic.is_none_or(|topic| topic == channel.topic)
    }

    fn channel(&mut self, channel: &BagChannel) {
        self.tally.channel(channel);
    }

    fn message(&mut self, message: &BagMessage<'_>) {
        self.tally.message(message);
        if self.wants(message.channel) {
            (self.visit)(message);
        }
    }
}

/// The format of a bag, which may be a folder, and its reader.
pub(crate) fn scan_of(input: &Input<'_>) -> Result<(&'static str, Scan), ReadError> {
    const FOLDERS: [&Format; 1] = [&folder::FORMAT];
    match recognise(FOLDERS, input.source.head(), input.source.name()) {
        Some(format) => Ok((format.name, folder::scan)),
        None => file_scan_of(input),
    }
}

/// The format of a bag in one file, and its reader.
pub(crate) fn file_scan_of(input: &Input<'_>) -> Result<(&'static str, Scan), ReadError> {
    const BAGS: [&Format; 3] = [&ros1_bag::FORMAT, &mcap::FORMAT, &db3::FORMAT];
    let (head, name) = (input.source.head(), input.source.name());
    match recognise(BAGS, head, name).map(|format| format.name) {
        Some("ros1_bag") => Ok((ros1_bag::FORMAT.name, ros1_bag::scan)),
        Some("mcap") => Ok((mcap::FORMAT.name, mcap::scan)),
        Some(_) => Ok((db3::FORMAT.name, db3::scan)),
        None => Err(ReadError::malformed(name, Place::File, "a ROS bag", crate::error::excerpt(head))),
    }
}

/// Reads a bag as a document: the topic that the options name, else its summary.
pub(crate) fn read_bag(
    input: &mut Input<'_>,
    options: &ReadOptions,
    format: &'static str,
    scan: Scan,
) -> Result<ReadContent, ReadError> {
    if let Some(topic) = &options.topic {
        return read_topic(input, topic, (format, scan));
    }
    let mut tally = Tally::default();
    let findings = scan(input, &mut tally)?;
    Ok(ReadContent { content: Content::Bag(tally.summary()), findings })
}

/// How a bag that was read to `end` ended: whole (true), or cut off or damaged behind some messages, with a finding.
/// Anything else is an error.
pub(crate) fn checked_end(
    end: Result<(), ReadError>,
    messages: u64,
    findings: &mut Vec<Finding>,
) -> Result<bool, ReadError> {
    match end {
        Ok(()) => Ok(true),
        Err(ReadError::Truncated { place, expected_bytes, found_bytes, .. }) if messages > 0 => {
            let message = format!(
                "the bag is cut off at {place}: a record of {expected_bytes} bytes has {found_bytes}; \
                 {messages} messages before it were read"
            );
            let hint = "fetch the bag again, or live with its beginning";
            findings.push(Finding::warning("BAG_CUT_OFF", message).hint(hint));
            Ok(false)
        }
        Err(ReadError::Malformed { place, expected, found, .. }) if messages > 0 => {
            let message = format!(
                "the bag is damaged at {place}: expected {expected}, found {found}; {messages} messages before it were read"
            );
            let hint = "fetch the bag again, or live with its beginning";
            findings.push(Finding::warning("BAG_DAMAGED", message).hint(hint));
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// The finding about a recording that was not ended properly.
pub(crate) fn not_closed(reason: &str) -> Finding {
    Finding::warning("BAG_NOT_CLOSED", format!("the recording was not ended properly: {reason}"))
}

/// The finding about an index that contradicts the messages.
pub(crate) fn wrong_index(what: &str) -> Finding {
    let message = format!("the index is wrong: {what}; it was not used");
    let hint = "programs that rely on the index will miss messages; write it anew ('rosbag reindex')";
    Finding::warning("BAG_INDEX_WRONG", message).hint(hint)
}

/// The finding about records of kinds that the format does not know.
pub(crate) fn unknown_records(number: u64) -> Finding {
    Finding::new(Level::Info, "BAG_UNKNOWN_RECORDS", format!("{number} records of unknown kind were skipped"))
}
