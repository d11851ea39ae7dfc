//! Map files: bytes to [`model::Grid`] and back, and what is odd about a file.
//!
//! One format is one file with `sniff`, `read` or `decode`, and `write` where it makes sense; it is added
//! here with its `mod` line and its line in `FORMATS`. Readers take bytes, never paths, so that they work
//! in tests, under the fuzzer and in the browser; only [`read_map`] touches the file system.

mod bag;
mod beam_guess;
mod bmp;
mod carmen;
mod classifier;
mod compression;
mod decimal;
mod delimited;
mod detection_csv;
mod document;
mod error;
mod euroc;
mod fiducial_layout;
mod format;
mod g2o;
mod geojson;
mod geotiff;
mod gmapping_gfs;
mod heading;
mod kitti;
mod layer_kind;
#[cfg(test)]
mod layer_samples;
mod lines;
mod map_file;
mod mif;
mod notices;
mod number_rows;
mod occupancy;
mod options;
mod palette;
mod pgm;
mod picture;
mod plain_picture;
mod png;
mod point_list;
mod pose_log;
mod rawlog;
mod read;
mod relations;
mod ros_yaml;
mod row_faults;
mod slam_csv;
mod source;
mod stamps;
mod table_limits;
mod text_encoding;
mod text_grid;
mod tinyslam;
mod tum;
mod world_file;
mod write_error;
mod yaml;

#[cfg(feature = "bags")]
pub use bag::{BagChannel, BagMessage, Encoding, read_bag_topic, read_bag_topic_bytes, visit_bag_messages};
pub use bag::{BagSummary, BagTopic};
pub use carmen::write as write_carmen;
pub use document::{Content, Document, Kind, read_document};
pub use error::{Place, ReadError};
pub use g2o::write as write_g2o;
pub use kitti::{write as write_kitti, write_times as write_kitti_times};

pub use detection_csv::write_detections;
pub use fiducial_layout::{write_layout_csv, write_layout_toml};
pub use geojson::write_geojson;
pub use geotiff::{
    Frame as GeoTiffFrame, Page as GeoTiffPage, Pixels as GeoTiffPixels, WriteError as GeoTiffWriteError,
    WrittenLayer as GeoTiffLayer, WrittenPixels as GeoTiffLayerPixels, read_pages as read_geotiff_pages,
    read_pages_of as read_geotiff_pages_of, write as write_geotiff,
};
pub use layer_kind::LayerKind;
pub use map_file::{Georeference, Layer, MapFile, SourceFile};
pub use mif::{MifPair, write as write_mif};
pub use options::{Alpha, ReadOptions, Scale, Treat205};
pub use palette::{
    ForeignColours, NavigationGrey, PaletteChoice, PaletteOptions, palette_names, write_navigation_png,
};
pub use pgm::write as write_pgm;
pub use png::write as write_png;
pub use point_list::write as write_point_list;
pub use pose_log::{PoseColumns, write as write_pose_log};
pub use read::{
    MAX_FILE_BYTES, NamedBytes, read_document_bytes, read_map, read_map_bytes, read_map_in_pieces,
};
pub use relations::write as write_relations;
pub use ros_yaml::write as write_ros_map;
pub use slam_csv::{SlamCsv, read_pair as read_slam_csv};
pub use text_grid::write as write_text_grid;
pub use tum::{read_rows as read_tum_rows, write as write_tum};
pub use write_error::WriteError;

/// Every format, in the order in which they are asked whether a file is theirs.
const FORMATS: &[&format::Format] = &[
    &geotiff::FORMAT,
    &png::FORMAT,
    &bmp::FORMAT,
    &pgm::FORMAT,
    &ros_yaml::FORMAT,
    &mif::FORMAT,
    &geojson::FORMAT,
    &fiducial_layout::FORMAT,
    &detection_csv::FORMAT,
    &point_list::FORMAT,
    &rawlog::FORMAT,
    &carmen::FORMAT,
    &gmapping_gfs::FORMAT,
    &g2o::FORMAT,
    &euroc::FORMAT,
    &slam_csv::FORMAT,
    &relations::FORMAT,
    &tum::FORMAT,
    &kitti::FORMAT,
    &tinyslam::FORMAT,
    &pose_log::FORMAT,
    &text_grid::FORMAT,
    #[cfg(feature = "bags")]
    &bag::ROS1_BAG,
    #[cfg(feature = "bags")]
    &bag::MCAP,
    #[cfg(feature = "bags")]
    &bag::DB3,
];

/// Names of the formats understood, for help texts.
#[must_use]
pub fn format_names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.title).collect()
}
