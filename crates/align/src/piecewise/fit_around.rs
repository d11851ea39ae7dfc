//! How many of the walls around a place fit a motion, and how far a part reaches by it.

use super::Pieces;
use super::rigid_motion::RigidMotion;
use super::stretch::stretches;

/// Walls so near to one, in both axes, are around it.
const AROUND_M: f64 = 0.5;

/// Sums over all walls of the map, and over those that fit a motion.
pub(super) struct FitAround {
    width: usize,
    height: usize,
    radius_cells: usize,
    /// Walls, and those of them that fit, above and to the left of each corner.
    sums: Vec<[u32; 2]>,
}

impl FitAround {
    pub(super) fn of(pieces: &Pieces<'_>, motion: &RigidMotion, walls: &[usize]) -> Self {
        let (width, height) = (pieces.geometry.width(), pieces.geometry.height());
        let radius_cells = (AROUND_M / pieces.geometry.cell_size_m()).round() as usize;
        let side = width + 1;
        let mut sums = vec![[0_u32; 2]; side * (height + 1)];
        for &wall in walls {
            let fits = u32::from(pieces.is_near(motion, wall, pieces.tau + 1));
            sums[(wall / width + 1) * side + wall % width + 1] = [1, fits];
        }
        for at in side + 1..sums.len() {
            let around = [sums[at - 1], sums[at - side], sums[at - side - 1]];
            if at % side > 0 {
                sums[at] = std::array::from_fn(|k| sums[at][k] + around[0][k] + around[1][k] - around[2][k]);
            }
        }
        Self { width, height, radius_cells, sums }
    }

    /// Number of walls around a cell, and of those among them that fit.
    pub(super) fn around(&self, cell: usize) -> (u32, u32) {
        let (x, y, side) = (cell % self.width, cell / self.width, self.width + 1);
        let reach = self.radius_cells;
        let (left, right) = (x.saturating_sub(reach), (x + reach + 1).min(self.width));
        let (top, bottom) = (y.saturating_sub(reach) * side, (y + reach + 1).min(self.height) * side);
        let sum = |k: usize| {
            let corner = |at: usize| self.sums[at][k];
            corner(bottom + right) + corner(top + left) - corner(top + right) - corner(bottom + left)
        };
        (sum(0), sum(1))
    }
}

/// A part that was grown from its core.
pub(super) struct Grown {
    /// In image order.
    pub(super) cells: Vec<usize>,
    /// How many of them are of the core, or lie where fewer walls fit any other part.
    pub(super) sure: usize,
}

impl Pieces<'_> {
    /// A part from its core outwards: walls that fit its motion, where as many fit it as any other part, and without a gap from the
    /// core.
    pub(super) fn grown(&self, motion: &RigidMotion, core: &[usize], walls: &[usize], gap_m: f64) -> Grown {
        let fit = FitAround::of(self, motion, walls);
        let others: Vec<FitAround> =
            self.found.iter().map(|(other, _)| FitAround::of(self, other, walls)).collect();
        let in_core = |cell: &usize| core.binary_search(cell).is_ok();
        // More, as many or fewer walls than fit the best other part.
        let against_others = |cell: &usize| {
            let best = others.iter().map(|other| other.around(*cell).1).max();
            fit.around(*cell).1.cmp(&best.unwrap_or(0))
        };
        let mut reached = walls.to_vec();
        reached.retain(|cell| {
            in_core(cell) || (self.is_near(motion, *cell, self.tau + 1) && against_others(cell).is_ge())
        });
        let gap = ((gap_m / self.geometry.cell_size_m()) as usize).max(self.gap);
        let groups = stretches(&reached, self.geometry.width(), gap);
        let mut cells: Vec<usize> =
            groups.into_iter().filter(|group| group.iter().any(in_core)).flatten().collect();
        cells.sort_unstable();
        let sure = cells.iter().filter(|cell| in_core(cell) || against_others(cell).is_gt()).count();
        Grown { cells, sure }
    }
}
