//! What a submap knows about surfaces: cells that carry the centroid and the normal of their hits.
//!
//! A raster of cells alone shifts poses by up to half a cell; the centroid keeps what was measured.

use model::Point2;

/// Edge of a cell, metres. Ours: a wall gives two to ten hits per cell within a submap.
const CELL_M: f64 = 0.1;
/// Cells along the side of a tile.
const TILE: i64 = 64;
/// Tiles along the side of the directory: 32 of 6.4 m reach 102 m in every direction.
const TILES: i64 = 32;
const NO_TILE: u32 = u32::MAX;
/// Normals of one surface agree: the length of their mean is at least this.
const MIN_AGREEMENT: f64 = 0.9;

/// Sums over the hits in a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    hits: f32,
    x: f32,
    y: f32,
    normals: f32,
    normal_x: f32,
    normal_y: f32,
}

/// A piece of surface near a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub centroid: Point2,
    pub normal: Option<Point2>,
}

/// Surfaces in the frame of a submap.
pub(super) struct SurfaceMap {
    directory: Vec<u32>,
    tiles: Vec<Cell>,
}

impl SurfaceMap {
    pub fn new() -> Self {
        Self { directory: vec![NO_TILE; (TILES * TILES) as usize], tiles: Vec::new() }
    }

    /// The directory's place of a cell, and the cell's place in its tile; none beyond the directory.
    fn place(column: i64, row: i64) -> Option<(usize, usize)> {
        let (column, row) = (column + TILES / 2 * TILE, row + TILES / 2 * TILE);
        if !((0..TILES * TILE).contains(&column) && (0..TILES * TILE).contains(&row)) {
            return None;
        }
        let tile = (row / TILE) * TILES + column / TILE;
        Some((tile as usize, ((row % TILE) * TILE + column % TILE) as usize))
    }

    fn cell(&self, column: i64, row: i64) -> Option<&Cell> {
        let (tile, within) = Self::place(column, row)?;
        let tile = self.directory[tile];
        (tile != NO_TILE).then(|| &self.tiles[tile as usize * (TILE * TILE) as usize + within])
    }

    /// Adds a hit that counts so much. What lies beyond the directory is left out.
    pub fn add(&mut self, hit: Point2, normal: Option<Point2>, weight: f32) {
        let (column, row) = in_cells(hit);
        let (left, bottom) = (column.floor(), row.floor());
        let Some((tile, within)) = Self::place(left as i64, bottom as i64) else { return };
        if self.directory[tile] == NO_TILE {
            self.directory[tile] = (self.tiles.len() / (TILE * TILE) as usize) as u32;
            self.tiles.resize(self.tiles.len() + (TILE * TILE) as usize, Cell::default());
        }
        let cell = &mut self.tiles[self.directory[tile] as usize * (TILE * TILE) as usize + within];
        cell.hits += weight;
        cell.x += weight * (column - left) as f32;
        cell.y += weight * (row - bottom) as f32;
        if let Some(normal) = normal {
            cell.normals += weight;
            cell.normal_x += weight * normal.x_m as f32;
            cell.normal_y += weight * normal.y_m as f32;
        }
    }

    /// The surface whose centroid is nearest, within a reach, and whose normal does not contradict.
    pub fn nearest(&self, point: Point2, normal: Option<Point2>, reach_m: f64) -> Option<Surface> {
        let (column, row) = in_cells(point);
        let (column, row) = (column.floor() as i64, row.floor() as i64);
        let ring = (reach_m / CELL_M).ceil() as i64;
        let (mut best, mut least) = (None, reach_m * reach_m);
        for row in row - ring..=row + ring {
            for column in column - ring..=column + ring {
                let Some(cell) = self.cell(column, row).filter(|cell| cell.hits > 0.0) else { continue };
                let centroid = cell.centroid(column, row);
                let (dx, dy) = (centroid.x_m - point.x_m, centroid.y_m - point.y_m);
                let square = dx * dx + dy * dy;
                if square < least {
                    let surface = cell.normal();
                    if let (Some(a), Some(b)) = (surface, normal)
                        && a.x_m * b.x_m + a.y_m * b.y_m < 0.5
                    {
                        continue;
                    }
                    (best, least) = (Some(Surface { centroid, normal: surface }), square);
                }
            }
        }
        best
    }
}

/// A place in cells; what lies far beyond the directory is not told apart.
fn in_cells(place: Point2) -> (f64, f64) {
    const MAX_CELL: f64 = 1e6;
    let at = |metres: f64| (metres / CELL_M).clamp(-MAX_CELL, MAX_CELL);
    (at(place.x_m), at(place.y_m))
}

impl Cell {
    fn centroid(&self, column: i64, row: i64) -> Point2 {
        let at = |corner: i64, sum: f32| (corner as f64 + f64::from(sum / self.hits)) * CELL_M;
        Point2::new(at(column, self.x), at(row, self.y))
    }

    /// The mean normal where most hits have one and they agree.
    fn normal(&self) -> Option<Point2> {
        if self.normals * 2.0 < self.hits {
            return None;
        }
        let length = f64::from(self.normal_x).hypot(f64::from(self.normal_y));
        let is_one = length >= MIN_AGREEMENT * f64::from(self.normals) && length > 0.0;
        is_one.then(|| Point2::new(f64::from(self.normal_x) / length, f64::from(self.normal_y) / length))
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
}
