//! Public bags of real robots and simulators; skipped where the data is not beside the repository.
#![cfg(feature = "bags")]
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
