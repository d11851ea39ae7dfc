//! Grey 128: outside the map of one dialect, least confidence of the others.
//!
//! What hangs together with the border of the image lies outside; the rest is searched area.

use super::palette_file::Element;

/// Pixels of grey 128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outside {
    /// Connected to the border.
    pub outside: usize,
    /// Not connected, and so searched.
    pub searched: usize,
}

/// Turns the pixels of grey 128 that do not reach the border into searched ones.
#[allow(clippy::cast_possible_truncation, reason = "an image for a palette has at most 2^24 pixels")]
pub(crate) fn decide_outside(elements: &mut [Element], width: usize) -> Outside {
    let height = elements.len() / width;
    let mut reached = vec![false; elements.len()];
    // Indices fit into 32 bits, which halves the memory of a flood.
    let mut open: Vec<u32> = Vec::new();
    let border = (0..width).flat_map(|column| [column, (height - 1) * width + column]);
    let border = border.chain((0..height).flat_map(|row| [row * width, row * width + width - 1]));
    for index in border {
        if elements[index] == Element::Outside && !reached[index] {
            reached[index] = true;
            open.push(index as u32);
        }
    }
    while let Some(index) = open.pop().map(|index| index as usize) {
        for next in beside(index, width, elements.len()) {
            if elements[next] == Element::Outside && !reached[next] {
                reached[next] = true;
                open.push(next as u32);
            }
        }
    }
    let mut counts = Outside::default();
    for (element, is_reached) in elements.iter_mut().zip(reached) {
        match (*element, is_reached) {
            (Element::Outside, true) => counts.outside += 1,
            (Element::Outside, false) => {
                *element = Element::Searched;
                counts.searched += 1;
            }
            _ => {}
        }
    }
    counts
}

/// The up to four pixels beside a pixel.
pub(crate) fn beside(index: usize, width: usize, pixels: usize) -> impl Iterator<Item = usize> {
    let column = index % width;
    let left = (column > 0).then(|| index - 1);
    let right = (column + 1 < width).then(|| index + 1);
    let up = index.checked_sub(width);
    let down = Some(index + width).filter(|&below| below < pixels);
    [left, right, up, down].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use Element::{Outside as O, Searched as S, Wall as W};

    use super::*;

    #[test]
    fn only_what_reaches_the_border_is_outside() {
        let mut elements = [
            O, O, W, W, W, //
            O, W, O, O, W, //
            W, W, W, W, W, //
        ];
        assert_eq!(decide_outside(&mut elements, 5), Outside { outside: 3, searched: 2 });
        assert_eq!(elements[5..10], [O, W, S, S, W]);
    }

    #[test]
    fn one_pixel_is_its_own_border() {
        assert_eq!(decide_outside(&mut [O], 1).outside, 1);
    }
}
