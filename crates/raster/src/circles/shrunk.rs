//! The plane at smaller scales.

use super::Circle;
use super::outlines::OutlineSearch;

/// The class of walls in a shrunk plane.
pub(super) const OCCUPIED: u8 = 1;
/// The plane is halved twice. Each time a quarter of the cells remains, so that all levels together cost less than a third of the
/// full size. These are the smallest radii that are looked for, in cells of each level: below them letters are circles
/// too. Ours, chosen as those of [`super::outlines`].
const MIN_RADII_CELLS: [f64; 2] = [6.0, 7.5];

/// A plane of which each cell stands for several of the full size.
pub(super) struct Shrunk {
    /// [`OCCUPIED`] where any cell of the full size is, else 0.
    pub plane: Vec<u8>,
    pub width: usize,
    /// What is looked for, in cells of this plane.
    pub search: OutlineSearch,
    /// Cells of the full size along one side of a cell.
    pub cells: f64,
}

impl Shrunk {
    /// The levels at which the radii of a search are large enough, finest first.
    pub fn levels(plane: &[u8], occupied: u8, width: usize, search: &OutlineSearch) -> Vec<Self> {
        let mut levels: Vec<Self> = Vec::new();
        for (halving, least) in (1..).zip(MIN_RADII_CELLS) {
            let cells = f64::from(1_u32 << halving);
            let max_radius_cells = search.max_radius_cells / cells;
            if max_radius_cells < least {
                break;
            }
            let (plane, width) = match levels.last() {
                Some(finer) => halved(&finer.plane, OCCUPIED, finer.width),
                None => halved(plane, occupied, width),
            };
            let min_radius_cells = (search.min_radius_cells / cells).max(least);
            let search = OutlineSearch { min_radius_cells, max_radius_cells, ..*search };
            levels.push(Self { plane, width, search, cells });
        }
        levels
    }

    /// A circle of this plane in cells of the full size.
    pub fn in_full_size(&self, circle: Circle) -> Circle {
        Circle {
            x_cells: circle.x_cells * self.cells,
            y_cells: circle.y_cells * self.cells,
            radius_cells: circle.radius_cells * self.cells,
            rms_cells: circle.rms_cells * self.cells,
            ..circle
        }
    }
}

/// Each cell stands for two by two: occupied if any of them is, so that thin lines stay whole.
fn halved(plane: &[u8], occupied: u8, width: usize) -> (Vec<u8>, usize) {
    let half = width.div_ceil(2);
    let mut small = Vec::with_capacity(half * plane.len().div_ceil(2 * width.max(1)));
    for rows in plane.chunks(2 * width) {
        let start = small.len();
        small.resize(start + half, 0);
        for row in rows.chunks(width) {
            let (pairs, last) = row.as_chunks::<2>();
            for (to, [left, right]) in small[start..].iter_mut().zip(pairs) {
                *to |= u8::from((*left == occupied) | (*right == occupied));
            }
            if let (Some(to), [last]) = (small.last_mut(), last) {
                *to |= u8::from(*last == occupied);
            }
        }
    }
    (small, half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_occupied_where_any_of_four_is() {
        let plane = [
            [0, 0, 2, 0, 0], //
            [0, 0, 0, 0, 2],
            [1, 2, 0, 0, 0],
        ]
        .concat();
        assert_eq!(halved(&plane, 2, 5), (vec![0, 1, 1, 1, 0, 0], 3));
    }
}
