//! Grid lines against the grey of the same brightness in a ramp of confidence.
//!
//! In a smoothed or compressed image both have one colour. A line is thin: where most pixels around one have
//! the grey of the lines, it is searched ground. The lines that cross it there are lost in it, which does no
//! harm, because they lie on the same ground.

use super::palette_file::Element;

/// Pixels to each side that are looked at.
const REACH: usize = 2;
/// Of the 25 pixels of the window; two lines of two pixels width that cross cover 16.
const MIN_GREY: usize = 18;

/// Turns broad areas of the grid lines' grey into searched ground.
pub(crate) fn broad_lines_are_ground(elements: &mut [Element], width: usize) {
    let height = elements.len() / width;
    let is_broad = |&index: &usize| {
        let (column, row) = (index % width, index / width);
        let columns = column.saturating_sub(REACH)..=(column + REACH).min(width - 1);
        let rows = row.saturating_sub(REACH)..=(row + REACH).min(height - 1);
        let grey =
            |row: usize| columns.clone().filter(|c| elements[row * width + c] == Element::GridLine).count();
        elements[index] == Element::GridLine && rows.map(grey).sum::<usize>() >= MIN_GREY
    };
    let broad: Vec<usize> = (0..elements.len()).filter(is_broad).collect();
    broad.into_iter().for_each(|index| elements[index] = Element::Searched);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_areas_become_ground() {
        let (width, height) = (30, 30);
        let is_line = |i: usize| (i % width == 5) || (i / width) / 2 == 4;
        let is_area = |i: usize| i % width >= 12 && i / width >= 15;
        let mut elements: Vec<_> = (0..width * height)
            .map(|i| if is_line(i) || is_area(i) { Element::GridLine } else { Element::Wall })
            .collect();
        broad_lines_are_ground(&mut elements, width);
        assert_eq!(elements[20 * width + 20], Element::Searched);
        assert!((0..width).all(|column| elements[8 * width + column] == Element::GridLine));
        assert!((0..height).all(|row| elements[row * width + 5] == Element::GridLine));
    }
}
