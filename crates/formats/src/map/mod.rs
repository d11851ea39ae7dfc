//! Maps: pictures and what says where they lie, GeoTIFF, text grids, and the way from pixels to cells.

pub(crate) mod bmp;
pub(crate) mod classifier;
pub(crate) mod geotiff;
pub(crate) mod map_file;
pub(crate) mod occupancy;
pub(crate) mod palette;
pub(crate) mod pgm;
pub(crate) mod picture;
pub(crate) mod plain_picture;
pub(crate) mod png;
pub(crate) mod ros_yaml;
pub(crate) mod text_grid;
pub(crate) mod world_file;
