//! Vector layers: MIF/MID and GeoJSON, and the kinds of layers with their columns.

pub(crate) mod geojson;
pub(crate) mod layer_kind;
#[cfg(test)]
pub(crate) mod layer_samples;
pub(crate) mod mif;
pub(crate) mod point_pairs;
