//! Writes a map and its extra layers as a GeoTIFF that GDAL reads: one page per layer, Deflate, geo keys on
//! every page.
//!
//! Layers of 32-bit reals have the predictor for reals (Adobe's TIFF technical note 3): the bytes of a row sorted by significance and
//! stored as differences. A smooth field then takes a thirtieth of the time and space.
//!
//! The lower-left corner of the grid is the tie point, so that the origin is stored without rounding; a
//! turned grid is stored as a transformation. Key sets: OGC GeoTIFF 1.1, section 7.1. Beside a navigation
//! layer no other layer may hold one of its five colours (F-NAV); occupied cells are then written as grey 1.

use std::io::{Cursor, Seek, Write};

use model::{Cell, CellClass, Grid, GridGeometry, NavigationClass};
use tiff::TiffError;
use tiff::encoder::colortype::{ColorType, Gray8, Gray16, Gray32Float, Gray64Float, GrayI16, RGB8, RGBA8};
use tiff::encoder::{
    Compression, DeflateLevel, DirectoryEncoder, ImageEncoder, TiffEncoder, TiffKind, TiffValue,
};
use tiff::tags::{PhotometricInterpretation, SampleFormat, Tag};

use super::geo_keys::{
    CITATION, LINEAR_UNITS, METRE, MODEL_TYPE, PROJECTED_TYPE, RASTER_TYPE, TEXT_TAG, USER_DEFINED,
};
use crate::map::occupancy::greys_of;

const PAGE_NAME: u16 = 285;
const PROJECTED: u16 = 1;
const AREA: u16 = 1;
/// Black for occupied cells where pure black is taken by the navigation layer.
const NEAR_BLACK: u8 = 1;

/// The frame of the coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A frame of its own in metres, such as an arena, by name.
    Local(String),
    /// A projected reference system in metres, by EPSG number.
    Epsg(u16),
}

/// The pixels of a layer to be written, top row first.
#[derive(Clone, Copy, Debug)]
pub enum WrittenPixels<'a> {
    /// The navigation layer in its five colours.
    Navigation(&'a [NavigationClass]),
    /// The classes of a map: 0 (1 beside a navigation layer) occupied, 254 free, 205 unknown.
    Occupancy(&'a Grid),
    Grey8(&'a [u8]),
    /// Red, green, blue.
    Rgb8(&'a [u8]),
    /// Red, green, blue, alpha.
    Rgba8(&'a [u8]),
    /// Whole numbers; no colours, so that the colour rule does not hold for them.
    Grey16(&'a [u16]),
    Signed16(&'a [i16]),
    /// Real numbers of any meaning.
    Numbers(&'a [f64]),
    /// Probabilities that cells are occupied.
    Probability(&'a [f32]),
}

/// A layer to be written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenLayer<'a> {
    /// Name of the page.
    pub name: &'a str,
    /// Its pixels, as many as the geometry has cells.
    pub pixels: WrittenPixels<'a>,
}

/// Why a GeoTIFF was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// There is nothing to write.
    #[error("expected at least one layer, found none")]
    NoLayers,
    /// Samples and cells do not match.
    #[error("layer '{layer}': expected {expected} samples, found {found}")]
    Size {
        layer: String,
        /// Samples that the geometry asks for.
        expected: usize,
        found: usize,
    },
    /// A colour of the navigation layer in another one.
    #[error(
        "layer '{layer}', column {column}, row {row} from the top: expected none of the five navigation \
         colours, found {colour:?}"
    )]
    NavigationColour {
        layer: String,
        /// Column of the first such pixel, from 0.
        column: usize,
        /// Row of the first such pixel, from 0 at the top.
        row: usize,
        colour: [u8; 3],
    },
    #[error("the GeoTIFF could not be encoded: {0}")]
    Encoder(#[from] TiffError),
}

/// Bytes of a GeoTIFF with these layers, all over the same cells.
///
/// # Errors
/// No layers, a layer of another size, a navigation colour in another layer, more than 4 GiB.
pub fn write(
    geometry: &GridGeometry,
    frame: &Frame,
    layers: &[WrittenLayer<'_>],
) -> Result<Vec<u8>, WriteError> {
    if layers.is_empty() {
        return Err(WriteError::NoLayers);
    }
    let is_navigation = |layer: &WrittenLayer<'_>| matches!(layer.pixels, WrittenPixels::Navigation(_));
    let palette = if layers.iter().any(is_navigation) { Palette::Reserved } else { Palette::Free };
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes)?;
    for layer in layers {
        encoder = encoder.with_compression(Compression::Deflate(level_of(layer)));
        write_layer(&mut encoder, geometry, frame, layer, palette)?;
    }
    Ok(bytes.into_inner())
}

/// What the predictor leaves of reals is packed well by the fastest level.
const fn level_of(layer: &WrittenLayer<'_>) -> DeflateLevel {
    match layer.pixels {
        WrittenPixels::Probability(_) => DeflateLevel::Fast,
        _ => DeflateLevel::Balanced,
    }
}

/// Whether the five navigation colours are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Palette {
    Free,
    Reserved,
}

fn write_layer<W: Write + Seek, K: TiffKind>(
    encoder: &mut TiffEncoder<W, K>,
    geometry: &GridGeometry,
    frame: &Frame,
    layer: &WrittenLayer<'_>,
    palette: Palette,
) -> Result<(), WriteError> {
    let page = (geometry, frame, layer.name);
    match layer.pixels {
        WrittenPixels::Navigation(classes) => {
            let colours: Vec<u8> = classes.iter().flat_map(|class| class.rgb()).collect();
            write_page::<RGB8, _, _>(encoder, page, &colours, 3)
        }
        WrittenPixels::Occupancy(grid) => {
            let mut greys = greys_of(grid);
            if palette == Palette::Reserved {
                let occupied =
                    greys.iter_mut().zip(grid.classes()).filter(|(_, c)| **c == CellClass::Occupied);
                occupied.for_each(|(grey, _)| *grey = NEAR_BLACK);
            }
            write_page::<Gray8, _, _>(encoder, page, &greys, 1)
        }
        WrittenPixels::Grey8(greys) => {
            refuse_navigation_colours(layer.name, geometry, palette, greys.iter().map(|&grey| [grey; 3]))?;
            write_page::<Gray8, _, _>(encoder, page, greys, 1)
        }
        WrittenPixels::Rgb8(samples) => {
            let colours = samples.as_chunks::<3>().0.iter().copied();
            refuse_navigation_colours(layer.name, geometry, palette, colours)?;
            write_page::<RGB8, _, _>(encoder, page, samples, 3)
        }
        WrittenPixels::Rgba8(samples) => {
            let colours = samples.as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]);
            refuse_navigation_colours(layer.name, geometry, palette, colours)?;
            write_page::<RGBA8, _, _>(encoder, page, samples, 4)
        }
        WrittenPixels::Grey16(values) => write_page::<Gray16, _, _>(encoder, page, values, 1),
        WrittenPixels::Signed16(values) => write_page::<GrayI16, _, _>(encoder, page, values, 1),
        WrittenPixels::Numbers(values) => write_page::<Gray64Float, _, _>(encoder, page, values, 1),
        WrittenPixels::Probability(values) => {
            let sorted = sorted_differences(values, geometry.width());
            let mut image = begin_page::<SortedFloat, _, _>(encoder, page, sorted.len(), 1)?;
            image.encoder().write_tag(Tag::Predictor, FLOATING_POINT)?;
            Ok(image.write_data(&sorted)?)
        }
    }
}

/// Value of the tag for the predictor for reals.
const FLOATING_POINT: u16 = 3;

/// Reals of 32 bits whose bytes are sorted, four in a word.
struct SortedFloat;

impl ColorType for SortedFloat {
    type Inner = u32;
    const TIFF_VALUE: PhotometricInterpretation = Gray32Float::TIFF_VALUE;
    const BITS_PER_SAMPLE: &'static [u16] = Gray32Float::BITS_PER_SAMPLE;
    const SAMPLE_FORMAT: &'static [SampleFormat] = Gray32Float::SAMPLE_FORMAT;

    fn horizontal_predict(row: &[u32], result: &mut Vec<u32>) {
        result.extend_from_slice(row);
    }
}

/// The bytes of each row, most significant first, each byte less the one before it.
fn sorted_differences(values: &[f32], width: usize) -> Vec<u32> {
    let mut words = Vec::with_capacity(values.len());
    let mut bytes = vec![0; 4 * width];
    for row in values.chunks(width.max(1)) {
        let (high, low) = bytes[..4 * row.len()].split_at_mut(2 * row.len());
        let ((first, second), (third, fourth)) = (high.split_at_mut(row.len()), low.split_at_mut(row.len()));
        let planes = first.iter_mut().zip(second).zip(third.iter_mut().zip(fourth));
        for (value, ((first, second), (third, fourth))) in row.iter().zip(planes) {
            [*first, *second, *third, *fourth] = value.to_be_bytes();
        }
        let mut before = 0;
        words.extend(bytes[..4 * row.len()].as_chunks::<4>().0.iter().map(|four| {
            u32::from_ne_bytes(four.map(|byte| {
                let difference = byte.wrapping_sub(before);
                before = byte;
                difference
            }))
        }));
    }
    words
}

fn refuse_navigation_colours(
    layer: &str,
    geometry: &GridGeometry,
    palette: Palette,
    mut colours: impl Iterator<Item = [u8; 3]>,
) -> Result<(), WriteError> {
    let is_taken = |colour: &[u8; 3]| NavigationClass::ALL.iter().any(|class| class.rgb() == *colour);
    if palette == Palette::Free {
        return Ok(());
    }
    let mut index = 0;
    let taken = colours.find(|colour| {
        index += 1;
        is_taken(colour)
    });
    let Some(colour) = taken else { return Ok(()) };
    let Cell { i: column, j } = geometry.cell_of((index - 1).min(geometry.cells() - 1));
    let row = geometry.height() - 1 - j;
    Err(WriteError::NavigationColour { layer: layer.to_owned(), column, row, colour })
}

fn write_page<C, W, K>(
    encoder: &mut TiffEncoder<W, K>,
    page: (&GridGeometry, &Frame, &str),
    samples: &[C::Inner],
    channels: usize,
) -> Result<(), WriteError>
where
    C: ColorType,
    [C::Inner]: TiffValue,
    W: Write + Seek,
    K: TiffKind,
{
    Ok(begin_page::<C, _, _>(encoder, page, samples.len(), channels)?.write_data(samples)?)
}

/// A page with its name and place, and without its samples.
fn begin_page<'a, C: ColorType, W: Write + Seek, K: TiffKind>(
    encoder: &'a mut TiffEncoder<W, K>,
    (geometry, frame, name): (&GridGeometry, &Frame, &str),
    samples: usize,
    channels: usize,
) -> Result<ImageEncoder<'a, W, C, K>, WriteError> {
    let expected = geometry.cells() * channels;
    if samples != expected {
        return Err(WriteError::Size { layer: name.to_owned(), expected, found: samples });
    }
    let side = |cells: usize| u32::try_from(cells).map_err(TiffError::from);
    let mut image = encoder.new_image::<C>(side(geometry.width())?, side(geometry.height())?)?;
    let tags = image.encoder();
    tags.write_tag(Tag::Unknown(PAGE_NAME), name)?;
    write_place(tags, geometry)?;
    write_keys(tags, frame)?;
    Ok(image)
}

/// Scale and tie point, or a transformation for a turned grid.
fn write_place<W: Write + Seek, K: TiffKind>(
    tags: &mut DirectoryEncoder<'_, W, K>,
    geometry: &GridGeometry,
) -> Result<(), TiffError> {
    let (size_m, origin) = (geometry.cell_size_m(), geometry.origin());
    let height = geometry.height() as f64;
    if origin.theta_rad == 0.0 {
        tags.write_tag(Tag::ModelPixelScaleTag, &[size_m, size_m, 0.0][..])?;
        return tags.write_tag(Tag::ModelTiepointTag, &[0.0, height, 0.0, origin.x_m, origin.y_m, 0.0][..]);
    }
    let (sin, cos) = origin.theta_rad.sin_cos();
    let top_left = geometry.world_of_grid_point(0.0, height);
    let (step_x_m, step_y_m) = (cos * size_m, sin * size_m);
    #[rustfmt::skip]
    let matrix = [
        step_x_m, step_y_m, 0.0, top_left.x_m,
        step_y_m, -step_x_m, 0.0, top_left.y_m,
        0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 1.0,
    ];
    tags.write_tag(Tag::ModelTransformationTag, &matrix[..])
}

#[allow(clippy::cast_possible_truncation, reason = "201 letters at most")]
fn write_keys<W: Write + Seek, K: TiffKind>(
    tags: &mut DirectoryEncoder<'_, W, K>,
    frame: &Frame,
) -> Result<(), TiffError> {
    let number = |key: u16, value: u16| [key, 0, 1, value];
    match frame {
        Frame::Epsg(code) => {
            let keys =
                [number(MODEL_TYPE, PROJECTED), number(RASTER_TYPE, AREA), number(PROJECTED_TYPE, *code)];
            write_key_directory(tags, &keys)
        }
        Frame::Local(name) => {
            // The name ends with a bar, so it can hold none; and it is ASCII.
            let keep = |c: char| if c.is_ascii_graphic() && c != '|' || c == ' ' { c } else { '_' };
            let text: String = name.chars().take(200).map(keep).chain(['|']).collect();
            let keys = [
                number(MODEL_TYPE, USER_DEFINED),
                number(RASTER_TYPE, AREA),
                [CITATION, TEXT_TAG, text.len() as u16, 0],
                number(PROJECTED_TYPE, USER_DEFINED),
                number(LINEAR_UNITS, METRE),
            ];
            write_key_directory(tags, &keys)?;
            tags.write_tag(Tag::GeoAsciiParamsTag, text.as_str())
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "five keys at most")]
fn write_key_directory<W: Write + Seek, K: TiffKind>(
    tags: &mut DirectoryEncoder<'_, W, K>,
    keys: &[[u16; 4]],
) -> Result<(), TiffError> {
    // Version 1, revision 1.0, number of keys.
    let head = [1, 1, 0, keys.len() as u16];
    let words: Vec<u16> = head.into_iter().chain(keys.iter().flatten().copied()).collect();
    tags.write_tag(Tag::GeoKeyDirectoryTag, &words[..])
}
