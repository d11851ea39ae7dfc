//! A part of the place that was never explored.
//!
//! The robot turned back at a line across the map. Beyond it only that is known which it saw by looking
//! straight on: free floor up to the first obstacle or the end of its sight, and the walls beside that floor.

use std::sync::Arc;

use model::{Cell, CellClass, Grid, GridGeometry, SeededRng};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::motion::{Motion, Step};
use super::neighbourhood::Neighbourhood;
use crate::SimError;

/// The side of the map where the missing part lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Low x.
    Left,
    /// High x.
    Right,
    /// Low y.
    Bottom,
    /// High y.
    Top,
}

/// Parameters of [`missing_wing`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissingWing {
    /// Chooses how the end of the sight varies. Default 1.
    pub seed: u64,
    /// Where the missing part lies. Default right.
    pub side: Side,
    /// Part of the known extent that was not entered, 0 to 1. Default 0.35; ours, about a third.
    pub missing_fraction: f64,
    /// How far the robot saw beyond the line, in metres. Default 2.5; ours, a short-range laser.
    pub sight_m: f64,
}

impl Default for MissingWing {
    fn default() -> Self {
        Self { seed: 1, side: Side::Right, missing_fraction: 0.35, sight_m: 2.5 }
    }
}

/// Makes the part beyond the line unknown, except for what was seen from the line.
///
/// # Errors
/// A fraction outside of 0 to 1, or a sight that is negative or not finite.
pub fn missing_wing(truth: &Grid, params: &MissingWing) -> Result<Grid, SimError> {
    SimError::check_range("missing_fraction", params.missing_fraction, 0.0..=1.0, "0 to 1")?;
    SimError::check_range("sight_m", params.sight_m, 0.0..=f64::MAX, "a finite number, 0 or more")?;
    Ok(cut_off(truth, params)?.0)
}

/// The map without the wing, and which cells it kept.
fn cut_off(truth: &Grid, params: &MissingWing) -> Result<(Grid, Vec<bool>), SimError> {
    let Some(wing) = Wing::of(truth, params) else {
        let grid = Grid::new(*truth.geometry(), truth.classes().to_vec())?;
        return Ok((grid, vec![true; truth.geometry().cells()]));
    };
    let mut kept = vec![false; truth.geometry().cells()];
    wing.keep_explored(&mut kept);
    wing.keep_seen_floor(truth, params, &mut kept);
    let kept = with_walls_beside_floor(truth, &kept);
    let classes = truth.classes().iter().zip(&kept);
    let classes = classes.map(|(class, kept)| if *kept { *class } else { CellClass::Unknown });
    Ok((Grid::new(*truth.geometry(), classes.collect())?, kept))
}

/// The kind `missing_wing`: a share of the known extent is cut off along a straight line, with the faces of walls that are
/// seen from the rest. The seed chooses the side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LostWing {
    /// Share of the known extent, 0 to 1.
    pub missing_fraction: f64,
}

impl Damage for LostWing {
    const SPEC: KindSpec = KindSpec {
        name: "missing_wing",
        title: "a part was never explored",
        unit: "",
        ladder: &[0.05, 0.1, 0.2, 0.3, 0.5, 0.7],
        range: (0.0, 1.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Mask,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { missing_fraction: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        SimError::check_range("missing_fraction", self.missing_fraction, 0.0..=1.0, "0 to 1")?;
        let side = SeededRng::new(seed).one_of(&[Side::Left, Side::Right, Side::Bottom, Side::Top]);
        let params = MissingWing { seed, side, missing_fraction: self.missing_fraction, sight_m: 0.0 };
        let (rest, kept) = cut_off(map, &params)?;
        let motion = Motion::on(map.geometry(), Step::Kept(*map.geometry(), Arc::new(kept)));
        Ok(Damaged::moved(rest, motion))
    }
}

/// The missing part as lines that run away from the explored part.
struct Wing {
    geometry: GridGeometry,
    side: Side,
    /// Cells of each line that were explored, counted from the far side of the map.
    explored: usize,
    /// Length of a line in cells.
    length: usize,
    lines: usize,
}

impl Wing {
    /// None where nothing is known.
    fn of(truth: &Grid, params: &MissingWing) -> Option<Self> {
        let geometry = *truth.geometry();
        let (length, lines) = match params.side {
            Side::Left | Side::Right => (geometry.width(), geometry.height()),
            Side::Bottom | Side::Top => (geometry.height(), geometry.width()),
        };
        let mut wing = Self { geometry, side: params.side, explored: length, length, lines };
        let known_at = |step: &usize| {
            (0..lines).any(|line| truth.classes()[wing.index(line, *step)] != CellClass::Unknown)
        };
        let first = (0..length).find(known_at)?;
        let last = (0..length).rev().find(known_at)?;
        let missing = (params.missing_fraction * (last + 1 - first) as f64).round() as usize;
        wing.explored = last + 1 - missing;
        Some(wing)
    }

    /// Position in the plane of a step along a line.
    fn index(&self, line: usize, step: usize) -> usize {
        self.geometry.index_of(match self.side {
            Side::Right => Cell { i: step, j: line },
            Side::Left => Cell { i: self.length - 1 - step, j: line },
            Side::Top => Cell { i: line, j: step },
            Side::Bottom => Cell { i: line, j: self.length - 1 - step },
        })
    }

    fn keep_explored(&self, kept: &mut [bool]) {
        for line in 0..self.lines {
            (0..self.explored).for_each(|step| kept[self.index(line, step)] = true);
        }
    }

    /// Looks along each line from its last explored cell, if that is free.
    fn keep_seen_floor(&self, truth: &Grid, params: &MissingWing, kept: &mut [bool]) {
        let sight_cells =
            (params.sight_m / self.geometry.cell_size_m()).round().min(self.length as f64) as i64;
        let mut rng = SeededRng::new(params.seed);
        let mut shorter_cells = 0;
        for line in 0..self.lines {
            // The end of the sight wanders from line to line, as a frontier does.
            shorter_cells = (shorter_cells + rng.between(-2, 2)).clamp(0, sight_cells / 2);
            let stands_free =
                self.explored > 0 && truth.classes()[self.index(line, self.explored - 1)] == CellClass::Free;
            if !stands_free {
                continue;
            }
            let end = self.length.min(self.explored + (sight_cells - shorter_cells) as usize);
            for step in self.explored..end {
                let index = self.index(line, step);
                if truth.classes()[index] != CellClass::Free {
                    break;
                }
                kept[index] = true;
            }
        }
    }
}

/// Adds the occupied cells that touch kept free floor.
fn with_walls_beside_floor(truth: &Grid, kept: &[bool]) -> Vec<bool> {
    let near = Neighbourhood::of(truth);
    let is_seen_floor = |index: usize| kept[index] && truth.classes()[index] == CellClass::Free;
    let is_kept = |(index, &is_kept): (usize, &bool)| {
        is_kept || (truth.classes()[index] == CellClass::Occupied && near.any_within(index, 1, is_seen_floor))
    };
    kept.iter().enumerate().map(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(side: Side, missing_fraction: f64, sight_m: f64, rows: &[&str]) -> Vec<String> {
        let params = MissingWing { seed: 1, side, missing_fraction, sight_m };
        testkit::rows(&missing_wing(&testkit::grid(rows), &params).unwrap())
    }

    #[test]
    fn beyond_the_line_only_the_face_of_a_wall_beside_known_floor_stays() {
        let rows = ["########", "#......#", "########"];
        assert_eq!(without(Side::Right, 0.5, 0.0, &rows), ["#####???", "#...????", "#####???"]);
        assert_eq!(without(Side::Left, 0.5, 0.0, &rows), ["???#####", "????...#", "???#####"]);
    }

    #[test]
    fn up_and_down_work_as_left_and_right_do() {
        let rows = ["###", "#.#", "#.#", "###"];
        assert_eq!(without(Side::Top, 0.5, 0.0, &rows), ["???", "#?#", "#.#", "###"]);
        assert_eq!(without(Side::Bottom, 0.5, 0.0, &rows), ["###", "#.#", "#?#", "???"]);
    }

    #[test]
    fn the_look_ahead_ends_at_the_first_wall() {
        // Sight of 1 m cannot be shortened by chance (half of it is no cell).
        let rows = ["..#....", "...#...", "...#..."];
        assert_eq!(without(Side::Right, 4.0 / 7.0, 1.0, &rows), ["..#????", "...#???", "...#???"]);
    }

    #[test]
    fn extent_counts_known_cells_only() {
        assert_eq!(without(Side::Right, 0.5, 0.0, &["??....????"]), ["??..??????"]);
    }

    #[test]
    fn nothing_missing_changes_nothing_and_all_missing_leaves_nothing() {
        let rows = ["##..", "#..?"];
        assert_eq!(without(Side::Top, 0.0, 2.0, &rows), rows);
        assert_eq!(without(Side::Top, 1.0, 2.0, &rows), ["????", "????"]);
    }

    #[test]
    fn senseless_parameters_are_refused() {
        let truth = testkit::grid(["."]);
        assert!(
            missing_wing(&truth, &MissingWing { missing_fraction: 1.1, ..MissingWing::default() }).is_err()
        );
        assert!(missing_wing(&truth, &MissingWing { sight_m: f64::NAN, ..MissingWing::default() }).is_err());
    }
}
