//! Trajectories, relations and pose graphs, and what can be said about their stamps and headings.

pub(crate) mod edge_list;
pub(crate) mod euroc;
pub(crate) mod g2o;
pub(crate) mod heading;
pub(crate) mod json;
pub(crate) mod kitti;
pub(crate) mod named_csv;
pub(crate) mod pose_log;
pub(crate) mod relation_records;
pub(crate) mod relations;
pub(crate) mod slam_csv;
pub(crate) mod stamps;
pub(crate) mod tum;
