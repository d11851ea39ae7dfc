//! The options under which each input is read.

use mapjudge_formats::{Alpha, PaletteOptions, PoseColumns, ReadOptions, Scale, Treat205};

const AS_FILE_SAYS: ReadOptions = ReadOptions {
    resolution_m: None,
    origin: None,
    occupied_thresh: None,
    free_thresh: None,
    negate: None,
    treat_205_as_unknown: Treat205::AsFileSays,
    alpha: Alpha::Average,
    scale: Scale::Ratio,
    palette: PaletteOptions::DEFAULT,
    pose_columns: PoseColumns::XYThetaT,
    topic: None,
    field_of_view_deg: None,
    max_range_m: None,
};

pub const OPTIONS: [ReadOptions; 2] = [
    AS_FILE_SAYS,
    ReadOptions {
        resolution_m: Some(0.05),
        free_thresh: Some(0.25),
        negate: Some(true),
        treat_205_as_unknown: Treat205::AsUnknown,
        alpha: Alpha::Ignore,
        scale: Scale::Nav2,
        pose_columns: PoseColumns::TXYTheta,
        field_of_view_deg: Some(240.0),
        max_range_m: Some(4.0),
        ..AS_FILE_SAYS
    },
];
