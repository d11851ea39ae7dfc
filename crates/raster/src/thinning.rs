//! Zhang-Suen thinning: an image reduced to lines one cell wide.
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
//! A cell is a bit, and a tile of 64 x 8 cells is judged at once with logical operations. Whether a cell
//! goes depends on its neighbours alone, so a tile is judged again only after something in or beside it
//! changed, once in each kind of sub-iteration.

use crate::bits::{CELLS_PER_WORD, packed, unpack};
use crate::dispatch::dispatched;

/// Thins the image in place. Bytes other than 0 are set and become 1 where they stay.
///
/// # Panics
/// The mask does not have `width * height` cells.
pub fn zhang_suen(mask: &mut [u8], width: usize, height: usize) {
    assert_eq!(mask.len(), width * height, "mask of another size");
    if mask.is_empty() {
        return;
    }
    let mut image = Image::new(mask, width, height);
    let mut kind = SubIteration::First;
    while !image.listed.is_empty() {
        image.peel(kind);
        kind = kind.other();
    }
    image.write(mask, width);
}

/// The two kinds of sub-iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SubIteration {
    First,
    Second,
}

impl SubIteration {
    const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// Columns of a tile: the bits of a word, lowest bit in the west.
const TILE_COLUMNS: usize = CELLS_PER_WORD;
/// Rows of a tile: one register of AVX-512, two of AVX2.
const TILE_ROWS: usize = 8;
/// One word per row of a tile.
type Tile = [u64; TILE_ROWS];

/// The tile is in the list of tiles to judge. Tiles of the margin always say so and thus never get there.
const LISTED: u8 = 1;
/// Something changed since the last look, so one more look is needed after the next.
const FRESH: u8 = 2;

/// The image as bits, with a margin of unset cells, and the tiles to judge next.
struct Image {
    /// Words of one column of words from top to bottom, then those of the next column.
    words: Vec<u64>,
    /// Words in a column: the rows of all tiles and one row of margin above and below.
    rows: usize,
    /// Tiles in a column, with one of margin above and below.
    tiles_down: usize,
    states: Vec<u8>,
    listed: Vec<u32>,
    deletions: Vec<Tile>,
}

impl Image {
    fn new(mask: &[u8], width: usize, height: usize) -> Self {
        let across = width.div_ceil(TILE_COLUMNS);
        let down = height.div_ceil(TILE_ROWS);
        let rows = down * TILE_ROWS + 2;
        let mut words = vec![0; (across + 2) * rows];
        for (row, line) in mask.chunks(width).enumerate() {
            for (column, cells) in line.chunks(TILE_COLUMNS).enumerate() {
                words[(column + 1) * rows + row + 1] = packed(cells);
            }
        }
        let tiles_down = down + 2;
        let mut states = vec![LISTED; (across + 2) * tiles_down];
        let mut listed = Vec::with_capacity(across * down);
        for column in 1..=across {
            for row in 1..=down {
                let tile = column * tiles_down + row;
                states[tile] = LISTED | FRESH;
                listed.push(tile as u32);
            }
        }
        Self { words, rows, tiles_down, states, listed, deletions: Vec::new() }
    }

    /// Index of the first word of a tile.
    fn first_word(&self, tile: u32) -> usize {
        first_word(tile, self.tiles_down, self.rows)
    }

    /// One sub-iteration: judge all listed tiles, then delete everywhere at once.
    fn peel(&mut self, kind: SubIteration) {
        self.deletions.clear();
        judge_tiles(&self.words, self.rows, self.tiles_down, &self.listed, kind, &mut self.deletions);
        let judged = std::mem::take(&mut self.listed);
        let deletions = std::mem::take(&mut self.deletions);
        for &tile in &judged {
            let state = &mut self.states[tile as usize];
            if *state & FRESH != 0 {
                *state = LISTED;
                self.listed.push(tile);
            } else {
                *state = 0;
            }
        }
        for (&tile, deletion) in judged.iter().zip(&deletions) {
            if deletion.iter().any(|&word| word != 0) {
                self.delete(tile, deletion);
            }
        }
        self.deletions = deletions;
    }

    /// Deletes cells of a tile and lists the tiles that have one of them as a neighbour.
    fn delete(&mut self, tile: u32, deletion: &Tile) {
        let first = self.first_word(tile);
        for (word, &gone) in self.words[first..].iter_mut().zip(deletion) {
            *word &= !gone;
        }
        let columns = deletion.iter().fold(0, |all, &word| all | word);
        let west = usize::from(columns & 1 != 0);
        let east = usize::from(columns >> 63 != 0);
        let north = usize::from(deletion[0] != 0);
        let south = usize::from(deletion[TILE_ROWS - 1] != 0);
        for column in 1 - west..=1 + east {
            for row in 1 - north..=1 + south {
                self.list(tile as usize + column * self.tiles_down + row - self.tiles_down - 1);
            }
        }
    }

    fn list(&mut self, tile: usize) {
        let state = &mut self.states[tile];
        if *state & LISTED == 0 {
            self.listed.push(tile as u32);
        }
        *state |= LISTED | FRESH;
    }

    fn write(&self, mask: &mut [u8], width: usize) {
        for (row, line) in mask.chunks_mut(width).enumerate() {
            for (column, cells) in line.chunks_mut(TILE_COLUMNS).enumerate() {
                unpack(self.words[(column + 1) * self.rows + row + 1], cells);
            }
        }
    }
}

fn first_word(tile: u32, tiles_down: usize, rows: usize) -> usize {
    let (column, row) = (tile as usize / tiles_down, tile as usize % tiles_down);
    column * rows + (row - 1) * TILE_ROWS + 1
}

dispatched! {
    /// The cells that go, for each tile of the list.
    fn judge_tiles(
        words: &[u64], rows: usize, tiles_down: usize, tiles: &[u32], kind: SubIteration,
        deletions: &mut Vec<Tile>,
    ) = judge_kernel;
}

#[inline(always)]
fn judge_kernel(
    words: &[u64],
    rows: usize,
    tiles_down: usize,
    tiles: &[u32],
    kind: SubIteration,
    deletions: &mut Vec<Tile>,
) {
    for &tile in tiles {
        let first = first_word(tile, tiles_down, rows);
        let west = window(words, first - rows);
        let middle = window(words, first);
        let east = window(words, first + rows);
        let mut deletion = [0; TILE_ROWS];
        for (row, gone) in deletion.iter_mut().enumerate() {
            let at = |row: usize| {
                let word = middle[row];
                (word << 1 | west[row] >> 63, word, word >> 1 | east[row] << 63)
            };
            let (nw, n, ne) = at(row);
            let (w, cell, e) = at(row + 1);
            let (sw, s, se) = at(row + 2);
            *gone = cell & deletable([n, ne, e, se, s, sw, w, nw], kind);
        }
        deletions.push(deletion);
    }
}

/// The words of a tile with one row more above and below.
#[inline(always)]
fn window(words: &[u64], first: usize) -> &[u64] {
    &words[first - 1..][..TILE_ROWS + 2]
}

/// Bits whose neighbours, given as planes of bits clockwise from the north, let the cell go.
#[inline(always)]
fn deletable(around: [u64; 8], kind: SubIteration) -> u64 {
    let (mut one_step, mut more_steps, mut pair_set, mut pair_unset) = (0, 0, 0, 0);
    for k in 0..8 {
        let (this, next) = (around[k], around[(k + 1) % 8]);
        let step = !this & next;
        more_steps |= one_step & step;
        one_step |= step;
        pair_set |= this & next;
        pair_unset |= !(this | next);
    }
    // With A = 1 the set neighbours are one arc: two or more of them touch, and so do two unset ones if
    // there are at most six.
    let [n, _, e, _, s, _, w, _] = around;
    let sides = match kind {
        SubIteration::First => !(e & s & (n | w)),
        SubIteration::Second => !(n & w & (e | s)),
    };
    one_step & !more_steps & pair_set & pair_unset & sides
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
                    let products =
                        if first { [n && e && s, e && s && w] } else { [n && e && w, n && s && w] };
                    let sides = products == [false; 2];
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
        // First: the south row, the east end and the upper left corner go: .####. / #####. / ......
        // Second: the rest of the north row and both ends of the middle row; then nothing more.
        let (expected, ..) = mask(&["......", ".###..", "......"]);
        assert_eq!(thinned(&["######", "######", "######"]), expected);
    }

    #[test]
    fn lines_across_the_edges_of_tiles_stay_connected() {
        let mut cells = vec![0; 200 * 20];
        cells[200 * 5..200 * 12].fill(1);
        let mut swept = cells.clone();
        zhang_suen(&mut cells, 200, 20);
        by_sweeps(&mut swept, 200, 20);
        assert_eq!(cells, swept);
        assert!(cells.iter().map(|&cell| usize::from(cell)).sum::<usize>() > 190);
    }

    #[test]
    fn narrow_and_wide_instructions_agree() {
        let cells: Vec<u8> =
            (0..130 * 50_u32).map(|i| u8::from(i.wrapping_mul(2_654_435_761) >> 28 != 0)).collect();
        let image = Image::new(&cells, 130, 50);
        let Image { words, rows, tiles_down, listed, .. } = &image;
        for kind in [SubIteration::First, SubIteration::Second] {
            let (mut wide, mut narrow) = (Vec::new(), Vec::new());
            judge_tiles(words, *rows, *tiles_down, listed, kind, &mut wide);
            judge_kernel(words, *rows, *tiles_down, listed, kind, &mut narrow);
            assert_eq!(wide, narrow);
        }
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
            width in 1..140_usize, height in 1..40_usize, holes in 1..40_u32, seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                u8::from(!((state >> 33) as u32).is_multiple_of(holes))
            };
            let image: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            let (mut swept, mut listed) = (image.clone(), image);
            by_sweeps(&mut swept, width, height);
            zhang_suen(&mut listed, width, height);
            prop_assert_eq!(listed, swept);
        }
    }
}
