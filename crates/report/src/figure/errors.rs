//! The error heat map: each wrong cell coloured by its distance to the nearest wall of the other map.
//!
//! The colours run from light orange to dark violet with steadily falling lightness, so that they keep
//! their order in print and for every kind of colour vision. Walls are faint, to show where one is.

use model::{CellClass, Grid};

use super::cells::{Cells, OPEN, Palette, Reduction};
use super::image::{ImageError, Rgb};
use super::{Content, Figure, Layer};

/// The colours of the scale at equal steps, from no distance to the largest.
pub const HEAT_STOPS: [Rgb; 5] =
    [[253, 190, 80], [240, 115, 65], [200, 50, 105], [130, 20, 140], [40, 5, 90]];

/// Truth cells by importance where cells share a pixel: unknown, free, wall.
const BACKGROUND: [(Rgb, &str); 3] =
    [([232, 232, 232], "unknown"), ([255, 255, 255], "free"), ([196, 196, 196], "wall of the truth")];
/// Colours of the scale: what a byte has left beside the background.
const STEPS: u8 = u8::MAX - 2;

/// The error heat map: the figure `errors` with the layers `truth` and `errors`. `wrong` are cell index and distance
/// in cells; a distance that is not finite takes the last colour.
///
/// # Errors
/// A wrong cell outside the truth.
pub fn errors_figure(truth: &Grid, wrong: &[(usize, f32)]) -> Result<Figure, ImageError> {
    let geometry = truth.geometry();
    let background: Vec<u8> = truth.classes().iter().copied().map(background_entry).collect();
    let max_cells = max_distance(wrong);
    let mut entries = vec![OPEN; geometry.cells()];
    for &(index, distance_cells) in wrong {
        let outside = ImageError::Outside { index, cells: geometry.cells() };
        *entries.get_mut(index).ok_or(outside)? = step_of(distance_cells, max_cells);
    }
    let max = f64::from(max_cells) * geometry.cell_size_m();
    let palette = Palette::Scale { stops: HEAT_STOPS.to_vec(), steps: STEPS, max, unit: "m".to_owned() };
    let cells =
        Cells { geometry: *geometry, entries: entries.into(), palette, reduction: Reduction::Highest };
    let layers = vec![
        Layer::cells("truth", geometry, background, &BACKGROUND),
        Layer { name: "errors".to_owned(), content: Content::Cells(cells) },
    ];
    let caption = format!("Each wrong cell by its distance, up to {} m.", crate::shown_number(max));
    Ok(Figure::new("errors", "Errors", caption, layers))
}

/// The largest finite distance, which the last colour stands for; 0 if there is none.
fn max_distance(wrong: &[(usize, f32)]) -> f32 {
    let finite = wrong.iter().map(|&(_, distance_cells)| distance_cells).filter(|d| d.is_finite());
    finite.fold(0.0, f32::max)
}

const fn background_entry(class: CellClass) -> u8 {
    match class {
        CellClass::Unknown => 0,
        CellClass::Free => 1,
        CellClass::Occupied => 2,
    }
}

fn step_of(distance_cells: f32, max_cells: f32) -> u8 {
    let last = STEPS - 1;
    if !distance_cells.is_finite() {
        return last;
    }
    if max_cells <= 0.0 {
        return 0;
    }
    let share = (distance_cells / max_cells).clamp(0.0, 1.0);
    (share * f32::from(last)).round() as u8
}

#[cfg(test)]
mod tests {
    use CellClass::{Free, Occupied, Unknown};
    use model::{GridGeometry, Pose2};

    use super::super::image::tests::decode;
    use super::*;

    fn drawn(wrong: &[(usize, f32)], truth: [CellClass; 4]) -> Result<Figure, ImageError> {
        let geometry = GridGeometry::new(4, 1, 0.5, Pose2::IDENTITY).unwrap();
        errors_figure(&Grid::new(geometry, truth.to_vec()).unwrap(), wrong)
    }

    #[test]
    fn the_largest_error_has_the_last_colour_and_walls_are_faint() {
        let figure = drawn(&[(0, 4.0), (1, 0.0)], [Free, Free, Occupied, Unknown]).unwrap();
        assert_eq!(figure.caption, "Each wrong cell by its distance, up to 2 m.");
        let (width, _, pixels) = decode(&figure.png().unwrap());
        let cell = |index: usize| pixels[index * width / 4];
        assert_eq!([cell(0), cell(1)], [HEAT_STOPS[4], HEAT_STOPS[0]]);
        assert_eq!([cell(2), cell(3)], [BACKGROUND[2].0, BACKGROUND[0].0]);
    }

    #[test]
    fn the_scale_darkens_steadily() {
        let lightness =
            |c: &Rgb| 0.2126 * f32::from(c[0]) + 0.7152 * f32::from(c[1]) + 0.0722 * f32::from(c[2]);
        let stops = HEAT_STOPS.to_vec();
        let palette = Palette::Scale { stops, steps: STEPS, max: 1.0, unit: String::new() };
        let colours: Vec<f32> = palette.colours().iter().map(lightness).collect();
        assert!(colours.windows(2).all(|pair| pair[1] <= pair[0] + 0.5));
    }

    #[test]
    fn a_distance_without_end_takes_the_last_colour_and_does_not_stretch_the_scale() {
        assert_eq!(max_distance(&[(0, f32::INFINITY), (1, 2.0)]), 2.0);
        assert_eq!(step_of(f32::INFINITY, 2.0), STEPS - 1);
        assert_eq!(max_distance(&[]), 0.0);
        assert_eq!(step_of(0.0, 0.0), 0);
    }

    #[test]
    fn an_error_outside_is_refused() {
        assert!(matches!(drawn(&[(4, 1.0)], [Free; 4]), Err(ImageError::Outside { .. })));
    }

    #[test]
    fn a_map_without_error_is_only_background() {
        let (width, _, pixels) = decode(&drawn(&[], [Free; 4]).unwrap().png().unwrap());
        // One row of four cells; the scale bar stands below.
        let cells = &pixels[..width * width / 4];
        assert!(cells.iter().all(|pixel| *pixel == BACKGROUND[1].0));
    }
}
