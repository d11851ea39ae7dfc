//! Bags: recorded messages of ROS, by topic. ROS 1 bags, and ROS 2 bags as mcap, db3 or folders of these.
//!
//! Reading a bag as a document gives its summary; [`read_bag_topic`] gives the messages of one topic as a log,
//! a trajectory or a map; [`visit_bag_messages`] hands over raw messages. All three stream: besides what they
//! return, they hold one message in memory.

#[cfg(feature = "bags")]
mod byte_stream;
#[cfg(feature = "bags")]
mod chunk;
#[cfg(feature = "bags")]
mod db3;
#[cfg(feature = "bags")]
mod folder;
#[cfg(feature = "bags")]
mod laser_mount;
#[cfg(feature = "bags")]
mod mcap;
#[cfg(feature = "bags")]
mod messages;
#[cfg(feature = "bags")]
mod packed_messages;
#[cfg(feature = "bags")]
mod ros1_bag;
#[cfg(feature = "bags")]
mod sqlite;
mod summary;
#[cfg(feature = "bags")]
mod topic;
#[cfg(feature = "bags")]
mod transforms;
#[cfg(feature = "bags")]
mod visit;
#[cfg(feature = "bags")]
mod visitor;
#[cfg(feature = "bags")]
mod wire;
mod write_mcap;

#[cfg(feature = "bags")]
pub use laser_mount::{LaserMount, read_laser_mount};
pub use summary::{BagSummary, BagTopic};
#[cfg(feature = "bags")]
pub use topic::{read_bag_topic, read_bag_topic_bytes};
#[cfg(feature = "bags")]
pub use visit::visit_bag_messages;
#[cfg(feature = "bags")]
pub use visitor::{BagChannel, BagMessage, Encoding};

pub use write_mcap::write as write_mcap;

/// The formats of bags.
#[cfg(feature = "bags")]
pub(crate) use self::{
    db3::FORMAT as DB3, folder::FORMAT as FOLDER, folder::METADATA, mcap::FORMAT as MCAP,
    ros1_bag::FORMAT as ROS1_BAG,
};
