//! Maps: images and their georeference, GeoTIFF, text grids, and the classification of pixels.

pub(crate) mod bmp;
pub(crate) mod classifier;
pub(crate) mod geotiff;
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
