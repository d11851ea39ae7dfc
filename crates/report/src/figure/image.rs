//! Cells as palette PNG: small files, sharp cells, the same bytes each time.
//!
//! Small maps are enlarged by a whole factor so that a cell can be seen; large ones are reduced block by block so that
//! an error never vanishes among the cells that agree.

use super::cells::{Cells, Reduction};
use super::scale_bar::strip;

/// A colour: red, green, blue.
pub type Rgb = [u8; 3];

/// How large an image may be, in pixels on the longer side.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    /// Enlarged images stay within this.
    enlarge_to_pixels: usize,
    /// Longer images are reduced.
    reduce_above_pixels: usize,
    bar: Bar,
}

impl Fit {
    pub(super) const FIGURE: Self =
        Self { enlarge_to_pixels: 960, reduce_above_pixels: 1600, bar: Bar::Below };
    /// As [`Fit::FIGURE`], inside a drawing that has its own scale bar.
    pub(super) const IN_DRAWING: Self = Self { bar: Bar::Elsewhere, ..Self::FIGURE };
    /// Enough to tell a map apart from its neighbours in a list; about a kilobyte.
    pub(super) const THUMBNAIL: Self =
        Self { enlarge_to_pixels: 96, reduce_above_pixels: 96, bar: Bar::Elsewhere };
}

/// A cell is drawn at most this large.
const MAX_PIXELS_PER_CELL: usize = 16;
/// What open cells of the lowest layer show.
const PAPER: Rgb = [255; 3];

/// Why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    #[error("the {plane} has {found} cells: expected {width} x {height}")]
    Size { plane: &'static str, found: usize, width: usize, height: usize },
    #[error("there is no cell to draw")]
    Empty,
    #[error("cell {index} lies outside the {cells} cells of the image")]
    Outside { index: usize, cells: usize },
    #[error("the layers of a figure lie on different grids")]
    Placement,
    #[error("a PNG palette of {found} colours: expected at most 256")]
    Colours { found: usize },
    #[error("the image cannot be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// Columns and rows of a plane, top row first.
#[derive(Clone, Copy)]
struct Size {
    width: usize,
    height: usize,
}

impl Size {
    fn of(width: usize, height: usize) -> Result<Self, ImageError> {
        if width == 0 || height == 0 {
            return Err(ImageError::Empty);
        }
        Ok(Self { width, height })
    }

    fn check(self, plane: &'static str, found: usize) -> Result<(), ImageError> {
        let Self { width, height } = self;
        if width.checked_mul(height) == Some(found) {
            return Ok(());
        }
        Err(ImageError::Size { plane, found, width, height })
    }

    const fn longer_side(self) -> usize {
        if self.width > self.height { self.width } else { self.height }
    }
}

/// Where the scale bar of an image stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    Below,
    /// The drawing around the image has it.
    Elsewhere,
}

/// The layers over each other, from the topmost one that covers all below.
pub(super) fn flattened(layers: &[&Cells], fit: Fit) -> Result<Vec<u8>, ImageError> {
    let base = layers.iter().rposition(|cells| cells.covers());
    let layers = &layers[base.unwrap_or(0)..];
    let geometry = layers.first().ok_or(ImageError::Empty)?.geometry;
    let size = Size::of(geometry.width(), geometry.height())?;
    let mut palette = if base.is_none() { vec![PAPER] } else { Vec::new() };
    // The first entry of each layer in the common palette: entries of upper layers are higher.
    let mut planes = Vec::with_capacity(layers.len());
    for cells in layers {
        size.check("layer", cells.entries.len())?;
        if cells.geometry != geometry {
            return Err(ImageError::Placement);
        }
        let colours = cells.palette.colours();
        planes.push(Plane { cells, first: palette.len(), colours: colours.len() });
        palette.extend(colours);
    }
    if palette.len() > 256 {
        return Err(ImageError::Colours { found: palette.len() });
    }
    let entry_of = |index: usize| {
        let shown = planes.iter().rev().find_map(|plane| plane.entry_of(index));
        shown.unwrap_or(0)
    };
    let (size, mut pixels) = scaled(size, fit, entry_of, |block| winner(&planes, block));
    let width_m = geometry.width() as f64 * geometry.cell_size_m();
    let strip = if fit.bar == Bar::Below { strip(size.width, width_m, &palette) } else { None };
    let Some(strip) = strip else { return encode(size, &palette, &pixels) };
    pixels.extend(strip.entries);
    encode(Size { height: size.height + strip.rows, ..size }, &strip.palette, &pixels)
}

/// A layer and its part of the common palette.
struct Plane<'a> {
    cells: &'a Cells,
    first: usize,
    colours: usize,
}

impl Plane<'_> {
    fn entry_of(&self, index: usize) -> Option<u8> {
        let entry = usize::from(self.cells.entries[index]);
        (entry < self.colours).then_some((self.first + entry) as u8)
    }
}

/// The upper layer wins, then its own rule.
fn winner(planes: &[Plane<'_>], block: &[u8]) -> u8 {
    let highest = block.iter().copied().max().unwrap_or(0);
    let ranked = planes.iter().rev().find(|plane| plane.first <= usize::from(highest));
    let Some(plane) = ranked.filter(|plane| plane.cells.reduction != Reduction::Highest) else {
        return highest;
    };
    let own = block.iter().filter_map(|&entry| usize::from(entry).checked_sub(plane.first));
    let own: Vec<u8> = own.map(|entry| entry as u8).collect();
    plane.first as u8 + plane.cells.reduction.of(&own)
}

/// A plane of palette entries as a PNG, in image order. Where cells share a pixel the highest entry wins.
///
/// # Errors
/// A plane of another size, no cell, or more than 256 colours.
pub fn marked_png(
    palette: &[Rgb],
    entries: &[u8],
    width: usize,
    height: usize,
) -> Result<Vec<u8>, ImageError> {
    let size = Size::of(width, height)?;
    size.check("plane of marks", entries.len())?;
    let last = palette.len().min(256).saturating_sub(1) as u8;
    draw(size, Fit::FIGURE, palette, |index| entries[index].min(last), |block| Reduction::Highest.of(block))
}

/// A plane of palette entries as a PNG of one pixel per cell, quickly; entry `open` is transparent.
///
/// # Errors
/// A plane of another size, no cell, or an entry without a colour.
pub fn tile_png(
    palette: &[Rgb],
    open: Option<u8>,
    entries: &[u8],
    width: usize,
    height: usize,
) -> Result<Vec<u8>, ImageError> {
    let size = Size::of(width, height)?;
    size.check("tile", entries.len())?;
    if let Some(index) = entries.iter().position(|&entry| usize::from(entry) >= palette.len().min(16)) {
        return Err(ImageError::Outside { index, cells: palette.len() });
    }
    let mut bytes = Vec::new();
    let side = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
    let mut encoder = png::Encoder::new(&mut bytes, side(width), side(height));
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette.concat());
    if let Some(open) = open {
        encoder.set_trns(
            (0..palette.len())
                .map(|entry| if entry == usize::from(open) { 0 } else { 255 })
                .collect::<Vec<u8>>(),
        );
    }
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_depth(png::BitDepth::Four);
    let packed: Vec<u8> = entries.chunks(width).flat_map(pack_row).collect();
    encoder.write_header()?.write_image_data(&packed)?;
    Ok(bytes)
}

/// Room numbers as a PNG of 16-bit grey values, one pixel per cell; 0 is no room.
///
/// # Errors
/// A plane of another size, no cell, or a number above 65535.
pub fn labels_png(labels: &[u32], width: usize, height: usize) -> Result<Vec<u8>, ImageError> {
    Size::of(width, height)?.check("plane of labels", labels.len())?;
    let mut samples = Vec::with_capacity(labels.len() * 2);
    for (index, &label) in labels.iter().enumerate() {
        let sample = u16::try_from(label).map_err(|_| ImageError::Outside { index, cells: labels.len() })?;
        samples.extend(sample.to_be_bytes());
    }
    let mut bytes = Vec::new();
    let side = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
    let mut encoder = png::Encoder::new(&mut bytes, side(width), side(height));
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header()?.write_image_data(&samples)?;
    Ok(bytes)
}

/// Draws a plane of palette entries. `winner` chooses one entry for a block of cells that shares a pixel.
fn draw(
    size: Size,
    fit: Fit,
    palette: &[Rgb],
    entry_of: impl Fn(usize) -> u8,
    winner: impl Fn(&[u8]) -> u8,
) -> Result<Vec<u8>, ImageError> {
    let (size, pixels) = scaled(size, fit, entry_of, winner);
    encode(size, palette, &pixels)
}

/// Palette entries of pixels: fewer than cells where there are too many, more where there are few.
fn scaled(
    size: Size,
    fit: Fit,
    entry_of: impl Fn(usize) -> u8,
    winner: impl Fn(&[u8]) -> u8,
) -> (Size, Vec<u8>) {
    let block = size.longer_side().div_ceil(fit.reduce_above_pixels);
    let (reduced, pixels) = reduce(size, block, entry_of, winner);
    let factor = (fit.enlarge_to_pixels / reduced.longer_side()).clamp(1, MAX_PIXELS_PER_CELL);
    enlarge(reduced, factor, &pixels)
}

fn reduce(
    size: Size,
    block: usize,
    entry_of: impl Fn(usize) -> u8,
    winner: impl Fn(&[u8]) -> u8,
) -> (Size, Vec<u8>) {
    let reduced = Size { width: size.width.div_ceil(block), height: size.height.div_ceil(block) };
    let mut pixels = Vec::with_capacity(reduced.width * reduced.height);
    let mut entries = Vec::with_capacity(block * block);
    for top in (0..size.height).step_by(block) {
        for left in (0..size.width).step_by(block) {
            entries.clear();
            for row in top..(top + block).min(size.height) {
                let start = row * size.width;
                let end = (left + block).min(size.width);
                entries.extend((start + left..start + end).map(&entry_of));
            }
            // Most blocks are of one kind, and then there is nothing to choose.
            let first = entries[0];
            let is_uniform = entries.iter().all(|&entry| entry == first);
            pixels.push(if is_uniform { first } else { winner(&entries) });
        }
    }
    (reduced, pixels)
}

fn enlarge(size: Size, factor: usize, pixels: &[u8]) -> (Size, Vec<u8>) {
    let enlarged = Size { width: size.width * factor, height: size.height * factor };
    let mut out = Vec::with_capacity(enlarged.width * enlarged.height);
    for row in pixels.chunks(size.width) {
        let wide: Vec<u8> = row.iter().flat_map(|&entry| std::iter::repeat_n(entry, factor)).collect();
        for _ in 0..factor {
            out.extend_from_slice(&wide);
        }
    }
    (enlarged, out)
}

/// Up to 16 colours take half a byte per pixel, up to 256 one byte.
fn encode(size: Size, palette: &[Rgb], pixels: &[u8]) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    let side = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
    let mut encoder = png::Encoder::new(&mut bytes, side(size.width), side(size.height));
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    if palette.len() <= 16 {
        encoder.set_depth(png::BitDepth::Four);
        let packed: Vec<u8> = pixels.chunks(size.width).flat_map(pack_row).collect();
        encoder.write_header()?.write_image_data(&packed)?;
    } else {
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header()?.write_image_data(pixels)?;
    }
    Ok(bytes)
}

fn pack_row(row: &[u8]) -> impl Iterator<Item = u8> {
    row.chunks(2).map(|pair| (pair[0] << 4) | pair.get(1).copied().unwrap_or(0))
}

#[cfg(test)]
pub(super) mod tests {
    use model::{GridGeometry, Pose2};

    use super::super::{Figure, Layer, OPEN};
    use super::*;

    /// Size and colours of a PNG, as a viewer sees them.
    pub(in crate::figure) fn decode(bytes: &[u8]) -> (usize, usize, Vec<Rgb>) {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut buffer).unwrap();
        let pixels = buffer[..info.buffer_size()].chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        (info.width as usize, info.height as usize, pixels)
    }

    const GREYS: [Rgb; 3] = [[0; 3], [100; 3], [200; 3]];

    #[test]
    fn a_small_plane_is_enlarged_by_a_whole_factor() {
        let size = Size::of(3, 1).unwrap();
        let bytes = draw(size, Fit::FIGURE, &GREYS, |index| index as u8, |block| block[0]).unwrap();
        let (width, height, pixels) = decode(&bytes);
        assert_eq!((width, height), (48, 16));
        assert_eq!((pixels[15], pixels[16], pixels[47]), (GREYS[0], GREYS[1], GREYS[2]));
    }

    #[test]
    fn a_large_plane_is_reduced_and_the_winner_stays() {
        let size = Size::of(3201, 2).unwrap();
        let max = |block: &[u8]| block.iter().copied().max().unwrap();
        let bytes = draw(size, Fit::FIGURE, &GREYS, |index| u8::from(index == 3200 + 3201) * 2, max).unwrap();
        let (width, height, pixels) = decode(&bytes);
        assert_eq!((width, height), (1067, 1), "blocks of 3");
        assert_eq!(pixels[1066], GREYS[2]);
        assert_eq!(pixels[1065], GREYS[0]);
    }

    #[test]
    fn an_odd_row_is_packed_with_a_half_byte_left() {
        assert_eq!(pack_row(&[1, 2, 3]).collect::<Vec<_>>(), [0x12, 0x30]);
    }

    #[test]
    fn nothing_to_draw_is_an_error() {
        assert!(matches!(Size::of(0, 5), Err(ImageError::Empty)));
        assert!(matches!(flattened(&[], Fit::FIGURE), Err(ImageError::Empty)));
    }

    #[test]
    fn entries_get_their_colours() {
        let palette = [[255, 255, 255], [0, 0, 0]];
        let (width, _, pixels) = decode(&marked_png(&palette, &[0, 1], 2, 1).unwrap());
        assert_eq!((pixels[0], pixels[width - 1]), (palette[0], palette[1]));
        assert!(marked_png(&palette, &[0], 2, 1).is_err());
    }

    #[test]
    fn labels_keep_their_numbers() {
        let bytes = labels_png(&[0, 1, 300, 65535], 2, 2).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        let numbers: Vec<u16> = buffer.chunks(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect();
        assert_eq!(numbers, [0, 1, 300, 65535]);
        assert!(labels_png(&[65536], 1, 1).is_err());
    }

    fn row(cells: usize) -> GridGeometry {
        GridGeometry::new(cells, 1, 0.1, Pose2::IDENTITY).unwrap()
    }

    #[test]
    fn lines_lie_over_the_map_and_later_lines_over_earlier_ones() {
        let ground = Layer::classes("map", &row(4), &[0, 1, 2, 0], GREYS);
        let (line, node) = ([1, 2, 3], [4, 5, 6]);
        let lines = [(line, "line", vec![0, 3]), (node, "node", vec![3])];
        let lines = Layer::lines("graph", &row(4), &lines).unwrap();
        let (width, _, pixels) = decode(&Figure::new("a", "", "", vec![ground, lines]).png().unwrap());
        let colours: Vec<Rgb> = (0..4).map(|cell| pixels[cell * width / 4]).collect();
        assert_eq!(colours, [line, GREYS[1], GREYS[2], node]);
        let outside = Layer::lines("graph", &row(1), &[(line, "line", vec![7])]);
        assert!(matches!(outside, Err(ImageError::Outside { index: 7, cells: 1 })));
    }

    #[test]
    fn open_cells_of_the_lowest_layer_are_paper() {
        let layer = Layer::cells("a", &row(2), vec![0, OPEN], &[([7; 3], "seven")]);
        let (width, _, pixels) = decode(&Figure::new("a", "", "", vec![layer]).png().unwrap());
        assert_eq!((pixels[0], pixels[width - 1]), ([7; 3], PAPER));
    }

    #[test]
    fn layers_on_different_grids_are_refused() {
        let open = |cells: usize| Layer::cells("a", &row(cells), vec![OPEN; cells], &[]);
        let drawn = |layers: Vec<Layer>| Figure::new("a", "", "", layers).png();
        let moved = row(2).moved_by(Pose2::new(1.0, 0.0, 0.0));
        let other = Layer::cells("b", &moved, vec![OPEN; 2], &[]);
        assert!(matches!(drawn(vec![open(2), other]), Err(ImageError::Placement)));
        assert!(matches!(drawn(vec![open(2), open(3)]), Err(ImageError::Size { .. })));
    }
}
