//! What the rules of 2008 ask of the layers beside the navigation layer (F-NAV, Balaguer et al. 2009, section 3.1): a
//! place of their own, and none of the five colours.

use model::{Finding, NavigationClass};

use super::page::{Page, PageHeader};
use super::pixels::Pixels;

/// A finding if the page has no place of its own although the first page has one.
pub(super) fn place(header: &PageHeader<'_>) -> Option<Finding> {
    (header.stated.is_some() && !header.has_own_place).then(|| {
        let message =
            format!("layer '{}' states no place of its own; that of the first page was taken", header.name);
        Finding::warning("LAYER_WITHOUT_PLACE", message).hint("write the geo tags on every page")
    })
}

/// A finding if a page beside a navigation layer has pixels in one of the five colours. Numbers have no colours.
pub(super) fn colours(page: &Page) -> Option<Finding> {
    let taken = NavigationClass::ALL.map(NavigationClass::rgb);
    let is_taken = |colour: &[u8; 3]| taken.contains(colour);
    let (count, first) = match &page.pixels {
        Pixels::Grey8(greys) => counted(greys.iter().map(|&grey| is_taken(&[grey; 3]))),
        Pixels::Rgb8(samples) => counted(samples.as_chunks::<3>().0.iter().map(is_taken)),
        Pixels::Rgba8(samples) => {
            let visible = |&[r, g, b, alpha]: &[u8; 4]| alpha > 0 && is_taken(&[r, g, b]);
            counted(samples.as_chunks::<4>().0.iter().map(visible))
        }
        Pixels::GreyAlpha8(samples) => {
            counted(samples.as_chunks::<2>().0.iter().map(|&[grey, alpha]| alpha > 0 && is_taken(&[grey; 3])))
        }
        Pixels::Grey16(_) | Pixels::Signed16(_) | Pixels::Float(_) => return None,
    };
    let first = first?;
    let (column, row) = (first % page.width.max(1), first / page.width.max(1));
    let message = format!(
        "layer '{}': {count} pixels have one of the five colours of the navigation layer, the first at column {column} \
         row {row}",
        page.name
    );
    Some(
        Finding::warning("NAVIGATION_COLOUR_IN_LAYER", message).hint(
            "use other colours, such as 1 and 254 for black and white; mapjudge layers can change them",
        ),
    )
}

/// How many are set, and the index of the first.
fn counted(pixels: impl Iterator<Item = bool>) -> (usize, Option<usize>) {
    let mut found = (0, None);
    for (index, _) in pixels.enumerate().filter(|(_, is_set)| *is_set) {
        found = (found.0 + 1, found.1.or(Some(index)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(pixels: Pixels) -> Page {
        let name = "heat".to_owned();
        Page {
            name,
            width: 2,
            height: 2,
            pixels,
            geotransform: None,
            crs: None,
            nodata: None,
            is_nodata: None,
        }
    }

    #[test]
    fn the_five_colours_are_counted_in_every_kind_of_image() {
        let message = |pixels| colours(&page(pixels)).map(|finding| finding.message);
        let grey = message(Pixels::Grey8(vec![1, 254, 0, 255])).unwrap();
        assert!(grey.contains("'heat': 2 pixels") && grey.ends_with("column 0 row 1"), "{grey}");
        let red = vec![1, 1, 1, 255, 0, 0, 9, 9, 9, 9, 9, 9];
        assert!(message(Pixels::Rgb8(red)).unwrap().contains("1 pixels"));
        assert_eq!(message(Pixels::Rgba8([255, 0, 0, 0].repeat(4))), None, "nobody sees it");
        assert_eq!(message(Pixels::Grey16(vec![0; 4])), None, "numbers");
        assert_eq!(message(Pixels::Grey8(vec![1, 254, 7, 8])), None);
    }
}
