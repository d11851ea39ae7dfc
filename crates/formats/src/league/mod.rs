//! What judges and teams of the rescue leagues exchange beside maps: detections, points, fiducial layouts.

pub(crate) mod detection_csv;
pub(crate) mod fiducial_layout;
pub(crate) mod point_list;
