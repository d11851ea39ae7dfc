//! `load_png`, `load_pgm`: read a file and classify it. `load_geotiff_none`, `_lzw`, `_deflate`: read the pixels of a file
//! and its georeference.

use formats::{GeoTiffPage, GeoTiffPixels, ReadError, read_geotiff_pages_of};
use serde_json::{Value, json};

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, map_path, read};
use crate::measure::measure;

pub fn map(arguments: &Arguments, extension: &str) -> Outcome {
    let path = map_path(arguments, &arguments.map, extension);
    let (cost, grid) = measure(arguments.seconds, || read(&path));
    let grid = grid?;
    let [free, unknown, occupied] = grid.class_counts();
    let crc32 = crc32fast::hash(grid.class_bytes());
    Ok((cost, json!({ "free": free, "unknown": unknown, "occupied": occupied, "crc32": crc32 })))
}

pub fn geotiff(arguments: &Arguments, compression: &str) -> Outcome {
    let path = map_path(arguments, &format!("{}_{compression}", arguments.map), "tif");
    let name = path.display().to_string();
    let unreadable =
        |error: std::io::Error| ReadError::Open { file: name.clone(), found: error.to_string(), hint: None };
    let read = || read_geotiff_pages_of(&name, std::fs::read(&path).map_err(unreadable)?);
    let (cost, pages) = measure(arguments.seconds, read);
    let value = pages?.first().and_then(value_of).ok_or_else(|| BenchError::no_value(&name))?;
    Ok((cost, value))
}

/// Checksum, transform in the order of rasterio, and EPSG number.
fn value_of(page: &GeoTiffPage) -> Option<Value> {
    let GeoTiffPixels::Grey8(samples) = &page.pixels else { return None };
    let [x, a, b, y, d, e] = page.geotransform?;
    let epsg: u32 = page.crs.as_ref()?.strip_prefix("EPSG:")?.parse().ok()?;
    Some(json!({ "crc32": crc32fast::hash(samples), "transform": [a, b, x, d, e, y], "epsg": epsg }))
}
