//! What the user may say about a map file beyond what stands in it.

use std::fmt;

use model::{Finding, Level, Pose2};

use crate::PaletteOptions;

/// Whether grey 205, which savers write for unknown cells, is unknown whatever the thresholds say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Treat205 {
    /// The thresholds decide, as on the robot.
    #[default]
    AsFileSays,
    /// Grey 205 (50 with `negate`) is unknown.
    AsUnknown,
}

/// What an alpha channel means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpha {
    /// As both ROS map servers do it: averaged in with the colours in trinary mode; below 255 means
    /// unknown in scale mode.
    #[default]
    Average,
    /// Not looked at.
    Ignore,
}

/// How `mode: scale` turns the ratio between the thresholds into a probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// The ratio itself.
    #[default]
    Ratio,
    /// The whole percent the ROS 1 map server publishes: `1 + 98 ratio`, stored in an integer and so
    /// rounded down (`map_server`, `image_loader.cpp`).
    Ros1,
    /// The whole percent the navigation2 map server publishes: `rint(100 ratio)`, halves to the even
    /// number (`nav2_map_server`, `map_io.cpp`).
    Nav2,
}

/// What faulty rows of a table of numbers do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadRows {
    /// They are left out, each with a finding.
    #[default]
    Report,
    /// Up to so many are left out with a finding; more make the file unreadable.
    AtMost(usize),
}

/// Options of [`crate::read_map`]. A value that is given overrides the file, and a finding says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Edge of a cell in metres.
    pub resolution_m: Option<f64>,
    /// World pose of the lower-left corner of the map.
    pub origin: Option<Pose2>,
    /// A pixel is occupied above this probability.
    pub occupied_thresh: Option<f64>,
    /// A pixel is free below this probability.
    pub free_thresh: Option<f64>,
    /// Whether bright means occupied.
    pub negate: Option<bool>,
    /// What grey 205 means.
    pub treat_205_as_unknown: Treat205,
    /// What an alpha channel means.
    pub alpha: Alpha,
    /// How `mode: scale` is read.
    pub scale: Scale,
    /// What the columns of a pose log are.
    pub pose_columns: crate::PoseColumns,
    /// The topic of a bag that is wanted instead of the list of topics, as in [`crate::read_bag_topic`].
    pub topic: Option<String>,
    /// Angle in degrees between the first and the last beam of scans whose records do not say it.
    pub field_of_view_deg: Option<f64>,
    /// Ranges from here on are no returns, in metres, of scans whose records do not say it.
    pub max_range_m: Option<f64>,
    /// How messages of USARSim are read.
    pub usarsim: crate::usarsim::UsarsimOptions,
    /// What faulty rows do.
    pub bad_rows: BadRows,
    /// How the colours of a picture without a YAML are read.
    pub palette: PaletteOptions,
}

/// The option if there is one, with a finding where the file says something too; else what the file says.
pub(crate) fn chosen<T: fmt::Debug>(
    field: &str,
    in_file: Option<T>,
    option: Option<T>,
    findings: &mut Vec<Finding>,
) -> Option<T> {
    let (Some(given), stated) = (&option, &in_file) else { return in_file };
    if let Some(stated) = stated {
        let message = format!("{field}: the option {given:?} was used; the file says {stated:?}");
        findings.push(Finding::new(Level::Info, "OPTION_OVERRIDES_FILE", message));
    }
    option
}
