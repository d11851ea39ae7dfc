//! Discs and diamonds painted over a league map: victims, hazards, QR codes, objects.
//!
//! A mark is solid, with white text in it: it is filled row by row from its first to its last pixel. Marks
//! that touch are told apart by their area, which the rules fix: a disc is 0.35 m wide, a diamond has a side of
//! 0.30 m. Pieces of one mark, cut by a line across it, are put together.

use std::f64::consts::FRAC_PI_4;

use super::components::{Component, components};
use super::palette_file::{Element, Palette};

/// Diameter of a disc, by the rules of the league.
pub(crate) const DISC_DIAMETER_M: f64 = 0.35;
/// Groups of fewer pixels are specks.
const MIN_PIXELS: usize = 4;
/// A mark has at least this share of the area that it should have.
const MIN_AREA_SHARE: f64 = 0.3;
/// Marks that may touch.
const MAX_TOUCHING: f64 = 8.0;
/// Pixels looked at to fill marks, in pixels of the image.
const FILLED_SHARE: usize = 4;
/// Widest mark where the size of a pixel is not known.
const WIDEST_UNSCALED_PX: f64 = 256.0;

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkShape {
    Disc,
    Diamond,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    pub element: Element,
    pub shape: MarkShape,
    /// Middle, in pixels from the left and from the top edge of the image.
    pub center_px: (f64, f64),
}

/// Finds the marks, and makes all pixels inside them part of them.
pub(crate) fn take_marks(
    elements: &mut [Element],
    width: usize,
    pixels_per_m: Option<f64>,
    palette: &Palette,
) -> Vec<Mark> {
    const KINDS: [Element; 5] =
        [Element::Victim, Element::UnconfirmedVictim, Element::Hazard, Element::Qr, Element::Object];
    let diameter_px = pixels_per_m.map(|pixels| DISC_DIAMETER_M * pixels);
    // Rings within rings would be filled again and again.
    let mut budget_px = FILLED_SHARE * elements.len();
    let mut marks = Vec::new();
    for element in KINDS {
        let pieces = components(elements, width, element, MIN_PIXELS);
        for group in joined(pieces, width, diameter_px) {
            let (across, down) = group.size();
            if across * down > budget_px || !is_mark_sized(&group, diameter_px) {
                continue;
            }
            budget_px -= across * down;
            let pixels = inside(&group, width);
            if diameter_px.is_some_and(|px| (pixels.len() as f64) < MIN_AREA_SHARE * disc_area(px)) {
                continue;
            }
            pixels.iter().for_each(|&index| elements[index] = element);
            let parts = split(pixels, width, diameter_px);
            marks.extend(parts.iter().map(|part| mark_of(element, part, width, palette)));
        }
    }
    marks
}

/// Puts pieces together that fit into one mark.
fn joined(pieces: Vec<Component>, width: usize, diameter_px: Option<f64>) -> Vec<Component> {
    /// More pieces than this are no cut marks, and comparing them all would take long.
    const MAX_PIECES: usize = 2000;
    let Some(diameter_px) = diameter_px.filter(|_| pieces.len() <= MAX_PIECES) else { return pieces };
    let widest_px = 1.25 * diameter_px;
    let mut groups: Vec<Component> = Vec::new();
    for piece in pieces {
        let fits = |group: &&mut Component| {
            let across = group.columns.1.max(piece.columns.1) - group.columns.0.min(piece.columns.0) + 1;
            let down = group.rows.1.max(piece.rows.1) - group.rows.0.min(piece.rows.0) + 1;
            across as f64 <= widest_px && down as f64 <= widest_px
        };
        match groups.iter_mut().find(fits) {
            Some(group) => {
                let pixels = [std::mem::take(&mut group.pixels), piece.pixels].concat();
                *group = Component::of_pixels(pixels, width);
            }
            None => groups.push(piece),
        }
    }
    groups
}

/// The pixels from the first to the last of each row.
fn inside(group: &Component, width: usize) -> Vec<usize> {
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; group.size().1];
    for &index in &group.pixels {
        let span = &mut spans[index / width - group.rows.0];
        let (first, last) = span.unwrap_or((index, index));
        *span = Some((first.min(index), last.max(index)));
    }
    spans.into_iter().flatten().flat_map(|(first, last)| first..=last).collect()
}

/// Touching marks lie in a box of several; a quarter of that is filled at least.
fn is_mark_sized(group: &Component, diameter_px: Option<f64>) -> bool {
    let (across, down) = group.size();
    let widest_px = across.max(down) as f64;
    let Some(diameter_px) = diameter_px else { return widest_px <= WIDEST_UNSCALED_PX };
    let is_few = group.pixels.len() as f64 <= (MAX_TOUCHING + 0.5) * disc_area(diameter_px);
    let is_compact = group.pixels.len() * 4 >= across * down;
    is_few && (is_compact || widest_px <= 2.0 * diameter_px)
}

fn disc_area(diameter_px: f64) -> f64 {
    FRAC_PI_4 * diameter_px * diameter_px
}

/// Parts of the area of one mark each: the nearest of as many middles as there is area for.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn split(pixels: Vec<usize>, width: usize, diameter_px: Option<f64>) -> Vec<Vec<usize>> {
    const ROUNDS: usize = 20;
    /// Pixels that the middles are sought with.
    const SAMPLES: usize = 4096;
    let Some(diameter_px) = diameter_px else { return vec![pixels] };
    let count = (pixels.len() as f64 / disc_area(diameter_px)).round().clamp(1.0, MAX_TOUCHING) as usize;
    if count == 1 {
        return vec![pixels];
    }
    let samples: Vec<usize> = pixels.iter().copied().step_by(pixels.len().div_ceil(SAMPLES)).collect();
    let mut middles = far_apart(&samples, width, count);
    for _ in 0..ROUNDS {
        let parts = assigned(&samples, width, &middles);
        middles = parts.iter().map(|part| middle_of(part, width)).collect();
    }
    assigned(&pixels, width, &middles)
}

/// The pixels nearest to each middle, without middles that have none.
fn assigned(pixels: &[usize], width: usize, middles: &[(f64, f64)]) -> Vec<Vec<usize>> {
    let mut parts = vec![Vec::new(); middles.len()];
    for &index in pixels {
        let place = middle_of(&[index], width);
        let nearest = (0..middles.len()).min_by(|&a, &b| {
            squared_distance(middles[a], place).total_cmp(&squared_distance(middles[b], place))
        });
        parts[nearest.unwrap_or_default()].push(index);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The first pixel, and each time the pixel farthest from those chosen.
fn far_apart(pixels: &[usize], width: usize, count: usize) -> Vec<(f64, f64)> {
    let places: Vec<_> = pixels.iter().map(|&index| middle_of(&[index], width)).collect();
    let mut chosen = vec![places[0]];
    while chosen.len() < count {
        let distance = |place: (f64, f64)| {
            chosen.iter().map(|&c| squared_distance(c, place)).fold(f64::INFINITY, f64::min)
        };
        let farthest = places.iter().copied().max_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        chosen.push(farthest.unwrap_or(places[0]));
    }
    chosen
}

fn squared_distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)
}

/// The mean of the middles of some pixels.
pub(crate) fn middle_of(pixels: &[usize], width: usize) -> (f64, f64) {
    let count = pixels.len().max(1) as f64;
    let sum = pixels.iter().fold((0.0, 0.0), |sum, &index| {
        (sum.0 + (index % width) as f64 + 0.5, sum.1 + (index / width) as f64 + 0.5)
    });
    (sum.0 / count, sum.1 / count)
}

fn mark_of(element: Element, pixels: &[usize], width: usize, palette: &Palette) -> Mark {
    let (across, down) = Component::of_pixels(pixels.to_vec(), width).size();
    // A disc fills 79 % of its box, a diamond half of it.
    let shape = if pixels.len() as f64 > 0.65 * (across * down) as f64 {
        MarkShape::Disc
    } else {
        MarkShape::Diamond
    };
    let disc_means = || palette.colours.iter().find(|c| c.means == element).and_then(|c| c.disc_means);
    let element = if shape == MarkShape::Disc { disc_means().unwrap_or(element) } else { element };
    Mark { element, shape, center_px: middle_of(pixels, width) }
}

#[cfg(test)]
mod tests {
    use super::super::palette_file::shipped;
    use super::*;

    const WIDTH: usize = 80;

    /// Victims of 20 pixels diameter around these middles, on searched ground.
    fn discs(middles: &[(f64, f64)]) -> Vec<Element> {
        let is_inside = |index: usize| {
            let place = middle_of(&[index], WIDTH);
            middles.iter().any(|&middle| squared_distance(middle, place) <= 100.0)
        };
        (0..WIDTH * 60).map(|i| if is_inside(i) { Element::Victim } else { Element::Searched }).collect()
    }

    fn take(elements: &mut [Element]) -> Vec<Mark> {
        take_marks(elements, WIDTH, Some(20.0 / DISC_DIAMETER_M), &shipped()[1])
    }

    fn is_near(mark: &Mark, place: (f64, f64)) -> bool {
        squared_distance(mark.center_px, place) < 1.5 * 1.5
    }

    #[test]
    fn text_inside_a_mark_belongs_to_it() {
        let mut elements = discs(&[(30.0, 30.0)]);
        let whole = elements.clone();
        for row in 26..34 {
            elements[row * WIDTH + 30] = Element::Searched;
        }
        let marks = take(&mut elements);
        assert_eq!(marks.len(), 1);
        assert!(is_near(&marks[0], (30.0, 30.0)) && marks[0].shape == MarkShape::Disc);
        assert_eq!(elements, whole);
    }

    #[test]
    fn marks_that_touch_are_told_apart() {
        let middles = [(20.0, 30.0), (37.0, 30.0), (40.0, 49.0)];
        let marks = take(&mut discs(&middles));
        assert_eq!(marks.len(), 3);
        assert!(middles.iter().all(|&place| marks.iter().any(|mark| is_near(mark, place))), "{marks:?}");
    }

    #[test]
    fn a_mark_cut_by_a_line_is_one_and_specks_are_none() {
        let mut elements = discs(&[(30.0, 30.0)]);
        for row in 0..60 {
            elements[row * WIDTH + 27] = Element::Path;
            elements[row * WIDTH + 28] = Element::Path;
        }
        for speck in [5, 6, 7, 5 + WIDTH, 6 + WIDTH] {
            elements[speck] = Element::Victim;
        }
        let marks = take(&mut elements);
        assert_eq!(marks.len(), 1);
        assert!(is_near(&marks[0], (30.0, 30.0)));
    }
}
