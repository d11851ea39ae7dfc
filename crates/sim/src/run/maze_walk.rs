//! The run of L-ACCEPT: a maze of 6 x 4 pallets, every pallet visited along centre lines.
//!
//! A depth-first walk goes into each pallet and back: 2 * (pallets - 1) * 1.2 m = 55.2 m and about 800 scans for the
//! small maze, 228 m and 3500 scans for 12 x 8 pallets.

use model::Point2;

use super::recording::SimulatedRun;
use super::walk::Walk;
use crate::SimError;
use crate::arena::{Arena, Drawing, Edge, MazePlan, Rise};
use crate::sensor::{Laser, OdometryModel, RangeNoise};
use crate::world::World;

/// A walk through a random maze.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MazeWalk {
    /// Chooses the maze and the noise.
    pub seed: u64,
    /// Pallets from left to right. Default 6 (L-ACCEPT).
    pub columns: usize,
    /// Pallets from bottom to top. Default 4 (L-ACCEPT).
    pub rows: usize,
    /// Share of the inner walls that are removed. Default 0.1: "a few loops" (L-ACCEPT).
    pub loop_share: f64,
}

impl Default for MazeWalk {
    fn default() -> Self {
        Self { seed: 1, columns: 6, rows: 4, loop_share: 0.1 }
    }
}

impl MazeWalk {
    /// The maze, and the run through it.
    ///
    /// # Errors
    /// No pallet, too many, or a share that is none.
    pub fn run(&self) -> Result<(Arena, SimulatedRun), SimError> {
        let bare = MazePlan::bare(self.seed, self.columns, self.rows)?;
        let plan = MazePlan { loop_share: self.loop_share, ..bare }.plan()?;
        let arena = Arena::build(&plan)?;
        let points = every_pallet(&Drawing::read(&plan.drawing)?, bare.pallet_m);
        let walk = Walk {
            seed: self.seed,
            laser: acceptance_laser(),
            odometry: OdometryModel::ACCEPTANCE,
            step_m: 0.1,
            turn_rad: 10_f64.to_radians(),
            step_s: 0.2,
        };
        let run = walk.along(&World::new(&arena), arena.start, &points);
        Ok((arena, run))
    }
}

/// 121 beams over 240 degrees, 4 m, range noise 10 mm (L-ACCEPT).
fn acceptance_laser() -> Laser {
    Laser {
        beams: 121,
        noise: RangeNoise { sigma_m: 0.01, sigma_share: 0.0 },
        quantum_m: 0.0,
        ..Laser::urg_04lx()
    }
}

/// Way points that visit every pallet: their middles in the order of a depth-first walk from the lower left, each path
/// back included.
#[must_use]
pub fn every_pallet(drawing: &Drawing, pallet_m: f64) -> Vec<Point2> {
    let (columns, rows) = (drawing.columns(), drawing.rows());
    let mut is_visited = vec![false; columns * rows];
    let mut path = vec![(0_usize, 0_usize)];
    let mut points = Vec::new();
    is_visited[0] = true;
    while let Some(&(column, row)) = path.last() {
        points.push(Point2::new((column as f64 + 0.5) * pallet_m, (row as f64 + 0.5) * pallet_m));
        let next = Rise::ALL.into_iter().find_map(|side| {
            let (x, y) = side.step();
            let column_there = column.checked_add_signed(x as isize).filter(|c| *c < columns)?;
            let row_there = row.checked_add_signed(y as isize).filter(|r| *r < rows)?;
            let is_new = drawing.edge(column, row, side) != Edge::Wall
                && !is_visited[row_there * columns + column_there];
            is_new.then_some((column_there, row_there))
        });
        match next {
            Some((column, row)) => {
                is_visited[row * columns + column] = true;
                path.push((column, row));
            }
            None => {
                path.pop();
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_maze_is_walked_as_l_accept_says() {
        let mut scans = 0;
        for seed in 1..=5 {
            let (arena, run) = MazeWalk { seed, ..MazeWalk::default() }.run().unwrap();
            assert!((run.distance_m - 55.2).abs() < 1e-6, "{}", run.distance_m);
            assert_eq!(run.log.scans().count(), run.truth.poses.len());
            assert!(run.log.scans().all(|scan| scan.ranges_m.len() == 121));
            assert_eq!(arena.size_m, [7.199_999_999_999_999, 4.8]);
            scans += run.truth.poses.len();
        }
        assert!((700..1000).contains(&(scans / 5)), "{} scans", scans / 5);
    }

    #[test]
    fn the_seed_decides_every_range() {
        let walk = MazeWalk { seed: 4, columns: 3, rows: 2, ..MazeWalk::default() };
        assert_eq!(walk.run().unwrap().1, walk.run().unwrap().1);
        assert!(MazeWalk { columns: 0, rows: 0, ..walk }.run().is_err());
    }
}
