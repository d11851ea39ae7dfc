//! Places that repeat themselves: halls of equal shelves, corridors with equal doors. Pallets and furniture make every
//! part of them one of its kind, so that there is a right answer.

use model::{CellClass, Grid, GridGeometry, Pose2, SeededRng};

use crate::inputs::BenchError;

const CELL_M: f64 = 0.05;

/// Walls drawn on a floor of free cells; all lengths in cells.
struct Floor {
    width: usize,
    height: usize,
    classes: Vec<CellClass>,
}

impl Floor {
    /// A free floor within outer walls.
    fn new(width: usize, height: usize) -> Self {
        let mut floor = Self { width, height, classes: vec![CellClass::Free; width * height] };
        for (x, y, w, h) in
            [(0, 0, width, 3), (0, height - 3, width, 3), (0, 0, 3, height), (width - 3, 0, 3, height)]
        {
            floor.fill((x, y), (w, h), CellClass::Occupied);
        }
        floor
    }

    fn fill(&mut self, (left, top): (usize, usize), (wide, high): (usize, usize), class: CellClass) {
        for row in top..(top + high).min(self.height) {
            let columns = left.min(self.width)..(left + wide).min(self.width);
            self.classes[row * self.width..][columns].fill(class);
        }
    }

    fn grid(self) -> Result<Grid, BenchError> {
        let geometry = GridGeometry::new(self.width, self.height, CELL_M, Pose2::IDENTITY);
        Grid::new(geometry.map_err(BenchError::study)?, self.classes).map_err(BenchError::study)
    }
}

/// A hall of equal shelves in equal aisles, with an office in one corner.
pub fn shelves(seed: u64) -> Result<Grid, BenchError> {
    let mut rng = SeededRng::new(seed);
    let mut pick = |low: i64, high: i64| rng.between(low, high).unsigned_abs() as usize;
    let (rows, columns) = (pick(2, 4), pick(5, 9));
    let (deep, long, aisle) = (pick(16, 24), pick(70, 120), pick(44, 64));
    let mut floor =
        Floor::new(2 * aisle + columns * (deep + aisle), 2 * aisle + rows * (long + aisle) + pick(0, 60));
    for column in 0..columns {
        for row in 0..rows {
            let place = (aisle + column * (deep + aisle), aisle + row * (long + aisle));
            floor.fill(place, (deep, long), CellClass::Unknown);
            for (edge, size) in [
                (place, (deep, 2)),
                ((place.0, place.1 + long - 2), (deep, 2)),
                (place, (2, long)),
                ((place.0 + deep - 2, place.1), (2, long)),
            ] {
                floor.fill(edge, size, CellClass::Occupied);
            }
        }
    }
    for _ in 0..rows * columns {
        let place = (aisle / 4 + pick(0, columns as i64) * (deep + aisle), pick(0, floor.height as i64 - 40));
        floor.fill(place, (pick(8, 20), pick(8, 24)), CellClass::Occupied);
    }
    let (wide, high) = (aisle - 8, aisle / 2);
    floor.fill((0, high), (wide, 3), CellClass::Occupied);
    floor.fill((wide, 0), (3, high / 2), CellClass::Occupied);
    floor.grid()
}

/// A corridor with equal rooms behind equal doors on both sides, furnished by chance.
pub fn corridor(seed: u64) -> Result<Grid, BenchError> {
    let mut rng = SeededRng::new(seed);
    let mut pick = |low: i64, high: i64| rng.between(low, high).unsigned_abs() as usize;
    let (rooms, wide, deep, hall, door) =
        (pick(5, 9), pick(60, 90), pick(70, 110), pick(36, 50), pick(16, 20));
    let (width, height) = (rooms * wide + 3, 2 * deep + hall);
    let mut floor = Floor::new(width, height);
    for wall_row in [deep, deep + hall - 3] {
        floor.fill((0, wall_row), (width, 3), CellClass::Occupied);
        for room in 0..rooms {
            floor.fill((room * wide + wide / 2, wall_row), (door, 3), CellClass::Free);
        }
    }
    for room in 1..rooms {
        floor.fill((room * wide, 0), (3, deep), CellClass::Occupied);
        floor.fill((room * wide, deep + hall - 3), (3, deep), CellClass::Occupied);
    }
    for _ in 0..4 * rooms {
        let below = pick(0, 1) * (deep + hall);
        let place = (pick(0, width as i64 - 20), below + pick(6, deep as i64 - 30));
        floor.fill(place, (pick(6, 18), pick(6, 24)), CellClass::Occupied);
    }
    floor.grid()
}
