//! Pictures of marked cells: rooms, parts, regions. Who calls says what each palette entry means.

use super::{PictureError, Rgb, Size, draw};
use crate::base64::base64;

/// Colours for things that are only told apart, after Okabe and Ito (2008), in the order in which they are used.
pub const MARK_COLOURS: [Rgb; 7] = [
    [86, 180, 233],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [240, 228, 66],
    [0, 114, 178],
    [213, 94, 0],
];

/// A plane of palette entries as a PNG, top row first. Where cells share a pixel the highest entry wins.
///
/// # Errors
/// A plane of another size, no cell, or more than 256 colours.
pub fn marked_png(
    palette: &[Rgb],
    entries: &[u8],
    width: usize,
    height: usize,
) -> Result<Vec<u8>, PictureError> {
    let size = Size::of(width, height)?;
    size.check("plane of marks", entries.len())?;
    let most = palette.len().min(256).saturating_sub(1) as u8;
    let highest = |block: &[u8]| block.iter().copied().max().unwrap_or(0);
    draw(size, palette, |index| entries[index].min(most), highest)
}

/// Room numbers as a PNG of 16-bit grey values, one pixel per cell; 0 is no room.
///
/// # Errors
/// A plane of another size, no cell, or a number above 65535.
pub fn labels_png(labels: &[u32], width: usize, height: usize) -> Result<Vec<u8>, PictureError> {
    Size::of(width, height)?.check("plane of labels", labels.len())?;
    let mut samples = Vec::with_capacity(labels.len() * 2);
    for (index, &label) in labels.iter().enumerate() {
        let sample =
            u16::try_from(label).map_err(|_| PictureError::Outside { index, cells: labels.len() })?;
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

/// A picture with a number on each of some places, as an SVG element. Places are in cells (column, row down).
#[must_use]
pub fn numbered_svg(png: &[u8], width: usize, height: usize, numbers: &[(u32, f64, f64)]) -> String {
    use std::fmt::Write;
    let letter = (width.max(height) as f64 / 45.0).max(1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"{letter:.2}\" text-anchor=\"middle\">\n<image width=\"{width}\" height=\"{height}\" \
         preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        base64(png)
    );
    for (number, x, y) in numbers {
        let (halo, below) = (letter / 6.0, y + letter / 3.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.2}\" y=\"{below:.2}\" stroke=\"#fff\" stroke-width=\"{halo:.2}\" paint-order=\"stroke\">{number}</text>"
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::super::tests::decode;
    use super::*;

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

    #[test]
    fn numbers_stand_on_their_places() {
        let svg = numbered_svg(&[], 90, 45, &[(7, 10.0, 20.0)]);
        assert!(svg.contains("<text x=\"10.00\" y=\"20.67\"") && svg.contains(">7</text>"), "{svg}");
    }
}
