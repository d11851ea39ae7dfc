//! The scale bar of every map figure: a strip below the cells with a bar of a round length in metres.
//!
//! Images have it in pixels, with letters of our own; drawings have it as lines and text.

use std::fmt::Write;

use super::image::Rgb;

/// Narrower images have no room for a bar with its words.
const MIN_WIDTH_PIXELS: usize = 60;
/// The bar takes about this share of the width.
const SHARE_OF_WIDTH: f64 = 0.25;
/// Letters are 5 x 7 dots; a dot is one pixel for so many pixels of width.
const PIXELS_PER_DOT: usize = 240;
const PAPER: Rgb = [255; 3];
const INK: Rgb = [51; 3];

/// The length of a bar: 1, 2 or 5 times a power of ten, at most `room_m`; none if that is no length.
fn round_length_m(room_m: f64) -> Option<f64> {
    if !room_m.is_finite() || room_m <= 1e-9 || room_m >= 1e9 {
        return None;
    }
    let power = 10f64.powi(room_m.log10().floor() as i32);
    [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|&length_m| length_m <= room_m * 1.000_001)
}

fn words(length_m: f64) -> String {
    match length_m {
        length_m if length_m < 0.01 => format!("{:.1} mm", length_m * 1000.0),
        length_m if length_m < 1.0 => format!("{:.0} cm", length_m * 100.0),
        length_m if length_m < 1000.0 => format!("{length_m:.0} m"),
        length_m => format!("{:.0} km", length_m / 1000.0),
    }
}

/// Rows of palette entries to put below an image of this width, and the palette that they need.
pub(super) struct Strip {
    pub rows: usize,
    pub entries: Vec<u8>,
    pub palette: Vec<Rgb>,
}

/// The strip below an image `width` pixels wide that shows `width_m` metres; none if there is no room for it.
pub(super) fn strip(width: usize, width_m: f64, palette: &[Rgb]) -> Option<Strip> {
    if width < MIN_WIDTH_PIXELS {
        return None;
    }
    let length_m = round_length_m(width_m * SHARE_OF_WIDTH)?;
    let bar = ((length_m / width_m * width as f64).round() as usize).clamp(1, width);
    let mut palette = palette.to_vec();
    let (paper, ink) = (entry_of(&mut palette, PAPER), entry_of(&mut palette, INK));
    let dot = width.div_ceil(PIXELS_PER_DOT).max(1);
    let rows = 13 * dot;
    let mut entries = vec![paper; rows * width];
    let mut fill = |left: usize, top: usize, wide: usize, high: usize| {
        for row in top..(top + high).min(rows) {
            for column in left..(left + wide).min(width) {
                entries[row * width + column] = ink;
            }
        }
    };
    let left = 3 * dot;
    fill(left, 6 * dot, bar, dot);
    fill(left, 3 * dot, dot, 7 * dot);
    fill(left + bar - dot.min(bar), 3 * dot, dot, 7 * dot);
    for (place, letter) in words(length_m).chars().enumerate() {
        let at = left + bar + 4 * dot + place * 6 * dot;
        for (row, line) in dots(letter).into_iter().enumerate() {
            for column in (0..5).filter(|column| line & (16 >> column) != 0) {
                fill(at + column * dot, (3 + row) * dot, dot, dot);
            }
        }
    }
    Some(Strip { rows, entries, palette })
}

/// The entry of a colour: one that is there, a new one, or the nearest where there is no room for another.
fn entry_of(palette: &mut Vec<Rgb>, colour: Rgb) -> u8 {
    let apart = |known: &Rgb| known.iter().zip(colour).map(|(&a, b)| u32::from(a.abs_diff(b))).sum::<u32>();
    let nearest = palette.iter().enumerate().min_by_key(|(_, known)| apart(known));
    match nearest {
        Some((entry, known)) if *known == colour || palette.len() >= 256 => entry as u8,
        _ => {
            palette.push(colour);
            (palette.len() - 1) as u8
        }
    }
}

/// A letter of a length, row by row, the leftmost dot in the highest of five bits.
const fn dots(letter: char) -> [u8; 7] {
    match letter {
        '0' => [14, 17, 19, 21, 25, 17, 14],
        '1' => [4, 12, 4, 4, 4, 4, 14],
        '2' => [14, 17, 1, 2, 4, 8, 31],
        '5' => [31, 16, 30, 1, 1, 17, 14],
        '.' => [0, 0, 0, 0, 0, 12, 12],
        'c' => [0, 0, 14, 16, 16, 17, 14],
        'k' => [16, 16, 18, 20, 24, 20, 18],
        'm' => [0, 0, 26, 21, 21, 21, 21],
        _ => [0; 7],
    }
}

/// Height of the strip below a drawing whose letters have this height.
pub(super) fn strip_height(letter: f64) -> f64 {
    letter * 2.0
}

/// The bar below a drawing `width` cells wide whose strip begins at `top`.
pub(super) fn svg(width: usize, cell_size_m: f64, top: f64, letter: f64) -> String {
    let Some(length_m) = round_length_m(width as f64 * cell_size_m * SHARE_OF_WIDTH) else {
        return String::new();
    };
    let (left, length, middle) = (letter / 2.0, length_m / cell_size_m, top + letter);
    let (right, half) = (left + length, letter / 3.0);
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        "<path d=\"M{left:.2} {:.2}v{:.2}M{left:.2} {middle:.2}h{length:.2}M{right:.2} {:.2}v{:.2}\" stroke=\"#333\" \
         stroke-width=\"1.2\" vector-effect=\"non-scaling-stroke\" fill=\"none\"/><text x=\"{:.2}\" y=\"{:.2}\" \
         text-anchor=\"start\" fill=\"#333\">{}</text>",
        middle - half,
        2.0 * half,
        middle - half,
        2.0 * half,
        right + half,
        middle + half,
        words(length_m)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round_and_have_room() {
        for (room_m, length_m) in
            [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (4.99, 2.0), (7.0, 5.0), (0.06, 0.05), (123.0, 100.0)]
        {
            assert!((round_length_m(room_m).unwrap() - length_m).abs() < 1e-12 * length_m, "{room_m}");
        }
        for room_m in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(round_length_m(room_m), None);
        }
        let texts = [0.005, 0.05, 0.2, 2.0, 5000.0].map(words);
        assert_eq!(texts, ["5.0 mm", "5 cm", "20 cm", "2 m", "5 km"]);
    }

    #[test]
    fn the_bar_is_as_long_as_it_says() {
        // 100 pixels are 20 m: the bar is 5 m, which are 25 pixels.
        let strip = strip(100, 20.0, &[PAPER, [0; 3]]).unwrap();
        assert_eq!(strip.palette, [PAPER, [0; 3], INK]);
        assert_eq!(strip.entries.len(), strip.rows * 100);
        let bar = &strip.entries[6 * 100..7 * 100];
        assert_eq!(bar.iter().take(40).filter(|&&entry| entry == 2).count(), 25 + 1, "and the 5's middle");
        assert!(super::strip(40, 20.0, &[PAPER]).is_none());
    }

    #[test]
    fn a_full_palette_is_not_extended() {
        let full: Vec<Rgb> = (0..=255).map(|grey| [grey; 3]).collect();
        let strip = strip(100, 20.0, &full).unwrap();
        assert_eq!(strip.palette.len(), 256);
        assert!(strip.entries.contains(&255) && strip.entries.contains(&51));
    }

    #[test]
    fn every_letter_of_a_length_can_be_drawn() {
        for exponent in -3..6 {
            for digit in [1.0, 2.0, 5.0] {
                let text = words(digit * 10f64.powi(exponent));
                let letters = text.chars().filter(|letter| *letter != ' ');
                assert!(letters.clone().all(|letter| dots(letter) != [0; 7]), "{text}");
            }
        }
    }
}
