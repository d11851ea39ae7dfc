//! The overlay: truth and map in one picture, in the colour-blind-safe colours of Okabe and Ito (2008).
//!
//! Blue is what the map misses, vermilion what it adds; pale tints of both mark cells that only one of the
//! two knows. Agreement is black, white or grey, so that errors are all that is coloured.

use model::CellClass;

use super::{PictureError, Rgb, Size, draw};

const UNKNOWN: u8 = 0;
const FREE: u8 = 1;
const BEYOND_FREE: u8 = 2;
const UNSEEN_FREE: u8 = 3;
const WALL: u8 = 4;
const BEYOND_WALL: u8 = 5;
const UNSEEN_WALL: u8 = 6;
const EXTRA: u8 = 7;
const MISSING: u8 = 8;

/// The colours of the overlay and what they mean, by palette entry.
pub const OVERLAY_LEGEND: [(Rgb, &str); 9] = [
    ([217, 217, 217], "unknown in both"),
    ([255, 255, 255], "free in both"),
    ([251, 234, 217], "free in the map, unknown in the truth"),
    ([221, 236, 246], "free in the truth, unknown in the map"),
    ([26, 26, 26], "wall in both"),
    ([241, 178, 137], "wall in the map, unknown in the truth"),
    ([134, 192, 226], "wall in the truth, unknown in the map"),
    ([213, 94, 0], "extra wall: only in the map"),
    ([0, 114, 178], "missing wall: only in the truth"),
];

/// Truth and map laid over each other as a PNG. Both have one class per cell of the common grid, top row
/// first.
///
/// # Errors
/// Planes of another size, or no cell.
pub fn overlay_png(
    truth: &[CellClass],
    map: &[CellClass],
    width: usize,
    height: usize,
) -> Result<Vec<u8>, PictureError> {
    let size = Size::of(width, height)?;
    size.check("truth", truth.len())?;
    size.check("map", map.len())?;
    let palette = OVERLAY_LEGEND.map(|(colour, _)| colour);
    draw(size, &palette, |index| entry_of(truth[index], map[index]), winner)
}

const fn entry_of(truth: CellClass, map: CellClass) -> u8 {
    use CellClass::{Free, Occupied, Unknown};
    match (truth, map) {
        (Unknown, Unknown) => UNKNOWN,
        (Free, Free) => FREE,
        (Unknown, Free) => BEYOND_FREE,
        (Free, Unknown) => UNSEEN_FREE,
        (Occupied, Occupied) => WALL,
        (Unknown, Occupied) => BEYOND_WALL,
        (Occupied, Unknown) => UNSEEN_WALL,
        (Free, Occupied) => EXTRA,
        (Occupied, Free) => MISSING,
    }
}

/// Errors win over half-known walls, those over walls, those over the rest; inside a rank the more frequent
/// entry wins, and of equals the later one.
fn winner(block: &[u8]) -> u8 {
    let mut counts = [0_usize; OVERLAY_LEGEND.len()];
    for &entry in block {
        counts[usize::from(entry)] += 1;
    }
    let present = (0..).zip(counts).filter(|&(_, count)| count > 0);
    present.max_by_key(|&(entry, count)| (rank(entry), count)).map_or(UNKNOWN, |(entry, _)| entry)
}

const fn rank(entry: u8) -> u8 {
    match entry {
        MISSING | EXTRA => 3,
        UNSEEN_WALL | BEYOND_WALL => 2,
        WALL => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::decode;
    use super::*;
    use CellClass::{Free, Occupied, Unknown};

    #[test]
    fn each_pair_of_classes_has_its_own_colour() {
        let pairs = [
            (Unknown, Unknown),
            (Free, Free),
            (Unknown, Free),
            (Free, Unknown),
            (Occupied, Occupied),
            (Unknown, Occupied),
            (Occupied, Unknown),
            (Free, Occupied),
            (Occupied, Free),
        ];
        let (truth, map): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let (width, _, pixels) = decode(&overlay_png(&truth, &map, 9, 1).unwrap());
        let cell_pixels = width / 9;
        for (index, (colour, meaning)) in OVERLAY_LEGEND.iter().enumerate() {
            assert_eq!(pixels[index * cell_pixels], *colour, "{meaning}");
        }
    }

    #[test]
    fn an_error_does_not_vanish_in_a_reduced_picture() {
        assert_eq!(winner(&[FREE, FREE, WALL, WALL, WALL, MISSING]), MISSING);
        assert_eq!(winner(&[EXTRA, EXTRA, MISSING]), EXTRA);
        assert_eq!(winner(&[EXTRA, MISSING]), MISSING);
        assert_eq!(winner(&[FREE, FREE, UNKNOWN]), FREE);
        assert_eq!(winner(&[FREE, FREE, FREE, UNSEEN_WALL, WALL]), UNSEEN_WALL);
    }

    #[test]
    fn planes_of_another_size_are_refused() {
        let message = overlay_png(&[Free], &[Free, Free], 2, 1).unwrap_err().to_string();
        assert_eq!(message, "the truth has 1 cells: expected 2 x 1");
    }

    #[test]
    fn the_same_maps_give_the_same_bytes() {
        let plane = [Free, Occupied, Unknown, Free];
        assert_eq!(overlay_png(&plane, &plane, 2, 2).unwrap(), overlay_png(&plane, &plane, 2, 2).unwrap());
    }
}
