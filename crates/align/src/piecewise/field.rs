//! How near each place is to a wall of the truth.

use model::Grid;
use raster::city_block::city_block_transform;
use raster::moved_points::{BorderedField, MAX_VALUE};

use super::rigid_motion::RigidMotion;
use super::walls_of;

/// City-block distances to the truth's walls, and what a wall of the map earns there.
///
/// Rows run upwards, so that cells and motions share one frame.
pub(super) struct WallField {
    distances: Vec<u16>,
    /// `max(0, tau + 1 - d)`, 0 outside of the truth.
    worth: BorderedField,
    width: usize,
    height: usize,
    tau: u32,
}

impl WallField {
    /// For whole shifts of up to `reach` cells. None if the truth has no wall.
    pub(super) fn of(truth: &Grid, tau: u32, reach: usize) -> Option<Self> {
        let (width, height) = (truth.geometry().width(), truth.geometry().height());
        let walls: Vec<u8> = walls_of(truth).into_iter().map(u8::from).collect();
        let downwards = city_block_transform(&walls, 1, width, height)?;
        let upwards = downwards.chunks(width).rev().flatten();
        let distances: Vec<u16> = upwards.map(|&d| u16::try_from(d).unwrap_or(u16::MAX)).collect();
        let worth_of = |&d: &u16| (tau + 1).saturating_sub(u32::from(d)).min(u32::from(MAX_VALUE)) as u8;
        let worth: Vec<u8> = distances.iter().map(worth_of).collect();
        let worth = BorderedField::new(&worth, width, height, 2 * reach);
        Some(Self { distances, worth, width, height, tau })
    }

    /// Distance in cells of the cell that holds a place; very far outside of the truth.
    #[inline]
    pub(super) fn distance(&self, (x, y): (f64, f64)) -> u32 {
        // The nearest cell, without a call for the rounding: a negative sum becomes 0 and would be a cell.
        let (x, y) = (x + 0.5, y + 0.5);
        let inside = x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
        if inside { u32::from(self.distances[y as usize * self.width + x as usize]) } else { u32::MAX }
    }

    /// What walls earn in sum under a motion: each tau + 1 on a wall of the truth, 0 from a distance of tau + 1 on.
    pub(super) fn worth(&self, motion: &RigidMotion, points: &[(f64, f64)]) -> u64 {
        let worth = |place| u64::from((self.tau + 1).saturating_sub(self.distance(place)));
        motion.apply_all(points).map(worth).sum()
    }

    /// The same under every whole shift up to the reach that follows the motion, row by row.
    pub(super) fn shifted_worth(
        &self,
        motion: &RigidMotion,
        points: &[(f64, f64)],
        reach: usize,
    ) -> Vec<u32> {
        let cells: Vec<(i64, i64)> =
            motion.apply_all(points).map(|(x, y)| (x.round() as i64, y.round() as i64)).collect();
        let mut sums = Vec::new();
        self.worth.sums_around(&cells, reach, &mut sums);
        sums
    }
}
