//! How many points lie on a field, and on cells of it that are known, under each translation.
//!
//! The points that lie on the field are those within a box, so that four sums over boxes from the corner give their number.
//! Where nearly all of a field is known, those on the few other cells are taken off one by one.

use raster::moved_points::LANES;

/// Points in their box, over a field.
#[derive(Default)]
pub(super) struct Covered {
    /// Columns and rows of the box, of the field, and of translations.
    points: (usize, usize),
    field: (usize, usize),
    translations: (usize, usize),
    /// Row by row, points above row y and to the left of column `width - 1 - k` of the box.
    to_the_left: Vec<u16>,
    /// Points above each row of the box, and the columns of all points, row by row.
    above: Vec<u16>,
    columns: Vec<usize>,
    next: Vec<u16>,
    /// Points to the left of the field under each translation of one row.
    left_of_field: Vec<u16>,
    /// Points on the field under each of them, padded to whole blocks.
    counts: Vec<u16>,
}

impl Covered {
    /// Prepares points in a box of this size, over a field of that size.
    pub(super) fn lay(&mut self, points: &[(usize, usize)], size: (usize, usize), field: (usize, usize)) {
        let (wide, high) = size;
        (self.points, self.field) = (size, field);
        self.translations = (field.0 + wide - 1, field.1 + high - 1);
        self.to_the_left.clear();
        self.to_the_left.resize(wide * (high + 1), 0);
        self.above.clear();
        self.above.resize(high + 1, 0);
        for &(x, y) in points {
            self.above[y + 1] += 1;
            self.to_the_left[(y + 1) * wide..][..wide - 1 - x].iter_mut().for_each(|count| *count += 1);
        }
        for row in 1..high {
            self.above[row + 1] += self.above[row];
            let (before, after) = self.to_the_left.split_at_mut((row + 1) * wide);
            after.iter_mut().zip(&before[row * wide..]).for_each(|(sum, above)| *sum += above);
        }
        // The place of the next point of each row.
        self.next.clear();
        self.next.extend_from_slice(&self.above);
        self.columns.resize(points.len(), 0);
        for &(x, y) in points {
            self.columns[usize::from(self.next[y])] = x;
            self.next[y] += 1;
        }
    }

    /// The points on the field under each translation of a row, padded with zeros to whole blocks. Those on gaps do not count.
    pub(super) fn of_row(&mut self, row: usize, gaps: &[(usize, usize)]) -> &[u16] {
        let ((wide, high), (field_wide, field_high)) = (self.points, self.field);
        // Rows of the box on the field, from the first to before the last.
        let first = (high - 1).saturating_sub(row);
        let last = (high - 1 + field_high - row).min(high);
        let all = self.above[last] - self.above[first];
        let [from, to] = [first, last].map(|y| &self.to_the_left[y * wide..][..wide]);
        // Those to the left of the field; none, once the box has passed its left edge.
        self.left_of_field.clear();
        self.left_of_field.extend(to.iter().zip(from).map(|(to, from)| to - from));
        self.left_of_field.resize(self.translations.0, 0);
        let (inner, outer) = self.left_of_field.split_at(field_wide.min(self.translations.0));
        self.counts.clear();
        self.counts.extend(inner.iter().map(|left| all - left));
        // Left of its right edge are those that were left of its left edge, so many translations ago.
        self.counts.extend(outer.iter().zip(&self.left_of_field).map(|(left, within)| within - left));
        for &(column, gap_row) in gaps {
            let of_row = (gap_row + high - 1).checked_sub(row).filter(|&of_row| of_row < high);
            let points = of_row.map_or(0..0, |y| usize::from(self.above[y])..usize::from(self.above[y + 1]));
            self.columns[points].iter().for_each(|x| self.counts[column + wide - 1 - x] -= 1);
        }
        self.counts.resize(self.translations.0.next_multiple_of(LANES), 0);
        &self.counts
    }
}

/// With more of them it is faster to sum over the points.
const MOST_GAPS: usize = 64;

/// Columns and rows of the cells of a field that are not known, 0; none if there are too many.
pub(super) fn gaps(known: &[u8], width: usize) -> Option<Vec<(usize, usize)>> {
    let cells = known.iter().enumerate().filter(|(_, known)| **known == 0);
    let cells: Vec<_> = cells.map(|(cell, _)| (cell % width, cell / width)).take(MOST_GAPS + 1).collect();
    (cells.len() <= MOST_GAPS).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_counting_the_points() {
        let mut random = testkit::Random(29);
        for round in 0..60 {
            let mut side = |most: usize| 1 + random.below(most);
            let (size, field) = ((side(20), side(20)), (side(80), side(30)));
            let points: Vec<(usize, usize)> =
                (0..random.below(40)).map(|_| (random.below(size.0), random.below(size.1))).collect();
            let known: Vec<u8> = (0..field.0 * field.1).map(|_| u8::from(random.below(30) > 0)).collect();
            let gaps = gaps(&known, field.0).unwrap_or_default();
            let counts = |cell: usize| gaps.is_empty() || known[cell] == 1;
            let (wide, high) = (field.0 + size.0 - 1, field.1 + size.1 - 1);
            let mut covered = Covered::default();
            covered.lay(&points, size, field);
            for row in 0..high {
                let is_covered = |column: usize, (x, y): (usize, usize)| {
                    let place = (column + x + 1).checked_sub(size.0).zip((row + y + 1).checked_sub(size.1));
                    place.is_some_and(|(x, y)| x < field.0 && y < field.1 && counts(y * field.0 + x))
                };
                let found = covered.of_row(row, &gaps);
                assert_eq!(found.len(), wide.next_multiple_of(LANES));
                for (column, &found) in found.iter().enumerate() {
                    let expected =
                        points.iter().filter(|point| column < wide && is_covered(column, **point)).count();
                    assert_eq!(usize::from(found), expected, "round {round}, row {row}, column {column}");
                }
            }
        }
    }

    #[test]
    fn many_gaps_are_not_listed() {
        assert!(gaps(&[0; MOST_GAPS + 1], 10).is_none());
        assert_eq!(gaps(&[1, 0, 1, 1, 1, 0], 3), Some(vec![(1, 0), (2, 1)]));
    }
}
