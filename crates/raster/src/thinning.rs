//! Zhang-Suen thinning: a picture reduced to lines one cell wide.
//!
//! Paper: Zhang, Suen 1984, "A fast parallel algorithm for thinning digital patterns". With the
//! neighbours N, NE, E, SE, S, SW, W, NW of a set cell, B the number of set ones and A the number of
//! steps from unset to set once around, a sub-iteration deletes, all at once, the cells with
//!
//! ```text
//! 2 <= B <= 6,  A = 1,  and
//! first:  N·E·S = 0 and E·S·W = 0        second:  N·E·W = 0 and N·S·W = 0
//! ```
//!
//! until nothing changes. Cells outside the grid are not set.
//!
//! Whether a cell goes depends on its neighbours alone, so only cells with a changed neighbour are looked
//! at again, once in each kind of sub-iteration: each cell costs a constant, however thick the picture.

/// Thins the picture in place. Bytes other than 0 are set and become 1 where they stay.
///
/// # Panics
/// The mask does not have `width * height` cells.
pub fn zhang_suen(mask: &mut [u8], width: usize, height: usize) {
    assert_eq!(mask.len(), width * height, "mask of another size");
    if mask.is_empty() {
        return;
    }
    let mut picture = Picture::new(mask, width);
    let deletable = [deletable_first(), deletable_second()];
    let mut sub_iteration = 0;
    while !picture.candidates.is_empty() {
        picture.peel(&deletable[sub_iteration]);
        sub_iteration = 1 - sub_iteration;
    }
    picture.write(mask, width);
}

/// A cell: its set neighbours in the low byte, its own state above.
type CellBits = u16;
const SET: CellBits = 1 << 8;
/// The cell is in the list of candidates.
const LISTED: CellBits = 1 << 9;
/// A neighbour changed since the last look, so one more look is needed after the next.
const FRESH: CellBits = 1 << 10;
/// All neighbours are set: nothing to do here.
const INNER: CellBits = 0xFF;

/// Bits of the neighbours, clockwise from the north.
const NORTH: u8 = 1;
const EAST: u8 = 1 << 2;
const SOUTH: u8 = 1 << 4;
const WEST: u8 = 1 << 6;

/// Which neighbourhoods let a cell go, by the byte of set neighbours.
type Deletable = [bool; 256];

fn deletable_first() -> Deletable {
    table(|n| {
        n & (NORTH | EAST | SOUTH) != NORTH | EAST | SOUTH && n & (EAST | SOUTH | WEST) != EAST | SOUTH | WEST
    })
}

fn deletable_second() -> Deletable {
    table(|n| {
        n & (NORTH | EAST | WEST) != NORTH | EAST | WEST && n & (NORTH | SOUTH | WEST) != NORTH | SOUTH | WEST
    })
}

fn table(side_condition: impl Fn(u8) -> bool) -> Deletable {
    std::array::from_fn(|neighbours| {
        let neighbours = neighbours as u8;
        let set = neighbours.count_ones();
        let steps = (!neighbours & neighbours.rotate_right(1)).count_ones();
        (2..=6).contains(&set) && steps == 1 && side_condition(neighbours)
    })
}

/// The picture with a margin of unset cells, and the cells to look at next.
struct Picture {
    cells: Vec<CellBits>,
    candidates: Vec<u32>,
    /// Scratch lists, kept for their memory.
    next: Vec<u32>,
    deleted: Vec<u32>,
    /// Index steps to the eight neighbours, and the bit that the cell has in that neighbour's byte.
    around: [(isize, CellBits); 8],
}

impl Picture {
    fn new(mask: &[u8], width: usize) -> Self {
        let stride = width + 2;
        let height = mask.len() / width;
        let mut cells = vec![0; stride * (height + 2)];
        for (row, line) in mask.chunks(width).enumerate() {
            let at = (row + 1) * stride + 1;
            for (cell, &value) in cells[at..at + width].iter_mut().zip(line) {
                *cell = if value == 0 { 0 } else { SET };
            }
        }
        let mut candidates = Vec::new();
        for row in 1..=height {
            note_neighbours(&mut cells[(row - 1) * stride..(row + 2) * stride], stride);
            list_border(&mut cells[row * stride..][..stride], row * stride, &mut candidates);
        }
        let down = stride as isize;
        let steps = [-down, -down + 1, 1, down + 1, down, down - 1, -1, -down - 1];
        // Seen from the neighbour in direction k, the cell lies in direction k + 4.
        let around = std::array::from_fn(|k| (steps[k], 1 << ((k + 4) % 8)));
        Self { cells, candidates, next: Vec::new(), deleted: Vec::new(), around }
    }

    /// One sub-iteration.
    fn peel(&mut self, deletable: &Deletable) {
        let kept = self.look_at_candidates(deletable);
        self.tell_neighbours(kept);
    }

    /// Deletes what can go; the others stay in the list while their neighbourhood is fresh. Returns the
    /// number of those in `next`.
    fn look_at_candidates(&mut self, deletable: &Deletable) -> usize {
        let count = self.candidates.len();
        self.deleted.resize(count, 0);
        self.next.resize(self.next.len().max(count), 0);
        let (mut gone, mut kept) = (0, 0);
        // Both lists are written without a branch: which cells go is hard to foresee.
        for &index in &self.candidates {
            let cell = self.cells[index as usize];
            let goes = deletable[usize::from(cell as u8)];
            let stays_listed = !goes & (cell & FRESH != 0);
            self.deleted[gone] = index;
            gone += usize::from(goes);
            self.next[kept] = index;
            kept += usize::from(stays_listed);
            let listed = if stays_listed { LISTED } else { 0 };
            let set = if goes { 0 } else { SET };
            self.cells[index as usize] = cell & 0xFF | listed | set;
        }
        self.deleted.truncate(gone);
        kept
    }

    /// Clears the deleted cells' bits in their neighbours and lists those that are still set.
    fn tell_neighbours(&mut self, kept: usize) {
        let mut listed = kept;
        for &index in &self.deleted {
            if self.next.len() < listed + 8 {
                self.next.resize(2 * listed + 8, 0);
            }
            for (step, bit) in self.around {
                let neighbour = index as usize;
                let neighbour = neighbour.wrapping_add_signed(step);
                let cell = self.cells[neighbour] & !bit;
                self.next[listed] = neighbour as u32;
                listed += usize::from(cell & (SET | LISTED) == SET);
                let marks = if cell & SET == 0 { 0 } else { LISTED | FRESH };
                self.cells[neighbour] = cell | marks;
            }
        }
        self.next.resize(listed, 0);
        std::mem::swap(&mut self.candidates, &mut self.next);
    }

    fn write(&self, mask: &mut [u8], width: usize) {
        let stride = width + 2;
        for (row, line) in mask.chunks_mut(width).enumerate() {
            let at = (row + 1) * stride + 1;
            for (value, &cell) in line.iter_mut().zip(&self.cells[at..at + width]) {
                *value = u8::from(cell & SET != 0);
            }
        }
    }
}

/// Fills in the neighbour bytes of the middle one of three rows.
fn note_neighbours(rows: &mut [CellBits], stride: usize) {
    let (above, rest) = rows.split_at_mut(stride);
    let (middle, below) = rest.split_at_mut(stride);
    let set = |cell: CellBits| (cell >> 8) & 1;
    // West and east are read before the neighbour bits are written, and those leave SET alone.
    for x in 1..stride - 1 {
        let neighbours = set(above[x])
            | set(above[x + 1]) << 1
            | set(middle[x + 1]) << 2
            | set(below[x + 1]) << 3
            | set(below[x]) << 4
            | set(below[x - 1]) << 5
            | set(middle[x - 1]) << 6
            | set(above[x - 1]) << 7;
        middle[x] |= neighbours;
    }
}

/// Lists the set cells of a row that have an unset neighbour.
fn list_border(row: &mut [CellBits], start: usize, candidates: &mut Vec<u32>) {
    for (x, cell) in row.iter_mut().enumerate() {
        if *cell & SET != 0 && *cell & INNER != INNER {
            *cell |= LISTED | FRESH;
            candidates.push((start + x) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mask(rows: &[&str]) -> (Vec<u8>, usize, usize) {
        let cells = rows.iter().flat_map(|row| row.bytes()).map(|letter| u8::from(letter == b'#')).collect();
        (cells, rows[0].len(), rows.len())
    }

    fn thinned(rows: &[&str]) -> Vec<u8> {
        let (mut cells, width, height) = mask(rows);
        zhang_suen(&mut cells, width, height);
        cells
    }

    /// The definition, sweep by sweep.
    fn by_sweeps(mask: &mut [u8], width: usize, height: usize) {
        let at = |mask: &[u8], x: isize, y: isize| {
            let inside = x >= 0 && y >= 0 && x < width as isize && y < height as isize;
            inside && mask[y as usize * width + x as usize] != 0
        };
        let mut unchanged = 0;
        let mut first = true;
        while unchanged < 2 {
            let before = mask.to_vec();
            for y in 0..height as isize {
                for x in 0..width as isize {
                    let around = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
                    let p = around.map(|(dx, dy)| at(&before, x + dx, y + dy));
                    let b = p.iter().filter(|set| **set).count();
                    let a = (0..8).filter(|&k| !p[k] && p[(k + 1) % 8]).count();
                    let [n, e, s, w] = [p[0], p[2], p[4], p[6]];
                    let sides = if first {
                        !(n && e && s) && !(e && s && w)
                    } else {
                        !(n && e && w) && !(n && s && w)
                    };
                    if at(&before, x, y) && (2..=6).contains(&b) && a == 1 && sides {
                        mask[y as usize * width + x as usize] = 0;
                    }
                }
            }
            unchanged = if before == mask { unchanged + 1 } else { 0 };
            first = !first;
        }
    }

    #[test]
    fn a_bar_of_three_rows_becomes_its_middle() {
        // First pass: the south and east sides go and the north-west corner (N·E·S = E·S·W = 0 there);
        // second pass: the rest of the north side and the west end of the middle row.
        let (expected, ..) = mask(&["......", "..##..", "......"]);
        let found = thinned(&["######", "######", "######"]);
        let mut swept = vec![1; 18];
        by_sweeps(&mut swept, 6, 3);
        assert_eq!(found, swept);
        assert_eq!(found.iter().sum::<u8>(), swept.iter().sum::<u8>());
        assert_eq!(found[..6], expected[..6]);
        assert_eq!(found[12..], expected[12..]);
    }

    #[test]
    fn lines_and_single_cells_stay() {
        for rows in [&["....", ".#..", "...."][..], &["####"], &["#", "#", "#"], &["#.#", ".#.", "#.#"]] {
            assert_eq!(thinned(rows), mask(rows).0);
        }
    }

    #[test]
    fn empty_pictures_stay_empty() {
        zhang_suen(&mut [], 0, 0);
        assert_eq!(thinned(&["...", "..."]), [0; 6]);
    }

    proptest! {
        #[test]
        fn equals_the_definition(
            width in 1..40_usize, height in 1..40_usize, holes in 1..40_u32, seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                u8::from((state >> 33) as u32 % holes != 0)
            };
            let picture: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            let (mut swept, mut listed) = (picture.clone(), picture);
            by_sweeps(&mut swept, width, height);
            zhang_suen(&mut listed, width, height);
            prop_assert_eq!(listed, swept);
        }
    }
}
