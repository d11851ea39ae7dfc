//! Colour pictures whose colours have meanings, by palettes that are data.
//!
//! A palette is one TOML file in `crates/formats/palettes`. Two families are read: the navigation layer with
//! five colours, and the pictures of the Rescue Robot League in the dialects of its map writers. All of it
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
mod rgb_picture;
mod robot_path;
mod scale_bar;
mod start_arrow;
mod vectors;

use model::{Finding, Grid, Level, Pose2, VectorLayer};

pub(crate) use colour_sink::ColourSink;
pub use navigation::write_navigation_png;
pub use options::{ForeignColours, NavigationGrey, PaletteChoice, PaletteOptions};
pub use palette_file::palette_names;
pub(crate) use rgb_picture::RgbPicture;

use self::dialect::Dialect;
use self::palette_file::{Family, Palette, of_family, shipped};
use crate::map::plain_picture::{DEFAULT_RESOLUTION_M, geometry_of, no_resolution};
use crate::{Place, ReadError};

/// Where a picture lies, as far as its file or the user says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PicturePlace {
    /// Edge of a pixel in metres; if nobody says, a league picture may tell it.
    pub pixel_size_m: Option<f64>,
    /// World pose of the lower-left corner of the picture.
    pub origin: Pose2,
}

/// A picture that was read through a palette.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PaletteMap {
    pub grid: Grid,
    /// What was drawn on the map, in metres in the world of the grid.
    pub marks: Vec<VectorLayer>,
    pub findings: Vec<Finding>,
}

/// Reads a picture through the palette that is named or that it matches; none if it matches no palette or if
/// palettes are off. For pictures of any container.
///
/// # Errors
/// The named palette does not exist, the picture is too large, or a navigation layer has foreign colours.
pub(crate) fn read_picture(
    file: &str,
    picture: &RgbPicture<'_>,
    place: PicturePlace,
    options: &PaletteOptions,
) -> Result<Option<PaletteMap>, ReadError> {
    let named = match options.choice {
        PaletteChoice::Off => return Ok(None),
        PaletteChoice::Auto => None,
        PaletteChoice::Named(name) => Some(palette_of(file, name)?),
    };
    picture.check(file)?;
    for palette in of_family(Family::Navigation) {
        let is_chosen = named.map_or_else(
            || navigation::is_likely(picture, palette, options),
            |named| named.name == palette.name,
        );
        if is_chosen {
            return read_navigation(file, picture, place, palette, options).map(Some);
        }
    }
    let tolerance = |palette: &Palette| options.tolerance.unwrap_or(palette.tolerance);
    let Some(first) = named.or_else(|| of_family(Family::RescueLeague).next()) else { return Ok(None) };
    if named.is_none() && !classify::is_worth_counting(picture, tolerance(first)) {
        return Ok(None);
    }
    let census = classify::census(picture, tolerance(first));
    let dialect: Option<Dialect> = match named {
        Some(palette) => Some(dialect::compared(palette, &census).0),
        None if dialect::is_likely(&census) => dialect::dialect_of(&census),
        None => None,
    };
    dialect.map(|dialect| league::read(file, picture, place, (&dialect, &census), options)).transpose()
}

fn palette_of(file: &str, name: &str) -> Result<&'static Palette, ReadError> {
    shipped().iter().find(|palette| palette.name == name).ok_or_else(|| {
        let place = Place::Field("palette".to_owned());
        let expected = format!("one of {}", palette_names().join(", "));
        ReadError::malformed(file, place, expected, format!("'{name}'"))
    })
}

fn read_navigation(
    file: &str,
    picture: &RgbPicture<'_>,
    place: PicturePlace,
    palette: &'static Palette,
    options: &PaletteOptions,
) -> Result<PaletteMap, ReadError> {
    let (classes, odd) = navigation::classes(file, picture, palette, options)?;
    let mut findings = vec![used(palette, options.tolerance.unwrap_or(palette.tolerance))];
    findings.extend(odd);
    if place.pixel_size_m.is_none() {
        findings.push(no_resolution());
    }
    let size = (picture.width, picture.height);
    let geometry = geometry_of(file, size, place.pixel_size_m.unwrap_or(DEFAULT_RESOLUTION_M), place.origin)?;
    let grid = Grid::of_navigation(geometry, classes)
        .map_err(|error| ReadError::malformed(file, Place::File, "one class per pixel", error.to_string()))?;
    Ok(PaletteMap { grid, marks: Vec::new(), findings })
}

/// Says through which palette a picture was read.
fn used(palette: &Palette, tolerance: u8) -> Finding {
    let message =
        format!("read through the palette '{}' ({}), tolerance {tolerance}", palette.name, palette.title);
    Finding::new(Level::Info, "PALETTE_USED", message)
}

/// The finding of a colour picture that no palette knows.
pub(crate) fn no_palette_matches() -> Finding {
    let message =
        "the picture has colours that match no palette; they count by their mean, as in the ROS map servers";
    Finding::warning("NO_PALETTE_MATCHES", message).hint("name the palette, or save the map in grey")
}
