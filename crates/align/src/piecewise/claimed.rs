//! Which walls of the truth the parts lie on: a map has each of them once.
//!
//! Walls that are not there in the truth, such as closed doors, fit somewhere by chance: on walls that other parts lie on already.

use super::Pieces;
use super::rigid_motion::RigidMotion;

/// A part claims walls of the truth if no other part lies on this share of them.
const MIN_NEW_SHARE: f64 = 0.2;

impl Pieces<'_> {
    /// Whether most of some walls come to lie where no part that was found has walls.
    pub(super) fn claims_walls(&self, motion: &RigidMotion, cells: &[usize]) -> bool {
        let claimed = self.claimed();
        let motion = motion.of_cells();
        let is_new = |&&cell: &&usize| {
            let place = self.truth_cell(motion.apply(self.place(cell)));
            place.is_some_and(|place| !claimed[place])
        };
        cells.iter().filter(is_new).count() as f64 >= MIN_NEW_SHARE * cells.len() as f64
    }

    /// Cells of the truth within the tolerance of the walls of all parts, rows from below.
    fn claimed(&self) -> Vec<bool> {
        let (width, height) = (self.geometry.width(), self.geometry.height());
        let mut claimed = vec![false; width * height];
        let reach = self.tau as usize;
        for (motion, cells) in &self.found {
            let motion = motion.of_cells();
            let places = cells.iter().filter_map(|&cell| self.truth_cell(motion.apply(self.place(cell))));
            for place in places {
                let (x, y) = (place % width, place / width);
                let columns = x.saturating_sub(reach)..(x + reach + 1).min(width);
                for row in y.saturating_sub(reach)..(y + reach + 1).min(height) {
                    claimed[row * width..][columns.clone()].fill(true);
                }
            }
        }
        claimed
    }

    /// The cell that holds a place; none outside.
    fn truth_cell(&self, (x, y): (f64, f64)) -> Option<usize> {
        let (x, y) = (x + 0.5, y + 0.5);
        let (width, height) = (self.geometry.width(), self.geometry.height());
        let is_inside = x >= 0.0 && y >= 0.0 && x < width as f64 && y < height as f64;
        is_inside.then(|| y as usize * width + x as usize)
    }
}
