//! Small images in the colours of palettes.

use crate::Files;

/// Small images: all colours, a board with walls and a disc, a line, one pixel, a navigation layer.
#[allow(dead_code, reason = "the tests of palettes draw their own images")]
pub fn seeds() -> Vec<(&'static str, Files)> {
    let board: Vec<usize> = (0..40 * 30)
        .map(|i| match (i % 40, i / 40) {
            (x, 15) if x > 3 => 8,
            (20, _) | (_, 2) => 0,
            (x, y) if (x as i32 - 8).pow(2) + (y as i32 - 22).pow(2) < 20 => 9,
            (x, y) if x > 25 && y > 20 => 14,
            (x, y) => 2 + (x / 8 + y / 8) % 2,
        })
        .collect();
    let files = vec![
        ("all_colours", league_bmp(&(0..16).collect::<Vec<_>>(), 4).0),
        ("board", league_bmp(&board, 40).0),
        ("line", league_bmp(&[8; 64], 64).0),
        ("one_pixel", league_bmp(&[0], 1).0),
        ("navigation", bmp(3, &NAVIGATION)),
    ];
    vec![("palette", files)]
}

/// A BMP of colours of the league, and the number of its pixels.
pub fn league_bmp(colours: &[usize], width: usize) -> (Vec<u8>, usize) {
    const COLOURS: [[u8; 3]; 16] = [
        [0, 40, 120],
        [255, 255, 255],
        [226, 226, 227],
        [237, 237, 238],
        [128, 128, 128],
        [190, 190, 191],
        [0, 50, 140],
        [0, 44, 207],
        [120, 0, 240],
        [240, 10, 10],
        [240, 100, 10],
        [255, 100, 30],
        [10, 10, 240],
        [10, 240, 10],
        [255, 200, 0],
        [77, 33, 99],
    ];
    let mut pixels: Vec<_> = colours.iter().map(|&colour| COLOURS[colour]).collect();
    pixels.resize(pixels.len().next_multiple_of(width), COLOURS[2]);
    (bmp(width, &pixels), pixels.len())
}

/// A 24-bit BMP of rows given top first.
pub fn bmp(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let height = pixels.len() / width;
    let row_bytes = (width * 3).next_multiple_of(4);
    let size = (54 + row_bytes * height) as u32;
    let mut bytes = b"BM".to_vec();
    for field in [size, 0, 54, 40, width as u32, height as u32, 0x0018_0001, 0, 0, 0, 0, 0, 0] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    for row in pixels.chunks(width).rev() {
        let start = bytes.len();
        bytes.extend(row.iter().flat_map(|&[r, g, b]| [b, g, r]));
        bytes.resize(start + row_bytes, 0);
    }
    bytes
}

/// A pixel of each class of a navigation layer.
pub const NAVIGATION: [[u8; 3]; 6] =
    [[0, 0, 0], [0, 255, 0], [255, 255, 255], [0, 0, 255], [255, 0, 0], [0, 255, 0]];
