//! Maps: images and their georeference, GeoTIFF, text grids, and the classification of pixels.

pub(crate) mod bmp;
pub(crate) mod classifier;
mod fitted;
pub(crate) mod geotiff;
pub(crate) mod jpeg;
pub(crate) mod map_file;
pub(crate) mod occupancy;
pub(crate) mod palette;
pub(crate) mod pgm;
pub(crate) mod pixel_sink;
pub(crate) mod plain_image;
pub(crate) mod png;
pub(crate) mod ros_yaml;
pub(crate) mod text_grid;
pub(crate) mod world_file;

use crate::format::Format;

/// Maps with a beginning of their own: asked before all others.
pub(crate) const IMAGES: &[&Format] =
    &[&geotiff::FORMAT, &png::FORMAT, &bmp::FORMAT, &jpeg::FORMAT, &pgm::FORMAT];
/// Maps as text without a beginning of their own: asked after poses, logs and lists, which are more particular.
pub(crate) const TEXTS: &[&Format] = &[&text_grid::FORMAT];
