//! The error heat map: each wrong cell coloured by its distance to the nearest wall of the other map.
//!
//! The colours run from light orange to dark violet with steadily falling lightness, so that they keep
//! their order in print and for every kind of colour vision. Walls are faint, to show where one is.

use model::CellClass;

use super::{PictureError, Rgb, Size, draw};

/// The colours of the scale at equal steps, from no distance to the largest.
pub const HEAT_STOPS: [Rgb; 5] =
    [[253, 190, 80], [240, 115, 65], [200, 50, 105], [130, 20, 140], [40, 5, 90]];

const UNKNOWN: u8 = 0;
const FREE: u8 = 1;
const WALL: u8 = 2;
const FIRST_HEAT: u8 = 3;
const BACKGROUND: [Rgb; 3] = [[232, 232, 232], [255, 255, 255], [196, 196, 196]];
/// Steps of the scale: what a byte has left.
const STEPS: u8 = u8::MAX - FIRST_HEAT;

/// The largest finite distance, which the last colour stands for; 0 if there is none.
#[must_use]
pub fn heat_max_cells(errors: &[(usize, f32)]) -> f32 {
    let finite = errors.iter().map(|&(_, distance_cells)| distance_cells).filter(|d| d.is_finite());
    finite.fold(0.0, f32::max)
}

/// The error heat map as a PNG: `errors` are cell index and distance in cells, `background` the classes of
/// the truth, top row first. A distance that is not finite takes the last colour.
///
/// # Errors
/// A plane of another size, no cell, or an error outside.
pub fn heat_png(
    errors: &[(usize, f32)],
    background: &[CellClass],
    width: usize,
    height: usize,
) -> Result<Vec<u8>, PictureError> {
    let size = Size::of(width, height)?;
    size.check("background", background.len())?;
    let mut plane: Vec<u8> = background.iter().copied().map(background_entry).collect();
    let max_cells = heat_max_cells(errors);
    for &(index, distance_cells) in errors {
        let cells = plane.len();
        let cell = plane.get_mut(index).ok_or(PictureError::Outside { index, cells })?;
        *cell = FIRST_HEAT + step_of(distance_cells, max_cells);
    }
    // Entries are in order of importance: the largest error of a block wins.
    let winner = |block: &[u8]| block.iter().copied().max().unwrap_or(UNKNOWN);
    draw(size, &palette(), |index| plane[index], winner)
}

const fn background_entry(class: CellClass) -> u8 {
    match class {
        CellClass::Unknown => UNKNOWN,
        CellClass::Free => FREE,
        CellClass::Occupied => WALL,
    }
}

fn step_of(distance_cells: f32, max_cells: f32) -> u8 {
    if !distance_cells.is_finite() {
        return STEPS;
    }
    if max_cells <= 0.0 {
        return 0;
    }
    let share = (distance_cells / max_cells).clamp(0.0, 1.0);
    (share * f32::from(STEPS)).round() as u8
}

fn palette() -> Vec<Rgb> {
    let heat = (0..=STEPS).map(|step| colour_at(f32::from(step) / f32::from(STEPS)));
    BACKGROUND.into_iter().chain(heat).collect()
}

/// Linear between the two stops around the share.
fn colour_at(share: f32) -> Rgb {
    let position = share * (HEAT_STOPS.len() - 1) as f32;
    let below = (position as usize).min(HEAT_STOPS.len() - 2);
    let part = position - below as f32;
    let mix = |channel: usize| {
        let (a, b) = (f32::from(HEAT_STOPS[below][channel]), f32::from(HEAT_STOPS[below + 1][channel]));
        (a + (b - a) * part).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::super::tests::decode;
    use super::*;
    use CellClass::{Free, Occupied, Unknown};

    #[test]
    fn the_largest_error_has_the_last_colour_and_walls_are_faint() {
        let bytes = heat_png(&[(0, 4.0), (1, 0.0)], &[Free, Free, Occupied, Unknown], 4, 1).unwrap();
        let (width, _, pixels) = decode(&bytes);
        let cell = |index: usize| pixels[index * width / 4];
        assert_eq!([cell(0), cell(1)], [HEAT_STOPS[4], HEAT_STOPS[0]]);
        assert_eq!([cell(2), cell(3)], [BACKGROUND[2], BACKGROUND[0]]);
    }

    #[test]
    fn the_scale_darkens_steadily() {
        let lightness =
            |c: &Rgb| 0.2126 * f32::from(c[0]) + 0.7152 * f32::from(c[1]) + 0.0722 * f32::from(c[2]);
        let colours: Vec<f32> = palette()[3..].iter().map(lightness).collect();
        assert!(colours.windows(2).all(|pair| pair[1] <= pair[0] + 0.5));
    }

    #[test]
    fn a_distance_without_end_takes_the_last_colour_and_does_not_stretch_the_scale() {
        assert_eq!(heat_max_cells(&[(0, f32::INFINITY), (1, 2.0)]), 2.0);
        assert_eq!(step_of(f32::INFINITY, 2.0), STEPS);
        assert_eq!(heat_max_cells(&[]), 0.0);
        assert_eq!(step_of(0.0, 0.0), 0);
    }

    #[test]
    fn an_error_outside_is_refused() {
        assert!(matches!(heat_png(&[(4, 1.0)], &[Free; 4], 2, 2), Err(PictureError::Outside { .. })));
    }

    #[test]
    fn a_map_without_error_is_only_background() {
        let (_, _, pixels) = decode(&heat_png(&[], &[Free; 4], 2, 2).unwrap());
        assert!(pixels.iter().all(|pixel| *pixel == BACKGROUND[1]));
    }
}
