//! Logs of robots as text or packed objects: scans, odometry, and guessed beam models.

pub(crate) mod beam_guess;
pub(crate) mod carmen;
pub(crate) mod gmapping_gfs;
pub(crate) mod log_csv;
pub(crate) mod rawlog;
pub(crate) mod scan_json;
pub(crate) mod sonar_range;
pub(crate) mod tinyslam;
pub mod usarsim;
