//! What a submap knows about surfaces: cells that carry the centroid and the normal of their hits.
//!
//! A raster of cells alone shifts poses by up to half a cell; the centroid keeps what was measured. Walls are thin, so most cells
//! are empty: a block of 8 x 8 cells has one bit for each that was hit, by which a search skips the others at once, and a
//! finished map keeps nothing but its surfaces.

use model::Point2;

/// Edge of a cell, metres. Ours: a wall gives two to ten hits per cell within a submap.
pub(super) const CELL_M: f64 = 0.1;
/// Cells along the side of a block, one bit each.
const BLOCK: i64 = 8;
const CELLS_PER_BLOCK: usize = 64;
/// Blocks along the side of a tile.
const TILE: i64 = 4;
const BLOCKS_PER_TILE: usize = 16;
/// Tiles along the side of the directory: 64 of 3.2 m reach 102 m in every direction.
const TILES: i64 = 64;
const NO_TILE: u16 = u16::MAX;
/// Normals of one surface agree: the length of their mean is at least this.
const MIN_AGREEMENT: f64 = 0.9;

/// Sums over the hits in a cell.
#[derive(Clone, Copy, Default)]
struct Sums {
    hits: f32,
    x: f32,
    y: f32,
    normals: f32,
    normal_x: f32,
    normal_y: f32,
}

/// What the sums of a cell come to.
#[derive(Clone, Copy, Default)]
struct Mean {
    /// Centroid of the hits from the lower-left corner of the cell, in cells.
    x: f32,
    y: f32,
    /// Unit normal; zero where there is none.
    normal_x: f32,
    normal_y: f32,
}

/// Which cells of a block were hit, and where its cells begin: of all 64 while the map grows, of those that were hit in a
/// finished one.
#[derive(Clone, Copy, Default)]
struct Block {
    hit: u64,
    first: u32,
}

/// A piece of surface near a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub centroid: Point2,
    pub normal: Option<Point2>,
}

/// Surfaces in the frame of a submap.
pub(super) struct SurfaceMap {
    directory: Vec<u16>,
    blocks: Vec<Block>,
    /// Of each cell of each block; empty in a finished map.
    sums: Vec<Sums>,
    means: Vec<Mean>,
    is_finished: bool,
}

impl SurfaceMap {
    pub fn new() -> Self {
        Self {
            directory: vec![NO_TILE; (TILES * TILES) as usize],
            blocks: Vec::new(),
            sums: Vec::new(),
            means: Vec::new(),
            is_finished: false,
        }
    }

    /// The directory's place of a block, and the block's place in its tile; none beyond the directory.
    fn place(column: i64, row: i64) -> Option<(usize, usize)> {
        let (column, row) = (column + TILES / 2 * TILE, row + TILES / 2 * TILE);
        if !((0..TILES * TILE).contains(&column) && (0..TILES * TILE).contains(&row)) {
            return None;
        }
        let tile = (row / TILE) * TILES + column / TILE;
        Some((tile as usize, ((row % TILE) * TILE + column % TILE) as usize))
    }

    fn block(&self, column: i64, row: i64) -> Option<Block> {
        let (tile, within) = Self::place(column, row)?;
        let tile = self.directory[tile];
        (tile != NO_TILE).then(|| self.blocks[usize::from(tile) * BLOCKS_PER_TILE + within])
    }

    /// The block at a place, which is made if it is not there; none beyond the directory.
    fn block_mut(&mut self, column: i64, row: i64) -> Option<&mut Block> {
        let (tile, within) = Self::place(column, row)?;
        if self.directory[tile] == NO_TILE {
            self.directory[tile] = (self.blocks.len() / BLOCKS_PER_TILE) as u16;
            self.blocks.resize(self.blocks.len() + BLOCKS_PER_TILE, Block::default());
        }
        let block = &mut self.blocks[usize::from(self.directory[tile]) * BLOCKS_PER_TILE + within];
        if block.hit == 0 {
            block.first = self.sums.len() as u32;
            self.sums.resize(self.sums.len() + CELLS_PER_BLOCK, Sums::default());
            self.means.resize(self.sums.len(), Mean::default());
        }
        Some(block)
    }

    /// Adds a hit that counts so much. What lies beyond the directory is left out, and what comes after the end.
    pub fn add(&mut self, hit: Point2, normal: Option<Point2>, weight: f32) {
        let (column, row) = in_cells(hit);
        let (left, bottom) = (column.floor(), row.floor());
        let (x, y) = (left as i64, bottom as i64);
        if self.is_finished {
            return;
        }
        let Some(block) = self.block_mut(x.div_euclid(BLOCK), y.div_euclid(BLOCK)) else { return };
        let bit = y.rem_euclid(BLOCK) * BLOCK + x.rem_euclid(BLOCK);
        block.hit |= 1 << bit;
        let at = block.first as usize + bit as usize;
        let sums = &mut self.sums[at];
        sums.hits += weight;
        sums.x += weight * (column - left) as f32;
        sums.y += weight * (row - bottom) as f32;
        if let Some(normal) = normal {
            sums.normals += weight;
            sums.normal_x += weight * normal.x_m as f32;
            sums.normal_y += weight * normal.y_m as f32;
        }
        self.means[at] = sums.mean();
    }

    /// Keeps only what searches need; nothing is added after it.
    pub fn finish(&mut self) {
        let mut means = Vec::with_capacity(self.blocks.iter().map(|b| b.hit.count_ones() as usize).sum());
        for block in &mut self.blocks {
            let first = block.first as usize;
            block.first = means.len() as u32;
            means.extend(bits(block.hit).map(|bit| self.means[first + bit]));
        }
        self.means = means;
        self.sums = Vec::new();
        self.blocks.shrink_to_fit();
        self.is_finished = true;
    }

    /// The cells that were hit, by column and row, in a fixed order.
    pub fn cells(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let tiles = self.directory.iter().enumerate().filter(|(_, tile)| **tile != NO_TILE);
        let corner = |at: i64| (at - TILES / 2) * TILE * BLOCK;
        tiles.flat_map(move |(place, &tile)| {
            let (left, bottom) = (corner(place as i64 % TILES), corner(place as i64 / TILES));
            let blocks = &self.blocks[usize::from(tile) * BLOCKS_PER_TILE..][..BLOCKS_PER_TILE];
            blocks.iter().enumerate().flat_map(move |(within, block)| {
                let left = left + within as i64 % TILE * BLOCK;
                let bottom = bottom + within as i64 / TILE * BLOCK;
                bits(block.hit).map(move |bit| (left + bit as i64 % BLOCK, bottom + bit as i64 / BLOCK))
            })
        })
    }

    /// The surface whose centroid is nearest, within a reach, and whose normal does not contradict.
    pub fn nearest(&self, point: Point2, normal: Option<Point2>, reach_m: f64) -> Option<Surface> {
        let (column, row) = in_cells(point);
        let reach = reach_m / CELL_M;
        let (left, right) = ((column - reach).floor() as i64, (column + reach).floor() as i64);
        let (bottom, top) = ((row - reach).floor() as i64, (row + reach).floor() as i64);
        let (mut best, mut least) = (None, (reach * reach) as f32);
        for block_row in bottom.div_euclid(BLOCK)..=top.div_euclid(BLOCK) {
            let first_row = block_row * BLOCK;
            let rows = rows_of_mask((bottom - first_row).max(0), (top - first_row).min(BLOCK - 1));
            for block_column in left.div_euclid(BLOCK)..=right.div_euclid(BLOCK) {
                let Some(block) = self.block(block_column, block_row).filter(|block| block.hit != 0) else {
                    continue;
                };
                let first_column = block_column * BLOCK;
                let columns =
                    columns_of_mask((left - first_column).max(0), (right - first_column).min(BLOCK - 1));
                // From the lower-left corner of the block, so that single precision is enough.
                let x = (column - first_column as f64) as f32;
                let y = (row - first_row as f64) as f32;
                for bit in bits(block.hit & rows & columns) {
                    let mean = &self.means[self.place_of(block, bit)];
                    let (dx, dy) = ((bit % 8) as f32 + mean.x - x, (bit / 8) as f32 + mean.y - y);
                    let square = dx * dx + dy * dy;
                    if square < least && mean.agrees_with(normal) {
                        (best, least) = (Some((mean, dx, dy)), square);
                    }
                }
            }
        }
        let (mean, dx, dy) = best?;
        let at = |at_m: f64, off: f32| at_m + f64::from(off) * CELL_M;
        let centroid = Point2::new(at(point.x_m, dx), at(point.y_m, dy));
        Some(Surface { centroid, normal: mean.normal() })
    }

    fn place_of(&self, block: Block, bit: usize) -> usize {
        let before =
            if self.is_finished { (block.hit & ((1 << bit) - 1)).count_ones() as usize } else { bit };
        block.first as usize + before
    }
}

/// The bits of a mask that are set, in ascending order.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as usize)
    })
}

/// The bits of the rows of a block from one to another.
const fn rows_of_mask(from: i64, to: i64) -> u64 {
    (u64::MAX << (BLOCK * from)) & (u64::MAX >> (BLOCK * (BLOCK - 1 - to)))
}

/// The bits of the columns of a block from one to another.
const fn columns_of_mask(from: i64, to: i64) -> u64 {
    const EACH_ROW: u64 = 0x0101_0101_0101_0101;
    EACH_ROW * ((0xff_u64 << from) & (0xff >> (BLOCK - 1 - to)) & 0xff)
}

/// A place in cells; what lies far beyond the directory is not told apart.
fn in_cells(place: Point2) -> (f64, f64) {
    const MAX_CELL: f64 = 1e6;
    let at = |metres: f64| (metres / CELL_M).clamp(-MAX_CELL, MAX_CELL);
    (at(place.x_m), at(place.y_m))
}

impl Sums {
    /// The centroid, and the mean normal where most hits have one and they agree.
    fn mean(&self) -> Mean {
        let length = f64::from(self.normal_x).hypot(f64::from(self.normal_y));
        let is_one = self.normals * 2.0 >= self.hits
            && length >= MIN_AGREEMENT * f64::from(self.normals)
            && length > 0.0;
        let part = |sum: f32| if is_one { (f64::from(sum) / length) as f32 } else { 0.0 };
        Mean {
            x: self.x / self.hits,
            y: self.y / self.hits,
            normal_x: part(self.normal_x),
            normal_y: part(self.normal_y),
        }
    }
}

impl Mean {
    fn normal(&self) -> Option<Point2> {
        let is_there = self.normal_x != 0.0 || self.normal_y != 0.0;
        is_there.then(|| Point2::new(f64::from(self.normal_x), f64::from(self.normal_y)))
    }

    /// Whether a normal looks to the same side, or one of both has none.
    fn agrees_with(&self, normal: Option<Point2>) -> bool {
        let (Some(here), Some(there)) = (self.normal(), normal) else { return true };
        here.x_m * there.x_m + here.y_m * there.y_m >= 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_surface_keeps_what_was_measured() {
        let mut map = SurfaceMap::new();
        let left = Some(Point2::new(-1.0, 0.0));
        (0..10).for_each(|i| map.add(Point2::new(2.03, f64::from(i) * 0.05), left, 1.0));
        let found = map.nearest(Point2::new(1.95, 0.22), left, 0.25).unwrap();
        assert!((found.centroid.x_m - 2.03).abs() < 1e-6 && found.normal.unwrap().x_m < -0.99);
        assert!(
            map.nearest(Point2::new(1.95, 0.22), Some(Point2::new(1.0, 0.0)), 0.25).is_none(),
            "other side"
        );
        assert!(map.nearest(Point2::new(0.0, 0.0), None, 0.25).is_none());
        map.add(Point2::new(1e6, 0.0), None, 1.0);
        assert!(map.nearest(Point2::new(1e6, 0.0), None, 0.25).is_none(), "beyond the directory");
    }

    #[test]
    fn a_finished_map_tells_the_same_as_a_growing_one_and_as_a_look_at_all_hits() {
        let mut random = model::SeededRng::new(3);
        let mut map = SurfaceMap::new();
        let hits: Vec<Point2> = (0..400)
            .map(|_| Point2::new(random.uniform() * 6.0 - 3.0, random.uniform() * 6.0 - 3.0))
            .collect();
        let one_per_cell = |hit: &Point2| {
            let cell = |hit: &Point2| ((hit.x_m / CELL_M).floor() as i64, (hit.y_m / CELL_M).floor() as i64);
            hits.iter().filter(|other| cell(other) == cell(hit)).count() == 1
        };
        let hits: Vec<Point2> = hits.iter().filter(|hit| one_per_cell(hit)).copied().collect();
        hits.iter().for_each(|hit| map.add(*hit, None, 1.0));
        let asked: Vec<Point2> = (0..300)
            .map(|_| Point2::new(random.uniform() * 7.0 - 3.5, random.uniform() * 7.0 - 3.5))
            .collect();
        let answers = |map: &SurfaceMap| -> Vec<Option<Point2>> {
            asked.iter().map(|at| map.nearest(*at, None, 0.15).map(|found| found.centroid)).collect()
        };
        let growing = answers(&map);
        for (at, found) in asked.iter().zip(&growing) {
            let all = hits.iter().map(|hit| hit.distance_m(*at)).fold(f64::INFINITY, f64::min);
            assert_eq!(found.is_some(), all < 0.15, "{at:?} {all}");
            assert!(found.is_none_or(|found| (found.distance_m(*at) - all).abs() < 1e-6), "{at:?}");
        }
        map.finish();
        assert_eq!(answers(&map), growing);
        map.add(Point2::new(0.01, 0.01), None, 1.0);
        assert_eq!((answers(&map), map.cells().count()), (growing, hits.len()));
    }
}
