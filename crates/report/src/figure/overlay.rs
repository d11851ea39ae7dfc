//! The overlay: truth and map in one image, in the colour-blind-safe colours of Okabe and Ito (2008).
//!
//! Blue is what the map misses, vermilion what it adds; pale tints of both mark cells that only one of the
//! two knows. Agreement is black, white or grey, so that errors are all that is coloured.

use model::{CellClass, Grid};

use super::cells::Reduction;
use super::image::{ImageError, Rgb};
use super::{Content, Figure, Layer};

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

/// Of half-known and fully known cells: errors win over half-known walls, those over walls, those over the rest.
const RANKS: [u8; 9] = [0, 0, 0, 0, 1, 2, 2, 3, 3];

/// Colours of truth and map by themselves: free, unknown, occupied.
const GREYS: [Rgb; 3] = [[255, 255, 255], [217, 217, 217], [26, 26, 26]];

/// Truth and map on one grid, laid over each other: the figure `overlay`.
///
/// # Errors
/// The map lies on another grid.
pub fn overlay_figure(truth: &Grid, map: &Grid) -> Result<Figure, ImageError> {
    let layers = overlay_layers(truth, map)?;
    Ok(Figure::new("overlay", "Overlay", "Truth and map laid over each other.", layers))
}

/// The layers `truth`, `map` and `difference`.
///
/// # Errors
/// The map lies on another grid.
pub fn overlay_layers(truth: &Grid, map: &Grid) -> Result<Vec<Layer>, ImageError> {
    let (geometry, entries) = (truth.geometry(), overlay_entries(truth, map)?);
    let mut difference = Layer::cells("difference", geometry, entries, &OVERLAY_LEGEND);
    if let Content::Cells(cells) = &mut difference.content {
        cells.reduction = Reduction::Ranked(RANKS.to_vec());
    }
    let plane = |name: &str, grid: &Grid| Layer::classes(name, geometry, grid.class_bytes(), GREYS);
    Ok(vec![plane("truth", truth), plane("map", map), difference])
}

/// By cell, the entry of [`OVERLAY_LEGEND`] that truth and map make together.
///
/// # Errors
/// The map lies on another grid.
pub fn overlay_entries(truth: &Grid, map: &Grid) -> Result<Vec<u8>, ImageError> {
    if truth.geometry() != map.geometry() {
        return Err(ImageError::Placement);
    }
    Ok(truth.classes().iter().zip(map.classes()).map(|(&truth, &map)| entry_of(truth, map)).collect())
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

#[cfg(test)]
mod tests {
    use CellClass::{Free, Occupied, Unknown};
    use model::{GridGeometry, Pose2};

    use super::super::image::tests::decode;
    use super::*;

    fn row(classes: &[CellClass]) -> Grid {
        let geometry = GridGeometry::new(classes.len(), 1, 0.1, Pose2::IDENTITY).unwrap();
        Grid::new(geometry, classes.to_vec()).unwrap()
    }

    fn winner(block: &[u8]) -> u8 {
        Reduction::Ranked(RANKS.to_vec()).of(block)
    }

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
        let (width, _, pixels) = decode(&overlay_figure(&row(&truth), &row(&map)).unwrap().png().unwrap());
        let cell_pixels = width / 9;
        for (index, (colour, meaning)) in OVERLAY_LEGEND.iter().enumerate() {
            assert_eq!(pixels[index * cell_pixels], *colour, "{meaning}");
        }
    }

    #[test]
    fn an_error_does_not_vanish_in_a_reduced_image() {
        assert_eq!(winner(&[FREE, FREE, WALL, WALL, WALL, MISSING]), MISSING);
        assert_eq!(winner(&[EXTRA, EXTRA, MISSING]), EXTRA);
        assert_eq!(winner(&[EXTRA, MISSING]), MISSING);
        assert_eq!(winner(&[FREE, FREE, UNKNOWN]), FREE);
        assert_eq!(winner(&[FREE, FREE, FREE, UNSEEN_WALL, WALL]), UNSEEN_WALL);
    }

    #[test]
    fn maps_on_another_grid_are_refused() {
        assert!(matches!(overlay_figure(&row(&[Free]), &row(&[Free, Free])), Err(ImageError::Placement)));
    }

    #[test]
    fn the_same_maps_give_the_same_bytes() {
        let plane = row(&[Free, Occupied, Unknown, Free]);
        let png = || overlay_figure(&plane, &plane).unwrap().png().unwrap();
        assert_eq!(png(), png());
    }
}
