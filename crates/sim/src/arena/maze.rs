//! A random maze of pallets: connected, with loops where walls were taken out again, ramps, split barrels and marks.
//!
//! A depth-first walk (L-ACCEPT) makes a tree of all pallets; then a share of the remaining inner walls is removed.

use model::SeededRng;

use super::drawing::{Drawing, Edge, PalletMark, Rise, Slope};
use super::plan::{BarrelKind, BarrelPlan, MarkPlan, Plan};
use super::ramps::lay_ramps;
use crate::SimError;

/// What a random maze should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MazePlan {
    /// Chooses the maze: same seed, same plan.
    pub seed: u64,
    /// Width in metres; the maze has as many whole pallets as fit. Default 15 (X-ARENA).
    pub width_m: f64,
    /// Height in metres. Default 10 (X-ARENA).
    pub height_m: f64,
    /// Side of a pallet. Default 1.2 (X-ARENA).
    pub pallet_m: f64,
    /// Share of the inner walls left by the tree that are removed, 0 to 1; 0 leaves no loop. Default 0.1; ours.
    pub loop_share: f64,
    /// Share of the pallets that are ramps, 0 to 1; about four of ten can be, those between two walls and at the ends of
    /// corridors. No opening has a step. Default 0, so that a flat scanner sees the maze as it is; ours.
    pub ramp_share: f64,
    /// Slope of the ramps. Default gentle, 10 degrees (PEL): their tops lie below a scanner at 0.3 m, the steep ones
    /// above it.
    pub ramp_slope: Slope,
    /// Split barrels astride inner walls. Default 10 (rescue league, today's maze).
    pub barrels: usize,
    /// Victims. Default 4; ours.
    pub victims: usize,
    /// Hazard signs. Default 2; ours.
    pub hazards: usize,
    /// Labels. Default 4; ours.
    pub labels: usize,
}

impl Default for MazePlan {
    fn default() -> Self {
        Self {
            seed: 1,
            width_m: 15.0,
            height_m: 10.0,
            pallet_m: 1.2,
            loop_share: 0.1,
            ramp_share: 0.0,
            ramp_slope: Slope::Gentle,
            barrels: 10,
            victims: 4,
            hazards: 2,
            labels: 4,
        }
    }
}

/// Streams of the seed.
const WALLS: u64 = 21;
const LOOPS: u64 = 22;
const RAMPS: u64 = 23;
const BARRELS: u64 = 24;
const MARKS: u64 = 25;
/// Barrels stand on the ground, where a robot's scanner sees them: height of the middle, length. Ours.
const STANDING_BARREL_M: (f64, f64) = (0.5, 1.0);
/// Marks hang this far from their wall. Ours.
const MARK_OFF_WALL_M: f64 = 0.1;

impl MazePlan {
    /// Walls only, so many pallets from left to right and from bottom to top.
    ///
    /// # Errors
    /// No pallet, or too many.
    pub(crate) fn bare(seed: u64, columns: usize, rows: usize) -> Result<Self, SimError> {
        let usual = Self::default();
        let side = |pallets: usize| {
            SimError::check_range("pallets", pallets as f64, 1.0..=500.0, "1 to 500 on a side")?;
            Ok::<f64, SimError>(pallets as f64 * usual.pallet_m)
        };
        let (width_m, height_m) = (side(columns)?, side(rows)?);
        Ok(Self { seed, width_m, height_m, barrels: 0, victims: 0, hazards: 0, labels: 0, ..usual })
    }

    /// The plan of the maze.
    ///
    /// # Errors
    /// A number outside of its range, or no room for a pallet.
    pub fn plan(&self) -> Result<Plan, SimError> {
        let check = SimError::check_range;
        check("pallet_m", self.pallet_m, 0.1..=10.0, "0.1 to 10")?;
        check("width_m", self.width_m, self.pallet_m..=500.0 * self.pallet_m, "1 to 500 pallets")?;
        check("height_m", self.height_m, self.pallet_m..=500.0 * self.pallet_m, "1 to 500 pallets")?;
        check("loop_share", self.loop_share, 0.0..=1.0, "0 to 1")?;
        check("ramp_share", self.ramp_share, 0.0..=1.0, "0 to 1")?;
        let items = self.barrels.max(self.victims).max(self.hazards).max(self.labels);
        check("barrels or marks of a kind", items as f64, 0.0..=5000.0, "at most 5000")?;
        let fitting = |side_m: f64| (side_m / self.pallet_m + 1e-9).floor() as usize;
        let mut drawing = Drawing::walled(fitting(self.width_m), fitting(self.height_m))?;
        carve(&mut drawing, &mut SeededRng::new(self.seed).stream(WALLS));
        self.open_loops(&mut drawing);
        lay_ramps(
            &mut drawing,
            self.ramp_share,
            self.ramp_slope,
            &mut SeededRng::new(self.seed).stream(RAMPS),
        );
        drawing.mark(0, 0, PalletMark::Start);
        let mut marks = self.marks(&drawing).into_iter();
        let mut take = |n: usize| marks.by_ref().take(n).collect::<Vec<_>>();
        Ok(Plan {
            name: format!("maze-{}", self.seed),
            pallet_m: self.pallet_m,
            barrels: self.split_barrels(&drawing),
            victims: take(self.victims),
            hazards: take(self.hazards),
            labels: take(self.labels),
            drawing: drawing.to_text(),
            ..Plan::default()
        })
    }

    fn open_loops(&self, drawing: &mut Drawing) {
        let mut rng = SeededRng::new(self.seed).stream(LOOPS);
        for (column, row, side) in inner_walls(drawing) {
            if rng.chance(self.loop_share) {
                *drawing.edge_mut(column, row, side) = Edge::Open;
            }
        }
    }

    /// In the middle of inner walls, chosen without repetition.
    fn split_barrels(&self, drawing: &Drawing) -> Vec<BarrelPlan> {
        let mut walls = inner_walls(drawing);
        SeededRng::new(self.seed).stream(BARRELS).shuffle(&mut walls);
        let (height_m, length_m) = STANDING_BARREL_M;
        let barrel = |(column, row, side): (usize, usize, Rise)| {
            let (x, y) = side.step();
            let at = |pallet: usize, side: i64| (pallet as f64 + 0.5 + side as f64 / 2.0) * self.pallet_m;
            BarrelPlan {
                kind: BarrelKind::Split,
                facing_deg: if side == Rise::East { 0.0 } else { 90.0 },
                height_m,
                length_m,
                ..BarrelPlan::at(at(column, x), at(row, y))
            }
        };
        walls.into_iter().take(self.barrels).map(barrel).collect()
    }

    /// Places for marks: on walls, off their middle, where no barrel stands.
    fn marks(&self, drawing: &Drawing) -> Vec<MarkPlan> {
        let mut places: Vec<(usize, usize, Rise)> = pallets(drawing)
            .flat_map(|(column, row)| Rise::ALL.map(|side| (column, row, side)))
            .filter(|&(column, row, side)| drawing.edge(column, row, side) == Edge::Wall)
            .collect();
        SeededRng::new(self.seed).stream(MARKS).shuffle(&mut places);
        let mark = |(column, row, side): (usize, usize, Rise)| {
            let (x, y) = side.step();
            let out_m = self.pallet_m / 2.0 - MARK_OFF_WALL_M;
            let along_m = self.pallet_m / 3.0;
            let at = |pallet: usize, out: i64, along: i64| {
                (pallet as f64 + 0.5) * self.pallet_m + out as f64 * out_m + along as f64 * along_m
            };
            MarkPlan::new(None, at(column, x, y), at(row, y, x))
        };
        places.into_iter().map(mark).collect()
    }
}

fn pallets(drawing: &Drawing) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (columns, rows) = (drawing.columns(), drawing.rows());
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// Walls between two pallets, each once: to the right of or above a pallet.
fn inner_walls(drawing: &Drawing) -> Vec<(usize, usize, Rise)> {
    let sides =
        pallets(drawing).flat_map(|(column, row)| [Rise::East, Rise::North].map(|s| (column, row, s)));
    sides
        .filter(|&(column, row, side)| {
            neighbour(drawing, (column, row), side).is_some() && drawing.edge(column, row, side) == Edge::Wall
        })
        .collect()
}

fn neighbour(drawing: &Drawing, (column, row): (usize, usize), side: Rise) -> Option<(usize, usize)> {
    let (x, y) = side.step();
    let column = column.checked_add_signed(x as isize).filter(|c| *c < drawing.columns())?;
    let row = row.checked_add_signed(y as isize).filter(|r| *r < drawing.rows())?;
    Some((column, row))
}

/// Opens a path to every pallet: a depth-first walk with a stack of its own.
fn carve(drawing: &mut Drawing, rng: &mut SeededRng) {
    let mut is_visited = vec![false; drawing.columns() * drawing.rows()];
    let mut path = vec![(0, 0)];
    is_visited[0] = true;
    while let Some(&here) = path.last() {
        let unvisited = |side: &Rise| {
            neighbour(drawing, here, *side).is_some_and(|(c, r)| !is_visited[r * drawing.columns() + c])
        };
        let sides: Vec<Rise> = Rise::ALL.into_iter().filter(unvisited).collect();
        if sides.is_empty() {
            path.pop();
            continue;
        }
        let side = sides[rng.between(0, sides.len() as i64 - 1) as usize];
        *drawing.edge_mut(here.0, here.1, side) = Edge::Open;
        if let Some(next) = neighbour(drawing, here, side) {
            is_visited[next.1 * drawing.columns() + next.0] = true;
            path.push(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::arena::Arena;

    #[test]
    fn fifty_seeds_give_fifty_connected_mazes() {
        let mut drawings = BTreeSet::new();
        for seed in 0..50 {
            let plan = MazePlan { seed, ..MazePlan::default() }.plan().unwrap();
            let truth = Arena::build(&plan).unwrap().truth(0.3).unwrap();
            let geometry = truth.geometry();
            for row in 0..8 {
                for column in 0..12 {
                    let middle =
                        model::Point2::new(1.2 * f64::from(column) + 0.6, 1.2 * f64::from(row) + 0.6);
                    let cell = geometry.cell_at(middle).unwrap();
                    assert_eq!(
                        truth.classes()[geometry.index_of(cell)],
                        model::CellClass::Free,
                        "seed {seed}"
                    );
                }
            }
            drawings.insert(plan.drawing);
        }
        assert_eq!(drawings.len(), 50);
    }

    #[test]
    fn without_loops_the_maze_is_a_tree_and_with_all_it_is_a_hall() {
        let walls = |loop_share| {
            let plan = MazePlan { loop_share, ..MazePlan::default() }.plan().unwrap();
            inner_walls(&Drawing::read(&plan.drawing).unwrap()).len()
        };
        // 12 x 8 pallets: 11 * 8 + 12 * 7 = 172 inner edges, 95 of them open in a tree.
        assert_eq!((walls(0.0), walls(1.0)), (77, 0));
        assert!(walls(0.1) < 77);
    }

    #[test]
    fn the_seed_and_nothing_else_decides() {
        let maze = MazePlan { seed: 7, ramp_share: 0.3, ..MazePlan::default() };
        let text = maze.plan().unwrap().to_text();
        assert_eq!(maze.plan().unwrap().to_text(), text);
        let steeper = MazePlan { ramp_share: 0.9, ..maze }.plan().unwrap();
        assert_eq!(steeper.barrels, maze.plan().unwrap().barrels, "ramps do not move the barrels");
        assert_eq!(Plan::read(&text).unwrap(), maze.plan().unwrap());
    }

    #[test]
    fn barrels_stand_astride_walls_and_marks_hang_beside_them() {
        let plan = MazePlan::default().plan().unwrap();
        assert_eq!((plan.barrels.len(), plan.victims.len(), plan.labels.len()), (10, 4, 4));
        let arena = Arena::build(&plan).unwrap();
        assert_eq!(arena.barrels.len(), 20);
        for mark in &arena.marks {
            assert!(arena.contains(mark.place), "{mark:?}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for maze in [
            MazePlan { loop_share: f64::NAN, ..MazePlan::default() },
            MazePlan { width_m: 0.5, ..MazePlan::default() },
            MazePlan { height_m: 1e9, ..MazePlan::default() },
            MazePlan { barrels: usize::MAX, ..MazePlan::default() },
        ] {
            assert!(maze.plan().is_err(), "{maze:?}");
        }
    }
}
