//! A map at one level of coarseness: pooled cells, its walls as points, and how near the next wall is.
//!
//! Positions are in cells of the original image, x to the right and y **down**, whatever the level, so that one
//! candidate serves all levels.

use model::Grid;
use raster::near_field::{MAX_REACH, capped_squared_distances};
use raster::pooling::{count_row, pool};

const FREE: u8 = 0;
pub(crate) const UNKNOWN: u8 = 1;
pub(crate) const OCCUPIED: u8 = 2;
/// Occupied cells that make a block a wall, as a share of its side.
const WALL_SHARE: f64 = 0.3;
/// In smaller blocks one occupied cell is enough.
const MIN_COUNTED: usize = 4;

/// An image of classes (0 free, 1 unknown, 2 occupied), possibly cut out of a larger one and pooled.
#[derive(Clone, Debug)]
pub(crate) struct Pooled {
    /// Original cells along the edge of a cell.
    pub(crate) factor: usize,
    /// Original column and row of the upper left corner.
    pub(crate) corner: (usize, usize),
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) classes: Vec<u8>,
}

impl Pooled {
    /// The part of a map that holds all known cells, at full resolution; none if nothing is known.
    pub(crate) fn known_part(grid: &Grid) -> Option<KnownBox> {
        let (width, classes) = (grid.geometry().width(), grid.class_bytes());
        let known = |cell: &u8| *cell != UNKNOWN;
        let (mut left, mut right, mut top, mut bottom) = (width, 0, None, 0);
        for (row, cells) in classes.chunks_exact(width).enumerate() {
            let Some(first) = cells.iter().position(known) else {
                continue;
            };
            let last = cells.iter().rposition(known).unwrap_or(first);
            (left, right) = (left.min(first), right.max(last + 1));
            (top, bottom) = (top.or(Some(row)), row + 1);
        }
        let top = top?;
        Some(KnownBox { left, top, width: right - left, height: bottom - top })
    }

    /// Pools a cut-out of a map; the insides of solid areas are unknown then, as they are to a laser.
    pub(crate) fn of(grid: &Grid, part: KnownBox, factor: usize) -> Self {
        let stride = grid.geometry().width();
        let rows = (part.top..part.top + part.height)
            .map(|row| &grid.class_bytes()[row * stride + part.left..][..part.width]);
        let (width, height, classes) = pooled_walls(rows, part.width, part.height, factor);
        Self { factor, corner: (part.left, part.top), width, height, classes: hollow(&classes, width) }
    }

    /// Free cells beside unknown ones or at the edge of the image, as a share of these and of the walls: 0 where walls close
    /// all that is free, 0 too without either.
    pub(crate) fn openness(&self) -> f64 {
        let (width, last) = (self.width.max(1), self.height.saturating_sub(1));
        let row_at = |row: usize| &self.classes[row * width..][..width];
        let (mut open, mut walls) = (0, 0);
        // 1 where a cell is open.
        let mut is_open = vec![0_u8; width];
        for (row, here) in self.classes.chunks_exact(width).enumerate() {
            is_open.iter_mut().zip(here).for_each(|(open, &class)| *open = u8::from(class == OCCUPIED));
            walls += ones(&is_open);
            is_open.iter_mut().zip(here).for_each(|(open, &class)| *open = u8::from(class == FREE));
            if row > 0 && row < last && width > 2 {
                let (above, below) = (row_at(row - 1), row_at(row + 1));
                let around = here.windows(3).zip(&above[1..]).zip(&below[1..]);
                for (open, ((here, &above), &below)) in is_open[1..].iter_mut().zip(around) {
                    let unknown = [here[0], here[2], above, below].map(|class| u8::from(class == UNKNOWN));
                    *open &= unknown[0] | unknown[1] | unknown[2] | unknown[3];
                }
            }
            open += ones(&is_open);
        }
        open as f64 / (open + walls).max(1) as f64
    }

    /// The same map in cells that are `times` larger.
    pub(crate) fn coarser(&self, times: usize) -> Self {
        let rows = self.classes.chunks_exact(self.width);
        let (width, height, classes) = pooled_walls(rows, self.width, self.height, times);
        Self { factor: self.factor * times, corner: self.corner, width, height, classes }
    }

    /// The square part of at most this side that holds most walls, and the one that holds most of the others; the
    /// whole and nothing, if it is no larger.
    pub(crate) fn busiest_parts(self, side: usize) -> (Self, Option<Self>) {
        let (width, height) = (self.width.min(side), self.height.min(side));
        if (width, height) == (self.width, self.height) {
            return (self, None);
        }
        let size = (width, height);
        let first = self.busiest_place(size, |_, _| true);
        let is_left_over = |column: usize, row: usize| {
            !(first.0..first.0 + width).contains(&column) || !(first.1..first.1 + height).contains(&row)
        };
        let second = self.busiest_place(size, is_left_over);
        (self.cut_out(first, size), Some(self.cut_out(second, size)))
    }

    /// Column and row of the part of this size that holds most of the walls that count.
    fn busiest_place(
        &self,
        (width, height): (usize, usize),
        counts: impl Fn(usize, usize) -> bool,
    ) -> (usize, usize) {
        let walls_in = |&(left, top): &(usize, usize)| {
            let rows = self.classes.chunks_exact(self.width).enumerate().skip(top).take(height);
            let cells =
                rows.flat_map(|(row, cells)| (left..left + width).map(move |column| (column, row, cells)));
            cells.filter(|&(column, row, cells)| cells[column] == OCCUPIED && counts(column, row)).count()
        };
        let offsets = |whole: usize, part: usize| (0..=whole - part).step_by((part / 8).max(1));
        let places = offsets(self.height, height)
            .flat_map(|top| offsets(self.width, width).map(move |left| (left, top)));
        places.max_by_key(walls_in).unwrap_or((0, 0))
    }

    fn cut_out(&self, (left, top): (usize, usize), (width, height): (usize, usize)) -> Self {
        let rows = self.classes.chunks_exact(self.width).skip(top).take(height);
        let classes = rows.flat_map(|row| &row[left..left + width]).copied().collect();
        let corner = (self.corner.0 + left * self.factor, self.corner.1 + top * self.factor);
        Self { corner, width, height, classes, factor: self.factor }
    }

    /// Centre of a cell in original cells.
    pub(crate) fn center_of(&self, column: usize, row: usize) -> [f64; 2] {
        let at = |corner: usize, index: usize| corner as f64 + (index as f64 + 0.5) * self.factor as f64;
        [at(self.corner.0, column), at(self.corner.1, row)]
    }

    /// Centres of the cells for which the condition holds, in image order.
    pub(crate) fn centers_where(&self, condition: impl Fn(usize) -> bool) -> Vec<[f64; 2]> {
        let indices = (0..self.classes.len()).filter(|&index| condition(index));
        indices.map(|index| self.center_of(index % self.width, index / self.width)).collect()
    }

    /// Centres of the occupied cells.
    pub(crate) fn walls(&self) -> Vec<[f64; 2]> {
        self.centers_where(|index| self.classes[index] == OCCUPIED)
    }

    /// Capped squared distances to the nearest wall, in cells of this level.
    pub(crate) fn near(&self, reach: usize) -> Vec<u8> {
        capped_squared_distances(&self.classes, OCCUPIED, self.width, self.height, reach.min(MAX_REACH))
    }
}

/// How many of some bytes of 0 and 1 are 1; in stretches whose sum fits into a byte, which are added many at a time.
fn ones(marks: &[u8]) -> usize {
    marks.chunks(255).map(|some| usize::from(some.iter().sum::<u8>())).sum()
}

/// Pools rows of class bytes by a whole factor: enough occupied cells make a block a wall, else one free cell makes it free.
fn pooled_walls<'a>(
    rows: impl Iterator<Item = &'a [u8]>,
    width: usize,
    height: usize,
    factor: usize,
) -> (usize, usize, Vec<u8>) {
    // A wall crosses a block, a speck lies in it.
    let needed = (factor as f64 * WALL_SHARE).ceil() as u32;
    if factor < MIN_COUNTED {
        return pool(rows, width, height, factor);
    }
    let mut classes = Vec::with_capacity(width.div_ceil(factor) * height.div_ceil(factor));
    let (mut walls, mut free) = (vec![0_u8; width], vec![0_u8; width]);
    for (row, cells) in rows.enumerate() {
        count_row(cells, [OCCUPIED, FREE], &mut walls, &mut free);
        if (row + 1) % factor == 0 || row + 1 == height {
            let class = |(walls, free): (&[u8], &[u8])| {
                let count: u32 = walls.iter().map(|&count| u32::from(count)).sum();
                match (count, free.contains(&1)) {
                    (count, _) if count >= needed => OCCUPIED,
                    (_, true) => FREE,
                    (0, false) => UNKNOWN,
                    // A wall seen from one side, cut by the edge of the block.
                    (_, false) => OCCUPIED,
                }
            };
            classes.extend(walls.chunks(factor).zip(free.chunks(factor)).map(class));
            walls.fill(0);
            free.fill(0);
        }
    }
    (width.div_ceil(factor), height.div_ceil(factor), classes)
}

/// The image with the insides of solid areas unknown: only their faces are walls. One cell deep, because the search asks
/// where walls are; [`crate::piecewise::walls_of`] keeps half a metre, because it asks how much of the walls a part holds,
/// and walls are drawn as thick as that.
fn hollow(classes: &[u8], width: usize) -> Vec<u8> {
    let height = classes.len() / width.max(1);
    let mut hollow = classes.to_vec();
    // Whether the cells above and below, and beside, are walls too; beyond the image nothing is open.
    let mut is_column = vec![1_u8; width + 2];
    for (row, target) in hollow.chunks_exact_mut(width.max(1)).enumerate() {
        let row_at = |row: usize| &classes[row * width..][..width];
        let (above, here) = (row_at(row.saturating_sub(1)), row_at(row));
        let below = row_at((row + 1).min(height - 1));
        for (((mark, above), here), below) in is_column[1..].iter_mut().zip(above).zip(here).zip(below) {
            *mark = u8::from((*above == OCCUPIED) & (*here == OCCUPIED) & (*below == OCCUPIED));
        }
        let around = is_column.iter().zip(&is_column[1..]).zip(&is_column[2..]);
        for (class, ((left, middle), right)) in target.iter_mut().zip(around) {
            *class = if left & middle & right == 1 { UNKNOWN } else { *class };
        }
    }
    hollow
}

/// A rectangle of original cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownBox {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl KnownBox {
    pub(crate) fn diagonal(self) -> f64 {
        (self.width as f64).hypot(self.height as f64)
    }
}

#[cfg(test)]
mod tests {
    use raster::neighbours::beside;
    use testkit::grid;

    use super::*;

    #[test]
    fn unknown_borders_are_cut_off_and_occupied_wins() {
        let grid = grid(["?????", "?..??", "?.#??", "????.", "?????"]);
        let part = Pooled::known_part(&grid).unwrap();
        assert_eq!(part, KnownBox { left: 1, top: 1, width: 4, height: 3 });
        let pooled = Pooled::of(&grid, part, 2);
        assert_eq!((pooled.width, pooled.height, &pooled.classes[..]), (2, 2, &[2, 1, 1, 0][..]));
        assert_eq!(pooled.walls(), [[2.0, 2.0]]);
        assert_eq!(Pooled::of(&grid, part, 1).coarser(2).classes, pooled.classes);
    }

    #[test]
    fn open_is_what_ends_beside_unknown_cells_or_at_the_edge_of_the_image() {
        let openness = |rows: &[&str]| {
            let grid = grid(rows);
            Pooled::of(&grid, Pooled::known_part(&grid).unwrap(), 1).openness()
        };
        assert_eq!(openness(&["?###?", "?#.#?", "?###?"]), 0.0, "closed by eight walls");
        assert_eq!(openness(&["###", "#.#", "#.#"]), 1.0 / 8.0, "one cell at the edge, seven walls");
        assert_eq!(openness(&["#####", "#..?#", "#####"]), 1.0 / 13.0, "one cell beside an unknown one");
        assert_eq!(openness(&["..", ".."]), 1.0);
    }

    #[test]
    fn openness_equals_looking_at_each_cell() {
        let mut random = testkit::Random(41);
        for round in 0..50 {
            let (width, height) = (1 + random.below(40), 1 + random.below(12));
            let classes: Vec<u8> =
                (0..width * height).map(|_| [FREE, FREE, FREE, UNKNOWN, OCCUPIED][random.below(5)]).collect();
            let is_open = |cell: usize| {
                beside(cell, width, classes.len()).filter(|&next| classes[next] != UNKNOWN).count() < 4
            };
            let walls = classes.iter().filter(|&&class| class == OCCUPIED).count();
            let open = (0..classes.len()).filter(|&cell| classes[cell] == FREE && is_open(cell)).count();
            let image = Pooled { factor: 1, corner: (0, 0), width, height, classes };
            assert_eq!(image.openness(), open as f64 / (open + walls).max(1) as f64, "round {round}");
        }
        assert_eq!(ones(&[1; 1000]), 1000);
    }

    #[test]
    fn the_busiest_part_is_where_the_walls_are() {
        let grid = grid(["........", "#.....##", "......##"]);
        let whole = Pooled::of(&grid, Pooled::known_part(&grid).unwrap(), 1);
        let (all, none) = whole.clone().busiest_parts(8);
        assert_eq!((all.classes, none.is_none()), (whole.classes.clone(), true));
        let (part, other) = whole.busiest_parts(2);
        assert_eq!((part.corner, part.width, part.height), ((6, 1), 2, 2));
        assert_eq!(other.unwrap().walls(), [[0.5, 1.5]], "walls of the first part do not count again");
        assert_eq!(part.walls()[0], [6.5, 1.5]);
    }

    #[test]
    fn only_the_faces_of_solid_areas_are_walls() {
        let grid = grid([".....", ".####", ".####", ".####", ".####"]);
        let whole = Pooled::of(&grid, Pooled::known_part(&grid).unwrap(), 1);
        let rows: Vec<&[u8]> = whole.classes.chunks(5).collect();
        assert_eq!(rows, [[0; 5], [0, 2, 2, 2, 2], [0, 2, 1, 1, 1], [0, 2, 1, 1, 1], [0, 2, 1, 1, 1]]);
    }

    #[test]
    fn a_wall_survives_large_cells_and_a_speck_does_not() {
        let grid = grid(["#.......", "........", "....####", "........"]);
        let part = Pooled::known_part(&grid).unwrap();
        assert_eq!(Pooled::of(&grid, part, 4).classes, [0, 2]);
        assert_eq!(Pooled::of(&grid, part, 2).classes, [2, 0, 0, 0, 0, 0, 2, 2]);
    }

    #[test]
    fn a_map_of_nothing_has_no_part() {
        assert_eq!(Pooled::known_part(&grid(["???", "???"])), None);
    }
}
