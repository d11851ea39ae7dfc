//! An image without a YAML: thresholds, resolution and origin come from options or from defaults.

use model::{CELL_SIZES_M, CellClass, Finding, GeometryError, Grid, GridGeometry, MAX_EXTENT_M, Pose2};

use crate::format::{Companions, ReadLayers, ReadMap};
use crate::map::classifier::Classifier;
use crate::map::occupancy::Rule;
use crate::map::palette::{ColourSink, ImagePlace, PaletteChoice, no_palette_matches, read_image};
use crate::map::pixel_sink::PixelSink;
use crate::map::world_file;
use crate::source::Source;
use crate::{Georeference, Place, ReadError, ReadOptions};

/// Cell size of a map that does not state one: metres then mean cells. Ours, because any other would pretend.
pub(crate) const DEFAULT_RESOLUTION_M: f64 = 1.0;

/// Makes a map of an image, whose place is that of the world file beside it if there is one.
pub(crate) fn read_beside(
    decode: fn(&mut Source<'_>, &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError>,
    source: &mut Source<'_>,
    companions: &mut dyn Companions,
    options: &ReadOptions,
) -> Result<ReadLayers, ReadError> {
    let (file, mut findings) = (source.name().to_owned(), Vec::new());
    let Some(transform) = world_file::beside(companions, &file, &mut findings)? else {
        return Ok(read(decode, source, options)?.into());
    };
    let rule = Rule::of_options(options);
    check_thresholds(&file, &rule)?;
    let mut classifier = classifier_of(rule, options);
    let mut colours = ColourSink::new(&mut classifier, PaletteChoice::of(options)?);
    findings.extend(decode(source, &mut colours)?);
    findings.extend(colours.finding());
    if let Some(image) = colours.image(&file)? {
        let mut noticed = Vec::new();
        let place = crate::map::geotiff::placement(&file, transform, image.height, options, &mut noticed)?;
        if let Some(map) = read_image(&file, &image, place, options)? {
            findings.extend(noticed.into_iter().chain(map.findings));
            let georeference = Georeference::FromFile;
            let map = ReadMap { grid: map.grid, marks: map.marks, findings, georeference };
            return Ok(ReadLayers { geotransform: Some(transform), ..map.into() });
        }
        findings.push(no_palette_matches());
    }
    let map = crate::map::geotiff::place_image(&file, classifier, transform, options, findings)?;
    Ok(ReadLayers { geotransform: Some(transform), ..map.into() })
}

/// Makes a map of an image that stands alone.
pub(crate) fn read(
    decode: fn(&mut Source<'_>, &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError>,
    source: &mut Source<'_>,
    options: &ReadOptions,
) -> Result<ReadMap, ReadError> {
    let file = source.name().to_owned();
    let rule = Rule::of_options(options);
    check_thresholds(&file, &rule)?;
    let place = (
        options.resolution_m.unwrap_or(DEFAULT_RESOLUTION_M),
        options.origin_pose().unwrap_or(Pose2::IDENTITY),
    );
    check_place(&file, place)?;
    let mut classifier = classifier_of(rule, options);
    let mut colours = ColourSink::new(&mut classifier, PaletteChoice::of(options)?);
    let mut findings = decode(source, &mut colours)?;
    let georeference =
        if options.origin.is_some() { Georeference::FromOptions } else { Georeference::Assumed };
    findings.extend(colours.finding());
    if let Some(image) = colours.image(&file)? {
        let place = ImagePlace { pixel_size_m: options.resolution_m, origin: place.1 };
        if let Some(map) = read_image(&file, &image, place, options)? {
            findings.extend(map.findings);
            return Ok(ReadMap { grid: map.grid, marks: map.marks, findings, georeference });
        }
        findings.push(no_palette_matches());
    }
    if options.resolution_m.is_none() {
        findings.push(no_resolution());
    }
    let grid = grid_of(&file, classifier, place, &mut findings)?;
    Ok(ReadMap { grid, marks: Vec::new(), findings, georeference })
}

/// Thresholds of the options count; without any they may be fitted to the image.
fn classifier_of(rule: Rule, options: &ReadOptions) -> Classifier {
    let is_stated = options.free_thresh.is_some()
        || options.occupied_thresh.is_some()
        || options.negate.is_some()
        || options.treat_205_as_unknown
        || options.ignore_alpha;
    if is_stated { Classifier::new(rule) } else { Classifier::fitting(rule) }
}

/// The finding of a map that does not state its cell size.
pub(crate) fn no_resolution() -> Finding {
    let message = format!("the file states no resolution; cells of {DEFAULT_RESOLUTION_M} m were assumed");
    Finding::warning("NO_RESOLUTION", message).hint("give the resolution in metres per cell")
}

/// Puts the cells of an image in their place.
pub(crate) fn grid_of(
    file: &str,
    classifier: Classifier,
    (resolution_m, origin): (f64, Pose2),
    findings: &mut Vec<Finding>,
) -> Result<Grid, ReadError> {
    let occupancy = classifier.finish();
    let geometry = geometry_of(file, (occupancy.width, occupancy.height), resolution_m, origin)?;
    findings.extend(occupancy.findings);
    grid_with(file, geometry, occupancy.classes, occupancy.probabilities)
}

/// A grid of classes, with probabilities where there are any.
pub(crate) fn grid_with(
    file: &str,
    geometry: GridGeometry,
    classes: Vec<CellClass>,
    probabilities: Option<Vec<f64>>,
) -> Result<Grid, ReadError> {
    let broken = |error: model::GridError| {
        ReadError::malformed(file, Place::File, "one sample per channel and pixel", error.to_string())
    };
    let grid = Grid::new(geometry, classes).map_err(broken)?;
    match probabilities {
        Some(probabilities) => grid.with_probabilities(probabilities).map_err(broken),
        None => Ok(grid),
    }
}

/// Refuses a senseless resolution or origin before any pixel is read.
pub(crate) fn check_place(file: &str, (resolution_m, origin): (f64, Pose2)) -> Result<(), ReadError> {
    geometry_of(file, (1, 1), resolution_m, origin).map(|_| ())
}

/// The geometry of a map, with an error that names the field at fault.
pub(crate) fn geometry_of(
    file: &str,
    (width, height): (usize, usize),
    resolution_m: f64,
    origin: Pose2,
) -> Result<GridGeometry, ReadError> {
    if !(resolution_m.is_finite() && resolution_m > 0.0) {
        let place = Place::field("resolution");
        return Err(ReadError::malformed(
            file,
            place,
            "a number of metres above 0",
            resolution_m.to_string(),
        )
        .with_hint("a usual value is 0.05"));
    }
    GridGeometry::new(width, height, resolution_m, origin).map_err(|error| {
        let (field, expected) = match error {
            GeometryError::CellSize(_) | GeometryError::Extent(_) => {
                let sizes = (CELL_SIZES_M.start(), CELL_SIZES_M.end());
                ("resolution", format!("{} to {} m, and sides of at most {MAX_EXTENT_M} m", sizes.0, sizes.1))
            }
            _ => ("origin", "three finite numbers and a sensible size".to_owned()),
        };
        let hint = "check the unit: the resolution is in metres per cell, the origin in metres and radians";
        ReadError::malformed(file, Place::field(field), expected, error.to_string()).with_hint(hint)
    })
}

/// Refuses thresholds outside [0, 1] or out of order.
pub(crate) fn check_thresholds(file: &str, rule: &Rule) -> Result<(), ReadError> {
    let hint = "usual values are occupied_thresh 0.65 and free_thresh 0.196";
    for (name, value) in [("occupied_thresh", rule.occupied_thresh), ("free_thresh", rule.free_thresh)] {
        if !(0.0..=1.0).contains(&value) {
            let place = Place::field(name);
            let error = ReadError::malformed(file, place, "a number from 0 to 1", value.to_string());
            return Err(error.with_hint(hint));
        }
    }
    if rule.free_thresh > rule.occupied_thresh {
        let place = Place::field("free_thresh");
        let expected = format!("at most occupied_thresh, which is {}", rule.occupied_thresh);
        let error = ReadError::malformed(file, place, expected, rule.free_thresh.to_string());
        return Err(error.with_hint(hint));
    }
    Ok(())
}
