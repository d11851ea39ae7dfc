//! From the colours of a league image to elements: the union of all dialects, the nearest colour wins.
//!
//! In an image with exact colours a grey belongs to the ramp of confidence unless it is exactly one of the
//! greys of checkerboard and grid lines. In an image that was smoothed or compressed this cannot be told, and
//! checkerboard and grid lines take all greys within the tolerance; where the dialect has no ramp, they do so
//! in any case.

use super::palette_file::{Colour, Element, Family, Palette, Ramp, of_family};
use super::rgb_image::{RgbImage, difference};

/// Colours remembered, so that the search runs once for nearly every pixel.
const REMEMBERED_COLOURS: usize = 1 << 12;

/// Whether the image holds the palette's colours themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exactness {
    /// Nearly all pixels have exactly a colour of the palette.
    Exact,
    Noisy,
}

/// Finds the element of a colour.
pub(crate) struct Matcher {
    colours: Vec<Colour>,
    ramps: Vec<Ramp>,
    tolerance: u8,
    exactness: Exactness,
    remembered: Vec<Option<([u8; 3], Match)>>,
}

/// What a colour was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub element: Element,
    /// Index in [`union_of_colours`]; none for ramps and foreign colours.
    pub colour: Option<u8>,
    pub difference: u8,
}

/// The colours of all dialects, each once.
pub(crate) fn union_of_colours() -> Vec<Colour> {
    let mut union: Vec<Colour> = Vec::new();
    for colour in of_family(Family::RescueLeague).flat_map(|palette| &palette.colours) {
        if !union.iter().any(|known| known.rgb == colour.rgb) {
            union.push(*colour);
        }
    }
    union
}

impl Matcher {
    /// A matcher of all colours, with the ramps of these palettes.
    pub fn new<'p>(ramps_of: impl Iterator<Item = &'p Palette>, tolerance: u8, exactness: Exactness) -> Self {
        let mut ramps: Vec<Ramp> = Vec::new();
        for ramp in ramps_of.flat_map(|palette| &palette.ramps) {
            if !ramps.contains(ramp) {
                ramps.push(*ramp);
            }
        }
        Self {
            colours: union_of_colours(),
            ramps,
            tolerance,
            exactness,
            remembered: vec![None; REMEMBERED_COLOURS],
        }
    }

    /// What a colour means.
    pub fn find(&mut self, rgb: [u8; 3]) -> Match {
        let [r, g, b] = rgb.map(usize::from);
        let slot = (r * 31 + g * 131 + b * 521) % REMEMBERED_COLOURS;
        if let Some((known, found)) = self.remembered[slot]
            && known == rgb
        {
            return found;
        }
        let found = self.search(rgb);
        self.remembered[slot] = Some((rgb, found));
        found
    }

    fn search(&self, rgb: [u8; 3]) -> Match {
        let foreign = Match { element: Element::Foreign, colour: None, difference: u8::MAX };
        let colours = self.colours.iter().zip(0u8..).map(|(colour, index)| Match {
            element: colour.means,
            colour: Some(index),
            difference: difference(colour.rgb, rgb),
        });
        // The first of equals: a colour of its own goes before a ramp.
        let fixed = colours.min_by_key(|found| found.difference).unwrap_or(foreign);
        if fixed.difference <= self.tolerance && self.exactness == Exactness::Noisy {
            return fixed;
        }
        let ramps = self.ramps.iter().map(|ramp| Match {
            element: ramp.means,
            colour: None,
            difference: ramp_difference(ramp, rgb, self.tolerance),
        });
        let nearest = std::iter::once(fixed).chain(ramps).min_by_key(|found| found.difference);
        nearest.filter(|found| found.difference <= self.tolerance).unwrap_or(foreign)
    }
}

/// Smallest difference of a colour from those of a ramp, if it is at most the tolerance; else more than it.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
fn ramp_difference(ramp: &Ramp, rgb: [u8; 3], tolerance: u8) -> u8 {
    // In the channel with the widest span one step of the ramp is one step of brightness, so that only steps
    // within the tolerance of the pixel's own brightness can be near.
    let widest = (0..3).max_by_key(|&c| ramp.low[c].abs_diff(ramp.high[c])).unwrap_or_default();
    let steps = i32::from(ramp.low[widest].abs_diff(ramp.high[widest])).max(1);
    let own = (i32::from(rgb[widest]) - i32::from(ramp.low[widest]))
        * (i32::from(ramp.high[widest]) - i32::from(ramp.low[widest])).signum();
    let tolerance = i32::from(tolerance);
    let at = |step: i32| {
        let channel = |c: usize| {
            let (low, high) = (i32::from(ramp.low[c]), i32::from(ramp.high[c]));
            (low + (high - low) * step / steps) as u8
        };
        difference([channel(0), channel(1), channel(2)], rgb)
    };
    let near = (own - tolerance).max(0)..=(own + tolerance).min(steps);
    near.map(at).min().unwrap_or(u8::MAX)
}

/// How often each colour was met, before the dialect is known.
pub(crate) struct Census {
    /// Pixels per colour of [`union_of_colours`], within the tolerance.
    pub pixels: Vec<usize>,
    /// Pixels on a ramp that are near no colour.
    pub on_ramp: usize,
    /// Pixels of no colour.
    pub foreign: usize,
    pub exactness: Exactness,
}

pub(crate) fn census(image: &RgbImage<'_>, tolerance: u8) -> Census {
    // As noisy: each pixel counts for the colour that it is near.
    let mut matcher = Matcher::new(of_family(Family::RescueLeague), tolerance, Exactness::Noisy);
    let mut census = Census {
        pixels: vec![0; matcher.colours.len()],
        on_ramp: 0,
        foreign: 0,
        exactness: Exactness::Exact,
    };
    let (mut near, mut exact) = (0usize, 0usize);
    for (index, &rgb) in image.pixels.iter().enumerate() {
        if image.is_transparent(index) {
            continue;
        }
        let found = matcher.find(rgb);
        match found.colour {
            Some(colour) => census.pixels[usize::from(colour)] += 1,
            None if found.element == Element::Foreign => census.foreign += 1,
            None => census.on_ramp += 1,
        }
        let is_ground = matches!(found.element, Element::Wall | Element::Unexplored);
        near += usize::from(is_ground);
        exact += usize::from(is_ground && found.difference == 0);
    }
    // Ours: a writer that paints exact colours has a few smoothed edges at most, a compressed image has no
    // more than a few pixels that happen to be exact. Greys of a ramp near those of the checkerboard count as
    // inexact here, therefore not nearer to 1.
    if (exact as f64) < 0.6 * near as f64 {
        census.exactness = Exactness::Noisy;
    }
    census
}

/// Pixels looked at before all are.
const SAMPLES: usize = 1 << 14;

/// Looks at a sample of the pixels, so that a photograph is not counted colour by colour. What it lets pass is
/// counted in full.
pub(crate) fn is_worth_counting(image: &RgbImage<'_>, tolerance: u8) -> bool {
    const MIN_SHARE: f64 = 0.8;
    let mut matcher = Matcher::new(of_family(Family::RescueLeague), tolerance, Exactness::Noisy);
    let sampled = image.pixels.iter().step_by(image.pixels.len().div_ceil(SAMPLES).max(1));
    let count = sampled.len() as f64;
    let known = sampled.filter(|&&rgb| matcher.find(rgb).element != Element::Foreign).count();
    known as f64 >= MIN_SHARE * count
}

/// The element of each pixel; transparent ones are outside the map.
pub(crate) fn elements(image: &RgbImage<'_>, matcher: &mut Matcher) -> Vec<Element> {
    let element_of = |(index, &rgb): (usize, &[u8; 3])| {
        if image.is_transparent(index) { Element::Outside } else { matcher.find(rgb).element }
    };
    image.pixels.iter().enumerate().map(element_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matcher(exactness: Exactness) -> Matcher {
        Matcher::new(of_family(Family::RescueLeague), 8, exactness)
    }

    #[test]
    fn every_colour_of_every_dialect_means_what_its_file_says() {
        let mut matcher = matcher(Exactness::Exact);
        for palette in of_family(Family::RescueLeague) {
            for colour in &palette.colours {
                let found = matcher.find(colour.rgb);
                assert_eq!(
                    (found.element, found.difference),
                    (colour.means, 0),
                    "{} {colour:?}",
                    palette.name
                );
            }
        }
    }

    #[test]
    fn greys_belong_to_the_ramp_where_colours_are_exact_and_to_the_checkerboard_where_not() {
        let (mut exact, mut noisy) = (matcher(Exactness::Exact), matcher(Exactness::Noisy));
        assert_eq!(exact.find([226, 226, 226]).element, Element::Searched);
        assert_eq!(noisy.find([226, 226, 226]).element, Element::Unexplored);
        assert_eq!(exact.find([190, 190, 190]).element, Element::Searched);
        assert_eq!(noisy.find([150, 150, 150]).element, Element::Searched);
    }

    #[test]
    fn the_nearer_of_wall_and_scale_bar_wins() {
        let mut matcher = matcher(Exactness::Noisy);
        assert_eq!(matcher.find([3, 43, 122]).element, Element::Wall);
        assert_eq!(matcher.find([3, 48, 119]).element, Element::ScaleBar);
        assert_eq!(matcher.find([60, 43, 122]).element, Element::Foreign);
    }

    #[test]
    fn the_short_search_along_a_ramp_finds_what_the_long_one_finds() {
        for ramp in of_family(Family::RescueLeague).flat_map(|palette| &palette.ramps) {
            for colour in 0..4096u32 {
                let rgb = [colour * 97 % 256, colour * 31 % 256, colour * 57 % 256].map(|c| c as u8);
                let (long, short) = (ramp_difference(ramp, rgb, 255), ramp_difference(ramp, rgb, 20));
                assert!(short == long || (short > 20 && long > 20), "{rgb:?}: {short} {long}");
            }
        }
    }

    #[test]
    fn a_ramp_holds_the_colours_between_its_ends() {
        let mut matcher = matcher(Exactness::Exact);
        assert_eq!(matcher.find([155, 230, 155]).element, Element::Cleared);
        assert_eq!(matcher.find([155, 230, 175]).element, Element::Foreign);
        assert_eq!(matcher.find([100, 100, 100]).element, Element::Foreign);
    }
}
