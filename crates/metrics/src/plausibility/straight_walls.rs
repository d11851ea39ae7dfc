//! Straight walls: for each occupied cell the direction along which it lies on a long straight line of walls.

use model::{CellClass, Grid};
use raster::dilation::dilated;

/// Directions tried over half a turn: 5 degrees apart, so that a line of 20 cells leaves the walls by less than one.
const DIRECTIONS: usize = 36;

/// Direction number of each occupied cell that lies on a straight line of at least `length_cells`; else none.
#[derive(Clone, Debug)]
pub struct StraightWalls {
    /// By cell in image order.
    pub direction: Vec<Option<u8>>,
    /// Occupied cells.
    pub walls: usize,
}

impl StraightWalls {
    /// Looks for straight lines along 36 directions; a cell takes the one with its longest line.
    #[must_use]
    pub fn of(grid: &Grid, length_cells: usize) -> Self {
        let (width, height) = (grid.geometry().width(), grid.geometry().height());
        let is_wall: Vec<u8> = grid.classes().iter().map(|c| u8::from(*c == CellClass::Occupied)).collect();
        // A line may lie beside the cells by one: walls are jagged.
        let near = dilated(&is_wall, width, 1);
        let mut longest = vec![0_u32; is_wall.len()];
        let mut direction = vec![None; is_wall.len()];
        for number in 0..DIRECTIONS {
            for line in Lines::along(number, width, height) {
                mark_runs(&line, &near, length_cells, |cell, length| {
                    if is_wall[cell] != 0 && length > longest[cell] {
                        longest[cell] = length;
                        direction[cell] = Some(number as u8);
                    }
                });
            }
        }
        Self { direction, walls: is_wall.iter().filter(|&&cell| cell != 0).count() }
    }
}

/// Angle of a direction in an image (rows down), radians.
#[must_use]
pub fn angle_rad(direction: u8) -> f64 {
    std::f64::consts::PI * f64::from(direction) / DIRECTIONS as f64
}

/// Steps between two directions, which have no sense: 0 to 18.
#[must_use]
pub fn steps_between(a: u8, b: u8) -> u8 {
    let apart = a.abs_diff(b);
    apart.min(DIRECTIONS as u8 - apart)
}

/// Calls `mark` for the cells of each run of at least a length.
fn mark_runs(line: &[usize], is_set: &[u8], length_cells: usize, mut mark: impl FnMut(usize, u32)) {
    for run in line.split(|&cell| is_set[cell] == 0) {
        if run.len() >= length_cells.max(1) {
            run.iter().for_each(|&cell| mark(cell, run.len() as u32));
        }
    }
}

/// The parallel digital lines of one direction; together they visit each cell once.
struct Lines {
    slope: f64,
    is_flat: bool,
    width: usize,
    height: usize,
    next: i64,
    end: i64,
}

impl Lines {
    fn along(direction: usize, width: usize, height: usize) -> Self {
        let (sin, cos) = angle_rad(direction as u8).sin_cos();
        let is_flat = cos.abs() >= sin.abs();
        let slope = if is_flat { sin / cos } else { cos / sin };
        let (long, short) = if is_flat { (width, height) } else { (height, width) };
        let rise = slope * long as f64;
        let (low, high) = (-rise.max(0.0), short as f64 - rise.min(0.0));
        Self { slope, is_flat, width, height, next: low.floor() as i64 - 1, end: high.ceil() as i64 + 1 }
    }
}

impl Iterator for Lines {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        if self.next > self.end {
            return None;
        }
        let start = self.next as f64;
        self.next += 1;
        let (long, short) = if self.is_flat { (self.width, self.height) } else { (self.height, self.width) };
        let cell = |along: usize| {
            let across = (start + self.slope * along as f64).round();
            let inside = across >= 0.0 && across < short as f64;
            let (x, y) = if self.is_flat { (along, across as usize) } else { (across as usize, along) };
            inside.then_some(y * self.width + x)
        };
        Some((0..long).filter_map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_direction_visit_each_cell_once() {
        for direction in 0..DIRECTIONS {
            let mut cells: Vec<usize> = Lines::along(direction, 13, 7).flatten().collect();
            cells.sort_unstable();
            assert_eq!(cells, (0..91).collect::<Vec<_>>(), "direction {direction}");
        }
    }

    #[test]
    fn a_slanted_wall_is_straight_and_a_blob_is_not() {
        let mut rows = vec![vec![b'.'; 60]; 40];
        for x in 5..50 {
            rows[5 + x * 3 / 7][x] = b'#';
        }
        for (x, y) in [(50, 5), (51, 5), (50, 6), (52, 7)] {
            rows[y][x] = b'#';
        }
        let text: Vec<String> = rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let found = StraightWalls::of(&testkit::grid(text), 20);
        assert_eq!(found.direction.iter().flatten().count(), 45);
        assert_eq!(found.walls, 49);
    }
}
