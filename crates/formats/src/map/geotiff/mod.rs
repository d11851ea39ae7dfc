//! GeoTIFF: images in pages, each a named layer with a place in the world.
//!
//! Specifications: TIFF 6.0, OGC GeoTIFF 1.1; rules F-TIF. Each page is a layer, named by its page name,
//! else its description, else `layer<k>`; the layer named `navigation`, else the first, is the map. Row 0 is
//! the top; the lower-left corner and the cell size come from the tags of the page, else of the first page,
//! else of a world file, else from options; without any the file is refused. Rotation becomes yaw; shear and
//! mirror images are refused. Coordinates must be metres. There is no unknown but the "no data" value and what is
//! transparent: the thresholds of options decide, as for plain images.

mod cells;
mod codec;
mod directory;
mod geo_keys;
mod georeference;
mod layer_rules;
mod layout;
mod lzw;
mod no_data;
mod page;
mod pixels;
mod samples;
mod single_chunk;
mod write;

use std::ops::Range;

use model::{Finding, Level};

pub(crate) use self::georeference::{GeoTransform, Placement, Stated, half_pixel_back};
pub use self::page::Page;
pub use self::pixels::Pixels;
pub use self::write::{Frame, WriteError, WrittenLayer, WrittenPixels, write};

use self::cells::Cells;
use self::directory::Tiff;
use self::layout::Photometric;
use self::page::{PageHeader, count_memory, headers};
use crate::format::{Companions, Format, Input, ReadLayers, ReadMap, Reader, Sniff, by_name};
use crate::map::classifier::Classifier;
use crate::map::map_file::Layer;
use crate::map::occupancy::Rule;
use crate::map::palette::{self, ImagePlace, PaletteMap, RgbImage};
use crate::map::plain_image::check_thresholds;
use crate::map::world_file;
use crate::options::{chosen, chosen_resolution};
use crate::{Georeference, NamedBytes, Place, ReadError, ReadOptions, StatedResolution};

pub(crate) const FORMAT: Format =
    Format { name: "geotiff", title: "GeoTIFF", sniff, reader: Reader::Layers(read) };

/// Name of the layer that is the map, in any case of letters.
const NAVIGATION: &str = "navigation";

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    match bytes {
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Sniff::ByBytes,
        _ => by_name(name, &[".tif", ".tiff"]),
    }
}

/// All pages of a GeoTIFF with their pixels, without any reading of the pixels as cells.
///
/// # Errors
/// The bytes are no TIFF, are damaged, or hold pixels that are not supported.
pub fn read_pages(file: NamedBytes<'_>) -> Result<Vec<Page>, ReadError> {
    let tiff = Tiff::open(file.name, file.bytes)?;
    let mut total_bytes = 0;
    let decode = |header: &PageHeader<'_>| {
        let layout = header.layout()?;
        count_memory(file.name, &layout, &mut total_bytes)?;
        header.decode(&layout)
    };
    headers(&tiff, &mut Vec::new())?.iter().map(decode).collect()
}

/// As [`read_pages`], for bytes that are not needed any more: a single page of plain samples that lie in one
/// piece is moved to the front of them instead of being copied.
///
/// # Errors
/// As [`read_pages`].
pub fn read_pages_of(name: &str, mut bytes: Vec<u8>) -> Result<Vec<Page>, ReadError> {
    let Some((page, piece)) = page_in_one_piece(name, &bytes)? else {
        return read_pages(NamedBytes { name, bytes: &bytes });
    };
    let length = piece.len();
    bytes.copy_within(piece, 0);
    bytes.truncate(length);
    let pixels = match page.pixels {
        Pixels::Grey8(_) => Pixels::Grey8(bytes),
        _ => Pixels::Rgb8(bytes),
    };
    Ok(vec![Page { pixels, ..page }])
}

/// The page of a file without its samples, and where these lie, if they are stored as they are used.
fn page_in_one_piece(name: &str, bytes: &[u8]) -> Result<Option<(Page, Range<usize>)>, ReadError> {
    let tiff = Tiff::open(name, bytes)?;
    let headers = headers(&tiff, &mut Vec::new())?;
    let [header] = headers.as_slice() else { return Ok(None) };
    if header.has_nodata() {
        return Ok(None);
    }
    let layout = header.layout()?;
    let piece = layout.in_one_piece().filter(|piece| piece.end <= bytes.len());
    let pixels = match (layout.photometric, layout.samples) {
        (Photometric::BlackIsZero, 1) => Pixels::Grey8(Vec::new()),
        (Photometric::Rgb, 3) => Pixels::Rgb8(Vec::new()),
        _ => return Ok(None),
    };
    Ok(piece.map(|piece| (header.page(&layout, pixels), piece)))
}

/// Reads the map and lists the other layers.
fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadLayers, ReadError> {
    let (file, bytes) = input.source.whole()?;
    let rule = Rule::of_options(options);
    check_thresholds(file, &rule)?;
    let mut findings = Vec::new();
    let tiff = Tiff::open(file, bytes)?;
    let headers = headers(&tiff, &mut findings)?;
    let map_page = headers.iter().position(|h| h.name.eq_ignore_ascii_case(NAVIGATION)).unwrap_or(0);
    let map_header = &headers[map_page];
    let stated = stated_place(map_header, input.companions, file, &mut findings)?;
    let read_as = &with_units(file, map_header, options)?;
    let mut total_bytes = 0;
    let layout = map_header.layout()?;
    count_memory(file, &layout, &mut total_bytes)?;
    let place = place_of(file, stated, layout.height, read_as, &mut findings)?;
    let page = map_header.decode(&layout)?;
    let (grid, marks) = match through_palette(file, &page, &place, options)? {
        Some(map) => {
            findings.extend(map.findings);
            (map.grid, map.marks)
        }
        None => {
            let cells = Cells::of(file, &page, &rule, &mut findings)?;
            (cells.placed(file, &place, &mut findings)?, Vec::new())
        }
    };
    let mut layers = Vec::new();
    for (index, header) in headers.iter().enumerate() {
        if index == map_page {
            layers.push(layer_of(&page, Some(grid.class_counts())));
        } else {
            let beside = if grid.navigation().is_some() { Beside::Navigation } else { Beside::Other };
            findings.extend(layer_rules::place(header));
            layers.push(other_layer(file, header, &rule, &mut total_bytes, beside, &mut findings));
        }
    }
    let georeference = if stated.is_some() { Georeference::FromFile } else { Georeference::FromOptions };
    let map = ReadMap { grid, findings, georeference, marks };
    Ok(ReadLayers { map, layers, crs: page.crs, geotransform: stated.map(|stated| stated.transform) })
}

/// A colour page read through the palette that it matches; none if it has no colours, matches no palette, or
/// its pixels are oblong.
fn through_palette(
    file: &str,
    page: &Page,
    place: &Placement,
    options: &ReadOptions,
) -> Result<Option<PaletteMap>, ReadError> {
    let (pixels, alpha): (Vec<[u8; 3]>, Option<Vec<u8>>) = match &page.pixels {
        Pixels::Rgb8(samples) => (samples.as_chunks().0.to_vec(), None),
        Pixels::Rgba8(samples) => {
            let (colours, _) = samples.as_chunks::<4>();
            let alpha = colours.iter().map(|&[_, _, _, alpha]| alpha).collect();
            (colours.iter().map(|&[r, g, b, _]| [r, g, b]).collect(), Some(alpha))
        }
        _ => return Ok(None),
    };
    if !place.is_square() {
        return Ok(None);
    }
    // What holds no data is as if it were transparent.
    let alpha = match &page.is_nodata {
        None => alpha,
        Some(is_nodata) => {
            let mut alpha = alpha.unwrap_or_else(|| vec![u8::MAX; pixels.len()]);
            alpha
                .iter_mut()
                .zip(is_nodata)
                .filter(|(_, is_nodata)| **is_nodata)
                .for_each(|(alpha, _)| *alpha = 0);
            Some(alpha)
        }
    };
    let image = RgbImage { width: page.width, height: page.height, pixels: &pixels, alpha: alpha.as_deref() };
    let place = ImagePlace { pixel_size_m: Some(place.cell_size_m()), origin: place.origin };
    palette::read_image(file, &image, place, options)
}

/// The place of the page, else that of the world file beside it.
fn stated_place(
    header: &PageHeader<'_>,
    companions: &mut dyn Companions,
    file: &str,
    findings: &mut Vec<Finding>,
) -> Result<Option<Stated>, ReadError> {
    match header.stated {
        Some(stated) => Ok(Some(stated)),
        None => Ok(world_file::beside(companions, file, findings)?.map(Stated::from)),
    }
}

/// Refuses degrees and feet, unless the options state the size of a cell, which then goes over that of the file.
fn with_units(file: &str, header: &PageHeader<'_>, options: &ReadOptions) -> Result<ReadOptions, ReadError> {
    let crs = header.keys.crs().unwrap_or_default();
    let found = match header.keys.foreign_unit() {
        _ if header.keys.is_geographic() => format!("degrees ({crs})"),
        Some(unit) => format!("the unit EPSG:{unit} ({crs})"),
        None => return Ok(options.clone()),
    };
    if options.resolution_m.is_some() {
        return Ok(ReadOptions { stated_resolution: StatedResolution::Override, ..options.clone() });
    }
    let place = Place::field("GeoKeyDirectory");
    Err(ReadError::malformed(file, place, "coordinates in metres", found)
        .with_hint("project the map to metres with gdalwarp, or give resolution and origin"))
}

/// The place of the map: options first, then the file.
fn place_of(
    file: &str,
    stated: Option<Stated>,
    rows: usize,
    options: &ReadOptions,
    findings: &mut Vec<Finding>,
) -> Result<Placement, ReadError> {
    let placement = stated.map(|stated| Placement::of(file, &stated, rows)).transpose()?;
    let (pixel_m, origin) = (placement.map(|place| place.pixel_m), placement.map(|place| place.origin));
    let pixel_m = chosen_resolution(file, pixel_m, options, findings)?;
    let origin = chosen("origin", origin, options.origin_pose(), findings);
    let (Some(pixel_m), Some(origin)) = (pixel_m, origin) else {
        let place = Place::field("ModelPixelScale");
        let expected = "a georeference, or a world file beside the image";
        return Err(ReadError::malformed(file, place, expected, "none")
            .with_hint("give the resolution in metres per cell and the origin, or add a .tfw file"));
    };
    if placement.is_none() {
        let message = "the file states no place; resolution and origin are those of the options";
        findings
            .push(Finding::new(Level::Warning, "NO_GEOREFERENCE", message).hint("write geo tags or a .tfw"));
    }
    Ok(Placement { pixel_m, origin })
}

/// Where an image of so many rows lies by its world file and the options.
pub(crate) fn placement(
    file: &str,
    transform: GeoTransform,
    rows: usize,
    options: &ReadOptions,
    findings: &mut Vec<Finding>,
) -> Result<ImagePlace, ReadError> {
    let place = place_of(file, Some(transform.into()), rows, options, findings)?;
    // Oblong pixels have no one size; a palette's image then says so itself.
    let pixel_size_m = place.is_square().then(|| place.cell_size_m());
    Ok(ImagePlace { pixel_size_m, origin: place.origin })
}

/// Puts an image of another format at the place of its world file.
pub(crate) fn place_image(
    file: &str,
    classifier: Classifier,
    transform: GeoTransform,
    options: &ReadOptions,
    mut findings: Vec<Finding>,
) -> Result<ReadMap, ReadError> {
    let cells = Cells::finished(classifier, &mut findings);
    let place = place_of(file, Some(transform.into()), cells.rows(), options, &mut findings)?;
    let grid = cells.placed(file, &place, &mut findings)?;
    Ok(ReadMap { grid, findings, georeference: Georeference::FromFile, marks: Vec::new() })
}

/// What the map is that a layer lies beside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// A navigation layer, whose colours are taken.
    Navigation,
    Other,
}

/// A layer that is not the map; one that cannot be read is listed without cells, and a finding says why.
fn other_layer(
    file: &str,
    header: &PageHeader<'_>,
    rule: &Rule,
    total_bytes: &mut u64,
    beside: Beside,
    findings: &mut Vec<Finding>,
) -> Layer {
    let mut read = || {
        let layout = header.layout()?;
        count_memory(file, &layout, total_bytes)?;
        let page = header.decode(&layout)?;
        // What is odd about the cells of other layers does not concern the map.
        let counts = Cells::of(file, &page, rule, &mut Vec::new()).ok().map(|cells| cells.class_counts());
        let colours = if beside == Beside::Navigation { layer_rules::colours(&page) } else { None };
        Ok::<_, ReadError>((layer_of(&page, counts), colours))
    };
    let read = read().map(|(layer, colours)| {
        findings.extend(colours);
        layer
    });
    read.unwrap_or_else(|error| {
        let message = format!("layer '{}' was not read: {error}", header.name);
        findings.push(Finding::warning("LAYER_NOT_READ", message));
        Layer { name: header.name.clone(), kind: "unreadable", width: 0, height: 0, class_counts: None }
    })
}

fn layer_of(page: &Page, class_counts: Option<[u64; 3]>) -> Layer {
    let kind = if page.is_height() { "height" } else { page.pixels.kind() };
    let (width, height) = (page.width, page.height);
    Layer { name: page.name.clone(), kind, width, height, class_counts }
}
