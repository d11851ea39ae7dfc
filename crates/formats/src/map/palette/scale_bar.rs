//! Scale of a league image: the bar of exactly 1 m, and the checkerboard of 1 m squares.
//!
//! Bar, orientation arrows and, in one dialect, text share a colour. The bar is the longest straight group
//! along a side of the image whose two ends look alike; an arrow has its head at one end only.

use super::components::{Component, components};
use super::palette_file::{Element, Palette};
use super::rgb_image::{RgbImage, difference};

/// A bar is at least this many times as long as wide.
const MIN_SLENDERNESS: usize = 4;
/// Shorter groups are strokes of letters.
const MIN_LENGTH_PX: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScaleBar {
    /// Its ends, in pixels from the left and from the top edge of the image.
    pub ends_px: [(f64, f64); 2],
    pub length_px: usize,
}

/// The scale bar, if there is one. `least_px` keeps strokes of large letters out.
pub(crate) fn find_scale_bar(elements: &[Element], width: usize, least_px: usize) -> Option<ScaleBar> {
    let least_px = least_px.max(MIN_LENGTH_PX);
    let groups = components(elements, width, Element::ScaleBar, least_px);
    let bars = groups.iter().filter_map(|group| bar_of(group, width)).filter(|bar| bar.length_px >= least_px);
    // The first of equals.
    bars.fold(None, |best: Option<ScaleBar>, bar| match best {
        Some(best) if best.length_px >= bar.length_px => Some(best),
        _ => Some(bar),
    })
}

fn bar_of(group: &Component, width: usize) -> Option<ScaleBar> {
    let (across, down) = group.size();
    let (length_px, thickness_px) = (across.max(down), across.min(down));
    if length_px < MIN_SLENDERNESS * thickness_px {
        return None;
    }
    let position = |index: usize| {
        if across >= down { index % width - group.columns.0 } else { index / width - group.rows.0 }
    };
    let mut profile = vec![0usize; length_px];
    group.pixels.iter().for_each(|&index| profile[position(index)] += 1);
    let end = (length_px / 4).max(1);
    let (near, far): (usize, usize) = (profile[..end].iter().sum(), profile[length_px - end..].iter().sum());
    let is_alike = near.abs_diff(far) * 4 <= near.max(far);
    if !is_alike {
        return None;
    }
    let (left, right) = (group.columns.0 as f64, group.columns.1 as f64 + 1.0);
    let (top, bottom) = (group.rows.0 as f64, group.rows.1 as f64 + 1.0);
    let ends_px = if across >= down {
        [(left, 0.5 * (top + bottom)), (right, 0.5 * (top + bottom))]
    } else {
        [(0.5 * (left + right), bottom), (0.5 * (left + right), top)]
    };
    Some(ScaleBar { ends_px, length_px })
}

/// Pixels per metre by the checkerboard: the most frequent length of a square between two others.
pub(crate) fn checkerboard_px(image: &RgbImage<'_>, palette: &Palette, tolerance: u8) -> Option<usize> {
    /// Fewer rows through whole squares are chance.
    const MIN_ROWS: usize = 8;
    let mut shades = palette.colours_of(Element::Unexplored);
    let (dark, bright) = (shades.next()?, shades.next()?);
    let shade_of = |rgb: [u8; 3]| {
        let (from_dark, from_bright) = (difference(rgb, dark), difference(rgb, bright));
        (from_dark.min(from_bright) <= tolerance).then_some(from_bright < from_dark)
    };
    let mut lengths = vec![0usize; image.width + 1];
    for row in image.pixels.chunks(image.width) {
        // Shade and length of the square, and whether it began after a square of the other shade.
        let (mut shade, mut length, mut is_whole) = (None, 0, false);
        for &rgb in row {
            let next = shade_of(rgb);
            if next == shade {
                length += 1;
                continue;
            }
            let changes = shade.is_some() && next.is_some();
            if is_whole && changes {
                lengths[length] += 1;
            }
            (shade, length, is_whole) = (next, 1, changes);
        }
    }
    let most = lengths.iter().max().copied().filter(|&rows| rows >= MIN_ROWS)?;
    lengths.iter().position(|&rows| rows == most).filter(|&length| length >= MIN_LENGTH_PX)
}

#[cfg(test)]
mod tests {
    use super::super::palette_file::shipped;
    use super::*;

    fn elements(rows: &[&str]) -> (Vec<Element>, usize) {
        let of = |letter| if letter == '#' { Element::ScaleBar } else { Element::Unexplored };
        (rows.iter().flat_map(|row| row.chars()).map(of).collect(), rows[0].len())
    }

    #[test]
    fn a_bar_with_ticks_is_found_beside_an_arrow() {
        let (drawing, width) = elements(&[
            "#..............#........",
            "################........",
            "#..............#........",
            "........................",
            "..................##....",
            ".####################...",
            "..................##....",
        ]);
        let bar = find_scale_bar(&drawing, width, 1).unwrap();
        assert_eq!((bar.length_px, bar.ends_px), (16, [(0.0, 1.5), (16.0, 1.5)]));
        assert_eq!(find_scale_bar(&drawing, width, 17), None);
    }

    #[test]
    fn an_upright_bar_and_no_bar() {
        let (drawing, width) = elements(&["#."; 14]);
        assert_eq!(find_scale_bar(&drawing, width, 1).unwrap().ends_px, [(0.5, 14.0), (0.5, 0.0)]);
        let (square, width) = elements(&["#################"; 17]);
        assert_eq!(find_scale_bar(&square, width, 1), None);
    }

    #[test]
    fn the_checkerboard_tells_the_scale() {
        let (dark, bright) = ([226, 226, 227], [237, 237, 238]);
        let (width, height, side) = (70, 40, 15);
        let pixel = |index: usize| {
            let (column, row) = (index % width, index / width);
            if row < 20 && column > 40 {
                [255; 3]
            } else if (column / side + row / side) % 2 == 0 {
                dark
            } else {
                bright
            }
        };
        let pixels: Vec<_> = (0..width * height).map(pixel).collect();
        let image = RgbImage { width, height, pixels: &pixels, alpha: None };
        assert_eq!(checkerboard_px(&image, &shipped()[1], 8), Some(15));
        let plain = RgbImage { pixels: &vec![dark; width * height], ..image };
        assert_eq!(checkerboard_px(&plain, &shipped()[1], 8), None);
    }
}
