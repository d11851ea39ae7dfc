//! Map files: bytes to [`model::Grid`] and back, and what is odd about a file.
//!
//! One format is one file with `sniff`, `read` or `decode`, and `write` where it makes sense; it is added
//! here with its `mod` line and its line in `FORMATS`. Readers take bytes, never paths, so that they work
//! in tests, under the fuzzer and in the browser; only [`read_map`] touches the file system.

mod bmp;
mod classifier;
mod document;
mod error;
mod format;
mod geotiff;
mod map_file;
mod occupancy;
mod options;
mod pgm;
mod picture;
mod plain_picture;
mod png;
mod read;
mod ros_yaml;
mod source;
mod text_grid;
mod world_file;
mod yaml;

pub use document::{Content, Document, Kind, read_document};
pub use error::{Place, ReadError};
pub use geotiff::{
    Frame as GeoTiffFrame, Page as GeoTiffPage, Pixels as GeoTiffPixels, WriteError as GeoTiffWriteError,
    WrittenLayer as GeoTiffLayer, WrittenPixels as GeoTiffLayerPixels, read_pages as read_geotiff_pages,
    read_pages_of as read_geotiff_pages_of, write as write_geotiff,
};
pub use map_file::{Georeference, Layer, MapFile, SourceFile};
pub use options::{Alpha, ReadOptions, Scale, Treat205};
pub use pgm::write as write_pgm;
pub use png::write as write_png;
pub use read::{MAX_FILE_BYTES, NamedBytes, read_map, read_map_bytes, read_map_in_pieces};
pub use ros_yaml::write as write_ros_map;
pub use text_grid::write as write_text_grid;

/// Every format, in the order in which they are asked whether a file is theirs.
const FORMATS: &[&format::Format] =
    &[&geotiff::FORMAT, &png::FORMAT, &bmp::FORMAT, &pgm::FORMAT, &ros_yaml::FORMAT, &text_grid::FORMAT];

/// Names of the formats understood, for help texts.
#[must_use]
pub fn format_names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.title).collect()
}
