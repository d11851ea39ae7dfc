//! The options under which each input is read.

use mapjudge_formats::usarsim::{Frame, ScanDirection, UsarsimOptions};
use mapjudge_formats::{Alpha, BadRows, PoseColumns, ReadOptions, Scale, Treat205};

/// What the files say, and nearly everything otherwise.
pub fn options() -> [ReadOptions; 2] {
    let otherwise = ReadOptions {
        resolution_m: Some(0.05),
        free_thresh: Some(0.25),
        negate: Some(true),
        treat_205_as_unknown: Treat205::AsUnknown,
        alpha: Alpha::Ignore,
        scale: Scale::Nav2,
        pose_columns: PoseColumns::TXYTheta,
        field_of_view_deg: Some(240.0),
        max_range_m: Some(4.0),
        usarsim: UsarsimOptions {
            frame: Frame::Ros,
            scan_direction: ScanDirection::Clockwise,
            max_bad_share: 0.5,
        },
        bad_rows: BadRows::AtMost(3),
        ..ReadOptions::default()
    };
    [ReadOptions::default(), otherwise]
}
