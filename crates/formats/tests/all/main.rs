//! The tests of the readers and writers from outside, as one program: each program links the whole tool again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

#[cfg(feature = "bags")]
mod bag_folders;
#[cfg(feature = "bags")]
mod bag_writers;
#[cfg(feature = "bags")]
mod bags;
mod geotiff_for_gdal;
mod geotiff_gdal;
mod geotiff_maps;
mod hostile;
mod league;
mod league_image;
mod ogr_reads_our_layers;
mod palette_images;
#[path = "hostile/palette_seeds.rs"]
mod palette_seeds;
#[cfg(feature = "bags")]
mod real_bags;
mod real_logs;
mod real_maps;
mod tiff_builder;
mod vector_files;
#[path = "hostile/vector_seeds.rs"]
mod vector_seeds;

/// Names and contents of files. What is named `bad_..` must be refused.
pub type Files = Vec<(&'static str, Vec<u8>)>;
