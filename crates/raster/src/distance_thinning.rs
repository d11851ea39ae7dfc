//! Distance-ordered thinning: free space reduced to its middle lines, cells near walls first.
//!
//! ```text
//! visit the cells in the order (D², row, column); delete a cell if it is simple and has at least two
//! neighbours left; repeat until nothing changes
//! ```
//!
//! A cell is simple if deleting it changes no topology (8-connected object, 4-connected background):
//! exactly one background component of the ring of its eight neighbours touches it by an edge. So the
//! number of components and holes stays.
//!
//! Departure: a cell where three or more lines of one cell meet is kept although it may be simple. Without
//! it the junction would only move into one of the lines, and two junctions one cell apart would become one.
//!
//! Paper: the Voronoi graph of free space that Collins et al. use (section 3.3); distance-ordered
//! homotopic thinning is the usual discrete form of it.
//!
//! The first visit goes over all cells. After that a cell's fate can only change when a neighbour goes, so
//! later visits come from a queue in the same order instead of from whole sweeps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Thins a mask of 0 and 1 in place; `squared` has the squared distance of each cell to the background.
///
/// # Panics
/// The planes do not have `width * height` cells.
pub fn thin_by_distance(mask: &mut [u8], squared: &[u32], width: usize, height: usize) {
    assert_eq!(mask.len(), width * height, "mask of another size");
    assert_eq!(squared.len(), mask.len(), "planes of unequal size");
    let order = by_distance(mask, squared);
    let mut image = BitImage::new(mask, width, height);
    let mut left: Vec<u32> = Vec::new();
    for &cell in &order {
        if image.is_deletable(cell) {
            image.clear(cell);
        } else {
            left.push(cell);
        }
    }
    drop(order);
    repeat_visits(&mut image, &left, squared);
    mask.fill(0);
    for cell in left {
        mask[cell as usize] = u8::from(image.is_set(cell));
    }
}

/// The set cells in the order (D², row, column), by counting.
fn by_distance(mask: &[u8], squared: &[u32]) -> Vec<u32> {
    let set = || mask.iter().zip(squared).enumerate().filter(|(_, (cell, _))| **cell != 0);
    let largest = set().map(|(_, (_, &square))| square).max().unwrap_or(0) as usize;
    // A square larger than the number of cells cannot come from a distance transform; sort as usual then.
    if largest > mask.len() {
        let mut order: Vec<u32> = set().map(|(index, _)| index as u32).collect();
        order.sort_by_key(|&index| (squared[index as usize], index));
        return order;
    }
    let mut starts = vec![0_u32; largest + 2];
    set().for_each(|(_, (_, &square))| starts[square as usize + 1] += 1);
    for square in 0..=largest {
        starts[square + 1] += starts[square];
    }
    let mut order = vec![0; starts[largest + 1] as usize];
    for (index, (_, &square)) in set() {
        let slot = &mut starts[square as usize];
        order[*slot as usize] = index as u32;
        *slot += 1;
    }
    order
}

/// The sweeps after the first one: (sweep, D², cell) in order, started by the cells that can go now.
fn repeat_visits(image: &mut BitImage, left: &[u32], squared: &[u32]) {
    let key = |cell: u32| (squared[cell as usize], cell);
    let deletable = left.iter().filter(|&&cell| image.is_deletable(cell));
    let mut queue: BinaryHeap<_> = deletable.map(|&cell| Reverse((0_u32, key(cell)))).collect();
    while let Some(Reverse((sweep, (square, cell)))) = queue.pop() {
        if !image.is_deletable(cell) {
            continue;
        }
        image.clear(cell);
        for neighbour in image.set_neighbours(cell) {
            let later = key(neighbour) > (square, cell);
            queue.push(Reverse((if later { sweep } else { sweep + 1 }, key(neighbour))));
        }
    }
}

/// One bit per cell with a margin, so that the image stays in the cache.
struct BitImage {
    bytes: Vec<u8>,
    stride_bytes: usize,
    width: usize,
}

impl BitImage {
    fn new(mask: &[u8], width: usize, height: usize) -> Self {
        // One bit of margin left and right, one row above and below, one byte to read beyond the end.
        let stride_bytes = (width + 2).div_ceil(8) + 1;
        let mut image = Self { bytes: vec![0; stride_bytes * (height + 2)], stride_bytes, width };
        for (row, cells) in mask.chunks(width.max(1)).enumerate() {
            let line = &mut image.bytes[(row + 1) * stride_bytes..][..stride_bytes];
            for (column, &cell) in cells.iter().enumerate() {
                line[(column + 1) / 8] |= u8::from(cell != 0) << ((column + 1) % 8);
            }
        }
        image
    }

    /// Row and column with the margin counted in.
    fn place(&self, cell: u32) -> (usize, usize) {
        (cell as usize / self.width + 1, cell as usize % self.width + 1)
    }

    /// Three neighbouring bits of a row, the lowest at this column.
    fn three(&self, row: usize, column: usize) -> usize {
        let at = row * self.stride_bytes + column / 8;
        let pair = u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]);
        usize::from(pair >> (column % 8) & 7)
    }

    /// The 3 x 3 cells around: nine bits in image order, the lowest in the north-west.
    fn window(&self, cell: u32) -> usize {
        let (row, column) = self.place(cell);
        self.three(row - 1, column - 1)
            | self.three(row, column - 1) << 3
            | self.three(row + 1, column - 1) << 6
    }

    fn is_deletable(&self, cell: u32) -> bool {
        DELETABLE[self.window(cell)]
    }

    fn is_set(&self, cell: u32) -> bool {
        self.window(cell) & CENTRE != 0
    }

    fn clear(&mut self, cell: u32) {
        let (row, column) = self.place(cell);
        self.bytes[row * self.stride_bytes + column / 8] &= !(1 << (column % 8));
    }

    fn set_neighbours(&self, cell: u32) -> impl Iterator<Item = u32> + use<> {
        let (window, width) = (self.window(cell), self.width as u32);
        let offset = move |bit: u32| (cell + bit / 3 * width + bit % 3).wrapping_sub(width + 1);
        (0..9).filter(move |&bit| bit != 4 && window >> bit & 1 != 0).map(offset)
    }
}

const CENTRE: usize = 1 << 4;
/// For each 3 x 3 image: whether its middle is set, simple, has at least two neighbours, and is no meeting
/// of three lines.
static DELETABLE: [bool; 512] = deletable_table();

const fn deletable_table() -> [bool; 512] {
    // Bits of the ring clockwise from the north: N, NE, E, SE, S, SW, W, NW.
    const RING: [usize; 8] = [1, 2, 5, 8, 7, 6, 3, 0];
    let mut table = [false; 512];
    let mut window = 0;
    while window < 512 {
        let (mut neighbours, mut touching, mut arcs) = (0, 0, 0);
        let mut k = 0;
        while k < 8 {
            let here = window >> RING[k] & 1;
            neighbours += here;
            arcs += (here == 0 && window >> RING[(k + 1) % 8] & 1 == 1) as usize;
            // A background component is counted at the first edge cell of it, going clockwise: an unset
            // edge cell whose two forerunners do not continue an earlier edge cell.
            if k % 2 == 0 && here == 0 {
                let corner = window >> RING[(k + 7) % 8] & 1;
                let edge = window >> RING[(k + 6) % 8] & 1;
                touching += (corner != 0 || edge != 0) as usize;
            }
            k += 1;
        }
        table[window] = window & CENTRE != 0 && neighbours >= 2 && touching == 1 && arcs < 3;
        window += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::components::{Connectivity, label};
    use crate::footprint::squared_clearance;

    fn drawn(rows: &[&str]) -> (Vec<u8>, usize, usize) {
        let cells = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        (cells, rows[0].len(), rows.len())
    }

    fn thinned(rows: &[&str]) -> Vec<String> {
        let (mut mask, width, height) = drawn(rows);
        let squared = squared_clearance(&mask, width, height).unwrap();
        thin_by_distance(&mut mask, &squared, width, height);
        let letter = |&cell: &u8| if cell != 0 { '.' } else { '#' };
        mask.chunks(width).map(|row| row.iter().map(letter).collect()).collect()
    }

    /// The definition, sweep by sweep, with simplicity found by labelling the ring.
    fn by_sweeps(mask: &mut [u8], squared: &[u32], width: usize, height: usize) {
        let mut order: Vec<usize> = (0..mask.len()).filter(|&i| mask[i] != 0).collect();
        order.sort_by_key(|&i| (squared[i], i));
        loop {
            let before = mask.to_vec();
            for &cell in &order {
                let (x, y) = ((cell % width) as isize, (cell / width) as isize);
                let at = |mask: &[u8], dx: isize, dy: isize| {
                    let (x, y) = (x + dx, y + dy);
                    let inside = x >= 0 && y >= 0 && x < width as isize && y < height as isize;
                    u8::from(inside && mask[y as usize * width + x as usize] != 0)
                };
                let ring: Vec<u8> = (-1..=1)
                    .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
                    .map(|(dx, dy)| if (dx, dy) == (0, 0) { 0 } else { 1 - at(mask, dx, dy) })
                    .collect();
                let labels = label(&ring, 3, 3, Connectivity::Four).labels;
                let mut touching: Vec<u32> =
                    [1, 3, 5, 7].iter().map(|&i| labels[i]).filter(|&l| l != 0).collect();
                touching.sort_unstable();
                touching.dedup();
                let neighbours = 8 - ring.iter().map(|&b| usize::from(b)).sum::<usize>();
                let clockwise = [1, 2, 5, 8, 7, 6, 3, 0].map(|i| ring[i]);
                let arcs = (0..8).filter(|&k| clockwise[k] == 1 && clockwise[(k + 1) % 8] == 0).count();
                if mask[cell] != 0 && touching.len() == 1 && neighbours >= 2 && arcs < 3 {
                    mask[cell] = 0;
                }
            }
            if before == mask {
                return;
            }
        }
    }

    #[test]
    fn a_corridor_one_cell_wide_is_its_own_skeleton() {
        let rows = ["#######", "#.....#", "#######"];
        assert_eq!(thinned(&rows), rows);
    }

    #[test]
    fn corners_are_cut_and_the_ring_stays_closed() {
        let ring = ["#######", "#.....#", "#.###.#", "#.....#", "#######"];
        assert_eq!(thinned(&ring), ["#######", "##...##", "#.###.#", "##...##", "#######"]);
    }

    #[test]
    fn a_corridor_three_cells_wide_keeps_its_middle() {
        let rows = thinned(&["........", "........", "........"]);
        assert_eq!(rows[1].matches('.').count(), 6, "{rows:?}");
    }

    #[test]
    fn empty_planes_and_single_cells_stay() {
        thin_by_distance(&mut [], &[], 0, 0);
        assert_eq!(thinned(&["."]), ["."]);
        assert_eq!(thinned(&["##"]), ["##"]);
    }

    #[test]
    fn squares_that_no_transform_gives_are_sorted_too() {
        let (mut mask, width, height) = drawn(&["...", "...", "..."]);
        let squared = [9, 8, 7, 6, 1_000_000, 4, 3, 2, 1];
        let mut swept = mask.clone();
        by_sweeps(&mut swept, &squared, width, height);
        thin_by_distance(&mut mask, &squared, width, height);
        assert_eq!(mask, swept);
    }

    proptest! {
        #[test]
        fn equals_the_sweeps_and_keeps_the_topology(
            width in 1..40_usize, height in 1..30_usize, holes in 1..20_u32, seed in any::<u64>(),
        ) {
            let mut random = testkit::Random(seed | 1);
            let image: Vec<u8> =
                (0..width * height).map(|_| u8::from(random.below(holes as usize) != 0)).collect();
            let squared = squared_clearance(&image, width, height).unwrap();
            let (mut swept, mut mask) = (image.clone(), image.clone());
            by_sweeps(&mut swept, &squared, width, height);
            thin_by_distance(&mut mask, &squared, width, height);
            prop_assert_eq!(&mask, &swept);
            let parts = |mask: &[u8]| label(mask, width, height, Connectivity::Eight).count;
            prop_assert_eq!(parts(&mask), parts(&image));
        }
    }
}
