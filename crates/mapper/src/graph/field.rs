//! A coarse likelihood of hits around the surfaces of a submap, for searches that must not miss.

use model::{Point2, Pose2};

pub(super) use super::surface_map::CELL_M;
use super::surface_map::SurfaceMap;

/// Cells further from the submap's anchor than this are left out: 40 m.
const MAX_CELL: i64 = 400;
/// Cells by which the field grows at least.
const GROWTH: i64 = 64;
/// What a hit gives to its cell, to the four beside it and to the four at its corners.
const AT_HIT: u8 = 255;
const BESIDE: u8 = 140;
const AT_CORNER: u8 = 100;

/// The largest whole number up to this one. [`f64::floor`] is a call of a function on processors without an instruction for it,
/// and took a quarter of the time of a search.
pub(super) fn whole(at: f64) -> i64 {
    let at = at.clamp(-1e9, 1e9);
    let truncated = at as i64;
    truncated - i64::from(truncated as f64 > at)
}

/// Likelihood of hits, in the frame of a submap.
#[derive(Default)]
pub(super) struct Field {
    first: (i64, i64),
    width: i64,
    height: i64,
    values: Vec<u8>,
}

impl Field {
    /// Of the cells of surfaces that are known.
    pub fn of(surfaces: &SurfaceMap) -> Self {
        let mut field = Self::default();
        surfaces.cells().for_each(|cell| field.add_cell(cell));
        field
    }

    pub fn add(&mut self, hit: Point2) {
        if hit.x_m.is_finite() && hit.y_m.is_finite() {
            self.add_cell((whole(hit.x_m / CELL_M), whole(hit.y_m / CELL_M)));
        }
    }

    fn add_cell(&mut self, (column, row): (i64, i64)) {
        let is_near = |cell: i64| (-MAX_CELL..MAX_CELL).contains(&cell);
        if !(is_near(column) && is_near(row)) {
            return;
        }
        self.make_room(column, row);
        for (dx, dy, value) in [
            (0, 0, AT_HIT),
            (1, 0, BESIDE),
            (-1, 0, BESIDE),
            (0, 1, BESIDE),
            (0, -1, BESIDE),
            (1, 1, AT_CORNER),
            (1, -1, AT_CORNER),
            (-1, 1, AT_CORNER),
            (-1, -1, AT_CORNER),
        ] {
            let index = (row + dy - self.first.1) * self.width + column + dx - self.first.0;
            let target = &mut self.values[index as usize];
            *target = (*target).max(value);
        }
    }

    fn make_room(&mut self, column: i64, row: i64) {
        if self.width == 0 {
            self.first = (column - GROWTH / 2, row - GROWTH / 2);
            (self.width, self.height) = (GROWTH, GROWTH);
            self.values = vec![0; (GROWTH * GROWTH) as usize];
        }
        let low = (self.first.0.min(column - 1), self.first.1.min(row - 1));
        let end = ((self.first.0 + self.width).max(column + 2), (self.first.1 + self.height).max(row + 2));
        let grown = |room: i64| if room > 0 { room.max(GROWTH) } else { 0 };
        let first = (self.first.0 - grown(self.first.0 - low.0), self.first.1 - grown(self.first.1 - low.1));
        let width = self.first.0 + self.width + grown(end.0 - self.first.0 - self.width) - first.0;
        let height = self.first.1 + self.height + grown(end.1 - self.first.1 - self.height) - first.1;
        if (width, height) == (self.width, self.height) {
            return;
        }
        *self = self.padded(first, width, height);
    }

    fn padded(&self, first: (i64, i64), width: i64, height: i64) -> Self {
        let mut values = vec![0; (width * height) as usize];
        for row in 0..self.height {
            let from = (row * self.width) as usize..((row + 1) * self.width) as usize;
            let to = ((row + self.first.1 - first.1) * width + self.first.0 - first.0) as usize;
            values[to..to + from.len()].copy_from_slice(&self.values[from]);
        }
        Self { first, width, height, values }
    }

    /// Mean likelihood of points at a pose, 0 to 1.
    pub fn score(&self, points: &[Point2], submap_from_robot: Pose2) -> f64 {
        let (sin, cos) = submap_from_robot.theta_rad.sin_cos();
        let value = |point: &Point2| {
            let x = (submap_from_robot.x_m + cos * point.x_m - sin * point.y_m) / CELL_M;
            let y = (submap_from_robot.y_m + sin * point.x_m + cos * point.y_m) / CELL_M;
            let (column, row) = (whole(x) - self.first.0, whole(y) - self.first.1);
            let is_inside = (0..self.width).contains(&column) && (0..self.height).contains(&row);
            if is_inside { u32::from(self.values[(row * self.width + column) as usize]) } else { 0 }
        };
        f64::from(points.iter().map(value).sum::<u32>()) / (255.0 * points.len().max(1) as f64)
    }

    /// The field and its maxima over squares of 2, 4, .. cells, so that a search can bound whole squares of shifts.
    pub fn pyramid(&self, levels: usize) -> Pyramid {
        let margin = 1 << levels;
        let (width, height) = (self.width + 2 * margin, self.height + 2 * margin);
        let field = self.padded((self.first.0 - margin, self.first.1 - margin), width, height);
        let mut maxima: Vec<Vec<u8>> = Vec::with_capacity(levels);
        for level in 0..levels {
            let below = maxima.last().unwrap_or(&field.values);
            maxima.push(doubled(below, width as usize, 1 << level));
        }
        Pyramid { field, maxima }
    }
}

/// Maxima over squares twice as wide: of each value and those `half` cells to the right, above, and both.
fn doubled(values: &[u8], width: usize, half: usize) -> Vec<u8> {
    let mut wide = values.to_vec();
    for (row, from) in wide.chunks_exact_mut(width).zip(values.chunks_exact(width)) {
        row.iter_mut().zip(&from[half.min(width)..]).for_each(|(here, right)| *here = (*here).max(*right));
    }
    for row in half..values.len() / width {
        let (below, above) = wide.split_at_mut(row * width);
        let below = &mut below[(row - half) * width..][..width];
        below.iter_mut().zip(&above[..width]).for_each(|(here, above)| *here = (*here).max(*above));
    }
    wide
}

/// A field with maxima over squares.
pub(super) struct Pyramid {
    pub field: Field,
    /// Over squares of 2, 4, .. cells.
    maxima: Vec<Vec<u8>>,
}

impl Pyramid {
    /// Levels above the field itself.
    pub fn levels(&self) -> usize {
        self.maxima.len()
    }

    /// Sum over points, given as cells, of the largest value that any shift of the square reaches.
    pub fn bound(&self, cells: &[(i32, i32)], shift: (i32, i32), level: usize) -> u32 {
        let plane = level.checked_sub(1).map_or(&self.field.values, |above| &self.maxima[above]);
        let (width, height) = (self.field.width as u32, self.field.height as u32);
        let (dx, dy) = (shift.0 - self.field.first.0 as i32, shift.1 - self.field.first.1 as i32);
        let value = |&(column, row): &(i32, i32)| {
            // What lies before the first column or row is a large number without a sign.
            let (column, row) = ((column + dx) as u32, (row + dy) as u32);
            let is_inside = column < width && row < height;
            if is_inside { u32::from(plane[(row * width + column) as usize]) } else { 0 }
        };
        cells.iter().map(value).sum()
    }
}

#[cfg(test)]
mod tests {
    use model::SeededRng;

    use super::*;

    #[test]
    fn hits_count_where_they_are_and_beside() {
        let mut field = Field::default();
        field.add(Point2::new(1.05, 0.05));
        field.add(Point2::new(-20.0, 30.0));
        field.add(Point2::new(f64::NAN, 0.0));
        let at = |x_m: f64, y_m: f64| field.score(&[Point2::new(x_m, y_m)], Pose2::IDENTITY);
        assert_eq!(
            (at(1.05, 0.05), at(1.15, 0.05), at(1.15, 0.15), at(3.0, 0.0)),
            (1.0, 140.0 / 255.0, 100.0 / 255.0, 0.0)
        );
        assert_eq!(at(-20.0, 30.0), 1.0);
    }

    #[test]
    fn whole_numbers_are_rounded_down() {
        assert_eq!([1.9, 2.0, 0.0, -0.1, -2.0, -2.5].map(whole), [1, 2, 0, -1, -2, -3]);
        assert_eq!([f64::NAN, 1e300, -1e300].map(whole), [0, 1_000_000_000, -1_000_000_000]);
    }

    #[test]
    fn bounds_are_never_below_what_a_shift_reaches() {
        let mut random = SeededRng::new(4);
        let mut field = Field::default();
        for _ in 0..60 {
            field.add(Point2::new(random.below(60) as f64 / 10.0, random.below(60) as f64 / 10.0));
        }
        let pyramid = field.pyramid(4);
        let cells: Vec<(i32, i32)> =
            (0..20).map(|_| (random.below(60) as i32, random.below(60) as i32)).collect();
        for level in 1..=4 {
            let side = 1_i32 << level;
            for _ in 0..20 {
                let shift = (random.below(40) as i32 - 20, random.below(40) as i32 - 20);
                let reached = (0..side * side)
                    .map(|k| pyramid.bound(&cells, (shift.0 + k % side, shift.1 + k / side), 0));
                assert!(pyramid.bound(&cells, shift, level) >= reached.max().unwrap());
            }
        }
    }
}
