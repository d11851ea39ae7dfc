//! Pictures of a comparison as palette PNG: small files, sharp cells, the same bytes each time.
//!
//! Small maps are enlarged by a whole factor so that a cell can be seen; large ones are reduced block by
//! block so that an error never vanishes among the cells that agree.

mod graph;
mod heat;
mod marked;
mod overlay;
mod ringed;

pub use graph::{GraphPicture, graph_png, lines_png};
pub use heat::{HEAT_STOPS, heat_max_cells, heat_png};
pub use marked::{MARK_COLOURS, labels_png, marked_png, numbered_svg};
pub use overlay::{OVERLAY_LEGEND, overlay_png};
pub use ringed::{Ring, RingKind, RingedMap, ringed_svg};

/// A colour: red, green, blue.
pub type Rgb = [u8; 3];

/// Enlarged pictures stay within this many pixels on the longer side.
const ENLARGE_TO_PIXELS: usize = 960;
/// A cell is drawn at most this large.
const MAX_PIXELS_PER_CELL: usize = 16;
/// Pictures longer than this are reduced.
const REDUCE_ABOVE_PIXELS: usize = 1600;

/// A picture that could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A plane does not have one class per cell.
    #[error("the {plane} has {found} cells: expected {width} x {height}")]
    Size {
        /// Which plane.
        plane: &'static str,
        /// Its number of cells.
        found: usize,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// There is no cell to draw.
    #[error("there is no cell to draw: {width} x {height}")]
    Empty {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// An error lies outside the plane.
    #[error("cell {index} lies outside the {cells} cells of the picture")]
    Outside {
        /// Index of the cell.
        index: usize,
        /// Number of cells.
        cells: usize,
    },
    /// The encoder refused.
    #[error("the picture cannot be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// Columns and rows of a plane, top row first.
#[derive(Clone, Copy)]
struct Size {
    width: usize,
    height: usize,
}

impl Size {
    fn of(width: usize, height: usize) -> Result<Self, PictureError> {
        if width == 0 || height == 0 {
            return Err(PictureError::Empty { width, height });
        }
        Ok(Self { width, height })
    }

    fn check(self, plane: &'static str, found: usize) -> Result<(), PictureError> {
        let Self { width, height } = self;
        if width.checked_mul(height) == Some(found) {
            return Ok(());
        }
        Err(PictureError::Size { plane, found, width, height })
    }

    const fn longer_side(self) -> usize {
        if self.width > self.height { self.width } else { self.height }
    }
}

/// Draws a plane of palette entries. `winner` chooses one entry for a block of cells that shares a pixel.
fn draw(
    size: Size,
    palette: &[Rgb],
    entry_of: impl Fn(usize) -> u8,
    winner: impl Fn(&[u8]) -> u8,
) -> Result<Vec<u8>, PictureError> {
    let block = size.longer_side().div_ceil(REDUCE_ABOVE_PIXELS);
    let (reduced, pixels) = reduce(size, block, entry_of, winner);
    let factor = (ENLARGE_TO_PIXELS / reduced.longer_side()).clamp(1, MAX_PIXELS_PER_CELL);
    let (enlarged, pixels) = enlarge(reduced, factor, &pixels);
    encode(enlarged, palette, &pixels)
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
fn encode(size: Size, palette: &[Rgb], pixels: &[u8]) -> Result<Vec<u8>, PictureError> {
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
mod tests {
    use super::*;

    /// Size and colours of a PNG, as a viewer sees them.
    pub(super) fn decode(bytes: &[u8]) -> (usize, usize, Vec<Rgb>) {
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
        let bytes = draw(size, &GREYS, |index| index as u8, |block| block[0]).unwrap();
        let (width, height, pixels) = decode(&bytes);
        assert_eq!((width, height), (48, 16));
        assert_eq!((pixels[15], pixels[16], pixels[47]), (GREYS[0], GREYS[1], GREYS[2]));
    }

    #[test]
    fn a_large_plane_is_reduced_and_the_winner_stays() {
        let size = Size::of(3201, 2).unwrap();
        let max = |block: &[u8]| block.iter().copied().max().unwrap();
        let bytes = draw(size, &GREYS, |index| u8::from(index == 3200 + 3201) * 2, max).unwrap();
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
        assert!(matches!(Size::of(0, 5), Err(PictureError::Empty { .. })));
    }
}
