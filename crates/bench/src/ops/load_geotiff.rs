//! `load_geotiff_none`, `_lzw`, `_deflate`: read the pixels of a file and its georeference.

use formats::{GeoTiffPage, GeoTiffPixels, ReadError, read_geotiff_pages_of};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, map_path};
use crate::measure::{Cost, measure};

/// Runs `load_geotiff_none`.
pub fn none(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    load(arguments, "none")
}

/// Runs `load_geotiff_lzw`.
pub fn lzw(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    load(arguments, "lzw")
}

/// Runs `load_geotiff_deflate`.
pub fn deflate(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    load(arguments, "deflate")
}

fn load(arguments: &Arguments, compression: &str) -> Result<(Cost, Value), BenchError> {
    let path = map_path(arguments, &format!("{}_{compression}", arguments.map), "tif");
    let name = path.display().to_string();
    let read = || {
        let bytes = std::fs::read(&path).map_err(|error| unreadable(&name, &error))?;
        Ok::<_, BenchError>(read_geotiff_pages_of(&name, bytes)?)
    };
    let (cost, pages) = measure(arguments.seconds, read);
    let value = pages?.first().and_then(value_of).ok_or_else(|| BenchError::NoValue(name.clone()))?;
    Ok((cost, value))
}

/// Checksum, transform in the order of rasterio, and EPSG number.
fn value_of(page: &GeoTiffPage) -> Option<Value> {
    let GeoTiffPixels::Grey8(samples) = &page.pixels else { return None };
    let [x, a, b, y, d, e] = page.geotransform?;
    let epsg: u32 = page.crs.as_ref()?.strip_prefix("EPSG:")?.parse().ok()?;
    Some(json!({ "crc32": crc32fast::hash(samples), "transform": [a, b, x, d, e, y], "epsg": epsg }))
}

fn unreadable(name: &str, error: &std::io::Error) -> BenchError {
    BenchError::Map(ReadError::Open { file: name.to_owned(), found: error.to_string(), hint: None })
}
