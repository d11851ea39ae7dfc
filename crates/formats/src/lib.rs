//! Map files: bytes to [`model::Grid`] and back, and what is odd about a file.
//!
//! One format is one file with `sniff`, `read` or `decode`, and `write` where it makes sense; it is added
//! here with its `mod` line and its line in `FORMATS`. Readers take bytes, never paths, so that they work
//! in tests, under the fuzzer and in the browser; only [`read_map`] touches the file system.

mod bmp;
mod classifier;
mod delimited;
mod detection_columns;
mod detection_csv;
mod detection_header;
mod detection_write;
mod document;
mod error;
mod fiducial_layout;
mod fiducial_layout_csv;
mod fiducial_layout_write;
mod format;
mod geojson;
mod geojson_columns;
mod geojson_write;
mod layer_kind;
#[cfg(test)]
mod layer_samples;
mod map_file;
mod mid;
mod mif;
mod mif_header;
mod mif_object;
mod mif_scanner;
mod notices;
mod occupancy;
mod options;
mod pgm;
mod picture;
mod plain_picture;
mod png;
mod point_list;
mod read;
mod ros_yaml;
mod source;
mod table_limits;
mod text_encoding;
mod text_grid;
mod write_error;
mod yaml;

pub use detection_write::write as write_detections;
pub use document::{Content, Document, Kind, read_document};
pub use error::{Place, ReadError};
pub use fiducial_layout_write::{write_csv as write_layout_csv, write_toml as write_layout_toml};
pub use geojson_write::write as write_geojson;
pub use layer_kind::LayerKind;
pub use map_file::{Georeference, MapFile, SourceFile};
pub use mif::{MifPair, write as write_mif};
pub use options::{Alpha, ReadOptions, Scale, Treat205};
pub use pgm::write as write_pgm;
pub use png::write as write_png;
pub use point_list::write as write_point_list;
pub use read::{
    MAX_FILE_BYTES, NamedBytes, read_document_bytes, read_map, read_map_bytes, read_map_in_pieces,
};
pub use ros_yaml::write as write_ros_map;
pub use text_grid::write as write_text_grid;
pub use write_error::WriteError;

/// Every format, in the order in which they are asked whether a file is theirs.
const FORMATS: &[&format::Format] = &[
    &png::FORMAT,
    &bmp::FORMAT,
    &pgm::FORMAT,
    &ros_yaml::FORMAT,
    &mif::FORMAT,
    &geojson::FORMAT,
    &fiducial_layout::FORMAT,
    &detection_csv::FORMAT,
    &point_list::FORMAT,
    &text_grid::FORMAT,
];

/// Names of the formats understood, for help texts.
#[must_use]
pub fn format_names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.title).collect()
}
