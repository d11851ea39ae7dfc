//! What a robot can have seen: cells within sensor range and line of sight of its path.
//!
//! Only cells that somebody claims are looked at, nearest pose first, so that most need one look.

use model::{CellClass, GridGeometry, Point2};
use raster::sight::is_clear;

/// Poses closer together than this add nothing to what is seen. Ours: small beside any sensor's range.
const POSE_SPACING_M: f64 = 0.25;

/// A cell by column and row, top row first.
type Place = (usize, usize);

/// For each cell of the truth whether it is claimed and can have been seen from the path.
///
/// Walls of the truth block the view, unknown cells do not; the cell looked at never blocks itself. Poses in walls of
/// the truth or outside of it see nothing.
#[must_use]
pub fn seen_from_path(
    paths: &[Vec<Point2>],
    truth: &[CellClass],
    geometry: &GridGeometry,
    sensor_range_m: f64,
    is_claimed: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let (width, height) = (geometry.width(), geometry.height());
    let range_cells = (sensor_range_m / geometry.cell_size_m()).max(0.0);
    let poses = Poses::of(paths, truth, geometry, range_cells);
    let mut is_seen = vec![false; truth.len()];
    for (index, is_seen) in is_seen.iter_mut().enumerate().take(width * height) {
        if is_claimed(index) {
            let cell = (index % width, index / width);
            *is_seen = poses.near(cell).any(|pose| {
                is_clear(pose, cell, |x, y| (x, y) != cell && truth[y * width + x] == CellClass::Occupied)
            });
        }
    }
    is_seen
}

/// Poses in buckets as wide as the range.
struct Poses {
    buckets: Vec<Vec<Place>>,
    columns: usize,
    rows: usize,
    bucket_cells: usize,
    range_cells: f64,
}

impl Poses {
    fn of(paths: &[Vec<Point2>], truth: &[CellClass], geometry: &GridGeometry, range_cells: f64) -> Self {
        let (width, height) = (geometry.width(), geometry.height());
        let bucket_cells = (range_cells.ceil() as usize).clamp(1, width.max(height).max(1));
        let (columns, rows) = (width.div_ceil(bucket_cells), height.div_ceil(bucket_cells));
        let mut poses =
            Self { buckets: vec![Vec::new(); columns * rows], columns, rows, bucket_cells, range_cells };
        let spacing_cells = (POSE_SPACING_M / geometry.cell_size_m()).max(1.0);
        let patch = spacing_cells as usize;
        let mut is_taken = vec![false; width.div_ceil(patch) * height.div_ceil(patch)];
        let mut add = |right: f64, up: f64| {
            if !(right >= 0.0 && up >= 0.0 && right < width as f64 && up < height as f64) {
                return;
            }
            // Grid points count from the lower left corner, cells from the upper left one.
            let (x, y) = (right as usize, height - 1 - up as usize);
            let taken = &mut is_taken[(y / patch) * width.div_ceil(patch) + x / patch];
            if truth[y * width + x] != CellClass::Occupied && !*taken {
                *taken = true;
                poses.buckets[(y / bucket_cells) * columns + x / bucket_cells].push((x, y));
            }
        };
        let diagonal = (width as f64).hypot(height as f64);
        for path in paths {
            let points = path.iter().map(|point| geometry.grid_point_of_world(*point));
            let mut before: Option<(f64, f64)> = None;
            for (right, up) in points {
                if let Some((from_right, from_up)) = before {
                    let length = (right - from_right).hypot(up - from_up);
                    // Longer jumps than the map is wide are no drives.
                    let steps =
                        if length <= 2.0 * diagonal { (length / spacing_cells).ceil() as usize } else { 0 };
                    for step in 1..steps {
                        let share = step as f64 / steps as f64;
                        add(from_right + share * (right - from_right), from_up + share * (up - from_up));
                    }
                }
                add(right, up);
                before = Some((right, up));
            }
        }
        poses
    }

    /// Poses within range of a cell, nearest first.
    fn near(&self, cell: Place) -> impl Iterator<Item = Place> {
        let squared = move |pose: &Place| pose.0.abs_diff(cell.0).pow(2) + pose.1.abs_diff(cell.1).pow(2);
        let (column, row) = (cell.0 / self.bucket_cells, cell.1 / self.bucket_cells);
        let columns = column.saturating_sub(1)..(column + 2).min(self.columns);
        let rows = row.saturating_sub(1)..(row + 2).min(self.rows);
        let range_squared = self.range_cells * self.range_cells * (1.0 + 1e-9);
        let mut near: Vec<Place> = rows
            .flat_map(|row| columns.clone().map(move |column| row * self.columns + column))
            .flat_map(|bucket| self.buckets[bucket].iter().copied())
            .filter(|pose| squared(pose) as f64 <= range_squared)
            .collect();
        near.sort_unstable_by_key(|pose| (squared(pose), *pose));
        near.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rooms with a door in the middle wall; cells of 1 m.
    const ROOMS: [&str; 5] = ["#########", "#...#...#", "#.......#", "#...#...#", "#########"];

    fn seen(path: &[(f64, f64)], range_m: f64) -> Vec<String> {
        let truth = testkit::grid(ROOMS);
        let path: Vec<Point2> = path.iter().map(|&(x, y)| Point2::new(x, y)).collect();
        let found = seen_from_path(&[path], truth.classes(), truth.geometry(), range_m, |_| true);
        let letter = |seen: &bool| if *seen { 's' } else { '.' };
        found.chunks(9).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn walls_and_range_end_the_view() {
        // From the middle of the left room through the door; walls are seen, but not the corners behind two of them.
        assert_eq!(
            seen(&[(2.5, 2.5)], 3.0),
            [".sss.....", "sssss....", "ssssss...", "sssss....", ".sss....."]
        );
        let all = seen(&[(2.5, 2.5), (6.5, 2.5)], 9.0);
        let free = |(row, seen): (&str, &String)| {
            row.chars().zip(seen.chars()).all(|(cell, s)| cell == '#' || s == 's')
        };
        assert!(ROOMS.into_iter().zip(&all).all(free), "{all:?}");
    }

    #[test]
    fn poses_in_walls_or_elsewhere_see_nothing() {
        let nothing = seen(&[(0.5, 0.5), (-50.0, 3.0), (f64::NAN, 0.0)], 9.0);
        assert!(nothing.iter().all(|row| row == "........."), "{nothing:?}");
    }
}
