//! Shortest paths from one cell to all others over the set cells of a mask: a bucket queue, exact and linear.
//!
//! ```text
//! length = straight + √2 · diagonal
//! ```
//!
//! Each cell holds its two counts of steps, so lengths are exact and two paths with equal steps are equal in
//! whatever order the steps come (`path_key.rs`).
//!
//! Buckets have the width of the shortest step, so nothing in a bucket can improve anything else in it: any
//! order inside is final, and no heap is needed. As the longest step is below 2, three buckets are alive.

use crate::Steps;
use crate::path_key::{Order, PathKey, bucket_of};

/// When a step over a corner is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonals {
    /// Only if both cells beside the corner are set: a robot does not squeeze through.
    BothSidesSet,
    /// Whatever the cells beside the corner are.
    Always,
}

/// A mask prepared for searches: cells with a border, so that no search looks beyond the border.
#[derive(Clone, Debug)]
pub struct Roads {
    /// Blocked or far, with a margin of one blocked cell on all sides.
    keys: Vec<u32>,
    padded: PaddedPlane,
    diagonals: Diagonals,
}

impl Roads {
    /// Prepares the cells that are not 0.
    ///
    /// # Panics
    /// The mask does not have `width * height` cells.
    pub fn new(mask: &[u8], width: usize, height: usize, diagonals: Diagonals) -> Self {
        Self::in_buffer(Vec::new(), mask, width, height, diagonals)
    }

    /// As [`Roads::new`], in the memory of an earlier search: fetching fresh pages from the system takes a
    /// fifth of the time of a search.
    ///
    /// # Panics
    /// The mask does not have `width * height` cells.
    pub fn in_buffer(
        mut keys: Vec<u32>,
        mask: &[u8],
        width: usize,
        height: usize,
        diagonals: Diagonals,
    ) -> Self {
        assert_eq!(mask.len(), width * height, "mask of another size");
        let padded = PaddedPlane::new(width, height);
        keys.clear();
        keys.resize(padded.cells(), u32::BLOCKED);
        for (row, cells) in mask.chunks(width.max(1)).enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                keys[padded.at(column + 1, row + 1)] = if cell == 0 { u32::BLOCKED } else { u32::FAR };
            }
        }
        Self { keys, padded, diagonals }
    }

    /// Lengths from one cell to every other. Takes the roads, so that there is one plane in memory; clone
    /// them to search again.
    pub fn lengths_from(self, start: usize) -> Lengths {
        self.lengths_to(start, &[])
    }

    /// Lengths from one cell, right at the targets; the search ends when all of them are settled. Without
    /// targets it ends when all cells are.
    pub fn lengths_to(self, start: usize, targets: &[usize]) -> Lengths {
        let Self { mut keys, padded, diagonals } = self;
        if search(&mut keys, padded, diagonals, start, targets).is_ok() {
            return Lengths { keys: Keys::Narrow(keys), padded, diagonals };
        }
        let mut keys = widened(&keys);
        // The wide keys hold any number of steps that a plane has cells.
        let _ = search(&mut keys, padded, diagonals, start, targets);
        Lengths { keys: Keys::Wide(keys), padded, diagonals }
    }

    /// Lengths between all pairs of ends, `[i][j]` for `i < j`; the ends may repeat. Each search ends when
    /// all ends behind its own are settled.
    pub fn all_pairs(self, ends: &[usize]) -> Vec<Vec<Option<Steps>>> {
        all_pairs(&self.keys, self.padded, self.diagonals, ends)
            .or_else(|TooLong| all_pairs(&widened(&self.keys), self.padded, self.diagonals, ends))
            .unwrap_or_default()
    }
}

/// A plane of wide keys without any path found yet.
fn widened(keys: &[u32]) -> Vec<u64> {
    keys.iter().map(|&key| if key == u32::BLOCKED { u64::BLOCKED } else { u64::FAR }).collect()
}

fn all_pairs<K: PathKey>(
    template: &[K],
    padded: PaddedPlane,
    diagonals: Diagonals,
    ends: &[usize],
) -> Result<Vec<Vec<Option<Steps>>>, TooLong> {
    let mut keys = template.to_vec();
    let mut table = Vec::with_capacity(ends.len());
    for (i, &start) in ends.iter().enumerate() {
        let behind = &ends[i + 1..];
        if !behind.is_empty() {
            keys.copy_from_slice(template);
            search(&mut keys, padded, diagonals, start, behind)?;
        }
        let steps_to = |&end: &usize| keys[padded.index(end)?].steps();
        let mut row = vec![None; i + 1];
        row.extend(behind.iter().map(steps_to));
        table.push(row);
    }
    Ok(table)
}

/// Shortest lengths from one cell.
#[derive(Clone, Debug)]
pub struct Lengths {
    keys: Keys,
    padded: PaddedPlane,
    diagonals: Diagonals,
}

/// One key per cell; the wide ones are needed only where a path has more than 65 000 cells.
#[derive(Clone, Debug)]
enum Keys {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Lengths {
    /// Steps of the shortest path to a cell; none if there is no path.
    pub fn steps_to(&self, cell: usize) -> Option<Steps> {
        let index = self.padded.index(cell)?;
        match &self.keys {
            Keys::Narrow(keys) => keys[index].steps(),
            Keys::Wide(keys) => keys[index].steps(),
        }
    }

    /// A shortest path to a cell, from the start on; of several the one whose last steps come first in the
    /// order of directions (north, west, east, south, then the diagonals).
    pub fn path_to(&self, cell: usize) -> Option<Vec<u32>> {
        let index = self.padded.index(cell)?;
        match &self.keys {
            Keys::Narrow(keys) => path_back(keys, self.padded, self.diagonals, index),
            Keys::Wide(keys) => path_back(keys, self.padded, self.diagonals, index),
        }
    }

    /// The memory, for [`Roads::in_buffer`].
    pub fn into_buffer(self) -> Vec<u32> {
        match self.keys {
            Keys::Narrow(keys) => keys,
            Keys::Wide(_) => Vec::new(),
        }
    }
}

/// The cells of a plane inside a margin, stored in squares of 4 x 4 cells: a search moves along a front, and
/// squares keep what is near in the plane near in memory.
#[derive(Clone, Copy, Debug)]
struct PaddedPlane {
    width: usize,
    height: usize,
    /// Squares in a row of squares.
    across: usize,
}

/// Side of a square.
const SIDE: usize = 4;
/// Cells of a square.
const SQUARE: usize = SIDE * SIDE;

impl PaddedPlane {
    const fn new(width: usize, height: usize) -> Self {
        Self { width, height, across: (width + 2).div_ceil(SIDE) }
    }

    const fn cells(self) -> usize {
        self.across * (self.height + 2).div_ceil(SIDE) * SQUARE
    }

    /// Index of a place, counted with the margin.
    const fn at(self, column: usize, row: usize) -> usize {
        (row / SIDE * self.across + column / SIDE) * SQUARE + row % SIDE * SIDE + column % SIDE
    }

    /// Index of a cell of the plane.
    fn index(self, cell: usize) -> Option<usize> {
        (cell < self.width * self.height).then(|| self.at(cell % self.width + 1, cell / self.width + 1))
    }

    /// The inverse of [`PaddedPlane::index`].
    const fn cell(self, index: usize) -> u32 {
        let (square, inside) = (index / SQUARE, index % SQUARE);
        let (row, column) =
            (square / self.across * SIDE + inside / SIDE, square % self.across * SIDE + inside % SIDE);
        ((row - 1) * self.width + column - 1) as u32
    }

    /// For each place in a square the steps to its eight neighbours.
    fn neighbours(self) -> [Around; SQUARE] {
        std::array::from_fn(|inside| {
            // A place with squares on all sides of its own.
            let (column, row) = (SIDE + inside % SIDE, SIDE + inside / SIDE);
            let here = self.at(column, row) as isize;
            DIRECTIONS.map(|(dx, dy)| {
                self.at(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy)) as isize - here
            })
        })
    }
}

/// Steps in memory to the eight neighbours, in the order of [`DIRECTIONS`].
type Around = [isize; 8];
/// North, west, east, south, then the diagonals; columns to the right, rows down.
const DIRECTIONS: [(isize, isize); 8] =
    [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
/// The two straight neighbours beside each diagonal one.
const SIDES: [[usize; 2]; 4] = [[0, 1], [0, 2], [3, 1], [3, 2]];

/// The path from the start to a cell, found from its end: each cell before has exactly one step less.
fn path_back<K: PathKey>(
    keys: &[K],
    padded: PaddedPlane,
    diagonals: Diagonals,
    mut index: usize,
) -> Option<Vec<u32>> {
    let neighbours = padded.neighbours();
    let mut left = keys[index].steps()?;
    let mut path = vec![padded.cell(index)];
    while left != Steps::default() {
        let around = neighbours[index % SQUARE];
        let at = |direction: usize| index.wrapping_add_signed(around[direction]);
        let has =
            |direction: usize, steps: Option<Steps>| steps.is_some() && keys[at(direction)].steps() == steps;
        let by_edge = left.straight.checked_sub(1).map(|straight| Steps { straight, ..left });
        let by_corner = left.diagonal.checked_sub(1).map(|diagonal| Steps { diagonal, ..left });
        let may_cut = |direction: usize| {
            diagonals == Diagonals::Always
                || SIDES[direction - 4].iter().all(|&side| keys[at(side)] != K::BLOCKED)
        };
        let direction = (0..4)
            .find(|&direction| has(direction, by_edge))
            .or_else(|| (4..8).find(|&direction| has(direction, by_corner) && may_cut(direction)))?;
        index = at(direction);
        left = keys[index].steps()?;
        path.push(padded.cell(index));
    }
    path.reverse();
    Some(path)
}

/// A path has more steps than the keys can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TooLong;

/// Searches from the start until the targets are settled; without targets until all cells are.
fn search<K: PathKey>(
    keys: &mut [K],
    padded: PaddedPlane,
    diagonals: Diagonals,
    start: usize,
    targets: &[usize],
) -> Result<(), TooLong> {
    let Some(start) = padded.index(start).filter(|&cell| keys[cell] != K::BLOCKED) else { return Ok(()) };
    keys[start] = K::START;
    let mut open: Vec<usize> = targets.iter().filter_map(|&target| padded.index(target)).collect();
    let neighbours = padded.neighbours();
    let mut bucket = bucket_of(K::START.order());
    let mut queue = Buckets::default();
    queue.lists[bucket as usize % ALIVE].push(start as u32);
    while queue.lists.iter().any(|list| !list.is_empty()) {
        if bucket > K::LAST_BUCKET {
            return Err(TooLong);
        }
        match diagonals {
            Diagonals::Always => relax_bucket::<K, true>(keys, &neighbours, bucket, &mut queue),
            Diagonals::BothSidesSet => relax_bucket::<K, false>(keys, &neighbours, bucket, &mut queue),
        }
        // Cells whose length lies in this bucket or before are final.
        while open.last().is_some_and(|&cell| bucket_of(keys[cell].order()) <= bucket) {
            open.pop();
        }
        if !targets.is_empty() && open.is_empty() {
            return Ok(());
        }
        bucket += 1;
    }
    Ok(())
}

/// Buckets that can hold something at one time.
const ALIVE: usize = 3;

/// Cells to look at, by the whole part of their length modulo three.
#[derive(Default)]
struct Buckets {
    lists: [Vec<u32>; ALIVE],
}

/// What a cell offers to a neighbour.
#[derive(Clone, Copy)]
struct Offer<K> {
    key: K,
    order: Order,
}

impl Buckets {
    #[inline]
    fn improve<K: PathKey>(&mut self, key: &mut K, cell: usize, offer: Offer<K>) {
        let order = key.order();
        if offer.order < order {
            // A cell that only moves inside its bucket is in that list already.
            if bucket_of(offer.order) != bucket_of(order) {
                self.lists[bucket_of(offer.order) as usize % ALIVE].push(cell as u32);
            }
            *key = offer.key;
        }
    }
}

/// Offers the cells of one bucket to their neighbours.
fn relax_bucket<K: PathKey, const ALWAYS: bool>(
    keys: &mut [K],
    neighbours: &[Around; SQUARE],
    bucket: u64,
    queue: &mut Buckets,
) {
    let slot = bucket as usize % ALIVE;
    let mut list = std::mem::take(&mut queue.lists[slot]);
    for &cell in &list {
        let cell = cell as usize;
        let key = keys[cell];
        // It was reached again on a shorter path, and settled in an earlier bucket.
        if bucket_of(key.order()) != bucket {
            continue;
        }
        let around = neighbours[cell % SQUARE].map(|offset| cell.wrapping_add_signed(offset));
        let offer = |key: K| Offer { key, order: key.order() };
        let (straight, diagonal) = (offer(key.after_straight()), offer(key.after_diagonal()));
        let is_open: [bool; 4] = std::array::from_fn(|side| ALWAYS || keys[around[side]] != K::BLOCKED);
        for &to in &around[..4] {
            queue.improve(&mut keys[to], to, straight);
        }
        for (&to, [one, other]) in around[4..].iter().zip(SIDES) {
            if is_open[one] && is_open[other] {
                queue.improve(&mut keys[to], to, diagonal);
            }
        }
    }
    list.clear();
    queue.lists[slot] = list;
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;
    use std::f64::consts::SQRT_2;

    use proptest::prelude::*;

    use super::*;

    fn drawn(rows: &[&str]) -> (Vec<u8>, usize, usize) {
        let cells = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        (cells, rows[0].len(), rows.len())
    }

    fn lengths(rows: &[&str], start: usize, diagonals: Diagonals) -> Lengths {
        let (mask, width, height) = drawn(rows);
        Roads::new(&mask, width, height, diagonals).lengths_from(start)
    }

    /// The textbook, with f64 sums and a heap.
    fn dijkstra(mask: &[u8], width: usize, height: usize, start: usize, diagonals: Diagonals) -> Vec<f64> {
        let mut length = vec![f64::INFINITY; mask.len()];
        let mut heap = BinaryHeap::new();
        if mask[start] != 0 {
            length[start] = 0.0;
            heap.push((Reverse(0_u64), start));
        }
        while let Some((Reverse(bits), cell)) = heap.pop() {
            if f64::from_bits(bits) > length[cell] {
                continue;
            }
            let (x, y) = ((cell % width) as isize, (cell / width) as isize);
            let set = |x: isize, y: isize| {
                x >= 0
                    && y >= 0
                    && x < width as isize
                    && y < height as isize
                    && mask[y as usize * width + x as usize] != 0
            };
            for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let is_diagonal = dx != 0 && dy != 0;
                let squeezes = diagonals == Diagonals::BothSidesSet && !(set(x + dx, y) && set(x, y + dy));
                if !set(x + dx, y + dy) || is_diagonal && squeezes {
                    continue;
                }
                let other = (y + dy) as usize * width + (x + dx) as usize;
                let offer = length[cell] + if is_diagonal { SQRT_2 } else { 1.0 };
                if offer < length[other] {
                    length[other] = offer;
                    heap.push((Reverse(offer.to_bits()), other));
                }
            }
        }
        length
    }

    #[test]
    fn e6_lengths_through_a_door() {
        // 03-E6: from (1,1) to (1,9), (5,9), (1,4) and (3,5).
        let rows = [
            "###########",
            "#....#....#",
            "#....#....#",
            "#.........#",
            "#....#....#",
            "#....#....#",
            "###########",
        ];
        let field = lengths(&rows, 12, Diagonals::BothSidesSet);
        let to = |row: usize, column: usize| field.steps_to(row * 11 + column).map(Steps::length_cells);
        for (row, column, expected) in [(1, 9, 9.656_854), (5, 9, 9.656_854), (1, 4, 3.0), (3, 5, 4.828_427)]
        {
            assert!((to(row, column).unwrap() - expected).abs() < 5e-7, "({row}, {column})");
        }
        assert_eq!(to(0, 0), None);
        let path = field.path_to(5 * 11 + 9).unwrap();
        assert_eq!((path[0], *path.last().unwrap()), (12, 64));
        assert_eq!(Some(Steps::along(&path, 11)), field.steps_to(64));
        assert!(path.contains(&(3 * 11 + 5)), "through the door: {path:?}");
    }

    #[test]
    fn corners_are_squeezed_past_only_where_allowed() {
        let rows = [".#", "#."];
        assert_eq!(lengths(&rows, 0, Diagonals::BothSidesSet).steps_to(3), None);
        assert_eq!(
            lengths(&rows, 0, Diagonals::Always).steps_to(3),
            Some(Steps { straight: 0, diagonal: 1 })
        );
    }

    #[test]
    fn starts_that_are_blocked_or_outside_reach_nothing() {
        for start in [1, 2, usize::MAX] {
            let field = lengths(&[".#"], start, Diagonals::Always);
            assert_eq!((field.steps_to(0), field.path_to(0), field.steps_to(7)), (None, None, None));
        }
        let empty = Roads::new(&[], 0, 0, Diagonals::Always).lengths_from(0);
        assert_eq!(empty.steps_to(0), None);
    }

    #[test]
    fn ways_too_long_for_narrow_keys_are_found_with_wide_ones() {
        // A serpentine: 151 full rows of 301 cells, joined at alternating ends.
        let side = 301;
        let mask: Vec<u8> = (0..side * side)
            .map(|cell| {
                let (row, column) = (cell / side, cell % side);
                u8::from(row % 2 == 0 || column == if row % 4 == 1 { side - 1 } else { 0 })
            })
            .collect();
        let roads = Roads::new(&mask, side, side, Diagonals::BothSidesSet);
        let last = side * side - 1;
        // 151 rows of 300 steps and 150 links of 2.
        let expected = Steps { straight: 151 * 300 + 150 * 2, diagonal: 0 };
        assert!(expected.straight < u64::from(u16::MAX));
        assert_eq!(roads.clone().lengths_from(0).steps_to(last), Some(expected));
        let wide = widened(&roads.keys);
        let table = all_pairs(&wide, roads.padded, roads.diagonals, &[0, last]).unwrap();
        assert_eq!(table[0][1], Some(expected));
        let mut narrow = vec![0; 70_000];
        narrow.fill(1);
        let line = Roads::new(&narrow, 70_000, 1, Diagonals::Always);
        assert_eq!(line.clone().all_pairs(&[0, 69_999])[0][1], Some(Steps { straight: 69_999, diagonal: 0 }));
        let lengths = line.lengths_from(0);
        assert_eq!(lengths.path_to(69_999).map(|path| path.len()), Some(70_000));
        assert!(lengths.into_buffer().is_empty());
    }

    proptest! {
        #[test]
        fn equals_the_textbook(
            width in 1..40_usize, height in 1..30_usize, walls in 2..9_usize, seed in any::<u64>(),
        ) {
            let mut random = testkit::Random(seed | 1);
            let mask: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(walls) != 0)).collect();
            let start = random.below(mask.len());
            for diagonals in [Diagonals::Always, Diagonals::BothSidesSet] {
                let expected = dijkstra(&mask, width, height, start, diagonals);
                let roads = Roads::new(&mask, width, height, diagonals);
                let field = roads.clone().lengths_from(start);
                for (cell, &length) in expected.iter().enumerate() {
                    let found = field.steps_to(cell).map_or(f64::INFINITY, Steps::length_cells);
                    prop_assert!(found == length || (found - length).abs() < 1e-9, "{cell}: {found} {length}");
                    if let Some(path) = field.path_to(cell) {
                        prop_assert_eq!(Some(Steps::along(&path, width)), field.steps_to(cell));
                    }
                }
                let ends: Vec<usize> = (0..5).map(|_| random.below(mask.len())).collect();
                let table = roads.clone().all_pairs(&ends);
                for i in 0..ends.len() {
                    let whole = roads.clone().lengths_from(ends[i]);
                    for j in i + 1..ends.len() {
                        prop_assert_eq!(table[i][j], whole.steps_to(ends[j]));
                    }
                    prop_assert_eq!(roads.clone().lengths_to(start, &[ends[i]]).steps_to(ends[i]), field.steps_to(ends[i]));
                }
            }
        }
    }
}
