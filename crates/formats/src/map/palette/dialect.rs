//! Which map writer a league image comes from.
//!
//! The dialect is the one that lacks the fewest of the image's colours; among equals the one that has the
//! fewest colours which the image lacks; among equals the first in the list.

use super::classify::{Census, union_of_colours};
use super::palette_file::{Element, Family, Palette, of_family};

/// Pixels below this number are noise of smoothing, not an element.
const MIN_PIXELS: usize = 6;

/// A dialect, and what the image has beyond it.
pub(crate) struct Dialect {
    pub palette: &'static Palette,
    /// Colours of other dialects in the image, with their pixels.
    pub deviations: Vec<([u8; 3], Element, usize)>,
    /// Pixels of a confidence ramp that the dialect does not have.
    pub ramp_deviation: usize,
}

/// True if the census speaks of a league image: walls of the league's blue, and little that is foreign.
pub(crate) fn is_likely(census: &Census) -> bool {
    const MIN_SHARE: f64 = 0.95;
    const MIN_WALL_PIXELS: usize = 16;
    let known: usize = census.pixels.iter().sum::<usize>() + census.on_ramp;
    let has = |element| {
        let of_element =
            union_of_colours().into_iter().zip(&census.pixels).filter(|(c, _)| c.means == element);
        of_element.map(|(_, &pixels)| pixels).sum::<usize>() >= MIN_WALL_PIXELS
    };
    has(Element::Wall)
        && has(Element::Unexplored)
        && known as f64 >= MIN_SHARE * (known + census.foreign) as f64
}

/// The dialect of an image.
pub(crate) fn dialect_of(census: &Census) -> Option<Dialect> {
    let candidates = of_family(Family::RescueLeague).map(|palette| compared(palette, census));
    candidates
        .min_by_key(|(dialect, absent)| {
            let ramp = usize::from(dialect.ramp_deviation > 0);
            (dialect.deviations.len() + ramp, *absent)
        })
        .map(|(dialect, _)| dialect)
}

/// A palette as the dialect of an image, with the number of its colours that the image lacks.
pub(crate) fn compared(palette: &'static Palette, census: &Census) -> (Dialect, usize) {
    let mut deviations = Vec::new();
    let mut absent = 0;
    for (colour, &pixels) in union_of_colours().iter().zip(&census.pixels) {
        let is_own = palette.colours.iter().any(|own| own.rgb == colour.rgb);
        // The ends of a ramp are colours of the other dialects.
        let is_on_ramp = palette.ramps.iter().any(|ramp| ramp.low == colour.rgb || ramp.high == colour.rgb);
        match (is_own, pixels >= MIN_PIXELS) {
            (false, true) if !is_on_ramp => deviations.push((colour.rgb, colour.means, pixels)),
            (true, false) => absent += 1,
            _ => {}
        }
    }
    let has_ramp = !palette.ramps.is_empty();
    let ramp_deviation = if has_ramp || census.on_ramp < least_on_ramp(census) { 0 } else { census.on_ramp };
    (
        Dialect { palette, deviations, ramp_deviation },
        absent + usize::from(has_ramp && census.on_ramp < least_on_ramp(census)),
    )
}

/// Fewer pixels on a ramp are smoothed edges.
fn least_on_ramp(census: &Census) -> usize {
    MIN_PIXELS.max(census.pixels.iter().sum::<usize>() / 500)
}

#[cfg(test)]
mod tests {
    use super::super::classify::Exactness;
    use super::*;

    fn census(colours: &[[u8; 3]], on_ramp: usize) -> Census {
        let pixels =
            union_of_colours().iter().map(|c| if colours.contains(&c.rgb) { 100 } else { 0 }).collect();
        Census { pixels, on_ramp, foreign: 0, exactness: Exactness::Exact }
    }

    #[test]
    fn each_palette_is_its_own_dialect() {
        for palette in of_family(Family::RescueLeague) {
            let colours: Vec<_> = palette.colours.iter().map(|colour| colour.rgb).collect();
            let on_ramp = if palette.ramps.is_empty() { 0 } else { 1000 };
            let dialect = dialect_of(&census(&colours, on_ramp)).unwrap();
            assert_eq!(dialect.palette.name, palette.name);
            assert!(dialect.deviations.is_empty());
        }
    }

    #[test]
    fn colours_of_another_dialect_are_deviations() {
        let hector: Vec<_> =
            of_family(Family::RescueLeague).next().unwrap().colours.iter().map(|c| c.rgb).collect();
        let colours = [hector, vec![[255, 100, 30]]].concat();
        let dialect = dialect_of(&census(&colours, 0)).unwrap();
        assert_eq!(dialect.palette.name, "hector");
        assert_eq!(dialect.deviations, [([255, 100, 30], Element::Hazard, 100)]);
    }

    #[test]
    fn an_image_needs_walls_and_a_checkerboard_to_be_of_the_league() {
        assert!(is_likely(&census(&[[0, 40, 120], [226, 226, 227]], 0)));
        assert!(!is_likely(&census(&[[226, 226, 227], [255, 255, 255]], 0)));
        assert!(!is_likely(&census(&[[0, 40, 120], [255, 255, 255]], 9)));
        let much_foreign = Census { foreign: 100, ..census(&[[0, 40, 120], [226, 226, 227]], 0) };
        assert!(!is_likely(&much_foreign));
    }
}
