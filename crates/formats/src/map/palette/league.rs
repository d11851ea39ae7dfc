//! An image of the Rescue Robot League: cells under grid lines, path, marks and text.
//!
//! Steps: name the dialect, classify each pixel, decide what grey 128 is, find the scale, take the marks off,
//! in-paint what was covered, and say all of it. Positions are those of the image as it lies in the world;
//! hector turns its images so that the robot's x axis points up.

use model::{CellClass, Finding, Grid, GridGeometry, Level, Pose2};

use super::classify::{Census, Exactness, Matcher, elements};
use super::dialect::Dialect;
use super::grid_lines::broad_lines_are_ground;
use super::map_cells::{MapCells, reduced, seen_by_cell};
use super::marks::take_marks;
use super::outside::{Outside, decide_outside};
use super::palette_file::{Element, Family, Palette, of_family};
use super::rgb_image::RgbImage;
use super::robot_path::trace_path;
use super::scale_bar::{ScaleBar, checkerboard_px, find_scale_bar};
use super::start_arrow::find_start_arrow;
use super::vectors::Drawn;
use super::{ImagePlace, PaletteMap, used};
use crate::map::plain_image::{DEFAULT_RESOLUTION_M, geometry_of, no_resolution};
use crate::{Place, ReadError, ReadOptions};

/// Length of the scale bar and edge of a square of the checkerboard, by the rules.
const RULE_LENGTH_M: f64 = 1.0;

/// Reads an image of a dialect.
pub(crate) fn read(
    file: &str,
    image: &RgbImage<'_>,
    place: ImagePlace,
    (dialect, census): (&Dialect, &Census),
    options: &ReadOptions,
) -> Result<PaletteMap, ReadError> {
    let palette = dialect.palette;
    let tolerance = palette.tolerance_by(options);
    let mut findings = vec![used(palette, tolerance)];
    findings.extend(deviations(dialect));
    findings.extend(noise(census, dialect));
    let mut elements = elements(image, &mut matcher(dialect, census, tolerance));
    if census.exactness == Exactness::Noisy && has_ramp(dialect) {
        broad_lines_are_ground(&mut elements, image.width);
    }
    findings.extend(foreign(image, &elements));
    findings.extend(outside(decide_outside(&mut elements, image.width)));
    findings.extend(absent(&elements));
    let squares_px = checkerboard_px(image, palette, tolerance);
    let scale_bar = scale_bar(&elements, image.width, place, squares_px);
    let pixel_size_m = pixel_size(place, squares_px, scale_bar, &mut findings);
    findings.extend(scale_finding(scale_bar, pixel_size_m, squares_px.is_some()));
    let pixels = geometry_of(
        file,
        (image.width, image.height),
        pixel_size_m.unwrap_or(DEFAULT_RESOLUTION_M),
        place.origin,
    )?;
    let marks = take_marks(&mut elements, image.width, pixel_size_m.map(f64::recip), palette);
    let start = find_start_arrow(&elements, image.width);
    let path = trace_path(&elements, image.width, start.map(|arrow| arrow.center_px));
    if path.is_none() {
        let message = "the colour of the robot path covers too much of the image to be a line";
        findings.push(Finding::warning("ROBOT_PATH_NOT_TRACED", message));
    }
    let drawn = Drawn { marks, start, path: path.unwrap_or_default(), scale_bar };
    let grid = grid_of(file, &elements, pixels, (palette, options), &mut findings)?;
    Ok(PaletteMap { grid, marks: drawn.layers(&pixels), findings })
}

/// What the rules ask to be drawn and no pixel shows. The scale bar has a finding of its own.
fn absent(elements: &[Element]) -> Option<Finding> {
    const ASKED_FOR: [(Element, &str); 4] = [
        (Element::Unexplored, "checkerboard of unexplored ground"),
        (Element::GridLine, "grid lines"),
        (Element::Text, "text"),
        (Element::Start, "start arrow"),
    ];
    let missing: Vec<&str> =
        ASKED_FOR.iter().filter(|(element, _)| !elements.contains(element)).map(|(_, name)| *name).collect();
    let message = format!("the rules ask for what is not drawn here: {}", missing.join(", "));
    let hint = "switch it on in the program that writes the image";
    (!missing.is_empty()).then(|| Finding::new(Level::Info, "PALETTE_ELEMENT_ABSENT", message).hint(hint))
}

fn has_ramp(dialect: &Dialect) -> bool {
    !dialect.palette.ramps.is_empty() || dialect.ramp_deviation > 0
}

/// A ramp is looked for only where the dialect has one or the image shows one.
fn matcher(dialect: &Dialect, census: &Census, tolerance: u8) -> Matcher {
    let is_ramp_of =
        |palette: &&'static Palette| palette.name == dialect.palette.name || dialect.ramp_deviation > 0;
    let palettes = of_family(Family::RescueLeague);
    Matcher::new(palettes.filter(is_ramp_of), tolerance, census.exactness)
}

/// The map: one cell per pixel, or the cells that were painted.
fn grid_of(
    file: &str,
    elements: &[Element],
    pixels: GridGeometry,
    (palette, options): (&Palette, &ReadOptions),
    findings: &mut Vec<Finding>,
) -> Result<Grid, ReadError> {
    let seen: Vec<Option<CellClass>> = elements.iter().map(|&element| class_of(element)).collect();
    let broken = |error: model::GridError| {
        ReadError::malformed(file, Place::File, "one class per cell", error.to_string())
    };
    let Some(cell_px) = options.pixels_per_cell.map(usize::from).filter(|&cell_px| cell_px > 1) else {
        let covered = seen.iter().filter(|cell| cell.is_none()).count();
        findings.extend(inpainted(elements, covered));
        // A writer with cells of a fixed size leaves, beside a line, pixels of the cell that it crosses.
        let seen = match palette.pixels_per_cell {
            Some(cell_px) => seen_by_cell(&seen, pixels.width(), usize::from(cell_px).max(1)),
            None => seen,
        };
        return Grid::new(pixels, super::inpaint::filled(seen, pixels.width())).map_err(broken);
    };
    let cells = reduced(&seen, pixels.width(), cell_px).ok_or_else(|| {
        let found = format!("{} x {} pixels", pixels.width(), pixels.height());
        ReadError::malformed(file, Place::File, format!("at least {cell_px} x {cell_px} pixels"), found)
    })?;
    findings.extend(inpainted(elements, cells.filled_cells));
    let geometry = cell_geometry(file, &pixels, &cells, cell_px)?;
    Grid::new(geometry, cells.classes).map_err(broken)
}

fn cell_geometry(
    file: &str,
    pixels: &GridGeometry,
    cells: &MapCells,
    cell_px: usize,
) -> Result<GridGeometry, ReadError> {
    let corner = pixels.world_of_grid_point(cells.left_px as f64, cells.below_px as f64);
    let origin = Pose2::new(corner.x_m, corner.y_m, pixels.origin().theta_rad);
    geometry_of(file, (cells.width, cells.height), pixels.cell_size_m() * cell_px as f64, origin)
}

/// The class of what can be seen; none for what is painted over cells.
const fn class_of(element: Element) -> Option<CellClass> {
    match element {
        Element::Wall | Element::Untraversable => Some(CellClass::Occupied),
        Element::Searched | Element::Cleared | Element::Uncleared => Some(CellClass::Free),
        Element::Unexplored | Element::Outside | Element::Unknown => Some(CellClass::Unknown),
        _ => None,
    }
}

fn deviations(dialect: &Dialect) -> Option<Finding> {
    let mut parts: Vec<String> = dialect
        .deviations
        .iter()
        .map(|([r, g, b], element, pixels)| format!("{pixels} pixels of {r},{g},{b} ({element:?})"))
        .collect();
    if dialect.ramp_deviation > 0 {
        parts.push(format!("{} pixels of a ramp of confidence", dialect.ramp_deviation));
    }
    let message = format!("colours of other writers than '{}': {}", dialect.palette.name, parts.join(", "));
    let hint = "they were read as those writers mean them; name the palette if the wrong one was found";
    (!parts.is_empty()).then(|| Finding::warning("PALETTE_DEVIATES", message).hint(hint))
}

fn noise(census: &Census, dialect: &Dialect) -> Option<Finding> {
    let meaning = if has_ramp(dialect) {
        "; greys near those of the checkerboard were read as unexplored, even if some are confidence"
    } else {
        ""
    };
    let message = format!("the colours are smoothed or compressed, not those of the palette{meaning}");
    let finding = Finding::warning("PALETTE_COLOURS_INEXACT", message);
    (census.exactness == Exactness::Noisy)
        .then(|| finding.hint("hand in the image as the map writer made it, without JPEG or scaling"))
}

fn foreign(image: &RgbImage<'_>, elements: &[Element]) -> Option<Finding> {
    const SHOWN: usize = 10;
    let positions = || (0..elements.len()).filter(|&index| elements[index] == Element::Foreign);
    let count = positions().count();
    let shown: Vec<String> = positions()
        .take(SHOWN)
        .map(|index| {
            let ((column, row), [r, g, b]) = (image.position(index), image.pixels[index]);
            format!("column {column} row {row} ({r},{g},{b})")
        })
        .collect();
    let message =
        format!("{count} pixels of no colour of the palette, in-painted; first {}", shown.join(", "));
    (count > 0).then(|| Finding::warning("PALETTE_FOREIGN_COLOURS", message))
}

fn outside(counts: Outside) -> Option<Finding> {
    let message = format!(
        "grey 128 is outside the map or lowest confidence: {} pixels that reach the border were read as unknown, \
         {} others as free",
        counts.outside, counts.searched
    );
    (counts != Outside::default()).then(|| Finding::new(Level::Info, "OUTSIDE_BY_BORDER", message))
}

/// Groups much shorter than the bar should be are letters.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn scale_bar(
    elements: &[Element],
    width: usize,
    place: ImagePlace,
    squares_px: Option<usize>,
) -> Option<ScaleBar> {
    let by_place = place.pixel_size_m.map(|size_m| RULE_LENGTH_M / size_m);
    let expected_px = squares_px.map(|px| px as f64).or(by_place).unwrap_or(0.0);
    find_scale_bar(elements, width, (0.4 * expected_px).clamp(0.0, 1e6) as usize)
}

/// The size of a pixel: as stated, else by the checkerboard, else by the scale bar.
fn pixel_size(
    place: ImagePlace,
    squares_px: Option<usize>,
    bar: Option<ScaleBar>,
    findings: &mut Vec<Finding>,
) -> Option<f64> {
    if place.pixel_size_m.is_some() {
        return place.pixel_size_m;
    }
    let by_bar = bar.map(|bar| (bar.length_px, "the scale bar"));
    let Some((length_px, what)) = squares_px.map(|px| (px, "the squares of the checkerboard")).or(by_bar)
    else {
        findings.push(no_resolution());
        return None;
    };
    let pixel_size_m = RULE_LENGTH_M / length_px as f64;
    let message = format!(
        "the file states no resolution; {what}, 1 m by the rules, take {length_px} pixels: {pixel_size_m:.6} m per \
         pixel were taken"
    );
    findings.push(
        Finding::warning("RESOLUTION_FROM_IMAGE", message).hint("give the resolution in metres per pixel"),
    );
    Some(pixel_size_m)
}

fn scale_finding(bar: Option<ScaleBar>, pixel_size_m: Option<f64>, has_squares: bool) -> Option<Finding> {
    let Some(bar) = bar else {
        let message = "no scale bar was found; the rules ask for one of 1 m";
        return Some(Finding::warning("SCALE_BAR_ABSENT", message));
    };
    let length_m = bar.length_px as f64 * pixel_size_m?;
    // Ours: a bar may be drawn a pixel too long at each end, or 2 % wrong.
    let allowed_m = (2.0 * pixel_size_m?).max(0.02 * RULE_LENGTH_M);
    let by = if has_squares { "" } else { "; the checkerboard could not be compared" };
    let message = format!("the scale bar of {} pixels is {length_m:.3} m long, not 1 m{by}", bar.length_px);
    ((length_m - RULE_LENGTH_M).abs() > allowed_m).then(|| {
        Finding::warning("SCALE_BAR_NOT_1M", message)
            .hint("check the resolution of the map and of its writer")
    })
}

fn inpainted(elements: &[Element], cells: usize) -> Option<Finding> {
    let mut pixels = [0usize; Element::Foreign as usize + 1];
    elements.iter().for_each(|&element| pixels[element as usize] += 1);
    let parts: Vec<(usize, &str)> = Element::PAINTED_OVER
        .iter()
        .map(|&(element, name)| (pixels[element as usize], name))
        .filter(|&(count, _)| count > 0)
        .collect();
    let total: usize = parts.iter().map(|(count, _)| count).sum();
    let list: Vec<String> = parts.iter().map(|(count, name)| format!("{name} {count}")).collect();
    let message = format!(
        "{total} pixels were painted over cells ({}); {cells} cells of which nothing was seen were filled from \
         those around them",
        list.join(", ")
    );
    (total > 0).then(|| Finding::new(Level::Info, "PALETTE_INPAINTED", message))
}
