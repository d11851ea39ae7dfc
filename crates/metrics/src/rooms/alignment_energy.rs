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
//! Undefined: if either map has no occupied cell, or the map knows no wall of the truth.
//!
//! θ is the main direction of the occupied cells within 2 cells (5 x 5) about a wall cell; one without a direction has
//! cos² = 1/2. Distances end at ±3 σ along each axis.

use model::{CellClass, Grid};

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
        let kernel = Kernel::new(sigma_cells);
        let (mut own, mut shared) = ([0.0; 2], 0.0);
        // Each part of the vectors is smoothed once and serves two of the three sums.
        for part in 0..3 {
            let [around_map, around_truth] = [&map, &truth].map(|walls| walls.smoothed(part, &kernel, width));
            own[0] += map.pull(part, &around_map);
            own[1] += truth.pull(part, &around_truth);
            shared += map.pull(part, &around_truth);
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
    cells: Vec<usize>,
    vectors: Vec<[f32; 3]>,
    size: usize,
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
        Self { cells, vectors, size: classes.len() }
    }

    /// One part of the vectors as a plane, smoothed.
    fn smoothed(&self, part: usize, kernel: &Kernel, width: usize) -> Vec<f32> {
        let mut plane = vec![0.0_f32; self.size];
        for (&cell, vector) in self.cells.iter().zip(&self.vectors) {
            plane[cell] = vector[part];
        }
        kernel.smoothed(&plane, width)
    }

    /// What one part of the vectors of others, smoothed, adds to F.
    fn pull(&self, part: usize, smooth: &[f32]) -> f64 {
        let walls = self.cells.iter().zip(&self.vectors);
        walls.map(|(&cell, vector)| f64::from(vector[part]) * f64::from(smooth[cell])).sum::<f64>() / 2.0
    }
}

/// exp(-d² / (2 σ²)) for distances up to 3 σ along an axis.
struct Kernel {
    weights: Vec<f32>,
}

impl Kernel {
    fn new(sigma_cells: f64) -> Self {
        let reach = (3.0 * sigma_cells).ceil() as usize;
        let weight = |d: usize| (-((d * d) as f64) / (2.0 * sigma_cells * sigma_cells)).exp() as f32;
        Self { weights: (0..=reach).map(weight).collect() }
    }

    /// The plane smoothed along rows, then along columns; nothing lies beyond it. Cells that hold nothing cost nothing.
    fn smoothed(&self, plane: &[f32], width: usize) -> Vec<f32> {
        let along_rows = self.spread(plane, width, 1);
        self.spread(&along_rows, width, width)
    }

    fn spread(&self, plane: &[f32], width: usize, step: usize) -> Vec<f32> {
        let (mut spread, height) = (vec![0.0_f32; plane.len()], plane.len() / width);
        for (cell, &value) in plane.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            let (place, count) = if step == 1 { (cell % width, width) } else { (cell / width, height) };
            for (distance, weight) in self.weights.iter().enumerate() {
                if distance <= place {
                    spread[cell - distance * step] += weight * value;
                }
                if distance > 0 && place + distance < count {
                    spread[cell + distance * step] += weight * value;
                }
            }
        }
        spread
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
