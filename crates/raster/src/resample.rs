//! F-RES: one map on the cells of another grid.
//!
//! `occupied-wins` looks at all source cells whose centres lie in the target cell: one occupied makes it
//! occupied; otherwise unknown if all are unknown; otherwise free. Where no source centre lies in the target
//! cell, the source cell that contains the target's centre is taken; beyond the source, unknown. `nearest`
//! always does the latter; it loses one-cell walls when the source is finer. `mean` averages the
//! probabilities of the known source cells.
//!
//! Probabilities follow the same rules (the largest known one wins under `occupied-wins`), and so do
//! navigation classes (the class that claims least wins: victim, untraversable, uncleared, cleared, unknown).

use model::{CellClass, Grid, GridError, GridGeometry, NavigationClass};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a target cell gets its class from several source cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Resample {
    /// One occupied source cell makes the target occupied. Project default: no wall is lost.
    #[default]
    OccupiedWins,
    /// The source cell that contains the target's centre.
    Nearest,
    /// The mean probability of the known source cells.
    Mean,
}

/// A resampled map, and what of it lay outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Resampled {
    /// The map on the target's cells.
    pub grid: Grid,
    /// Free source cells whose centres lie outside the target.
    pub outside_free: u64,
    /// Occupied source cells whose centres lie outside the target.
    pub outside_occupied: u64,
}

/// Brings `source` onto the cells of `target`; both are in one frame.
///
/// # Errors
/// None for grids that were checked when they were made; the error is that of the model's constructors.
pub fn resample(source: &Grid, target: &GridGeometry, rule: Resample) -> Result<Resampled, GridError> {
    resample_at(source, source.geometry(), target, rule)
}

/// As [`resample`], with the cells of `source` at another place than its own: a map under a transform is not copied.
///
/// # Errors
/// As [`resample`]; `place` has another number of cells than the source.
pub fn resample_at(
    source: &Grid,
    place: &GridGeometry,
    target: &GridGeometry,
    rule: Resample,
) -> Result<Resampled, GridError> {
    let (found, expected) = (place.cells(), source.geometry().cells());
    if found != expected {
        return Err(GridError::Size { plane: "place", found, expected });
    }
    let to_source = Affine::between(target, place);
    let (grid, outside) = match rule {
        Resample::Nearest => {
            let outside = gather(source, place, target, |_, _| {});
            let origins = to_source.every_cell().map(|found| found.map_or(0, |index| index as u32 + 1));
            (assemble(source, target, &origins.collect::<Vec<_>>())?, outside)
        }
        Resample::OccupiedWins if source.navigation().is_none() && source.probabilities().is_none() => {
            let (classes, outside) = strongest_classes(source, place, target, &to_source);
            (Grid::new(*target, classes)?, outside)
        }
        Resample::OccupiedWins => {
            let (winners, outside) = winners(source, place, target, &to_source);
            (assemble(source, target, &winners)?, outside)
        }
        Resample::Mean => mean(source, place, target, &to_source)?,
    };
    Ok(Resampled { grid, outside_free: outside.free, outside_occupied: outside.occupied })
}

/// Known source cells whose centres lie in no target cell.
struct Outside {
    free: u64,
    occupied: u64,
}

/// Shows each source cell with the target cell that its centre lies in, in image order; counts those outside.
fn gather(
    source: &Grid,
    place: &GridGeometry,
    target: &GridGeometry,
    mut each: impl FnMut(usize, usize),
) -> Outside {
    let to_target = Affine::between(place, target);
    let mut outside = Outside { free: 0, occupied: 0 };
    for ((index, class), found) in source.classes().iter().enumerate().zip(to_target.every_cell()) {
        match (found, class) {
            (Some(target_index), _) => each(index, target_index),
            (None, CellClass::Free) => outside.free += 1,
            (None, CellClass::Occupied) => outside.occupied += 1,
            (None, CellClass::Unknown) => {}
        }
    }
    outside
}

/// What the source cells in a target cell come to: nothing yet, or the strongest of their classes.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Strongest {
    Nothing,
    Unknown,
    Free,
    Occupied,
}

impl Strongest {
    const fn of(class: CellClass) -> Self {
        match class {
            CellClass::Unknown => Self::Unknown,
            CellClass::Free => Self::Free,
            CellClass::Occupied => Self::Occupied,
        }
    }
}

/// `occupied-wins` for a map that has classes alone: no cell needs to know where its class came from.
fn strongest_classes(
    source: &Grid,
    place: &GridGeometry,
    target: &GridGeometry,
    to_source: &Affine,
) -> (Vec<CellClass>, Outside) {
    let mut strongest = vec![Strongest::Nothing; target.cells()];
    let classes = source.classes();
    let outside = gather(source, place, target, |index, target_index| {
        let (slot, class) = (&mut strongest[target_index], Strongest::of(classes[index]));
        *slot = if class > *slot { class } else { *slot };
    });
    let width = target.width();
    let mut decided = Vec::with_capacity(strongest.len());
    for (row, slots) in strongest.chunks_exact(width).enumerate() {
        let at_center = |column| to_source.cell_of(column, row).map_or(CellClass::Unknown, |i| classes[i]);
        decided.extend(slots.iter().enumerate().map(|(column, slot)| match slot {
            Strongest::Nothing => at_center(column),
            Strongest::Unknown => CellClass::Unknown,
            Strongest::Free => CellClass::Free,
            Strongest::Occupied => CellClass::Occupied,
        }));
    }
    (decided, outside)
}

/// For each target cell one plus the source cell that decides it, 0 if none does.
fn winners(
    source: &Grid,
    place: &GridGeometry,
    target: &GridGeometry,
    to_source: &Affine,
) -> (Vec<u32>, Outside) {
    let mut winners = vec![0u32; target.cells()];
    let outside = gather(source, place, target, |index, target_index| {
        let slot = &mut winners[target_index];
        if *slot == 0 || precedes(source, index, *slot as usize - 1) {
            *slot = index as u32 + 1;
        }
    });
    for (row, slots) in winners.chunks_exact_mut(target.width()).enumerate() {
        for (column, slot) in slots.iter_mut().enumerate().filter(|(_, slot)| **slot == 0) {
            *slot = to_source.cell_of(column, row).map_or(0, |i| i as u32 + 1);
        }
    }
    (winners, outside)
}

/// Does source cell `a` decide against `b`? Ties keep the earlier one in image order.
fn precedes(source: &Grid, a: usize, b: usize) -> bool {
    let [class_a, class_b] = [a, b].map(|index| Strongest::of(source.classes()[index]));
    let claims = |index: usize| {
        let claim = source.navigation().map_or(0, |n| navigation_rank(n[index]));
        (claim, source.number(index))
    };
    class_a > class_b || (class_a == class_b && claims(a) > claims(b))
}

fn navigation_rank(class: NavigationClass) -> u8 {
    match class {
        NavigationClass::Unknown => 0,
        NavigationClass::Cleared => 1,
        NavigationClass::Uncleared => 2,
        NavigationClass::Untraversable => 3,
        NavigationClass::Victim => 4,
    }
}

/// A grid whose cells each copy one source cell, given as one plus its index; unknown where that is 0.
fn assemble(source: &Grid, target: &GridGeometry, origins: &[u32]) -> Result<Grid, GridError> {
    fn copied<T: Copy>(origins: &[u32], plane: &[T], nothing: T) -> Vec<T> {
        origins.iter().map(|o| o.checked_sub(1).map_or(nothing, |i| plane[i as usize])).collect()
    }
    let grid = match source.navigation() {
        Some(navigation) => {
            Grid::of_navigation(*target, copied(origins, navigation, NavigationClass::Unknown))?
        }
        None => Grid::new(*target, copied(origins, source.classes(), CellClass::Unknown))?,
    };
    match source.probabilities() {
        Some(probabilities) => grid.with_probabilities(copied(origins, probabilities, 0.5)),
        None => Ok(grid),
    }
}

fn mean(
    source: &Grid,
    place: &GridGeometry,
    target: &GridGeometry,
    to_source: &Affine,
) -> Result<(Grid, Outside), GridError> {
    let mut sums = vec![0.0; target.cells()];
    let mut known = vec![0u32; target.cells()];
    let mut reached = vec![false; target.cells()];
    let outside = gather(source, place, target, |index, target_index| {
        reached[target_index] = true;
        if source.classes()[index].is_known() {
            sums[target_index] += source.number(index);
            known[target_index] += 1;
        }
    });
    let probability = |index: usize| {
        if known[index] > 0 {
            sums[index] / f64::from(known[index])
        } else if reached[index] {
            0.5
        } else {
            let (column, row) = (index % target.width(), index / target.width());
            to_source.cell_of(column, row).map_or(0.5, |i| source.number(i))
        }
    };
    let probabilities: Vec<f64> = (0..target.cells()).map(probability).collect();
    let classes = probabilities.iter().map(|&p| CellClass::of_probability(p)).collect();
    Ok((Grid::new(*target, classes)?.with_probabilities(probabilities)?, outside))
}

/// The map from cells of one grid to those of another. Columns and rows are those of the image: row 0 is the top.
struct Affine {
    from: GridGeometry,
    to: GridGeometry,
    /// By column, the centre of its cells in grid coordinates of `to`, without the part of the row.
    columns: Vec<(f64, f64)>,
    up: (f64, f64),
}

/// A centre this close below a cell's border counts as beyond it, so that rounding in 0.05 m steps does not
/// decide on which side of the half-open cell it falls.
const BORDER_CELLS: f64 = 1e-9;

impl Affine {
    fn between(from: &GridGeometry, to: &GridGeometry) -> Self {
        let at = |right, up| to.grid_point_of_world(from.world_of_grid_point(right, up));
        let (origin, right, up) = (at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0));
        let minus = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0, a.1 - b.1);
        let (right, up) = (minus(right, origin), minus(up, origin));
        let column = |i: usize| {
            let i = i as f64 + 0.5;
            (origin.0 + i * right.0, origin.1 + i * right.1)
        };
        Self { from: *from, to: *to, columns: (0..from.width()).map(column).collect(), up }
    }

    /// What the row adds to the centres of its cells.
    fn part_of_row(&self, row: usize) -> (f64, f64) {
        let j = (self.from.height() - 1 - row) as f64 + 0.5;
        (j * self.up.0, j * self.up.1)
    }

    /// Index in `to` of the cell that holds a centre.
    fn cell_at(&self, column: (f64, f64), row: (f64, f64)) -> Option<usize> {
        let x = column.0 + row.0 + BORDER_CELLS;
        let y = column.1 + row.1 + BORDER_CELLS;
        let inside = x >= 0.0 && y >= 0.0 && x < self.to.width() as f64 && y < self.to.height() as f64;
        inside.then(|| self.to.index_of(model::Cell { i: x as usize, j: y as usize }))
    }

    /// Index in `to` of the cell that holds the centre of a cell of `from`.
    fn cell_of(&self, column: usize, row: usize) -> Option<usize> {
        self.cell_at(self.columns[column], self.part_of_row(row))
    }

    /// As [`Affine::cell_of`], for all cells of `from` in image order.
    fn every_cell(&self) -> impl Iterator<Item = Option<usize>> {
        (0..self.from.height()).flat_map(move |row| {
            let row = self.part_of_row(row);
            self.columns.iter().map(move |&column| self.cell_at(column, row))
        })
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::{grid, grid_at, rows};

    use super::*;

    fn onto(source: &Grid, target: GridGeometry, rule: Resample) -> Resampled {
        resample(source, &target, rule).unwrap()
    }

    fn geometry(width: usize, height: usize, cell_size_m: f64, origin: Pose2) -> GridGeometry {
        GridGeometry::new(width, height, cell_size_m, origin).unwrap()
    }

    #[test]
    fn f_res_a_coarse_map_on_fine_cells() {
        let source = grid_at([".?", "#."], 0.1, Pose2::IDENTITY);
        let target = geometry(5, 4, 0.05, Pose2::new(-0.05, 0.0, 0.0));
        for rule in [Resample::OccupiedWins, Resample::Nearest] {
            let result = onto(&source, target, rule);
            assert_eq!(rows(&result.grid), ["?..??", "?..??", "?##..", "?##.."], "{rule:?}");
            assert_eq!((result.outside_free, result.outside_occupied), (0, 0));
        }
    }

    #[test]
    fn f_res_halving_lets_occupied_win() {
        let source = grid(["??..", "??.#", "?.?#", "..??"]);
        let halved = onto(&source, geometry(2, 2, 2.0, Pose2::IDENTITY), Resample::OccupiedWins).grid;
        assert_eq!(rows(&halved), ["?#", ".#"]);
    }

    #[test]
    fn mean_averages_known_cells_and_nearest_may_lose_a_wall() {
        let source = grid(["..?#", "#...", "..??", "..??"]);
        let target = geometry(2, 2, 2.0, Pose2::IDENTITY);
        let mean = onto(&source, target, Resample::Mean).grid;
        assert_eq!(mean.probabilities(), Some(&[0.25, 1.0 / 3.0, 0.0, 0.5][..]));
        assert_eq!(rows(&mean), ["..", ".?"]);
        assert_eq!(
            rows(&onto(&source, target, Resample::Nearest).grid),
            [".#", ".?"],
            "the left wall is lost"
        );
    }

    #[test]
    fn cells_outside_are_counted_and_places_beyond_the_map_are_unknown() {
        let source = grid(["#.", ".#", "?."]);
        let result = onto(&source, geometry(2, 2, 1.0, Pose2::new(1.0, 1.0, 0.0)), Resample::OccupiedWins);
        assert_eq!(rows(&result.grid), [".?", "#?"]);
        assert_eq!((result.outside_free, result.outside_occupied), (2, 1));
    }

    #[test]
    fn a_quarter_turn_moves_every_cell() {
        let source = grid_at(["#..", "??."], 1.0, Pose2::new(2.0, 0.0, std::f64::consts::FRAC_PI_2));
        let result = onto(&source, geometry(2, 3, 1.0, Pose2::IDENTITY), Resample::OccupiedWins);
        assert_eq!(rows(&result.grid), ["..", ".?", "#?"]);
    }

    #[test]
    fn decimal_offsets_do_not_lose_cells() {
        let source = grid_at(["#.#.#.#."], 0.05, Pose2::new(0.3, 0.15, 0.0));
        let result = onto(&source, geometry(10, 4, 0.05, Pose2::IDENTITY), Resample::OccupiedWins);
        assert_eq!(rows(&result.grid)[0], "??????#.#.");
        assert_eq!((result.outside_free, result.outside_occupied), (2, 2));
    }

    #[test]
    fn navigation_classes_keep_the_weaker_claim() {
        use NavigationClass::{Cleared, Uncleared, Unknown, Victim};
        let fine = geometry(2, 2, 1.0, Pose2::IDENTITY);
        let halve = |classes| {
            let source = Grid::of_navigation(fine, classes).unwrap();
            let result = onto(&source, geometry(1, 1, 2.0, Pose2::IDENTITY), Resample::OccupiedWins);
            result.grid.navigation().unwrap()[0]
        };
        assert_eq!(halve(vec![Cleared, Uncleared, Unknown, Cleared]), Uncleared);
        assert_eq!(halve(vec![Cleared, Victim, Unknown, Cleared]), Victim);
    }
}
