//! The start pose: a yellow arrow.

use super::components::components;
use super::marks::middle_of;
use super::palette_file::Element;

/// Groups of fewer pixels are specks.
const MIN_PIXELS: usize = 12;

/// Where the robot started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StartArrow {
    /// Middle of the arrow, in pixels from the left and from the top edge of the image.
    pub center_px: (f64, f64),
    /// Where it points, counter-clockwise from the right of the image; none if its ends look alike.
    pub direction_rad: Option<f64>,
}

/// The largest yellow group.
pub(crate) fn find_start_arrow(elements: &[Element], width: usize) -> Option<StartArrow> {
    let groups = components(elements, width, Element::Start, MIN_PIXELS);
    // The first of equals.
    let largest = groups.into_iter().rev().max_by_key(|group| group.pixels.len())?;
    let center_px = middle_of(&largest.pixels, width);
    Some(StartArrow { center_px, direction_rad: direction(&largest.pixels, width, center_px) })
}

/// An arrow is longer than wide, and its tip is narrower than its other end.
fn direction(pixels: &[usize], width: usize, (center_x, center_y): (f64, f64)) -> Option<f64> {
    // Offsets to the right and up.
    let offsets: Vec<(f64, f64)> = pixels
        .iter()
        .map(|&index| ((index % width) as f64 + 0.5 - center_x, center_y - (index / width) as f64 - 0.5))
        .collect();
    let (xx, yy, xy) =
        offsets.iter().fold((0.0, 0.0, 0.0), |s, &(x, y)| (s.0 + x * x, s.1 + y * y, s.2 + x * y));
    // The direction of greatest spread.
    let axis_rad = 0.5 * f64::atan2(2.0 * xy, xx - yy);
    let (sin, cos) = axis_rad.sin_cos();
    let along: Vec<(f64, f64)> =
        offsets.iter().map(|&(x, y)| (x * cos + y * sin, y * cos - x * sin)).collect();
    let (first, last) =
        along.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, &(a, _)| (ends.0.min(a), ends.1.max(a)));
    let end = 0.15 * (last - first);
    let spread = |is_at_end: &dyn Fn(f64) -> bool| {
        let across = along.iter().filter(|(a, _)| is_at_end(*a)).map(|&(_, across)| across);
        let (least, most) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |s, v| (s.0.min(v), s.1.max(v)));
        most - least + 1.0
    };
    let (at_first, at_last) = (spread(&|a| a < first + end), spread(&|a| a > last - end));
    if at_last < 0.8 * at_first {
        Some(axis_rad)
    } else if at_first < 0.8 * at_last {
        Some(model::wrap(axis_rad + std::f64::consts::PI))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    /// A wedge of 20 pixels length that points up.
    fn wedge(width: usize) -> Vec<Element> {
        let mut elements = vec![Element::Searched; width * 40];
        for row in 0..20usize {
            for column in 20 - row / 3..=20 + row / 3 {
                elements[(10 + row) * width + column] = Element::Start;
            }
        }
        elements
    }

    #[test]
    fn an_arrow_points_to_its_narrow_end() {
        let up = find_start_arrow(&wedge(40), 40).unwrap();
        assert!((up.direction_rad.unwrap() - FRAC_PI_2).abs() < 0.1, "{up:?}");
        let down: Vec<Element> = wedge(40).into_iter().rev().collect();
        let down = find_start_arrow(&down, 40).unwrap();
        assert!((down.direction_rad.unwrap() + FRAC_PI_2).abs() < 0.1, "{down:?}");
        let mut left = vec![Element::Searched; 1600];
        for (index, element) in wedge(40).into_iter().enumerate() {
            left[index % 40 * 40 + index / 40] = element;
        }
        let left = find_start_arrow(&left, 40).unwrap();
        assert!((left.direction_rad.unwrap().abs() - PI).abs() < 0.1, "{left:?}");
    }

    #[test]
    fn a_square_points_nowhere_and_a_speck_is_no_arrow() {
        let square = vec![Element::Start; 25];
        assert_eq!(find_start_arrow(&square, 5).unwrap().direction_rad, None);
        assert_eq!(find_start_arrow(&square[..10], 5), None);
    }
}
