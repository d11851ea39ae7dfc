//! Colour images whose colours have meanings, by palettes that are data.
//!
//! A palette is one TOML file in `crates/formats/palettes`. Two families are read: the navigation layer with
//! five colours, and the images of the Rescue Robot League in the dialects of its map writers. All of it
//! works on colours in memory; the files that hold them are read elsewhere.

mod classify;
mod colour_sink;
mod components;
mod dialect;
mod grid_lines;
mod inpaint;
mod league;
mod map_cells;
mod marks;
mod navigation;
mod options;
mod outside;
mod palette_file;
mod rgb_image;
mod robot_path;
mod scale_bar;
mod start_arrow;
mod vectors;

use model::{Finding, Grid, Level, Pose2, VectorLayer};

pub(crate) use colour_sink::ColourSink;
pub use navigation::write_navigation_png;
pub(crate) use options::PaletteChoice;
pub use palette_file::palette_names;
pub(crate) use rgb_image::RgbImage;

use self::dialect::Dialect;
use self::palette_file::{Family, Palette, of_family};
use crate::map::plain_image::{DEFAULT_RESOLUTION_M, geometry_of, no_resolution};
use crate::{Place, ReadError, ReadOptions};

/// Where an image lies, as far as its file or the options state it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImagePlace {
    /// Edge of a pixel in metres; if it is not given, the drawing of a league image may show it.
    pub pixel_size_m: Option<f64>,
    /// World pose of the lower-left corner of the image.
    pub origin: Pose2,
}

/// An image that was read through a palette.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PaletteMap {
    pub grid: Grid,
    /// What was drawn on the map, in metres in the world of the grid.
    pub marks: Vec<VectorLayer>,
    pub findings: Vec<Finding>,
}

/// Reads an image through the palette that is named or that it matches; none if it matches no palette or if
/// palettes are off. For images of any container.
///
/// # Errors
/// The named palette does not exist, the image is too large, or a navigation layer has foreign colours.
pub(crate) fn read_image(
    file: &str,
    image: &RgbImage<'_>,
    place: ImagePlace,
    options: &ReadOptions,
) -> Result<Option<PaletteMap>, ReadError> {
    let named = match PaletteChoice::of(options)? {
        PaletteChoice::Off => return Ok(None),
        PaletteChoice::Auto => None,
        PaletteChoice::Named(palette) => Some(palette),
    };
    image.check(file)?;
    for palette in of_family(Family::Navigation) {
        let is_chosen = named.map_or_else(
            || navigation::is_likely(image, palette, options),
            |named| named.name == palette.name,
        );
        if is_chosen {
            return read_navigation(file, image, place, palette, options).map(Some);
        }
    }
    let Some(first) = named.or_else(|| of_family(Family::RescueLeague).next()) else { return Ok(None) };
    if named.is_none() && !classify::is_worth_counting(image, first.tolerance_by(options)) {
        return Ok(None);
    }
    let census = classify::census(image, first.tolerance_by(options));
    let dialect: Option<Dialect> = match named {
        Some(palette) => Some(dialect::compared(palette, &census).0),
        None if dialect::is_likely(&census) => dialect::dialect_of(&census),
        None => None,
    };
    dialect.map(|dialect| league::read(file, image, place, (&dialect, &census), options)).transpose()
}

fn read_navigation(
    file: &str,
    image: &RgbImage<'_>,
    place: ImagePlace,
    palette: &'static Palette,
    options: &ReadOptions,
) -> Result<PaletteMap, ReadError> {
    let (classes, odd) = navigation::classes(file, image, palette, options)?;
    let mut findings = vec![used(palette, palette.tolerance_by(options))];
    findings.extend(odd);
    if place.pixel_size_m.is_none() {
        findings.push(no_resolution());
    }
    let size = (image.width, image.height);
    let geometry = geometry_of(file, size, place.pixel_size_m.unwrap_or(DEFAULT_RESOLUTION_M), place.origin)?;
    let grid = Grid::of_navigation(geometry, classes)
        .map_err(|error| ReadError::malformed(file, Place::File, "one class per pixel", error.to_string()))?;
    Ok(PaletteMap { grid, marks: Vec::new(), findings })
}

/// Says through which palette an image was read.
fn used(palette: &Palette, tolerance: u8) -> Finding {
    let message =
        format!("read through the palette '{}' ({}), tolerance {tolerance}", palette.name, palette.title);
    Finding::new(Level::Info, "PALETTE_USED", message)
}

/// The finding of a colour image that no palette knows.
pub(crate) fn no_palette_matches() -> Finding {
    let message =
        "the image has colours that match no palette; they count by their mean, as in the ROS map servers";
    Finding::warning("NO_PALETTE_MATCHES", message).hint("name the palette, or save the map in grey")
}
