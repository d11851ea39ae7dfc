//! How near each place is to a wall of the truth.

use model::Grid;
use raster::city_block::city_block_transform;

use super::walls_of;

/// City-block distances to the truth's walls, and what a wall of the map earns there, with a margin around them.
///
/// Rows run upwards, so that cells and motions share one frame.
pub(super) struct WallField {
    distances: Vec<u16>,
    /// `max(0, tau + 1 - d)`, 0 in the margin.
    worth: Vec<u8>,
    width: usize,
    height: usize,
    margin: usize,
    tau: u32,
}

impl WallField {
    /// None if the truth has no wall.
    pub(super) fn of(truth: &Grid, tau: u32, margin: usize) -> Option<Self> {
        let (width, height) = (truth.geometry().width(), truth.geometry().height());
        let walls: Vec<u8> = walls_of(truth).into_iter().map(u8::from).collect();
        let downwards = city_block_transform(&walls, 1, width, height)?;
        let upwards = downwards.chunks(width).rev().flatten();
        let distances: Vec<u16> = upwards.map(|&d| u16::try_from(d).unwrap_or(u16::MAX)).collect();
        let wide = width + 2 * margin;
        let mut worth = vec![0; wide * (height + 2 * margin)];
        for (row, distances) in distances.chunks(width).enumerate() {
            let target = &mut worth[(row + margin) * wide + margin..][..width];
            for (worth, &distance) in target.iter_mut().zip(distances) {
                *worth = (tau + 1).saturating_sub(u32::from(distance)).min(255) as u8;
            }
        }
        Some(Self { distances, worth, width, height, margin, tau })
    }

    /// Distance in cells of the cell that holds a place; very far outside of the truth.
    pub(super) fn distance(&self, (x, y): (f64, f64)) -> u32 {
        let (x, y) = (x.round(), y.round());
        let inside = x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
        if inside { u32::from(self.distances[y as usize * self.width + x as usize]) } else { u32::MAX }
    }

    /// What a wall earns at a place: tau + 1 on a wall of the truth, 0 from a distance of tau + 1 on.
    pub(super) fn worth(&self, place: (f64, f64)) -> u32 {
        (self.tau + 1).saturating_sub(self.distance(place))
    }

    /// Adds what a wall at (column, row) earns under every whole shift up to the margin: row by row of the sums.
    pub(super) fn add_shifted(&self, x: i64, y: i64, sums: &mut [u32]) {
        let side = 2 * self.margin + 1;
        let (width, height) = (self.width as i64, self.height as i64);
        if x < 0 || y < 0 || x >= width || y >= height {
            self.add_shifted_from_outside(x, y, sums);
            return;
        }
        let wide = self.width + 2 * self.margin;
        let (x, y) = (x as usize, y as usize);
        for (row, sums) in sums.chunks_mut(side).enumerate() {
            let worth = &self.worth[(y + row) * wide + x..][..side];
            for (sum, &worth) in sums.iter_mut().zip(worth) {
                *sum += u32::from(worth);
            }
        }
    }

    /// As above for the few cells that a rotation sends beyond the truth.
    fn add_shifted_from_outside(&self, x: i64, y: i64, sums: &mut [u32]) {
        let margin = self.margin as i64;
        for (row, sums) in (-margin..).zip(sums.chunks_mut(2 * self.margin + 1)) {
            for (column, sum) in (-margin..).zip(sums) {
                *sum += self.worth(((x + column) as f64, (y + row) as f64));
            }
        }
    }
}
