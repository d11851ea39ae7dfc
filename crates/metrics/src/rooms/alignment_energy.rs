//! Alignment energy: how strongly the walls of map and truth still pull at each other.
//!
//! ```text
//! F(A, B) = Σ over walls a of A, b of B of cos²(θ_a - θ_b) · exp(-|a - b|² / (2 σ²))
//! E = 1 - F(map, truth) / sqrt(F(map, map) · F(truth, truth))
//! ```
//!
//! Unit: none. Range: 0 (the same walls) to 1 (no wall near another). Better: lower.
//! Paper: Lakaemper and Adluru 2009, whom Schwertfeger et al. 2010, section 5, describe: maps are aligned by forces between
//! walls that are near and parallel, and the energy that is left tells how well they agree.
//! Departure: we know the idea, not the printed formula; kernel, directions and normalisation are ours. The energy is
//! that of the coordinate frame of the comparison: nothing is moved.
//! Unknown: walls of the truth where the map knows nothing do not count.
//! Known bias: beyond three σ a wall pulls at nothing, so a map that is 0.5 m off and one that is 5 m off have the same energy.
//! Sees: shift, rotate, bend, cut, thick_walls, ghost_walls, resolution, scale, mirror; late: noise, moved_room,
//! missing_wing, unseen, closed_door, opened_wall, blur. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has no occupied cell, or the map knows no wall of the truth.
//!
//! θ is the main direction of the occupied cells within 2 cells (5 x 5) about a wall cell; one without a direction has
//! cos² = 1/2. Distances end at ±3 σ along each axis.

use model::{CellClass, Grid};
use raster::weighted_rows::weighted_sum;

use crate::prelude::*;

/// Parameters of the alignment energy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlignmentEnergy {
    /// Width σ of the kernel, metres, at least one cell. Default 0.15, ours: walls 0.3 m apart pull at a seventh.
    pub sigma_m: f64,
}

impl Default for AlignmentEnergy {
    fn default() -> Self {
        Self { sigma_m: 0.15 }
    }
}

/// Cells about a wall cell that its direction is taken from.
const REACH: isize = 2;
/// σ in cells, at most: wider kernels would take long and blur everything.
const MAX_SIGMA_CELLS: f64 = 100.0;

impl Metric for AlignmentEnergy {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Rooms, "alignment_energy", "X-ENERGY", "Alignment energy")
            .measured_in(Unit::Ratio, Better::Lower)
            .best(0.0)
            .worst(1.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        if !(self.sigma_m.is_finite() && self.sigma_m > 0.0) {
            return Err(Reason::NotFinite.into());
        }
        let grids = case.grids_with_walls()?;
        let width = grids.geometry().width();
        let sigma_cells = (self.sigma_m / grids.geometry().cell_size_m()).clamp(1.0, MAX_SIGMA_CELLS);
        let seen = |cell: usize| grids.map.classes()[cell] != CellClass::Unknown;
        let (truth, map) = (DirectedWalls::of(&grids.truth, seen), DirectedWalls::of(&grids.map, |_| true));
        if truth.cells.is_empty() {
            return Err(Reason::NoMatch.into());
        }
        let mut kernel = Kernel::new(sigma_cells, width);
        let (mut own, mut shared) = ([0.0; 2], 0.0);
        for part in 0..3 {
            let [of_map] = kernel.pulls(part, &map, [&map]);
            let [of_truth, of_both] = kernel.pulls(part, &truth, [&truth, &map]);
            own[0] += of_map;
            own[1] += of_truth;
            shared += of_both;
        }
        Ok(Score::new((1.0 - shared / (own[0] * own[1]).sqrt()).clamp(0.0, 1.0))
            .with("force", shared)
            .with("force_of_map", own[0])
            .with("force_of_truth", own[1])
            .with("walls_map", map.cells.len())
            .with("walls_truth", truth.cells.len())
            .with("coverage", case.coverage()?))
    }
}

/// Wall cells, each with (1, cos 2θ, sin 2θ): cos²(θ - θ') is half the scalar product of two of them.
struct DirectedWalls {
    /// In image order.
    cells: Vec<usize>,
    vectors: Vec<[f32; 3]>,
}

impl DirectedWalls {
    fn of(grid: &Grid, counts: impl Fn(usize) -> bool) -> Self {
        let (width, height) = (grid.geometry().width() as isize, grid.geometry().height() as isize);
        let classes = grid.classes();
        let is_wall = |x: isize, y: isize| {
            let inside = x >= 0 && y >= 0 && x < width && y < height;
            inside && classes[(y * width + x) as usize] == CellClass::Occupied
        };
        let vector = |cell: usize| {
            let (x, y) = (cell as isize % width, cell as isize / width);
            let (mut straight, mut slanted) = (0_i32, 0_i32);
            for (dx, dy) in (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy))) {
                if is_wall(x + dx, y + dy) {
                    straight += (dx * dx - dy * dy) as i32;
                    slanted += 2 * (dx * dy) as i32;
                }
            }
            let length = f64::from(straight).hypot(f64::from(slanted));
            let part = |value: i32| if length > 0.0 { (f64::from(value) / length) as f32 } else { 0.0 };
            [1.0, part(straight), part(slanted)]
        };
        let is_counted = |&cell: &usize| classes[cell] == CellClass::Occupied && counts(cell);
        let cells: Vec<usize> = (0..classes.len()).filter(is_counted).collect();
        let vectors = cells.iter().map(|&cell| vector(cell)).collect();
        Self { cells, vectors }
    }

    /// Column and one part of the vector of each wall of a row.
    fn in_row(&self, row: usize, width: usize, part: usize) -> impl Iterator<Item = (usize, f32)> {
        let [first, last] = [row, row + 1].map(|row| self.cells.partition_point(|&cell| cell < row * width));
        let walls = self.cells[first..last].iter().zip(&self.vectors[first..last]);
        walls.map(move |(&cell, vector)| (cell - row * width, vector[part]))
    }
}

/// exp(-d² / (2 σ²)) for distances up to 3 σ along an axis, and the plane that is worked on.
struct Kernel {
    /// From the largest distance on one side to that on the other.
    weights: Vec<f32>,
    reach: usize,
    width: usize,
    /// Smoothed along rows.
    plane: Vec<f32>,
}

impl Kernel {
    fn new(sigma_cells: f64, width: usize) -> Self {
        let reach = (3.0 * sigma_cells).ceil() as usize;
        let weight = |d: usize| (-((d * d) as f64) / (2.0 * sigma_cells * sigma_cells)).exp() as f32;
        let weights = (0..=2 * reach).map(|tap| weight(tap.abs_diff(reach))).collect();
        Self { weights, reach, width, plane: Vec::new() }
    }

    /// What one part of the vectors of some walls, smoothed, adds to F with each of the others. Nothing lies beyond the plane.
    fn pulls<const N: usize>(
        &mut self,
        part: usize,
        walls: &DirectedWalls,
        others: [&DirectedWalls; N],
    ) -> [f64; N] {
        let width = self.width;
        let rows =
            1 + others.iter().chain([&walls]).filter_map(|walls| walls.cells.last()).max().unwrap_or(&0)
                / width;
        let has_walls = self.smooth_along_rows(part, walls, rows);
        let mut smooth = vec![0.0; width];
        let mut sums = [0.0; N];
        for row in 0..rows {
            if others.iter().all(|walls| walls.in_row(row, width, part).next().is_none()) {
                continue;
            }
            // Rows without walls add nothing.
            let near = row.saturating_sub(self.reach)..(row + self.reach + 1).min(rows);
            let taps: Vec<(&[f32], f32)> = near
                .filter(|&near| has_walls[near])
                .map(|near| (&self.plane[near * width..][..width], self.weights[near + self.reach - row]))
                .collect();
            weighted_sum(&taps, 1.0, &mut smooth);
            for (sum, walls) in sums.iter_mut().zip(others) {
                for (column, value) in walls.in_row(row, width, part) {
                    *sum += f64::from(value) * f64::from(smooth[column]);
                }
            }
        }
        sums.map(|sum| sum / 2.0)
    }

    /// Fills the plane with one part of the vectors, smoothed along the rows that have walls; which rows these are.
    fn smooth_along_rows(&mut self, part: usize, walls: &DirectedWalls, rows: usize) -> Vec<bool> {
        let (width, reach) = (self.width, self.reach);
        self.plane.resize(width * rows, 0.0);
        let mut padded = vec![0.0; width + 2 * reach];
        let smoothed = |(row, target): (usize, &mut [f32])| {
            padded.fill(0.0);
            let mut is_empty = true;
            for (column, value) in walls.in_row(row, width, part) {
                padded[reach + column] = value;
                is_empty = false;
            }
            if !is_empty {
                let taps: Vec<(&[f32], f32)> =
                    self.weights.iter().enumerate().map(|(tap, &weight)| (&padded[tap..], weight)).collect();
                weighted_sum(&taps, 1.0, target);
            }
            !is_empty
        };
        self.plane.chunks_exact_mut(width).take(rows).enumerate().map(smoothed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{building, case, case_of, nearly, slipped_building};

    fn energy(truth: Grid, map: Grid) -> f64 {
        Metric::evaluate(&AlignmentEnergy::default(), &case_of(truth, map)).unwrap().value
    }

    #[test]
    fn two_cells_by_hand() {
        // One wall cell each, two cells apart, no direction: F = exp(-2²/2) / 2, each own force 1/2.
        let found = Metric::evaluate(&AlignmentEnergy::default(), &case(&["#...."], &["..#.."])).unwrap();
        nearly(found.value, 1.0 - (-2.0_f64).exp(), 1e-6);
        // Beyond three cells of 1 m nothing pulls.
        let far = Metric::evaluate(&AlignmentEnergy::default(), &case(&["#....."], &["....#."])).unwrap();
        nearly(far.value, 1.0, 1e-12);
    }

    #[test]
    fn walls_across_pull_less_than_walls_along() {
        let rows = |letter: fn(usize, usize) -> bool| -> Vec<String> {
            (0..9).map(|y| (0..9).map(|x| if letter(x, y) { '#' } else { '.' }).collect()).collect()
        };
        let (lying, lower, standing) = (rows(|_, y| y == 4), rows(|_, y| y == 5), rows(|x, _| x == 4));
        let grid = |rows: &Vec<String>| testkit::grid(rows);
        let along = energy(grid(&lying), grid(&lower));
        let across = energy(grid(&lying), grid(&standing));
        nearly(energy(grid(&lying), grid(&lying)), 0.0, 1e-6);
        assert!(along < 0.5 && across > 0.9, "{along} {across}");
    }

    #[test]
    fn a_map_has_no_energy_against_itself_and_more_the_farther_a_part_slipped() {
        nearly(energy(building(0), building(0)), 0.0, 1e-6);
        let slipped = [1, 2, 3].map(|cells| energy(building(0), slipped_building(cells)));
        assert!(slipped[0] > 0.01 && slipped[0] < slipped[1] && slipped[1] < slipped[2], "{slipped:?}");
        let shifted = [1, 2, 3, 6].map(|cells| energy(building(0), building(cells)));
        // Computed by a double loop over all pairs of walls in another language.
        nearly(slipped[1], 0.184_246_6, 1e-5);
        nearly(energy(building(0), slipped_building(5)), 0.287_251_8, 1e-5);
        assert!(shifted.windows(2).all(|pair| pair[0] < pair[1]), "{shifted:?}");
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        assert!(Metric::evaluate(&AlignmentEnergy::default(), &case(&["#."], &[".."])).is_err());
        assert!(Metric::evaluate(&AlignmentEnergy::default(), &case(&["#.."], &["?.#"])).is_err());
    }
}
