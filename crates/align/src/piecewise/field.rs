//! How near each place is to a wall of the truth.

use std::sync::Arc;

use model::GridGeometry;
use raster::city_block::city_block_transform;
use raster::moved_points::{BorderedField, MAX_VALUE};
use raster::worth_of_points::worth_of_points;

use super::rigid_motion::RigidMotion;

/// City-block distances to the truth's walls, and what a wall of the map earns there.
///
/// Rows run upwards, so that cells and motions share one frame.
pub(super) struct WallField {
    distances: Arc<[u16]>,
    /// `max(0, tau + 1 - d)`, 0 outside of the truth; none where nobody shifts.
    worth: Option<BorderedField>,
    width: usize,
    height: usize,
    tau: u32,
}

impl WallField {
    /// Of a plane of walls; with a reach also for whole shifts of up to so many cells. None if it has no wall.
    pub(super) fn of(
        walls: &[bool],
        geometry: &GridGeometry,
        tau: u32,
        reach: Option<usize>,
    ) -> Option<Self> {
        let (width, height) = (geometry.width(), geometry.height());
        let walls: Vec<u8> = walls.iter().map(|&wall| u8::from(wall)).collect();
        let downwards = city_block_transform(&walls, 1, width, height)?;
        let mut distances = Vec::with_capacity(downwards.len());
        for row in downwards.chunks_exact(width).rev() {
            distances.extend(row.iter().map(|&d| d.min(u32::from(u16::MAX)) as u16));
        }
        Some(Self::of_distances(distances.into(), (width, height), tau, reach))
    }

    /// The same walls with another tolerance, for no shifts.
    pub(super) fn with_tolerance(&self, tau: u32) -> Self {
        Self::of_distances(Arc::clone(&self.distances), (self.width, self.height), tau, None)
    }

    fn of_distances(
        distances: Arc<[u16]>,
        (width, height): (usize, usize),
        tau: u32,
        reach: Option<usize>,
    ) -> Self {
        let worth_of = |&d: &u16| (tau + 1).saturating_sub(u32::from(d)).min(u32::from(MAX_VALUE)) as u8;
        let worth = reach.map(|reach| {
            let worth: Vec<u8> = distances.iter().map(worth_of).collect();
            BorderedField::new(&worth, width, height, 2 * reach)
        });
        Self { distances, worth, width, height, tau }
    }

    /// Distance in cells of the cell that holds a place; very far outside of the truth.
    #[inline]
    pub(super) fn distance(&self, (x, y): (f64, f64)) -> u32 {
        // The nearest cell, without a call for the rounding: a negative sum becomes 0 and would be a cell.
        let (x, y) = (x + 0.5, y + 0.5);
        let inside = x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
        if inside { u32::from(self.distances[y as usize * self.width + x as usize]) } else { u32::MAX }
    }

    /// What walls earn in sum under a motion: each tau + 1 on a wall of the truth, 0 from a distance of tau + 1 on. Exact if it
    /// exceeds `above`, else any number up to it.
    pub(super) fn worth(&self, motion: &RigidMotion, points: &[(f64, f64)], above: u64) -> u64 {
        worth_of_points(&self.distances, self.width, points, &motion.of_cells(), self.tau + 1, above)
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
        let mut sums = vec![0; (2 * reach + 1).pow(2)];
        if let Some(worth) = &self.worth {
            worth.sums_around(&cells, reach, &mut sums);
        }
        sums
    }
}
