//! Map files: bytes to [`model::Grid`] and back, and what is odd about a file.
//!
//! One format is one file with `sniff`, `read` or `decode`, and `write` where it makes sense, in the folder
//! of its kind (`map`, `vector`, `league`, `trajectory`, `log`, `bag`); it is added with its `mod` line there
//! and its line in `FORMATS` (maps: in a list of `map`). Readers take bytes, never paths, so that they work in tests, under the fuzzer
//! and in the browser; only [`read_map`] touches the file system.

// Numbers of files are converted with a check; where a cast stays, its reason stands beside it.
#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::cast_sign_loss))]

mod bag;
mod compression;
mod damage;
mod document;
mod error;
#[cfg(feature = "clap")]
mod flags;
mod format;
mod league;
mod log;
mod map;
mod notices;
mod options;
mod read;
mod source;
mod text;
mod trajectory;
mod vector;
mod write_error;

#[cfg(feature = "bags")]
pub use bag::{
    BagChannel, BagMessage, Encoding, LaserMount, read_bag_topic, read_bag_topic_bytes, read_laser_mount,
    visit_bag_messages,
};
pub use bag::{BagSummary, BagTopic, write_mcap};
pub use document::{Content, Document, Kind, read_document, read_document_in_pieces, read_document_inside};
pub use error::{Place, ReadError};
#[cfg(feature = "clap")]
pub use flags::{LogReadOptions, MapReadOptions, parse_origin};
pub use league::detection_csv::{write_detections, write_detections_in_version};
pub use league::fiducial_layout::{write_layout_csv, write_layout_toml};
pub use league::point_list::write as write_point_list;
pub use log::carmen::write as write_carmen;
pub use log::log_csv::write as write_log_csv;
pub use log::usarsim;
pub use map::geotiff::{
    Frame as GeoTiffFrame, Page as GeoTiffPage, Pixels as GeoTiffPixels, WriteError as GeoTiffWriteError,
    WrittenLayer as GeoTiffLayer, WrittenPixels as GeoTiffLayerPixels, read_pages as read_geotiff_pages,
    read_pages_of as read_geotiff_pages_of, write as write_geotiff,
};
pub use map::map_file::{Georeference, Layer, MapFile, SourceFile};
pub use map::occupancy::{DEFAULT_FREE_THRESH, DEFAULT_OCCUPIED_THRESH, grey_classes};
pub use map::palette::{palette_names, write_navigation_png};
pub use map::pgm::write as write_pgm;
pub use map::png::write as write_png;
pub use map::ros_yaml::write as write_ros_map;
pub use map::text_grid::write as write_text_grid;
pub use map::world_file::{check as check_world_file, write as write_world_file};
pub use options::{BadRows, OptionError, ReadOptions, Scale, StatedResolution};
pub use read::{
    MAX_FILE_BYTES, NamedBytes, read_document_bytes, read_map, read_map_bytes, read_map_in_pieces,
    read_map_inside,
};
pub use trajectory::g2o::write as write_g2o;
pub use trajectory::json::{write_poses as write_trajectory_json, write_relations as write_relations_json};
pub use trajectory::kitti::{write as write_kitti, write_times as write_kitti_times};
pub use trajectory::named_csv::{
    write_poses as write_trajectory_csv, write_relations as write_relations_csv,
};
pub use trajectory::pose_log::{PoseColumns, write as write_pose_log};
pub use trajectory::relation_records::{
    RecordFault, RelationRecords, parse_relation_record, read_relation_records,
    write as write_relation_records,
};
pub use trajectory::relations::write as write_relations;
pub use trajectory::slam_csv::{SlamCsv, read_pair as read_slam_csv};
pub use trajectory::stamps::settle as settle_stamps;
pub use trajectory::tum::{read_rows as read_tum_rows, write as write_tum};
pub use vector::geojson::write_geojson;
pub use vector::layer_kind::LayerKind;
pub use vector::mif::{MifPair, write as write_mif};
pub use vector::point_pairs::read_point_pairs;
pub use write_error::WriteError;

/// Every format, in the order in which they are asked whether a file is theirs.
const FORMATS: &[&[&format::Format]] = &[
    map::IMAGES,
    #[cfg(feature = "bags")]
    &[&bag::FOLDER],
    &[
        &map::ros_yaml::FORMAT,
        &trajectory::named_csv::FORMAT,
        &trajectory::json::FORMAT,
        &log::scan_json::FORMAT,
        &vector::mif::FORMAT,
        &trajectory::relation_records::FORMAT,
        &vector::geojson::FORMAT,
        &league::fiducial_layout::FORMAT,
        &league::detection_csv::FORMAT,
        &league::point_list::FORMAT,
        &log::rawlog::FORMAT,
        &usarsim::FORMAT,
        &log::log_csv::FORMAT,
        &log::carmen::FORMAT,
        &log::gmapping_gfs::FORMAT,
        &trajectory::g2o::FORMAT,
        &trajectory::edge_list::FORMAT,
        &trajectory::euroc::FORMAT,
        &trajectory::slam_csv::FORMAT,
        &trajectory::relations::FORMAT,
        &trajectory::tum::FORMAT,
        &trajectory::kitti::FORMAT,
        &log::tinyslam::FORMAT,
        &trajectory::pose_log::FORMAT,
    ],
    map::TEXTS,
    #[cfg(feature = "bags")]
    &[&bag::ROS1_BAG, &bag::MCAP, &bag::DB3],
];

/// Every format, in the order in which they are asked.
fn all() -> impl Iterator<Item = &'static format::Format> + Clone {
    FORMATS.iter().flat_map(|formats| formats.iter().copied())
}

/// Names of the formats understood, for help texts.
#[must_use]
pub fn format_names() -> Vec<&'static str> {
    all().map(|format| format.title).collect()
}
