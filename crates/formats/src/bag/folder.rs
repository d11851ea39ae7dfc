//! Folders of ROS 2 bags: `metadata.yaml`, and beside it the mcap or db3 files that it names, read one after
//! the other as one bag.
//!
//! Recorders split bags by size and pack whole files (`compression_mode: FILE`) or single messages; both are
//! unpacked. Older metadata name files with the folder in front: the name alone counts.

use model::Finding;
use serde::Deserialize;

use super::visit::{file_scan_of, read_bag};
use super::visitor::{BagChannel, BagMessage, Visitor};
use crate::format::{Companions, Format, Input, Reader, Sniff};
use crate::source::Source;
use crate::text::yaml;
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format = Format {
    name: "ros2_bag",
    title: "ROS 2 bag folder",
    sniff,
    reader: Reader::Content(|input, options| read_bag(input, options, FORMAT.name, scan)),
};

/// The file of a folder that lists the others.
pub(crate) const METADATA: &str = "metadata.yaml";
/// The first key of that file.
const KEY: &[u8] = b"rosbag2_bagfile_information:";
/// The most files of a bag.
const MAX_FILES: usize = 10_000;

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "rosbag2_bagfile_information")]
    information: Information,
}

#[derive(Deserialize)]
struct Information {
    relative_file_paths: Vec<String>,
    message_count: Option<u64>,
}

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    if bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(KEY)) {
        Sniff::ByBytes
    } else {
        Sniff::No
    }
}

/// Shows channels and messages of all files to the visitor; returns what is odd.
pub(crate) fn scan(input: &mut Input<'_>, visitor: &mut dyn Visitor) -> Result<Vec<Finding>, ReadError> {
    let file = input.source.name().to_owned();
    let Metadata { information } = yaml::from_bytes(&file, input.source.whole()?.1)?;
    let files = information.relative_file_paths;
    if files.is_empty() || files.len() > MAX_FILES {
        let place = Place::field("relative_file_paths");
        let expected = format!("from 1 to {MAX_FILES} files");
        return Err(ReadError::malformed(&file, place, expected, files.len().to_string()));
    }
    let mut counting = Counting { visitor, messages: 0 };
    let mut findings = Vec::new();
    for path in &files {
        let name = path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).ok_or_else(|| {
            let place = Place::field("relative_file_paths");
            ReadError::malformed(&file, place, "names of files", format!("'{path}'"))
        })?;
        let source = input.companions.open(name)?;
        let mut part = Input { source, companions: &mut Alone };
        findings.extend(file_scan_of(&part)?.1(&mut part, &mut counting)?);
    }
    let found = counting.messages;
    if let Some(stated) = information.message_count.filter(|stated| *stated != found) {
        let message = format!("{METADATA} states {stated} messages; the files hold {found}");
        let hint =
            "files are missing, were cut off or exchanged; write the metadata anew ('ros2 bag reindex')";
        findings.push(Finding::warning("BAG_METADATA_WRONG", message).hint(hint));
    }
    Ok(findings)
}

/// Counts messages as they are read.
struct Counting<'v> {
    visitor: &'v mut dyn Visitor,
    messages: u64,
}

impl Visitor for Counting<'_> {
    fn wants(&self, channel: &BagChannel) -> bool {
        self.visitor.wants(channel)
    }

    fn channel(&mut self, channel: &BagChannel) {
        self.visitor.channel(channel);
    }

    fn message(&mut self, message: &BagMessage<'_>) {
        self.messages += 1;
        self.visitor.message(message);
    }
}

/// A file of a bag has none beside it that it needs.
struct Alone;

impl Companions for Alone {
    fn exists(&self, _: &str) -> bool {
        false
    }

    fn open(&mut self, relative_path: &str) -> Result<Source<'_>, ReadError> {
        let (file, found) = (relative_path.to_owned(), "no such file was given".to_owned());
        Err(ReadError::Open { file, found, hint: None })
    }

    fn shown_path(&self, relative_path: &str) -> String {
        relative_path.to_owned()
    }
}
