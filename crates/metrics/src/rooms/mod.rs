//! Rooms, the transforms under which a map fits, and how far it must bend.

pub mod alignment_energy;
pub mod brokenness;
pub mod corner_match;
pub mod feature_ratio;
pub mod hough_lines;
pub mod matched_features;
pub mod metric_quality;
pub mod room_iou;
pub mod room_match_error;
pub mod room_precision;
pub mod room_recall;
pub(crate) mod rooms_found;
pub mod scan_difference;
pub mod segmentation;
pub mod virtual_scan;
pub mod wall_distortion;
mod wall_fit;
pub mod warp_penalty;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<alignment_energy::AlignmentEnergy>(),
    entry::<brokenness::Brokenness>(),
    entry::<corner_match::CornerMatch>(),
    entry::<feature_ratio::FeatureRatio>(),
    entry::<metric_quality::MetricQuality>(),
    entry::<room_iou::RoomIou>(),
    entry::<room_match_error::RoomMatchError>(),
    entry::<room_precision::RoomPrecision>(),
    entry::<room_recall::RoomRecall>(),
    entry::<scan_difference::ScanDifference>(),
    entry::<wall_distortion::WallDistortion>(),
    entry::<warp_penalty::WarpPenalty>(),
];
