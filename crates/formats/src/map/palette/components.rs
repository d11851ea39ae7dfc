//! Pixels of one element that hang together, corners included.

use super::palette_file::Element;

/// A group of pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    /// Indices of its pixels.
    pub pixels: Vec<usize>,
    /// First and last column.
    pub columns: (usize, usize),
    /// First and last row, from the top.
    pub rows: (usize, usize),
}

impl Component {
    /// A group of these pixels, of which there is at least one.
    pub fn of_pixels(pixels: Vec<usize>, width: usize) -> Self {
        let first = pixels.first().copied().unwrap_or_default();
        let (mut columns, mut rows) = ((first % width, first % width), (first / width, first / width));
        for &index in &pixels {
            let (column, row) = (index % width, index / width);
            columns = (columns.0.min(column), columns.1.max(column));
            rows = (rows.0.min(row), rows.1.max(row));
        }
        Self { pixels, columns, rows }
    }

    /// Width and height of the box around it, in pixels.
    pub const fn size(&self) -> (usize, usize) {
        (self.columns.1 - self.columns.0 + 1, self.rows.1 - self.rows.0 + 1)
    }
}

/// Larger groups are floods of colour, nothing that was drawn; their pixels are not collected.
const MAX_PIXELS: usize = 1 << 20;

/// More groups are noise; the others are left out.
const MAX_GROUPS: usize = 1 << 16;

/// The groups of an element with at least `least_pixels` pixels, in the order of their first pixel.
#[allow(clippy::cast_possible_truncation, reason = "an image for a palette has at most 2^24 pixels")]
pub(crate) fn components(
    elements: &[Element],
    width: usize,
    wanted: Element,
    least_pixels: usize,
) -> Vec<Component> {
    let mut found = Vec::new();
    let mut seen = vec![false; elements.len()];
    // Indices fit into 32 bits, which halves the memory of a flood.
    let mut open: Vec<u32> = Vec::new();
    for start in 0..elements.len() {
        if elements[start] != wanted || seen[start] {
            continue;
        }
        seen[start] = true;
        open.push(start as u32);
        let (mut pixels, mut count) = (Vec::new(), 0usize);
        while let Some(index) = open.pop().map(|index| index as usize) {
            count += 1;
            if count <= MAX_PIXELS {
                pixels.push(index);
            }
            for next in around(index, width, elements.len()) {
                if elements[next] == wanted && !seen[next] {
                    seen[next] = true;
                    open.push(next as u32);
                }
            }
        }
        if (least_pixels..=MAX_PIXELS).contains(&count) && found.len() < MAX_GROUPS {
            found.push(Component::of_pixels(pixels, width));
        }
    }
    found
}

/// The up to eight pixels around a pixel.
pub(crate) fn around(index: usize, width: usize, pixels: usize) -> impl Iterator<Item = usize> {
    let (column, row, height) = (index % width, index / width, pixels / width);
    let columns = column.saturating_sub(1)..=(column + 1).min(width - 1);
    let rows = row.saturating_sub(1)..=(row + 1).min(height - 1);
    rows.flat_map(move |r| columns.clone().map(move |c| r * width + c)).filter(move |&other| other != index)
}

#[cfg(test)]
mod tests {
    use Element::{Path as P, Wall as W};

    use super::*;

    #[test]
    fn corners_connect_and_small_groups_are_left_out() {
        let elements = [
            P, W, W, P, //
            W, P, W, W, //
            W, W, W, W, //
            P, P, W, W, //
        ];
        let found = components(&elements, 4, P, 2);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].columns, found[0].rows, found[0].size()), ((0, 1), (0, 1), (2, 2)));
        assert_eq!(found[1].pixels.len(), 2);
        assert_eq!(components(&elements, 4, P, 1).len(), 3);
    }

    #[test]
    fn a_corner_has_three_neighbours_and_one_pixel_none() {
        assert_eq!(around(0, 3, 9).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(around(4, 3, 9).count(), 8);
        assert_eq!(around(0, 1, 1).count(), 0);
    }
}
