//! F-NAV: the navigation layer with five colours (Balaguer et al. 2009, section 3.1).
//!
//! A pixel takes the class whose largest channel difference is smallest, if that is at most the tolerance.
//! Alpha 0 means unknown. Any other pixel is foreign: the image is refused, or, if foreign colours are let
//! in, the cell is unknown with a warning. Grey is foreign unless an option makes it explored.

use std::collections::BTreeSet;

use model::{Finding, Grid, NavigationClass};

use super::palette_file::{Element, Palette};
use super::rgb_image::{RgbImage, difference};
use crate::{Place, ReadError, ReadOptions};

/// Foreign pixels whose positions are listed.
const SHOWN_POSITIONS: usize = 10;
/// Distinct foreign colours that are counted; a photograph has millions.
const COUNTED_COLOURS: usize = 1 << 16;

/// The classes of a navigation layer, and what is odd about it.
pub(crate) fn classes(
    file: &str,
    image: &RgbImage<'_>,
    palette: &Palette,
    options: &ReadOptions,
) -> Result<(Vec<NavigationClass>, Vec<Finding>), ReadError> {
    let matcher = Matcher::new(palette, options);
    let mut foreign = Foreign::default();
    let mut classes = Vec::with_capacity(image.pixels.len());
    for (index, &rgb) in image.pixels.iter().enumerate() {
        let class =
            if image.is_transparent(index) { Some(NavigationClass::Unknown) } else { matcher.class_of(rgb) };
        if class.is_none() {
            foreign.add(index, rgb);
        }
        classes.push(class.unwrap_or(NavigationClass::Unknown));
    }
    if foreign.count == 0 {
        return Ok((classes, Vec::new()));
    }
    let found = foreign.description(image);
    if options.lenient_colours {
        let message = format!("{found}; these cells were read as unknown");
        let finding = Finding::warning("NAVIGATION_FOREIGN_COLOURS", message);
        return Ok((classes, vec![finding.hint("save the layer without smoothing, or raise the tolerance")]));
    }
    let expected = format!("only the five colours of a navigation layer (tolerance {})", matcher.tolerance);
    Err(ReadError::malformed(file, Place::File, expected, found)
        .with_hint("raise the tolerance, read foreign colours as unknown, or choose another palette or none"))
}

/// Whether nearly all pixels have a colour of the palette, and some of them blue or green: black, white and red
/// alone are found in ordinary images too, and so are a few coloured marks on a grey map.
pub(crate) fn is_likely(image: &RgbImage<'_>, palette: &Palette, options: &ReadOptions) -> bool {
    const MIN_SHARE: f64 = 0.95;
    const MIN_TELLING_SHARE: f64 = 0.01;
    let matcher = Matcher::new(palette, options);
    let (mut known, mut telling) = (0usize, 0usize);
    for &rgb in image.pixels {
        let class = matcher.class_of(rgb);
        known += usize::from(class.is_some());
        telling += usize::from(matches!(class, Some(NavigationClass::Cleared | NavigationClass::Unknown)));
    }
    let pixels = image.pixels.len() as f64;
    telling as f64 >= MIN_TELLING_SHARE * pixels && known as f64 >= MIN_SHARE * pixels
}

/// Finds the class of a colour.
struct Matcher {
    colours: Vec<([u8; 3], NavigationClass)>,
    tolerance: u8,
    grey_is_uncleared: bool,
}

impl Matcher {
    fn new(palette: &Palette, options: &ReadOptions) -> Self {
        let class_of = |element| match element {
            Element::Untraversable => Some(NavigationClass::Untraversable),
            Element::Cleared => Some(NavigationClass::Cleared),
            Element::Uncleared => Some(NavigationClass::Uncleared),
            Element::Unknown => Some(NavigationClass::Unknown),
            Element::Victim => Some(NavigationClass::Victim),
            _ => None,
        };
        let colours = palette.colours.iter().filter_map(|c| Some((c.rgb, class_of(c.means)?))).collect();
        let tolerance = palette.tolerance_by(options);
        Self { colours, tolerance, grey_is_uncleared: options.grey_is_uncleared }
    }

    fn class_of(&self, rgb: [u8; 3]) -> Option<NavigationClass> {
        let nearest = self.colours.iter().min_by_key(|(colour, _)| difference(*colour, rgb))?;
        if difference(nearest.0, rgb) <= self.tolerance {
            return Some(nearest.1);
        }
        let mean = rgb.iter().map(|&sample| u16::from(sample)).sum::<u16>() / 3;
        let is_grey = rgb.iter().all(|&sample| u16::from(sample).abs_diff(mean) <= u16::from(self.tolerance));
        (is_grey && self.grey_is_uncleared).then_some(NavigationClass::Uncleared)
    }
}

/// Pixels of no class.
#[derive(Default)]
struct Foreign {
    count: usize,
    first: Vec<(usize, [u8; 3])>,
    colours: BTreeSet<[u8; 3]>,
}

impl Foreign {
    fn add(&mut self, index: usize, rgb: [u8; 3]) {
        self.count += 1;
        if self.first.len() < SHOWN_POSITIONS {
            self.first.push((index, rgb));
        }
        if self.colours.len() < COUNTED_COLOURS {
            self.colours.insert(rgb);
        }
    }

    fn description(&self, image: &RgbImage<'_>) -> String {
        let at_least = if self.colours.len() < COUNTED_COLOURS { "" } else { "at least " };
        let shown: Vec<String> = self
            .first
            .iter()
            .map(|&(index, [r, g, b])| {
                let (column, row) = image.position(index);
                format!("column {column} row {row} ({r},{g},{b})")
            })
            .collect();
        format!(
            "{} pixels of {at_least}{} foreign colours, first {}",
            self.count,
            self.colours.len(),
            shown.join(", ")
        )
    }
}

/// An RGB PNG of a navigation layer. A grid without navigation classes is written by its three-value classes:
/// free as uncleared, because it may hold a victim.
///
/// # Errors
/// The encoder's; writing into memory gives none for grids that exist.
pub fn write_navigation_png(grid: &Grid) -> Result<Vec<u8>, std::io::Error> {
    crate::map::png::encode(grid, png::ColorType::Rgb, navigation_colours(grid).as_flattened())
}

/// The colours of a navigation layer of a grid, top row first.
pub(crate) fn navigation_colours(grid: &Grid) -> Vec<[u8; 3]> {
    use model::CellClass;
    let of_class = |class: &CellClass| match class {
        CellClass::Free => NavigationClass::Uncleared,
        CellClass::Unknown => NavigationClass::Unknown,
        CellClass::Occupied => NavigationClass::Untraversable,
    };
    match grid.navigation() {
        Some(classes) => classes.iter().map(|class| class.rgb()).collect(),
        None => grid.classes().iter().map(|class| of_class(class).rgb()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use NavigationClass::{Cleared, Uncleared, Unknown, Untraversable, Victim};

    use super::super::palette_file::shipped;
    use super::*;

    fn read(
        pixels: &[[u8; 3]],
        options: &ReadOptions,
    ) -> Result<(Vec<NavigationClass>, Vec<Finding>), ReadError> {
        let image = RgbImage { width: pixels.len(), height: 1, pixels, alpha: None };
        classes("nav.png", &image, &shipped()[0], options)
    }

    fn tolerance(tolerance: u8) -> ReadOptions {
        ReadOptions { palette_tolerance: Some(tolerance), ..ReadOptions::default() }
    }

    #[test]
    fn f_nav_the_five_colours() {
        let pixels = [[0, 0, 0], [0, 255, 0], [255, 255, 255], [0, 0, 255], [255, 0, 0]];
        let (classes, findings) = read(&pixels, &tolerance(0)).unwrap();
        assert_eq!(classes, [Untraversable, Cleared, Uncleared, Unknown, Victim]);
        assert!(findings.is_empty());
    }

    #[test]
    fn f_nav_examples_of_tolerance() {
        assert!(read(&[[0, 250, 3]], &tolerance(0)).is_err());
        assert_eq!(read(&[[0, 250, 3]], &tolerance(8)).unwrap().0, [Cleared]);
        assert_eq!(read(&[[0, 250, 3]], &tolerance(5)).unwrap().0, [Cleared]);
        assert!(read(&[[0, 250, 3]], &tolerance(4)).is_err());
        for t in [0, 8] {
            assert!(read(&[[128, 128, 128]], &tolerance(t)).is_err());
        }
    }

    #[test]
    fn f_nav_with_a_wide_tolerance_the_nearest_class_wins() {
        assert_eq!(read(&[[100, 0, 0], [155, 0, 0]], &tolerance(255)).unwrap().0, [Untraversable, Victim]);
    }

    #[test]
    fn foreign_colours_are_listed_up_to_ten_and_counted() {
        let mut pixels = vec![[255, 255, 255]; 3];
        pixels.extend((0..12).map(|i| [9, 9, 100 + i % 4]));
        let error = read(&pixels, &tolerance(0)).unwrap_err().to_string();
        assert!(
            error.contains("found 12 pixels of 4 foreign colours, first column 3 row 0 (9,9,100), column 4")
        );
        assert!(error.contains("column 12 row 0") && !error.contains("column 13"), "{error}");
    }

    #[test]
    fn foreign_colours_may_be_let_in_as_unknown() {
        let options = ReadOptions { lenient_colours: true, ..tolerance(0) };
        let (classes, findings) = read(&[[1, 2, 3], [0, 0, 0]], &options).unwrap();
        assert_eq!(classes, [Unknown, Untraversable]);
        assert!(
            findings[0].message.starts_with("1 pixels of 1 foreign colours, first column 0 row 0 (1,2,3)")
        );
    }

    #[test]
    fn grey_is_uncleared_only_on_demand() {
        let options = ReadOptions { grey_is_uncleared: true, ..tolerance(0) };
        assert_eq!(read(&[[128, 128, 128], [0, 0, 0]], &options).unwrap().0, [Uncleared, Untraversable]);
        assert!(read(&[[128, 129, 128]], &options).is_err());
        assert_eq!(
            read(&[[128, 131, 128]], &ReadOptions { palette_tolerance: Some(8), ..options }).unwrap().0,
            [Uncleared]
        );
    }

    #[test]
    fn transparent_pixels_are_unknown_whatever_their_colour() {
        let image = RgbImage { width: 2, height: 1, pixels: &[[7, 7, 7], [0, 0, 0]], alpha: Some(&[0, 1]) };
        let (classes, _) = classes("nav.png", &image, &shipped()[0], &ReadOptions::default()).unwrap();
        assert_eq!(classes, [Unknown, Untraversable]);
    }

    #[test]
    fn a_few_coloured_marks_do_not_make_a_grey_map_a_navigation_layer() {
        let palette = crate::map::palette::palette_file::of_family(
            crate::map::palette::palette_file::Family::Navigation,
        )
        .next();
        let likely = |marks: usize| {
            let mut pixels = vec![[255u8; 3]; 1000];
            pixels[..marks].fill([0, 255, 0]);
            let image = RgbImage { width: 100, height: 10, pixels: &pixels, alpha: None };
            is_likely(&image, palette.unwrap(), &ReadOptions::default())
        };
        assert!(!likely(9));
        assert!(likely(10));
    }
}
