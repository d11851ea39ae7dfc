//! Sensor noise: ragged walls, ghosts near walls, specks of obstacle and of nothing on the floor.

use model::{CellClass, Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::neighbourhood::Neighbourhood;
use crate::SimError;

/// Parameters of [`noise`]. All chances are per cell, from 0 to 1; all defaults are ours, set by eye to the
/// look of a map from a noisy short-range laser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Chooses the cells. Default 1.
    pub seed: u64,
    /// Chance that a free cell beside a wall becomes occupied. Default 0.2.
    pub ragged_chance: f64,
    /// Chance that a wall cell beside free floor becomes free. Default 0.12.
    pub eaten_chance: f64,
    /// Chance that a free cell near a wall becomes occupied: beams that graze an edge end early. Default 0.03.
    pub ghost_chance: f64,
    /// How far from a wall ghosts appear, in cells. Default 4.
    pub ghost_reach_cells: usize,
    /// Chance that any other free cell becomes occupied: people, dust, tilted scans. Default 0.002.
    pub speck_chance: f64,
    /// Chance that any other free cell becomes unknown: no beam passed. Default 0.01.
    pub hole_chance: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            seed: 1,
            ragged_chance: 0.2,
            eaten_chance: 0.12,
            ghost_chance: 0.03,
            ghost_reach_cells: 4,
            speck_chance: 0.002,
            hole_chance: 0.01,
        }
    }
}

/// Adds noise to the known cells; unknown cells stay unknown, because no beam went there.
///
/// # Errors
/// A chance outside of 0 to 1.
pub fn noise(truth: &Grid, params: &Noise) -> Result<Grid, SimError> {
    params.check()?;
    let mut rng = SeededRng::new(params.seed);
    let near = Neighbourhood::of(truth);
    let noisy = truth.classes().iter().enumerate().map(|(index, &class)| match class {
        CellClass::Unknown => CellClass::Unknown,
        CellClass::Occupied => spoilt_wall(index, &near, params, &mut rng),
        CellClass::Free => spoilt_floor(index, &near, params, &mut rng),
    });
    Ok(Grid::new(*truth.geometry(), noisy.collect())?)
}

fn spoilt_wall(index: usize, near: &Neighbourhood, params: &Noise, rng: &mut SeededRng) -> CellClass {
    let eaten = near.beside(index, CellClass::Free) && rng.chance(params.eaten_chance);
    if eaten { CellClass::Free } else { CellClass::Occupied }
}

fn spoilt_floor(index: usize, near: &Neighbourhood, params: &Noise, rng: &mut SeededRng) -> CellClass {
    if near.beside(index, CellClass::Occupied) {
        let ragged = rng.chance(params.ragged_chance);
        return if ragged { CellClass::Occupied } else { CellClass::Free };
    }
    // The rare draw comes first: the search around the cell is the costly part.
    if rng.chance(params.ghost_chance) && near.within(index, params.ghost_reach_cells, CellClass::Occupied) {
        return CellClass::Occupied;
    }
    if rng.chance(params.speck_chance) {
        return CellClass::Occupied;
    }
    if rng.chance(params.hole_chance) { CellClass::Unknown } else { CellClass::Free }
}

impl Noise {
    fn check(&self) -> Result<(), SimError> {
        for (name, chance) in [
            ("ragged_chance", self.ragged_chance),
            ("eaten_chance", self.eaten_chance),
            ("ghost_chance", self.ghost_chance),
            ("speck_chance", self.speck_chance),
            ("hole_chance", self.hole_chance),
        ] {
            SimError::check_range(name, chance, 0.0..=1.0, "0 to 1")?;
        }
        Ok(())
    }
}

/// The kind `noise`: known cells that are the opposite of what they should be. Simpler than [`noise`], so that one number says
/// how strong it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlippedCells {
    /// Chance per known cell, 0 to 1.
    pub chance: f64,
}

impl Damage for FlippedCells {
    const SPEC: KindSpec = KindSpec {
        name: "noise",
        title: "free and occupied cells exchanged at random",
        unit: "",
        ladder: &[0.002, 0.005, 0.01, 0.02, 0.05, 0.1],
        range: (0.0, 1.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Cells,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { chance: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        SimError::check_range("chance", self.chance, 0.0..=1.0, "0 to 1")?;
        let mut rng = SeededRng::new(seed);
        let flipped = map.classes().iter().map(|&class| match class {
            CellClass::Free if rng.chance(self.chance) => CellClass::Occupied,
            CellClass::Occupied if rng.chance(self.chance) => CellClass::Free,
            same => same,
        });
        Ok(Damaged::in_place(Grid::new(*map.geometry(), flipped.collect())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Noise = Noise {
        seed: 1,
        ragged_chance: 0.0,
        eaten_chance: 0.0,
        ghost_chance: 0.0,
        ghost_reach_cells: 2,
        speck_chance: 0.0,
        hole_chance: 0.0,
    };

    fn noisy(params: Noise) -> Vec<String> {
        testkit::rows(&noise(&testkit::grid(["??##....", "??##...."]), &params).unwrap())
    }

    #[test]
    fn without_chances_nothing_changes() {
        assert_eq!(noisy(QUIET), ["??##....", "??##...."]);
    }

    #[test]
    fn each_certain_chance_does_its_own_damage() {
        let twice = |row: &str| vec![row.to_owned(), row.to_owned()];
        assert_eq!(noisy(Noise { ragged_chance: 1.0, ..QUIET }), twice("??###..."));
        assert_eq!(noisy(Noise { eaten_chance: 1.0, ..QUIET }), twice("??#....."));
        // The cell beside the wall is the business of the ragged chance; reach 2 leaves one more.
        assert_eq!(noisy(Noise { ghost_chance: 1.0, ..QUIET }), twice("??##.#.."));
        assert_eq!(noisy(Noise { speck_chance: 1.0, ..QUIET }), twice("??##.###"));
        assert_eq!(noisy(Noise { hole_chance: 1.0, ..QUIET }), twice("??##.???"));
    }

    #[test]
    fn about_as_many_cells_change_as_the_chance_says() {
        let row = ".".repeat(100);
        let truth = testkit::grid(vec![row; 100]);
        let map = noise(&truth, &Noise { hole_chance: 0.1, ..QUIET }).unwrap();
        // 10000 draws of 0.1: 1000 with a standard deviation of 30.
        assert!((880..1120).contains(&map.class_counts()[CellClass::Unknown as usize]));
    }

    #[test]
    fn every_known_cell_flips_with_chance_one() {
        let flipped = FlippedCells { chance: 1.0 }.apply(&testkit::grid(["#.?"]), 1).unwrap();
        assert_eq!(testkit::rows(&flipped.map), [".#?"]);
    }

    #[test]
    fn seeds_differ_and_senseless_chances_are_refused() {
        let truth = testkit::grid(vec![".".repeat(40); 40]);
        let with_seed = |seed| noise(&truth, &Noise { seed, ..Noise::default() }).unwrap();
        assert_ne!(with_seed(1), with_seed(2));
        assert!(noise(&truth, &Noise { hole_chance: 1.5, ..QUIET }).is_err());
        assert!(noise(&truth, &Noise { speck_chance: f64::NAN, ..QUIET }).is_err());
    }
}
